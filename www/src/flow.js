// How items move from event to event: the graph of the picture, the path of one item, and the timeline.
import { eventTitle, isObject } from './event-model.js';
import { bareWord, instantOf, nameOf, phrase, toneOf, typeName, wallClock } from './words.js';

/** Up to this many events, each has its own box. With more, events of the same type, action, step and place share a box. */
export const SINGLE_EVENTS = 40;
/** The maximum number of boxes drawn. */
export const BOXES = 40;

const listOf = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
const strings = (value) => listOf(value).filter((entry) => typeof entry === 'string');
const classes = (value) =>
  listOf(value)
    .map((entry) => entry?.epcClass)
    .filter((entry) => typeof entry === 'string');

/**
 * The events as rows in order of time. `present` are the items that come to an event, `left` the items last seen at it, `key` its box.
 */
export function rowsOf(events, canonicalOf) {
  const canon = new Map();
  const same = (id) => {
    let known = canon.get(id);
    if (known === undefined) canon.set(id, (known = canonicalOf(id) ?? id));
    return known;
  };
  const timed = events.map((event, index) => ({ event, index, time: instantOf(event?.eventTime) })).filter(({ event }) => isObject(event));
  timed.sort((a, b) => (Number.isNaN(a.time) ? Infinity : a.time) - (Number.isNaN(b.time) ? Infinity : b.time) || a.index - b.index);
  const isGrouped = timed.length > SINGLE_EVENTS;
  // An error declaration repeats the wrong event with the same eventID.
  const wrong = new Set(timed.filter(({ event }) => event.errorDeclaration !== undefined).map(({ event }) => event.eventID));
  const rows = timed.map(({ event, index, time }, at) => {
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
      time,
      place,
      isWrong: event.errorDeclaration !== undefined || (typeof event.eventID === 'string' && wrong.has(event.eventID)),
      key: isGrouped ? `${event.type}|${event.action}|${event.bizStep}|${place}` : `${index}`,
      holder: parent[0],
      children,
      inputs,
      outputs,
      present: new Set([...inputs, ...outputs.filter((id) => whole.includes(id)), ...items, ...children, ...parent]),
      left: [...inputs, ...outputs, ...items, ...children, ...parent],
    };
  });
  return { rows, isGrouped, same };
}

/**
 * Goes through the rows and calls `onMove(row, item, from, contents)` for each item that comes from an earlier event; `from` is the key
 * of the box where the item was last seen. An item inside a parent that is also present moves with the parent, without a call of its
 * own. `onRow(row, contents)` is called first for each row. Events declared in error are skipped: no item moves to or from them.
 */
export function walk(rows, { onRow = () => undefined, onMove }) {
  const last = new Map();
  const contents = new Map();
  const containerOf = new Map();
  for (const row of rows) {
    onRow(row, contents);
    if (row.isWrong) continue;
    for (const item of row.present) {
      const container = containerOf.get(item);
      if (container !== undefined && row.present.has(container)) continue;
      const from = last.get(container !== undefined && (last.get(container)?.at ?? -1) > (last.get(item)?.at ?? -1) ? container : item);
      if (from !== undefined && from.key !== row.key) onMove(row, item, from.key, contents);
    }
    // Inputs are included, since the rest of a lot may be seen again.
    for (const item of row.left) last.set(item, { key: row.key, at: row.at });
    const { holder, children, event } = row;
    if (holder === undefined || (event.type !== 'AggregationEvent' && event.type !== 'AssociationEvent')) continue;
    const held = contents.get(holder) ?? new Set();
    if (event.action === 'ADD') for (const item of children) held.add(item), containerOf.set(item, holder);
    if (event.action === 'DELETE')
      for (const item of children.length > 0 ? children : [...held]) held.delete(item), containerOf.delete(item), last.set(item, { key: row.key, at: row.at });
    if (held.size > 0) contents.set(holder, held);
    else contents.delete(holder);
  }
}

/** The corrections among the events: `[{from, to, label}]`, with indices of rows. */
function correctionsOf(rows) {
  const named = new Map();
  for (const [at, { event }] of rows.entries()) if (typeof event.eventID === 'string') named.set(event.eventID, [...(named.get(event.eventID) ?? []), at]);
  const links = [];
  for (const [at, { event }] of rows.entries()) {
    const declaration = event.errorDeclaration;
    if (declaration === null || typeof declaration !== 'object') continue;
    for (const original of named.get(event.eventID) ?? [])
      if (original !== at && rows[original].event.errorDeclaration === undefined) links.push({ from: original, to: at, label: 'declared in error' });
    for (const id of strings(declaration.correctiveEventIDs))
      for (const corrected of named.get(id) ?? []) if (corrected !== at) links.push({ from: at, to: corrected, label: 'corrected by' });
  }
  return links;
}

