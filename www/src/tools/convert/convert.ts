// Converts GS1 identifiers between EPC URN, Digital Link, element string and bare digits, in the engine's thread.

import type { EpcisError, GS1Key } from '../../../../wasm/js/engine/index.ts';
import type { PageEngine } from '../../engine/page-engine.ts';

type Identifiers = PageEngine['identifiers'];
type Pair = readonly [ai: string, value: string];

/** A part of an identifier. `check` says of a value with a check digit what that is and should be. */
export interface Part {
  readonly ai: string;
  readonly name: string;
  readonly value: string;
  readonly check: { readonly found: string; readonly expected: string; readonly number: string } | undefined;
}

/** Another key that the same digits may be. */
export interface OtherKey {
  readonly kind: string;
  readonly text: string;
}

/** A typed identifier as it was read. */
interface Read {
  readonly problem?: undefined;
  readonly digitalLink: string;
  readonly full?: string;
  readonly kind: string;
  readonly others: readonly OtherKey[];
}

/** An identifier in all its forms. */
export interface Converted {
  readonly problem?: undefined;
  readonly kind: string;
  readonly digitalLink: string;
  readonly own: string;
  readonly lost: readonly Part[];
  readonly parts: readonly Part[];
  readonly elementString: string;
  readonly urns: readonly { readonly length: number; readonly urn?: string; readonly why?: string }[];
  readonly length: number | undefined;
  readonly others: readonly OtherKey[];
}

/** Why an identifier is not converted, with what could be read of it. */
export interface NotConverted {
  readonly problem: string;
  readonly own?: undefined;
  readonly urns?: undefined;
  readonly kind?: string;
  readonly parts?: readonly Part[];
  readonly others?: readonly OtherKey[];
  readonly corrected?: string | undefined;
}

/** The engine's table of GS1 keys, by application identifier: `name`, `digits`, `qualifiers` and so on. */
let keys: ReadonlyMap<string, GS1Key> | undefined;
const keysOf = (identifiers: Identifiers): ReadonlyMap<string, GS1Key> => (keys ??= new Map(identifiers.keys().map((key) => [key.ai, key])));

/** The names of application identifiers that the engine has neither as a key nor as a qualifier. */
const NAMES: Readonly<Record<string, string>> = {
  '02': 'contained GTIN',
  11: 'production date',
  12: 'due date',
  13: 'packaging date',
  15: 'best before date',
  16: 'sell by date',
  17: 'expiry date',
  20: 'internal variant',
  30: 'variable count',
  37: 'count of contents',
  240: 'additional identification',
  241: 'customer part number',
  250: 'secondary serial',
  400: 'customer order number',
  410: 'ship to GLN',
  412: 'purchased from GLN',
  420: 'postal code',
  422: 'country of origin',
  710: 'national number, Germany',
  711: 'national number, France',
  712: 'national number, Spain',
  713: 'national number, Brazil',
  714: 'national number, Portugal',
  715: 'national number, United States',
  716: 'national number, Italy',
  7003: 'expiry date and time',
  8019: 'service relation instance',
};
/** By key, a further qualifier that a Digital Link may have but an identifier in an event does not. */
const ASIDE: Readonly<Record<string, string>> = { 417: '7040', 8004: '7040', 8017: '8019', 8018: '8019' };
/** The application identifiers of 2, 3 and 4 digits, by how they begin; and the fixed lengths of some values, in digits. */
const DIGITS = { 2: /^(?:0[0-4]|1[0-35-7]|2[0-2]|30|37|9\d)/, 3: /^(?:2[345]|4[0-2]|71)\d/, 4: /^(?:3[1-69]|43|70|72|8[0-2])\d\d/ };
const FIXED: Readonly<Record<string, number>> = { '00': 18, '01': 14, '02': 14, '03': 14, '04': 16, 20: 2 };
const aiOf = (text: string) =>
  Object.values(DIGITS)
    .map((shape) => shape.exec(text)?.[0])
    .find((ai) => ai !== undefined);
