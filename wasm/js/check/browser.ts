// `epcis-edge/check` in browsers and bundlers: call `await init()` once first.
import * as engine from '../../dist/check/epcis_edge.js';
import { makeChecksApi } from './api.ts';
import { makeEntry } from '../engine/load.ts';

const later = () => new URL('../../dist/check/epcis_edge_bg.wasm', import.meta.url);

export const { check, exceptionReport, init, repair } = makeEntry(engine, makeChecksApi, { later });
export { EpcisError } from '../engine/error.ts';
