// Following an item through a document: asks the following engine, and finds its answer in the picture. Loaded on demand.
import { attempt } from '../../../wasm/document/attempt.ts';
import { rowsOf, walk } from '../flow/flow.js';
import { nameOf } from '../shared/words.js';

/** The most events of an answer. */
const MOST = 10_000;
/** The most names of sources or products in the line below the picture. */
const NAMES = 50;

/**
 * What the following engine answers about an item: `{value}` or `{problem}`. The `index` of each event is its place in the document. XML
 * is followed through its translation.
 */
export function followIn(input, follow, item, contents = 'none') {
  const { source, places } = input.askable;
  const { value, problem } = attempt(() => follow(source, { items: item, contents, maxEvents: MOST }));
  for (const event of value?.events ?? []) event.index = places[event.index];
  return { value, problem };
}

/** The things that ties lead to from `items`, over any number of transformations. `side` is where a tie is left: `from` or `to`. */
export function madeFrom(ties, items, side) {
  const other = side === 'to' ? 'from' : 'to';
  const bySide = new Map();
  for (const tie of ties) {
    if (tie.kind !== 'made') continue;
    if (!bySide.has(tie[side])) bySide.set(tie[side], []);
    bySide.get(tie[side]).push(tie);
  }
  const found = new Map();
  const seen = new Set(items);
  let next = [...items];
  for (let depth = 1; next.length > 0; depth += 1) {
    const ties = next.flatMap((id) => bySide.get(id) ?? []);
    next = [];
    for (const tie of ties) {
      const id = tie[other];
      if (seen.has(id)) continue;
      seen.add(id);
      found.set(id, { tie, depth });
      next.push(id);
    }
  }
  return found;
}

/**
 * The path of an item in the picture: `{boxes, edges, sources, products, events, isWhole}`, or `{problem}`. Boxes and edges are keys,
 * sources and products are names. A strand is on the path if something followed is at both of its ends and travels on it: as the item
 * that the strand stands for, or inside of that.
 */
export function pathOf(input, follow, item) {
  const { value: answer, problem } = followIn(input, follow, item);
  if (problem !== undefined) return { problem };
  const { rows } = rowsOf(input);
  const keys = new Map(rows.map(({ index, key }) => [index, key]));
  /** For each box, the followed things there, and those inside of each container. */
  const there = new Map();
  let events = 0;
  for (const { index, withdrawn, presences } of answer.events) {
    if (withdrawn) continue;
    events += 1;
    const key = keys.get(index);
    if (!there.has(key)) there.set(key, { things: new Set(), inside: new Map() });
    const { things, inside } = there.get(key);
    for (const { item: id, through = [] } of presences) {
      things.add(id);
      for (const container of through) {
        if (!inside.has(container)) inside.set(container, new Set());
        inside.get(container).add(id);
      }
    }
  }
  const edges = new Set();
  const childrenOf = (row, parent) => (row.holder === parent ? row.children : []);
  walk(rows, {
    onMove(row, one, from) {
      const edge = `${from.key}>${row.key}`;
      const [before, after] = [there.get(from.key), there.get(row.key)];
      if (before === undefined || after === undefined || edges.has(edge)) return;
      const isOn = (id) => before.things.has(id) && after.things.has(id);
      for (const ids of [[one], after.inside.get(one) ?? [], before.inside.get(one) ?? [], childrenOf(from, one), childrenOf(row, one)])
        for (const id of ids) {
          if (!isOn(id)) continue;
          edges.add(edge);
          return;
        }
    },
  });
  const names = (side) => [...madeFrom(answer.ties, answer.items, side).keys()].slice(0, NAMES).map((id) => nameOf(id, id).text);
  return { boxes: [...there.keys()], edges: [...edges], sources: names('to'), products: names('from'), events, isWhole: answer.incomplete.length === 0 };
}
