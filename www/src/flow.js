// How items go from event to event: the graph behind the picture, and the timeline.
import { bareWord, nameOf, phrase, toneOf, typeName, wallClock } from './words.js';

/** Up to this many events each is a box of its own; above, events of one kind, step and place share one. */
export const SINGLE_EVENTS = 40;
/** The most boxes that are drawn. */
export const BOXES = 40;

const listOf = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
const strings = (value) => listOf(value).filter((entry) => typeof entry === 'string');
const classes = (value) =>
  listOf(value)
    .map((entry) => entry?.epcClass)
    .filter((entry) => typeof entry === 'string');

/** What an event takes up and what it leaves behind; the same but for transformations. */
function touched(event) {
  const parent = strings(event.parentID);
  const inputs = [...strings(event.inputEPCList), ...classes(event.inputQuantityList)];
  const outputs = [...strings(event.outputEPCList), ...classes(event.outputQuantityList)];
  const items = [...strings(event.epcList), ...classes(event.quantityList)];
  const children = [...strings(event.childEPCs), ...classes(event.childQuantityList)];
  return { parent, children, into: [...inputs, ...items, ...children, ...parent], out: [...outputs, ...items, ...children, ...parent] };
}

/**
 * `{boxes, edges, omitted, isGrouped}`: boxes `{id, events, tone, type, title, place, when}` in order of time, edges
 * `{from, to, items: [{name, family, inside}], total}`. What is inside a parent travels with it.
 */
export function flowOf(events, canonicalOf) {
  const timed = events
    .map((event, index) => ({ event, index, time: Date.parse(event?.eventTime) }))
    .filter(({ event }) => event !== null && typeof event === 'object');
  timed.sort((a, b) => (Number.isNaN(a.time) ? Infinity : a.time) - (Number.isNaN(b.time) ? Infinity : b.time) || a.index - b.index);
  const isGrouped = timed.length > SINGLE_EVENTS;

  const canon = new Map();
  const same = (id) => {
    let known = canon.get(id);
    if (known === undefined) canon.set(id, (known = canonicalOf(id) ?? id));
    return known;
  };

  const boxes = new Map();
  const edges = new Map();
  const last = new Map();
  const contents = new Map();
  const containerOf = new Map();

  for (const { event, index } of timed) {
    const place = event.bizLocation?.id ?? event.readPoint?.id;
    const key = isGrouped ? `${event.type}|${event.action}|${event.bizStep}|${place}` : `${index}`;
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
        tone: toneOf(event.type),
        type: typeName(String(event.type ?? '')),
        action: String(event.action ?? ''),
        title: step || `${typeName(String(event.type ?? 'Event'))} event`,
        place: name?.text ?? '',
        when: clock ? `${clock.day.slice(0, -5)}, ${clock.clock.slice(0, 5)}` : '',
      };
      boxes.set(key, box);
    }
    box.total += 1;
    if (box.events.length < 3) box.events.push(index);

    const { parent, children, into, out } = touched(event);
    const present = new Set(into.map(same));
    for (const item of present) {
      // Inside a parent that is here too: the parent brings it.
      const container = containerOf.get(item);
      if (container !== undefined && present.has(container)) continue;
      const from = last.get(container !== undefined && (last.get(container)?.order ?? -1) > (last.get(item)?.order ?? -1) ? container : item);
      if (from === undefined || from.key === key) continue;
      const name = `${from.key}>${key}`;
      let edge = edges.get(name);
      if (edge === undefined) edges.set(name, (edge = { from: from.key, to: key, items: [], total: 0 }));
      edge.total += 1;
      if (edge.items.length < 12) {
        const { text, short, family } = nameOf(item, item);
        const held = contents.get(item);
        edge.items.push({
          id: item,
          text,
          short,
          family: family ?? '',
          inside: held === undefined ? 0 : held.size,
          held: held === undefined ? [] : [...held].slice(0, 24).map((id) => ({ id, family: nameOf(id, id).family ?? '' })),
        });
      }
    }
    const order = box.total + (last.order ?? 0);
    last.order = order;
    for (const item of out.map(same)) last.set(item, { key, order });
    // An input that is used up goes nowhere any more, unless somebody still touches it.
    const [holder] = parent.map(same);
    if (holder !== undefined && (event.type === 'AggregationEvent' || event.type === 'AssociationEvent')) {
      const held = contents.get(holder) ?? new Set();
      const inside = children.map(same);
      if (event.action === 'ADD') inside.forEach((item) => (held.add(item), containerOf.set(item, holder)));
      if (event.action === 'DELETE')
        (inside.length > 0 ? inside : [...held]).forEach((item) => (held.delete(item), containerOf.delete(item), last.set(item, { key, order })));
      if (held.size > 0) contents.set(holder, held);
      else contents.delete(holder);
    }
  }

  const all = [...boxes.values()];
  const kept = all.length <= BOXES ? all : [...all].sort((a, b) => b.total - a.total).slice(0, BOXES);
  const ids = new Map(kept.sort((a, b) => a.id - b.id).map((box, index) => [box.key, index]));
  return {
    isGrouped,
    boxes: kept.map(({ key, ...box }) => ({ ...box, id: ids.get(key) })),
    edges: [...edges.values()]
      .filter(({ from, to }) => ids.has(from) && ids.has(to))
      .map((edge) => ({ ...edge, from: ids.get(edge.from), to: ids.get(edge.to) })),
    omitted: all.length - kept.length,
    events: timed.length,
  };
}

/** The events on a line of time: up to 60 slices, each with its counts by colour family and its first event. */
export function timelineOf(events, slices = 60) {
  const times = [];
  events.forEach((event, index) => {
    const time = Date.parse(event?.eventTime);
    if (!Number.isNaN(time)) times.push({ time, index, tone: toneOf(event.type) });
  });
  if (times.length === 0) return undefined;
  let [from, to] = [Infinity, -Infinity];
  for (const { time } of times) [from, to] = [Math.min(from, time), Math.max(to, time)];
  const width = (to - from) / slices;
  const bars = new Map();
  for (const { time, index, tone } of times) {
    const at = width === 0 ? Math.floor(slices / 2) : Math.min(slices - 1, Math.floor((time - from) / width));
    const bar = bars.get(at) ?? { at, total: 0, first: index, tones: {} };
    bar.total += 1;
    bar.tones[tone] = (bar.tones[tone] ?? 0) + 1;
    bars.set(at, bar);
  }
  return { from, to, slices, bars: [...bars.values()].sort((a, b) => a.at - b.at), highest: Math.max(...[...bars.values()].map(({ total }) => total)) };
}
