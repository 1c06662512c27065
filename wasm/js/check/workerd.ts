// `epcis-edge/check` in workerd: the module is instantiated at the first call.
import wasm from '../../dist/check/epcis_edge_bg.wasm';
import * as engine from '../../dist/check/epcis_edge.js';
import { makeChecksApi } from './api.ts';
import { makeEntry } from '../engine/load.ts';

export const { check, exceptionReport, init, repair } = makeEntry(engine, makeChecksApi, { atOnce: () => wasm });
export { EpcisError } from '../engine/error.ts';
