// The engine of the agent process, with parts that pages do not load; loaded from the folder beside this one at the first call.
import { readFileSync } from 'node:fs';
import type { AgentEngine } from '../../js/engine/engines.ts';
import * as engine from '../dist/epcis_edge.js';

let isLoaded = false;

/** Loads the engine if necessary and returns it. */
export function agent(): AgentEngine {
  if (!isLoaded) engine.initSync({ module: readFileSync(new URL('../dist/epcis_edge_bg.wasm', import.meta.url)) });
  isLoaded = true;
  return engine;
}
