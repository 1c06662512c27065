// Turns the drafts of the Build form into a document. A draft holds the texts of the form's fields as typed.
import { entryOf } from '../../shared/words.ts';
import { type Draft, furtherOf, type Ids, isObject, type Members, namesIn, rowsIn, textIn } from './build-further.ts';
import { transactionOf } from './build-transactions.ts';
import { EPC_LISTS, QUANTITY_LISTS } from '../../../../wasm/js/engine/fields.ts';
import { FIELDS_OF } from '../../shared/fields.ts';

const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
/** The namespace of GS1 US for medicines: it ends without a delimiter, and partners know it only so. */
const AS_IT_IS = 'http://epcis.gs1us.org/hc/ns';
/** The prefixes that the EPCIS context declares. */
const DECLARED = new Set('cbv cbvmda dcterms epcis gs1 owl rdfs xsd'.split(' '));

/** The fields of some event types only. */
const SPECIAL = new Set(Object.values(FIELDS_OF).flat());
/** Those of them that name things: lists and single identifiers. */
export const NAMING = [...SPECIAL].filter((name) => name !== 'action' && name !== 'ilmd');
/** The members of a document that this file writes itself. */
const OWN_OF_DOCUMENT = ['@context', 'type', 'schemaVersion', 'creationDate', 'epcisBody'];

/** What the form holds: the events, the addresses of prefixes, and the members around the events. */
export interface BuildState {
  readonly drafts: readonly Draft[];
  readonly namespaces: ReadonlyMap<string, string>;
  readonly around: string;
}

