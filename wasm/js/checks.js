// `epcis-edge/check`: the checks beyond any schema, in Node.
import { agent } from './agent.js';
import { eitherDocument, optionsOf, packText } from './check.js';
import { refusing } from './error.js';
import { handed } from './text.js';

export function check(document, options) {
  const { packs, pack, now = Date.now() } = optionsOf('check', options);
  const [source, own] = [eitherDocument(document), packText(pack)];
  const engine = agent();
  return refusing(() => engine.check(handed(engine, source), packs?.join(','), own, Number(now)));
}

export { EpcisError } from './error.js';
