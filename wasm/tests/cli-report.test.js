// The command `report`: questions, forms, several files, missing files, master data, a gateway.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { report, toCsv, toHtml } from 'epcis-edge/report';
import { toXml } from '../js/engine/node.ts';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-report-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);
const { NO_COLOR, FORCE_COLOR, NODE_DISABLE_COLORS, EPCIS_EDGE_KEY, ...ENV } = process.env;
const onTerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=process.stderr.isTTY=true'];

function run(args, { input = '', env = {}, terminal = false, encoding = 'utf8' } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...(terminal ? onTerminal : []), here('../js/cli/cli.ts'), 'report', ...args], {
    cwd: folder,
    input,
    encoding,
    env: { ...ENV, ...env },
  });
  return { status, stdout, stderr };
}
function file(name, text) {
  writeFileSync(at(name), typeof text === 'string' ? text : JSON.stringify(text));
  return name;
}

const document = JSON.parse(readFileSync(here('../../www/examples/fsma204-lettuce.json'), 'utf8'));
const { eventList } = document.epcisBody;
const whole = file('whole.json', document);
const recalled = JSON.parse(readFileSync(here('../../docs/recall.json'), 'utf8'));
const recall = file('recall.json', recalled);
const POWDER = 'urn:epc:class:lgtin:9521141.010001.P-17';
const LOT = ['--item', POWDER];

/** A report without the time of its making, to be compared. */
const timeless = ({ made, sheets, ...rest }) => ({
  ...rest,
  sheets: sheets.map((sheet) => ({ ...sheet, rows: sheet.rows.filter(([what]) => what !== 'Made at') })),
});
const parsed = (stdout) => timeless(JSON.parse(stdout));
const sheetOf = ({ sheets }, name) => sheets.find((sheet) => sheet.name === name);
const column = (made, name, id) => {
  const { columns, rows } = sheetOf(made, name);
  return rows.map((row) => row[columns.findIndex((one) => one.id === id)]);
};
const timelessCsv = (csv) => csv.replace(/Made at,.*/g, '');

test('report: each option is a member of the request, and --json gives the report of the package', () => {
  for (const [name, args, given, request] of [
    ['fsma204', [whole], document, {}],
    [
      'fsma204',
      [whole, '--from', '2026-03-11T00:00:00-08:00', '--to=2026-03-12T00:00:00-08:00'],
      document,
      { from: '2026-03-11T00:00:00-08:00', to: '2026-03-12T00:00:00-08:00' },
    ],
    ['fsma204', [recall, ...LOT, '--direction', 'back'], recalled, { items: [POWDER], direction: 'back' }],
    ['dscsa', [recall, ...LOT, '--item', 'urn:x:1', '--max-events', '3'], recalled, { items: [POWDER, 'urn:x:1'], maxEvents: 3 }],
    ['recall', [recall, ...LOT], recalled, { items: [POWDER] }],
    ['recall', [recall, ...LOT, '--depth', '1', '--contents', 'none'], recalled, { items: [POWDER], depth: 1, contents: 'none' }],
    ['recall', [recall, ...LOT, '--kin'], recalled, { items: [POWDER], kin: true }],
    ['passport', [recall, ...LOT, '--through', 'packing, association'], recalled, { items: [POWDER], through: ['packing', 'association'] }],
  ]) {
    const { status, stdout, stderr } = run([name, ...args, '--json']);
    const expected = report(given, name, request);
    assert.deepEqual([status, stderr], [expected.type === 'OK' ? 0 : 3, expected.gaps.map((gap) => `epcis-edge: ${gap}\n`).join('')], args.join(' '));
    assert.deepEqual(parsed(stdout), timeless(expected), args.join(' '));
    assert.equal(run([name, ...args, '--json', '--quiet']).stderr, '');
  }
});

