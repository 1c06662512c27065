// Makes events of the rows of a table (CSV), in the engine's thread. Loaded with the first table.
import Papa from 'papaparse';
import type { PageEngine } from '../engine/page-engine.ts';
import { spell } from '../tools/convert/convert.ts';
import { instantOf } from '../shared/words.ts';

/** The most columns and rows of a table. */
export const LIMITS = { columns: 200, rows: 50_000 };
/** The most rows shown as an example, and the most problems told. */
const SHOWN = 3;
const TOLD = 5;
const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

type Role = 'what' | 'when' | 'where' | 'step' | 'quantity' | 'uom';
/** The number of the column of each role. */
export type Columns = Readonly<Partial<Record<Role, number>>>;

/** What the rows of a table become. */
export interface TableChoice extends Columns {
  /** The offset of times that have none. */
  readonly zone: string;
  readonly action: string;
}

/** The columns of a table, with examples of their cells. */
export interface ColumnsFound {
  readonly problem?: undefined;
  readonly columns: readonly { readonly name: string; readonly sample: readonly string[] }[];
  readonly guesses: Columns;
}

/** The events of a table. */
export interface EventsMade {
  readonly problem?: undefined;
  readonly text: string;
  readonly made: number;
  readonly left: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Why a table is not taken, in words. */
interface NotTaken {
  readonly problem: string;
}

type Identifiers = PageEngine['identifiers'];

/** What the names of columns are mostly called. */
const NAMES: Readonly<Record<Role, RegExp>> = {
  what: /epc|gtin|sscc|serial|item|product|what|^id$|identifier/i,
  when: /time|date|when/i,
  where: /gln|place|location|where|site|read ?point/i,
  step: /step|activity|status|event ?type|what happened/i,
  quantity: /quantity|qty|amount|^count/i,
  uom: /uom|unit/i,
};

/** The first rows of a text as lists of cells, or `{problem}`. */
function rowsOf(text: string, most: number): { readonly rows: readonly string[][]; readonly problem?: undefined } | NotTaken {
  // The first line tells how many columns there are, before all is read.
  const [head = []] = Papa.parse<string[]>(text.slice(0, 1_000_000), { preview: 1, skipEmptyLines: 'greedy' }).data;
  if (head.length > LIMITS.columns)
    return {
      problem: `The table has ${head.length.toLocaleString('en')} columns, and at most ${LIMITS.columns} are taken. Leave out those that are not needed.`,
    };
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { preview: most + 1, skipEmptyLines: 'greedy' });
  return { rows: data };
}

/**
 * The columns of a table: `{columns: [{name, sample}], guesses, zone}`, or `{problem}` in words. `guesses` have the number of the column
 * for each of `what`, `when`, `where`, `step`, `quantity` and `uom`, as far as its name tells.
 */
export function columnsOf(text: string): ColumnsFound | NotTaken {
  const read = rowsOf(text, SHOWN);
  if (read.problem !== undefined) return read;
  const [head = [], ...body] = read.rows;
  if (head.length < 2 || body.length === 0) return { problem: 'The table has no rows below its head.' };
  const columns = head.map((name, at) => ({
    name: name.trim() || `Column ${at + 1}`,
    sample: body.map((row) => (row[at] ?? '').slice(0, 60)).filter((cell) => cell !== ''),
  }));
  const taken = new Set<number>();
  const guesses: Partial<Record<Role, number>> = {};
  for (const [role, pattern] of Object.entries(NAMES)) {
    const at = columns.findIndex(({ name }, index) => !taken.has(index) && pattern.test(name));
    if (at === -1) continue;
    guesses[role as Role] = at;
    taken.add(at);
  }
  return { columns, guesses };
}

/**
 * The events of a table: `{text, made, left, problems, notes}`. `text` is a document with an event for each row that could be read, `made`
 * their number, `left` that of the others; `problems` are the first of these in words. `choice` has the numbers of the columns, `zone`, the
 * offset of times that have none, and `action`. `{problem}` if the table is too large.
 */
