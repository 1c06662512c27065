// Made from core/document/src/identifier/scheme.rs by `EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-document --lib are_current`: change nothing here.

/** The short names of application identifiers. */
export const KEYS: Readonly<Record<string, string>> = {
  '00': 'SSCC',
  '01': 'GTIN',
  10: 'lot',
  21: 'serial',
  22: 'variant',
  235: 'serial',
  253: 'GDTI',
  254: 'extension',
  255: 'GCN',
  401: 'GINC',
  402: 'GSIN',
  414: 'GLN',
  417: 'party GLN',
  8003: 'GRAI',
  8004: 'GIAI',
  8006: 'ITIP',
  8010: 'CPID',
  8011: 'serial',
  8017: 'GSRNP',
  8018: 'GSRN',
};
