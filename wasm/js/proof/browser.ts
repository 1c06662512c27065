// `epcis-edge/proof` in browsers and bundlers: call `await init()` once first.
import * as engine from '../../dist/proof/epcis_edge.js';
import { makeEntry } from '../engine/load.ts';
import { makeProofApi } from './api.ts';

const later = () => new URL('../../dist/proof/epcis_edge_bg.wasm', import.meta.url);

export const { verifyProof, verifyProofs, disclosable, disclose, verifyDisclosure, init } = makeEntry(engine, makeProofApi, { later });
export { EpcisError } from '../engine/error.ts';