/** The predefined length of the value of an application identifier, in digits; undefined if a separator ends the value. */
const fixedOf = (ai: string) => FIXED[ai] ?? (/^1[1-9]/.test(ai) ? 6 : /^3[1-6]/.test(ai) ? 6 : /^41/.test(ai) ? 13 : undefined);

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Describes one part: `{ai, name, value, check}`. `check` is `{found, expected, number}` if the value has a check digit. */
function partOf(ai: string, value: string, identifiers: Identifiers): Part {
  const known = keysOf(identifiers);
  const key = known.get(ai) ?? (ai === '02' ? known.get('01') : /^41\d$/.test(ai) ? known.get('414') : undefined);
  const length = key === undefined || key.text !== undefined ? 0 : Math.max(...key.digits) + (key.filler ?? '').length;
  const number = value.slice(0, length);
  const check =
    length > 0 && number.length === length && /^\d+$/.test(number)
      ? { found: number.at(-1)!, expected: identifiers.checkDigit(number.slice(0, -1)), number }
      : undefined;
  const own = known.get(ai);
  const qualifier = [...known.values()].flatMap(({ qualifiers = [] }) => qualifiers).find((one) => one.ai === ai);
  const name = own === undefined ? (qualifier?.name ?? NAMES[ai] ?? `AI ${ai}`) : `${own.name}${own.whose === undefined ? '' : ` ${own.whose}`}`;
  return { ai, name, value, check };
}

