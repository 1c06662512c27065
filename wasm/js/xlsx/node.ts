// `epcis-edge/xlsx` in Node.
import * as engine from '../../dist/xlsx/epcis_edge.js';
import { onDisk } from '../engine/disk.ts';
import { makeEntry } from '../engine/load.ts';
import { makeXlsxApi } from './api.ts';

const find = () => new URL('../../dist/xlsx/epcis_edge_bg.wasm', import.meta.url);

export const { toXlsx, init } = makeEntry(engine, makeXlsxApi, onDisk(find, 'leave this package out of the bundle'));
export { EpcisError } from '../engine/error.ts';