test('report: CSV by default, else as the option or the name of the file says', () => {
  const expected = report(document, 'fsma204');
  assert.equal(timelessCsv(run(['fsma204', whole]).stdout), timelessCsv(toCsv(expected)));
  assert.equal(run(['fsma204', whole, '--sheet', 'Shipping']).stdout, toCsv(expected, 'Shipping'));
  const html = (text) => text.replaceAll(/2\d{3}-\d\d-\d\dT[\d:.]+Z/g, '');
  assert.equal(html(run(['fsma204', whole, '--format', 'html']).stdout), html(toHtml(expected)));
  assert.deepEqual(parsed(run(['fsma204', whole, '--format', 'json']).stdout), timeless(expected));
  const workbook = run(['fsma204', whole, '--format', 'xlsx'], { encoding: 'buffer' }).stdout;
  assert.equal(workbook.toString('latin1', 0, 4), 'PK\x03\x04');
  for (const [name, begins] of [
    ['out.csv', 'Sheet,'],
    ['out.HTML', '<!doctype html>'],
    ['out.json', '{"type":"OK"'],
    ['out.xlsx', 'PK\x03\x04'],
    ['out.txt', 'Sheet,'],
  ]) {
    const { status, stdout, stderr } = run(['fsma204', whole, '-o', name]);
    assert.deepEqual([status, stdout, stderr], [0, '', ''], name);
    assert.equal(readFileSync(at(name), 'latin1').slice(0, begins.length), begins);
  }
  // What the option says counts before the name.
  assert.equal(run(['fsma204', whole, '--format', 'csv', '-o', 'table.html']).status, 0);
  assert.match(readFileSync(at('table.html'), 'utf8'), /^Sheet,/);
  assert.equal(run(['fsma204', whole, '--sheet', 'Products', '-o', 'products.csv']).status, 0);
  assert.match(readFileSync(at('products.csv'), 'utf8'), /^GTIN,Product name,/);
});

test('report: a folder gets a file for each sheet that has rows, and none of an earlier report stays as it was', () => {
  assert.deepEqual(run(['fsma204', whole, '-o', 'tables/']), { status: 0, stdout: '', stderr: '' });
  const names = ['about', 'harvesting', 'initial-packing', 'locations', 'products', 'receiving', 'shipping'].map((name) => `${name}.csv`);
  assert.deepEqual(readdirSync(at('tables')).sort(), names);
  const expected = report(document, 'fsma204');
  assert.equal(readFileSync(at('tables/shipping.csv'), 'utf8'), toCsv(expected, 'Shipping'));
  const day = ['--from', '2026-03-11T00:00:00-08:00', '--to', '2026-03-12T00:00:00-08:00'];
  writeFileSync(at('precious'), 'as it was');
  rmSync(at('tables/shipping.csv'));
  symlinkSync('../precious', at('tables/shipping.csv'));
  writeFileSync(at('tables/mine.txt'), 'as it was');
  assert.equal(run(['fsma204', whole, '--format', 'csv', '--output', 'tables/', ...day]).status, 0);
  assert.equal(readFileSync(at('tables/receiving.csv'), 'utf8').split('\r\n').length, 2, 'only titles');
  assert.match(readFileSync(at('tables/shipping.csv'), 'utf8'), /RH0311A/);
  assert.deepEqual([readFileSync(at('precious'), 'utf8'), readFileSync(at('tables/mine.txt'), 'utf8')], ['as it was', 'as it was']);
  assert.ok(!existsSync(at('tables/cooling.csv')));
  for (const [target, sentence] of [
    ['no/such/', /cannot write no\/such\/: there is no such folder/],
    [`${whole}/`, /cannot write .*: there is no such folder/],
  ]) {
    const { status, stderr } = run(['fsma204', whole, '-o', target]);
    assert.equal(status, 2, stderr);
    assert.match(stderr, sentence);
  }
});

