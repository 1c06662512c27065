// `epcis-edge/proof`: whether an event was logged, and disclosures of parts of it.

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
 * @param proof the text of a `.tlog-proof`, as `GET /log/proof` answers it, or the bytes of a COSE receipt (`format=cose`)
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
export function verifyProof(
  event: Uint8Array | ArrayBuffer | string,
  proof: string | Uint8Array | ArrayBuffer,
  policy: string,
  options?: { readonly now?: Date | number },
): ProofVerdict;

/** A member of an event, as {@link disclosable} lists it. */
export interface DisclosableField {
  readonly name: string;
  /** Its JSON Pointer. */
  readonly pointer: string;
  /** How many fields it is: of a list its entries. */
  readonly count: number;
  /** Whether it can be shown: a hash of the event cannot, since guesses at what is withheld could be tested with it. */
  readonly canBeShown: boolean;
}

/**
 * What can be shown of an event, in its order.
 *
 * @param event as {@link verifyProof} takes it
 * @param proof its `.tlog-proof`
 * @throws {EpcisError} for what is no event, for a proof that is not about it, and for one of an event that was logged with version 1
 *   of the statement: it can only be shown as a whole.
 *
 * @example
 * ```js
 * import { disclosable } from 'epcis-edge/proof';
 *
 * assert.throws(() => disclosable('{"type": "ObjectEvent"}', 'no proof'), /this is not a proof/);
 * ```
 */
export function disclosable(event: Uint8Array | ArrayBuffer | string, proof: string): DisclosableField[];

/**
 * Makes a disclosure: chosen fields of a logged event, with what proves that they are part of it. The others stay secret.
 *
 * @param event as {@link verifyProof} takes it
 * @param proof its `.tlog-proof`
 * @param show names of members, or JSON Pointers (`/epcList/0`); the name of a list is all of its entries
 * @returns the text of the disclosure, JSON of at most 16 MiB
 * @throws {EpcisError} as {@link disclosable}; for a name that the event does not have (it lists those that it has), and for a field
 *   that is or holds a hash of the event.
 *
 * @example
 * ```js
 * import { disclose } from 'epcis-edge/proof';
 *
 * assert.throws(() => disclose('{"type": "ObjectEvent"}', 'no proof', ['bizStep']), /this is not a proof/);
 * ```
 */
export function disclose(event: Uint8Array | ArrayBuffer | string, proof: string, show: readonly string[]): string;

/** One step of the verification of a disclosure. */
export interface DisclosureStep {
  /** `disclosure` (it reads), `fields` (they are those of the event), `leaf`, `log`, `witnesses`, `inclusion`. */
  readonly step: 'disclosure' | 'fields' | 'leaf' | 'log' | 'witnesses' | 'inclusion';
  readonly holds: boolean;
  /** What was seen, or what was found and expected. */
  readonly detail: string;
}

/** The answer of {@link verifyProofs}. */
export interface ProofsVerdict {
  /** Whether the head holds, and every proof under it. */
  readonly valid: boolean;
  /** What holds of the head: `proofs` (the file reads), `log` and `witnesses`. */
  readonly steps: readonly { readonly step: 'proofs' | 'log' | 'witnesses'; readonly holds: boolean; readonly detail: string }[];
  readonly count: number;
  /** How many proofs hold. */
  readonly proved: number;
  /** Those that do not, the first 100: `path` is a JSON Pointer into the file. */
  readonly failed: readonly { readonly path: string; readonly eventID?: string; readonly step: 'proof' | 'event' | 'inclusion'; readonly detail: string }[];
  /** How many events of the file have no proof: not logged yet, or made mute. */
  readonly unproved: number;
  readonly origin: string | null;
  readonly size: number | null;
  readonly loggedBefore: string | null;
  readonly loggedBeforeBy: readonly string[];
  readonly cosignatures: readonly { readonly name: string; readonly time: string; readonly doubt?: string }[];
}

/**
 * Verifies many proofs under one head: a page of `GET /log/proofs`, which has the events, too.
 *
 * @param proofs the page, byte for byte as it was answered
 * @param policy lines `log`, `witness`, `group`, `quorum` (C2SP tlog-policy)
 * @param options `now`: the time to verify at, as {@link verifyProof} takes it
 * @throws {EpcisError} for a policy that is none, and what is no JSON; what is wrong with the proofs is told in the verdict.
 *
 * @example
 * ```js
 * import { verifyProofs } from 'epcis-edge/proof';
 *
 * const { valid, count } = verifyProofs('{"type": "epcis-edge/proofs/v1"}', 'quorum none\n');
 * assert.deepEqual([valid, count], [false, 0]);
 * ```
 */
export function verifyProofs(proofs: Uint8Array | ArrayBuffer | string, policy: string, options?: { readonly now?: Date | number }): ProofsVerdict;

/** The answer of {@link verifyDisclosure}. */
export interface DisclosureVerdict {
  /** Whether every step holds. */
  readonly valid: boolean;
  readonly steps: readonly DisclosureStep[];
  /** What is shown, in the order of the event: `value` is JSON text, numbers with their digits. Empty where a step does not hold. */
  readonly fields: readonly { readonly pointer: string; readonly value: string }[];
  /** How many other fields the event has; `null`, as the next three, where a step does not hold. */
  readonly withheld: number | null;
  readonly recordTime: string | null;
  readonly who: string | null;
  readonly capturedBy: string | null;
  readonly origin: string | null;
  readonly index: number | null;
  readonly size: number | null;
  readonly loggedBefore: string | null;
  readonly loggedBeforeBy: readonly string[];
  readonly cosignatures: readonly { readonly name: string; readonly time: string; readonly doubt?: string }[];
}

/**
 * Verifies that what a disclosure shows is part of an event that was logged.
 *
 * @param disclosure its text, as it came: parsed and written anew, numbers may have lost their digits
 * @param policy lines `log`, `witness`, `group`, `quorum` (C2SP tlog-policy)
 * @throws {EpcisError} for a policy that is none; what is wrong with the disclosure is told in the steps.
 *
 * @example
 * ```js
 * import { verifyDisclosure } from 'epcis-edge/proof';
 *
 * const { valid, fields } = verifyDisclosure('{}', 'quorum none\n');
 * assert.deepEqual([valid, fields], [false, []]);
 * ```
 */
export function verifyDisclosure(disclosure: Uint8Array | ArrayBuffer | string, policy: string, options?: { readonly now?: Date | number }): DisclosureVerdict;

/** Loads the engine of this entry, as `init` of `epcis-edge` does for that one: in browsers before the first call. */
export function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
