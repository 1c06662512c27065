// Reports in the package: tables, CSV, HTML, workbooks, and what is refused.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { EpcisError, report, toCsv, toHtml } from 'epcis-edge/report';
import { toXlsx } from 'epcis-edge/xlsx';
import { csvField, recordsIn } from '../js/names/csv.ts';
import { hash } from '../js/engine/node.ts';

/** Before the first report is made. */
const BEGUN = Date.now();

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url));
const lettuce = read('www/examples/fsma204-lettuce.json');
const medicine = read('www/examples/dscsa-shipment.json');
const recalled = read('docs/recall.json');
const POWDER = 'urn:epc:class:lgtin:9521141.010001.P-17';
const PALLET = 'https://id.gs1.org/00/095211410000000038';

const sheetOf = ({ sheets }, name) => sheets.find((sheet) => sheet.name === name) ?? assert.fail(`no sheet ${name}`);
/** The rows of a sheet, each as an object by the names of its columns. */
const rowsOf = (made, name) => {
  const { columns, rows } = sheetOf(made, name);
  return rows.map((row) => Object.fromEntries(columns.map(({ id }, n) => [id, row[n]])));
};
const counts = ({ sheets }) => Object.fromEntries(sheets.filter(({ rows }) => rows.length > 0).map(({ name, rows }) => [name, rows.length]));
const unmade = ({ made, sheets, ...rest }) => ({ ...rest, sheets: sheets.filter(({ name }) => name !== 'About') });

