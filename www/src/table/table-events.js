// Makes events of the rows of a table (CSV), in the engine's thread. Loaded with the first table.
import Papa from 'papaparse';
import { spell } from '../tools/convert/convert.js';
import { instantOf } from '../shared/words.js';

/** The most columns and rows of a table. */
export const LIMITS = { columns: 200, rows: 50_000 };
/** The most rows shown as an example, and the most problems told. */
const SHOWN = 3;
const TOLD = 5;
const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

/** What the names of columns are mostly called. */
const NAMES = {
  what: /epc|gtin|sscc|serial|item|product|what|^id$|identifier/i,
  when: /time|date|when/i,
  where: /gln|place|location|where|site|read ?point/i,
  step: /step|activity|status|event ?type|what happened/i,
  quantity: /quantity|qty|amount|^count/i,
  uom: /uom|unit/i,
};

/** The first rows of a text as lists of cells, or `{problem}`. */
function rowsOf(text, most) {
  // The first line tells how many columns there are, before all is read.
  const [head = []] = Papa.parse(text.slice(0, 1_000_000), { preview: 1, skipEmptyLines: 'greedy' }).data;
  if (head.length > LIMITS.columns)
    return {
      problem: `The table has ${head.length.toLocaleString('en')} columns, and at most ${LIMITS.columns} are taken. Leave out those that are not needed.`,
    };
  const { data } = Papa.parse(text.replace(/^\uFEFF/, ''), { preview: most + 1, skipEmptyLines: 'greedy' });
  return { rows: data };
}

/**
 * The columns of a table: `{columns: [{name, sample}], guesses, zone}`, or `{problem}` in words. `guesses` have the number of the column
 * for each of `what`, `when`, `where`, `step`, `quantity` and `uom`, as far as its name tells.
 */
export function columnsOf(text) {
  const { rows, problem } = rowsOf(text, SHOWN);
  if (problem !== undefined) return { problem };
  const [head = [], ...body] = rows;
  if (head.length < 2 || body.length === 0) return { problem: 'The table has no rows below its head.' };
  const columns = head.map((name, at) => ({
    name: name.trim() || `Column ${at + 1}`,
    sample: body.map((row) => (row[at] ?? '').slice(0, 60)).filter((cell) => cell !== ''),
  }));
  const taken = new Set();
  const guesses = {};
  for (const [role, pattern] of Object.entries(NAMES)) {
    const at = columns.findIndex(({ name }, index) => !taken.has(index) && pattern.test(name));
    if (at === -1) continue;
    guesses[role] = at;
    taken.add(at);
  }
  return { columns, guesses };
}

/**
 * The events of a table: `{text, made, left, problems, notes}`. `text` is a document with an event for each row that could be read, `made`
 * their number, `left` that of the others; `problems` are the first of these in words. `choice` has the numbers of the columns, `zone`, the
 * offset of times that have none, and `action`. `{problem}` if the table is too large.
 */
export function eventsOf({ text, identifiers }, { zone, action, ...columns }) {
  if (!/^[+-](?:0\d|1[0-4]):[0-5]\d$/.test(zone)) return { problem: `Found \`${String(zone).slice(0, 20)}\`, expected a time zone such as +01:00.` };
  const { rows, problem } = rowsOf(text, LIMITS.rows + 1);
  if (problem !== undefined) return { problem };
  if (rows.length > LIMITS.rows + 1) return { problem: `The table has more than ${LIMITS.rows.toLocaleString('en')} rows. Split it.` };
  const eventList = [];
  const problems = [];
  let [left, midnights] = [0, 0];
  for (const [at, row] of rows.slice(1).entries()) {
    const cell = (role) => (columns[role] === undefined ? '' : (row[columns[role]] ?? '').trim());
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
const unreadable = (found, expected) => new Unreadable(found === '' ? `${expected} is missing` : `found \`${found.slice(0, 60)}\`, expected ${expected}`);

function eventOf(cell, eventTime, { zone, action, identifiers }) {
  const what = identifierOf(cell('what'), identifiers, 'an item: a URI, an element string such as (00)…, or a GTIN or SSCC');
  const event = { type: 'ObjectEvent', eventTime, eventTimeZoneOffset: zone, action };
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

function identifierOf(text, identifiers, expected) {
  if (text === '') throw unreadable(text, expected);
  const [id] = spell([text], identifiers);
  if (!/^[a-z][a-z\d+.-]*:\S+$/i.test(id)) throw unreadable(text, expected);
  return id;
}

function amountOf(quantity, uom) {
  if (quantity === '') return {};
  if (!/^\d+(?:\.\d+)?$/.test(quantity)) throw unreadable(quantity, 'a quantity such as 12 or 0.5');
  return { quantity: Number(quantity), ...(uom === '' ? {} : { uom: uom.toUpperCase() }) };
}

/** The time in a cell as `{text, zone, isDay}`, with this offset if it has none. */
function timeOf(cell, offset) {
  const [, day, clock, seconds, zone] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s*(Z|[+-]\d\d:\d\d)?)?$/i.exec(cell) ?? [];
  const text = `${day}T${clock ?? '00:00'}${seconds ?? ':00'}${zone?.toUpperCase() ?? offset}`;
  if (day === undefined || Number.isNaN(instantOf(text))) throw unreadable(cell, 'a time such as 2026-03-04 11:00 or 2026-03-04T11:00:30+01:00');
  return { text, zone: zone === undefined ? offset : /^Z$/i.test(zone) ? '+00:00' : zone, isDay: clock === undefined };
}
