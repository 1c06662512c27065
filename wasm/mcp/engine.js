// The engine of the agent process, which has what pages do not load: from the file beside it, at the first call.
import { readFileSync } from 'node:fs';
import * as engine from './dist/epcis_edge.js';

let isLoaded = false;

/** The engine, loaded. */
export function agent() {
  if (!isLoaded) engine.initSync({ module: readFileSync(new URL('./dist/epcis_edge_bg.wasm', import.meta.url)) });
  isLoaded = true;
  return engine;
}
