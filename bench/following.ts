// Following behind a full store, and captures that bring master data: parts of bench/store.ts.
import { envelope, storyEvents } from './documents.ts';
import { median, number, quantile } from './measure.ts';

/** Sends one request. Returns the answer, and the milliseconds until it came. */
export type SendRequest = (
  method: string,
  path: string,
  body?: string,
) => Promise<{ readonly value: any; readonly ms: number; readonly location: string | null }>;

const ROUNDS = 50;
const start = Date.UTC(2027, 0, 1);
const item = (serial: number) => `urn:epc:id:sgtin:9521141.099999.${serial}`;
const box = (serial: number) => `urn:epc:id:sscc:9521141.9${String(serial).padStart(9, '0')}`;
const lot = (name: string) => `urn:epc:class:lgtin:9521141.099999.${name}`;
const place = { id: 'urn:epc:id:sgln:9521141.00100.0' };

/** Events in order, a minute apart. */
const inOrder = (events: readonly object[]) =>
  events.map((event, n) => ({ eventTime: new Date(start + n * 60_000).toISOString(), eventTimeZoneOffset: '+00:00', bizLocation: place, ...event }));
const seen = (epc: string, bizStep: string, action = 'OBSERVE') => ({ type: 'ObjectEvent', action, epcList: [epc], bizStep });
const packed = (parentID: string, child: string, action = 'ADD') => ({ type: 'AggregationEvent', action, parentID, childEPCs: [child] });

/** Thirteen events: an item is packed over four levels, travels, and comes out again. */
const packing = inOrder([
  seen(item(1), 'commissioning', 'ADD'),
  packed(box(1), item(1)),
  packed(box(2), box(1)),
  packed(box(3), box(2)),
  packed(box(4), box(3)),
  seen(box(4), 'shipping'),
  seen(box(4), 'receiving'),
  packed(box(4), box(3), 'DELETE'),
  packed(box(3), box(2), 'DELETE'),
  packed(box(2), box(1), 'DELETE'),
  seen(box(1), 'storing'),
  packed(box(1), item(1), 'DELETE'),
  seen(item(1), 'retail_selling'),
]);

/** A thousand events over twelve levels: forty lots a level, each made of two of the level before, and seen once. */
function making() {
  const WIDTH = 40;
  const quantity = (level: number, n: number) => ({ epcClass: lot(`${level}-${n % WIDTH}`), quantity: 10, uom: 'KGM' });
  const lots = (event: (n: number) => object) => Array.from({ length: WIDTH }, (_, n) => event(n));
  const noticed = (level: number) => lots((n) => ({ type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'inspecting', quantityList: [quantity(level, n)] }));
  const levels = [noticed(0)];
  for (let level = 1; level <= 12; level += 1) {
    levels.push(
      lots((n) => ({
        type: 'TransformationEvent',
        inputQuantityList: [quantity(level - 1, 2 * n), quantity(level - 1, 2 * n + 1)],
        outputQuantityList: [quantity(level, n)],
      })),
      noticed(level),
    );
  }
  return inOrder(levels.flat());
}

/** A crate that is used 10,000 times. */
function crate(from: number, uses: number) {
  const times = Array.from({ length: uses }, (_, n) => {
    const used = item(10_000 + from + n);
    return [packed(box(9), used), seen(box(9), 'shipping'), packed(box(9), used, 'DELETE')];
  });
  return times.flat().map((event, n) => ({ ...inOrder([event])[0], eventTime: new Date(start + (from * 3 + n) * 60_000).toISOString() }));
}

/** Adds the histories to the store, and prints how long it takes to follow them. `request` sends one request: see bench/store.ts. */
export async function following(request: SendRequest, [ofThirteen, ofThousand]: readonly [number, number]): Promise<void> {
  const capture = async (events: readonly object[]) => request('POST', '/capture', JSON.stringify(envelope(events)));
  await capture(packing);
  await capture(making());
  for (let from = 0; from < 10_000; from += 2000) await capture(crate(from, 2000));
  const questions: readonly (readonly [name: string, question: object, least: number, wanted: number | undefined])[] = [
    ['13 events over four levels', { items: [item(1)] }, 13, ofThirteen],
    ['the same, of the outermost container: its contents followed', { items: [box(4)], contents: 'followed' }, 13, undefined],
    ['1,000 events over twelve levels', { items: [lot('12-0')], kin: true }, 1000, ofThousand],
    ['one use of a crate that is used 10,000 times', { items: [item(15_000)] }, 3, undefined],
  ];
  console.log(`\n| following, ${ROUNDS} times | events | p50 ms | p95 ms | target |\n|---|---|---|---|---|`);
  for (const [name, question, least, wanted] of questions) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < ROUNDS + 5; round += 1) {
      const { value, ms } = await request('POST', '/follow', JSON.stringify(question));
      found = value.events.length;
      if (found < least) throw new Error(`${name}: ${found} events, at least ${least} expected; ${JSON.stringify(value.incomplete).slice(0, 300)}`);
      if (round >= 5) times.push(ms);
    }
    times.sort((a, b) => a - b);
    const p50 = quantile(times, 0.5);
    const verdict = wanted === undefined ? '' : `${p50 <= wanted ? 'reached' : 'MISSED'} (${wanted})`;
    console.log(`| ${name} | ${number(found, 0)} | ${number(p50)} | ${number(quantile(times, 0.95))} | ${verdict} |`);
  }
}

/** Prints what 2,000 elements of master data cost a capture of 10,000 events: captures with and without them in turn. */
export async function withMasterData(request: SendRequest, first: number): Promise<void> {
  const PER_DOCUMENT = 10_000;
  const PAIRS = 7;
  const header = (round: number) => {
    const elements = Array.from({ length: 2000 }, (_, n) => ({
      id: `urn:epc:id:sgln:9521141.${String(n).padStart(5, '0')}.${round}`,
      attributes: [
        { id: 'cbvmda:name', attribute: `Place ${n}, as it was called in round ${round}` },
        { id: 'cbvmda:streetAddressOne', attribute: `${n} High Street` },
        { id: 'cbvmda:city', attribute: 'London' },
        { id: 'cbvmda:countryCode', attribute: 'GB' },
      ],
    }));
    return { epcisMasterData: { vocabularyList: [{ type: 'urn:epcglobal:epcis:vtype:Location', vocabularyElementList: elements }] } };
  };
  const [withoutThem, withThem]: [number[], number[]] = [[], []];
  for (let round = 0; round < 2 * PAIRS; round += 1) {
    const brings = (round + Math.floor(round / 2)) % 2 === 1;
    const document = envelope(storyEvents(PER_DOCUMENT, first + round * PER_DOCUMENT), brings ? header(round) : undefined);
    (brings ? withThem : withoutThem).push((await request('POST', '/capture', JSON.stringify(document))).ms);
  }
  const [without, behind] = [median(withoutThem), median(withThem)];
  const slower = (behind / without - 1) * 100;
  console.log(`\n| capture of ${number(PER_DOCUMENT, 0)} events, ms, median of ${PAIRS} | |\n|---|---|\n| without master data | ${number(without, 0)} |`);
  console.log(`| with 2,000 new elements of it | ${number(behind, 0)}, ${number(slower, 1)} % slower: ${slower <= 15 ? 'reached' : 'MISSED'} (15 %) |\n`);
}
