// Turns the suggestions in errors into edits of the text. Corrections of one `kind` can be made together.
import { BizStep, BizTransactionType, Disposition, ErrorReason, SourceDestType } from 'epcis-edge/cbv';
import type { Tree } from '@lezer/common';
import { members, nodesOf } from './places-json.ts';
import type { Range } from './text-lines.ts';

/** A change of a text. */
export interface Edit extends Range {
  readonly insert: string;
}

/** A correction. */
export interface Fix {
  /** The number of the error that it corrects. */
  readonly error: number;
  readonly from: string;
  readonly to: string;
  /** Corrections of one kind can be made together. */
  readonly kind: string;
  readonly edits: readonly Edit[];
  /** What it says, and what it says with all of its kind, if that is not from what to what. */
  readonly says?: string;
  readonly saysAll?: string;
  /** Whether it may be wrong. */
  readonly isGuess?: boolean;
}

const LISTS = [BizStep, Disposition, BizTransactionType, SourceDestType, ErrorReason];
/** The beginning of a CBV word written as a URN. */
const URN = /^urn:epcglobal:cbv:[a-z]+:/;

/** A word reduced for comparison: lower case, without separators and doubled letters. */
const plain = (word: string): string => word.toLowerCase().replace(/[-_ ]/g, '').replace(/(.)\1/g, '$1');
const stemOf = (word: string): string => plain(word).replace(/(?:ing|ed|e|s)$/, '');

/** Whether two words differ by one typing slip: an extra, missing or wrong letter, or two letters swapped. */
function isSlip(a: string, b: string): boolean {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from += 1;
  const [x, y] = [a.slice(from), b.slice(from)];
  return x.slice(1) === y.slice(1) || x.slice(1) === y || x === y.slice(1) || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
}

const isNear = (from: string, to: string): boolean => {
  const a = plain(from);
  const b = plain(to);
  return a === b || (stemOf(from).length > 2 && stemOf(from) === stemOf(to)) || (a.length > 4 && b.length > 4 && isSlip(a, b));
};

/** English words that are one slip away from a CBV word, as stems: `landing` is not a misspelt `lading`. */
const OTHERS = new Set(
  [
    'accenting arising connecting correcting cosigning deplete deporting dispersing instilling kidding kissing landing leading loafing loaning lording',
    'pacing parking pickling pricking recapped replanning replating replaying rescaled retuned sapling scoring shaping shilling shining shocking shopping',
    'skipping slipping smocking sniping snipping snoring socking stacking staring starring steering sticking stirring stoning stopping storming string',
    'swiping swollen unpicking uploading',
  ]
    .join(' ')
    .split(' ')
    .map(stemOf),
);

/** The endings of nouns for a person or thing: `destroyer` is not a misspelt `destroyed`. */
const DOER = /(?:er|ee)s?$/i;

/**
 * Whether a word is more likely another word than a slip. People seldom get the first letter wrong: `filling` is not a misspelt
 * `killing`, nor `recommissioning` a misspelt `decommissioning`.
 */
function isOther(from: string, to: string): boolean {
  const a = plain(from);
  const b = plain(to);
  const isSameStart = a[0] === b[0] || (a[0] === b[1] && a[1] === b[0]);
  return !isSameStart || OTHERS.has(stemOf(from)) || (DOER.test(from) && !DOER.test(to));
}

/**
 * Whether `from` is surely `to` misspelt: near to it, near to no other word of its list, and not a word of its own. If it is not sure,
 * the error still names the suggestion, but the page offers no correction.
 */
export function isSure(from: string, to: string): boolean {
  if (plain(from) === plain(to)) return true;
  const others = LISTS.filter((list) => Object.hasOwn(list, to)).flatMap((list) => Object.keys(list));
  return isNear(from, to) && !isOther(from, to) && !others.some((other) => other !== to && isNear(from, other));
}

/** What the engine says of a character such as U+2010. */
const ALIKE = /; U\+[0-9A-F]{4,5} (?:looks like|cannot be seen)/;

