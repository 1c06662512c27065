// What bounds the texts that are drawn: documents and gateways may have texts of any length.

/** The longest text of a model, in characters. */
const LONGEST = 2000;

/** A text up to a length, with a sign where it was cut. */
export const cutText = (text: string, most = LONGEST): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** A copy of a model with its texts cut. A model consists of texts, numbers, lists and plain objects, a few of them in each other. */
export const cutTexts = <Model>(model: Model): Model => cut(model) as Model;

function cut(model: unknown): unknown {
  if (typeof model === 'string') return cutText(model);
  if (Array.isArray(model)) return model.map(cut);
  if (model === null || typeof model !== 'object') return model;
  return Object.fromEntries(Object.entries(model).map(([name, value]) => [name, cut(value)]));
}
