// `epcis-edge/report` in browsers and bundlers: call `await init()` once first.
import * as engine from '../../dist/report/epcis_edge.js';
import { makeEntry } from '../engine/load.ts';
import { makeReportApi } from './api.ts';

const later = () => new URL('../../dist/report/epcis_edge_bg.wasm', import.meta.url);

export const { report, toCsv, toHtml, init } = makeEntry(engine, makeReportApi, { later });
export { EpcisError } from '../engine/error.ts';
