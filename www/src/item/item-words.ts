// What an event says of an item, as a sentence in parts: texts, and references to things and places.
import type { BizStep } from 'epcis-edge/cbv';
import type { Presence } from '../../../wasm/js/follow/index.ts';
import { type AnyEvent, textOf } from '../events/event-model.ts';
import type { Part, RefOf, When } from './item-shown.ts';
import { entryOf, wallClock } from '../shared/words.ts';

/** What happens to an object in each step of the CBV. */
const STEPS: Readonly<Record<Exclude<keyof typeof BizStep, 'other'>, string>> = {
  accepting: 'was accepted',
  arriving: 'arrived',
  assembling: 'was assembled',
  collecting: 'was collected',
  commissioning: 'was commissioned',
  consigning: 'was consigned',
  creating_class_instance: 'was made or first identified',
  cycle_counting: 'was counted',
  decommissioning: 'was decommissioned',
  departing: 'departed',
  destroying: 'was destroyed',
  disassembling: 'was taken apart',
  dispensing: 'was dispensed',
  encoding: 'was given its barcode or tag',
  entering_exiting: 'passed a door',
  holding: 'was set aside',
  inspecting: 'was inspected',
  installing: 'was installed',
  killing: 'had its tag disabled',
  loading: 'was loaded',
  packing: 'was packed',
  picking: 'was picked',
  receiving: 'was received',
  removing: 'was removed',
  repackaging: 'was repackaged',
  repairing: 'was repaired',
  replacing: 'was part of a replacement',
  reserving: 'was reserved',
  retail_selling: 'was sold',
  sampling: 'was sampled',
  sensor_reporting: 'was in a sensor report',
  shipping: 'was shipped',
  staging_outbound: 'was staged for shipping',
  stock_taking: 'was counted',
  stocking: 'was stocked',
  storing: 'was put in storage',
  transporting: 'was transported',
  unloading: 'was unloaded',
  unpacking: 'was unpacked',
  void_shipping: 'was declared not shipped',
};
const OBSERVED = 'was observed';
const ACTIONS: Readonly<Record<string, string>> = { ADD: 'was commissioned', DELETE: 'was decommissioned', OBSERVE: OBSERVED };
/** By type and action: of a child, and of a parent. */
const CONTAINERS: Readonly<Record<string, Readonly<Record<string, readonly [ofChild: string, ofParent: string]>>>> = {
  AggregationEvent: { ADD: ['packed into', 'packed into'], DELETE: ['taken out of', 'taken out of'], OBSERVE: ['seen inside', 'seen inside'] },
  AssociationEvent: { ADD: ['attached to', 'attached to'], DELETE: ['detached from', 'detached from'], OBSERVE: ['seen attached to', 'seen attached to'] },
};

/** The kinds of things, as the following engine calls them. */
export const KINDS: Readonly<Record<string, string>> = {
  sgtin: 'Item with a serial number (SGTIN)',
  lgtin: 'Batch or lot (LGTIN)',
  gtin: 'Product (GTIN)',
  sscc: 'Logistic unit (SSCC)',
  itip: 'Piece of an item (ITIP)',
  upui: 'Item with a tobacco identifier (UPUI)',
  sgln: 'Location (GLN)',
  pgln: 'Party (GLN)',
  grai: 'Returnable asset (GRAI)',
  giai: 'Asset (GIAI)',
  gsrn: 'Recipient of a service (GSRN)',
  gsrnp: 'Provider of a service (GSRN)',
  gdti: 'Document (GDTI)',
  sgcn: 'Coupon (SGCN)',
  ginc: 'Consignment (GINC)',
  gsin: 'Shipment (GSIN)',
  cpi: 'Component or part (CPI)',
  class: 'Class with an identifier of its own',
  uri: 'Thing with an identifier of its own',
};

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** A time as `{date, clock}`: `4 March 2026`, `11:00 +01:00`. */
export function whenOf(time: unknown, offset?: unknown): When {
  const clock = wallClock(textOf(time ?? ''), offset);
  if (clock === undefined) return { date: time === undefined ? '' : textOf(time).slice(0, 40), clock: '' };
  const [day, month, year] = clock.day.split(' ');
  return { date: `${day} ${MONTHS.find((name) => name.startsWith(month!))} ${year}`, clock: `${clock.clock} ${clock.zone}` };
}

