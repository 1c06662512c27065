// An answer of following as lines for people: the life of each thing, what was inside of what, and what is missing.
import { wordOf } from '../cbv/index.ts';
import type { Lists } from '../cbv/index.ts';
import { identifiers } from '../engine/node.ts';
import type { Content, Followed, FollowedDeclaration, FollowedEvent, FollowedQuantity, Gap, Presence, Thing } from '../follow/index.ts';
import { type Line, paint } from './harmless.ts';

/** The most identifiers in one line. */
const NAMED = 5;

/** Gives an identifier with its name. */
type Called = (id: string) => string;

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Identifiers in a line: the first of them, and the number of the others. `total` counts them all, if not all are given. */
function listed(ids: readonly string[], called: Called, total = ids.length): string {
  const shown = ids.slice(0, NAMED).map(called);
  const more = total - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** An identifier as the answer writes it. */
const idOf = (text: unknown): string | undefined => (typeof text === 'string' ? (identifiers.toDigitalLink(text) ?? text) : undefined);

/** The things in fields of an event, without repetition. */
function thingsIn(event: FollowedEvent['event'], fields: readonly string[]): string[] {
  const entries: unknown[] = fields.flatMap((field) => event[field] ?? []);
  const ids = entries.map((entry) => idOf((entry as { readonly epcClass?: unknown } | null)?.epcClass ?? entry));
  return [...new Set(ids.filter((id) => id !== undefined))];
}

const CHILDREN = ['childEPCs', 'childQuantityList'];
const INPUTS = ['inputEPCList', 'inputQuantityList'];
const OUTPUTS = ['outputEPCList', 'outputQuantityList'];

/** Words by the type of an event, and by its action. */
type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The words for the effect of an event on a child, before the container. */
const OF_A_CHILD: Words = {
  AggregationEvent: { ADD: 'packed into', OBSERVE: 'found inside of', DELETE: 'taken out of' },
  AssociationEvent: { ADD: 'attached to', OBSERVE: 'found attached to', DELETE: 'taken off' },
};
/** The words for its effect on the container, after the number of things. */
const OF_A_PARENT: Words = {
  AggregationEvent: { ADD: 'packed into it', OBSERVE: 'found inside of it', DELETE: 'taken out of it' },
  AssociationEvent: { ADD: 'attached to it', OBSERVE: 'found attached to it', DELETE: 'taken off it' },
};
const OF_AN_OBJECT: Readonly<Record<string, string>> = { ADD: 'created', OBSERVE: 'seen', DELETE: 'ended' };

/** What a table says of a word, and not what every object has: an answer may say `constructor`. */
const entryOf = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined => (Object.hasOwn(table, word) ? table[word] : undefined);
/** The words for the effect of an event. */
const effectOf = (words: Words, type: string, action: string): string | undefined => entryOf(entryOf(words, type) ?? {}, action);

/** What happens in an event to the thing that it names in a field. `called` gives an identifier with its name. */
function happening(event: FollowedEvent['event'], role: string, called: Called): string {
  const { type, action } = event;
  if (CHILDREN.includes(role)) {
    const words = effectOf(OF_A_CHILD, type, action);
    if (words && typeof event.parentID === 'string') return `${words} ${called(idOf(event.parentID) ?? event.parentID)}`;
  }
  if (role === 'parentID') {
    const words = effectOf(OF_A_PARENT, type, action);
    const children = thingsIn(event, CHILDREN).length;
    if (words && children === 0) return action === 'DELETE' ? `everything ${words}` : 'named';
    if (words) return `${plural(children, 'thing', 'things')} ${words}`;
  }
  if (INPUTS.includes(role)) {
    const outputs = thingsIn(event, OUTPUTS);
    return outputs.length > 0 ? `used to make ${listed(outputs, called)}` : 'used up';
  }
  if (OUTPUTS.includes(role)) {
    const inputs = thingsIn(event, INPUTS);
    return inputs.length > 0 ? `made of ${listed(inputs, called)}` : 'made';
  }
  return type === 'TransactionEvent' ? 'tied to a transaction' : type === 'ObjectEvent' ? (entryOf(OF_AN_OBJECT, action) ?? 'named') : 'named';
}

const quantityOf = ({ quantity, uom }: FollowedQuantity): string => `${quantity}${uom ? ` ${uom}` : ''}`;

/** How much of a thing a field of an event names; `undefined` if it does not say. */
function amountIn(event: FollowedEvent['event'], role: string, item: string): string | undefined {
  const list: ((FollowedQuantity & { readonly epcClass?: unknown }) | null)[] = Array.isArray(event[role]) ? event[role] : [];
  const element = list.find((entry) => entry?.quantity !== undefined && idOf(entry.epcClass) === item);
  return element ? quantityOf(element) : undefined;
}

const placeIn = (event: FollowedEvent['event']): string | undefined => event.bizLocation?.id ?? event.readPoint?.id;

/** The bare word of a value of the CBV, or the value. */
const wordFor = (list: keyof Lists, value: string): string => wordOf(list, value) ?? value;

/** The words about an error declaration. */
const declared = ({ reason, correctiveEventIDs }: FollowedDeclaration): string =>
  `${reason ? `, ${wordFor('ErrorReason', reason)}` : ''}${correctiveEventIDs.length > 0 ? `; corrected by ${listed(correctiveEventIDs, String)}` : ''}`;

/** The line of a thing in an event. */
function momentOf(
  { eventTime, event, withdrawn, declaration, disputed }: FollowedEvent,
  { item, role, through, certain, afterEnd }: Presence,
  file: string | undefined,
  called: Called,
): Line {
  const inside = through ? `inside ${through.map(called).join(' > ')}: ` : '';
  const amount = through ? undefined : amountIn(event, role, item);
  const place = placeIn(event);
  const words = [
    `${inside}${happening(event, role, called)}`,
    ...(typeof event.bizStep === 'string' ? [wordFor('BizStep', event.bizStep)] : []),
    ...(amount === undefined ? [] : [amount]),
    ...(place === undefined ? [] : [`at ${called(place)}`]),
  ];
  return [
    '  ',
    paint('bold', eventTime ?? 'without a time'),
    `  ${words.join(', ')}`,
    ...(certain ? [] : [', ', paint('yellow', 'possible')]),
    ...(afterEnd ? [', ', paint('yellow', 'after its end')] : []),
    ...(withdrawn ? [', ', paint('red', `withdrawn${declaration ? declared(declaration) : ''}`)] : []),
    ...(disputed ? [', ', paint('yellow', `disputed${declared(disputed)}`)] : []),
    ...(file === undefined ? [] : ['  ', paint('dim', file)]),
  ];
}

/** What is known of a thing, in words. */
function knownOf({ began, ended, at }: Partial<Thing>, called: Called): Line[] {
  const last = at && [
    ...(at.disposition ? [wordFor('Disposition', at.disposition)] : []),
    ...(at.place ? [`at ${called(at.place)}`] : []),
    ...(at.inside ? [`inside ${called(at.inside)}`] : []),
    ...(at.since ? [`since ${at.since}`] : []),
  ];
  const parts = [
    ...(began ? [`began ${began.at ?? 'at an unknown time'}`] : []),
    ...(ended ? [`ended ${ended.at ?? 'at an unknown time'}`] : []),
    // Other parts of a divided lot may be elsewhere.
    ...(last ? [`${at.certain === false ? 'a part of it last' : 'last'} ${last.join(', ')}`] : []),
  ];
  return parts.length === 0 ? [] : [['  ', paint('dim', parts.join('; '))]];
}

/** Whether a thing is an item, or a lot or serial of an item that is a class. */
const isOf = (item: string, id: string): boolean => id === item || (/^https:\/\/id\.gs1\.org\/01\/\d{14}$/.test(item) && id.startsWith(`${item}/`));

/** The life of each thing: first of those that were asked for. */
function livesOf({ items, events, things }: Followed, fileOf: FileOf | undefined, named: Called, called: Called): Line[] {
  const moments = new Map<string, Line[]>();
  const counts = new Map<string, number>();
  for (const event of events) {
    for (const presence of event.presences) {
      const lines = moments.get(presence.item) ?? [];
      moments.set(presence.item, lines);
      lines.push(momentOf(event, presence, fileOf?.(event), called));
    }
    for (const item of new Set(event.presences.map((presence) => presence.item))) counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  const isAsked = (id: string) => items.some((item) => isOf(item, id));
  const known = new Map(things.map((thing) => [thing.id, thing]));
  const ids = [...moments.keys()];
  const life = (id: string): Line[] => {
    const thing: Partial<Thing> = known.get(id) ?? {};
    const spelling = thing.spelling === undefined || thing.spelling === id ? '' : ` (${thing.spelling})`;
    return [
      [paint('bold', id), `${spelling}${named(id)}: ${plural(counts.get(id) ?? 0, 'event', 'events')}`],
      ...knownOf(thing, called),
      ...(moments.get(id) ?? []),
    ];
  };
  const absent = items.filter((item) => !ids.some((id) => isOf(item, id)));
  return [
    ...absent.map((item) => [paint('bold', item), `${named(item)}: no event found`]),
    ...ids.filter(isAsked).flatMap(life),
    ...ids.filter((id) => !isAsked(id)).flatMap(life),
  ];
}

function contentsOf({ contents }: Followed, named: Called, called: Called): Line[] {
  const timeOf = ({ at }: { readonly at?: string }) => at ?? 'an unknown time';
  const row = ({ item, through, from, to, quantity, certain }: Content): Line => [
    `  ${called(item)}${through.length > 0 ? ` in ${through.map(called).join(' > ')}` : ''}: from ${timeOf(from)}${from.observed ? ' (first seen inside)' : ''}`,
    to ? ` until ${timeOf(to)}${to.implied ? ' (seen elsewhere)' : ''}` : ', still inside',
    ...(quantity ? [`, ${quantityOf(quantity)}`] : []),
    ...(certain ? [] : [', ', paint('yellow', 'possible')]),
  ];
  const rowsOf = new Map<string, Line[]>();
  for (const content of contents) {
    const rows = rowsOf.get(content.container) ?? [];
    rowsOf.set(content.container, rows);
    rows.push(row(content));
  }
  return [...rowsOf].flatMap(([container, rows]): Line[] => [
    [paint('bold', container), `${named(container)}: ${plural(rows.length, 'row', 'rows')} of contents`],
    ...rows,
  ]);
}

const WHY: Readonly<Record<Gap['reason'], string>> = {
  maxEvents: 'there are more events than --max-events',
  depth: 'more is tied to it or inside of it than --depth allows',
  time: 'it went through transformations outside of --from and --to',
  size: 'the answer is too large',
};

const gapsOf = ({ incomplete }: Followed, called: Called): Line[] =>
  incomplete.map(({ reason, at, total }) => [paint('yellow', 'not complete'), `: ${entryOf(WHY, reason) ?? reason}: ${listed(at, called, total)}`]);

/** Gives the name of the file that an event is in. */
export type FileOf = (event: FollowedEvent) => string | undefined;

/** What is known beside an answer. */
interface Known {
  /** Gives the name of an identifier in master data, if it has one. */
  readonly nameOf?: (id: string) => string | undefined;
  /** Absent if there is only one file. */
  readonly fileOf?: FileOf | undefined;
  /** Whether a file could not be read. */
  readonly isCut?: boolean;
}

/** An answer as lines. */
export function linesOf(answer: Followed, { nameOf = () => undefined, fileOf, isCut = false }: Known): Line[] {
  /** The text after an identifier: its name in quotes, with no other quotes in it. */
  const named = (id: string) => {
    const name = nameOf(id);
    return name === undefined ? '' : ` "${name.replaceAll('"', "'")}"`;
  };
  const called = (id: string) => `${id}${named(id)}`;
  return [
    ...livesOf(answer, fileOf, named, called),
    ...contentsOf(answer, named, called),
    ...gapsOf(answer, called),
    ...(isCut ? [[paint('yellow', 'not complete'), ': not every file was read'] as const] : []),
    `${plural(answer.events.length, 'event', 'events')} of ${plural(answer.things.length, 'thing', 'things')}`,
  ];
}