/** What holds of every report of a document. */
function checkForm(made, document) {
  const hashes = new Set(hash(document));
  for (const { name, columns, rows } of made.sheets) {
    assert.equal(new Set(columns.map(({ id }) => id)).size, columns.length, name);
    for (const row of rows) {
      assert.equal(row.length, columns.length, name);
      assert.ok(
        row.every((cell) => typeof cell === 'string'),
        name,
      );
    }
    if (columns.some(({ id }) => id === 'hash')) {
      assert.equal(columns.at(-1).id, 'missing', name);
      for (const row of rowsOf(made, name)) assert.ok(hashes.has(row.hash) && row.event !== '', `${name}: ${row.event} ${row.hash}`);
    }
  }
  const about = made.sheets.at(-1);
  assert.deepEqual([about.name, about.columns.map(({ id }) => id)], ['About', ['what', 'says']]);
  assert.match(made.made, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
  assert.ok(Date.parse(made.made) >= BEGUN && Date.parse(made.made) <= Date.now(), made.made);
}

test('food: a sheet for each critical tracking event, in any form of the document', () => {
  const made = report(lettuce, 'fsma204');
  checkForm(made, lettuce);
  assert.deepEqual([made.type, made.report, made.asked, made.gaps, made.from, made.to], ['OK', 'fsma204', [], [], undefined, undefined]);
  const { About, ...filled } = counts(made);
  assert.ok(About > 3);
  assert.deepEqual(filled, { Harvesting: 1, 'Initial packing': 1, Shipping: 2, Receiving: 2, Locations: 4, Products: 2 });
  const [shipped] = rowsOf(made, 'Shipping');
  assert.deepEqual(
    [shipped.gtin, shipped.lot, shipped.quantity, shipped.unit, shipped.date, shipped.place, shipped.missing],
    ['19521141300111', 'RH0311A', '48', 'CS', '2026-03-11', 'Example Packing (9521141003022)', ''],
  );
  assert.equal(sheetOf(made, 'Shipping').columns[0].source, '21 CFR 1.1340(a)(1)');
  const text = lettuce.toString('utf8');
  for (const document of [text, JSON.parse(text), new Uint8Array(lettuce).buffer]) assert.deepEqual(unmade(report(document, 'fsma204', {})), unmade(made));
  // Without a header, names are missing; the rows are the same.
  const { eventList } = JSON.parse(text).epcisBody;
  assert.deepEqual(
    rowsOf(report(eventList, 'fsma204'), 'Shipping').map(({ lot, place }) => [lot, place]),
    [
      ['RH0311A', '9521141003022'],
      ['RH0311A', '9521141003039'],
    ],
  );
});

test('medicines: transaction information, serial numbers and the statement', () => {
  const made = report(medicine, 'dscsa');
  checkForm(made, medicine);
  const { About, ...filled } = counts(made);
  assert.deepEqual(filled, { 'Transaction information': 2, 'Serial numbers': 12, 'Transaction statement': 1, Locations: 2, Products: 1 });
  const [statement] = rowsOf(made, 'Transaction statement');
  assert.match(statement.statement, /^Seller has complied/);
  const lots = rowsOf(made, 'Transaction information').map(({ lot, missing }) => [lot, missing]);
  assert.deepEqual(lots, [
    ['', 'not in these events: Lot number'],
    ['L26-114', ''],
  ]);
});

test('a recall and the life of an item, with what the question changes', () => {
  const made = report(recalled, 'recall', { items: POWDER });
  checkForm(made, recalled);
  assert.deepEqual([made.type, made.asked], ['OK', [POWDER]]);
  const lots = (rows) => [...new Set(rows.map(({ lot }) => lot))].sort();
  assert.deepEqual(lots(rowsOf(made, 'Consignees')), ['P-17', 'Y-1', 'Y-2']);
  // Both shops have something of the second lot.
  assert.deepEqual(
    rowsOf(made, 'Last seen at').map(({ lot, place }) => [lot, place.replace(/ \(.*/, '')]),
    [
      ['Y-1', 'Corner Shop, Durham'],
      ['Y-1', 'Corner Shop, Lincoln'],
      ['Y-2', 'Corner Shop, Durham'],
    ],
  );
  // All of the powder went into yoghurt.
  assert.deepEqual(
    rowsOf(made, 'Gone').map(({ lot, why, quantity }) => [lot, why, quantity]),
    [['P-17', 'used: creating_class_instance', '1000']],
  );
  // Another lot of the same powder is found by `kin` alone.
  const ofYoghurt = { items: ['urn:epc:class:lgtin:9521141.020001.Y-1'] };
  assert.deepEqual(lots(rowsOf(report(recalled, 'recall', ofYoghurt), 'Consignees')), ['Y-1']);
  assert.deepEqual(lots(rowsOf(report(recalled, 'recall', { ...ofYoghurt, kin: true }), 'Consignees')), ['P-17', 'Y-1', 'Y-2']);

  const life = report(recalled, 'passport', { items: PALLET });
  checkForm(life, recalled);
  assert.ok(rowsOf(life, 'Life').length > 2);
  assert.equal(report(recalled, 'passport', { items: [PALLET], contents: 'none' }).sheets.find(({ name }) => name === 'Contents').rows.length, 0);
  const bounded = report(recalled, 'recall', { items: POWDER, maxEvents: 1 });
  assert.match(bounded.gaps[0], /^There are more events than `maxEvents`/);
  assert.ok(rowsOf(bounded, 'About').some(({ what, says }) => what === 'Not complete' && says === bounded.gaps[0]));
});

test('a time chooses events, and a report of nothing says so', () => {
  const all = report(lettuce, 'fsma204');
  const [from, to] = [new Date('2026-03-11T00:00:00-08:00'), '2026-03-12T00:00:00-08:00'];
  const day = report(lettuce, 'fsma204', { from, to });
  assert.deepEqual(
    rowsOf(day, 'Shipping'),
    rowsOf(all, 'Shipping').filter(({ date }) => date === '2026-03-11'),
  );
  assert.deepEqual([Date.parse(day.from), Date.parse(day.to)], [Number(from), Date.parse(to)]);
  const never = report(lettuce, 'fsma204', { from: '2030-01-01T00:00:00Z' });
  assert.deepEqual([never.type, Object.keys(counts(never))], ['EMPTY', ['About']]);
  assert.equal(report(lettuce, 'recall', { items: 'urn:x:nobody' }).type, 'EMPTY');
});

/** The records of CSV, whose lines must end in CR LF. */
function recordsOf(csv) {
  assert.ok(csv.endsWith('\r\n'));
  const refuse = (...why) => assert.fail(why.join());
  return [...recordsIn(csv, refuse)].map(({ fields }) => fields);
}
/** A cell as it is read from CSV: with an apostrophe before a formula. */
const harmlessCell = (cell) => recordsOf(`x,${csvField(cell)}\r\n`)[0][1];

test('CSV: one sheet, or all as one table', () => {
  for (const made of [report(lettuce, 'fsma204'), report(medicine, 'dscsa'), report(recalled, 'recall', { items: POWDER })]) {
    for (const { name, columns, rows } of made.sheets)
      assert.deepEqual(recordsOf(toCsv(made, name)), [columns.map(({ title }) => title), ...rows.map((row) => row.map(harmlessCell))], name);
    const [head, ...rows] = recordsOf(toCsv(made));
    assert.equal(head[0], 'Sheet');
    assert.equal(new Set(head).size, head.length);
    const expected = made.sheets.flatMap(({ name, columns, rows }) =>
      rows.map((row) => head.map((title, n) => (n === 0 ? name : harmlessCell(row[columns.findIndex((column) => column.title === title)] ?? '')))),
    );
    assert.deepEqual(rows, expected);
  }
  assert.throws(() => toCsv(report(lettuce, 'fsma204'), 'shipping'), EpcisError);
});

/** A report with texts that programs obey. */
const EVIL = '=HYPERLINK("https://x.example","a")</td><script>alert(1)</script>&amp;';
function evil() {
  const attribute = (id, value) => ({ id: `urn:epcglobal:cbv:mda#${id}`, attribute: value });
  const elements = [{ id: 'urn:epc:id:sgln:9521141.00100.0', attributes: [attribute('name', EVIL), attribute('telephone', '+1 555')] }];
  const vocabularyList = [{ type: 'urn:epcglobal:epcis:vtype:Location', vocabularyElementList: elements }];
  const event = {
    type: 'ObjectEvent',
    eventTime: '2026-03-04T10:00:00Z',
    eventTimeZoneOffset: '-05:00',
    action: 'ADD',
    bizStep: 'commissioning',
    quantityList: [{ epcClass: 'urn:epc:class:lgtin:9521141.012345.007', quantity: 1, uom: 'KGM' }],
    readPoint: { id: 'urn:epc:id:sgln:9521141.00100.0' },
  };
  return report({ epcisHeader: { epcisMasterData: { vocabularyList } }, epcisBody: { eventList: [event] } }, 'passport', {
    items: 'urn:epc:class:lgtin:9521141.012345.007',
  });
}

test('HTML has no script, and texts stay texts', () => {
  for (const made of [evil(), report(lettuce, 'fsma204')]) {
    const html = toHtml(made);
    assert.match(html, /^<!doctype html>\n<html lang="en">/);
    assert.doesNotMatch(html, /<script|javascript:|<link|<img|https?:\/\/x\.example"/);
  }
  assert.ok(toHtml(evil()).includes('&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;'));
  assert.ok(toCsv(evil(), 'Locations').includes(`"'=HYPERLINK(""https://x.example"",""a"")`));
});

/** The files in a ZIP archive, as texts by name. */
function unzipped(bytes) {
  const zip = Buffer.from(bytes);
  const files = {};
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let at = zip.readUInt32LE(end + 16); zip.readUInt32LE(at) === 0x02014b50; ) {
    const [method, length, name, extra, comment, place] = [10, 20, 28, 30, 32, 42].map((offset) =>
      [20, 42].includes(offset) ? zip.readUInt32LE(at + offset) : zip.readUInt16LE(at + offset),
    );
    const from = place + 30 + zip.readUInt16LE(place + 26) + zip.readUInt16LE(place + 28);
    const data = zip.subarray(from, from + length);
    files[zip.toString('utf8', at + 46, at + 46 + name)] = (method === 0 ? data : inflateRawSync(data)).toString('utf8');
    at += 46 + name + extra + comment;
  }
  return files;
}
const textsIn = (xml) =>
  [...xml.matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g)].map(([, text]) =>
    text.replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]),
  );