/** What only this form finds wrong, like an error of the engine. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

const two = (number: number) => String(number).padStart(2, '0');

/** The current time zone offset of this computer, such as `+01:00`. */
export function ownOffset(): string {
  const minutes = -new Date().getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The local time some minutes ago, as `2026-03-04T11:00`. */
export function ownTime(ago = 0): string {
  const now = new Date(Date.now() - ago * 60_000);
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}T${two(now.getHours())}:${two(now.getMinutes())}`;
}

/**
 * A new draft. It has a text for each field and a list of rows for each field with rows; a missing field is empty.
 */
export const blank = (): Draft => ({ type: 'ObjectEvent', action: 'OBSERVE', eventTime: ownTime(), eventTimeZoneOffset: ownOffset() });

/** Whether nothing is filled in yet, beside what a new draft has. */
export const isBlank = (draft: Draft): boolean =>
  draft.type === 'ObjectEvent' &&
  Object.entries(draft).every(([name, value]) => /^(?:type|action|eventTime|eventTimeZoneOffset)$/.test(name) || value === false || (value as { readonly length?: number } | undefined)?.length === 0);

/** Whether an event of this type has a field. */
const has = (type: string, name: string) => !SPECIAL.has(name) || entryOf(FIELDS_OF, type)?.includes(name) === true;
/** The content of a field of a draft: as one text, as lines, or as rows. */
const textOf = (draft: Draft, name: string) => (has(draft.type, name) ? textIn(draft, name).trim() : '');
const linesOf = (draft: Draft, name: string) =>
  textOf(draft, name)
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
const rowsOf = (draft: Draft, name: string) => (has(draft.type, name) ? rowsIn(draft, name) : []);

const number = (value = '') => (/^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value);
const isNothing = (value: unknown) => value === '' || value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
const without = (object: object): Record<string, unknown> => Object.fromEntries(Object.entries(object).filter(([, value]) => !isNothing(value)));

/** A local time with its offset, as `2026-03-04T11:00:00+01:00`. */
const timeOf = (time: string, offset: string) => (time === '' ? '' : `${time.length === 16 ? `${time}:00` : time}${offset}`);

/** Makes an object of rows `[name, value]`. A repeated name gets a list of its values. */
function membersOf(rows: readonly (readonly string[])[]): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [name = '', value] of rows) members.set(name, members.has(name) ? [members.get(name), value].flat() : value);
  return Object.fromEntries(members);
}

/** What the identifiers of drafts are before the engine has read them. */
const UNREAD: Ids = { spell: (id) => id, glnOf: () => undefined };

/** The business transactions of a draft, as {@link transactionOf} answers, each with its type. */
export const transactionsOf = (draft: Draft, ids: Ids): ({ readonly type: string | undefined } & ReturnType<typeof transactionOf>)[] =>
  rowsOf(draft, 'bizTransactionList').map((row) => ({ type: row[0], ...transactionOf(row, draft, ids) }));

/** The key (GS1 application identifier) of a bare GLN as a source or destination: a place has another one than a party. */
const keyOfSide = (type: string | undefined) => (type === 'location' ? '414' : '417');

/** The members of the form's fields. */
function filledOf(draft: Draft, ids: Ids): Record<string, unknown> {
  const { spell } = ids;
  /** Thirteen bare digits are a GLN where a place or a party belongs, and a GTIN elsewhere. */
  const spellPlace = (typed: string, key: string) => {
    if (typed === '') return '';
    return spell(/^\d{13}$/.test(typed) ? `(${key})${typed}` : typed);
  };
  const text = (name: string) => textOf(draft, name);
  const one = (name: string) => (text(name) === '' ? '' : spell(text(name)));
  const lines = (name: string) => linesOf(draft, name).map(spell);
  const quantities = (name: string) =>
    rowsOf(draft, name).map(([epcClass, quantity, uom]) => without({ epcClass: epcClass && spell(epcClass), quantity: number(quantity), uom }));
  const naming = (name: string) => (EPC_LISTS.includes(name) ? lines(name) : QUANTITY_LISTS.includes(name) ? quantities(name) : one(name));
  const pairs = (name: string, member: string) => rowsOf(draft, name).map(([type, id]) => without({ type, [member]: id && spellPlace(id, keyOfSide(type)) }));
  const dispositions = (change: string) => rowsOf(draft, 'persistentDisposition').flatMap(([kind, word]) => (kind === change && word !== '' ? [word] : []));
  const readings = rowsOf(draft, 'sensorReport').map(([type, value, uom]) => without({ type, value: number(value), uom }));
  const offset = text('eventTimeZoneOffset');
  return {
    ...without({
      type: draft.type,
      eventID: text('eventID'),
      eventTime: timeOf(text('eventTime'), offset),
      eventTimeZoneOffset: offset,
    }),
    ...(draft.isError && {
      errorDeclaration: without({
        declarationTime: timeOf(text('declarationTime'), offset),
        reason: text('reason'),
        correctiveEventIDs: linesOf(draft, 'correctiveEventIDs'),
      }),
    }),
    ...without({
      action: text('action'),
      bizStep: text('bizStep'),
      disposition: text('disposition'),
      persistentDisposition: without({ set: dispositions('set'), unset: dispositions('unset') }),
      ...Object.fromEntries(NAMING.map((name) => [name, naming(name)])),
      readPoint: without({ id: spellPlace(text('readPoint'), '414') }),
      bizLocation: without({ id: spellPlace(text('bizLocation'), '414') }),
      bizTransactionList: transactionsOf(draft, ids).map(({ type, uri }) => without({ type, bizTransaction: uri })),
      sourceList: pairs('sourceList', 'source'),
      destinationList: pairs('destinationList', 'destination'),
      sensorElementList: readings.length === 0 ? [] : [{ sensorReport: readings }],
      ilmd: membersOf(rowsOf(draft, 'ilmd')),
    }),
  };
}

/** An event as far as its document depends on it. */
interface Made {
  readonly [member: string]: unknown;
  readonly eventTime?: string;
  readonly errorDeclaration?: { readonly declarationTime?: string };
}

/**
 * The event of a draft: the form's fields, and the further members. `ids` has `spell`, which converts an identifier from the typed form to
 * that of the document, and `glnOf`, which gives the GLN in one.
 */
function eventOf(draft: Draft, ids: Ids): Made {
  const filled = filledOf(draft, ids);
  const { ilmd, ...further } = furtherOf(textIn(draft, 'further')).value;
  // What is no object is left to the schema.
  const whole = isObject(ilmd) ? { ...(filled.ilmd as Members | undefined), ...ilmd } : ilmd;
  return { ...filled, ...further, ...(ilmd === undefined ? {} : { ilmd: whole }) };
}

/** The prefixes among names: `example` of `example:colour`, none of `https://…`. */
const prefixesIn = (names: readonly string[]): string[] => [
  ...new Set(
    names.flatMap((name) => {
      const [, prefix] = /^([A-Za-z_][\w.-]*):(?!\/\/)./.exec(name) ?? [];
      return prefix === undefined || prefix === 'urn' || DECLARED.has(prefix) ? [] : [prefix];
    }),
  ),
];

/** The prefixes that the document of a draft must declare, and those that its further members `around` the events use. */
export const prefixesOf = (draft: Draft, around?: string): string[] =>
  prefixesIn([...rowsOf(draft, 'ilmd').map(([name = '']) => name), ...namesIn(furtherOf(textIn(draft, 'further')).value), ...namesIn(furtherOf(around).value)]);

/** Whether an address can be the namespace of a prefix: a URI that ends in a delimiter, since JSON-LD does not expand other prefixes. */
const isNamespace = (address: string) => address === AS_IT_IS || /^[a-z][a-z\d+.-]*:\S*[/#:?=]$/i.test(address);

/** All prefixes, each with the index of the first event that uses it. */
const allPrefixes = ({ drafts, around }: BuildState): Map<string, number> => new Map(drafts.flatMap((draft, index) => prefixesOf(draft, around).map((prefix) => [prefix, index] as const)).reverse());

/** What is wrong with the further members of a draft. */
function furtherFaults(draft: Draft, index: number, ids: Ids): Fault[] {
  const { value, fault } = furtherOf(textIn(draft, 'further'));
  const path = `/epcisBody/eventList/${index}/further`;
  if (fault !== undefined) return [{ path, message: fault }];
  const filled = filledOf(draft, ids);
  const twice = Object.keys(value).filter((name) => name !== 'ilmd' && filled[name] !== undefined);
  return twice.map((name) => ({ path, message: `\`${name}\` is in the further members and in the form: leave one empty` }));
}

/** What only this form can find wrong: `[{path, message}]`, like the engine's errors. */
export function faultsOf(state: BuildState, ids: Ids = UNREAD): Fault[] {
  const { drafts, namespaces, around } = state;
  const document = furtherOf(around);
  const owned = OWN_OF_DOCUMENT.filter((name) => Object.hasOwn(document.value, name));
  return [
    ...[...allPrefixes(state)]
      .filter(([prefix]) => !isNamespace(namespaces.get(prefix) ?? ''))
      .map(([prefix, index]) => ({
        path: `/epcisBody/eventList/${index}/ilmd`,
        message: `the prefix \`${prefix}\` needs an address that ends in a slash, \`#\` or \`:\`, such as \`https://example.com/ns/\``,
      })),
    ...drafts.flatMap((draft, index) => furtherFaults(draft, index, ids)),
    ...drafts.flatMap((draft, index) =>
      transactionsOf(draft, ids).flatMap(({ fault }, at) =>
        fault === undefined ? [] : [{ path: `/epcisBody/eventList/${index}/bizTransactionList/${at}`, message: fault }],
      ),
    ),
    ...(document.fault === undefined ? [] : [{ path: '', message: `around the events: ${document.fault}` }]),
    ...owned.map((name) => ({ path: '', message: `around the events: \`${name}\` is made of the form, so it cannot be given` })),
  ];
}

/** The document of all drafts, with the prefixes that they need. `ids` is as for {@link eventOf}. */
export function documentOf(state: BuildState, ids: Ids = UNREAD): { readonly [member: string]: unknown; readonly epcisBody: { eventList: readonly object[] } } {
  const { drafts, namespaces, around } = state;
  const events = drafts.map((draft) => eventOf(draft, ids));
  const declared = [...allPrefixes(state).keys()].filter((prefix) => isNamespace(namespaces.get(prefix) ?? ''));
  const times = events.flatMap(({ eventTime, errorDeclaration }) => [eventTime, errorDeclaration?.declarationTime] as string[]);
  // The creation date is the latest time in the events.
  const [last = ''] = times.filter((time) => !Number.isNaN(Date.parse(time))).sort((a, b) => Date.parse(b) - Date.parse(a));
  const further = Object.entries(furtherOf(around).value).filter(([name]) => !OWN_OF_DOCUMENT.includes(name));
  return {
    '@context': [CONTEXT, ...(declared.length === 0 ? [] : [Object.fromEntries(declared.map((prefix) => [prefix, namespaces.get(prefix)]))])],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: last,
    ...Object.fromEntries(further),
    epcisBody: { eventList: events },
  };
}
