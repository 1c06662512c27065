// The package in workerd, which compiles wasm when it is deployed: the module is instantiated at the first call.
import wasm from '../dist/epcis_edge_bg.wasm';
import * as engine from '../dist/epcis_edge.js';
import { makeApi } from './api.js';

let isLoaded = false;

function load() {
  if (!isLoaded) {
    engine.initSync({ module: wasm });
    isLoaded = true;
  }
  return engine;
}

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, identifiers } = makeApi(load);

export async function init() {
  load();
}
