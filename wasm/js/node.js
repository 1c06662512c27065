// The package in Node: the wasm file is read from disk at the first call, nothing happens at import time.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { makeEntry } from './load.js';

function atOnce() {
  try {
    return readFileSync(new URL('../dist/epcis_edge_bg.wasm', import.meta.url));
  } catch (error) {
    // A bundler has moved this script and not the file.
    throw new Error("epcis-edge finds no WebAssembly file beside its script: import 'epcis-edge/inline' instead, or `await init(source)` first", {
      cause: error,
    });
  }
}

/** Files are read here, which `fetch` does not do; whatever has no scheme is a path. */
function opened(source) {
  if (typeof source === 'string') {
    if (!/^[a-z][a-z0-9+.-]+:/i.test(source)) return readFile(source);
    source = new URL(source);
  }
  return source instanceof URL && source.protocol === 'file:' ? readFile(source) : source;
}

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, verifyProof, identifiers, init } = makeEntry({
  atOnce,
  opened,
});
export { EpcisError } from './error.js';
export * from './guards.js';
