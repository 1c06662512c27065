// The functions of the package over a loaded engine; the entry points differ only in how they load it.
import { translateStream, validateStream } from './stream.js';

/** @param load gives the engine, loading it when it was not yet; throws where it cannot be loaded by itself */
export function makeApi(load) {
  let schema;
  const verdictOf = (errors) => {
    schema ??= load().schemaPin();
    return { valid: errors === undefined, schema: { ...schema }, errors: errors ?? [] };
  };
  return {
    validate: (document) => verdictOf(load().validate(document)),
    hash: (document, { profile } = {}) => load().hash(document, profile),
    preHash: (document, { profile } = {}) => load().preHash(document, profile),
    verify: (document) => load().verify(document),
    translate: (xml, { as = 'object' } = {}) => load().translate(xml, as === 'text'),
    toXml: (document, { version } = {}) => load().toXml(document, version),
    validateStream: () => validateStream(load, verdictOf),
    translateStream: (options) => translateStream(load, options),
    identifiers: {
      toDigitalLink: (identifier) => load().toDigitalLink(identifier),
      toEpcUrn: (digitalLink, companyPrefixLength) => load().toEpcUrn(digitalLink, companyPrefixLength),
    },
  };
}
