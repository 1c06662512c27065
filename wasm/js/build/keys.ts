// Builds GS1 Digital Link URIs or EPC URNs from GS1 keys. The core knows the structure, check digit and spelling of each key.
import { identifiers } from '#entry';
import type { GS1Characters, GS1Key } from '../engine/index.ts';
import type * as Surface from './index.ts';

/** The character sets of serials, references and extensions, by the core's names. */
const CHARACTERS: Readonly<Record<GS1Characters['characters'], readonly [RegExp, string]>> = {
  any: [/^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]+$/, 'letters, digits or signs that GS1 allows'],
  part: [/^[#\-/0-9A-Z]+$/, 'digits, capital letters, #, - or /'],
  digits: [/^\d+$/, 'digits'],
  number: [/^(0|[1-9]\d*)$/, 'digits without a leading zero'],
};

const shown = (value: unknown): string => (typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value));

export const checkDigit = (digits: string): string => identifiers.checkDigit(digits);

export const withCheckDigit = (digits: string): string => `${digits}${checkDigit(digits)}`;

/** The digits of a key, padded to their length in a Digital Link. */
function digitsOf({ name, digits, filler = '' }: GS1Key, value: unknown): string {
  if (typeof value !== 'string' || !/^\d+$/.test(value) || !digits.includes(value.length))
    throw new TypeError(`the ${name} is ${shown(value)}, expected a string of ${digits.join(', ').replace(/, (\d+)$/, ' or $1')} digits`);
  const right = checkDigit(value.slice(0, -1));
  if (!value.endsWith(right)) throw new TypeError(`the ${name} ${value} has the check digit ${value.at(-1)}, expected ${right}`);
  return filler + value.padStart(Math.max(...digits), '0');
}

function part(name: string, value: unknown, { longest, characters }: GS1Characters): string {
  const [signs, expected] = CHARACTERS[characters];
  if (typeof value !== 'string' || value.length > longest || !signs.test(value))
    throw new TypeError(`the ${name} is ${shown(value)}, expected 1 to ${longest} ${expected}`);
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A key of free text, which has no check digit. It begins with a company prefix, so with at least four digits. */
function textOf(name: string, text: GS1Characters, value: unknown): string {
  const written = part(name, value, text);
  if (!/^\d{4}/.test(String(value))) throw new TypeError(`the ${name} is ${shown(value)}, expected the digits of a company prefix at its beginning`);
  return written;
}

/** A number in an EPC URN, without leading zeros. */
function number(name: string, value: unknown, most: number): string {
  if (typeof value !== 'string' || !/^(0|[1-9]\d{0,14})$/.test(value) || Number(value) > most)
    throw new TypeError(`the ${name} is ${shown(value)}, expected a number up to ${most} as a string of digits without a leading zero`);
  return value;
}

function count(name: string, value: unknown): string {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 99) throw new TypeError(`the ${name} is ${shown(value)}, expected a whole number from 1 to 99`);
  return String(value).padStart(2, '0');
}

function options(name: string, given: object | undefined, known: readonly string[]): Readonly<Record<string, unknown>> {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  const strange = entries.find(([option]) => !known.includes(option));
  if (strange) throw new TypeError(`${name} has no option ${shown(strange[0])}, expected ${known.join(', ')}`);
  return Object.fromEntries(entries);
}

let keys: ReadonlyMap<string, GS1Key> | undefined;
function keyOf(ai: string): GS1Key {
  keys ??= new Map(identifiers.keys().map((key) => [key.ai, key]));
  const key = keys.get(ai);
  if (key === undefined) throw new Error(`the engine does not know the key ${ai}`);
  return key;
}

/**
 * Makes the function that builds identifiers of a key. `parts` are its options with their application identifiers; an option with an
 * empty one directly follows the key.
 */
function builder(name: string, ai: string, parts: Readonly<Record<string, string>> = {}) {
  return (value: string, given?: object): string => {
    const key = keyOf(ai);
    const pieces = key.hasPieces ? ['piece', 'total'] : [];
    const { companyPrefixLength, piece, total, ...own } = options(name, given, [...pieces, ...Object.keys(parts), 'companyPrefixLength']);
    let path = `/${ai}/${key.text === undefined ? digitsOf(key.hasPieces ? { ...key, name: 'GTIN', digits: keyOf('01').digits } : key, value) : textOf(key.name, key.text, value)}`;
    if (key.hasPieces) {
      path += count('piece', piece) + count('total', total);
      if (Number(piece) > Number(total)) throw new TypeError(`the piece is ${piece} of ${total}, expected at most ${total}`);
    }
    const behind = Object.entries(own);
    if (behind.length > 1) throw new TypeError(`a ${key.name} takes a ${Object.keys(parts).join(' or a ')}, not both: an instance is named by its serial`);
    for (const [option, text] of behind) {
      const of = parts[option];
      const limits = of === '' ? key.serial : key.qualifiers?.find((qualifier) => qualifier.ai === of);
      if (limits === undefined) throw new Error(`the engine does not know the ${option} of a ${key.name}`);
      path += `${of === '' ? '' : `/${of}/`}${part(option, text, limits)}`;
    }
    const link = identifiers.toDigitalLink(`https://id.gs1.org${path}`);
    if (link === undefined) throw new TypeError(`${path} is not a GS1 Digital Link`);
    return companyPrefixLength === undefined ? link : identifiers.toEpcUrn(link, companyPrefixLength as number);
  };
}

export const gtin: typeof Surface.gtin = builder('gtin', '01', { serial: '21', lot: '10' });
export const sscc: typeof Surface.sscc = builder('sscc', '00');
export const gln: typeof Surface.gln = builder('gln', '414', { extension: '254' });
export const partyGln: typeof Surface.partyGln = builder('partyGln', '417');
export const grai: typeof Surface.grai = builder('grai', '8003', { serial: '' });
export const giai: typeof Surface.giai = builder('giai', '8004');
export const gdti: typeof Surface.gdti = builder('gdti', '253', { serial: '' });
export const cpi: typeof Surface.cpi = builder('cpi', '8010', { serial: '8011' });
export const gsrn: typeof Surface.gsrn = builder('gsrn', '8018');
export const gsrnp: typeof Surface.gsrnp = builder('gsrnp', '8017');
export const ginc: typeof Surface.ginc = builder('ginc', '401');
export const gsin: typeof Surface.gsin = builder('gsin', '402');
export const itip: typeof Surface.itip = builder('itip', '8006', { serial: '21' });
export const sgcn: typeof Surface.sgcn = builder('sgcn', '255', { serial: '' });

// The parts have 28, 24 and 36 bits (EPC Tag Data Standard, General Identifier).
export const gid: typeof Surface.gid = (manager, objectClass, given) => {
  const { serial } = options('gid', given, ['serial']);
  const front = `${number('general manager number', manager, 2 ** 28 - 1)}.${number('object class', objectClass, 2 ** 24 - 1)}`;
  return serial === undefined ? `urn:epc:idpat:gid:${front}.*` : `urn:epc:id:gid:${front}.${number('serial', serial, 2 ** 36 - 1)}`;
};
