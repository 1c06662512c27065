// The package in workerd, which compiles wasm at deployment: the module is instantiated at the first call.
import wasm from '../../dist/epcis_edge_bg.wasm';
import * as engine from '../../dist/epcis_edge.js';
import { makeApi } from './api.ts';
import { makeEntry } from './load.ts';

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, toXmlStream, identifiers, init } = makeEntry(
  engine,
  makeApi,
  {
    atOnce: () => wasm,
  },
);
export { EpcisError } from './error.ts';
export * from './guards.ts';
