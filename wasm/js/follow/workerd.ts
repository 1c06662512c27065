// `epcis-edge/follow` in workerd: the module is instantiated at the first call.
import wasm from '../../dist/follow/epcis_edge_bg.wasm';
import * as engine from '../../dist/follow/epcis_edge.js';
import { makeFollowApi } from './api.ts';
import { makeEntry } from '../engine/load.ts';

export const { follow, followEach, init } = makeEntry(engine, makeFollowApi, { atOnce: () => wasm });
export { EpcisError } from '../engine/error.ts';
