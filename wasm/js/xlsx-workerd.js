// `epcis-edge/xlsx` in workerd: the module is instantiated at the first call.
import wasm from '../dist/xlsx/epcis_edge_bg.wasm';
import * as engine from '../dist/xlsx/epcis_edge.js';
import { makeEntry } from './load.js';
import { makeXlsxApi } from './xlsx.js';

export const { toXlsx, init } = makeEntry(engine, makeXlsxApi, { atOnce: () => wasm });
export { EpcisError } from './error.js';
