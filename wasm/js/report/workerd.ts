// `epcis-edge/report` in workerd: the module is instantiated at the first call.
import wasm from '../../dist/report/epcis_edge_bg.wasm';
import * as engine from '../../dist/report/epcis_edge.js';
import { makeEntry } from '../engine/load.ts';
import { makeReportApi } from './api.ts';

export const { report, toCsv, toHtml, init } = makeEntry(engine, makeReportApi, { atOnce: () => wasm });
export { EpcisError } from '../engine/error.ts';
