// The reports about an open document, in the engine's thread: their previews and their files. Loaded with the tool Reports.
//
// Why does the page not get the whole report?
// It may have 100,000 rows. The page gets the rows that it shows, and each file when it is saved.
/* global REPORT_WASM, XLSX_WASM */
import { init, report, toCsv, toHtml } from '../../../../wasm/js/report/browser.ts';
import { attempt, calmed, notLoaded } from '../../../../wasm/document/attempt.ts';
import { readIdentifier } from '../convert/convert.js';
import { isObject, listOf } from '../../events/event-model.js';
import { EPC_LISTS, QUANTITY_LISTS } from '../../shared/fields.js';
import { nameOf } from '../../shared/words.js';

/** The most rows of a sheet in a preview, characters of a cell there, and items that are offered. */
const MOST = { rows: 200, characters: 2000, items: 300 };
/** The sheet that says how a report was made. */
const ABOUT = 'About';

/** Loads the engine of the reports. */
export const load = () => init(new URL(REPORT_WASM, self.location));

/** The last report about each document: `{asked, value}`. Its files are made of it. */
const last = new WeakMap();

/** Why no report can be made of a document, whatever is asked: `{problem}`. Undefined if one can be made, and for an empty document. */
function refusalOf(input) {
  if (input.format === 'empty') return undefined;
  if (input.foreign !== undefined) return { problem: input.refusal };
  const unread = () => attempt(() => input.engine.hash(input.bytes)).problem;
  const problem = input.faultOfList() ?? input.json.problem ?? (input.parsed === undefined ? input.ofList(unread()) : undefined);
  return problem && { problem: calmed(problem) };
}

/** An identifier as the engine reads it: people also write element strings and plain keys. */
const spelt = (text, identifiers) => (identifiers.toDigitalLink(text) === undefined ? (readIdentifier(text, identifiers)?.digitalLink ?? text) : text);

/** The report `name` about a document: `{value}` or `{problem}`. `items` are identifiers; without them it is about all events. */
function reported(input, { name, items }) {
  const asked = JSON.stringify([name, items]);
  if (last.get(input)?.asked === asked) return last.get(input);
  const request = items.length === 0 ? {} : { items: items.map((item) => spelt(item, input.engine.identifiers)) };
  const { value, problem } = attempt(() => report(input.json.bytes, name, request));
  if (problem !== undefined) return { problem: input.format === 'xml' ? problem : input.ofList(problem) };
  const made = { asked, value };
  last.set(input, made);
  return made;
}

/**
 * The preview of a report: `{events, type, gaps, about, sheets}`. Each sheet is `{name, columns, rows, total, lacking}`: its first rows, the
 * number of all, and the number of those that lack something. `{events, problem}` if there is no report, `{events: 0}` without events.
 */
export function preview(input, asked) {
  const events = input.events.filter(isObject).length;
  const refused = refusalOf(input);
  if (refused !== undefined || events === 0) return { events: 0, ...refused };
  const { value, problem } = reported(input, asked);
  if (problem !== undefined) return { events, problem };
  const { type, gaps, sheets } = value;
  const isAbout = ({ name }) => name === ABOUT;
  return {
    events,
    type,
    gaps,
    about: sheets.find(isAbout)?.rows ?? [],
    sheets: sheets
      .filter((sheet) => !isAbout(sheet))
      .map(({ name, columns, rows }) => ({
        name,
        columns,
        rows: rows.slice(0, MOST.rows).map((row) => row.map((cell) => (cell.length > MOST.characters ? `${cell.slice(0, MOST.characters)}…` : cell))),
        total: rows.length,
        lacking: columns.at(-1)?.id === 'missing' ? rows.filter((row) => row.at(-1) !== '').length : 0,
      })),
  };
}

/** The content of a file of the report: `{content}`, a text or the bytes of a spreadsheet, or `{problem}`. `kind` is its ending. */
export async function file(input, { kind, ...asked }) {
  const { value, problem } = refusalOf(input) ?? reported(input, asked);
  if (value === undefined) return { problem };
  switch (kind) {
    case 'csv':
      return { content: toCsv(value) };
    case 'html':
      return { content: toHtml(value) };
    case 'xlsx': {
      let xlsx;
      try {
        xlsx = await import('../../../../wasm/js/xlsx/browser.ts');
        await xlsx.init(new URL(XLSX_WASM, self.location));
      } catch (error) {
        return notLoaded(error, 'The engine that writes spreadsheets');
      }
      return { content: xlsx.toXlsx(value) };
    }
    default:
      return { content: `${JSON.stringify(value, null, 2)}\n` };
  }
}

/**
 * The items of a document: `{events, list, total}`. `list` has the first of them as `{id, text}`, lots before all others. `{events: 0}`, with
 * a `problem` if there is one, for a document of which no report can be made.
 */
export function items(input) {
  const { canonicalOf, names } = input;
  const events = input.events.filter(isObject);
  const refused = refusalOf(input);
  if (refused !== undefined || events.length === 0) return { events: 0, ...refused };
  const found = new Map();
  for (const event of events) {
    const ids = [
      ...QUANTITY_LISTS.flatMap((name) => listOf(event[name]).map((entry) => entry?.epcClass)),
      ...EPC_LISTS.flatMap((name) => listOf(event[name])),
      event.parentID,
    ];
    for (const id of ids) {
      if (typeof id !== 'string' || id === '') continue;
      const key = canonicalOf(id) ?? id;
      if (!found.has(key)) found.set(key, id);
    }
  }
  // Who recalls something mostly knows its lot.
  const isLot = ([key]) => /\/10\/[^/]+$/.test(key);
  const ordered = [...found].sort((a, b) => Number(isLot(b)) - Number(isLot(a)));
  return {
    events: events.length,
    total: ordered.length,
    list: ordered.slice(0, MOST.items).map(([, id]) => ({ id, text: [names.nameOf(id), nameOf(id, canonicalOf(id)).text].filter(Boolean).join(' · ') })),
  };
}
