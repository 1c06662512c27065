// `epcis-edge/check` in Node.
import * as engine from '../dist/check/epcis_edge.js';
import { makeChecksApi } from './checks.js';
import { onDisk } from './disk.js';
import { makeEntry } from './load.js';

const find = () => new URL('../dist/check/epcis_edge_bg.wasm', import.meta.url);

export const { check, exceptionReport, init, repair } = makeEntry(engine, makeChecksApi, onDisk(find, 'leave this package out of the bundle'));
export { EpcisError } from './error.js';
