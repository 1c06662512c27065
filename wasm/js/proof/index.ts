// `epcis-edge/proof`: verifies that an event was logged, and makes and verifies disclosures of parts of it.

import type { EngineSource } from '../engine/index.ts';

export { EpcisError } from '../engine/index.ts';

/** One step of a verification. */
export interface ProofStep {
  /**
   * What is verified: `proof` (it can be read), `event` (it is the logged one), `leaf`, `log` (its signature), `witnesses` (their quorum),
   * `inclusion`.
   */
  readonly step: 'proof' | 'event' | 'leaf' | 'log' | 'witnesses' | 'inclusion';
  readonly holds: boolean;
  /** The details of the step, or what was found and expected. */
  readonly detail: string;
}

/** The result of {@link verifyProof}. */
export interface ProofVerdict {
  /** Whether every step holds. */
  readonly valid: boolean;
  readonly steps: readonly ProofStep[];
  /** The name of the log. This and the members below are `null` if the proof cannot be read. */
  readonly origin: string | null;
  /** The proved event; absent if it is not in the file. */
  readonly event?: ProvedEvent;
  /** The index of the event's leaf, counted from 0. */
  readonly index: number | null;
  /** The number of leaves under the checkpoint. */
  readonly size: number | null;
  /**
   * A time before which the event was recorded: the first second at which enough witnesses had cosigned, rounded up. Without a quorum in
   * the policy, one witness is enough. `null` if none has cosigned, if their times cannot be right, or if a step does not hold.
   */
  readonly loggedBefore: string | null;
  /** The witnesses that `loggedBefore` relies on. */
  readonly loggedBeforeBy: readonly string[];
  /** The cosignatures of trusted witnesses, with the time that each claims, and in `doubt` why that cannot be right. */
  readonly cosignatures: readonly { readonly name: string; readonly time: string; readonly doubt?: string }[];
}

/** A summary of the proved event. */
export interface ProvedEvent {
  /** The JSON Pointer to the event in the file; empty if the file is the event. */
  readonly path: string;
  readonly type: string;
  readonly eventID: string;
  /** The first object in the event. */
  readonly epc?: string;
  /** The error declaration, if the event declares another one wrong. */
  readonly errorDeclaration?: { readonly reason?: string; readonly declarationTime?: string };
}

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

/** A member of an event, as {@link disclosable} lists it. */
export interface DisclosableField {
  readonly name: string;
  /** The JSON Pointer to the member. */
  readonly pointer: string;
  /** The number of its fields: for a list, its entries. */
  readonly count: number;
  /** Whether it can be shown. A hash of the event cannot: guesses at the withheld fields could be tested with it. */
  readonly canBeShown: boolean;
}

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

/** One step of the verification of a disclosure. */
export interface DisclosureStep {
  /** What is verified: `disclosure` (it can be read), `fields` (they are those of the event), `leaf`, `log`, `witnesses`, `inclusion`. */
  readonly step: 'disclosure' | 'fields' | 'leaf' | 'log' | 'witnesses' | 'inclusion';
  readonly holds: boolean;
  /** The details of the step, or what was found and expected. */
  readonly detail: string;
}

/** The result of {@link verifyProofs}. */
export interface ProofsVerdict {
  /** Whether the head holds, and every proof under it. */
  readonly valid: boolean;
  /** The steps about the head: `proofs` (the file can be read), `log` and `witnesses`. */
  readonly steps: readonly { readonly step: 'proofs' | 'log' | 'witnesses'; readonly holds: boolean; readonly detail: string }[];
  readonly count: number;
  /** The number of proofs that hold. */
  readonly proved: number;
  /** The first 100 proofs that do not hold. `path` is a JSON Pointer into the file. */
  readonly failed: readonly { readonly path: string; readonly eventID?: string; readonly step: 'proof' | 'event' | 'inclusion'; readonly detail: string }[];
  /** The number of events in the file without a proof: not logged yet, or muted. */
  readonly unproved: number;
  readonly origin: string | null;
  readonly size: number | null;
  readonly loggedBefore: string | null;
  readonly loggedBeforeBy: readonly string[];
  readonly cosignatures: readonly { readonly name: string; readonly time: string; readonly doubt?: string }[];
}

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

/** The result of {@link verifyDisclosure}. */
export interface DisclosureVerdict {
  /** Whether every step holds. */
  readonly valid: boolean;
  readonly steps: readonly DisclosureStep[];
  /** The shown fields, in the order of the event. `value` is JSON text, with the digits of numbers. Empty if a step does not hold. */
  readonly fields: readonly { readonly pointer: string; readonly value: string }[];
  /** The number of other fields of the event. This and the next three members are `null` if a step does not hold. */
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
