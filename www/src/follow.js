// The way of one item through the events, loaded when somebody follows one.
import { nameOf } from './words.js';

/** The deepest nesting of containers that is looked into. */
const DEEPEST = 12;

/**
 * The way of one item, back to what it was made from and on to what was made of it, inside of containers too: `{boxes, edges,
 * sources, products}`, boxes and edges by their keys, sources and products by their names.
 */
export function followOf({ rows, same }, walk, id) {
  const item = same(id);
  const right = rows.filter(({ isWrong }) => !isWrong);
  // Until when something is an ancestor, from when on something is a descendant.
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
