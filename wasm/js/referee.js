// The second opinion on a verdict: in the file of the agent process, for it is too large for pages.
import { readFileSync } from 'node:fs';
import * as engine from '../dist/agent/epcis_edge.js';
import { refusing } from './error.js';

let isLoaded = false;

/** The verdict of an engine on a document of at most 64 KiB. */
export function validateBy(document, name) {
  if (!isLoaded) engine.initSync({ module: readFileSync(new URL('../dist/agent/epcis_edge_bg.wasm', import.meta.url)) });
  isLoaded = true;
  return refusing(() => engine.validateBy(document, name));
}
