// The story of a document in one sentence: who did what, where and when.
import { addThings, isOfThings, plural, sayingOf, sideOf, stepOf, verbOf, wayOf, whoOf } from './event-words.ts';
import type { FlowRow } from '../flow/flow.ts';
import { joined, type Named, placeWords, Tally } from '../shared/thing-words.ts';
import { capital, count, entryOf, wallClock } from '../shared/words.ts';

/** How many things that happened are told, and fewer of them if the sentence would be longer than this. */
const TOLD = 4;
const LONGEST = 300;
/** How much a step matters in a story. What is not listed matters less; of these, the step of the most events matters most. */
const WEIGHTS: Readonly<Record<string, number>> = {
  shipping: 10,
  making: 9,
  farmHarvest: 9,
  fishingEvent: 9,
  hatching: 9,
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

/** What happened in one step. */
interface Group {
  readonly kind: string;
  readonly row: FlowRow;
  events: number;
  readonly who: Set<string | undefined>;
  readonly things: Tally;
  readonly inputs: Tally;
  readonly parents: Tally;
  readonly to: Set<string>;
  readonly from: Set<string>;
}

/** One step in words: of who acts, of things that do something somewhere, or as a sentence. */
interface Clause {
  readonly things: string;
  readonly isMany: boolean | undefined;
  readonly who?: string;
  readonly verb?: string;
  readonly what?: string;
  readonly before?: string;
  readonly after?: string;
  readonly sentence?: string;
}

/** The story of a document. */
export interface Story {
  readonly sentence: string;
  readonly note: string;
}

/**
 * The story of events: `{sentence, note}`. `rows` are those of the flow, in order of time; `names` has `canonicalOf` and `nameFor`. The
 * note says how many events there are, and what is not counted.
 */
export function storyOf(rows: readonly FlowRow[], names: Named): Story {
  const counted = rows.filter(({ isWrong }) => !isWrong);
  const withdrawn = new Set(rows.filter(({ isWrong }) => isWrong).map(({ event, index }) => (typeof event.eventID === 'string' ? event.eventID : index))).size;
  const said = withdrawn === 0 ? '' : `${count(withdrawn, 'event')} declared in error, not counted.`;
  if (counted.length === 0) return { sentence: withdrawn === 0 ? '' : 'No event in this document counts: all were declared in error.', note: said };
  const note = [counted.length > 1 && `${count(counted.length, 'event')} in all.`, said].filter(Boolean).join(' ');
  const groups = groupsOf(counted, names);
  let sentence = '';
  for (let most = TOLD; most > 0 && (sentence === '' || sentence.length > LONGEST); most -= 1) sentence = told(clausesOf(groups, most, counted.length, names));
  const period = periodOf(counted);
  return { sentence: `${period}${period === '' ? capital(sentence) : sentence}.`, note };
}

/** Who sent the document, as words: the sender of its header, or the party that the first shipment comes from. Undefined if it does not say. */
export function senderOf(document: { readonly sender?: unknown } | null | undefined, rows: readonly FlowRow[], names: Named): string | undefined {
  const sender = document?.sender;
  if (typeof sender === 'string' && /^(?:urn|https?):/.test(sender)) return placeWords(sender, names);
  const shipment = rows.find(({ event, isWrong }) => !isWrong && stepOf(event) === 'shipping' && Array.isArray(event.sourceList));
  const list = (shipment?.event.sourceList ?? []) as readonly ({ readonly source?: unknown } | null)[];
  const source = list.map((entry) => entry?.source).find((one) => typeof one === 'string');
  return source === undefined ? undefined : placeWords(source, names);
}

/** When the events happened: `On 14 Sep 2026: `, `From 14 to 18 Sep 2026: `; empty if no event says. */
function periodOf(rows: readonly FlowRow[]): string {
  const timed = rows.filter(({ time }) => !Number.isNaN(time));
  if (timed.length === 0) return '';
  const day = ({ event }: FlowRow): string[] => wallClock(String(event.eventTime), event.eventTimeZoneOffset)!.day.split(' ');
  const [from, to] = [day(timed[0]!), day(timed.at(-1)!)];
  if (from.join() === to.join()) return `On ${to.join(' ')}: `;
  const shared = from[2] !== to[2] ? 0 : from[1] !== to[1] ? 1 : 2;
  return `From ${from.slice(0, 3 - shared).join(' ')} to ${to.join(' ')}: `;
}

/** The events by step, in the order in which the steps were first taken. */
function groupsOf(rows: readonly FlowRow[], names: Named): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const { event } = row;
    const isMade = event.type === 'TransformationEvent';
    const kind = isMade && ['makes', 'uses up'].includes(verbOf(event) ?? '') ? 'making' : stepOf(event) || `${event.type} ${event.action}`;
    let group = groups.get(kind);
    if (group === undefined) {
      const [things, inputs, parents] = [new Tally(names), new Tally(names), new Tally(names)];
      group = { kind, row, events: 0, who: new Set(), things, inputs, parents, to: new Set(), from: new Set() };
      groups.set(kind, group);
    }
    group.events += 1;
    group.who.add(whoOf(event, names));
    addThings(group.things, event, sideOf(event));
    if (isMade && sideOf(event) === 'output') addThings(group.inputs, event, 'input');
    if (event.type === 'AggregationEvent' && event.action === 'ADD' && typeof event.parentID === 'string') group.parents.add(event.parentID);
    const { to, from } = wayOf(event, names);
    if (to !== undefined) group.to.add(to);
    if (from !== undefined) group.from.add(from);
  }
  return [...groups.values()];
}

