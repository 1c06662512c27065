// The package in Node: reads the wasm file from disk at the first call, and does nothing at import time.
import * as engine from '../../dist/epcis_edge.js';
import { makeApi } from './api.ts';
import { onDisk } from './disk.ts';
import { makeEntry } from './load.ts';

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, toXmlStream, identifiers, init } = makeEntry(
  engine,
  makeApi,
  onDisk(() => new URL('../../dist/epcis_edge_bg.wasm', import.meta.url), "import 'epcis-edge/inline' instead"),
);
export { EpcisError } from './error.ts';
export * from './guards.ts';
