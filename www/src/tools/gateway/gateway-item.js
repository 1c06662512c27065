// The page of an item from a gateway's answer to `POST /follow`, in the engine's thread. Loaded on demand.
import { wantedFor } from '../../../../wasm/js/names/asked-names.ts';
import { namesOf } from '../../../../wasm/js/names/names.ts';
import { cutTexts } from '../../shared/bounds.js';
import { isObject } from '../../events/event-model.js';
import { itemModel } from '../../item/item-model.js';
import { SHOWN_TEXT } from '../../shared/pretty.js';

const isText = (value) => typeof value === 'string';
const isList = (value, of) => Array.isArray(value) && value.every(of);
const isPresence = (one) => isObject(one) && isText(one.item) && isText(one.role) && (one.through === undefined || isList(one.through, isText));
const isEvent = (one) => isObject(one) && isObject(one.event) && isList(one.presences, isPresence);
const isContent = (one) => isObject(one) && isText(one.container) && isText(one.item) && isList(one.through, isText) && isObject(one.from);
const isTie = (one) => isObject(one) && isText(one.from) && isText(one.to);
const isGap = (one) => isObject(one) && isList(one.at, isText);

/** Parses an answer; undefined if it is no answer to `POST /follow`, since any server may be asked. */
function answerOf(text) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  const fits =
    isObject(answer) &&
    isList(answer.items, isText) &&
    answer.items.length > 0 &&
    isList(answer.events, isEvent) &&
    isList(answer.contents, isContent) &&
    isList(answer.ties, isTie) &&
    isList(answer.things, (one) => isObject(one) && isText(one.id)) &&
    isList(answer.incomplete, isGap);
  return fits ? answer : undefined;
}

/** The canonical form of identifiers, each computed once. */
function canonicalBy(identifiers) {
  const known = new Map();
  return (id) => {
    if (!known.has(id)) known.set(id, identifiers.toDigitalLink(id));
    return known.get(id);
  };
}

/** The identifiers whose master data the page asks the gateway for; undefined if the text is no answer. */
export function wantedOf(text, identifiers) {
  const answer = answerOf(text);
  return answer && wantedFor(answer, canonicalBy(identifiers));
}

/**
 * The model of the page, with names from `elements` of master data: `{model}` or `{problem}`. It opens an event by its position in the
 * answer.
 */
export function itemOf({ text, elements }, identifiers) {
  const answer = answerOf(text);
  const problem = { title: 'Not followed', detail: 'The gateway answered with something else than what happened to an item.' };
  if (answer === undefined) return { problem };
  const canonicalOf = canonicalBy(identifiers);
  try {
    return { model: cutTexts(itemModel(answer, { canonicalOf, names: namesOf([elements], canonicalOf), indexOf: (_, position) => position })) };
  } catch (error) {
    console.warn(error);
    return { problem };
  }
}

/** The event at a position of an answer, as indented JSON. */
export const sourceOf = (text, position) => JSON.stringify(answerOf(text)?.events[position]?.event ?? '', null, 2).slice(0, SHOWN_TEXT);
