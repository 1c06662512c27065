// The function of `epcis-edge/follow`. Its engine is a wasm file of its own.
import { jsonDocument, optionsOf } from './check.js';
import { refusing } from './error.js';
import { handed } from './text.js';

/** @param load returns the engine, and loads it first if necessary */
export function makeFollowApi(load) {
  return {
    follow(document, request) {
      const source = jsonDocument(document);
      const { items, from, to, ...rest } = optionsOf('follow', request);
      const time = (given) => (given instanceof Date ? given.toISOString() : given);
      const asked = JSON.stringify({ items, from: time(from), to: time(to), ...rest });
      const engine = load();
      return JSON.parse(refusing(() => engine.follow(handed(engine, source), asked)));
    },
  };
}
