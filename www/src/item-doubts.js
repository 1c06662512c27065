// What is uncertain about an item, as sentences in parts, each with the event that it is about.
import { textOf } from './event-model.js';
import { whenOf } from './item-words.js';
import { bareWord, count, phrase, typeName } from './words.js';

/** The most sentences of one kind. */
const FEW = 50;

const stepOf = (event) => (typeof event.bizStep === 'string' ? phrase(event.bizStep).toLowerCase() : typeName(textOf(event.type)).toLowerCase());
const reasonOf = ({ reason }) => (reason === undefined ? 'without a reason' : `because of “${bareWord(reason).replaceAll('_', ' ').slice(0, 200)}”`);

/** What a gap of the answer means. */
function gapWords({ reason, at, total }, ref) {
  const things = [ref(at[0] ?? ''), ...(total > 1 ? [` and ${count(total - 1, 'other')}`] : [])];
  switch (reason) {
    case 'maxEvents':
      return ['There are more events than are followed at once. Later or earlier events are missing of ', ...things, '.'];
    case 'depth':
      return ['The way goes on over more packings and transformations than are followed. It is not followed further from ', ...things, '.'];
    case 'time':
      return ['Some events are outside of the time that was asked for, of ', ...things, '.'];
    default:
      return ['There is more than one answer can hold. It is not followed further from ', ...things, '.'];
  }
}

/** The doubts `[{words, open, when}]`. `events` are those of the model. */
export function doubtsOf(answer, events, { own, ref, model }) {
  const doubts = [];
  const add = (entry, words) => doubts.push({ words, ...(entry && { open: entry.open, when: entry.when }) });
  for (const gap of answer.incomplete) add(undefined, gapWords(gap, ref));

  const ofItem = events.filter(({ presences }) => presences.length > 0);
  for (const entry of ofItem.filter(({ withdrawn }) => withdrawn).slice(0, FEW)) {
    const { event, declaration } = entry;
    const on = declaration?.at === undefined ? '' : ` on ${whenOf(declaration.at, event.eventTimeZoneOffset).date}`;
    const corrected = declaration?.correctiveEventIDs.length > 0 ? `. The correct event: ${declaration.correctiveEventIDs[0].slice(0, 100)}` : '';
    if (event.errorDeclaration !== undefined)
      add(entry, [`This declares an event wrong (${stepOf(event)})${on}, ${reasonOf(declaration ?? {})}. The event itself is not here${corrected}.`]);
    else add(entry, [`This event (${stepOf(event)}) does not count: it was declared wrong${on}, ${reasonOf(declaration ?? {})}${corrected}.`]);
  }
  for (const entry of ofItem.filter(({ disputed }) => disputed !== undefined).slice(0, FEW))
    add(entry, [`This event (${stepOf(entry.event)}) is disputed: somebody who did not report it declares it wrong, ${reasonOf(entry.disputed)}. It counts.`]);

  const counted = ofItem.filter(({ withdrawn }) => !withdrawn);
  const possible = counted.filter(({ presences }) => presences.some(({ certain }) => !certain));
  if (possible.length > 0)
    add(possible[0], [
      `${count(possible.length, 'event')} may be about it or not: the way there leads through a lot that was divided. The first is this one (${stepOf(possible[0].event)}).`,
    ]);
  const late = counted.filter(({ presences }) => presences.some(({ afterEnd }) => afterEnd));
  for (const entry of late.slice(0, FEW)) add(entry, [`This event (${stepOf(entry.event)}) names it after its end.`]);
  for (const one of counted.filter(({ when }) => when.clock === '').slice(0, FEW))
    add(one, [`This event (${stepOf(one.event)}) has no readable time. It is listed last.`]);

  for (const list of [model.now.list, model.earlier.list]) {
    const observed = list.filter(({ isObserved }) => isObserved);
    if (observed.length > 0) add(observed[0].from, [observed[0].item, ...others(observed), ' was seen inside, but nothing says when it went in.']);
    const implied = list.filter(({ isImplied }) => isImplied);
    if (implied.length > 0)
      add(implied[0].to, [implied[0].item, ...others(implied), ' was not taken out by an event that says so: it was found elsewhere, or used up.']);
    const maybe = list.filter(({ isPossible }) => isPossible);
    if (maybe.length > 0) add(undefined, [maybe[0].item, ...others(maybe), ' may have been inside, or not: a lot on the way was divided.']);
  }
  const origin = model.origin.list.filter(({ isPossible }) => isPossible);
  if (origin.length > 0) add(undefined, [origin[0].item, ...others(origin), ' may be in it, or not: a lot on the way was divided.']);
  if (own.size > 1) return doubts;
  const ended = model.where?.ended;
  if (ended !== undefined && model.where.inside !== undefined) add(ended, ['It ended, and nothing says that it was taken out of its container.']);
  return doubts;
}

const others = (list) => (list.length > 1 ? [` and ${count(list.length - 1, 'other')}`] : []);
