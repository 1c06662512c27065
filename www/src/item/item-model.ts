// What the page of an item shows, made in the engine's thread from an answer of the following engine. Nothing is said that the answer or
// one of its events does not say. Loaded on demand.
import { QUANTITY_LISTS } from '../../../wasm/js/engine/fields.ts';
import type { Content as FollowedContent, EventName, Followed, FollowedEvent, Presence, Thing } from '../../../wasm/js/follow/index.ts';
import { type CanonicalOf, lastPart, type Names } from '../../../wasm/js/names/names.ts';
import { madeFrom } from './document-follow.ts';
import { type AnyEvent, isObject, listOf, textOf } from '../events/event-model.ts';
import { doubtsOf } from './item-doubts.ts';
import type { Content, Cut, Entry, Fact, ItemModel, Link, PlaceRef, Sentence, ThingRef, Tied, Where } from './item-shown.ts';
import { KINDS, listed, sentenceOf, whenOf } from './item-words.ts';
import { ensured } from '../shared/ensured.ts';
import { KEYS } from '../../../wasm/document/keys.ts';
import { bareWord, count, decoded, entryOf, nameOf, phrase } from '../shared/words.ts';

/** The most sentences, rows and facts that are sent to the page. Each list has its total. */
const SENTENCES = 1000;
const ROWS = 500;
const FACTS = 40;

/** What names things, and what an event is opened by. */
interface Naming {
  readonly canonicalOf: CanonicalOf;
  readonly names: Names;
  readonly indexOf?: (event: FollowedEvent, position: number) => number;
}

/** The parts of a canonical Digital Link: `[['GTIN', '09521141123454'], ['serial', 'A1']]`. */
function splitOf(id: string): (readonly [string, string])[] {
  const path = id.startsWith('https://id.gs1.org/') ? id.slice(19).split('/') : [];
  const parts: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < path.length; at += 2) {
    const [key, value] = [entryOf(KEYS, path[at] ?? ''), path[at + 1]];
    if (key && value !== undefined) parts.push([key, decoded(value)]);
  }
  return parts;
}

/** Those of some texts that are there. */
const texts = (...all: readonly (string | false | undefined)[]): string[] => all.filter(Boolean) as string[];

