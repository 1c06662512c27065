// How items move from event to event: the graph of the picture, and the timeline.
import type { CanonicalOf } from '../../../wasm/js/names/names.ts';
import { type AnyEvent, isObject, type Moment, textOf } from '../events/event-model.ts';
import { addThings, type Saying, sayingOf, sideOf, stepOf } from '../events/event-words.ts';
import { type Amount, type Change, Contents, type History } from './history.ts';
import { kindOf, type Named, Tally } from '../shared/thing-words.ts';
import { capital, instantOf, nameOf, ownWords, toneOf, typeName, wallClock } from '../shared/words.ts';

/** Up to this many events, each has its own box. With more, events of the same step and place share a box. */
export const SINGLE_EVENTS = 40;
/** The maximum number of boxes drawn. */
export const BOXES = 40;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
const strings = (value: unknown): string[] => listOf(value).filter((entry) => typeof entry === 'string');
const classes = (value: unknown): string[] => strings(listOf(value).map((entry) => (entry as { readonly epcClass?: unknown } | null)?.epcClass));
/** The most containers of a lot that are looked at to find where it was last: a lot may be in thousands. */
const LOOKED_AT = 32;

/** What the rows are made of. */
export interface Told {
  readonly events: readonly AnyEvent[];
  readonly canonicalOf: CanonicalOf;
  readonly history: History;
}

/** What walking needs of a row. */
export interface Step<Key = string> {
  readonly at: number;
  readonly key: Key;
  readonly isWrong: boolean;
  readonly present: ReadonlySet<string>;
  readonly left: readonly string[];
  readonly changes: readonly Change[];
}

/** An event among those of its document. */
export interface FlowRow extends Step {
  readonly event: AnyEvent;
  readonly index: number;
  readonly time: number;
  readonly place: unknown;
  readonly holder: string | undefined;
  readonly children: readonly string[];
  /** What it says, if it has a box of its own. */
  saying?: Saying;
}

export interface Rows {
  readonly rows: readonly FlowRow[];
  readonly isGrouped: boolean;
  readonly same: (id: string) => string;
}

/**
 * The events of a document as rows in order of time. `present` are the items that come to an event, `left` the items last seen at it,
 * `key` its box.
 */
export function rowsOf({ events, canonicalOf, history }: Told): Rows {
  const canon = new Map<string, string>();
  const same = (id: string): string => {
    let known = canon.get(id);
    if (known === undefined) canon.set(id, (known = canonicalOf(id) ?? id));
    return known;
  };
  // What the engine does not take for an event comes last.
  const others = [...events.keys()].filter((index) => isObject(events[index]) && !history.has(index));
  const order = [...history.order, ...others];
  const isGrouped = order.length > SINGLE_EVENTS;
  const rows = order.map((index, at): FlowRow => {
    const event = events[index]!;
    const place = event.bizLocation?.id ?? event.readPoint?.id;
    const parent = strings(event.parentID).map(same);
    const children = [...strings(event.childEPCs), ...classes(event.childQuantityList)].map(same);
    const items = [...strings(event.epcList), ...classes(event.quantityList)].map(same);
    // The transformationID links the events of one transformation, like an item.
    const whole = strings(event.transformationID);
    const inputs = [...[...strings(event.inputEPCList), ...classes(event.inputQuantityList)].map(same), ...whole];
    const outputs = [...[...strings(event.outputEPCList), ...classes(event.outputQuantityList)].map(same), ...whole];
    return {
      at,
      event,
      index,
      time: instantOf(event.eventTime),
      place,
      isWrong: history.isWithdrawn(index),
      key: isGrouped ? `${stepOf(event) || event.type}|${typeof place === 'string' ? same(place) : ''}` : `${index}`,
      holder: parent[0],
      children,
      changes: history.changesOf(index),
      present: new Set([...inputs, ...outputs.filter((id) => whole.includes(id)), ...items, ...children, ...parent]),
      left: [...inputs, ...outputs, ...items, ...children, ...parent],
    };
  });
  return { rows, isGrouped, same };
}

/**
 * Goes through the rows and calls `onMove(row, item, from, contentsOf)` for each item that comes from an earlier event; `from` is the row
 * where the item was last seen, `contentsOf(item)` what is inside of it. An item inside a parent that is also present moves with the
 * parent, without a call of its own. `onRow(row)` is called first for each row. Events declared in error are skipped: no item moves to
 * or from them. `onRow` gets `contentsOf` of packing, too. Returns what is inside of what at the end: `{packing, association}`.
 */
