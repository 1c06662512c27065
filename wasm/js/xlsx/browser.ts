// `epcis-edge/xlsx` in browsers and bundlers: call `await init()` once first.
import * as engine from '../../dist/xlsx/epcis_edge.js';
import { makeEntry } from '../engine/load.ts';
import { makeXlsxApi } from './api.ts';

const later = () => new URL('../../dist/xlsx/epcis_edge_bg.wasm', import.meta.url);

export const { toXlsx, init } = makeEntry(engine, makeXlsxApi, { later });
export { EpcisError } from '../engine/error.ts';
