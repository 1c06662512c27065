// GS1 keys to GS1 Digital Link URIs or EPC URNs: their check digits are computed here, their spelling is the core's.
import { identifiers } from '#entry';

/** What a serial, a lot or an extension may be written with: the characters of GS1 application identifiers. */
const SERIAL = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]+$/;

const shown = (value) => (typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value));

export function checkDigit(digits) {
  if (typeof digits !== 'string' || !/^\d{1,30}$/.test(digits)) throw new TypeError(`the digits are ${shown(digits)}, expected a string of 1 to 30 digits`);
  let sum = 0;
  for (let at = digits.length - 1, weight = 3; at >= 0; at -= 1, weight = 4 - weight) sum += Number(digits[at]) * weight;
  return String((10 - (sum % 10)) % 10);
}

export const withCheckDigit = (digits) => `${digits}${checkDigit(digits)}`;

/** A key of one of these lengths whose last digit is the check digit. */
function key(name, value, ...lengths) {
  if (typeof value !== 'string' || !/^\d+$/.test(value) || !lengths.includes(value.length))
    throw new TypeError(`the ${name} is ${shown(value)}, expected a string of ${lengths.join(', ').replace(/, (\d+)$/, ' or $1')} digits`);
  const right = checkDigit(value.slice(0, -1));
  if (!value.endsWith(right)) throw new TypeError(`the ${name} ${value} has the check digit ${value.at(-1)}, expected ${right}`);
  return value;
}

