// `epcis-edge/follow` in Node.
import * as engine from '../dist/follow/epcis_edge.js';
import { makeFollowApi } from './follow.js';
import { onDisk } from './disk.js';
import { makeEntry } from './load.js';

const find = () => new URL('../dist/follow/epcis_edge_bg.wasm', import.meta.url);

export const { follow, followEach, init } = makeEntry(engine, makeFollowApi, onDisk(find, 'leave this package out of the bundle'));
export { EpcisError } from './error.js';