test('a workbook has a sheet for each table, and its cells are texts and amounts', () => {
  for (const made of [evil(), report(lettuce, 'fsma204'), report(medicine, 'dscsa')]) {
    const bytes = toXlsx(made);
    assert.ok(bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer);
    const files = unzipped(bytes);
    const names = [...files['xl/workbook.xml'].matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name);
    assert.deepEqual(
      names,
      made.sheets.map(({ name }) => name),
    );
    const texts = textsIn(files['xl/sharedStrings.xml']);
    for (const [n, { name, columns, rows }] of made.sheets.entries()) {
      const sheet = files[`xl/worksheets/sheet${n + 1}.xml`];
      assert.doesNotMatch(sheet, /<f>|<hyperlink/, name);
      const cells = [...sheet.matchAll(/<c r="([A-Z])(\d+)"([^>]*)><v>([^<]*)<\/v><\/c>/g)].map(([, letter, row, how, value]) => {
        if (how.includes(' t="s"')) return [Number(row), texts[Number(value)]];
        assert.match(columns[letter.charCodeAt(0) - 65].id, /quantity|containers/);
        return [Number(row), value];
      });
      const head = cells.filter(([row]) => row === 1).map(([, text]) => text.split('\n')[0]);
      assert.deepEqual(
        head,
        columns.map(({ title }) => title),
        name,
      );
      for (const [at, row] of rows.entries())
        assert.deepEqual(
          cells
            .filter(([line]) => line === at + 2)
            .map(([, text]) => text)
            .filter((text) => text !== ''),
          row.filter((cell) => cell !== ''),
          name,
        );
    }
  }
});