/** What a CPI may be written with. */
const OF_CPI = /^[#\-/0-9A-Z]+$/;

function part(name, value, longest, signs = SERIAL, expected = 'letters, digits or signs that GS1 allows') {
  if (typeof value !== 'string' || value.length > longest || !signs.test(value))
    throw new TypeError(`the ${name} is ${shown(value)}, expected 1 to ${longest} ${expected}`);
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A key without a check digit: a company prefix has four digits or more. */
function free(name, value, ...signs) {
  const written = part(name, value, 30, ...signs);
  if (!/^\d{4}/.test(value)) throw new TypeError(`the ${name} is ${shown(value)}, expected the digits of a company prefix at its beginning`);
  return written;
}

/** A number of EPC URNs, which has no zero before it. */
function number(name, value, most) {
  if (typeof value !== 'string' || !/^(0|[1-9]\d{0,14})$/.test(value) || Number(value) > most)
    throw new TypeError(`the ${name} is ${shown(value)}, expected a number up to ${most} as a string of digits without a zero before them`);
  return value;
}

function count(name, value) {
  if (!Number.isInteger(value) || value < 1 || value > 99) throw new TypeError(`the ${name} is ${shown(value)}, expected a whole number from 1 to 99`);
  return String(value).padStart(2, '0');
}

function options(name, given, own, all = ['companyPrefixLength']) {
  const known = [...own, ...all];
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  const strange = entries.find(([option]) => !known.includes(option));
  if (strange) throw new TypeError(`${name} has no option ${shown(strange[0])}, expected ${known.join(', ')}`);
  return Object.fromEntries(entries);
}

function spelt(path, companyPrefixLength) {
  const link = identifiers.toDigitalLink(`https://id.gs1.org${path}`);
  if (link === undefined) throw new TypeError(`${path} is no GS1 Digital Link`);
  return companyPrefixLength === undefined ? link : identifiers.toEpcUrn(link, companyPrefixLength);
}

export function gtin(value, given) {
  const { serial, lot, companyPrefixLength } = options('gtin', given, ['serial', 'lot']);
  const padded = key('GTIN', value, 8, 12, 13, 14).padStart(14, '0');
  if (serial !== undefined && lot !== undefined) throw new TypeError('a GTIN takes a serial or a lot, not both: an instance is named by its serial');
  const rest = serial !== undefined ? `/21/${part('serial', serial, 20)}` : lot !== undefined ? `/10/${part('lot', lot, 20)}` : '';
  return spelt(`/01/${padded}${rest}`, companyPrefixLength);
}

export function sscc(value, given) {
  const { companyPrefixLength } = options('sscc', given, []);
  return spelt(`/00/${key('SSCC', value, 18)}`, companyPrefixLength);
}

export function gln(value, given) {
  const { extension, companyPrefixLength } = options('gln', given, ['extension']);
  const rest = extension === undefined ? '' : `/254/${part('extension', extension, 20)}`;
  return spelt(`/414/${key('GLN', value, 13)}${rest}`, companyPrefixLength);
}

export function partyGln(value, given) {
  const { companyPrefixLength } = options('partyGln', given, []);
  return spelt(`/417/${key('GLN', value, 13)}`, companyPrefixLength);
}

export function grai(value, given) {
  const { serial, companyPrefixLength } = options('grai', given, ['serial']);
  return spelt(`/8003/0${key('GRAI', value, 13)}${serial === undefined ? '' : part('serial', serial, 16)}`, companyPrefixLength);
}

export function giai(value, given) {
  const { companyPrefixLength } = options('giai', given, []);
  return spelt(`/8004/${part('GIAI', value, 30)}`, companyPrefixLength);
}

export function gdti(value, given) {
  const { serial, companyPrefixLength } = options('gdti', given, ['serial']);
  return spelt(`/253/${key('GDTI', value, 13)}${serial === undefined ? '' : part('serial', serial, 17)}`, companyPrefixLength);
}

export function cpi(value, given) {
  const { serial, companyPrefixLength } = options('cpi', given, ['serial']);
  const rest = serial === undefined ? '' : `/8011/${part('serial', serial, 12, /^(0|[1-9]\d*)$/, 'digits without a zero before them')}`;
  return spelt(`/8010/${free('CPI', value, OF_CPI, 'digits, capital letters, #, - or /')}${rest}`, companyPrefixLength);
}

export function gsrn(value, given) {
  const { companyPrefixLength } = options('gsrn', given, []);
  return spelt(`/8018/${key('GSRN', value, 18)}`, companyPrefixLength);
}

export function gsrnp(value, given) {
  const { companyPrefixLength } = options('gsrnp', given, []);
  return spelt(`/8017/${key('GSRN', value, 18)}`, companyPrefixLength);
}

export function ginc(value, given) {
  const { companyPrefixLength } = options('ginc', given, []);
  return spelt(`/401/${free('GINC', value)}`, companyPrefixLength);
}

export function gsin(value, given) {
  const { companyPrefixLength } = options('gsin', given, []);
  return spelt(`/402/${key('GSIN', value, 17)}`, companyPrefixLength);
}

export function itip(value, given) {
  const { piece, total, serial, companyPrefixLength } = options('itip', given, ['piece', 'total', 'serial']);
  const padded = key('GTIN', value, 8, 12, 13, 14).padStart(14, '0');
  const pieces = `${count('piece', piece)}${count('total', total)}`;
  if (piece > total) throw new TypeError(`the piece is ${piece} of ${total}, expected at most ${total}`);
  return spelt(`/8006/${padded}${pieces}${serial === undefined ? '' : `/21/${part('serial', serial, 20)}`}`, companyPrefixLength);
}

export function sgcn(value, given) {
  const { serial, companyPrefixLength } = options('sgcn', given, ['serial']);
  return spelt(`/255/${key('GCN', value, 13)}${serial === undefined ? '' : part('serial', serial, 12, /^\d+$/, 'digits')}`, companyPrefixLength);
}

// 28, 24 and 36 bits (EPC Tag Data Standard, General Identifier).
export function gid(manager, objectClass, given) {
  const { serial } = options('gid', given, ['serial'], []);
  const front = `${number('general manager number', manager, 2 ** 28 - 1)}.${number('object class', objectClass, 2 ** 24 - 1)}`;
  return serial === undefined ? `urn:epc:idpat:gid:${front}.*` : `urn:epc:id:gid:${front}.${number('serial', serial, 2 ** 36 - 1)}`;
}
