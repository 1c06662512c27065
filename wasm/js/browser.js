// The package in browsers and bundlers, where wasm is fetched: `await init()` once, then call.
import initialise, * as engine from '../dist/epcis_edge.js';
import { makeApi } from './api.js';

let loading;
let isLoaded = false;

function load() {
  if (!isLoaded) throw new Error('epcis-edge is not loaded yet: `await init()` first');
  return engine;
}

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, identifiers } = makeApi(load);

export async function init(source) {
  loading ??= initialise({ module_or_path: source ?? new URL('../dist/epcis_edge_bg.wasm', import.meta.url) }).then(
    () => {
      isLoaded = true;
    },
    (error) => {
      // Another attempt may succeed.
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
