// The reports about an open document, in the engine's thread: their previews and their files. Loaded with the tool Reports.
//
// Why does the page not get the whole report?
// It may have 100,000 rows. The page gets the rows that it shows, and each file when it is saved.
import { init, report, toCsv, toHtml } from '../../../../wasm/js/report/browser.ts';
import type { FollowRequest } from '../../../../wasm/js/follow/index.ts';
import type { Report, ReportName } from '../../../../wasm/js/report/index.ts';
import { attempt, calmed, notLoaded } from '../../../../wasm/document/attempt.ts';
import { readIdentifier } from '../convert/convert.ts';
import type { Attempt, Problem } from '../../engine/answers.ts';
import type { PageEngine } from '../../engine/page-engine.ts';
import type { StoryInput } from '../../flow/history.ts';
import { type AnyEvent, isObject, listOf } from '../../events/event-model.ts';
import { EPC_LISTS, QUANTITY_LISTS } from '../../../../wasm/js/engine/fields.ts';
import { nameOf } from '../../shared/words.ts';

declare const REPORT_WASM: string;
declare const XLSX_WASM: string;

/** A report: without `items` it is about all events. */
export interface AskedReport {
  readonly name: ReportName;
  readonly items: readonly string[];
}

export type FileKind = 'csv' | 'html' | 'xlsx' | 'json';

/** The preview of a report. */
export interface PreviewTold {
  readonly events: number;
  readonly problem?: undefined;
  readonly type: Report['type'];
  readonly gaps: readonly string[];
  readonly about: Report['sheets'][number]['rows'];
  /** The first rows of each sheet, the number of all, and of those that lack something. */
  readonly sheets: readonly (Report['sheets'][number] & { readonly total: number; readonly lacking: number })[];
}

/** Why there is nothing to tell, if that is a problem. */
interface Nothing {
  readonly events: number;
  readonly problem?: Problem;
  readonly type?: undefined;
}

/** The items of a document, the first of them with their words. */
export interface ItemsTold {
  readonly events: number;
  readonly problem?: undefined;
  readonly total: number;
  readonly list: readonly { readonly id: string; readonly text: string }[];
}

/** The most rows of a sheet in a preview, characters of a cell there, and items that are offered. */
const MOST = { rows: 200, characters: 2000, items: 300 };
/** The sheet that says how a report was made. */
const ABOUT = 'About';

/** Loads the engine of the reports. */
export const load = (): Promise<void> => init(new URL(REPORT_WASM, self.location.href));

/** The last report about each document: `{asked, value}`. Its files are made of it. */
const last = new WeakMap<StoryInput, { readonly asked: string; readonly value: Report; readonly problem?: undefined }>();

/** Why no report can be made of a document, whatever is asked: `{problem}`. Undefined if one can be made, and for an empty document. */
function refusalOf(input: StoryInput): { readonly value?: undefined; readonly problem: Problem } | undefined {
  if (input.format === 'empty') return undefined;
  if (input.foreign !== undefined) return { problem: input.refusal };
  const unread = () => attempt(() => input.engine.hash(input.bytes)).problem;
  const problem = input.faultOfList() ?? input.json.problem ?? (input.parsed === undefined ? input.ofList(unread()) : undefined);
  return problem && { problem: calmed(problem) };
}

/** An identifier as the engine reads it: people also write element strings and plain keys. */
const spelt = (text: string, identifiers: PageEngine['identifiers']) =>
  identifiers.toDigitalLink(text) === undefined ? (readIdentifier(text, identifiers)?.digitalLink ?? text) : text;

/** The report `name` about a document: `{value}` or `{problem}`. `items` are identifiers; without them it is about all events. */
function reported(input: StoryInput, { name, items }: AskedReport): Attempt<Report> {
  const asked = JSON.stringify([name, items]);
  const before = last.get(input);
  if (before?.asked === asked) return before;
  const request = items.length === 0 ? {} : { items: items.map((item) => spelt(item, input.engine.identifiers)) };
  const { bytes, problem: unread } = input.json;
  if (unread !== undefined) return { problem: unread };
  const { value, problem }: Attempt<Report> = attempt(() => report(bytes, name, request as FollowRequest));
  if (problem !== undefined) return { problem: input.format === 'xml' ? problem : input.ofList(problem) };
  const made = { asked, value };
  last.set(input, made);
  return made;
}

/**
 * The preview of a report: `{events, type, gaps, about, sheets}`. Each sheet is `{name, columns, rows, total, lacking}`: its first rows, the
 * number of all, and the number of those that lack something. `{events, problem}` if there is no report, `{events: 0}` without events.
 */
export function preview(input: StoryInput, asked: AskedReport): PreviewTold | Nothing {
  const events = input.events.filter(isObject).length;
  const refused = refusalOf(input);
  if (refused !== undefined || events === 0) return { events: 0, ...refused };
  const { value, problem } = reported(input, asked);
  if (problem !== undefined) return { events, problem };
  const { type, gaps, sheets } = value;
  const isAbout = ({ name }: { readonly name: string }) => name === ABOUT;
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

/** The content of a file, or why there is none; neither of an empty document. */
export type FileMade = { readonly content: BlobPart; readonly problem?: undefined } | { readonly content?: undefined; readonly problem: Problem | undefined };

/** The content of a file of the report: `{content}`, a text or the bytes of a spreadsheet, or `{problem}`. `kind` is its ending. */
export async function file(input: StoryInput, { kind, ...asked }: AskedReport & { readonly kind: FileKind }): Promise<FileMade> {
  const { value, problem } = refusalOf(input) ?? reported(input, asked);
  if (value === undefined) return { problem };
  switch (kind) {
    case 'csv':
      return { content: toCsv(value) };
    case 'html':
      return { content: toHtml(value) };
    case 'xlsx': {
      let xlsx: typeof import('../../../../wasm/js/xlsx/browser.ts');
      try {
        xlsx = await import('../../../../wasm/js/xlsx/browser.ts');
        await xlsx.init(new URL(XLSX_WASM, self.location.href));
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
export function items(input: StoryInput): ItemsTold | Nothing {
  const { canonicalOf, names } = input;
  const events: readonly AnyEvent[] = input.events.filter(isObject);
  const refused = refusalOf(input);
  if (refused !== undefined || events.length === 0) return { events: 0, ...refused };
  const found = new Map<string, string>();
  for (const event of events) {
    const ids = [
      ...QUANTITY_LISTS.flatMap((name) => listOf(event[name]).map((entry) => (entry as { readonly epcClass?: unknown } | null)?.epcClass)),
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
  const isLot = ([key]: readonly [string, string]) => /\/10\/[^/]+$/.test(key);
  const ordered = [...found].sort((a, b) => Number(isLot(b)) - Number(isLot(a)));
  return {
    events: events.length,
    total: ordered.length,
    list: ordered.slice(0, MOST.items).map(([, id]) => ({ id, text: [names.nameOf(id), nameOf(id, canonicalOf(id)).text].filter(Boolean).join(' · ') })),
  };
}
