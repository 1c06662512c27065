// The page of an item from a gateway's answer to `POST /follow`, in the engine's thread. Loaded on demand.
import type { Followed } from '../../../../wasm/js/follow/index.ts';
import type { FollowedList } from '../../../../wasm/js/follow/lists.ts';
import { type Wanted, wantedFor } from '../../../../wasm/js/names/asked-names.ts';
import { type CanonicalOf, type Element, namesOf } from '../../../../wasm/js/names/names.ts';
import { cutTexts } from '../../shared/bounds.ts';
import { isObject } from '../../events/event-model.ts';
import type { Problem } from '../../engine/answers.ts';
import type { PageEngine } from '../../engine/page-engine.ts';
import { itemModel } from '../../item/item-model.ts';
import type { ItemModel } from '../../item/item-shown.ts';
import { SHOWN_TEXT } from '../../shared/pretty.ts';

type Identifiers = Pick<PageEngine['identifiers'], 'toDigitalLink'>;
/** An object of an answer that any server may have sent. */
type Sent = Readonly<Record<string, unknown>>;

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown, of: (one: Sent) => boolean) => Array.isArray(value) && value.every(of);
const isPresence = (one: Sent): boolean => isObject(one) && isText(one.item) && isText(one.role) && (one.through === undefined || isList(one.through, isText));
const isEvent = (one: Sent): boolean => isObject(one) && isObject(one.event) && isList(one.presences, isPresence);
const isContent = (one: Sent): boolean => isObject(one) && isText(one.container) && isText(one.item) && isList(one.through, isText) && isObject(one.from);
const isTie = (one: Sent): boolean => isObject(one) && isText(one.from) && isText(one.to);
const isGap = (one: Sent): boolean => isObject(one) && isList(one.at, isText);
const isThing = (one: Sent): boolean => isObject(one) && isText(one.id);
const LISTS: Readonly<Record<FollowedList, (one: Sent) => boolean>> = {
  items: isText,
  events: isEvent,
  contents: isContent,
  ties: isTie,
  things: isThing,
  incomplete: isGap,
};

/** Parses an answer; undefined if it is no answer to `POST /follow`, since any server may be asked. */
function answerOf(text: string): Followed | undefined {
  let answer: Followed;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  const fits = isObject(answer) && Object.entries(LISTS).every(([name, is]) => isList(answer[name as FollowedList], is));
  return fits && answer.items.length > 0 ? answer : undefined;
}

/** The canonical form of identifiers, each computed once. */
function canonicalBy(identifiers: Identifiers): CanonicalOf {
  const known = new Map<string, string | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, identifiers.toDigitalLink(id));
    return known.get(id);
  };
}

/** The identifiers whose master data the page asks the gateway for; undefined if the text is no answer. */
export function wantedOf(text: string, identifiers: Identifiers): Wanted | undefined {
  const answer = answerOf(text);
  return answer && wantedFor(answer, canonicalBy(identifiers));
}

/** An answer to `POST /follow` as received, and what master data says of the things in it. */
export interface GatewayAnswer {
  readonly text: string;
  readonly elements: readonly Element[];
}

/**
 * The model of the page, with names from `elements` of master data: `{model}` or `{problem}`. It opens an event by its position in the
 * answer.
 */
export function itemOf(
  { text, elements }: GatewayAnswer,
  identifiers: Identifiers,
): { readonly model: ItemModel; readonly problem?: undefined } | { readonly model?: undefined; readonly problem: Problem } {
  const answer = answerOf(text);
  const problem = { type: 'about:blank', title: 'Not followed', detail: 'The gateway answered with something else than what happened to an item.' };
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
export const sourceOf = (text: string, position: number): string => JSON.stringify(answerOf(text)?.events[position]?.event ?? '', null, 2).slice(0, SHOWN_TEXT);
