// `epcis-edge/proof` in Node.
import * as engine from '../../dist/proof/epcis_edge.js';
import { onDisk } from '../engine/disk.ts';
import { makeEntry } from '../engine/load.ts';
import { makeProofApi } from './api.ts';

const find = () => new URL('../../dist/proof/epcis_edge_bg.wasm', import.meta.url);

export const { verifyProof, verifyProofs, disclosable, disclose, verifyDisclosure, init } = makeEntry(
  engine,
  makeProofApi,
  onDisk(find, 'leave this package out of the bundle'),
);
export { EpcisError } from '../engine/error.ts';