/**
 * The graph of the flows: `{boxes, edges, omitted, flows, isGrouped, events}`. Boxes `{id, events, tone, type, title, place, when}` are
 * in order of time. Edges are `{from, to, items: [{id, text, short, family, inside}], total}`; an edge with `correction` leads to a
 * correcting event. `flows` counts every move of an item from box to box.
 */
export function flowOf(events, canonicalOf) {
  const { rows, isGrouped } = rowsOf(events, canonicalOf);
  const boxes = new Map();
  const edges = new Map();
  const years = new Set(rows.map(({ event }) => wallClock(String(event.eventTime), event.eventTimeZoneOffset)?.day.slice(-4)).filter(Boolean));

  const onRow = ({ event, index, key, place, isWrong }) => {
    let box = boxes.get(key);
    if (box === undefined) {
      const step = typeof event.bizStep === 'string' ? phrase(bareWord(event.bizStep)) : '';
      const name = typeof place === 'string' ? nameOf(place, canonicalOf(place)) : undefined;
      const clock = wallClock(String(event.eventTime), event.eventTimeZoneOffset);
      box = {
        id: boxes.size,
        key,
        events: [],
        total: 0,
        wrong: 0,
        tone: toneOf(event.type),
        type: typeName(String(event.type ?? '')),
        action: String(event.action ?? ''),
        title: step || eventTitle(event),
        place: name?.text ?? '',
        when: clock ? `${years.size > 1 ? clock.day : clock.day.slice(0, -5)}, ${clock.clock.slice(0, 5)} ${clock.zone}` : String(event.eventTime ?? ''),
      };
      boxes.set(key, box);
    }
    box.total += 1;
    if (isWrong) box.wrong += 1;
    if (box.events.length < 3) box.events.push(index);
  };
  let flows = 0;
  const onMove = ({ key }, item, from, contents) => {
    const name = `${from}>${key}`;
    let edge = edges.get(name);
    if (edge === undefined) edges.set(name, (edge = { from, to: key, items: [], seen: new Set() }));
    flows += 1;
    if (edge.seen.has(item)) return;
    edge.seen.add(item);
    if (edge.items.length >= 12) return;
    const { text, short, family } = nameOf(item, item);
    const held = contents.get(item);
    edge.items.push({
      id: item,
      text,
      short,
      family: family ?? '',
      inside: held === undefined ? 0 : held.size,
      held: held === undefined ? [] : [...held].slice(0, 24).map((id) => ({ id, text: nameOf(id, id).text, family: nameOf(id, id).family ?? '' })),
    });
  };
  walk(rows, { onRow, onMove });
  for (const { from, to, label } of isGrouped ? [] : correctionsOf(rows))
    edges.set(`${from}!${to}`, { from: rows[from].key, to: rows[to].key, items: [], seen: new Set(), correction: label });

  const all = [...boxes.values()];
  const kept = all.length <= BOXES ? all : [...all].sort((a, b) => b.total - a.total).slice(0, BOXES);
  const ids = new Map(kept.sort((a, b) => a.id - b.id).map((box, index) => [box.key, index]));
  return {
    isGrouped,
    boxes: kept.map((box) => ({ ...box, id: ids.get(box.key) })),
    edges: [...edges.values()]
      .filter(({ from, to }) => ids.has(from) && ids.has(to))
      .map(({ seen, ...edge }) => ({ ...edge, total: seen.size, name: `${edge.from}>${edge.to}`, from: ids.get(edge.from), to: ids.get(edge.to) })),
    omitted: all.length - kept.length,
    flows,
    events: rows.length,
  };
}

/** The timeline of the events: up to 60 slices, each with its counts by colour family and its first event. */
export function timelineOf(events, slices = 60) {
  const times = [];
  events.forEach((event, index) => {
    const time = instantOf(event?.eventTime);
    if (!Number.isNaN(time))
      times.push({ time, index, tone: toneOf(event.type), moment: { time: String(event.eventTime), offset: event.eventTimeZoneOffset } });
  });
  if (times.length === 0) return undefined;
  let [first, last] = [times[0], times[0]];
  for (const one of times) {
    if (one.time < first.time) first = one;
    if (one.time > last.time) last = one;
  }
  const [from, to] = [first.time, last.time];
  const width = (to - from) / slices;
  const bars = new Map();
  for (const { time, index, tone, moment } of times) {
    const at = width === 0 ? Math.floor(slices / 2) : Math.min(slices - 1, Math.floor((time - from) / width));
    const bar = bars.get(at) ?? { at, total: 0, first: index, earliest: time, moment, tones: {} };
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