export function eventsOf(
  { text, identifiers }: { readonly text: string; readonly identifiers: Identifiers },
  { zone, action, ...columns }: TableChoice,
): EventsMade | NotTaken {
  if (!/^[+-](?:0\d|1[0-4]):[0-5]\d$/.test(zone)) return { problem: `Found \`${String(zone).slice(0, 20)}\`, expected a time zone such as +01:00.` };
  const read = rowsOf(text, LIMITS.rows + 1);
  if (read.problem !== undefined) return read;
  const { rows } = read;
  if (rows.length > LIMITS.rows + 1) return { problem: `The table has more than ${LIMITS.rows.toLocaleString('en')} rows. Split it.` };
  const eventList: object[] = [];
  const problems: string[] = [];
  let [left, midnights]: [number, number] = [0, 0];
  for (const [at, row] of rows.slice(1).entries()) {
    const cell = (role: Role) => (row[columns[role] ?? -1] ?? '').trim();
    try {
      const time = timeOf(cell('when'), zone);
      if (time.isDay) midnights += 1;
      eventList.push(eventOf(cell, time.text, { zone: time.zone, action, identifiers }));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      left += 1;
      if (problems.length < TOLD) problems.push(`Row ${(at + 2).toLocaleString('en')}: ${error.message}`);
    }
  }
  const document = { '@context': CONTEXT, type: 'EPCISDocument', schemaVersion: '2.0', creationDate: new Date().toISOString(), epcisBody: { eventList } };
  return {
    text: `${JSON.stringify(document, null, 2)}\n`,
    made: eventList.length,
    left,
    problems,
    notes: midnights > 0 ? [`${midnights === 1 ? '1 row tells' : `${midnights.toLocaleString('en')} rows tell`} no time of day: it is set to midnight.`] : [],
  };
}

/** A cell that cannot be read. Its message says what was found and what was expected. */
class Unreadable extends Error {}
const unreadable = (found: string, expected: string) =>
  new Unreadable(found === '' ? `${expected} is missing` : `found \`${found.slice(0, 60)}\`, expected ${expected}`);

function eventOf(
  cell: (role: Role) => string,
  eventTime: string,
  { zone, action, identifiers }: { readonly zone: string; readonly action: string; readonly identifiers: Identifiers },
): object {
  const what = identifierOf(cell('what'), identifiers, 'an item: a URI, an element string such as (00)…, or a GTIN or SSCC');
  const event: Record<string, unknown> = { type: 'ObjectEvent', eventTime, eventTimeZoneOffset: zone, action };
  const canonical = identifiers.toDigitalLink(what);
  const isClass = canonical !== undefined && /\/01\/\d+(?:\/(?!21\/).*)?$/.test(canonical);
  if (isClass) event.quantityList = [{ epcClass: what, ...amountOf(cell('quantity'), cell('uom')) }];
  else event.epcList = [what];
  const step = cell('step');
  // A word of the CBV may be written with capitals and spaces. What else it is, the schema judges.
  if (step !== '') event.bizStep = step.includes(':') ? step : step.toLowerCase().replace(/[\s-]+/g, '_');
  const where = cell('where');
  if (where !== '')
    event.readPoint = { id: identifierOf(/^\d{13}$/.test(where) ? `(414)${where}` : where, identifiers, 'a place: a GLN of 13 digits or a URI') };
  return event;
}

function identifierOf(text: string, identifiers: Identifiers, expected: string): string {
  if (text === '') throw unreadable(text, expected);
  const [id = ''] = spell([text], identifiers);
  if (!/^[a-z][a-z\d+.-]*:\S+$/i.test(id)) throw unreadable(text, expected);
  return id;
}

function amountOf(quantity: string, uom: string): { readonly quantity?: number; readonly uom?: string } {
  if (quantity === '') return {};
  if (!/^\d+(?:\.\d+)?$/.test(quantity)) throw unreadable(quantity, 'a quantity such as 12 or 0.5');
  return { quantity: Number(quantity), ...(uom === '' ? {} : { uom: uom.toUpperCase() }) };
}

/** The time in a cell as `{text, zone, isDay}`, with this offset if it has none. */
function timeOf(cell: string, offset: string): { readonly text: string; readonly zone: string; readonly isDay: boolean } {
  const [, day, clock, seconds, zone] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s*(Z|[+-]\d\d:\d\d)?)?$/i.exec(cell) ?? [];
  const text = `${day}T${clock ?? '00:00'}${seconds ?? ':00'}${zone?.toUpperCase() ?? offset}`;
  if (day === undefined || Number.isNaN(instantOf(text))) throw unreadable(cell, 'a time such as 2026-03-04 11:00 or 2026-03-04T11:00:30+01:00');
  return { text, zone: zone === undefined ? offset : /^Z$/i.test(zone) ? '+00:00' : zone, isDay: clock === undefined };
}
