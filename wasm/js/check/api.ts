// The functions of `epcis-edge/check`: the checks beyond any schema. Their engine is a wasm file of its own.
import type { ChecksEngine } from '../engine/engines.ts';
import { chunkOf, eitherDocument, optionsOf, packText, parametersText, senderText } from '../engine/arguments.ts';
import { refusing } from '../engine/error.ts';
import { encoded, handed } from '../engine/text.ts';
import type * as Surface from './index.ts';

/** @param load returns the engine, and loads it first if necessary */
export function makeChecksApi(load: () => ChecksEngine): Pick<typeof Surface, 'check' | 'repair' | 'exceptionReport'> {
  return {
    check(document, options) {
      const { packs, pack, parameters, now = Date.now() } = optionsOf('check', options);
      const [source, own, given] = [eitherDocument(document), packText(pack), parametersText(parameters)];
      const engine = load();
      return refusing(() => engine.check(handed(engine, source), packs?.join(','), own, given, Number(now)));
    },
    repair(text, options) {
      const { zone } = optionsOf('repair', options);
      const given = chunkOf(text, 'the text');
      const source = typeof given === 'string' ? encoded(given) : given;
      return refusing(() => load().repair(source, zone === 'from-offset'));
    },
    exceptionReport(document, sender, options) {
      const { now = Date.now() } = optionsOf('exceptionReport', options, 'third');
      const [source, from] = [eitherDocument(document), senderText(sender)];
      const engine = load();
      return JSON.parse(refusing(() => engine.exceptions(handed(engine, source), from, Number(now))));
    },
  };
}