export function walk<Row extends Step<unknown>>(
  rows: readonly Row[],
  {
    onRow = () => undefined,
    onMove = () => undefined,
  }: {
    readonly onRow?: (row: Row, contentsOf: (parent: string) => ReadonlyMap<string, Amount | undefined>) => void;
    readonly onMove?: (row: Row, item: string, from: Row, contentsOf: (item: string) => string[]) => void;
  },
): { readonly packing: Contents; readonly association: Contents } {
  const last = new Map<string, Row>();
  const packing = new Contents();
  // A sensor may be tied to a crate while the crate is on a pallet, so associations are kept apart.
  const association = new Contents();
  const both = [packing, association];
  const contentsOf = (item: string) => [...packing.contentsOf(item).keys(), ...association.contentsOf(item).keys()];
  /** The row where an item, or a container around it, was last seen. */
  const lastOf = (item: string) => {
    let latest = last.get(item);
    const seen = new Set([item]);
    // A set may grow while it is walked through.
    for (const one of seen) {
      if ((last.get(one)?.at ?? -1) > (latest?.at ?? -1)) latest = last.get(one);
      for (const contents of both)
        for (const parent of contents.parentsOf(one)) {
          if (seen.size >= LOOKED_AT) break;
          seen.add(parent);
        }
    }
    return latest;
  };
  for (const row of rows) {
    onRow(row, packing.contentsOf);
    if (row.isWrong) continue;
    for (const item of row.present) {
      if (both.some((contents) => contents.isInsideAny(item, row.present))) continue;
      const from = lastOf(item);
      if (from !== undefined && from.key !== row.key) onMove(row, item, from, contentsOf);
    }
    // Inputs are included, since the rest of a lot may be seen again.
    for (const item of row.left) last.set(item, row);
    for (const change of row.changes) {
      (change.isAssociation ? association : packing).apply(change);
      if (change.isTaken) last.set(change.child, row);
    }
  }
  return { packing, association };
}

/** What names the things and events of a picture. */
export interface FlowNames extends Named {
  readonly eventName: (eventID: string) => string;
  readonly history: History;
}

/** A thing on a strand, with what is inside of it. */
export interface Carried {
  readonly id: string;
  readonly text: string;
  readonly short: string;
  readonly family: string;
  readonly inside: number;
  readonly held: readonly { readonly id: string; readonly text: string; readonly family: string }[];
}

/** A box of the picture: an event, or those of one step and place. */
export interface Box {
  readonly id: number;
  readonly key: string;
  readonly events: readonly number[];
  readonly total: number;
  readonly wrong: number;
  readonly tone: string;
  readonly type: string;
  readonly step: string;
  readonly tail: string;
  readonly title: string;
  readonly what: string;
  readonly when: string;
}

/** A strand from box to box. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly items: readonly Carried[];
  readonly total: number;
  readonly words: string;
  readonly correction?: string;
}

/** The graph of a picture. */
export interface Flow {
  readonly isGrouped: boolean;
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
  readonly before: readonly { readonly from: number; readonly to: number }[];
  readonly omitted: number;
  readonly flows: number;
  readonly events: number;
}

interface MadeBox extends Omit<Box, 'events' | 'total' | 'wrong'> {
  readonly events: number[];
  total: number;
  wrong: number;
  readonly things: Tally | undefined;
}

interface MadeEdge {
  readonly from: string;
  readonly to: string;
  readonly items: Carried[];
  readonly seen: Set<string>;
  readonly correction?: string;
}

/** The corrections among the events: `[{from, to, label}]`, with indices of rows. */
function correctionsOf(rows: readonly FlowRow[], { eventName, history }: FlowNames) {
  const byName = new Map<string, number[]>();
  const named = (id: unknown): number[] => (typeof id === 'string' ? (byName.get(eventName(id)) ?? []) : []);
  for (const [at, { event }] of rows.entries()) if (typeof event.eventID === 'string') byName.set(eventName(event.eventID), [...named(event.eventID), at]);
  const links: { readonly from: number; readonly to: number; readonly label: string }[] = [];
  for (const [at, { event, index }] of rows.entries()) {
    const declaration = history.declarationOf(index);
    if (declaration !== undefined) links.push({ from: at, to: rows.findIndex((row) => row.index === declaration), label: 'declared in error' });
    for (const id of strings(event.errorDeclaration?.correctiveEventIDs))
      for (const corrected of named(id)) if (corrected !== at) links.push({ from: at, to: corrected, label: 'corrected by' });
  }
  return links;
}

