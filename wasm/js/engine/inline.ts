// The package with its wasm inside, for bundlers that do not copy files. It is a third larger, and loads no file.
import base64 from '../../dist/inline.js';
import * as engine from '../../dist/epcis_edge.js';
import { makeApi } from './api.ts';
import { makeEntry } from './load.ts';

function atOnce() {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

export const { validate, hash, preHash, verify, translate, toXml, validateStream, translateStream, toXmlStream, identifiers, init } = makeEntry(
  engine,
  makeApi,
  {
    atOnce,
  },
);
export { EpcisError } from './error.ts';
export * from './guards.ts';
