// The display of a pre-hash string: the facet of each field, and the names and values in a piece.

/** The facet of each field: what, when, where, why or how. */
export const FACETS = {
  eventType: 'what',
  epcList: 'what',
  parentID: 'what',
  childEPCs: 'what',
  quantityList: 'what',
  childQuantityList: 'what',
  inputEPCList: 'what',
  inputQuantityList: 'what',
  outputEPCList: 'what',
  outputQuantityList: 'what',
  transformationID: 'what',
  ilmd: 'what',
  eventTime: 'when',
  eventTimeZoneOffset: 'when',
  readPoint: 'where',
  bizLocation: 'where',
  sourceList: 'where',
  destinationList: 'where',
  action: 'why',
  bizStep: 'why',
  disposition: 'why',
  persistentDisposition: 'why',
  bizTransactionList: 'why',
  certificationInfo: 'why',
  sensorElementList: 'how',
};

/** Splits a piece into names and values, `{kind: 'name' | 'value', text}`, for its colours only. */
export function tokens(text) {
  const found = [];
  const pattern = /(?:\{[^{}]*\}[^={}]*|[A-Za-z]+)=/g;
  const names = /^(?:.*?)((?:\{[^{}]*\})?[A-Za-z][\w.-]*=)$/s;
  let at = 0;
  const push = (kind, part) => part !== '' && found.push({ kind, text: part });
  for (const match of text.matchAll(pattern)) {
    // A name before `=` directly follows the previous value, without a separator. So the known names of the algorithm are tried first.
    const [all] = match;
    const name = KNOWN_TAIL.exec(all)?.[0] ?? names.exec(all)?.[1] ?? all;
    const start = match.index + all.length - name.length;
    push('value', text.slice(at, start));
    push('name', name);
    at = start + name.length;
  }
  push('value', text.slice(at));
  return found;
}

const KNOWN_TAIL =
  /(?:\{[^{}]*\}[\w.-]+|eventType|eventTime|eventTimeZoneOffset|(?:epcList|childEPCs|inputEPCList|outputEPCList)?epc|parentID|(?:(?:child|input|output)?[qQ]uantityList)?(?:quantityElement)?epcClass|quantity|uom|action|transformationID|bizStep|disposition|(?:persistentDisposition)?(?:set|unset)|(?:readPoint|bizLocation)?id|(?:(?:bizTransaction|source|destination)List)?type|bizTransaction|source|destination|(?:sensorElementList)?(?:sensorElement)?(?:sensorMetadata|sensorReport)?(?:time|startTime|endTime|deviceID|deviceMetadata|rawData|dataProcessingMethod|bizRules|type|exception|microorganism|chemicalSubstance|value|component|stringValue|booleanValue|hexBinaryValue|uriValue|minValue|maxValue|meanValue|sDev|percRank|percValue|coordinateReferenceSystem))=$/;