/**
 * The graph of the flows: `{boxes, edges, omitted, flows, isGrouped, events}`. Boxes `{id, events, tone, type, tail, title, what, step, when}`
 * are in order of time. Edges are `{from, to, items: [{id, text, short, family, inside}], total, words}`; an edge with `correction` leads
 * to a correcting event; `before` are pairs of boxes that stand below each other without a line. `names` has `canonicalOf`, `eventName`,
 * `nameFor` for the names of master data, and the `history`. `flows` counts every move of an item from box to box. Each row gets what its event says as
 * `saying`, if it has a box of its own.
 */
export function flowOf({ rows, isGrouped }: Pick<Rows, 'rows' | 'isGrouped'>, names: FlowNames): Flow {
  const { nameFor } = names;
  const boxes = new Map<string, MadeBox>();
  const edges = new Map<string, MadeEdge>();
  const years = new Set(rows.map(({ event }) => wallClock(String(event.eventTime), event.eventTimeZoneOffset)?.day.slice(-4)).filter(Boolean));

  const onRow = (row: FlowRow, contentsOf: (parent: string) => ReadonlyMap<string, Amount | undefined>) => {
    const { event, index, key, isWrong } = row;
    let box = boxes.get(key);
    if (box === undefined) {
      const saying = sayingOf(event, names, isGrouped ? undefined : contentsOf);
      if (!isGrouped) row.saying = saying;
      const { tail, title, what } = saying;
      const clock = wallClock(String(event.eventTime), event.eventTimeZoneOffset);
      box = {
        id: boxes.size,
        key,
        events: [],
        total: 0,
        wrong: 0,
        tone: toneOf(textOf(event.type)),
        type: typeName(String(event.type ?? '')),
        step: capital(ownWords(stepOf(event))),
        tail: saying.who === undefined ? '' : tail,
        title,
        what,
        things: isGrouped ? new Tally(names) : undefined,
        when: clock ? `${years.size > 1 ? clock.day : clock.day.slice(0, -5)}, ${clock.clock.slice(0, 5)} ${clock.zone}` : String(event.eventTime ?? ''),
      };
      boxes.set(key, box);
    }
    box.total += 1;
    if (isWrong) box.wrong += 1;
    else if (box.things !== undefined) addThings(box.things, event, sideOf(event));
    if (box.events.length < 3) box.events.push(index);
  };
  let flows = 0;
  const spelt = (id: string) => [nameFor(id), nameOf(id, id).text].filter(Boolean).join(' · ');
  /** What similar items share: the name of the product, or the kind of thing. */
  const familyOf = (id: string): string => {
    const { family = '' } = nameOf(id, id);
    const kind = kindOf(id);
    const own = family.startsWith('GTIN ') ? family : kind === 'thing' ? '' : capital(kind);
    return own.startsWith('GTIN ') ? [nameFor(id), own].filter(Boolean).join(' · ') : own;
  };
  const onMove = ({ key }: FlowRow, item: string, from: FlowRow, contentsOf: (item: string) => string[]) => {
    const name = `${from.key}>${key}`;
    let edge = edges.get(name);
    if (edge === undefined) edges.set(name, (edge = { from: from.key, to: key, items: [], seen: new Set() }));
    flows += 1;
    if (edge.seen.has(item)) return;
    edge.seen.add(item);
    if (edge.items.length >= 12) return;
    const { short } = nameOf(item, item);
    const held = contentsOf(item);
    edge.items.push({
      id: item,
      text: spelt(item),
      short,
      family: familyOf(item),
      inside: held.length,
      held: held.slice(0, 24).map((id) => ({ id, text: spelt(id), family: familyOf(id) })),
    });
  };
  walk(rows, { onRow, onMove });
  /** What travels on a strand, in words. */
  const wordsOf = (seen: ReadonlySet<string>, [first]: readonly Carried[]) => {
    const tally = new Tally(names);
    for (const id of seen) tally.add(id);
    return `${tally.words(1)}${seen.size === 1 && first !== undefined && first.inside > 0 ? `, ${first.inside.toLocaleString('en')} inside` : ''}`;
  };
  for (const { from, to, label } of isGrouped ? [] : correctionsOf(rows, names))
    edges.set(`${from}!${to}`, { from: rows[from]!.key, to: rows[to]!.key, items: [], seen: new Set(), correction: label });

  const all = [...boxes.values()];
  // What was declared in error stands where it happened, and the lines go past it.
  const before: { readonly from: string; readonly to: string }[] = [];
  if (!isGrouped)
    for (const [at, { wrong, key }] of all.entries()) {
      if (wrong === 0) continue;
      const last = all.slice(0, at).findLast((box) => box.wrong === 0);
      const next = all.slice(at).find((box) => box.wrong === 0);
      if (last !== undefined) before.push({ from: last.key, to: key });
      if (next !== undefined) before.push({ from: key, to: next.key });
    }
  const kept = all.length <= BOXES ? all : [...all].sort((a, b) => b.total - a.total).slice(0, BOXES);
  const ids = new Map(kept.sort((a, b) => a.id - b.id).map((box, index) => [box.key, index]));
  const idOf = (key: string) => ids.get(key)!;
  return {
    isGrouped,
    boxes: kept.map(({ things, ...box }) => ({ ...box, id: idOf(box.key), what: box.total > 1 && things !== undefined ? things.words() : box.what })),
    edges: [...edges.values()]
      .filter(({ from, to }) => ids.has(from) && ids.has(to))
      .map(({ seen, ...edge }) => ({
        ...edge,
        total: seen.size,
        words: wordsOf(seen, edge.items),
        name: `${edge.from}>${edge.to}`,
        from: idOf(edge.from),
        to: idOf(edge.to),
      })),
    before: before.filter(({ from, to }) => ids.has(from) && ids.has(to)).map(({ from, to }) => ({ from: idOf(from), to: idOf(to) })),
    omitted: all.length - kept.length,
    flows,
    events: rows.length,
  };
}

