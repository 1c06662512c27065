// `epcis-edge/proof`: whether an event was logged.

import type { EngineSource } from './index.js';

export { EpcisError } from './index.js';

/** One step of a verification. */
export interface ProofStep {
  /** `proof` (it reads), `event` (it is the one that was logged), `leaf`, `log` (its signature), `witnesses` (their quorum), `inclusion`. */
  readonly step: 'proof' | 'event' | 'leaf' | 'log' | 'witnesses' | 'inclusion';
  readonly holds: boolean;
  /** What was seen, or what was found and expected. */
  readonly detail: string;
}

/** The answer of {@link verifyProof}. */
export interface ProofVerdict {
  /** Whether every step holds. */
  readonly valid: boolean;
  readonly steps: readonly ProofStep[];
  /** The log; `null`, as what follows, where the proof does not read. */
  readonly origin: string | null;
  /** The leaf of the event, counted from 0. */
  readonly index: number | null;
  /** How many leaves the checkpoint is over. */
  readonly size: number | null;
  /** The moment before which the event was recorded; `null` where no trusted witness has cosigned, or a step does not hold. */
  readonly loggedBefore: string | null;
  /** The trusted witnesses that have cosigned, and when they say that they did. */
  readonly cosignatures: readonly { readonly name: string; readonly time: string }[];
}

/**
 * Verifies that an event was logged, with nothing but a policy that says which log and which witnesses are trusted.
 *
 * The bytes of the event count, as the gateway handed them out, alone or in a document: an object that was parsed will not do.
 *
 * @param event the event, or a document that it is in
 * @param proof a `.tlog-proof`, as `GET /log/proof` answers it
 * @param policy lines `log`, `witness`, `group`, `quorum` (C2SP tlog-policy)
 * @throws {EpcisError} for a policy that is none, and an event that is no JSON document with events; what is wrong with the proof is
 *   told in the steps.
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
export function verifyProof(event: Uint8Array | ArrayBuffer | string, proof: string, policy: string): ProofVerdict;

/** Loads the engine of this entry, as `init` of `epcis-edge` does for that one: in browsers before the first call. */
export function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
