// The package in browsers and bundlers, which fetch the wasm file: call `await init()` once first.
import * as engine from '../../dist/epcis_edge.js';
import { makeApi } from './api.ts';
import { makeEntry } from './load.ts';

const later = () => new URL('../../dist/epcis_edge_bg.wasm', import.meta.url);

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, toXmlStream, identifiers, init } = makeEntry(
  engine,
  makeApi,
  {
    later,
  },
);
export { EpcisError } from './error.ts';
export * from './guards.ts';
