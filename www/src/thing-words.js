// Words for things and places: the name in the master data, otherwise what the identifier is, such as "3 boxes" or "a pallet".
import { classOf } from '../../wasm/js/names.js';
import { count, decoded, nameOf } from './words.js';

/** What an identifier is, by the application identifier of its key. A GTIN is told by its first digit instead. */
const KINDS = {
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
};
/** Units of measure as people write them. */
export const UNITS = {
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
const EACH = { EA: '', H87: '', C62: '', CS: 'box', BX: 'box', CT: 'box' };
/** A name with one of these words says itself how a product is packed. */
const PACKED = /\b(?:box|case|carton|crate|pack|pallet|bag|bin)/i;

const numeral = (number) => number.toLocaleString('en', { maximumFractionDigits: 9 });
const one = (noun) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
const keyOf = (canonical) => /^https:\/\/id\.gs1\.org\/(\d+)\/([^/]+)(\/10\/)?/.exec(canonical) ?? [];

/** What a thing is: a noun in the singular. The first digit of a GTIN tells a unit (0) from a box of several (1 to 8). */
export function kindOf(canonical) {
  const [, key, value] = keyOf(canonical);
  if (key === '01') return /^[1-8]/.test(value) ? 'box' : 'item';
  return KINDS[key] ?? 'thing';
}

/** The words for a list of strings: `A`, `A and B`, `A, B and 3 more`. A single one more is named, too. */
export function joined(list, most = 2) {
  if (list.length <= 1) return list.join('');
  const rest = list.length - most;
  if (rest > 1) return `${list.slice(0, most).join(', ')} and ${numeral(rest)} more`;
  return `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;
}

/**
 * Counts things. `canonicalOf` gives the canonical form of an identifier, `nameFor` its name in the master data. A thing that is added
 * again is counted once. Amounts are added up; of a lot, those at one place, and the largest sum of a place counts: the same lot leaves one
 * place after the other.
 */
export class Tally {
  #groups = new Map();
  #canonicalOf;
  #nameFor;

  constructor({ canonicalOf, nameFor }) {
    this.#canonicalOf = canonicalOf;
    this.#nameFor = nameFor;
  }

  #group(canonical, uom, kind = kindOf(canonical)) {
    const name = this.#nameFor(canonical);
    const own = name === undefined ? '' : (classOf(canonical) ?? canonical);
    const key = `${kind} ${own} ${uom}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { name, kind, uom, things: new Set(), lots: new Map(), classes: new Set() };
      this.#groups.set(key, group);
    }
    return group;
  }

  /** Adds one thing. */
  add(id) {
    const canonical = this.#canonicalOf(id) ?? id;
    // A lot, or a product without a serial, is no single thing.
    if (/\/01\/\d+(?:\/(?!21\/|235\/).*)?$/.test(canonical)) this.addAmount(id);
    else this.#group(canonical, 'each').things.add(canonical);
  }

  /** Adds an amount of a class or lot at a place; the amount may be unknown. */
  addAmount(id, quantity, uom, place) {
    const canonical = this.#canonicalOf(id) ?? id;
    const isKnown = typeof quantity === 'number';
    const unit = typeof uom === 'string' && !Object.hasOwn(EACH, uom) ? uom : 'each';
    const group = this.#group(canonical, isKnown ? unit : '', EACH[uom] || undefined);
    group.classes.add(classOf(canonical) ?? canonical);
    group.isLot ||= keyOf(canonical)[3] !== undefined;
    const places = group.lots.get(canonical) ?? new Map();
    const where = keyOf(canonical)[3] === undefined ? '' : place;
    group.lots.set(canonical, places.set(where, (places.get(where) ?? 0) + (isKnown ? quantity : 0)));
  }

  get isEmpty() {
    return this.#groups.size === 0;
  }

  /** The words for all that was added: `3 boxes of Bramley apples and a pallet`. */
  words(most = 2) {
    return joined(
      [...this.#groups.values()].map((group) => wordsOf(group)),
      most,
    );
  }
}

function wordsOf({ name, kind, uom, things, lots, classes, isLot }) {
  if (uom === '') return name === undefined ? one(isLot ? 'batch' : 'product') : isLot ? `a batch of ${name}` : name;
  let total = things.size;
  for (const places of lots.values()) total += Math.max(...places.values());
  // Sums of decimals such as 0.1 are not exact.
  const amount = Math.round(total * 1e6) / 1e6;
  if (uom !== 'each') return `${numeral(amount)} ${UNITS[uom] ?? uom} of ${name ?? (classes.size > 1 ? `${numeral(classes.size)} products` : 'a product')}`;
  if (name === undefined) return amount === 1 ? one(kind) : count(amount, kind);
  // What has a serial of its own and is no product is called by its name alone.
  if (amount === 1 && kind !== 'box' && kind !== 'item') return name;
  return kind === 'box' && !PACKED.test(name) ? `${count(amount, 'box')} of ${name}` : `${numeral(amount)} × ${name}`;
}

/** The words for a place or a party: its name, or what its identifier says. A position on earth has none: it is no one who acts. */
export function placeWords(id, { canonicalOf, nameFor }) {
  const name = nameFor(id);
  if (name !== undefined) return name;
  const [, kind, company, place] = /^urn:epc:id:([sp])gln:(\d+)\.(\d*)/.exec(id) ?? [];
  if (kind === 's') return `place ${place} of company ${company}`;
  if (kind === 'p') return `company ${company}`;
  const canonical = canonicalOf(id);
  const [, key, value] = keyOf(canonical ?? '');
  if (key === '414' || key === '417') return `${KINDS[key]} ${decoded(value)}`;
  return nameOf(id, canonical).short;
}

/** Whether an identifier is a position on earth. */
export const isPosition = (id) => /^geo:/i.test(id);
