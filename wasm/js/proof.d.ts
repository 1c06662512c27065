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
  /** The event that was proved; absent where the file does not have it. */
  readonly event?: ProvedEvent;
  /** The leaf of the event, counted from 0. */
  readonly index: number | null;
  /** How many leaves the checkpoint is over. */
  readonly size: number | null;
  /**
   * The moment before which the event was recorded: the first second at which enough witnesses had cosigned, rounded up; without a
   * quorum in the policy the word of one witness. `null` where none has cosigned, what they say cannot be right, or a step does not hold.
   */
  readonly loggedBefore: string | null;
  /** The witnesses whose word that is. */
  readonly loggedBeforeBy: readonly string[];
  /** The trusted witnesses that have cosigned, when they say that they did, and why that cannot be right where it cannot. */
  readonly cosignatures: readonly { readonly name: string; readonly time: string; readonly doubt?: string }[];
}

/** An event that was proved, in a few words. */
export interface ProvedEvent {
  /** Where it stands in the file: a JSON Pointer, empty where it is the file. */
  readonly path: string;
  readonly type: string;
  readonly eventID: string;
  /** The first object that it names. */
  readonly epc?: string;
  /** What it declares, where it declares another event to be wrong. */
  readonly errorDeclaration?: { readonly reason?: string; readonly declarationTime?: string };
}

/**
 * Verifies that an event was logged, with nothing but a policy that says which log and which witnesses are trusted.
 *
 * The bytes of the event count, as the gateway handed them out, alone or alone in a document: an object that was parsed will not do,
 * and an event beside it would pass for proved.
 *
 * @param event the event, or a document with it alone
 * @param proof a `.tlog-proof`, as `GET /log/proof` answers it
 * @param policy lines `log`, `witness`, `group`, `quorum` (C2SP tlog-policy)
 * @param options `now`: the time to verify at, where it is not that of the clock; a witness who dates ahead of it is told
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
export function verifyProof(event: Uint8Array | ArrayBuffer | string, proof: string, policy: string, options?: { readonly now?: Date | number }): ProofVerdict;

/** Loads the engine of this entry, as `init` of `epcis-edge` does for that one: in browsers before the first call. */
export function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
