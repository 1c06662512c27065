// Following an item through a document: asks the following engine, and finds its answer in the picture. Loaded on demand.
import { attempt } from '../../../wasm/document/attempt.ts';
import type { Followed, FollowedEvent, FollowRequest, follow, Tie } from '../../../wasm/js/follow/index.ts';
import type { Attempt, Problem } from '../engine/answers.ts';
import { type FlowRow, rowsOf, walk } from '../flow/flow.ts';
import type { StoryInput } from '../flow/history.ts';
import { ensured } from '../shared/ensured.ts';
import { nameOf } from '../shared/words.ts';

/** The most events of an answer. */
const MOST = 10_000;
/** The most names of sources or products in the line below the picture. */
const NAMES = 50;

/** The function of the following engine. */
export type Follow = typeof follow;

/** The path of an item in the picture. */
export interface Path {
  readonly boxes: readonly string[];
  readonly edges: readonly string[];
  readonly sources: readonly string[];
  readonly products: readonly string[];
  readonly events: number;
  readonly isWhole: boolean;
  readonly problem?: undefined;
}

/**
 * What the following engine answers about an item: `{value}` or `{problem}`. The `index` of each event is its place in the document. XML
 * is followed through its translation.
 */
export function followIn(input: StoryInput, follow: Follow, item: string, contents: FollowRequest['contents'] = 'none'): Attempt<Followed> {
  const { source, places } = input.askable;
  const answer = attempt(() => follow(source ?? [], { items: item, contents, maxEvents: MOST }));
  for (const event of (answer.value?.events ?? []) as Writable<FollowedEvent>[]) event.index = places[event.index]!;
  return answer;
}

type Writable<Value> = { -readonly [Member in keyof Value]: Value[Member] };

/** The things that ties lead to from `items`, over any number of transformations. `side` is where a tie is left: `from` or `to`. */
export function madeFrom<Own extends Tie>(
  ties: readonly Own[],
  items: Iterable<string>,
  side: 'from' | 'to',
): Map<string, { readonly tie: Own; readonly depth: number }> {
  const other = side === 'to' ? 'from' : 'to';
  const bySide = new Map<string, Own[]>();
  for (const tie of ties) {
    if (tie.kind !== 'made') continue;
    ensured(bySide, tie[side], () => []).push(tie);
  }
  const found = new Map<string, { readonly tie: Own; readonly depth: number }>();
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
export function pathOf(input: StoryInput, follow: Follow, item: string): Path | { readonly problem: Problem } {
  const { value: answer, problem } = followIn(input, follow, item);
  if (problem !== undefined) return { problem };
  const { rows } = rowsOf(input);
  const keys = new Map(rows.map(({ index, key }) => [index, key]));
  /** For each box, the followed things there, and those inside of each container. */
  const there = new Map<string, { readonly things: Set<string>; readonly inside: Map<string, Set<string>> }>();
  let events = 0;
  for (const { index, withdrawn, presences } of answer.events) {
    if (withdrawn) continue;
    events += 1;
    const key = keys.get(index)!;
    const { things, inside } = ensured(there, key, () => ({ things: new Set(), inside: new Map() }));
    for (const { item: id, through = [] } of presences) {
      things.add(id);
      for (const container of through) ensured(inside, container, () => new Set()).add(id);
    }
  }
  const edges = new Set<string>();
  const childrenOf = (row: FlowRow, parent: string) => (row.holder === parent ? row.children : []);
  walk(rows, {
    onMove(row, one, from) {
      const edge = `${from.key}>${row.key}`;
      const [before, after] = [there.get(from.key), there.get(row.key)];
      if (before === undefined || after === undefined || edges.has(edge)) return;
      const isOn = (id: string) => before.things.has(id) && after.things.has(id);
      for (const ids of [[one], after.inside.get(one) ?? [], before.inside.get(one) ?? [], childrenOf(from, one), childrenOf(row, one)])
        for (const id of ids) {
          if (!isOn(id)) continue;
          edges.add(edge);
          return;
        }
    },
  });
  const names = (side: 'from' | 'to'): string[] => [...madeFrom(answer.ties, answer.items, side).keys()].slice(0, NAMES).map((id) => nameOf(id, id).text);
  return {
    boxes: [...there.keys()],
    edges: [...edges],
    sources: names('to'),
    products: names('from'),
    events,
    isWhole: answer.incomplete.length === 0,
  };
}