test('report: wrong usage is 2, what is not found 3, what cannot be read 4', () => {
  const bad = file('bad.json', '{"type": }');
  mkdirSync(at('a-folder'), { recursive: true });
  for (const [args, status, sentence, options] of [
    [[], 2, /name a report: fsma204, dscsa, recall, passport, received, exceptions, verdict/],
    [[whole], 2, /there is no report "whole\.json", expected fsma204, dscsa/],
    [['toString', whole], 2, /there is no report "toString"/],
    [['recall', recall], 2, /a recall is about items: --item, followed by an identifier/],
    [['passport', recall], 2, /a passport is about one item, not 0/],
    [['passport', recall, ...LOT, '--item', 'urn:x:1'], 2, /a passport is about one item, not 2/],
    [['passport', recall, '--item', 'https://id.gs1.org/01/09521141100011'], 2, /expected one thing: an instance, a lot, or a URI of your own/],
    [['fsma204', whole, '--depth', '3'], 2, /without --item the report is about all events, and only --from and --to may choose some of them/],
    [['fsma204', whole, '--kin'], 2, /without --item/],
    [['fsma204', whole, '--item', 'lettuce'], 2, /expected 1 to 100 identifiers/],
    [['recall', recall, ...LOT, '--direction', 'up'], 2, /--direction is up, expected back or forth or both/],
    [['recall', recall, ...LOT, '--contents', 'all'], 2, /--contents is all, expected listed or followed or none/],
    [['recall', recall, ...LOT, '--depth', '65'], 2, /--depth is 65, expected a whole number from 1 to 64/],
    [['recall', recall, ...LOT, '--max-events', '0'], 2, /--max-events is 0, expected a whole number from 1 to 10000/],
    [['recall', recall, ...LOT, '--through', 'air'], 2, /there is no tie "air"/],
    [['recall', recall, ...LOT, '--kin', '--direction', 'back'], 2, /--kin and --direction exclude each other/],
    [['fsma204', whole, '--from', 'yesterday'], 2, /a time with its zone/],
    [['fsma204', whole, '--from', '2026-03-04T09:00:00Z', '--to', '2026-03-04T09:00:00Z'], 2, /a time after `from`/],
    [['fsma204', whole, '--near'], 2, /Unknown option '--near'/],
    [['fsma204', whole, '--format', 'pdf'], 2, /--format is pdf, expected csv or xlsx or html or json/],
    [['fsma204', whole, '--json', '--format', 'csv'], 2, /--json means --format json and contradicts --format csv/],
    [['fsma204', whole, '--json', '-o', 'x.xlsx'], 2, /--json means --format json and contradicts the name x\.xlsx/],
    [['fsma204', whole, '--json', '-o', 'x/'], 2, /--json means --format json and contradicts the name x\//],
    [['fsma204', whole, '--format', 'html', '-o', 'x/'], 2, /x\/ is a folder, for CSV with a file for each sheet: name a file for html/],
    [['fsma204', whole, '--sheet', 'Shipping', '-o', 'x/'], 2, /--sheet names one sheet, but x\/ is a folder/],
    [['fsma204', whole, '--sheet', 'Shipping', '--format', 'html'], 2, /--sheet is for CSV: html has all sheets/],
    [['fsma204', whole, '--sheet', 'shipping'], 2, /there is no sheet "shipping", expected Harvesting, Cooling, .*, About/],
    [['fsma204', whole, '-o', 'a-folder'], 2, /cannot write a-folder: it is a folder, expected a file/],
    [
      ['fsma204', whole, '--format', 'xlsx'],
      2,
      /a terminal cannot show XLSX: name a file, as in -o report\.xlsx, or send it to a program with \|/,
      { terminal: true },
    ],
    [['fsma204', whole, '--email', 'a@b.example'], 2, /--email is for the report exceptions/],
    [['recall', recall, ...LOT, '--po', '1'], 2, /--po is for the report exceptions/],
    [['fsma204', whole, '--gateway', 'https://epcis.example.com'], 2, /--gateway and files exclude each other/],
    [['fsma204', '--gateway', 'https://epcis.example.com', '--master-data', whole], 2, /--gateway and --master-data exclude each other/],
    [['fsma204', '--gateway', 'https://epcis.example.com'], 2, /set EPCIS_EDGE_KEY/],
    [['fsma204', '--gateway', 'https://epcis.example.com'], 2, /EPCIS_EDGE_KEY is not a key/, { env: { EPCIS_EDGE_KEY: 'a key' } }],
    [['fsma204', '--gateway', 'epcis.example.com'], 2, /is not an address/],
    [['fsma204', 'absent.json'], 3, /there is no such file/],
    [['fsma204', whole, '--master-data', 'absent.csv'], 3, /there is no such file/],
    [['fsma204', bad], 4, /^bad\.json: .*malformed.* at line 1 column 10/],
    [['fsma204', file('none.json', { ...document, epcisBody: { eventList: [] } })], 4, /^none\.json: no event was found/],
  ]) {
    const { status: found, stdout, stderr } = run(args, options);
    assert.deepEqual([found, stdout], [status, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr.replaceAll(/\x1b\[\d+m/g, ''), sentence, args.join(' '));
  }
  assert.ok(!existsSync(at('x.xlsx')) && !existsSync(at('x')));
  const problem = JSON.parse(run(['fsma204', bad, '--json']).stderr);
  assert.deepEqual([problem.file, problem.status], ['bad.json', 400]);
});

test('report: an event that cannot be hashed has a row without a hash, which says so', () => {
  const { status, stdout } = run(['fsma204', file('undeclared.json', [{ ...eventList[0], 'no:lot': 1 }]), '--json']);
  assert.equal(status, 0);
  const made = JSON.parse(stdout);
  assert.deepEqual(column(made, 'Harvesting', 'hash'), ['']);
  assert.match(column(made, 'Harvesting', 'missing')[0], /the event cannot be hashed, because of a prefix that nobody declares/);
});

test('report: what finds nothing is 3, and says so', () => {
  const nobody = run(['recall', recall, '--item', 'urn:x:nobody', '-o', 'nobody.json']);
  assert.deepEqual([nobody.status, nobody.stdout, nobody.stderr], [3, '', '']);
  assert.equal(JSON.parse(readFileSync(at('nobody.json'), 'utf8')).type, 'EMPTY');
  const never = run(['fsma204', whole, '--from', '2030-01-01T00:00:00Z']);
  assert.deepEqual([never.status, never.stdout.split('\r\n').every((line) => line === '' || /^(Sheet|About),/.test(line))], [3, true]);
});

test('report: several files, lines, XML and standard input are one list of events', () => {
  const parts = eventList.map((event, n) => file(`part${n}.json`, { ...document, epcisBody: { eventList: [event] } }));
  const expected = timeless(report(document, 'fsma204'));
  assert.deepEqual(parsed(run(['fsma204', ...parts, '--json']).stdout), expected);
  assert.deepEqual(parsed(run(['fsma204', '--json'], { input: JSON.stringify(document) }).stdout), expected);
  const lines = parts.map((name) => readFileSync(at(name), 'utf8')).join('\n');
  assert.deepEqual(parsed(run(['fsma204', file('lines.ndjson', lines), '--json']).stdout), expected);
  const { document: xml } = toXml(document);
  const ofXml = run(['fsma204', file('whole.xml', xml), '--json']);
  assert.equal(ofXml.status, 0);
  assert.match(ofXml.stderr, /^whole\.xml: /);
  const withoutHashes = (made) =>
    made.sheets.map(({ name, columns, rows }) => [name, rows.map((row) => row.filter((_, n) => !['event', 'hash'].includes(columns[n].id)))]);
  assert.deepEqual(withoutHashes(parsed(ofXml.stdout)), withoutHashes(expected));
  assert.equal(run(['fsma204', 'whole.xml', '--quiet']).stderr, '');
});

test('report: what files say in their headers counts for all, the first of two descriptions first', () => {
  const header = (name, more = {}) => ({
    epcisHeader: {
      epcisMasterData: {
        vocabularyList: [
          {
            type: 'urn:epcglobal:epcis:vtype:Location',
            vocabularyElementList: [{ id: 'urn:epc:id:sgln:9521141.00100.0', attributes: [{ id: 'ex:name', attribute: name }, ...(more.attributes ?? [])] }],
          },
        ],
      },
      ...more.header,
    },
  });
  const event = (hour) => ({
    type: 'ObjectEvent',
    eventTime: `2026-03-04T0${hour}:00:00Z`,
    eventTimeZoneOffset: '+00:00',
    action: 'OBSERVE',
    bizStep: 'shipping',
    epcList: ['urn:epc:id:sgtin:9521141.012345.1'],
    sourceList: [{ type: 'owning_party', source: 'https://id.gs1.org/414/9521141001004' }],
  });
  const of = (n, name, more) =>
    file(`header${n}.json`, {
      '@context': { ex: `https://ex${n}.example/`, [`hc${n}`]: 'http://epcis.gs1us.org/hc/ns#' },
      ...header(name, more),
      epcisBody: { eventList: [{ ...event(n), 'ex:lot': n }] },
    });
  const statement = (n, legalNotice) => ({ header: { [`hc${n}:dscsaTransactionStatement`]: { [`hc${n}:legalNotice`]: legalNotice } } });
  const names = [
    of(1, 'Zebra works', { attributes: [{ id: 'ex:city', attribute: 'Leeds' }], ...statement(1, 'All is well') }),
    of(2, 'Ant works', { attributes: [{ id: 'https://ex.example/telephone', attribute: 12345678901234567890n.toString() }], ...statement(2, 'All is well') }),
  ];
  const made = JSON.parse(run(['dscsa', ...names, '--json']).stdout);
  assert.deepEqual(sheetOf(made, 'Locations').rows[0].slice(0, 5), ['9521141001004', 'Zebra works', '12345678901234567890', '', 'Leeds']);
  assert.deepEqual(column(made, 'Transaction statement', 'statement'), ['All is well']);
  // A statement of one file alone is not that of all.
  const other = of(3, 'Zebra works', statement(3, 'Nothing is well'));
  const both = JSON.parse(run(['dscsa', ...names, other, '--json']).stdout);
  assert.deepEqual(column(both, 'Transaction statement', 'statement'), ['']);
  // The prefixes of each file stay its own, so every hash is that of the event in its file.
  const hashes = [...names, other].flatMap((name) => column(JSON.parse(run(['dscsa', name, '--json']).stdout), 'Transaction information', 'hash'));
  assert.deepEqual(column(both, 'Transaction information', 'hash'), hashes);
  assert.equal(new Set(hashes).size, 3);
});

test('report: --master-data counts before headers, and only what the events name is taken', () => {
  const FIELD = 'https://id.gs1.org/414/9521141003015';
  const vocabularyList = [
    {
      '@context': { cbvmda: 'urn:epcglobal:cbv:mda#' },
      type: 'urn:epcglobal:epcis:vtype:Location',
      vocabularyElementList: [
        { id: FIELD, attributes: [{ id: 'cbvmda:name', attribute: 'Zebra field' }] },
        { id: 'urn:epc:id:sgln:9521141.00399.0', attributes: [{ id: 'cbvmda:name', attribute: 'Nowhere' }] },
      ],
    },
  ];
  const json = file('master.json', { ...document, epcisHeader: { epcisMasterData: { vocabularyList } }, epcisBody: { eventList: [] } });
  const csv = file('master.csv', `id,name,city,streetAddressOne\n${FIELD},"Ant field, ""north""",,1 Road\nurn:epc:idpat:sgtin:9521141.130001.*,Lettuce,,\n`);
  const first = (...args) => {
    const { status, stdout, stderr } = run(['fsma204', whole, ...args.flatMap((name) => ['--master-data', name]), '--json']);
    assert.deepEqual([status, stderr], [0, '']);
    const made = JSON.parse(stdout);
    assert.deepEqual(column(made, 'Shipping', 'hash'), column(report(document, 'fsma204'), 'Shipping', 'hash'));
    return { field: sheetOf(made, 'Locations').rows[0].slice(0, 5), lettuce: column(made, 'Products', 'product')[0] };
  };
  const romaine = 'Romaine lettuce, harvested, in bins';
  assert.deepEqual(first(), { field: ['9521141003015', 'Example Farms, field 7', '+1 831 555 0170', '700 Valley Road', 'Salinas'], lettuce: romaine });
  assert.deepEqual(first(json).field, ['9521141003015', 'Zebra field', '+1 831 555 0170', '700 Valley Road', 'Salinas']);
  assert.deepEqual(first(csv).field, ['9521141003015', 'Ant field, "north"', '+1 831 555 0170', '1 Road', 'Salinas']);
  assert.deepEqual(first(json, csv).field.slice(1), ['Zebra field', '+1 831 555 0170', '1 Road', 'Salinas']);
  const { document: xml } = toXml(JSON.parse(readFileSync(at(json), 'utf8')));
  assert.equal(first(file('master.xml', xml)).field[1], 'Zebra field');
  // More rows than the engine accepts, of which few are named.
  const rows = Array.from({ length: 40_000 }, (_, n) => `urn:x:${n},Thing ${n}`);
  assert.equal(first(file('long.csv', ['id,name', ...rows, `${FIELD},Named`].join('\n'))).field[1], 'Named');
  for (const [text, sentence] of [
    ['id;name\nurn:x:a;A\n', /wrong:1: found `id;name`, without the column id/],
    ['id,name\nurn:x:a\n', /wrong:2: found 1 field, expected 2/],
    [JSON.stringify(document.epcisBody), /wrong has no master data/],
  ]) {
    const { status, stdout, stderr } = run(['fsma204', whole, '--master-data', file('wrong', text)]);
    assert.deepEqual([status, stdout], [2, ''], stderr);
    assert.match(stderr, sentence);
  }
});

test('report: a file that could not be read is named in the report', () => {
  file('broken.json', '{"type": }');
  const says = ['absent.json is not in this report: there is no such file.', /^broken\.json is not in this report: .* at line 1 column 10.*\.$/];
  const { status, stdout, stderr } = run(['fsma204', 'absent.json', whole, 'broken.json', '--json']);
  assert.equal(status, 4);
  const made = JSON.parse(stdout);
  assert.equal(made.gaps.length, 2);
  assert.deepEqual([made.gaps[0], says[1].test(made.gaps[1])], [says[0], true], made.gaps[1]);
  assert.deepEqual(
    sheetOf(made, 'About').rows.filter(([what]) => what === 'Missing'),
    made.gaps.map((gap) => ['Missing', gap]),
  );
  assert.equal(stderr.split('\n').length, 4);
  assert.match(stderr, /the report is not complete: it lacks 2 of the inputs, which it names\n$/);
  const quiet = run(['fsma204', 'absent.json', whole, '--quiet', '--sheet', 'About']);
  assert.deepEqual([quiet.status, quiet.stderr.split('\n').length], [3, 2]);
  assert.match(quiet.stdout, /\r\nMissing,absent\.json is not in this report: there is no such file\.\r\n/);
  assert.match(run(['fsma204', 'absent.json', whole, '--format', 'html']).stdout, /absent\.json is not in this report/);
  // Of many lines, the first are named and all are counted.
  const lines = [JSON.stringify(document), ...Array(30).fill('{"type": }')].join('\n');
  const { gaps } = JSON.parse(run(['fsma204', file('many.ndjson', lines), '--json']).stdout);
  assert.deepEqual([gaps.length, gaps[20]], [21, '10 more inputs are not in this report.']);
  assert.match(gaps[0], /^many\.ndjson:2 is not in this report: .* at line 2 column 10/);
  const input = run(['fsma204', '--json'], { input: lines });
  assert.match(JSON.parse(input.stdout).gaps[0], /^standard input:2 is not in this report/);
});

/** Runs the command against a server that answers `POST /report/NAME` with `reply()`: `{status, text}`. */
async function withGateway(reply, [name, ...args], env = { EPCIS_EDGE_KEY: 'a-key' }) {
  const asked = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { authorization: key, accept } = request.headers;
    asked.push({ method: request.method, url: request.url, key, accept, type: request.headers['content-type'], body: JSON.parse(body) });
    const { status = 200, text, headers } = reply();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  const child = spawn(process.execPath, [here('../js/cli/cli.ts'), 'report', name, '--gateway', `${address}/`, ...args], {
    cwd: folder,
    env: { ...ENV, ...env },
  });
  const out = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (text) => (out[stream] += text));
  const status = await new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve) => server.close(resolve));
  return { status, ...out, asked, address };
}

