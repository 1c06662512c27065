// `epcis-edge/check` over a loaded engine, which is a file of its own: the checks beyond any schema.
import { eitherDocument, optionsOf, packText } from './check.js';
import { refusing } from './error.js';
import { handed } from './text.js';

/** @param load gives the engine, loading it when it was not yet */
export function makeChecksApi(load) {
  return {
    check(document, options) {
      const { packs, pack, now = Date.now() } = optionsOf('check', options);
      const [source, own] = [eitherDocument(document), packText(pack)];
      const engine = load();
      return refusing(() => engine.check(handed(engine, source), packs?.join(','), own, Number(now)));
    },
  };
}
