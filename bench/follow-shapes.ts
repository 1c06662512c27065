// Documents for the benchmark of following: a supply chain, and shapes that are made to be costly.
import type { FollowRequest } from '../wasm/js/follow/index.ts';

/** A time for each number; `equal` numbers in a row have the same. */
const timeOf = (number: number, equal = 1) => new Date(Date.UTC(2026, 0, 1) + Math.floor(number / equal) * 20_000).toISOString();
const zone = { eventTimeZoneOffset: '+00:00' };

/** The lot that every product of the chain is made with. */
export const LOT = 'urn:epc:class:lgtin:9521141.099999.SALT-1';
export const caseOf = (group: number) => `urn:epc:id:sscc:9521141.${String(group).padStart(10, '0')}`;
const serials = (item: number, group: number) =>
  Array.from({ length: 10 }, (_, n) => `urn:epc:id:sgtin:9521141.0${String(item).padStart(5, '0')}.${group * 10 + n}`);
const placeOf = (n: number) => ({ readPoint: { id: `urn:epc:id:sgln:9521141.${String(n % 97).padStart(5, '0')}.${n % 5}` } });

/** One group of the chain: ten items, commissioned, packed, shipped, received, unpacked, made into ten products, of which one is sold. */
const CHAIN: readonly ((items: readonly string[], box: string, products: readonly string[]) => object)[] = [
  (items) => ({ type: 'ObjectEvent', action: 'ADD', bizStep: 'commissioning', disposition: 'active', epcList: items }),
  (items, box) => ({ type: 'AggregationEvent', action: 'ADD', bizStep: 'packing', parentID: box, childEPCs: items }),
  (_, box) => ({ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'shipping', disposition: 'in_transit', epcList: [box] }),
  (_, box) => ({ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'receiving', disposition: 'in_progress', epcList: [box] }),
  (items, box) => ({ type: 'AggregationEvent', action: 'DELETE', bizStep: 'unpacking', parentID: box, childEPCs: items }),
  (items, _, products) => ({
    type: 'TransformationEvent',
    bizStep: 'commissioning',
    inputEPCList: items,
    inputQuantityList: [{ epcClass: LOT, quantity: 2, uom: 'KGM' }],
    outputEPCList: products,
  }),
  (_items, _box, products) => ({
    type: 'ObjectEvent',
    action: 'OBSERVE',
    bizStep: 'retail_selling',
    disposition: 'retail_sold',
    epcList: products.slice(0, 1),
  }),
];
export const GROUP = CHAIN.length;

