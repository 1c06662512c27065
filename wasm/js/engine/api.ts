// @ts-nocheck
// The functions of the package, which call the engine. The entry points differ only in how they load it.
import { blobOf, optionsOf } from './arguments.ts';
import { makeDocumentApi, makeVerdicts } from './document-api.ts';
import { toXmlStream, translateStream, validateStream } from './stream.ts';

/** @param load returns the engine, and loads it first if necessary; throws if the engine needs `init` */
export function makeApi(load) {
  const verdictOf = makeVerdicts(load);
  return {
    ...makeDocumentApi(load, verdictOf),
    validateStream(options) {
      optionsOf('validateStream', options);
      return validateStream(load, verdictOf);
    },
    translateStream(options) {
      const { as = 'ndjson' } = optionsOf('translateStream', options);
      return translateStream(load, as);
    },
    toXmlStream(document, options) {
      const { version } = optionsOf('toXmlStream', options);
      return toXmlStream(load, blobOf(document), version);
    },
  };
}