/** A slice of the timeline. */
export interface Bar {
  readonly at: number;
  readonly total: number;
  readonly first: number;
  readonly moment: Moment;
  readonly tones: Readonly<Record<string, number>>;
}

interface MadeBar extends Bar {
  total: number;
  earliest: number;
  readonly tones: Record<string, number>;
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly start: Moment;
  readonly end: Moment;
  readonly slices: number;
  readonly bars: readonly Bar[];
  readonly highest: number;
}

/** The timeline of the events: up to 60 slices, each with its counts by colour family and its first event. */
export function timelineOf(events: readonly AnyEvent[], slices = 60): Timeline | undefined {
  const times: { readonly time: number; readonly index: number; readonly tone: string; readonly moment: Moment }[] = [];
  events.forEach((event, index) => {
    const time = instantOf(event?.eventTime);
    if (!Number.isNaN(time))
      times.push({ time, index, tone: toneOf(textOf(event.type)), moment: { time: String(event.eventTime), offset: event.eventTimeZoneOffset } });
  });
  const [one] = times;
  if (one === undefined) return undefined;
  let [first, last] = [one, one];
  for (const one of times) {
    if (one.time < first.time) first = one;
    if (one.time > last.time) last = one;
  }
  const [from, to] = [first.time, last.time];
  const width = (to - from) / slices;
  const bars = new Map<number, MadeBar>();
  for (const { time, index, tone, moment } of times) {
    const at = width === 0 ? Math.floor(slices / 2) : Math.min(slices - 1, Math.floor((time - from) / width));
    const bar: MadeBar = bars.get(at) ?? { at, total: 0, first: index, earliest: time, moment, tones: {} };
    if (time < bar.earliest) Object.assign(bar, { first: index, earliest: time, moment });
    bar.total += 1;
    bar.tones[tone] = (bar.tones[tone] ?? 0) + 1;
    bars.set(at, bar);
  }
  return {
    from,
    to,
    start: first.moment,
    end: last.moment,
    slices,
    bars: [...bars.values()].sort((a, b) => a.at - b.at),
    highest: Math.max(...[...bars.values()].map(({ total }) => total)),
  };
}
