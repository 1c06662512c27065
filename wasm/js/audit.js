// What an auditor computes: in the file of the agent process, for no page does so.
import { readFileSync } from 'node:fs';
import * as engine from '../dist/agent/epcis_edge.js';
import { refusing } from './error.js';

let isLoaded = false;
function load() {
  if (!isLoaded) engine.initSync({ module: readFileSync(new URL('../dist/agent/epcis_edge_bg.wasm', import.meta.url)) });
  isLoaded = true;
  return engine;
}

/** The tiles that are needed to hold a head against the one that was kept: `[{path, length}]`. */
export const tiles = (head, policy, kept) => refusing(() => load().auditTiles(kept, head, policy));

/** Checks these tiles, one behind the other: `{origin, oldSize, size, witnesses}`. */
export const check = (head, policy, bytes, kept) => refusing(() => load().auditCheck(kept, head, policy, bytes));
