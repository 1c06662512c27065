// `epcis-edge/proof` in workerd: the module is instantiated at the first call.
import wasm from '../../dist/proof/epcis_edge_bg.wasm';
import * as engine from '../../dist/proof/epcis_edge.js';
import { makeEntry } from '../engine/load.ts';
import { makeProofApi } from './api.ts';

export const { verifyProof, verifyProofs, disclosable, disclose, verifyDisclosure, init } = makeEntry(engine, makeProofApi, { atOnce: () => wasm });
export { EpcisError } from '../engine/error.ts';