/** What happened, by step: the `most` that tell the most, in order of time. */
function clausesOf(groups: readonly Group[], most: number, total: number, names: Named): Clause[] {
  const chosen = groups
    .map((group, at) => ({ group, at, weight: entryOf(WEIGHTS, group.kind) ?? 1 + group.events / (total + 1) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
    .sort((a, b) => a.at - b.at);
  // Where the things come from is told by their shipping.
  const isShipped = chosen.some(({ group }) => group.kind === 'shipping');
  return chosen.map(({ group }) => clauseOf(group, isShipped, names));
}

/**
 * What happened in one step: `{things, isMany}`, and `{who, verb, what}` of who acts; or `{before, verb}` with `after`, where the things
 * are the subject; or `{sentence}` if the actor is unknown, or there is no verb for the step.
 */
function clauseOf({ kind, row, events, who, things, inputs, parents, to, from }: Group, isShipped: boolean, names: Named): Clause {
  const { event } = row;
  const actors = [...who].filter((words) => words !== undefined);
  const subject = actors.length <= 2 ? joined(actors) : count(actors.length, 'place');
  const saying = row.saying ?? sayingOf(event, names);
  let { things: own, isMany, after } = saying;
  if (events === 1) {
    if (isShipped && from.size > 0) after = '';
  } else {
    const inner = (
      [
        [' from ', inputs],
        [' into ', parents],
      ] as const
    ).find(([, tally]) => !tally.isEmpty);
    after =
      inner !== undefined ? `${inner[0]}${inner[1].words()}` : to.size > 0 ? ` to ${several(to)}` : from.size > 0 && !isShipped ? ` from ${several(from)}` : '';
    [own, isMany] = things.isEmpty ? ['', events > 1] : [things.words(), things.isMany];
  }
  const verb = verbOf(event);
  if (verb !== undefined && isOfThings(verb)) {
    const at = actors.length === 0 ? verb.replace(/ at$/, '') : `${verb} ${subject}`;
    // Where they come from or go to is told behind the place, all else before it.
    const isWay = to.size + from.size > 0;
    return { things: own, isMany, before: isWay ? '' : after, verb: isMany ? plural(at) : at, after: isWay ? after : '' };
  }
  if (own === '' && events > 1) own = count(events, 'thing');
  const what = `${own}${after}`.trim();
  if (actors.length > 0 && verb !== undefined) return { who: subject, verb: actors.length === 1 ? verb : plural(verb), things: own, isMany, what };
  const plain = kind === 'making' ? 'transformation' : saying.plain;
  return { things: own, isMany, sentence: `${actors.length === 0 ? plain : `${subject}: ${plain}`}${what === '' ? '' : `, ${what}`}` };
}

const several = (set: ReadonlySet<string>) => (set.size <= 2 ? joined([...set]) : count(set.size, 'place'));

/** The clauses as a sentence. Who acts again is named once, and what was named before is `it` or `them`. */
function told(clauses: readonly Clause[]): string {
  const parts: { readonly words?: string; readonly who?: string | undefined; readonly deeds?: string[] }[] = [];
  let things = '';
  for (const { who, verb, isMany, what, sentence, before, after, things: own } of clauses) {
    const isSame = own === things && things !== '';
    const object = isSame ? what?.replace(things, isMany ? 'them' : 'it') : what;
    const last = parts.at(-1);
    if (sentence !== undefined) parts.push({ words: sentence });
    else if (before !== undefined) {
      const subject = isSame ? (isMany ? 'they' : 'it') : own;
      parts.push({ words: `${subject === '' ? before.replace(/^ \((.*)\)$/, '$1') || 'something' : `${subject}${before}`} ${verb}${after}` });
    } else if (last?.deeds !== undefined && last.who === who) last.deeds.push(`${verb} ${object}`);
    else parts.push({ who, deeds: [`${verb} ${object}`] });
    things = own;
  }
  return parts.map(({ words, who, deeds }) => words ?? `${who} ${joined(deeds ?? [], deeds?.length)}`.trimEnd()).join('; ');
}
