// The functions of `epcis-edge/proof`. Their engine is a wasm file of its own, so that users without proofs do not load it.
import type { ProofEngine } from '../engine/engines.ts';
import { bytesOrText, eventBytes, NOW, optionsOf, text, texts } from '../engine/arguments.ts';
import { refusing } from '../engine/error.ts';
import type * as Surface from './index.ts';

/** Options of each verification. */
interface VerifyOptions {
  readonly now?: Date | number;
}

/** @param load returns the engine, and loads it first if necessary */
export function makeProofApi(load: () => ProofEngine): Pick<typeof Surface, 'verifyProof' | 'disclosable' | 'disclose' | 'verifyProofs' | 'verifyDisclosure'> {
  return {
    verifyProof(event, proof, policy, options) {
      const [bytes, trusted] = [eventBytes(event), text('the policy', policy)];
      const { now = Date.now() } = optionsOf<VerifyOptions>('verifyProof', { now: NOW }, options, 'fourth');
      // A receipt is bytes, a tlog-proof is text.
      if (typeof proof === 'object' && proof !== null) {
        const receipt = bytesOrText('the proof', proof);
        return refusing(() => load().verifyReceipt(bytes, receipt, trusted));
      }
      const proved = text('the proof', proof);
      return refusing(() => load().verifyProof(bytes, proved, trusted, Number(now)));
    },
    disclosable(event, proof) {
      const [bytes, proved] = [eventBytes(event), text('the proof', proof)];
      return refusing(() => load().disclosable(bytes, proved));
    },
    disclose(event, proof, show) {
      const [bytes, proved, shown] = [eventBytes(event), text('the proof', proof), texts('the list of fields to show', show)];
      return refusing(() => load().disclose(bytes, proved, shown.join('\0')));
    },
    verifyProofs(proofs, policy, options) {
      const [bytes, trusted] = [bytesOrText('the proofs', proofs), text('the policy', policy)];
      const { now = Date.now() } = optionsOf<VerifyOptions>('verifyProofs', { now: NOW }, options, 'third');
      return refusing(() => load().verifyProofs(bytes, trusted, Number(now)));
    },
    verifyDisclosure(disclosure, policy, options) {
      const [bytes, trusted] = [bytesOrText('the disclosure', disclosure), text('the policy', policy)];
      const { now = Date.now() } = optionsOf<VerifyOptions>('verifyDisclosure', { now: NOW }, options, 'third');
      const { proof, ...shown } = refusing(() => load().verifyDisclosure(bytes, trusted, Number(now)));
      return { ...proof, ...shown };
    },
  };
}
