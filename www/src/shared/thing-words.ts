// Words for things and places: the name in the master data, otherwise what the identifier is, such as "3 boxes" or "a pallet".
import { type CanonicalOf, classOf as classOfKey } from '../../../wasm/js/names/names.ts';
import { count, decoded, entryOf, nameOf, ownWords } from './words.ts';

/** What an identifier is, by the application identifier of its key. A GTIN is told by its first digit instead. */
const KINDS: Readonly<Record<string, string>> = {
  '00': 'pallet',
  253: 'document',
  255: 'coupon',
  401: 'consignment',
  402: 'shipment',
  414: 'place',
  417: 'company',
  8003: 'returnable container',
  8004: 'asset',
  8006: 'piece',
  8010: 'part',
  8017: 'provider',
  8018: 'recipient',
  // What a URN says whose digits are wrong.
  sscc: 'pallet',
  sgtin: 'item',
  grai: 'returnable container',
  giai: 'asset',
};
/** Units of measure as people write them. */
export const UNITS: Readonly<Record<string, string>> = {
  CEL: '°C',
  FAH: '°F',
  KEL: 'K',
  KGM: 'kg',
  GRM: 'g',
  TNE: 't',
  LBR: 'lb',
  P1: '%',
  MTR: 'm',
  LTR: 'l',
  MLT: 'ml',
};
/** Units that count pieces, and units that count boxes of several. */
const EACH: Readonly<Record<string, string>> = { EA: '', H87: '', C62: '', CS: 'box', BX: 'box', CT: 'box' };
/** A name with one of these words says itself how a product is packed. */
const PACKED = /\b(?:box|case|carton|crate|pack|pallet|bag|bin)/i;

const numeral = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 9 });
const one = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
const keyOf = (canonical: string): readonly (string | undefined)[] => /^https:\/\/id\.gs1\.org\/(\d+)\/([^/]+)(\/10\/)?/.exec(canonical) ?? [];

/** What a thing is: a noun in the singular. The first digit of a GTIN tells a unit (0) from a box of several (1 to 8). */
export function kindOf(canonical: string): string {
  const [, key, value] = keyOf(canonical);
  if (key === '01') return /^[1-8]/.test(value ?? '') ? 'box' : 'item';
  const [scheme] = /(?<=^urn:epc:id:)(?:sscc|sgtin|grai|giai)(?=:)/.exec(canonical) ?? [];
  return KINDS[key ?? scheme ?? ''] ?? (/^urn:gdst:[^:]*:product:serial:/.test(canonical) ? 'item' : 'thing');
}

const isLotOf = (canonical: string) => keyOf(canonical)[3] !== undefined || /^urn:(?:gdst:[^:]*:product:lot|epc:class:lgtin):/.test(canonical);
/** The class of a serial or a lot, of GS1 and of GDST. */
const classOf = (id: string): string | undefined => {
  const [, start, name] = /^(urn:gdst:[^:]*:product:)(?:lot:class|serial:obj):([^.:]+\.[^.:]+)\./.exec(id) ?? [];
  return start === undefined ? classOfKey(id) : `${start}class:${name}`;
};

