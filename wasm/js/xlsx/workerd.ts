// `epcis-edge/xlsx` in workerd: the module is instantiated at the first call.
import wasm from '../../dist/xlsx/epcis_edge_bg.wasm';
import * as engine from '../../dist/xlsx/epcis_edge.js';
import { makeEntry } from '../engine/load.ts';
import { makeXlsxApi } from './api.ts';

export const { toXlsx, init } = makeEntry(engine, makeXlsxApi, { atOnce: () => wasm });
export { EpcisError } from '../engine/error.ts';
