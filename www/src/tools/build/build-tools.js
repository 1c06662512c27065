// What the Build tool asks of the engine's thread.
import { attempt } from '../../../../wasm/document/attempt.ts';
import { convert, spell } from '../convert/convert.js';

/** The GLN in a typed identifier, as 13 digits with a right check digit; undefined if there is none. Thirteen bare digits are a GLN here. */
function glnOf(text, identifiers) {
  const digits = text.replace(/[\s-]/g, '');
  const id = /^\d{13}$/.test(digits) ? `https://id.gs1.org/414/${digits}` : spell([text], identifiers)[0];
  const [, gln] = /^https:\/\/id\.gs1\.org\/41[47]\/(\d{13})/.exec(identifiers.toDigitalLink(id) ?? '') ?? [];
  return gln?.endsWith(identifiers.checkDigit(gln.slice(0, -1))) ? gln : undefined;
}

/** What is wrong with each text that is to name a GLN, in words; undefined if it may be one. A URI may. */
export const glnFaults = ({ list }, identifiers) =>
  list.map((text) => {
    if (/^[a-z][a-z\d+.-]*:./i.test(text)) return undefined;
    if (!/^\d+$/.test(text)) return `${text.slice(0, 40)} is no GLN: write its 13 digits, its URN or its Digital Link`;
    if (text.length !== 13) return `${text.slice(0, 40)} is no GLN: it has ${text.length} digits, not 13`;
    const digit = identifiers.checkDigit(text.slice(0, -1));
    return text.endsWith(digit) ? undefined : `Wrong check digit in ${text}: ${text.at(-1)}, should be ${digit}`;
  });

/** Reads typed identifiers: for each `{id, gln}`, its form in documents, and the GLN in it if there is one. */
export const read = ({ list }, identifiers) => spell(list, identifiers).map((id, at) => ({ id, gln: glnOf(list[at], identifiers) }));

/**
 * Reads typed identifiers one by one: for each `{id, urn}`, its form in documents and one of its URNs, or `{problem}`. A URI that is no
 * GS1 identifier has only its `id`.
 */
export const judged = ({ list }, identifiers) =>
  list.map((typed) => {
    const { problem, own, urns } = convert(typed, identifiers);
    if (problem === undefined) return { id: own, urn: urns.find(({ urn }) => urn !== undefined)?.urn };
    return /^(?:urn:(?!epc:)|geo:|https?:\/\/(?!id\.gs1\.org))/i.test(typed) ? { id: typed } : { problem };
  });

/**
 * Judges a built document: `{text, errors, problem, findings, counts}`. With `isNamed`, each event of `text` without an eventID gets its hash
 * as one. `problem` says why a valid document cannot be hashed. `checksOf(text)` asks the checks.
 */
export async function judge({ document: built, isNamed }, { validate, hash }, checksOf) {
  const { errors } = validate(JSON.stringify(built));
  const { value: hashes, problem } = errors.length === 0 ? attempt(() => hash(JSON.stringify(built))) : {};
  if (hashes !== undefined && isNamed) {
    const { eventList } = built.epcisBody;
    built.epcisBody.eventList = eventList.map(({ type, ...event }, index) => ({ type, eventID: hashes[index], ...event }));
  }
  const text = `${JSON.stringify(built, null, 2)}\n`;
  const checked = hashes === undefined ? undefined : await checksOf(text);
  return { text, errors, problem, findings: checked?.findings, counts: checked?.counts };
}
