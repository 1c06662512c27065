// What an event says in plain words: "Hill Orchard ships" and "120 boxes of Bramley apples to Corner Shop".
import type { BizStep } from 'epcis-edge/cbv';
import { type AnyEvent, eventTitle, listOf, TRANSACTIONS } from './event-model.ts';
import type { Amount } from '../flow/history.ts';
import { isPosition, type Named, placeWords, Tally, UNITS } from '../shared/thing-words.ts';
import { bareWord, capital, entryOf, lower, ownWords, phrase } from '../shared/words.ts';

type OfGdst = 'commingling' | 'farmHarvest' | 'fishingEvent' | 'hatching' | 'landing' | 'transshipment';
/** What the actor does in each step of the CBV and of GDST, or the things at its place. */
const STEPS: Readonly<Record<keyof typeof BizStep | OfGdst, string>> = {
  accepting: 'accepts',
  arriving: 'arrives at',
  assembling: 'assembles',
  collecting: 'collects',
  commissioning: 'registers',
  consigning: 'consigns',
  creating_class_instance: 'makes',
  cycle_counting: 'counts',
  decommissioning: 'retires',
  departing: 'leaves',
  destroying: 'destroys',
  disassembling: 'takes apart',
  dispensing: 'dispenses',
  encoding: 'labels',
  entering_exiting: 'passes',
  holding: 'sets aside',
  inspecting: 'inspects',
  installing: 'installs',
  killing: 'disables the tag of',
  loading: 'loads',
  other: 'handles',
  packing: 'packs',
  picking: 'picks',
  receiving: 'receives',
  removing: 'removes',
  repackaging: 'repackages',
  repairing: 'repairs',
  replacing: 'replaces',
  reserving: 'reserves',
  retail_selling: 'sells',
  sampling: 'samples',
  sensor_reporting: 'is measured at',
  shipping: 'ships',
  staging_outbound: 'stages',
  stock_taking: 'counts',
  stocking: 'stocks',
  storing: 'stores',
  transporting: 'transports',
  unloading: 'unloads',
  unpacking: 'unpacks',
  void_shipping: 'cancels the shipment of',
  commingling: 'mixes',
  farmHarvest: 'harvests',
  fishingEvent: 'catches',
  hatching: 'hatches',
  landing: 'is landed at',
  transshipment: 'is transshipped at',
};
/** What the actor does where an event has no step, by its action. */
type ByAction = Readonly<Partial<Record<string, Readonly<Partial<Record<string, string>>>>>>;
const ACTIONS: ByAction = {
  ObjectEvent: { ADD: 'registers', OBSERVE: 'is seen at', DELETE: 'retires' },
  AggregationEvent: { ADD: 'packs', OBSERVE: 'is seen at', DELETE: 'takes' },
  AssociationEvent: { ADD: 'attaches', OBSERVE: 'is seen at', DELETE: 'detaches' },
  TransactionEvent: { ADD: 'links', OBSERVE: 'confirms', DELETE: 'unlinks' },
};
/** The word between children and their parent. */
const BETWEEN: ByAction = { AggregationEvent: { ADD: 'into', OBSERVE: 'in', DELETE: 'from' }, AssociationEvent: { ADD: 'to', OBSERVE: 'on', DELETE: 'from' } };
const LEAVING = new Set(['shipping', 'departing', 'consigning', 'loading', 'staging_outbound', 'transporting', 'void_shipping']);
const COMING = new Set(['receiving', 'accepting', 'arriving', 'unloading']);

const isText = (value: unknown): value is string => typeof value === 'string';
const strings = (value: unknown): string[] => listOf(value).filter(isText);
const textIn = (value: unknown): string => (isText(value) ? value : '');

/** The bare word of the step of an event, of the CBV or of GDST; empty if it has none. */
export const stepOf = ({ bizStep }: AnyEvent): string => (isText(bizStep) ? bareWord(bizStep).replace(/^urn:gdst:bizStep:/, '') : '');
/** Where an event says that it happened: a place before a position on earth. */
export function whereOf({ readPoint, bizLocation }: AnyEvent): string | undefined {
  const places = [readPoint?.id, bizLocation?.id].filter(isText);
  return places.find((id) => !isPosition(id)) ?? places[0];
}

/** Which of its things an event is about. */
export type Side = 'input' | 'output' | 'child' | '';