test('what cannot be asked is refused', () => {
  const made = report(lettuce, 'fsma204');
  for (const [call, sentence] of [
    [() => report(undefined, 'fsma204'), /the document is undefined/],
    [() => report(lettuce), /the name of the report is undefined, expected 'fsma204' or 'dscsa' or 'recall' or 'passport'/],
    [() => report(lettuce, 'FSMA204'), /the name of the report is "FSMA204"/],
    [() => report(lettuce, 'exceptions'), /the name of the report is "exceptions"/],
    [() => report(lettuce, 'fsma204', null), /the third argument of report is null, expected an object with the options items, direction/],
    [() => report(lettuce, 'fsma204', { item: 'urn:x:1' }), /report has no option "item"/],
    [() => report(lettuce, 'fsma204', { from: 7 }), /the option from of report is 7, expected a Date/],
    [() => report(lettuce, 'recall', { items: POWDER, direction: 'up' }), /the option direction of report is "up"/],
    [() => toCsv('{}'), /the report is "\{\}", expected a report as the function `report` returns it/],
    [() => toCsv(Promise.resolve(made)), /the report is a Promise, expected .*: await it first/],
    [() => toCsv({}), /the report is an Object/],
    [() => toCsv(made, 1), /the name of the sheet is 1, expected a string/],
    [() => toHtml([]), /the report is an Array/],
    [() => toXlsx(undefined), /the report is undefined/],
    [() => toXlsx({ ...made, gaps: new Map() }), /\/gaps is a Map/],
  ])
    assert.throws(call, (error) => error instanceof TypeError && sentence.test(error.message), call.toString());
  for (const [call, sentence] of [
    [() => report('{', 'fsma204'), /ends too early, at line 1 column 2/],
    [() => report([], 'fsma204'), /no event was found/],
    [() => report(lettuce, 'recall'), /items/],
    [() => report(lettuce, 'passport', { items: [POWDER, PALLET] }), /one thing/],
    [() => report(lettuce, 'passport', { items: 'https://id.gs1.org/01/09521141300015' }), /one thing/],
    [() => report(lettuce, 'fsma204', { depth: 3 }), /depth/],
    [() => report(lettuce, 'fsma204', { from: 'yesterday' }), /a time with its zone/],
    [() => report(lettuce, 'fsma204', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }), /a time after `from`/],
    [() => toCsv({ sheets: [] }), /report/],
    [() => toHtml({ ...made, more: 1 }), /report/],
    [() => toXlsx({ ...made, sheets: [{ name: 'A', columns: [], rows: [['a']] }] }), /report/],
  ])
    assert.throws(call, (error) => error instanceof EpcisError && sentence.test(error.message) && error.problem.status >= 400, call.toString());
});