/** The events of a supply chain, in the order of time, with a name and a place each. */
export function chainEvents(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const group = Math.floor(n / GROUP);
    return {
      ...CHAIN[n % GROUP]?.(serials(group % 400, group), caseOf(group), serials(500 + (group % 400), group)),
      eventID: `urn:uuid:00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
      eventTime: timeOf(n),
      ...zone,
      ...placeOf(n),
    };
  });
}

const thing = (n: number | string) => `urn:x:${n}`;
const things = (count: number, first = 0) => Array.from({ length: count }, (_, n) => thing(first + n));
const lots = (count: number) => Array.from({ length: count }, (_, n) => ({ epcClass: thing(n), quantity: 1 }));
const many = <One>(count: number, make: (n: number) => One): One[] => Array.from({ length: Math.max(1, Math.floor(count)) }, (_, n) => make(n));
/** An event; a thousand of them have the same time. */
const at = (n: number, type: string, more: object) => ({ type, eventTime: timeOf(n, 1000), ...zone, ...more });
const packed = (n: number, parent: number | string, children: readonly string[], action = 'ADD') =>
  at(n, 'AggregationEvent', { action, parentID: thing(parent), childEPCs: children });
const seen = (n: number, ...epcs: string[]) => at(n, 'ObjectEvent', { action: 'OBSERVE', epcList: epcs });

const FAR = { depth: 64, maxEvents: 10_000 };
const WHOLE = { ...FAR, contents: 'followed' } as const;

/** A shape of documents. */
export interface HostileShape {
  readonly name: string;
  /** Events, whose length is about in proportion to the parts. */
  events(parts: number): object[];
  readonly question: FollowRequest | ((parts: number) => FollowRequest);
}

export const HOSTILE: readonly HostileShape[] = [
  { name: 'a chain: each packed into the next', events: (parts) => many(parts, (n) => packed(n, n + 1, [thing(n)])), question: { items: 'urn:x:0', ...FAR } },
  {
    name: 'a chain, asked for in the middle, with contents',
    events: (parts) => many(parts, (n) => packed(n, n + 1, [thing(n)])),
    question: (parts) => ({ items: thing(Math.floor(parts / 2)), ...WHOLE }),
  },
  {
    name: 'a fan: all in one, which is seen often',
    events: (parts) => [packed(0, 'all', things(parts)), ...many(parts / 10, (n) => seen(n + 1, thing('all')))],
    question: { items: thing('all'), ...WHOLE },
  },
  {
    name: 'a fan of 100,000 children, seen again and again',
    events: (parts) => [packed(0, 'all', things(100_000)), ...many(parts - 100_000, (n) => seen(n + 1, thing('all')))],
    question: { items: thing('all'), ...WHOLE },
  },
  {
    name: 'everything in everything',
    events: (parts) => many(parts / 20, (n) => packed(n, n % 20, things(20))),
    question: { items: [thing(0), thing(7)], ...WHOLE },
  },
  {
    name: 'everything in everything, and every second event withdrawn',
    events: (parts) =>
      many(parts / 20, (n) => ({
        ...packed(n, n % 20, things(20)),
        eventID: `urn:x:event:${Math.floor(n / 2)}`,
        ...(n % 4 === 1 ? { errorDeclaration: { declarationTime: timeOf(n), reason: 'incorrect_data', correctiveEventIDs: [`urn:x:event:${n}`] } } : {}),
      })),
    question: { items: [thing(0), thing(7)], ...WHOLE, kin: true },
  },
  {
    name: 'many declarations of one event',
    events: (parts) =>
      many(parts, (n) => ({
        ...seen(n, thing(0)),
        eventID: 'urn:x:event',
        ...(n % 2 === 1 ? { errorDeclaration: { declarationTime: timeOf(n), correctiveEventIDs: things(5) } } : {}),
      })),
    question: { items: thing(0), ...FAR },
  },
  {
    name: 'declarations without an eventID, found by content',
    events: (parts) =>
      many(parts, (n) => ({ ...seen(n >> 1, thing(n >> 1), thing(0)), ...(n % 2 === 1 ? { errorDeclaration: { declarationTime: timeOf(n) } } : {}) })),
    question: { items: thing(0), ...FAR },
  },
  {
    name: 'everything in everything, as lots',
    events: (parts) => many(parts / 20, (n) => at(n, 'AggregationEvent', { action: 'ADD', parentID: thing(n % 20), childQuantityList: lots(20) })),
    question: { items: thing(0), ...WHOLE },
  },
  {
    name: 'a lot in many cases',
    events: (parts) =>
      many(parts, (n) => at(n, 'AggregationEvent', { action: 'ADD', parentID: thing(n), childQuantityList: [{ epcClass: thing('lot'), quantity: 1 }] })),
    question: { items: thing('lot'), ...WHOLE },
  },
  {
    name: 'lots divided many ways: cases, transformations, destinations',
    events: (parts) =>
      many(parts, (n) => {
        const some = [0, 1, 2].map((k) => ({ epcClass: thing(`lot${(n * 7 + k) % 60}`), quantity: n % 9, uom: 'KGM' }));
        if (n % 3 === 0) return at(n, 'AggregationEvent', { action: n % 2 ? 'DELETE' : 'ADD', parentID: thing(n % 500), childQuantityList: some });
        if (n % 3 === 1)
          return at(n, 'TransformationEvent', { inputQuantityList: some, outputQuantityList: [{ epcClass: thing(`lot${n % 60}`), quantity: 1 }] });
        return at(n, 'ObjectEvent', { action: 'OBSERVE', quantityList: some, destinationList: [{ type: 'location', destination: thing(n) }] });
      }),
    question: { items: thing('lot0'), ...WHOLE, kin: true },
  },
  {
    name: 'a batch: everything made of everything',
    events: (parts) => [at(0, 'TransformationEvent', { inputEPCList: things(parts), outputEPCList: things(parts, parts) })],
    question: { items: thing(0), kin: true },
  },
  {
    name: 'outputs that are their inputs',
    events: (parts) => many(parts / 40, (n) => at(n, 'TransformationEvent', { inputEPCList: things(20), outputEPCList: things(20) })),
    question: { items: thing(3), ...FAR, kin: true },
  },
  {
    name: 'one transformation in many events',
    events: (parts) =>
      many(parts, (n) => at(n, 'TransformationEvent', { transformationID: thing('t'), inputEPCList: [thing(n)], outputEPCList: [thing(-n - 1)] })),
    question: { items: thing(0), ...FAR, kin: true },
  },
  {
    name: 'a crate that is used again and again',
    events: (parts) => many(parts, (n) => packed(n, 'crate', [thing((n >> 1) % 50)], n % 2 === 0 ? 'ADD' : 'DELETE')),
    question: { items: [thing('crate'), thing(3)], ...WHOLE },
  },
  {
    name: 'a lot that is never used up, of numbers with many digits',
    events: (parts) =>
      many(parts, (n) =>
        at(n, 'AggregationEvent', {
          action: 'ADD',
          parentID: thing('p'),
          childQuantityList: [{ epcClass: thing('lot'), quantity: Number(`1e-${n % 300}`), uom: 'KGM' }],
        }),
      ),
    question: { items: thing('p'), ...WHOLE },
  },
];
