// `epcis-edge/check` in Node.
import * as engine from '../../dist/check/epcis_edge.js';
import { makeChecksApi } from './api.ts';
import { onDisk } from '../engine/disk.ts';
import { makeEntry } from '../engine/load.ts';

const find = () => new URL('../../dist/check/epcis_edge_bg.wasm', import.meta.url);

export const { check, exceptionReport, init, repair } = makeEntry(engine, makeChecksApi, onDisk(find, 'leave this package out of the bundle'));
export { EpcisError } from '../engine/error.ts';
