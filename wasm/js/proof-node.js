// `epcis-edge/proof` in Node.
import * as engine from '../dist/proof/epcis_edge.js';
import { onDisk } from './disk.js';
import { makeEntry } from './load.js';
import { makeProofApi } from './proof.js';

const find = () => new URL('../dist/proof/epcis_edge_bg.wasm', import.meta.url);

export const { verifyProof, disclosable, disclose, verifyDisclosure, init } = makeEntry(
  engine,
  makeProofApi,
  onDisk(find, 'leave this package out of the bundle'),
);
export { EpcisError } from './error.js';