/** What the events of a document say by itself. */
export interface Saying {
  readonly who: string | undefined;
  /** What happened, without a verb. */
  readonly plain: string;
  readonly tail: string;
  readonly title: string;
  readonly things: string;
  readonly isMany: boolean | undefined;
  readonly after: string;
  readonly what: string;
}

type ContentsOf = (id: string) => ReadonlyMap<string, Amount | undefined>;

/** Adds the things of an event to a tally. `side` is `input` or `output` for a transformation, `child` for a container, else empty. */
export function addThings(tally: Tally, event: AnyEvent, side: Side = ''): void {
  const place = whereOf(event);
  const [ids, amounts] =
    side === ''
      ? (['epcList', 'quantityList'] as const)
      : side === 'child'
        ? (['childEPCs', 'childQuantityList'] as const)
        : ([`${side}EPCList`, `${side}QuantityList`] as const);
  for (const id of strings(event[ids])) tally.add(id);
  for (const entry of listOf(event[amounts])) if (isText(entry?.epcClass)) tally.addAmount(entry.epcClass, entry.quantity, entry.uom, place);
}

/** Which of its things an event is about: a transformation about what it makes, or uses up if it names nothing made. */
export function sideOf(event: AnyEvent): Side {
  if (event.type === 'AggregationEvent' || event.type === 'AssociationEvent') return 'child';
  if (event.type !== 'TransformationEvent') return '';
  return listOf(event.outputEPCList).length + listOf(event.outputQuantityList).length > 0 ? 'output' : 'input';
}

/** What the actor does, or the things do; undefined for a step outside of the CBV and GDST, which has no verb. */
export function verbOf(event: AnyEvent): string | undefined {
  const step = stepOf(event);
  if (event.type === 'TransformationEvent') {
    if (sideOf(event) !== 'output') return 'uses up';
    return step === 'farmHarvest' || step === 'commingling' ? STEPS[step] : 'makes';
  }
  if (event.type === 'AssociationEvent' || step === '') return entryOf(entryOf(ACTIONS, textIn(event.type)) ?? {}, textIn(event.action)) ?? 'reports';
  return entryOf(STEPS, step);
}
/** Whether the things are the subject of a verb, and the place stands behind it. */
export const isOfThings = (verb: string | undefined): boolean => /^is | at$|^leaves$|^passes$/.test(verb ?? '');

/** The verb of several: `ship` for `ships`. */
export const plural = (verb: string): string => verb.replace(/^is\b/, 'are').replace(/^(?!are\b)(\w+?)(?:(?<=ch|ss|x)es|s)\b/, '$1');

/**
 * Who acts in an event, as words: its place, or the party that it comes from if only that has a name. Undefined if the event does not
 * say. `names` has `canonicalOf` and `nameFor`.
 */
export function whoOf(event: AnyEvent, names: Named): string | undefined {
  const place = whereOf(event);
  const isNamed = place !== undefined && names.nameFor(place) !== undefined;
  const party = LEAVING.has(stepOf(event)) && !isNamed ? partyOf(event.sourceList, 'source', names) : undefined;
  if (party !== undefined && names.nameFor(party) !== undefined) return placeWords(party, names);
  if (place === undefined || isPosition(place)) return party === undefined ? undefined : placeWords(party, names);
  return placeWords(place, names);
}

/** The identifier in a list of sources or destinations that says most: one with a name, else a place, else the first. */
function partyOf(list: AnyEvent['sourceList'], member: 'source' | 'destination', { nameFor }: Named): string | undefined {
  type Known = { readonly type?: unknown; readonly source: string; readonly destination: string };
  const found = listOf(list).filter((entry) => isText(entry?.[member])) as readonly Known[];
  const best = found.find((entry) => nameFor(entry[member]) !== undefined) ?? found.find(({ type }) => bareWord(String(type)) === 'location') ?? found[0];
  return best?.[member];
}

/** Where the things of an event go to, or come from: `{to}` or `{from}` as words; neither if it does not say. */
export function wayOf(event: AnyEvent, names: Named): { readonly to?: string; readonly from?: string } {
  const step = stepOf(event);
  const is = LEAVING.has(step) ? 'to' : COMING.has(step) ? 'from' : undefined;
  if (is === undefined) return {};
  const id = is === 'to' ? partyOf(event.destinationList, 'destination', names) : partyOf(event.sourceList, 'source', names);
  const words = id === undefined ? undefined : placeWords(id, names);
  return words === undefined || words === whoOf(event, names) ? {} : { [is]: words };
}