/** A name as it is in the document: messages have `U+2010` in place of a character that only looks like one of ASCII. */
const withCharacters = (shown: string): string =>
  shown.replaceAll(/U\+(1D7[0-9A-F]{2}|[0-9A-F]{4})/g, (_, number: string) => String.fromCodePoint(Number.parseInt(number, 16)));

/** A suggestion: for a value, or for member names. */
export type Suggestion =
  | { readonly isName?: undefined; readonly from: string; readonly to: string; readonly isSure: boolean }
  | { readonly isName: true; readonly names: readonly { readonly from: string; readonly to: string }[] };

/** An error, as far as corrections need it. */
interface Fault {
  readonly path?: string;
  readonly keyword: string;
  readonly message: string;
}

/** The suggestion in an error message of the engine, if there is one. A test compares the patterns with the engine's messages. */
export function suggestionOf({ keyword, message }: Fault): Suggestion | undefined {
  if (keyword === 'propertyNames' || keyword === 'additionalProperties') {
    const found = [...message.matchAll(/`([^`]+)` \(did you mean `([^`]+)`\?\)/g)].map(([, from = '', to = '']) => ({ from: withCharacters(from), to }));
    return found.length === 0 ? undefined : { isName: true, names: found };
  }
  const [, from] = /found `([^`]+)`/.exec(message) ?? [];
  const [, to] = /did you mean `([^`]+)`/.exec(message) ?? [];
  // What only looks right can mean nothing else.
  if (from !== undefined && to !== undefined && ALIKE.test(message)) return { from, to, isSure: true };
  // The message for another spelling of the same word, such as its URN.
  const [, bare] = /JSON writes the bare word `([^`]+)`/.exec(message) ?? [];
  const meant = to ?? bare;
  return from === undefined || meant === undefined || from === meant
    ? undefined
    : { from, to: meant, isSure: to === undefined || isSure(from.replace(URN, ''), to) };
}

/** The corrections for errors in JSON. */
export function jsonFixes(text: string, tree: Tree, errors: readonly Fault[]): Fix[] {
  const nodes = nodesOf(
    text,
    tree,
    errors.flatMap(({ path }) => path ?? []),
  );
  const fixes: Fix[] = [];
  errors.forEach((error, index) => {
    const suggestion = suggestionOf(error);
    const node = error.path === undefined ? undefined : nodes.get(error.path)?.node;
    if (suggestion === undefined || node === undefined) return;
    if (suggestion.isName) {
      const taken = new Set([...members(text, node)].map(({ name }) => name));
      for (const { from, to } of suggestion.names) {
        const member = [...members(text, node)].find(({ name }) => name === from);
        if (member === undefined || taken.has(to) || !isSure(from, to)) continue;
        fixes.push({ error: index, from, to, kind: `name ${from} ${to}`, edits: [{ from: member.key.from, to: member.key.to, insert: JSON.stringify(to) }] });
      }
    } else if (node.name === 'String' && suggestion.isSure)
      fixes.push({
        error: index,
        from: suggestion.from,
        to: suggestion.to,
        kind: `value ${suggestion.from} ${suggestion.to}`,
        edits: [{ from: node.from, to: node.to, insert: JSON.stringify(suggestion.to) }],
      });
  });
  return fixes;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The corrections for errors in XML. `places` are the underlined ranges of the errors; a range is edited if it has the found value. */
export function xmlFixes(text: string, places: readonly (Range | undefined)[], errors: readonly Fault[]): Fix[] {
  const fixes: Fix[] = [];
  errors.forEach((error, index) => {
    const suggestion = suggestionOf(error);
    const place = places[index];
    if (suggestion === undefined || suggestion.isName || !suggestion.isSure || place === undefined) return;
    const { from } = suggestion;
    const written = withCharacters(from);
    // XML writes CBV words as URNs: only the last part is replaced.
    const [urn = ''] = URN.exec(written) ?? [];
    const to = urn + suggestion.to;
    if (to === written) return;
    const own = text.slice(place.from, place.to);
    const at = own.indexOf(written);
    if (at === -1) return;
    fixes.push({
      error: index,
      from,
      to,
      kind: `value ${from} ${to}`,
      edits: [{ from: place.from + at, to: place.from + at + written.length, insert: escaped(to) }],
    });
  });
  return fixes;
}
