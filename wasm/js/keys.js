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

function part(name, value, longest) {
  if (typeof value !== 'string' || value.length > longest || !SERIAL.test(value))
    throw new TypeError(`the ${name} is ${shown(value)}, expected 1 to ${longest} letters, digits or signs that GS1 allows`);
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function options(name, given, known) {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  const strange = entries.find(([option]) => ![...known, 'companyPrefixLength'].includes(option));
  if (strange) throw new TypeError(`${name} has no option ${shown(strange[0])}, expected ${[...known, 'companyPrefixLength'].join(', ')}`);
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