test('report: a gateway is asked with the key of the environment', async () => {
  const answer = report(recalled, 'recall', { items: POWDER, maxEvents: 1 });
  const text = JSON.stringify(answer, undefined, 1);
  const shown = await withGateway(() => ({ text }), ['recall', ...LOT, '--max-events', '1', '--from', '2026-03-01T00:00:00Z']);
  assert.equal(shown.status, 0, shown.stderr);
  const json = 'application/json';
  const body = { items: [POWDER], from: '2026-03-01T00:00:00Z', maxEvents: 1 };
  assert.deepEqual(shown.asked, [{ method: 'POST', url: '/report/recall', key: 'Bearer a-key', accept: json, type: json, body }]);
  assert.deepEqual([shown.stdout, shown.stderr], [toCsv(answer), `epcis-edge: ${answer.gaps[0]}\n`]);
  // JSON is the answer itself, and members of a newer gateway hinder no other form.
  const newer = {
    ...answer,
    more: 1,
    sheets: answer.sheets.map((sheet) => ({ ...sheet, note: 'new', columns: sheet.columns.map((one) => ({ ...one, wide: true })) })),
  };
  const of = (value) => () => ({ text: JSON.stringify(value) });
  assert.deepEqual(JSON.parse((await withGateway(of(newer), ['recall', ...LOT, '--json', '--quiet'])).stdout), newer);
  assert.equal((await withGateway(of(newer), ['recall', ...LOT, '--format', 'html'])).stdout, toHtml(answer));
  assert.equal((await withGateway(of(newer), ['recall', ...LOT, '-o', 'of-gateway.xlsx'])).status, 0);
  assert.equal(readFileSync(at('of-gateway.xlsx'), 'latin1').slice(0, 2), 'PK');

  const all = await withGateway(of(report(document, 'fsma204')), ['fsma204', '--to', '2027-01-01T00:00:00Z', '-o', 'of-gateway/']);
  assert.deepEqual([all.status, all.asked[0].url, all.asked[0].body], [0, '/report/fsma204', { to: '2027-01-01T00:00:00Z' }]);
  assert.ok(readdirSync(at('of-gateway')).includes('shipping.csv'));
  // Names of sheets from a server lead out of no folder, and two never share a file.
  const sheets = ['../../evil', 'Evil', '///', 'a/../b'].map((name) => ({ name, columns: [{ id: 'a', title: 'A' }], rows: [['1']] }));
  const strange = await withGateway(of({ ...answer, gaps: [], sheets }), ['recall', ...LOT, '-o', 'strange/']);
  assert.deepEqual([strange.status, readdirSync(at('strange')).sort()], [0, ['a-b.csv', 'evil.csv', 'sheet-2.csv', 'sheet-3.csv']]);
});

