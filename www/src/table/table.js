// The table of events, in the engine's thread: searches, filters and sorts the rows, and writes them as CSV.
import { readIdentifier } from '../tools/convert/convert.js';
import { csvField } from '../../../wasm/js/names/csv.ts';
import { isObject } from '../events/event-model.js';
import { EPC_LISTS, QUANTITY_LISTS } from '../shared/fields.js';
import { bareWord, instantOf, moment, nameOf, phrase, toneOf, typeName } from '../shared/words.js';

const listOf = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
/** The fields that name items: lists and single identifiers. */
const ITEMS = [...EPC_LISTS, 'parentID', 'transformationID'];
const text = (value) => (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value));

/** All strings in a value, apart from those in its `@context`. */
const stringsOf = (value) =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([name, member]) => (name === '@context' ? [] : stringsOf(member)))
      : [];

/** The rows of the table, one for each event, with the texts to search in. `nameFor` gives the names of master data. */
export function rowsOf(events, canonicalOf, nameFor = () => undefined) {
  return [...events.entries()]
    .filter(([, event]) => isObject(event))
    .map(([index, own]) => {
      const items = [
        ...ITEMS.flatMap((name) => listOf(own[name])),
        ...QUANTITY_LISTS.flatMap((name) => listOf(own[name]).map((entry) => entry?.epcClass)),
      ].filter((id) => typeof id === 'string');
      const strings = stringsOf(own);
      const canonical = strings
        .filter((value) => /^(?:urn:|https?:)/i.test(value))
        .map((id) => canonicalOf(id))
        .filter((id) => id !== undefined);
      const named = (id) => (typeof id === 'string' ? [nameFor(id), nameOf(id, canonicalOf(id)).text].filter(Boolean).join(' · ') : '');
      const time = instantOf(own.eventTime);
      const shown = {
        when: own.eventTime === undefined ? '' : moment(text(own.eventTime), own.eventTimeZoneOffset),
        type: typeName(text(own.type)),
        action: text(own.action),
        step: own.bizStep === undefined ? '' : phrase(text(own.bizStep)),
        disposition: own.disposition === undefined ? '' : phrase(text(own.disposition)),
        place: named(own.bizLocation?.id ?? own.readPoint?.id),
        item: items.length === 0 ? '' : named(items[0]),
      };
      return {
        index,
        time: Number.isNaN(time) ? Infinity : time,
        ...shown,
        tone: toneOf(own.type),
        items: items.length,
        isWrong: own.errorDeclaration !== undefined,
        canonical,
        words: [own.bizStep, own.disposition].map((word) => bareWord(text(word)).toLowerCase()),
        hay: [...strings, ...canonical, ...Object.values(shown)].join('\n').toLowerCase(),
      };
    });
}

/** Makes the test of a search: identifiers match by their canonical form, any other text as part of a row's texts. */
function searcher(sought, identifiers) {
  const words = sought.trim().toLowerCase();
  if (words === '') return () => true;
  const canonical = identifiers.toDigitalLink(sought.trim()) ?? readIdentifier(sought.trim(), identifiers)?.digitalLink;
  // A CBV word in a long spelling, such as its URN, is compared as the bare word.
  const word = bareWord(sought.trim()).toLowerCase();
  return ({ canonical: own, words: spelt, hay }) =>
    (word !== words && spelt.includes(word)) ||
    (canonical !== undefined && own.some((id) => id === canonical || id.startsWith(`${canonical}/`))) ||
    hay.includes(words) ||
    hay.includes(words.replaceAll(' ', '_'));
}

const COLUMNS = ['index', 'when', 'type', 'action', 'step', 'disposition', 'place', 'item', 'items'];

/** The rows that match the search and the filters, sorted. */
export function chosenRows(rows, { search = '', type = '', step = '', disposition = '', place = '', sort = 'index', isDown = false }, identifiers) {
  const fits = searcher(search, identifiers);
  const filters = Object.entries({ type, step, disposition, place }).filter(([, value]) => value !== '');
  const found = rows.filter((row) => filters.every(([name, value]) => row[name] === value) && fits(row));
  const key = sort === 'when' ? 'time' : COLUMNS.includes(sort) ? sort : 'index';
  const compare = (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.index - b.index);
  found.sort(isDown ? (a, b) => compare(b, a) : compare);
  return found;
}

/** The values of each filter with their counts, most frequent first. */
export function choicesOf(rows) {
  return Object.fromEntries(
    ['type', 'step', 'disposition', 'place'].map((name) => {
      const counts = new Map();
      for (const row of rows) if (row[name] !== '') counts.set(row[name], (counts.get(row[name]) ?? 0) + 1);
      return [name, [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 200)];
    }),
  );
}

/** A page of the rows found, and the number and the filter values of all rows: `{total, all, rows, choices}`. */
export const pageOf = (all, found, from, count) => ({
  total: found.length,
  all: all.length,
  choices: choicesOf(all),
  rows: found.slice(from, from + count).map(({ hay: _, canonical: __, words: ___, ...row }) => row),
});

/**
 * Events as CSV (RFC 4180), one line each, with a byte order mark so that spreadsheets read UTF-8. Values are as written, except for a
 * `'` before a formula. `rows` gives the events and their order.
 */
export function csvOf(events, rows) {
  const ids = (list) => listOf(list).map(text).join(' ');
  const amounts = (list) =>
    listOf(list)
      .map((entry) => [text(entry?.epcClass), text(entry?.quantity), text(entry?.uom)].filter((part) => part !== '').join(' '))
      .join('; ');
  const columns = {
    event: (_, index) => String(index + 1),
    type: (event) => text(event?.type),
    eventTime: (event) => text(event?.eventTime),
    eventTimeZoneOffset: (event) => text(event?.eventTimeZoneOffset),
    action: (event) => text(event?.action),
    bizStep: (event) => text(event?.bizStep),
    disposition: (event) => text(event?.disposition),
    readPoint: (event) => text(event?.readPoint?.id),
    bizLocation: (event) => text(event?.bizLocation?.id),
    parentID: (event) => text(event?.parentID),
    epcs: (event) => ids(event?.epcList),
    children: (event) => ids(event?.childEPCs),
    inputs: (event) => ids(event?.inputEPCList),
    outputs: (event) => ids(event?.outputEPCList),
    quantities: (event) => amounts(event?.quantityList),
    childQuantities: (event) => amounts(event?.childQuantityList),
    inputQuantities: (event) => amounts(event?.inputQuantityList),
    outputQuantities: (event) => amounts(event?.outputQuantityList),
    transformationID: (event) => text(event?.transformationID),
    bizTransactions: (event) =>
      listOf(event?.bizTransactionList)
        .map((entry) => text(entry?.bizTransaction))
        .join(' '),
    eventID: (event) => text(event?.eventID),
  };
  const lines = [Object.keys(columns), ...rows.map(({ index }) => Object.values(columns).map((value) => value(events[index], index)))];
  return `\ufeff${lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('')}`;
}
