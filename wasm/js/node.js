// The package in Node: the wasm file is read from disk at the first call, nothing happens at import time.
import { readFileSync } from 'node:fs';
import * as engine from '../dist/epcis_edge.js';
import { makeApi } from './api.js';

let isLoaded = false;

function load() {
  if (!isLoaded) {
    engine.initSync({ module: readFileSync(new URL('../dist/epcis_edge_bg.wasm', import.meta.url)) });
    isLoaded = true;
  }
  return engine;
}

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, identifiers } = makeApi(load);

export async function init() {
  load();
}