test('report: what a gateway refuses, and what is no report', async () => {
  const answer = report(recalled, 'recall', { items: POWDER });
  const problem = { type: 'epcisException:ValidationException', title: 'Argument refused', status: 400, detail: 'all events need `from` and `to`' };
  const [sheet] = answer.sheets;
  for (const [reply, status, sentence] of [
    [{ status: 400, text: JSON.stringify(problem) }, 4, /\/report\/recall: all events need `from` and `to`/],
    [{ status: 404, text: JSON.stringify({ ...problem, type: 'epcisException:NoSuchResourceException', status: 404 }) }, 3, /all events need/],
    [{ status: 404, text: '<html>' }, 3, /without a problem document: `<html>`/],
    [{ status: 302, text: '', headers: { location: 'http://elsewhere.example/' } }, 3, /redirects are not followed/],
    [{ text: '{}' }, 4, /\/report\/recall did not answer a report/],
    [{ text: '<html>' }, 4, /did not answer a report/],
    [{ text: 'null' }, 4, /did not answer a report/],
    [{ text: JSON.stringify({ ...answer, gaps: 'none' }) }, 4, /did not answer a report/],
    [{ text: JSON.stringify({ ...answer, made: 'now' }) }, 4, /did not answer a report/],
    [{ text: JSON.stringify({ ...answer, sheets: [{ ...sheet, rows: [['too few']] }] }) }, 4, /did not answer a report/],
    [{ text: JSON.stringify({ ...answer, sheets: [{ ...sheet, columns: undefined }] }) }, 4, /did not answer a report/],
    [{ text: JSON.stringify(report(recalled, 'recall', { items: 'urn:x:nobody' })) }, 3, /^$/],
  ]) {
    const refused = await withGateway(() => reply, ['recall', ...LOT]);
    assert.equal(refused.status, status, refused.stderr);
    assert.match(refused.stderr, sentence);
    if (refused.stderr !== '') assert.equal(refused.stdout, '');
  }
});

