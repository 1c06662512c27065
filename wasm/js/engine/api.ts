// The functions of the package, which call the engine. The entry points differ only in how they load it.
import type { StreamEngine } from './engines.ts';
import { blobOf, optionsOf, word } from './arguments.ts';
import { type DocumentApi, makeDocumentApi, makeVerdicts, TO_XML } from './document-api.ts';
import type * as Surface from './index.ts';
import { toXmlStream, translateStream, validateStream } from './stream.ts';

export type Api = DocumentApi & Pick<typeof Surface, 'validateStream' | 'translateStream' | 'toXmlStream'>;

/** @param load returns the engine, and loads it first if necessary; throws if the engine needs `init` */
export function makeApi(load: () => StreamEngine): Api {
  const verdictOf = makeVerdicts(load);
  return {
    ...makeDocumentApi(load, verdictOf),
    validateStream(options?: unknown) {
      optionsOf('validateStream', {}, options);
      return validateStream(load, verdictOf);
    },
    translateStream: ((options?: unknown) => {
      const { as = 'ndjson' } = optionsOf<Surface.TranslateStreamOptions>('translateStream', { as: word('ndjson', 'text', 'object') }, options);
      return translateStream(load, as);
    }) as Api['translateStream'],
    toXmlStream(document, options) {
      const { version } = optionsOf('toXmlStream', TO_XML, options);
      return toXmlStream(load, blobOf(document), version);
    },
  };
}
