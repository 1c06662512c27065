// `epcis-edge/check`: the checks beyond any schema.
import type { EitherInput, EngineSource, Place } from './index.js';

export { EpcisError } from './index.js';

/** A pack of checks that comes with the package. */
export type PackName = 'identifiers' | 'consistency' | 'cbv';

/** `error`: the data cannot be right; `warning`: it can hardly be right; `hint`: it is worth a look. */
export type Severity = 'error' | 'warning' | 'hint';

/** What {@link check} may be told. */
export interface CheckOptions {
  /** Which packs are asked. The default is all of them; with `pack`, none. */
  readonly packs?: readonly PackName[] | undefined;
  /** A pack of your own, as JSON text, bytes or an object: `schemas/check-pack.schema.json` describes it. */
  readonly pack?: string | Uint8Array | ArrayBuffer | object | undefined;
  /** What counts as the present, as a `Date` or in milliseconds since 1970. The default is the clock. */
  readonly now?: Date | number | undefined;
}

/** A rule that found something. */
export interface FoundRule {
  /** The name of its pack, `/`, and its own. */
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly source: { readonly document: string; readonly clause?: string };
  /** How many findings it has, listed or not. */
  readonly count: number;
}

/** One thing that a rule found, with its place in what was passed: of XML in the XML. */
export interface CheckFinding extends Place {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** The value at fault, cut to 100 characters; absent where it is an object or a list. */
  readonly found?: string;
  /** Of XML, the JSON Pointer into its translation. */
  readonly pointer?: string;
  /** Another place that has to do with it, such as the event that had the same eventID before. */
  readonly related?: Place;
}

/** The answer of {@link check}. */
export interface CheckReport {
  /** The packs that were asked. */
  readonly packs: readonly string[];
  /** How many events were looked at. */
  readonly events: number;
  /** How many findings there are, listed or not. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** The rules that found something. */
  readonly rules: readonly FoundRule[];
  /** In document order, at most 1,000. */
  readonly findings: readonly CheckFinding[];
}

/**
 * Asks rules that no schema knows of every event of a document, JSON or XML: keys that cannot be, events that contradict
 * themselves or each other, words of the CBV that are out of date or unknown.
 *
 * The document need not be valid. What is found is an answer, not an exception.
 *
 * @throws {EpcisError} for what is neither JSON nor EPCIS XML, holds no events, and for a pack that is none, with the place in it.
 *
 * @example
 * ```js
 * import { check } from 'epcis-edge/check';
 *
 * const event = { type: 'ObjectEvent', action: 'OBSERVE', epcList: ['https://id.gs1.org/01/04012345111119/21/9876'] };
 * const { counts, findings } = check(event);
 * assert.deepEqual(counts, { error: 1, warning: 0, hint: 0 });
 * assert.equal(findings[0].rule, 'identifiers/check-digit');
 * assert.equal(findings[0].path, '/epcList/0');
 *
 * const pack = {
 *   version: 1,
 *   name: 'mine',
 *   rules: [
 *     {
 *       id: 'no-place',
 *       severity: 'warning',
 *       message: 'an event without a place',
 *       source: { document: 'our own rules' },
 *       when: { value: 'readPoint', exists: false },
 *     },
 *   ],
 * };
 * assert.equal(check(event, { pack }).findings[0].rule, 'mine/no-place');
 * ```
 */
export function check(document: EitherInput, options?: CheckOptions): CheckReport;

/** Loads the engine of this entry, as `init` of `epcis-edge` does for that one: in browsers before the first call. */
export function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