const strings = (...lists: readonly unknown[]): string[] => lists.flat().filter((id) => typeof id === 'string');
const classes = (list: unknown): unknown[] => (Array.isArray(list) ? list : []).map((entry: { readonly epcClass?: unknown } | null) => entry?.epcClass);
/** The things that an event lists: `kind` is `input`, `output` or `child`. */
export const listed = (event: AnyEvent, kind: 'input' | 'output' | 'child'): string[] =>
  kind === 'child'
    ? strings(event.childEPCs ?? [], classes(event.childQuantityList))
    : strings(event[`${kind}EPCList`] ?? [], classes(event[`${kind}QuantityList`]));

/** How many things of a list are named. */
const FEW = 3;

/** Some things as parts: `A, B and C`, or `A, B, C and 4 more`. */
export function many(ids: readonly string[], ref: RefOf): Part[] {
  const shown = ids.slice(0, FEW).map(ref);
  const more = ids.length - shown.length;
  const parts: Part[] = [];
  shown.forEach((one, at) => {
    if (at > 0) parts.push(more === 0 && at === shown.length - 1 ? ' and ' : ', ');
    parts.push(one);
  });
  return more > 0 ? [...parts, ` and ${more.toLocaleString('en')} more`] : parts;
}

const wasOf = (ids: readonly string[]) => (ids.length === 1 ? 'was' : 'were');
const maybe = (words: string) => (words.startsWith('was ') ? `may have been ${words.slice(4)}` : `may have ${words}`);

type Wording = (word: string) => string;

/** What else a sentence depends on. */
interface Telling {
  readonly subject: string;
  readonly ref: RefOf;
  readonly bare: Wording;
  readonly phrase: Wording;
  readonly isUnpacked: boolean;
  readonly wasInside: boolean;
}

/** What an object or transaction event says: `was shipped`. `bare` gives the bare word of the CBV, `phrase` a word as text. */
function stepWords(event: AnyEvent, bare: Wording, phrase: Wording): string {
  const step = typeof event.bizStep === 'string' ? event.bizStep : undefined;
  const action = entryOf(ACTIONS, String(event.action)) ?? OBSERVED;
  if (step === undefined) return action;
  const own = entryOf(STEPS, bare(step));
  return own ?? `${action} (${phrase(step)})`;
}

/**
 * The sentence about a presence in an event, in parts. `subject` is the item as words, such as `it`; `ref(id)` makes a reference to a
 * thing. `isUnpacked`: the event ended the time inside of the container of the item. `before` says if anything put the item in before.
 */
export function sentenceOf(event: AnyEvent, presence: Presence, { subject, ref, bare, phrase, isUnpacked, wasInside }: Telling): Part[] {
  const { how, role, through = [], certain } = presence;
  const sure = (words: string) => (certain ? words : maybe(words));
  const isInside = how === 'inside';
  // "it was inside of A in B, which was shipped": what an event says of a container is not said of its contents.
  const around = [...through].reverse().flatMap((id, at) => (at === 0 ? [ref(id)] : [' in ', ref(id)]));
  const lead: readonly Part[] = isInside ? [`${subject} ${sure('was inside')} `, ...around, ', which '] : [`${subject} `];
  const verb = (words: string): Part[] => [...lead, isInside ? words : sure(words)];
  const words = entryOf(entryOf(CONTAINERS, String(event.type)) ?? {}, String(event.action));
  const parent = typeof event.parentID === 'string' ? ref(event.parentID) : 'a container that is not named';
  if (words !== undefined && role.startsWith('child')) {
    const doubt = !isInside && event.action === 'DELETE' && !wasInside ? [' (nothing before says that it was inside)'] : [];
    return [...verb(`was ${words[0]} `), parent, ...doubt];
  }
  if (words !== undefined && role === 'parentID') {
    if (isInside && isUnpacked) return [`${subject} ${sure('was taken out of')} `, ref(through.at(-1)!), ', which was emptied'];
    const children = listed(event, 'child');
    const moved: readonly Part[] = children.length === 0 ? ['everything inside was'] : [...many(children, ref), ` ${wasOf(children)}`];
    const into = children.length === 0 && event.action === 'DELETE' ? 'taken out of' : words[1];
    return isInside ? [`${subject} ${sure('was inside')} `, ...around, ' when ', ...moved, ` ${into} that`] : [...moved, ` ${into} ${subject}`];
  }
  if (event.type === 'TransformationEvent') {
    if (how === 'output') {
      const inputs = listed(event, 'input');
      return inputs.length === 0 ? verb('was made in a transformation') : [...verb('was made from '), ...many(inputs, ref)];
    }
    const outputs = listed(event, 'output');
    return outputs.length === 0 ? verb('was used in a transformation') : [...verb('was used to make '), ...many(outputs, ref)];
  }
  return verb(stepWords(event, bare, phrase));
}
