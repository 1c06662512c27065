// The story of a document in one sentence: who did what, where and when.
import { eventTitle } from './event-model.js';
import { addThings, plural, sayingOf, sideOf, stepOf, verbOf, wayOf, whoOf } from './event-words.js';
import { joined, placeWords, Tally } from './thing-words.js';
import { count, ownWords, phrase, wallClock } from './words.js';

/** How many things that happened are told, and fewer of them if the sentence would be longer than this. */
const TOLD = 4;
const LONGEST = 300;
/** How much a step matters in a story. What is not listed matters less; of these, the step of the most events matters most. */
const WEIGHTS = {
  shipping: 10,
  making: 9,
  receiving: 8,
  retail_selling: 8,
  dispensing: 8,
  destroying: 7,
  void_shipping: 7,
  decommissioning: 6,
  commissioning: 6,
  packing: 5,
  accepting: 4,
  unpacking: 3,
  inspecting: 3,
};

/**
 * The story of events: `{sentence, note}`. `rows` are those of the flow, in order of time; `names` has `canonicalOf` and `nameFor`. The
 * note says how many events there are, and what is not counted.
 */
export function storyOf(rows, names) {
  const counted = rows.filter(({ isWrong }) => !isWrong);
  const withdrawn = new Set(rows.filter(({ isWrong }) => isWrong).map(({ event, index }) => (typeof event.eventID === 'string' ? event.eventID : index))).size;
  const said = withdrawn === 0 ? '' : `${count(withdrawn, 'event')} declared in error, not counted.`;
  if (counted.length === 0) return { sentence: withdrawn === 0 ? '' : 'No event in this document counts: all were declared in error.', note: said };
  const note = [counted.length > 1 && `${count(counted.length, 'event')} in all.`, said].filter(Boolean).join(' ');
  const groups = groupsOf(counted, names);
  let sentence = '';
  for (let most = TOLD; most > 0 && (sentence === '' || sentence.length > LONGEST); most -= 1) sentence = told(clausesOf(groups, most, counted.length, names));
  return { sentence: `${periodOf(counted)}${sentence}.`, note };
}

/** Who sent the document, as words: the sender of its header, or the party that the first shipment comes from. Undefined if it does not say. */
export function senderOf(document, rows, names) {
  const sender = document?.sender;
  if (typeof sender === 'string' && /^(?:urn|https?):/.test(sender)) return placeWords(sender, names);
  const shipment = rows.find(({ event, isWrong }) => !isWrong && stepOf(event) === 'shipping' && Array.isArray(event.sourceList));
  const party = shipment?.event.sourceList.find((entry) => typeof entry?.source === 'string');
  return party === undefined ? undefined : placeWords(party.source, names);
}

/** When the events happened: `On 14 Sep 2026: `, `From 14 to 18 Sep 2026: `; empty if no event says. */
function periodOf(rows) {
  const timed = rows.filter(({ time }) => !Number.isNaN(time));
  if (timed.length === 0) return '';
  const [from, to] = [timed[0], timed.at(-1)].map(({ event }) => wallClock(String(event.eventTime), event.eventTimeZoneOffset).day.split(' '));
  if (from.join() === to.join()) return `On ${to.join(' ')}: `;
  const shared = from[2] !== to[2] ? 0 : from[1] !== to[1] ? 1 : 2;
  return `From ${from.slice(0, 3 - shared).join(' ')} to ${to.join(' ')}: `;
}

/** The events by step, in the order in which the steps were first taken. */
function groupsOf(rows, names) {
  const groups = new Map();
  for (const row of rows) {
    const { event } = row;
    const kind = event.type === 'TransformationEvent' ? 'making' : stepOf(event) || `${event.type} ${event.action}`;
    let group = groups.get(kind);
    if (group === undefined) {
      const [things, inputs, parents] = [new Tally(names), new Tally(names), new Tally(names)];
      group = { kind, row, events: 0, who: new Set(), things, inputs, parents, to: new Set(), from: new Set() };
      groups.set(kind, group);
    }
    group.events += 1;
    group.who.add(whoOf(event, names));
    addThings(group.things, event, sideOf(event));
    if (kind === 'making' && sideOf(event) === 'output') addThings(group.inputs, event, 'input');
    if (event.type === 'AggregationEvent' && event.action === 'ADD' && typeof event.parentID === 'string') group.parents.add(event.parentID);
    const { to, from } = wayOf(event, names);
    if (to !== undefined) group.to.add(to);
    if (from !== undefined) group.from.add(from);
  }
  return [...groups.values()];
}

/** What happened, by step: the `most` that tell the most, in order of time. */
function clausesOf(groups, most, total, names) {
  const chosen = groups
    .map((group, at) => ({ group, at, weight: WEIGHTS[group.kind] ?? 1 + group.events / (total + 1) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
    .sort((a, b) => a.at - b.at);
  // Where the things come from is told by their shipping.
  const isShipped = chosen.some(({ group }) => group.kind === 'shipping');
  return chosen.map(({ group }) => clauseOf(group, isShipped, names));
}

/** What happened in one step: `{who, verb, things, what}`, or `{sentence}` if the actor is unknown, or there is no verb for the step. */
function clauseOf({ kind, row, events, who, things, inputs, parents, to, from }, isShipped, names) {
  const { event } = row;
  const actors = [...who].filter((words) => words !== undefined);
  const subject = actors.length <= 2 ? joined(actors) : count(actors.length, 'place');
  const verb = verbOf(event);
  let [own, what] = [things.words(), ''];
  if (events === 1) {
    const saying = row.saying ?? sayingOf(event, names);
    [own, what] = [saying.things, isShipped && from.size > 0 ? saying.things : saying.what];
  } else {
    const after = [
      [' from ', inputs],
      [' into ', parents],
    ].find(([, tally]) => !tally.isEmpty);
    const tail =
      after !== undefined ? `${after[0]}${after[1].words()}` : to.size > 0 ? ` to ${several(to)}` : from.size > 0 && !isShipped ? ` from ${several(from)}` : '';
    what = `${things.isEmpty ? count(events, 'thing') : own}${tail}`;
  }
  if (actors.length > 0 && verb !== undefined) return { who: subject, verb: actors.length === 1 ? verb : plural(verb), things: own, what };
  const step = stepOf(event);
  const plain = kind === 'making' ? 'Transformation' : step === '' ? eventTitle(event) : verb === undefined ? ownWords(step) : phrase(step);
  return { things: own, sentence: `${actors.length === 0 ? plain : `${subject}: ${plain}`}${what === '' ? '' : `, ${what}`}` };
}

const several = (set) => (set.size <= 2 ? joined([...set]) : count(set.size, 'place'));

/** The clauses as a sentence. Who acts again is named once, and what was named before is `it` or `them`. */
function told(clauses) {
  const parts = [];
  let things = '';
  for (const clause of clauses) {
    const isSame = clause.things === things && things !== '';
    const pronoun = /^(?:an?|1 ×) /.test(things) && !/ and /.test(things) ? 'it' : 'them';
    const object = isSame ? clause.what?.replace(things, pronoun) : clause.what;
    const last = parts.at(-1);
    if (clause.sentence !== undefined) parts.push({ words: clause.sentence });
    else if (last?.who === clause.who) last.deeds.push(`${clause.verb} ${object}`);
    else parts.push({ who: clause.who, deeds: [`${clause.verb} ${object}`] });
    ({ things } = clause);
  }
  const text = parts.map(({ words, who, deeds }) => words ?? `${who} ${joined(deeds, deeds.length)}`.trimEnd()).join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