/** The parts of a Digital Link, from its path and its query: `[{ai, name, value, check}]`, each as {@link partOf} describes it. */
export function partsOf(digitalLink: string, identifiers: Identifiers): Part[] {
  const path = /^https?:\/\/[^/?#]+\/([^?#]*)/.exec(digitalLink)?.[1]?.split('/') ?? [];
  // The path may begin with other segments, such as those of a resolver: `/some/path/01/…`.
  const start = path.findIndex((part, at) => keysOf(identifiers).has(part) && path[at + 1] !== undefined);
  const parts: Part[] = [];
  if (start === -1) return parts;
  for (let at = start; at + 1 < path.length; at += 2) parts.push(partOf(path[at]!, decoded(path[at + 1]!), identifiers));
  const [, query = ''] = /\?([^#]*)/.exec(digitalLink) ?? [];
  for (const [ai, value] of new URLSearchParams(query)) if (aiOf(ai) === ai) parts.push(partOf(ai, value, identifiers));
  return parts;
}

/** The symbology identifiers that scanners put before an element string: GS1-128, DataBar, DataMatrix, QR code, DotCode. */
const SYMBOLOGY = /^\](?:C1|e0|d2|Q3|J1)/;
/** The separator of elements (FNC1, sent as the character GS), and the ways to write it visibly. */
const SEPARATOR = /[\u001d\u241d]|<GS>|\{GS\}/g;

/**
 * Reads an element string, with brackets or as scanners send it: `{pairs}`, or `{problem}` if it has a fault. Undefined if the text is
 * not an element string.
 */
function elementsOf(
  text: string,
): { readonly pairs: readonly Pair[]; readonly problem?: undefined } | { readonly pairs?: undefined; readonly problem: string } | undefined {
  if (/^\][A-Za-z]\d/.test(text) && !SYMBOLOGY.test(text)) return { problem: `A barcode of the kind ${text.slice(0, 3)} holds no element string.` };
  const data = text
    .replace(SYMBOLOGY, '')
    .replace(SEPARATOR, '\u001d')
    .replace(/^\u001d/, '');
  const pairs: Pair[] = [];
  if (data.startsWith('(')) {
    const found = [...data.matchAll(/\((\d{2,4})\)([^()]*)/g)];
    if (found.map(([all]) => all).join('') !== data) return undefined;
    for (const [, ai = '', value = ''] of found) pairs.push([ai, value.replaceAll('\u001d', '').trim()]);
  } else {
    const isScanned = data !== text || data.includes('\u001d');
    if (!isScanned && !/^(?:01\d{14}|00\d{18}).+$/.test(data)) return undefined;
    for (let rest = data; rest !== ''; ) {
      const ai = aiOf(rest);
      if (ai === undefined) return isScanned ? { problem: `${rest.slice(0, 12)} does not begin with an application identifier.` } : undefined;
      const end = rest.indexOf('\u001d');
      const fixed = fixedOf(ai);
      const to = Math.min(fixed === undefined ? rest.length : ai.length + fixed, end === -1 ? rest.length : end);
      pairs.push([ai, rest.slice(ai.length, to)]);
      rest = rest.slice(to).replace(/^\u001d/, '');
    }
  }
  for (const [at, [ai, value]] of pairs.entries()) {
    const digits = fixedOf(ai);
    const isGtin = data.startsWith('(') && ai === '01' && /^(?:\d{8}|\d{12,14})$/.test(value);
    if (aiOf(ai) !== ai) return { problem: `(${ai}) is not an application identifier.` };
    if (pairs.findIndex(([other]) => other === ai) !== at) return { problem: `(${ai}) appears twice.` };
    if (value === '') return { problem: `(${ai}) has no value.` };
    if (digits !== undefined && !isGtin && !(value.length === digits && /^\d+$/.test(value)))
      return { problem: `(${ai}) has ${digits} digits, found ${value}.` };
  }
  return { pairs };
}

/** The Digital Links of pairs: `full` with all of them, `short` with only the key and its qualifiers. Undefined if there is no key. */
function linksOf(pairs: readonly Pair[], identifiers: Identifiers): { readonly short: string; readonly full: string } | undefined {
  const values = new Map(pairs.map(([ai, value]) => [ai, ai === '01' ? value.padStart(14, '0') : value]));
  const key = [...keysOf(identifiers).values()].find(({ ai }) => values.has(ai));
  if (key === undefined) return undefined;
  const behind = [...(key.qualifiers ?? []).map(({ ai }) => ai), ASIDE[key.ai]];
  const path = [key.ai, ...behind.filter((ai) => ai !== undefined && values.has(ai))] as string[];
  const short = `https://id.gs1.org/${path.map((ai) => `${ai}/${encodeURIComponent(values.get(ai)!)}`).join('/')}`;
  const query = [...values].filter(([ai]) => !path.includes(ai)).map(([ai, value]) => `${ai}=${encodeURIComponent(value)}`);
  return { short, full: query.length === 0 ? short : `${short}?${query.join('&')}` };
}

/**
 * Reads a typed identifier: `{digitalLink, full, kind, others}`, or `{problem}` for an element string with a fault. Undefined if the
 * text is not a GS1 identifier. `digitalLink` is the form used in events, `full` also has the other typed elements, and `others` are
 * other keys that the same digits may be.
 */
export function readIdentifier(typed: string, identifiers: Identifiers): Read | { readonly problem: string; readonly digitalLink?: undefined } | undefined {
  const canonicalOf = (id: string) => identifiers.toDigitalLink(id);
  const text = typed.trim();
  const direct = canonicalOf(text);
  if (direct !== undefined) {
    const isUrn = text.startsWith('urn:');
    const pairs = isUrn ? [] : partsOf(text, identifiers).map(({ ai, value }): Pair => [ai, value]);
    return { digitalLink: direct, full: linksOf(pairs, identifiers)?.full ?? direct, kind: isUrn ? 'EPC URN' : 'GS1 Digital Link', others: [] };
  }
  const { pairs, problem } = elementsOf(text) ?? {};
  if (problem !== undefined) return { problem };
  if (pairs !== undefined) {
    const links = linksOf(pairs, identifiers);
    if (links === undefined) return { problem: 'This element string has no GS1 key, such as (01) or (00).' };
    return { digitalLink: canonicalOf(links.short) ?? links.short, full: links.full, kind: 'element string', others: [] };
  }
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{8,18}$/.test(digits)) return undefined;
  const readings = [...keysOf(identifiers).values()]
    .filter((key) => key.digits.includes(digits.length) && key.hasPieces === undefined && key.serial === undefined)
    .map(({ ai, name, whose }) => ({ ai, kind: `${name}${whose === undefined ? '' : ` ${whose}`}` }));
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  return {
    kind: first.kind,
    digitalLink: linksOf([[first.ai, digits]], identifiers)!.short,
    others: others.map(({ ai, kind }) => ({ kind, text: `(${ai})${digits}` })),
  };
}

