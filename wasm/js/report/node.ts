// `epcis-edge/report` in Node.
import * as engine from '../../dist/report/epcis_edge.js';
import { onDisk } from '../engine/disk.ts';
import { makeEntry } from '../engine/load.ts';
import { makeReportApi } from './api.ts';

const find = () => new URL('../../dist/report/epcis_edge_bg.wasm', import.meta.url);

export const { report, toCsv, toHtml, init } = makeEntry(engine, makeReportApi, onDisk(find, 'leave this package out of the bundle'));
export { EpcisError } from '../engine/error.ts';