/**
 * What an event says: `{who, tail, title, things, isMany, after, what}`. `title` is who and `tail`, `what` the things and `after`. `contentsOf(id)`,
 * if given, has what is inside of a container at that time.
 */
export function sayingOf(event: AnyEvent, names: Named, contentsOf?: ContentsOf): Saying {
  const who = whoOf(event, names);
  const verb = verbOf(event);
  const step = stepOf(event);
  const plain = step !== '' ? ownWords(step) : who !== undefined && isOfThings(verb) ? 'seen' : lower(eventTitle(event));
  const tail = who === undefined ? plain : verb === undefined || isOfThings(verb) ? `: ${plain}` : ` ${verb}`;
  const { words: things, isMany } = thingsOf(event, names, contentsOf);
  const after = afterOf(event, names);
  return { who, plain, tail, title: capital(`${who ?? ''}${tail}`), things, isMany, after, what: `${things}${after}`.trim() };
}

function thingsOf(event: AnyEvent, names: Named, contentsOf: ContentsOf | undefined): { readonly words: string; readonly isMany?: boolean } {
  const tally = new Tally(names);
  const side = sideOf(event);
  addThings(tally, event, side);
  if (tally.isEmpty) {
    if (side === 'child') return { words: event.action === 'DELETE' ? 'everything' : '' };
    return { words: isText(event.parentID) ? wordsOf(event.parentID, names) : '' };
  }
  const said = { words: tally.words(), isMany: tally.isMany };
  const [only, ...more] = side === '' && listOf(event.quantityList).length === 0 ? strings(event.epcList) : [];
  if (only === undefined || more.length > 0) return said;
  const inside = contentsOf?.(names.canonicalOf(only) ?? only);
  if (inside === undefined || inside.size === 0) return said;
  const held = new Tally(names);
  for (const [id, amount] of inside)
    if (amount === undefined) held.add(id);
    else held.addAmount(id, amount.quantity, amount.uom);
  return { ...said, words: `${said.words} with ${held.words(1)}` };
}

function wordsOf(id: string, names: Named): string {
  const tally = new Tally(names);
  tally.add(id);
  return tally.words();
}

/** What follows the things: the container, the inputs, the order, the destination, a reading. */
function afterOf(event: AnyEvent, names: Named): string {
  const between = entryOf(entryOf(BETWEEN, textIn(event.type)) ?? {}, textIn(event.action));
  if (between !== undefined) return isText(event.parentID) ? ` ${between} ${wordsOf(event.parentID, names)}` : '';
  if (event.type === 'TransformationEvent' && sideOf(event) === 'output') {
    const inputs = new Tally(names);
    addThings(inputs, event, 'input');
    return inputs.isEmpty ? '' : ` from ${inputs.words()}`;
  }
  const { to, from } = wayOf(event, names);
  if (to !== undefined) return ` to ${to}`;
  if (from !== undefined) return ` from ${from}`;
  if (event.type === 'TransactionEvent') return orderOf(event);
  return readingOf(event);
}

function orderOf(event: AnyEvent): string {
  type Order = { readonly type?: unknown; readonly bizTransaction: string };
  const first = listOf(event.bizTransactionList).find((entry) => isText(entry?.bizTransaction)) as Order | undefined;
  if (first === undefined) return '';
  const kind = entryOf(TRANSACTIONS, bareWord(String(first.type ?? ''))) ?? 'transaction';
  const between = stepOf(event) !== '' ? 'for' : event.action === 'ADD' ? 'to' : event.action === 'DELETE' ? 'from' : 'with';
  return ` ${between} ${kind} ${first.bizTransaction.split(/[:/]/).at(-1)!.slice(0, 30)}`;
}

/** The first number that a sensor tells, if that is what the event is about. */
function readingOf(event: AnyEvent): string {
  type Report = { readonly [member: string]: unknown } | null;
  const elements: readonly { readonly sensorReport?: unknown }[] = listOf(event.sensorElementList).filter(
    (element: unknown) => typeof element === 'object' && element !== null,
  );
  for (const { sensorReport } of elements)
    for (const report of listOf(sensorReport) as readonly Report[]) {
      const value = [report?.value, report?.meanValue, report?.maxValue].find((number) => typeof number === 'number');
      if (value === undefined) continue;
      const uom = isText(report?.uom) ? (entryOf(UNITS, report.uom) ?? report.uom) : '';
      return ` (${`${isText(report?.type) ? `${phrase(report.type).toLowerCase()} ` : ''}${value.toLocaleString('en')} ${uom}`.trimEnd()})`;
    }
  return '';
}
