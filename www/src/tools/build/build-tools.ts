// What the Build tool asks of the engine's thread.
import { attempt } from '../../../../wasm/document/attempt.ts';
import type { check } from '../../../../wasm/js/check/index.ts';
import type { PageEngine } from '../../engine/page-engine.ts';
import type { Attempt, ChecksAnswer, Problem } from '../../engine/answers.ts';
import { convert, spell } from '../convert/convert.ts';

type Identifiers = PageEngine['identifiers'];

/** Texts as typed. */
export interface Typed {
  readonly list: readonly string[];
}

/** A document that was built. */
export interface Built {
  readonly epcisBody: { eventList: readonly object[] };
}

/** What is said of a document that was built. */
export interface Judged {
  readonly text: string;
  readonly errors: ReturnType<PageEngine['validate']>['errors'];
  readonly problem: Problem | undefined;
  readonly findings: ReturnType<typeof check>['findings'] | undefined;
  readonly counts: ReturnType<typeof check>['counts'] | undefined;
}

/** The GLN in a typed identifier, as 13 digits with a right check digit; undefined if there is none. Thirteen bare digits are a GLN here. */
function glnOf(text: string, identifiers: Identifiers): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  const id = /^\d{13}$/.test(digits) ? `https://id.gs1.org/414/${digits}` : spell([text], identifiers)[0]!;
  const [, gln] = /^https:\/\/id\.gs1\.org\/41[47]\/(\d{13})/.exec(identifiers.toDigitalLink(id) ?? '') ?? [];
  return gln?.endsWith(identifiers.checkDigit(gln.slice(0, -1))) ? gln : undefined;
}

/** What is wrong with each text that is to name a GLN, in words; undefined if it may be one. A URI may. */
export const glnFaults = ({ list }: Typed, identifiers: Identifiers): (string | undefined)[] =>
  list.map((text) => {
    if (/^[a-z][a-z\d+.-]*:./i.test(text)) return undefined;
    if (!/^\d+$/.test(text)) return `${text.slice(0, 40)} is no GLN: write its 13 digits, its URN or its Digital Link`;
    if (text.length !== 13) return `${text.slice(0, 40)} is no GLN: it has ${text.length} digits, not 13`;
    const digit = identifiers.checkDigit(text.slice(0, -1));
    return text.endsWith(digit) ? undefined : `Wrong check digit in ${text}: ${text.at(-1)}, should be ${digit}`;
  });

/** Reads typed identifiers: for each `{id, gln}`, its form in documents, and the GLN in it if there is one. */
export const read = ({ list }: Typed, identifiers: Identifiers): { readonly id: string; readonly gln: string | undefined }[] =>
  spell(list, identifiers).map((id, at) => ({ id, gln: glnOf(list[at]!, identifiers) }));

/** An identifier in its form in documents and as a URN, or why it is none. */
export type JudgedItem =
  | { readonly id: string; readonly urn?: string | undefined; readonly problem?: undefined }
  | { readonly id?: undefined; readonly urn?: undefined; readonly problem: string };

/**
 * Reads typed identifiers one by one: for each `{id, urn}`, its form in documents and one of its URNs, or `{problem}`. A URI that is no
 * GS1 identifier has only its `id`.
 */
export const judged = ({ list }: Typed, identifiers: Identifiers): JudgedItem[] =>
  list.map((typed) => {
    const { problem, own, urns } = convert(typed, identifiers);
    if (problem === undefined) return { id: own, urn: urns.find(({ urn }) => urn !== undefined)?.urn };
    return /^(?:urn:(?!epc:)|geo:|https?:\/\/(?!id\.gs1\.org))/i.test(typed) ? { id: typed } : { problem };
  });

/**
 * Judges a built document: `{text, errors, problem, findings, counts}`. With `isNamed`, each event of `text` without an eventID gets its hash
 * as one. `problem` says why a valid document cannot be hashed. `checksOf(text)` asks the checks.
 */
export async function judge(
  { document: built, isNamed }: { readonly document: Built; readonly isNamed: boolean },
  { validate, hash }: PageEngine,
  checksOf: (text: string) => Promise<ChecksAnswer | undefined>,
): Promise<Judged> {
  const { errors } = validate(JSON.stringify(built));
  const { value: hashes, problem }: Partial<Attempt<readonly string[]>> = errors.length === 0 ? attempt(() => hash(JSON.stringify(built))) : {};
  if (hashes !== undefined && isNamed) {
    const { eventList } = built.epcisBody;
    built.epcisBody.eventList = (eventList as readonly { readonly type?: unknown }[]).map(({ type, ...event }, index) => ({ type, eventID: hashes[index], ...event }));
  }
  const text = `${JSON.stringify(built, null, 2)}\n`;
  const checked = hashes === undefined ? undefined : await checksOf(text);
  const found = checked?.problem === undefined ? checked : undefined;
  return { text, errors, problem, findings: found?.findings, counts: found?.counts };
}
