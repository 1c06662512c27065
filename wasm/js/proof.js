// `epcis-edge/proof` over a loaded engine: a file of its own, so that who verifies no proof does not load what does.
import { eventBytes, optionsOf, text } from './check.js';
import { refusing } from './error.js';

/** @param load gives the engine, loading it when it was not yet */
export function makeProofApi(load) {
  return {
    verifyProof(event, proof, policy, options) {
      const [bytes, proved, trusted] = [eventBytes(event), text('the proof', proof), text('the policy', policy)];
      const { now = Date.now() } = optionsOf('verifyProof', options, 'fourth');
      return refusing(() => load().verifyProof(bytes, proved, trusted, Number(now)));
    },
  };
}
