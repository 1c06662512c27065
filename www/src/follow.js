// The path of one item through the events. Loaded on demand.
import { nameOf } from './words.js';

/** The maximum depth of nested containers that is searched. */
const DEEPEST = 12;

/**
 * The path of one item, from its sources to its products, also inside containers: `{boxes, edges, sources, products}`. Boxes and edges
 * are keys, sources and products are names.
 */
export function followOf({ rows, same }, walk, id) {
  const item = same(id);
  const right = rows.filter(({ isWrong }) => !isWrong);
  // `until`: the last row at which an item is an ancestor of the item; `since`: the first row at which it is a descendant.
  const until = new Map([[item, Infinity]]);
  for (const { at, inputs, outputs } of [...right].reverse())
    if (outputs.some((output) => (until.get(output) ?? -1) >= at)) for (const input of inputs) until.set(input, Math.max(until.get(input) ?? -1, at));
  const since = new Map([[item, -1]]);
  for (const { at, inputs, outputs } of right)
    if (inputs.some((input) => since.has(input) && since.get(input) <= at)) for (const output of outputs) if (!since.has(output)) since.set(output, at);
  const isOn = (one, at) => (until.get(one) ?? -1) >= at || (since.get(one) ?? Infinity) <= at;
  const holds = (one, at, contents, depth = 0) =>
    depth < DEEPEST && [...(contents.get(one) ?? [])].some((inner) => isOn(inner, at) || holds(inner, at, contents, depth + 1));
  const [boxes, edges] = [new Set(), new Set()];
  walk(rows, {
    onRow({ at, key, present, outputs, isWrong }, contents) {
      if (!isWrong && [...present, ...outputs].some((one) => isOn(one, at) || holds(one, at, contents))) boxes.add(key);
    },
    onMove({ at, key }, one, from, contents) {
      if (isOn(one, at) || holds(one, at, contents)) edges.add(`${from}>${key}`);
    },
  });
  const names = (map) =>
    [...map.keys()]
      .filter((one) => one !== item)
      .slice(0, 50)
      .map((one) => nameOf(one, one).text);
  return { boxes: [...boxes], edges: [...edges], sources: names(until), products: names(since) };
}