const prefixOf = (urn: string) => /^urn:epc:(?:id|class|idpat):[a-z]+:(\d+)\./.exec(urn)?.[1]?.length;

/**
 * Converts one identifier: `{kind, digitalLink, own, lost, parts, elementString, urns: [{length, urn}], length, others}`, or
 * `{problem}`. `own` is the form used in events. `lost` are the parts that neither `own` nor a URN can hold. `length` is the length of
 * the company prefix, if known.
 */
export function convert(typed: string, identifiers: Identifiers): Converted | NotConverted {
  const text = typed.trim();
  const canonicalOf = (id: string) => identifiers.toDigitalLink(id);
  const read = readIdentifier(text, identifiers);
  if (read === undefined && /^https?:/.test(text) && partsOf(text, identifiers).length > 0) {
    const parts = partsOf(text, identifiers);
    return { problem: 'This Digital Link is not valid: see its parts.', parts, corrected: correctedOf(parts) };
  }
  if (read === undefined)
    return {
      problem: text.startsWith('urn:')
        ? 'This URN has no Digital Link. GID and tag URNs never have one.'
        : 'Expected an EPC URN, a GS1 Digital Link, an element string such as (01)09521141001233(21)A1, or a GS1 key.',
    };
  if (read.problem !== undefined) return { problem: read.problem };
  const full = read.full ?? read.digitalLink;
  const parts = partsOf(full, identifiers);
  const wrong = parts.find(({ check }) => check !== undefined && check.found !== check.expected);
  if (wrong?.check !== undefined || canonicalOf(read.digitalLink) === undefined)
    return {
      problem:
        wrong?.check === undefined
          ? 'There is no Digital Link with these parts.'
          : `The check digit of the ${wrong.name} ${wrong.value} is ${wrong.check.found}, expected ${wrong.check.expected}.`,
      kind: read.kind,
      parts,
      others: read.others,
      corrected: correctedOf(parts),
    };
  const held = new Set(partsOf(read.digitalLink, identifiers).map(({ ai }) => ai));
  const urns: { readonly length: number; readonly urn?: string; readonly why?: string }[] = [];
  for (let length = 6; length <= 12; length += 1) {
    try {
      urns.push({ length, urn: identifiers.toEpcUrn(read.digitalLink, length) });
    } catch (error) {
      const { problem } = (error ?? {}) as Partial<EpcisError>;
      if (problem === undefined) throw error;
      urns.push({ length, why: problem.detail ?? problem.title });
    }
  }
  return {
    kind: read.kind,
    digitalLink: full,
    own: read.digitalLink,
    lost: parts.filter(({ ai }) => !held.has(ai)),
    parts,
    elementString: parts.map(({ ai, value }) => `(${ai})${value}`).join(''),
    urns,
    length: prefixOf(text),
    others: read.others,
  };
}

/** The element string of the parts with corrected check digits; undefined if all are correct. */
function correctedOf(parts: readonly Part[]): string | undefined {
  if (!parts.some(({ check }) => check !== undefined && check.found !== check.expected)) return undefined;
  const right = ({ value, check }: Part) => (check === undefined ? value : check.number.slice(0, -1) + check.expected + value.slice(check.number.length));
  return parts.map((part) => `(${part.ai})${right(part)}`).join('');
}

/** Converts identifiers for a document: element strings and bare keys become Digital Links, anything else stays as it is. */
export const spell = (list: readonly string[], identifiers: Identifiers): string[] =>
  list.map((id) => (/^[a-z][a-z\d+.-]*:/i.test(id) ? id : (readIdentifier(id, identifiers)?.digitalLink ?? id)));
