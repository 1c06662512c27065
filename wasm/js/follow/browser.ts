// `epcis-edge/follow` in browsers and bundlers: call `await init()` once first.
import * as engine from '../../dist/follow/epcis_edge.js';
import { makeFollowApi } from './api.ts';
import { makeEntry } from '../engine/load.ts';

const later = () => new URL('../../dist/follow/epcis_edge_bg.wasm', import.meta.url);

export const { follow, followEach, init } = makeEntry(engine, makeFollowApi, { later });
export { EpcisError } from '../engine/error.ts';
