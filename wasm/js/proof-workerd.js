// `epcis-edge/proof` in workerd: the module is instantiated at the first call.
import wasm from '../dist/proof/epcis_edge_bg.wasm';
import * as engine from '../dist/proof/epcis_edge.js';
import { makeEntry } from './load.js';
import { makeProofApi } from './proof.js';

export const { verifyProof, disclosable, disclose, verifyDisclosure, init } = makeEntry(engine, makeProofApi, { atOnce: () => wasm });
export { EpcisError } from './error.js';