const hasWord = (text: string) => /\p{L}{3}/u.test(text);
/** The last part of an own URI as words, with an earlier one if it has no word itself: `stores 7` for `https://example.com/stores/7`. */
function partOf(uri: string): string {
  const [, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(uri) ?? [];
  const parts = uri
    .replace(/^(?:https?:\/\/[^/?#]*|urn:gdst:.*:|urn:[^:]*:)/i, '')
    .split(/[/:?#&=]/)
    .filter((part) => part !== '');
  const last = parts.at(-1) ?? host;
  const [uuid] = /^[0-9a-f]{8}(?=(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)/i.exec(last) ?? [];
  if (uuid !== undefined) return uuid;
  const before = hasWord(last) ? undefined : parts.findLast(hasWord);
  return ownWords(decoded([before, last].filter(Boolean).join(' ')).replaceAll(/[.:/#-]+/g, ' '));
}
/** What an own URI says; behind a noun if it has no word. */
const tellingOf = (uri: string, noun: string) => (hasWord(partOf(uri)) ? partOf(uri) : `${noun} ${partOf(uri)}`);
/** A product without a name, by its class. */
function productOf(id: string): string {
  const [, key, value] = keyOf(id);
  if (key !== undefined) return `${key === '01' ? 'product' : kindOf(id)} ${decoded(value ?? '')}`;
  // The digits of a URN of GS1 may be wrong.
  return `product ${/^urn:epc:[a-z]+:[a-z]+:(\d+\.\d+)/.exec(id)?.[1] ?? partOf(id)}`;
}

/** The words for a list of strings: `A`, `A and B`, `A, B and 3 more`. A single one more is named, too. */
export function joined(list: readonly string[], most = 2): string {
  if (list.length <= 1) return list.join('');
  const rest = list.length - most;
  if (rest > 1) return `${list.slice(0, most).join(', ')} and ${numeral(rest)} more`;
  return `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;
}

/** Gives the name of an identifier in the master data, if it has one. */
export type NameFor = (id: string) => string | undefined;

/** What tells identifiers apart, and names them. */
export interface Named {
  readonly canonicalOf: CanonicalOf;
  readonly nameFor: NameFor;
}

/** Things of one kind, name and unit. */
interface Group {
  readonly name: string | undefined;
  readonly kind: string;
  readonly uom: string;
  readonly things: Set<string>;
  /** The amounts of lots and classes at each place. */
  readonly lots: Map<string, Map<string, number>>;
  readonly classes: Set<string>;
  isLot?: boolean;
}

/**
 * Counts things. `canonicalOf` gives the canonical form of an identifier, `nameFor` its name in the master data. A thing that is added
 * again is counted once. Amounts are added up; of a lot, those at one place, and the largest sum of a place counts: the same lot leaves one
 * place after the other.
 */
export class Tally {
  readonly #groups = new Map<string, Group>();
  readonly #canonicalOf: CanonicalOf;
  readonly #nameFor: NameFor;

  constructor({ canonicalOf, nameFor }: Named) {
    this.#canonicalOf = canonicalOf;
    this.#nameFor = nameFor;
  }

  #group(canonical: string, uom: string, kind = kindOf(canonical)): Group {
    const ofClass = classOf(canonical);
    const name = this.#nameFor(canonical) ?? (ofClass && this.#nameFor(ofClass));
    const own = name === undefined ? '' : (ofClass ?? canonical);
    const key = `${kind} ${own} ${uom}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { name, kind, uom, things: new Set(), lots: new Map(), classes: new Set() };
      this.#groups.set(key, group);
    }
    return group;
  }

  /** Adds one thing. */
  add(id: string): void {
    const canonical = this.#canonicalOf(id) ?? id;
    // A lot, or a product without a serial, is no single thing.
    if (/\/01\/\d+(?:\/(?!21\/|235\/).*)?$/.test(canonical)) this.addAmount(id);
    else this.#group(canonical, 'each').things.add(canonical);
  }

  /** Adds an amount of a class or lot at a place; the amount may be unknown. */
  addAmount(id: string, quantity?: unknown, uom?: unknown, place?: string): void {
    const canonical = this.#canonicalOf(id) ?? id;
    const isKnown = typeof quantity === 'number';
    const unit = typeof uom === 'string' && !Object.hasOwn(EACH, uom) ? uom : 'each';
    const group = this.#group(canonical, isKnown ? unit : '', entryOf(EACH, String(uom)) || undefined);
    group.classes.add(classOf(canonical) ?? canonical);
    const isLot = isLotOf(canonical);
    group.isLot ||= isLot;
    const places = group.lots.get(canonical) ?? new Map<string, number>();
    const where = isLot && place !== undefined ? (this.#canonicalOf(place) ?? place) : '';
    group.lots.set(canonical, places.set(where, (places.get(where) ?? 0) + (isKnown ? quantity : 0)));
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** Whether the words are a plural. What is measured is none. */
  get isMany(): boolean {
    const [group, ...more] = this.#groups.values();
    return more.length > 0 || (group !== undefined && (group.uom === '' ? group.lots.size > 1 : group.uom === 'each' && amountOf(group) !== 1));
  }

  /** The words for all that was added: `3 boxes of Bramley apples and a pallet`. */
  words(most = 2): string {
    return joined(
      [...this.#groups.values()].map((group) => wordsOf(group)),
      most,
    );
  }
}

/** The number of pieces of a group, or its amount in its unit. */
function amountOf({ things, lots }: Group): number {
  let total = things.size;
  for (const places of lots.values()) total += Math.max(...places.values());
  // Sums of decimals such as 0.1 are not exact.
  return Math.round(total * 1e6) / 1e6;
}

function wordsOf(group: Group): string {
  const { name, kind, uom, things, lots, classes, isLot } = group;
  const product = () => name ?? (classes.size > 1 ? `${numeral(classes.size)} products` : productOf([...classes][0] ?? ''));
  if (uom === '') return isLot ? `${lots.size > 1 ? `${numeral(lots.size)} batches` : 'a batch'} of ${product()}` : product();
  const amount = amountOf(group);
  if (uom !== 'each') return `${numeral(amount)} ${entryOf(UNITS, uom) ?? uom} of ${product()}`;
  if (name === undefined && kind === 'thing' && things.size + classes.size === 1)
    return things.size === 1 ? tellingOf([...things][0] ?? '', kind) : `${numeral(amount)} × ${product()}`;
  if (name === undefined) return amount === 1 ? one(kind) : count(amount, kind);
  // What has a serial of its own and is no product is called by its name alone.
  if (amount === 1 && kind !== 'box' && kind !== 'item') return name;
  return kind === 'box' && !PACKED.test(name) ? `${count(amount, 'box')} of ${name}` : `${numeral(amount)} × ${name}`;
}

/** The words for a place or a party: its name, or what its identifier says. A position on earth has none: it is no one who acts. */
export function placeWords(id: string, { canonicalOf, nameFor }: Named): string {
  const name = nameFor(id);
  if (name !== undefined) return name;
  const [, kind, company, place] = /^urn:epc:id:([sp])gln:(\d+)\.(\d*)/.exec(id) ?? [];
  if (kind === 's') return `place ${place} of company ${company}`;
  if (kind === 'p') return `company ${company}`;
  const canonical = canonicalOf(id);
  const [, key, value] = keyOf(canonical ?? '');
  if (key === '414' || key === '417') return `${KINDS[key]} ${decoded(value ?? '')}`;
  return canonical === undefined ? tellingOf(id, /^urn:gdst:[^:]*:party:/.test(id) ? 'company' : 'place') : nameOf(id, canonical).short;
}

/** Whether an identifier is a position on earth. */
export const isPosition = (id: string): boolean => /^geo:/i.test(id);
