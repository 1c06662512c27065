// The package in browsers and bundlers, where wasm is fetched: `await init()` once, then call.
import { makeEntry } from './load.js';

const later = () => new URL('../dist/epcis_edge_bg.wasm', import.meta.url);

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, verifyProof, identifiers, init } = makeEntry({
  later,
});
export { EpcisError } from './error.js';
export * from './guards.js';
