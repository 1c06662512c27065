// `epcis-edge/follow` in Node.
import * as engine from '../../dist/follow/epcis_edge.js';
import { makeFollowApi } from './api.ts';
import { onDisk } from '../engine/disk.ts';
import { makeEntry } from '../engine/load.ts';

const find = () => new URL('../../dist/follow/epcis_edge_bg.wasm', import.meta.url);

export const { follow, followEach, init } = makeEntry(engine, makeFollowApi, onDisk(find, 'leave this package out of the bundle'));
export { EpcisError } from '../engine/error.ts';