test('report: a verdict has the file, the schemas, the checks, the events, and a place to sign', () => {
  const valid = here('../../www/examples/dscsa-shipment.json');
  const bytes = readFileSync(valid);
  const made = JSON.parse(run(['verdict', valid, '--json']).stdout);
  const said = Object.fromEntries(sheetOf(made, 'Verdict').rows);
  assert.equal(said.File, 'dscsa-shipment.json');
  assert.equal(said['SHA-256 of the file'], createHash('sha256').update(bytes).digest('hex'));
  assert.equal(said['Schemas of GS1'], 'valid');
  assert.match(said['Rules asked'], /^identifiers, consistency, cbv, serialised-medicine, dscsa$/);
  assert.equal(said.Events, String(JSON.parse(bytes).epcisBody.eventList.length));
  assert.equal(sheetOf(made, 'Events').rows.length, Number(said.Events));
  assert.equal(sheetOf(made, 'Errors').rows.length, 0);
  const html = run(['verdict', valid, '--format', 'html']).stdout;
  assert.match(html, /<title>Verdict on dscsa-shipment.json<\/title>/);
  assert.match(html, /Signature/);
  // What cannot be read has a verdict, too.
  const broken = file('broken.json', '{"type": ');
  const refused = run(['verdict', broken, '--json']);
  assert.equal(refused.status, 0, refused.stderr);
  assert.match(Object.fromEntries(sheetOf(JSON.parse(refused.stdout), 'Verdict').rows)['Schemas of GS1'], /^the document cannot be judged: /);
  const wrong = file('wrong.json', {
    type: 'ObjectEvent',
    eventTime: 'soon',
    eventTimeZoneOffset: '+00:00',
    action: 'ADD',
    epcList: ['urn:epc:id:sgtin:9521141.12345.1'],
  });
  const errors = sheetOf(JSON.parse(run(['verdict', wrong, '--json']).stdout), 'Errors').rows;
  assert.ok(
    errors.some(([place]) => place === '/eventTime'),
    JSON.stringify(errors),
  );
  for (const [args, reason] of [
    [[valid, wrong], /a verdict is about one document, not 2/],
    [[valid, '--item', 'urn:x:1'], /--item is not for the report verdict/],
    [[valid, '--email', 'a@b'], /--email is not for the report verdict/],
  ]) {
    const { status, stderr } = run(['verdict', ...args]);
    assert.equal(status, 2, stderr);
    assert.match(stderr, reason);
  }
});
