// Turns the drafts of the Build form into a document. A draft holds the texts of the form's fields as typed.
import { EPC_LISTS, FIELDS_OF, QUANTITY_LISTS } from './fields.js';

const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
/** The prefixes that the EPCIS context declares. */
const DECLARED = new Set('cbv cbvmda dcterms epcis gs1 owl rdfs xsd'.split(' '));

/** The fields of some event types only. */
const SPECIAL = new Set(Object.values(FIELDS_OF).flat());
/** Those of them that name things: lists and single identifiers. */
const NAMING = [...SPECIAL].filter((name) => name !== 'action' && name !== 'ilmd');

const two = (number) => String(number).padStart(2, '0');

/** The current time zone offset of this computer, such as `+01:00`. */
function ownOffset() {
  const minutes = -new Date().getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The current local time to the minute, as `2026-03-04T11:00`. */
export function ownTime() {
  const now = new Date();
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}T${two(now.getHours())}:${two(now.getMinutes())}`;
}

/**
 * A new draft. It has a text for each field and a list of rows for each field with rows; a missing field is empty.
 */
export const blank = () => ({ type: 'ObjectEvent', action: 'OBSERVE', eventTime: ownTime(), eventTimeZoneOffset: ownOffset() });

/** Whether an event of this type has a field. */
const has = (type, name) => !SPECIAL.has(name) || FIELDS_OF[type].includes(name);
/** The content of a field of a draft: as one text, as lines, or as rows. */
const textOf = (draft, name) => (has(draft.type, name) ? (draft[name] ?? '').trim() : '');
const linesOf = (draft, name) =>
  textOf(draft, name)
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
const rowsOf = (draft, name) => (has(draft.type, name) ? (draft[name] ?? []) : []);

const number = (value) => (/^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value);
const isNothing = (value) => value === '' || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
const without = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => !isNothing(value)));

/** A local time with its offset, as `2026-03-04T11:00:00+01:00`. */
const timeOf = (time, offset) => (time === '' ? '' : `${time.length === 16 ? `${time}:00` : time}${offset}`);

/** Makes an object of rows `[name, value]`. A repeated name gets a list of its values. */
function membersOf(rows) {
  const members = new Map();
  for (const [name, value] of rows) members.set(name, members.has(name) ? [members.get(name), value].flat() : value);
  return Object.fromEntries(members);
}

/** The event of a draft. `spell` converts an identifier from the typed form to that of the document. */
function eventOf(draft, spell) {
  const text = (name) => textOf(draft, name);
  const one = (name) => (text(name) === '' ? '' : spell(text(name)));
  const ids = (name) => linesOf(draft, name).map(spell);
  const quantities = (name) =>
    rowsOf(draft, name).map(([epcClass, quantity, uom]) => without({ epcClass: epcClass && spell(epcClass), quantity: number(quantity), uom }));
  const naming = (name) => (EPC_LISTS.includes(name) ? ids(name) : QUANTITY_LISTS.includes(name) ? quantities(name) : one(name));
  const pairs = (name, member) => rowsOf(draft, name).map(([type, id]) => without({ type, [member]: id && spell(id) }));
  const dispositions = (change) => rowsOf(draft, 'persistentDisposition').flatMap(([kind, word]) => (kind === change && word !== '' ? [word] : []));
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
      readPoint: without({ id: one('readPoint') }),
      bizLocation: without({ id: one('bizLocation') }),
      bizTransactionList: pairs('bizTransactionList', 'bizTransaction'),
      sourceList: pairs('sourceList', 'source'),
      destinationList: pairs('destinationList', 'destination'),
      sensorElementList: readings.length === 0 ? [] : [{ sensorReport: readings }],
      ilmd: membersOf(rowsOf(draft, 'ilmd')),
    }),
  };
}

/** The prefixes that the document of a draft must declare: `example` for the name `example:colour`, none for `https://…`. */
export const prefixesOf = (draft) => [
  ...new Set(
    rowsOf(draft, 'ilmd').flatMap(([name]) => {
      const [, prefix] = /^([A-Za-z_][\w.-]*):(?!\/\/)./.exec(name) ?? [];
      return prefix === undefined || prefix === 'urn' || DECLARED.has(prefix) ? [] : [prefix];
    }),
  ),
];

/** Whether an address can be the namespace of a prefix: a URI that ends in a delimiter, since JSON-LD does not expand other prefixes. */
const isNamespace = (address) => /^[a-z][a-z\d+.-]*:\S*[/#:?=]$/i.test(address);

/** All prefixes, each with the index of the first event that uses it. */
const allPrefixes = (drafts) => new Map(drafts.flatMap((draft, index) => prefixesOf(draft).map((prefix) => [prefix, index])).reverse());

/** The missing or faulty addresses of prefixes: `[{path, message}]`, like the engine's errors. */
export const faultsOf = ({ drafts, namespaces }) =>
  [...allPrefixes(drafts)]
    .filter(([prefix]) => !isNamespace(namespaces.get(prefix) ?? ''))
    .map(([prefix, index]) => ({
      path: `/epcisBody/eventList/${index}/ilmd`,
      message: `the prefix \`${prefix}\` needs an address that ends in a slash, \`#\` or \`:\`, such as \`https://example.com/ns/\``,
    }));

/** The document of all drafts, with the prefixes that they need. */
export function documentOf({ drafts, namespaces }, spell = (id) => id) {
  const events = drafts.map((draft) => eventOf(draft, spell));
  const declared = [...new Set(drafts.flatMap(prefixesOf))].filter((prefix) => isNamespace(namespaces.get(prefix) ?? ''));
  const times = events.flatMap(({ eventTime, errorDeclaration }) => [eventTime, errorDeclaration?.declarationTime]);
  // The creation date is the latest time in the events.
  const [last = ''] = times.filter((time) => !Number.isNaN(Date.parse(time))).sort((a, b) => Date.parse(b) - Date.parse(a));
  return {
    '@context': [CONTEXT, ...(declared.length === 0 ? [] : [Object.fromEntries(declared.map((prefix) => [prefix, namespaces.get(prefix)]))])],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: last,
    epcisBody: { eventList: events },
  };
}
