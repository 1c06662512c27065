// The package in browsers and bundlers, which fetch the wasm file: call `await init()` once first.
import * as engine from '../../dist/epcis_edge.js';
import { makeApi } from './api.js';
import { makeEntry } from './load.js';

const later = () => new URL('../../dist/epcis_edge_bg.wasm', import.meta.url);

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, toXmlStream, identifiers, init } = makeEntry(
  engine,
  makeApi,
  {
    later,
  },
);
export { EpcisError } from './error.js';
export * from './guards.js';
