// @ts-nocheck
// An answer of following as lines for people: the life of each thing, what was inside of what, and what is missing.
import { wordOf } from '../cbv/index.ts';
import { paint } from './harmless.ts';
import { identifiers } from '../engine/node.ts';

/** The most identifiers in one line. */
const NAMED = 5;

const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** Identifiers in a line: the first of them, and the number of the others. `total` counts them all, if not all are given. */
function listed(ids, called, total = ids.length) {
  const shown = ids.slice(0, NAMED).map(called);
  const more = total - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** An identifier as the answer writes it. */
const idOf = (text) => (typeof text === 'string' ? (identifiers.toDigitalLink(text) ?? text) : undefined);

/** The things in fields of an event, without repetition. */
function thingsIn(event, fields) {
  const entries = fields.flatMap((field) => event[field] ?? []).map((entry) => idOf(entry?.epcClass ?? entry));
  return [...new Set(entries.filter((id) => id !== undefined))];
}

const CHILDREN = ['childEPCs', 'childQuantityList'];
const INPUTS = ['inputEPCList', 'inputQuantityList'];
const OUTPUTS = ['outputEPCList', 'outputQuantityList'];

/** The words for the effect of an event on a child, before the container. */
const OF_A_CHILD = {
  AggregationEvent: { ADD: 'packed into', OBSERVE: 'found inside of', DELETE: 'taken out of' },
  AssociationEvent: { ADD: 'attached to', OBSERVE: 'found attached to', DELETE: 'taken off' },
};
/** The words for its effect on the container, after the number of things. */
const OF_A_PARENT = {
  AggregationEvent: { ADD: 'packed into it', OBSERVE: 'found inside of it', DELETE: 'taken out of it' },
  AssociationEvent: { ADD: 'attached to it', OBSERVE: 'found attached to it', DELETE: 'taken off it' },
};
const OF_AN_OBJECT = { ADD: 'created', OBSERVE: 'seen', DELETE: 'ended' };

/** What happens in an event to the thing that it names in a field. `called` gives an identifier with its name. */
function happening(event, role, called) {
  const { type, action } = event;
  if (CHILDREN.includes(role)) {
    const words = OF_A_CHILD[type]?.[action];
    if (words && typeof event.parentID === 'string') return `${words} ${called(idOf(event.parentID))}`;
  }
  if (role === 'parentID') {
    const words = OF_A_PARENT[type]?.[action];
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
  return type === 'TransactionEvent' ? 'tied to a transaction' : type === 'ObjectEvent' ? (OF_AN_OBJECT[action] ?? 'named') : 'named';
}

const quantityOf = ({ quantity, uom }) => `${quantity}${uom ? ` ${uom}` : ''}`;

/** How much of a thing a field of an event names; `undefined` if it does not say. */
function amountIn(event, role, item) {
  const list = Array.isArray(event[role]) ? event[role] : [];
  const element = list.find((entry) => entry?.quantity !== undefined && idOf(entry.epcClass) === item);
  return element && quantityOf(element);
}

const placeIn = (event) => event.bizLocation?.id ?? event.readPoint?.id;

/** The words about an error declaration. */
const declared = ({ reason, correctiveEventIDs }) =>
  `${reason ? `, ${wordOf('ErrorReason', reason) ?? reason}` : ''}${correctiveEventIDs.length > 0 ? `; corrected by ${listed(correctiveEventIDs, String)}` : ''}`;

/** The line of a thing in an event. */
function momentOf({ eventTime, event, withdrawn, declaration, disputed }, { item, role, through, certain, afterEnd }, file, called) {
  const inside = through ? `inside ${through.map(called).join(' > ')}: ` : '';
  const amount = through ? undefined : amountIn(event, role, item);
  const place = placeIn(event);
  const words = [
    `${inside}${happening(event, role, called)}`,
    ...(typeof event.bizStep === 'string' ? [wordOf('BizStep', event.bizStep) ?? event.bizStep] : []),
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
function knownOf({ began, ended, at }, called) {
  const last = at && [
    ...(at.disposition ? [wordOf('Disposition', at.disposition) ?? at.disposition] : []),
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
const isOf = (item, id) => id === item || (/^https:\/\/id\.gs1\.org\/01\/\d{14}$/.test(item) && id.startsWith(`${item}/`));

/** The life of each thing: first of those that were asked for. */
function livesOf({ items, events, things }, fileOf, named, called) {
  const moments = new Map();
  const counts = new Map();
  for (const event of events) {
    for (const presence of event.presences) {
      if (!moments.has(presence.item)) moments.set(presence.item, []);
      moments.get(presence.item).push(momentOf(event, presence, fileOf?.(event), called));
    }
    for (const item of new Set(event.presences.map((presence) => presence.item))) counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  const isAsked = (id) => items.some((item) => isOf(item, id));
  const known = new Map(things.map((thing) => [thing.id, thing]));
  const ids = [...moments.keys()];
  const life = (id) => {
    const thing = known.get(id) ?? {};
    const spelling = thing.spelling === undefined || thing.spelling === id ? '' : ` (${thing.spelling})`;
    return [[paint('bold', id), `${spelling}${named(id)}: ${plural(counts.get(id), 'event', 'events')}`], ...knownOf(thing, called), ...moments.get(id)];
  };
  const absent = items.filter((item) => !ids.some((id) => isOf(item, id)));
  return [
    ...absent.map((item) => [paint('bold', item), `${named(item)}: no event found`]),
    ...ids.filter(isAsked).flatMap(life),
    ...ids.filter((id) => !isAsked(id)).flatMap(life),
  ];
}

function contentsOf({ contents }, named, called) {
  const timeOf = ({ at }) => at ?? 'an unknown time';
  const row = ({ item, through, from, to, quantity, certain }) => [
    `  ${called(item)}${through.length > 0 ? ` in ${through.map(called).join(' > ')}` : ''}: from ${timeOf(from)}${from.observed ? ' (first seen inside)' : ''}`,
    to ? ` until ${timeOf(to)}${to.implied ? ' (seen elsewhere)' : ''}` : ', still inside',
    ...(quantity ? [`, ${quantityOf(quantity)}`] : []),
    ...(certain ? [] : [', ', paint('yellow', 'possible')]),
  ];
  const containers = [...new Set(contents.map(({ container }) => container))];
  const rowsOf = new Map(containers.map((container) => [container, []]));
  for (const content of contents) rowsOf.get(content.container).push(row(content));
  return [...rowsOf].flatMap(([container, rows]) => [
    [paint('bold', container), `${named(container)}: ${plural(rows.length, 'row', 'rows')} of contents`],
    ...rows,
  ]);
}

const WHY = {
  maxEvents: 'there are more events than --max-events',
  depth: 'more is tied to it or inside of it than --depth allows',
  time: 'it went through transformations outside of --from and --to',
  size: 'the answer is too large',
};

const gapsOf = ({ incomplete }, called) =>
  incomplete.map(({ reason, at, total }) => [paint('yellow', 'not complete'), `: ${WHY[reason] ?? reason}: ${listed(at, called, total)}`]);

/**
 * An answer as lines.
 *
 * @param nameOf gives the name of an identifier in master data, if it has one
 * @param fileOf returns the name of the file that an event is in; absent if there is only one
 * @param isCut whether a file could not be read
 */
export function linesOf(answer, { nameOf = () => undefined, fileOf, isCut = false }) {
  /** The text after an identifier: its name in quotes, with no other quotes in it. */
  const named = (id) => {
    const name = nameOf(id);
    return name === undefined ? '' : ` "${name.replaceAll('"', "'")}"`;
  };
  const called = (id) => `${id}${named(id)}`;
  return [
    ...livesOf(answer, fileOf, named, called),
    ...contentsOf(answer, named, called),
    ...gapsOf(answer, called),
    ...(isCut ? [[paint('yellow', 'not complete'), ': not every file was read']] : []),
    `${plural(answer.events.length, 'event', 'events')} of ${plural(answer.things.length, 'thing', 'things')}`,
  ];
}