const cut = <One>(list: readonly One[], most = ROWS): Cut<One> => ({ total: list.length, list: list.slice(0, most) });
const placeOf = (event: AnyEvent) => event.readPoint?.id ?? event.bizLocation?.id;
/** Where an event says that its things are, as the following engine takes it. */
const whereOf = (event: AnyEvent) => event.bizLocation?.id ?? event.readPoint?.id;
/** The last part of a name as words: `best before` for `orchard:bestBefore`. */
const label = (name: unknown) =>
  lastPart(name)
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])(?=[a-z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);

/**
 * The model of the page of an item. `answer` is that of the following engine, about one item; `canonicalOf` gives the canonical form of
 * an identifier; `names` has the names of master data. `indexOf(event, position)` gives what the page opens an event by.
 */
export function itemModel(answer: Followed, { canonicalOf, names, indexOf = ({ index }) => index }: Naming): ItemModel {
  const id = answer.items[0]!;
  const same = (one: string) => canonicalOf(one) ?? one;
  const ref = (one: string): ThingRef => {
    const own = same(one);
    return { item: own, text: nameOf(one, own.startsWith('https://id.gs1.org/') ? own : undefined).text, name: names.nameOf(one) };
  };
  const place = (one: string): PlaceRef => ({ place: one, text: nameOf(one, canonicalOf(one)).text, name: names.nameOf(one) });

  const members = answer.things.filter((thing) => thing.id !== id && thing.id.startsWith(`${id}/`));
  const thing = answer.things.find((one) => one.id === id);
  // A class stands for each lot and serial of it.
  const isClass = members.length > 0 || thing?.kind === 'gtin';
  const own = new Set([id, ...(isClass ? members.map((one) => one.id) : [])]);

  const events = answer.events.map(
    (entry, position): Entry => ({
      ...entry,
      position,
      open: indexOf(entry, position),
      when: whenOf(entry.eventTime, entry.event.eventTimeZoneOffset),
      presences: entry.presences.filter(({ item }) => own.has(item)),
      all: entry.presences,
    }),
  );
  /** The events by the names that ties and contents give them. Undefined where two have the same. */
  const byName = new Map<string, Entry | undefined>();
  const nameKey = ({ eventID, at, eventTime }: EventName & { readonly eventTime?: string }) => `${eventID} ${at ?? eventTime}`;
  for (const entry of events) byName.set(nameKey(entry), byName.has(nameKey(entry)) ? undefined : entry);
  const link = (name: EventName | undefined): Link | undefined => {
    if (name === undefined) return undefined;
    const entry = byName.get(nameKey(name));
    return { when: entry?.when ?? whenOf(name.at), open: entry?.open };
  };

  // What goes in and out of containers, by event.
  const ties = answer.ties.map((tie) => ({ ...tie, position: byName.get(nameKey(tie))?.position }));
  const packed = ties.filter(({ kind, from }) => kind === 'packed' && own.has(from));
  const unpacked = ties.filter(({ kind, to }) => kind === 'unpacked' && own.has(to));
  const amountOf = (event: AnyEvent, item: string): string | undefined => {
    for (const list of QUANTITY_LISTS)
      for (const entry of listOf(event[list]) as readonly ({ readonly epcClass?: unknown; readonly quantity?: unknown; readonly uom?: unknown } | null)[])
        if (typeof entry?.epcClass === 'string' && same(entry.epcClass) === item && typeof entry.quantity === 'number')
          return `${entry.quantity.toLocaleString('en', { maximumFractionDigits: 9 })}${typeof entry.uom === 'string' ? ` ${entry.uom}` : ' ×'}`;
    return undefined;
  };

  function sentences(entry: Entry): Sentence[] {
    const { event, position } = entry;
    const byWay = new Map<string, Presence[]>();
    for (const presence of entry.presences) {
      const way = isClass ? `${presence.how} ${presence.role}` : `${presence.role} ${presence.item}`;
      ensured(byWay, way, () => []).push(presence);
    }
    return [...byWay.values()].map((ways) => {
      const presence = ways[0]!;
      const { item, through = [] } = presence;
      const subject = !isClass ? 'it' : ways.length === 1 ? nameOf(item, item).short : `each of ${count(ways.length, 'item')}`;
      const parent = through.at(-1) ?? (typeof event.parentID === 'string' ? same(event.parentID) : undefined);
      const words = sentenceOf(event, presence, {
        subject,
        ref,
        bare: bareWord,
        phrase,
        isUnpacked: unpacked.some((tie) => tie.position === position && tie.from === parent && tie.to === item),
        // A tie of an event that has the same name as another is not placed, so nothing is doubted because of it.
        wasInside:
          event.type !== 'AggregationEvent' ||
          packed.some((tie) => tie.from === item && tie.to === parent && (tie.position ?? -1) < position) ||
          answer.incomplete.length > 0,
      });
      const isLeaving = LEAVING.has(bareWord(textOf(event.bizStep ?? '')));
      const to = isLeaving ? destinationOf(event) : undefined;
      const where = placeOf(event);
      return {
        open: entry.open,
        when: entry.when,
        words: [
          ...words,
          ...(typeof where === 'string' ? [isLeaving ? ' from ' : ' at ', place(where)] : []),
          ...(to === undefined ? [] : [' to ', place(to)]),
          '.',
        ],
        notes: texts(presence.how !== 'inside' && amountOf(event, item), typeof event.disposition === 'string' && phrase(event.disposition).toLowerCase()),
        alarms: texts(!presence.certain && 'possible, not certain', presence.afterEnd && 'after its end', entry.disputed !== undefined && 'disputed'),
      };
    });
  }
  const counted = events.filter(({ withdrawn, presences }) => !withdrawn && presences.length > 0);
  const life: { total: number; readonly list: Sentence[] } = { total: 0, list: [] };
  for (const entry of counted) {
    if (life.list.length >= SENTENCES) life.total += 1;
    else {
      const made = sentences(entry);
      life.list.push(...made);
      life.total += made.length;
    }
  }

  // What is directly inside comes first.
  const contents = answer.contents.filter(({ container }) => own.has(container)).sort((a, b) => a.through.length - b.through.length);
  const content = (one: FollowedContent): Content => ({
    item: ref(one.item),
    through: one.through.map(ref),
    from: link(one.from),
    to: link(one.to),
    isObserved: one.from.observed === true,
    isImplied: one.to?.implied === true,
    isPossible: !one.certain,
    amount: one.quantity === undefined ? undefined : `${one.quantity.quantity.toLocaleString('en', { maximumFractionDigits: 9 })} ${one.quantity.uom ?? '×'}`,
  });

  /** The things that this was made of, or that were made of it, each with its event. */
  const tied = (side: 'from' | 'to') =>
    [...madeFrom(ties, own, side)].map(([one, { tie, depth }]): Tied => {
      const how = side === 'to' ? 'input' : 'output';
      const presence = events[tie.position ?? -1]?.all.find((found) => found.item === one && found.how === how);
      // An event that makes an instance says what went into it, however much else was made of that.
      const isSaid = depth === 1 && side === 'to' && !isClass && thing?.kind !== 'lgtin' && thing?.kind !== 'class';
      return { item: ref(one), depth, from: link(tie), isPossible: !isSaid && presence?.certain !== true };
    });

  const model: Omit<ItemModel, 'doubts'> = {
    id,
    spelling: thing?.spelling ?? id,
    kind: entryOf(KINDS, thing?.kind ?? '') ?? (isClass ? KINDS.gtin! : ''),
    isClass,
    text: nameOf(id, id).text,
    name: names.nameOf(id),
    split: splitOf(id),
    isFound: answer.type === 'OK',
    facts: factsOf(id, counted, { names, same }),
    members: cut(members.map((one) => ref(one.spelling))),
    where: isClass ? undefined : whereNow(),
    life,
    now: cut(contents.filter(({ to }) => to === undefined).map(content)),
    earlier: cut(contents.filter(({ to }) => to !== undefined).map(content)),
    origin: cut(tied('to')),
    products: cut(tied('from')),
  };
  return { ...model, doubts: doubtsOf(answer, events, { own, ref, same, model }) };

  /** Where the item was last, in parts; undefined if nothing says it. */
  function whereNow(): Where {
    const { at, began, ended, kind }: Partial<Thing> = thing ?? {};
    const seen = [...counted].reverse();
    const here = at?.place === undefined ? undefined : seen.find(({ event }) => whereOf(event) === at.place);
    const state = at?.disposition === undefined ? undefined : seen.find(({ event }) => event.disposition === at.disposition);
    const into = at?.inside === undefined ? undefined : packed.findLast(({ to }) => to === at.inside);
    return {
      isLot: kind === 'lgtin' || kind === 'class' || kind === 'gtin',
      place: at?.place === undefined ? undefined : { ...place(at.place), ...(here && { open: here.open, when: here.when }) },
      inside: at?.inside === undefined ? undefined : { ...ref(at.inside), ...(into && { ...link(into), position: into.position }) },
      disposition: at?.disposition === undefined ? undefined : { text: phrase(at.disposition), ...(state && { open: state.open, when: state.when }) },
      began: link(began),
      ended: link(ended),
    };
  }
}

/** The steps in which things leave the place of the event. */
const LEAVING = new Set(['shipping', 'departing', 'consigning']);
const DESTINATIONS: readonly string[] = ['location', 'possessing_party', 'owning_party'];
/** Where an event sends its things: a place, else a party. */
function destinationOf(event: AnyEvent): string | undefined {
  type Sent = { readonly type?: unknown; readonly destination: string };
  const list = listOf(event.destinationList).filter((one) => typeof one?.destination === 'string') as readonly Sent[];
  return DESTINATIONS.map((word) => list.find(({ type }) => typeof type === 'string' && bareWord(type) === word)).find((one) => one !== undefined)?.destination;
}

/** What master data says of an item or its class, and what the events say that made it: `[{label, full, value, open}]`. */
function factsOf(id: string, events: readonly Entry[], { names, same }: { readonly names: Names; readonly same: (id: string) => string }): Cut<Fact> {
  const facts: Fact[] = names.attributesOf(id).map((one) => ({ label: label(one?.id), full: textOf(one?.id), value: textOf(one?.attribute).slice(0, 400) }));
  for (const { event, open, presences } of events) {
    if (!isObject(event.ilmd)) continue;
    // Such data are those of what the event makes.
    const isMade = event.type === 'TransformationEvent' ? listed(event, 'output').some((one) => same(one) === id) : event.action === 'ADD';
    if (!isMade || !presences.some(({ item, how }) => item === id && how !== 'inside')) continue;
    for (const [name, value] of Object.entries(event.ilmd as object)) facts.push({ label: label(name), full: name, value: textOf(value).slice(0, 400), open });
  }
  return cut(facts, FACTS);
}
