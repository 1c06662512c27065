// `epcis-edge/follow` in workerd: the module is instantiated at the first call.
import wasm from '../dist/follow/epcis_edge_bg.wasm';
import * as engine from '../dist/follow/epcis_edge.js';
import { makeFollowApi } from './follow.js';
import { makeEntry } from './load.js';

export const { follow, followEach, init } = makeEntry(engine, makeFollowApi, { atOnce: () => wasm });
export { EpcisError } from './error.js';
