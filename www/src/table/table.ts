// The table of events, in the engine's thread: searches, filters and sorts the rows, and writes them as CSV.
import { readIdentifier } from '../tools/convert/convert.ts';
import { csvField } from '../../../wasm/js/names/csv.ts';
import type { CanonicalOf } from '../../../wasm/js/names/names.ts';
import type { PageEngine } from '../engine/page-engine.ts';
import { type AnyEvent, isObject } from '../events/event-model.ts';
import type { NameFor } from '../shared/thing-words.ts';
import { EPC_LISTS, QUANTITY_LISTS } from '../../../wasm/js/engine/fields.ts';
import { bareWord, instantOf, moment, nameOf, phrase, toneOf, typeName } from '../shared/words.ts';

/** What a row shows. */
interface ShownRow {
  readonly index: number;
  readonly time: number;
  readonly when: string;
  readonly type: string;
  readonly action: string;
  readonly step: string;
  readonly disposition: string;
  readonly place: string;
  readonly item: string;
  readonly tone: string;
  readonly items: number;
  readonly isWrong: boolean;
}

/** A row, with the texts to search in. */
export interface TableRow extends ShownRow {
  readonly canonical: readonly string[];
  readonly words: readonly string[];
  readonly hay: string;
}

const FILTERS = ['type', 'step', 'disposition', 'place'] as const;
type Filter = (typeof FILTERS)[number];

/** What is searched for, and how it is sorted. */
export interface TableWanted extends Readonly<Partial<Record<Filter, string>>> {
  readonly search?: string;
  readonly sort?: string;
  readonly isDown?: boolean;
}

/** The values of a filter with their counts. */
export type Choices = Readonly<Record<Filter, readonly (readonly [value: string, count: number])[]>>;

/** Some of the rows found: `total` counts those, `all` the events. */
export interface TablePage {
  readonly total: number;
  readonly all: number;
  readonly choices: Choices;
  readonly rows: readonly ShownRow[];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
/** The fields that name items: lists and single identifiers. */
const ITEMS = [...EPC_LISTS, 'parentID', 'transformationID'];
const text = (value: unknown): string => (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value));

/** All strings in a value, apart from those in its `@context`. */
const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([name, member]) => (name === '@context' ? [] : stringsOf(member)))
      : [];

/** The rows of the table, one for each event, with the texts to search in. `nameFor` gives the names of master data. */
export function rowsOf(events: readonly AnyEvent[], canonicalOf: CanonicalOf, nameFor: NameFor = () => undefined): TableRow[] {
  return [...events.entries()]
    .filter(([, event]) => isObject(event))
    .map(([index, own]) => {
      const items = [
        ...ITEMS.flatMap((name) => listOf(own[name])),
        ...QUANTITY_LISTS.flatMap((name) => listOf(own[name]).map((entry) => (entry as { readonly epcClass?: unknown } | null)?.epcClass)),
      ].filter((id) => typeof id === 'string');
      const strings = stringsOf(own);
      const canonical = strings
        .filter((value) => /^(?:urn:|https?:)/i.test(value))
        .map((id) => canonicalOf(id))
        .filter((id) => id !== undefined);
      const named = (id: unknown): string => (typeof id === 'string' ? [nameFor(id), nameOf(id, canonicalOf(id)).text].filter(Boolean).join(' · ') : '');
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
        tone: toneOf(text(own.type)),
        items: items.length,
        isWrong: own.errorDeclaration !== undefined,
        canonical,
        words: [own.bizStep, own.disposition].map((word) => bareWord(text(word)).toLowerCase()),
        hay: [...strings, ...canonical, ...Object.values(shown)].join('\n').toLowerCase(),
      };
    });
}

/** Makes the test of a search: identifiers match by their canonical form, any other text as part of a row's texts. */
function searcher(sought: string, identifiers: PageEngine['identifiers']): (row: TableRow) => boolean {
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

const COLUMNS: readonly (keyof ShownRow)[] = ['index', 'when', 'type', 'action', 'step', 'disposition', 'place', 'item', 'items'];

/** The rows that match the search and the filters, sorted. */
export function chosenRows(
  rows: readonly TableRow[],
  { search = '', type = '', step = '', disposition = '', place = '', sort = 'index', isDown = false }: TableWanted,
  identifiers: PageEngine['identifiers'],
): TableRow[] {
  const fits = searcher(search, identifiers);
  const filters = Object.entries({ type, step, disposition, place }).filter(([, value]) => value !== '');
  const found = rows.filter((row) => filters.every(([name, value]) => row[name as Filter] === value) && fits(row));
  const key = sort === 'when' ? 'time' : (COLUMNS.find((column) => column === sort) ?? 'index');
  const compare = (a: TableRow, b: TableRow) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.index - b.index);
  found.sort(isDown ? (a, b) => compare(b, a) : compare);
  return found;
}

/** The values of each filter with their counts, most frequent first. */
export function choicesOf(rows: readonly TableRow[]): Choices {
  return Object.fromEntries(
    FILTERS.map((name) => {
      const counts = new Map<string, number>();
      for (const row of rows) if (row[name] !== '') counts.set(row[name], (counts.get(row[name]) ?? 0) + 1);
      return [name, [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 200)];
    }),
  ) as unknown as Choices;
}

/** A page of the rows found, and the number and the filter values of all rows: `{total, all, rows, choices}`. */
export const pageOf = (all: readonly TableRow[], found: readonly TableRow[], from: number, count: number): TablePage => ({
  total: found.length,
  all: all.length,
  choices: choicesOf(all),
  rows: found.slice(from, from + count).map(({ hay: _, canonical: __, words: ___, ...row }) => row),
});

/**
 * Events as CSV (RFC 4180), one line each, with a byte order mark so that spreadsheets read UTF-8. Values are as written, except for a
 * `'` before a formula. `rows` gives the events and their order.
 */
export function csvOf(events: readonly AnyEvent[], rows: readonly Pick<TableRow, 'index'>[]): string {
  const ids = (list: unknown) => listOf(list).map(text).join(' ');
  const amounts = (list: unknown) =>
    (listOf(list) as readonly ({ readonly epcClass?: unknown; readonly quantity?: unknown; readonly uom?: unknown } | null)[])
      .map((entry) => [text(entry?.epcClass), text(entry?.quantity), text(entry?.uom)].filter((part) => part !== '').join(' '))
      .join('; ');
  const columns: Readonly<Record<string, (event: AnyEvent | undefined, index: number) => string>> = {
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
        .map((entry) => text((entry as { readonly bizTransaction?: unknown } | null)?.bizTransaction))
        .join(' '),
    eventID: (event) => text(event?.eventID),
  };
  const lines = [Object.keys(columns), ...rows.map(({ index }) => Object.values(columns).map((value) => value(events[index], index)))];
  return `\ufeff${lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('')}`;
}
