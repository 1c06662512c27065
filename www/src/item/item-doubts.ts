// What is uncertain about an item, as sentences in parts, each with the event that it is about.
import type { Followed, FollowedDeclaration, Gap } from '../../../wasm/js/follow/index.ts';
import { type AnyEvent, textOf } from '../events/event-model.ts';
import type { Content, Doubt, Entry, ItemModel, Link, Part, RefOf, Tied } from './item-shown.ts';
import { whenOf } from './item-words.ts';
import { bareWord, count, entryOf, phrase, typeName } from '../shared/words.ts';

/** The most sentences of one kind. */
const FEW = 50;

const stepOf = (event: AnyEvent): string =>
  typeof event.bizStep === 'string' ? phrase(event.bizStep).toLowerCase() : typeName(textOf(event.type)).toLowerCase();
const reasonOf = ({ reason }: Partial<FollowedDeclaration>) =>
  reason === undefined ? 'without a reason' : `because of “${bareWord(reason).replaceAll('_', ' ').slice(0, 200)}”`;

type Model = Omit<ItemModel, 'doubts'>;

/** What each gap of an answer means, before the things that it is about. */
const GAPS: Readonly<Record<Gap['reason'], string>> = {
  maxEvents: 'There are more events than are followed at once. Later or earlier events are missing of ',
  depth: 'The way goes on over more packings and transformations than are followed. It is not followed further from ',
  time: 'Some events are outside of the time that was asked for, of ',
  size: 'There is more than one answer can hold. It is not followed further from ',
};
const gapWords = ({ reason, at, total }: Gap, ref: RefOf): Part[] => [
  entryOf(GAPS, reason) ?? GAPS.size,
  ref(at[0] ?? ''),
  ...(total > 1 ? [` and ${count(total - 1, 'other')}`] : []),
  '.',
];

/** The doubts `[{words, open, when}]`. `events` are those of the model. */
export function doubtsOf(
  answer: Followed,
  events: readonly Entry[],
  { own, ref, same, model }: { readonly own: ReadonlySet<string>; readonly ref: RefOf; readonly same: (id: string) => string; readonly model: Model },
): Doubt[] {
  const doubts: Doubt[] = [];
  const add = (entry: Link | undefined, words: readonly Part[]) => doubts.push({ words, ...(entry && { open: entry.open, when: entry.when }) });
  for (const gap of answer.incomplete) add(undefined, gapWords(gap, ref));

  const ofItem = events.filter(({ presences }) => presences.length > 0);
  for (const entry of ofItem.filter(({ withdrawn }) => withdrawn).slice(0, FEW)) {
    const { event, declaration } = entry;
    const on = declaration?.at === undefined ? '' : ` on ${whenOf(declaration.at, event.eventTimeZoneOffset).date}`;
    const [correction] = declaration?.correctiveEventIDs ?? [];
    const corrected = correction === undefined ? '' : `. The correct event: ${correction.slice(0, 100)}`;
    if (event.errorDeclaration !== undefined)
      add(entry, [`this declares an event wrong (${stepOf(event)})${on}, ${reasonOf(declaration ?? {})}. The event itself is not here${corrected}.`]);
    else add(entry, [`this event (${stepOf(event)}) does not count: it was declared wrong${on}, ${reasonOf(declaration ?? {})}${corrected}.`]);
  }
  for (const entry of ofItem.filter(({ disputed }) => disputed !== undefined).slice(0, FEW))
    add(entry, [
      `this event (${stepOf(entry.event)}) is disputed: somebody who did not report it declares it wrong, ${reasonOf(entry.disputed ?? {})}. It counts.`,
    ]);

  const counted = ofItem.filter(({ withdrawn }) => !withdrawn);
  const possible = counted.filter(({ presences }) => presences.some(({ certain }) => !certain));
  if (isSome(possible))
    add(possible[0], [`begins what is only possible: ${count(possible.length, 'event')} may be about it or not, since a lot on the way was divided.`]);
  const late = counted.filter(({ presences }) => presences.some(({ afterEnd }) => afterEnd));
  for (const entry of late.slice(0, FEW)) add(entry, [`this event (${stepOf(entry.event)}) names it after its end.`]);
  for (const one of counted.filter(({ when }) => when.clock === '').slice(0, FEW))
    add(one, [`this event (${stepOf(one.event)}) has no readable time. It is listed last.`]);

  for (const list of [model.now.list, model.earlier.list]) {
    const observed = list.filter(({ isObserved }) => isObserved);
    if (isSome(observed)) add(observed[0].from, [observed[0].item, ...others(observed), ' was seen inside, but nothing says when it went in.']);
    const implied = list.filter(({ isImplied }) => isImplied);
    if (isSome(implied))
      add(implied[0].to, [implied[0].item, ...others(implied), ' was not taken out by an event that says so: it was found elsewhere, or used up.']);
    const maybe = list.filter(({ isPossible }) => isPossible);
    if (isSome(maybe)) add(undefined, [maybe[0].item, ...others(maybe), ' may have been inside, or not: a lot on the way was divided.']);
  }
  const origin = model.origin.list.filter(({ isPossible }) => isPossible);
  if (isSome(origin)) add(undefined, [origin[0].item, ...others(origin), ' may be in it, or not: a lot on the way was divided.']);
  if (own.size > 1) return doubts;
  const ended = model.where?.ended;
  const alone = aloneSince(model, counted, same);
  if (isSome(alone) && model.where?.inside !== undefined)
    add(alone[0], [
      `this event (${stepOf(alone[0].event)}) names it without `,
      model.where.inside,
      `, which it went into before. Nothing says that it was taken out${alone.length > 1 ? `; ${count(alone.length, 'event')} are like that` : ''}.`,
    ]);
  if (ended !== undefined && model.where?.inside !== undefined) add(ended, ['it ended, and nothing says that it was taken out of its container.']);
  return doubts;
}

/** The events that name an item, but not the container that it went into before and never left. */
function aloneSince({ where }: Model, counted: readonly Entry[], same: (id: string) => string): Entry[] {
  if (where?.inside?.position === undefined || where.isLot) return [];
  const { item: container, position: since } = where.inside;
  return counted.filter(({ position, event, presences }) => {
    if (position <= since || presences.every(({ how }) => how === 'inside')) return false;
    const named = [event.parentID, event.epcList, event.childEPCs].flat().filter((id) => typeof id === 'string');
    return !named.some((id) => same(id) === container);
  });
}

const isSome = <One>(list: readonly One[]): list is readonly [One, ...One[]] => list.length > 0;
const others = (list: readonly (Content | Tied)[]): string[] => (list.length > 1 ? [` and ${count(list.length - 1, 'other')}`] : []);
