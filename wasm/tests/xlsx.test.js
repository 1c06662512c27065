// Reports as XLSX, as LibreOffice reads them: amounts are numbers, every other cell is the text of the report, no cell is a formula.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { report } from 'epcis-edge/report';
import { toXlsx } from 'epcis-edge/xlsx';
import { recordsIn } from '../js/names/csv.ts';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const soffice = execFileSync(here('../../scripts/libreoffice.sh'), { encoding: 'utf8' }).trim();
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-xlsx-'));
after(() => rmSync(folder, { recursive: true }));

// Comma, quotation mark, UTF-8, from line 1; texts quoted; numbers as numbers, without quotation marks; formulas, not their results; all sheets.
const AS_CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,true,false,-1';

/** The sheets of a spreadsheet as LibreOffice writes them as CSV, by name. */
function opened(name, xlsx) {
  writeFileSync(join(folder, `${name}.xlsx`), xlsx);
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  execFileSync(soffice, [profile, '--headless', '--convert-to', AS_CSV, '--outdir', folder, join(folder, `${name}.xlsx`)], { stdio: 'pipe' });
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.csv'));
  const sheet = (file) => [file.slice(name.length + 1, -'.csv'.length), readFileSync(join(folder, file), 'utf8')];
  return Object.fromEntries(files.map(sheet));
}

const rowsIn = (csv) => [...recordsIn(csv, (line, found) => assert.fail(`${line}: ${found}`))].map(({ fields }) => fields);

const AMOUNTS = ['quantity', 'containers', 'received-quantity', 'input-quantity', 'shipped', 'received', 'difference'];
const isNumber = ({ id }, cell) => AMOUNTS.includes(id) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell) && cell.replaceAll(/\D/g, '').length <= 15;

/** What is in each cell: the title and its source in the head, the texts and numbers of the rows below. */
const expected = ({ columns, rows }) => [
  columns.map(({ title, source }) => (source === undefined ? title : `${title}\n${source}`)),
  ...rows.map((row) => row.map((cell, at) => (isNumber(columns[at], cell) ? String(Number(cell)) : cell))),
];

function same(name, made) {
  const found = opened(name, toXlsx(made));
  assert.deepEqual(Object.keys(found).sort(), made.sheets.map((sheet) => sheet.name).sort());
  for (const sheet of made.sheets) {
    assert.deepEqual(rowsIn(found[sheet.name]), expected(sheet), sheet.name);
    // LibreOffice quotes texts alone: a number, a date or a result has no quotation marks.
    const bare = found[sheet.name].replaceAll(/"(?:[^"]|"")*"/g, '').split(/[,\r\n]+/);
    const numbers = sheet.rows.flatMap((row) => row.filter((cell, at) => isNumber(sheet.columns[at], cell)));
    assert.deepEqual(
      bare.filter((cell) => cell !== ''),
      numbers.map((cell) => String(Number(cell))),
      sheet.name,
    );
  }
}

const ODD = [
  '1E10',
  '007',
  '00012345678905',
  '=1+1',
  '+1 555 0100',
  '-5',
  '@SUM(A1)',
  "'quoted'",
  '2026-03-04',
  'TRUE',
  '#N/A',
  'مزرعة الخس',
  'zwei\nZeilen, "hier"',
  '<b>&amp;',
  '農場',
];

test('xlsx: cells that spreadsheets eat are kept as they are', () => {
  const columns = [
    { id: 'a', title: 'A', source: '21 CFR 1' },
    { id: 'b', title: 'B' },
  ];
  same('odd', {
    type: 'OK',
    report: 'recall',
    made: '2026-03-04T10:00:00Z',
    asked: [],
    sheets: [{ name: 'Odd', columns, rows: ODD.map((text, at) => [text, ODD[(at + 1) % ODD.length]]) }],
    gaps: [],
  });
});

test('xlsx: amounts are numbers if no digit is lost, and identifiers of digits are texts', () => {
  const texts = ['007', '00.5', '1E10', '.5', '5.', '--5', '1234567890123456', '220.5 LBR', '', '٣'];
  const numbers = ['0', '-10', '12.50', '123456789012345', '-0.001'];
  const all = [...texts, ...numbers];
  const columns = ['gtin', 'lot', 'serial', 'quantity'].map((id) => ({ id, title: id }));
  const made = { type: 'OK', report: 'recall', made: '2026-03-04T10:00:00Z', asked: [], gaps: [] };
  const [, ...rows] = rowsIn(
    opened('amounts', toXlsx({ ...made, sheets: [{ name: 'Amounts', columns, rows: all.map((cell) => [cell, cell, cell, cell]) }] })).Amounts,
  );
  assert.deepEqual(
    rows.map((row) => row.slice(0, 3)),
    all.map((cell) => [cell, cell, cell]),
  );
  assert.deepEqual(
    rows.map((row) => row[3]),
    [...texts, '0', '-10', '12.5', '123456789012345', '-0.001'],
  );
  assert.deepEqual(
    all.filter((cell) => isNumber({ id: 'quantity' }, cell)),
    numbers,
  );
});

test('xlsx: each report over the examples is opened with all of its sheets', () => {
  const example = (name) => readFileSync(here(name), 'utf8');
  same('fsma204', report(example('../../www/examples/fsma204-lettuce.json'), 'fsma204'));
  same('dscsa', report(example('../../www/examples/dscsa-shipment.json'), 'dscsa'));
  const recall = example('../../docs/recall.json');
  same('recall', report(recall, 'recall', { items: 'urn:epc:class:lgtin:9521141.010001.P-17' }));
  same('passport', report(recall, 'passport', { items: 'urn:epc:id:sscc:9521141.0000000007' }));
});

test('xlsx: the same report is the same file', () => {
  const made = report(readFileSync(here('../../www/examples/fsma204-lettuce.json'), 'utf8'), 'fsma204');
  assert.deepEqual(toXlsx(made), toXlsx(made));
});

test('xlsx: a text that is longer than a cell is cut, and says so', () => {
  const columns = [{ id: 'a', title: 'A' }];
  const long = '農'.repeat(40_000);
  const made = { type: 'OK', report: 'recall', made: '2026-03-04T10:00:00Z', asked: [], sheets: [{ name: 'Long', columns, rows: [[long]] }], gaps: [] };
  const [, [cell]] = rowsIn(opened('long', toXlsx(made)).Long);
  assert.ok(cell.length <= 32_767 && cell.startsWith('農農') && cell.includes('cut here'), cell.slice(-100));
});

test('xlsx: 100,000 rows', () => {
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, title: id }));
  const rows = Array.from({ length: 100_000 }, (_, n) => columns.map(({ id }) => `${id}${n}`));
  const xlsx = toXlsx({ type: 'OK', report: 'recall', made: '2026-03-04T10:00:00Z', asked: [], sheets: [{ name: 'Many', columns, rows }], gaps: [] });
  assert.deepEqual(rowsIn(opened('many', xlsx).Many).at(-1), rows.at(-1));
});
