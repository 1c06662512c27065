// A list of events as the modules of the engine's thread get a document, with its history from the engine of the page.
import { readFileSync } from 'node:fs';
import { historyOf } from '../src/flow/history.ts';
import { engine, init } from '../src/engine/page-engine.ts';

await init(readFileSync(new URL('../../wasm/dist/page/epcis_edge_bg.wasm', import.meta.url)));
export const { toDigitalLink: canonicalOf, eventName } = engine.identifiers;

export { engine };

export function inputOf(events, more) {
  const askable = { source: events, places: [...events.keys()] };
  return { events, canonicalOf, eventName, askable, history: historyOf(engine, askable), ...more };
}
