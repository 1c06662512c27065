// `epcis-edge/proof`: verifies that an event was logged, and makes and verifies disclosures of parts of it.

import type { DisclosableField, DisclosureVerdict, ProofsVerdict, ProofVerdict } from '../engine/answers.ts';
import type { EngineSource } from '../engine/index.ts';

export type { DisclosableField, DisclosureStep, DisclosureVerdict, ProofStep, ProofsVerdict, ProofVerdict, ProvedEvent } from '../engine/answers.ts';
export { EpcisError } from '../engine/index.ts';

/**
 * Verifies that an event was logged. Needs only a policy that says which log and which witnesses are trusted.
 *
 * Pass the exact bytes of the event as the gateway sent them, not a parsed object. A document must hold only this event: another event
 * beside it would seem to be proved too.
 *
 * @param event the event, or a document with only this event
 * @param proof the text of a `.tlog-proof`, as `GET /log/proof` answers it, or the bytes of a COSE receipt (`format=cose`)
 * @param policy lines `log`, `witness`, `group`, `quorum` (C2SP tlog-policy)
 * @param options `now`: the time of verification; the default is the clock. A cosignature dated after it is reported
 * @throws {EpcisError} if the policy is not a policy, or the event is not JSON with events. Faults of the proof are reported in the steps.
 *
 * @example
 * ```js
 * import { verifyProof } from 'epcis-edge/proof';
 *
 * const { valid, steps } = verifyProof('{"type": "ObjectEvent"}', 'no proof', 'quorum none\n');
 * assert.equal(valid, false);
 * assert.equal(steps[0].step, 'proof');
 * ```
 */
export declare function verifyProof(
  event: Uint8Array | ArrayBuffer | string,
  proof: string | Uint8Array | ArrayBuffer,
  policy: string,
  options?: { readonly now?: Date | number },
): ProofVerdict;

/**
 * Lists the members of a logged event that can be disclosed, in order.
 *
 * @param event the event, as for {@link verifyProof}
 * @param proof its `.tlog-proof`
 * @throws {EpcisError} if `event` is not an event, and if the proof is not about it.
 *
 * @example
 * ```js
 * import { disclosable } from 'epcis-edge/proof';
 *
 * assert.throws(() => disclosable('{"type": "ObjectEvent"}', 'no proof'), /this is not a proof/);
 * ```
 */
export declare function disclosable(event: Uint8Array | ArrayBuffer | string, proof: string): DisclosableField[];

/**
 * Makes a disclosure: chosen fields of a logged event, with the proof that they are part of it. The other fields stay secret.
 *
 * @param event the event, as for {@link verifyProof}
 * @param proof its `.tlog-proof`
 * @param show names of members, or JSON Pointers (`/epcList/0`); the name of a list shows all its entries
 * @returns the text of the disclosure, JSON of at most 16 MiB
 * @throws {EpcisError} as {@link disclosable}; for a name that the event does not have (the error lists its names), and for a field that
 *   is or contains a hash of the event.
 *
 * @example
 * ```js
 * import { disclose } from 'epcis-edge/proof';
 *
 * assert.throws(() => disclose('{"type": "ObjectEvent"}', 'no proof', ['bizStep']), /this is not a proof/);
 * ```
 */
export declare function disclose(event: Uint8Array | ArrayBuffer | string, proof: string, show: readonly string[]): string;

/**
 * Verifies many proofs under one head: a page of `GET /log/proofs`, which includes the events.
 *
 * @param proofs the exact bytes of the page
 * @param policy lines `log`, `witness`, `group`, `quorum` (C2SP tlog-policy)
 * @param options `now`: the time of verification, as for {@link verifyProof}
 * @throws {EpcisError} if the policy is not a policy, or the page is not JSON. Faults of the proofs are reported in the verdict.
 *
 * @example
 * ```js
 * import { verifyProofs } from 'epcis-edge/proof';
 *
 * const { valid, count } = verifyProofs('{"type": "epcis-edge/proofs/v1"}', 'quorum none\n');
 * assert.deepEqual([valid, count], [false, 0]);
 * ```
 */
export declare function verifyProofs(proofs: Uint8Array | ArrayBuffer | string, policy: string, options?: { readonly now?: Date | number }): ProofsVerdict;

/**
 * Verifies that the fields of a disclosure are part of a logged event.
 *
 * @param disclosure its text, unchanged: after parsing and writing again, numbers may have lost digits
 * @param policy lines `log`, `witness`, `group`, `quorum` (C2SP tlog-policy)
 * @throws {EpcisError} if the policy is not a policy. Faults of the disclosure are reported in the steps.
 *
 * @example
 * ```js
 * import { verifyDisclosure } from 'epcis-edge/proof';
 *
 * const { valid, fields } = verifyDisclosure('{}', 'quorum none\n');
 * assert.deepEqual([valid, fields], [false, []]);
 * ```
 */
export declare function verifyDisclosure(
  disclosure: Uint8Array | ArrayBuffer | string,
  policy: string,
  options?: { readonly now?: Date | number },
): DisclosureVerdict;

/** Loads the engine of this entry point, like `init` of `epcis-edge`. In browsers, call it first. */
export declare function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
