// The table of events, in the engine's thread: searched, filtered, sorted, and given out in windows; as CSV, whole.
import { readIdentifier } from './convert.js';
import { bareWord, moment, nameOf, phrase, toneOf, typeName } from './words.js';

const listOf = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
const LISTS = ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList', 'parentID', 'transformationID'];
const CLASSES = ['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'];
const text = (value) => (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value));

/** One row an event, with what it is searched by. */
export function rowsOf(events, canonicalOf) {
  return events.map((event, index) => {
    const own = event !== null && typeof event === 'object' ? event : {};
    const items = [...LISTS.flatMap((name) => listOf(own[name])), ...CLASSES.flatMap((name) => listOf(own[name]).map((entry) => entry?.epcClass))].filter(
      (id) => typeof id === 'string',
    );
    const places = [
      own.readPoint?.id,
      own.bizLocation?.id,
      ...listOf(own.sourceList).map((entry) => entry?.source),
      ...listOf(own.destinationList).map((entry) => entry?.destination),
    ].filter((id) => typeof id === 'string');
    const others = [own.eventID, ...listOf(own.bizTransactionList).map((entry) => entry?.bizTransaction)].filter((id) => typeof id === 'string');
    const canonical = [...items, ...places].map((id) => canonicalOf(id)).filter((id) => id !== undefined);
    const named = (id) => (typeof id === 'string' ? nameOf(id, canonicalOf(id)).text : '');
    const time = Date.parse(own.eventTime);
    return {
      index,
      time: Number.isNaN(time) ? Infinity : time,
      when: own.eventTime === undefined ? '' : moment(text(own.eventTime), own.eventTimeZoneOffset),
      type: typeName(text(own.type)),
      tone: toneOf(own.type),
      action: text(own.action),
      step: own.bizStep === undefined ? '' : phrase(text(own.bizStep)),
      disposition: own.disposition === undefined ? '' : phrase(text(own.disposition)),
      place: named(own.bizLocation?.id ?? own.readPoint?.id),
      item: items.length === 0 ? '' : named(items[0]),
      items: items.length,
      isWrong: own.errorDeclaration !== undefined,
      canonical,
      hay: [...items, ...places, ...others, ...canonical, bareWord(text(own.bizStep)), bareWord(text(own.disposition)), text(own.action), text(own.type)]
        .join('\n')
        .toLowerCase(),
    };
  });
}

/** What a search means: identifiers in any spelling by their canonical form, all else as a part of any spelling. */
function searcher(sought, canonicalOf) {
  const words = sought.trim().toLowerCase();
  if (words === '') return () => true;
  const canonical = canonicalOf(sought.trim()) ?? readIdentifier(sought.trim(), canonicalOf)?.digitalLink;
  return ({ canonical: own, hay }) =>
    (canonical !== undefined && own.some((id) => id === canonical || id.startsWith(`${canonical}/`))) ||
    hay.includes(words) ||
    hay.includes(words.replaceAll(' ', '_'));
}

const COLUMNS = ['index', 'when', 'type', 'action', 'step', 'disposition', 'place', 'item', 'items'];

/** The rows that are asked for, in their order. */
export function chosenRows(rows, { search = '', type = '', step = '', disposition = '', place = '', sort = 'index', isDown = false }, canonicalOf) {
  const fits = searcher(search, canonicalOf);
  const filters = Object.entries({ type, step, disposition, place }).filter(([, value]) => value !== '');
  const found = rows.filter((row) => filters.every(([name, value]) => row[name] === value) && fits(row));
  const key = sort === 'when' ? 'time' : COLUMNS.includes(sort) ? sort : 'index';
  const compare = (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.index - b.index);
  found.sort(isDown ? (a, b) => compare(b, a) : compare);
  return found;
}

/** The values that a filter offers, the most frequent first. */
export function choicesOf(rows) {
  return Object.fromEntries(
    ['type', 'step', 'disposition', 'place'].map((name) => {
      const counts = new Map();
      for (const row of rows) if (row[name] !== '') counts.set(row[name], (counts.get(row[name]) ?? 0) + 1);
      return [name, [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 200)];
    }),
  );
}

/** A cell: what a spreadsheet would compute is marked as text, then what divides cells is quoted. */
function field(value) {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Events as CSV (RFC 4180), a line each, the values as they are written but for a `'` before what would be a formula; `rows` says which and in which order. */
export function csvOf(events, rows) {
  const ids = (event, names) => names.flatMap((name) => listOf(event?.[name])).map((entry) => text(entry?.epcClass ?? entry));
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
    epcs: (event) => ids(event, ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList']).join(' '),
    quantities: (event) =>
      CLASSES.flatMap((name) => listOf(event?.[name]))
        .map((entry) => [text(entry?.epcClass), text(entry?.quantity), text(entry?.uom)].filter((part) => part !== '').join(' '))
        .join('; '),
    bizTransactions: (event) =>
      listOf(event?.bizTransactionList)
        .map((entry) => text(entry?.bizTransaction))
        .join(' '),
    eventID: (event) => text(event?.eventID),
  };
  const lines = [Object.keys(columns), ...rows.map(({ index }) => Object.values(columns).map((value) => value(events[index], index)))];
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}
