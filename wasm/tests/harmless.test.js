// Text from documents, file names and gateways never controls a terminal, a workflow runner or a spreadsheet.
// Invariant: No control character of a document, a file name or a gateway reaches a terminal.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { csvField } from '../js/names/csv.ts';
import { harmless, harmlessJson, harmlessPayload, linesForPeople } from '../js/cli/harmless.ts';
import { translate } from '../js/engine/node.ts';
import { csvOf } from '../../www/src/table/table.ts';
import { EVENT as event } from './an-event.js';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-harmless-'));
after(() => rmSync(folder, { recursive: true }));

/** Characters that control a terminal or change the direction of text. Line feeds are checked separately. */
const OBEYED = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
/** Escape sequences in seven and in eight bits, a bell, a direction override, an isolate, and lines that imitate output. */
const EVIL = '\x1b[2J\x9b31m\x07\x7f\u202egnp.\u2066\r\nforged.json: valid\n::error::forged ##[add-mask]a';
const onTerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=process.stderr.isTTY=true'];

function run(args, { input = '', terminal = false, env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...(terminal ? onTerminal : []), cli, ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}
/** The colour codes that the program itself writes. */
const OURS = /\x1b\[(?:1|2|22|3[1236]|39)m/g;
/** How far standard input was read, which the program writes on a slow machine. */
const PROGRESS = /(?:\r-: \d+ MB\x1b\[K)+\r\x1b\[K/g;
/** @param isDocument whether standard output is a document, which may have such lines and texts */
function check({ stdout, stderr }, what, isDocument = false) {
  for (const [name, given] of Object.entries({ stdout, stderr })) {
    const text = (name === 'stderr' ? given.replaceAll(PROGRESS, '') : given).replaceAll(OURS, '');
    assert.doesNotMatch(text, OBEYED, `${what}, ${name}: ${JSON.stringify(text)}`);
    if (isDocument && name === 'stdout') continue;
    assert.doesNotMatch(text, /^(forged|\s*::error::forged)/m, `${what}, ${name}: ${text}`);
    assert.doesNotMatch(text, /##\[add-mask/, `${what}, ${name}`);
  }
}

const evilEvent = { ...event, eventID: `urn:uuid:${EVIL}`, bizStep: EVIL, [EVIL]: EVIL, readPoint: { id: EVIL } };
const xml = (inside) =>
  `<EPCISDocument schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList><ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sgtin:9521141.012345.1</epc></epcList><action>ADD</action>${inside}</ObjectEvent></EventList></EPCISBody></EPCISDocument>`;
const inXml = '\u009b31m\u202e\u0085::error::forged ##[add-mask]a';
const strangeXml = xml(`<ex:a xmlns:ex="https://ex.example/${inXml}">${inXml}</ex:a><?pi ${inXml}?><!--${inXml}-->`);

test('what a document brings reaches no terminal, whichever command shows it', () => {
  const json = JSON.stringify(evilEvent);
  // Characters that JSON does not escape.
  const raw = JSON.stringify({ ...event, bizStep: '\x7f\u009b\u202e', 'a\u009b': 1 });
  const refused = `{"type": "${EVIL}`;
  for (const input of [`${json}\n${raw}\n`, refused])
    for (const args of [
      ['validate'],
      ['validate', '--engine', 'jsonschema'],
      ['validate', '--format', 'github'],
      ['validate', '--format', 'junit'],
      ['check'],
      ['check', '--format', 'github'],
      ['check', '--format', 'sarif'],
      ['check', '--format', 'junit'],
      ['hash'],
      ['hash', '--prehash', '--undeclared', 'keep'],
      ['verify'],
      ['to-xml'],
      ['translate'],
      ...['validate', 'check', 'hash', 'verify', 'to-xml', 'translate'].map((name) => [name, '--json']),
    ])
      check(run(args, { input, terminal: true }), `${args.join(' ')} of ${JSON.stringify(input)}`, args.join() === 'to-xml');
  // How an input is read is the same for all commands.
  for (const input of [json, raw, EVIL, `[${EVIL}`])
    for (const name of ['validate', 'hash']) check(run([name], { input, terminal: true }), `${name} of ${JSON.stringify(input)}`);
  // A report of a document that is refused, and of one that has such texts in a place, a product and an identifier.
  const id = 'urn:epc:id:sgln:9521141.00100.0';
  const attributes = [{ id: 'name', attribute: EVIL }];
  const told = {
    ...event,
    eventID: `urn:uuid:${EVIL}`,
    bizStep: 'shipping',
    epcList: [`urn:x:${EVIL}`, 'urn:x:1'],
    readPoint: { id },
    bizLocation: { id: EVIL },
    bizTransactionList: [{ type: EVIL, bizTransaction: EVIL }],
  };
  const named = { epcisHeader: { epcisMasterData: { vocabularyList: [{ vocabularyElementList: [{ id, attributes }] }] } }, epcisBody: { eventList: [told] } };
  for (const args of [['fsma204'], ['dscsa'], ['recall', '--item', 'urn:x:1'], ['passport', '--item', 'urn:x:1'], ['exceptions', '--email', 'a@b.example']])
    for (const format of args[0] === 'exceptions' ? [[]] : [[], ['--format', 'html'], ['--json']])
      for (const input of format.length === 0 ? [JSON.stringify(named), refused, strangeXml] : [JSON.stringify(named)]) {
        const ran = run(['report', ...args, ...format], { input, terminal: true });
        check(ran, `report ${args.join(' ')} ${format.join(' ')} of ${JSON.stringify(input)}`, true);
        assert.notEqual(ran.status, 1, ran.stderr);
      }
  for (const args of [['translate'], ['translate', '--json'], ['translate', '--ndjson'], ['validate'], ['check'], ['hash'], ['hash', '--json'], ['verify']])
    for (const input of ['translate', 'validate'].includes(args.join()) ? [strangeXml, `<${inXml}`, strangeXml.replace('</ObjectEvent>', '')] : [strangeXml])
      check(run(args, { input, terminal: true }), `${args.join(' ')} of ${JSON.stringify(input)}`);
});

test('names of files, patterns, options and identifiers are shown harmless, and begin no command', () => {
  const name = EVIL.replaceAll('/', '');
  writeFileSync(join(folder, name), JSON.stringify(event));
  writeFileSync(join(folder, '::add-mask::x'), JSON.stringify(event));
  for (const args of [
    ['validate', name],
    ['validate', name, '::add-mask::x'],
    ['check', name],
    ['check', '--format', 'github', name],
    ['validate', '--format', 'github', name, `no-${name}`],
    ['check', '--format', 'junit', name, `no-${name}`],
    ['hash', name, name],
    ['verify', name],
    ['translate', name],
    ['to-xml', '--strict', name],
    ['validate', `${name}*`, `no-${name}`, `${name}{}`],
    ['hash', '--context', name, name],
    ['hash', '--profile', EVIL, name],
    ['check', '--packs', EVIL],
    ['check', '--pack', name, name],
    ['id', EVIL],
    ['id', '--to-urn', EVIL, 'https://id.gs1.org/00/095211410000000016'],
    [EVIL],
    ['validate', `--${EVIL}`],
    ['validate', '-o', `no/${EVIL}`, name],
    ['prove', EVIL, EVIL],
    ['verify-proof', name, name, '--policy', name],
    ['verify-proof', name, `no-${name}`, '--policy', name],
    ['disclose', name, name, '--show', EVIL],
    ['verify-disclosure', name, '--policy', name],
    ['verify-proofs', name, '--policy', name],
    ['report', EVIL, name],
    ['report', 'fsma204', name, `no-${name}`, '--sheet', EVIL],
    ['report', 'fsma204', name, '--item', EVIL],
    ['report', 'fsma204', name, '--master-data', name],
    ['report', 'fsma204', name, '--format', EVIL],
    ['report', 'fsma204', name, '-o', `no/${EVIL}/`],
    ['report', 'exceptions', name, '--email', EVIL],
    ['report', 'fsma204', '--gateway', EVIL],
    ['log', EVIL, EVIL],
    ['log', 'status', EVIL],
    ['fsck', EVIL],
    ['fsck', 'http://127.0.0.1:9', '--state', name],
    ['prove', 'http://127.0.0.1:9', '--query', EVIL],
    ['audit', EVIL],
    ['audit', 'http://127.0.0.1:9', '--state', name],
    ['mcp', EVIL],
  ]) {
    const ran = run(args, { terminal: true, env: { EPCIS_EDGE_KEY: 'key' } });
    check(ran, JSON.stringify(args));
    assert.notEqual(ran.status, 1, `${JSON.stringify(args)}: ${ran.stderr}`);
  }
  assert.equal(run(['validate', '::add-mask::x']).stdout, '\\::add-mask::x: valid\n');
  check(run(['mcp'], { env: { EPCIS_EDGE_ACCOUNT: EVIL.replaceAll('\0', '') } }), 'a variable');
});

test('what a gateway says is shown harmless', async () => {
  const problem = JSON.stringify({ type: `epcisException:${EVIL}`, title: EVIL, status: 403, detail: EVIL, errors: [{ path: EVIL, message: EVIL }] });
  const sheet = { name: EVIL, columns: [{ id: EVIL, title: EVIL }], rows: [[EVIL]] };
  const answers = [
    [403, problem],
    [403, EVIL],
    [200, EVIL],
    [200, `c2sp.org/tlog-proof@v1\n${EVIL}`],
    [200, JSON.stringify({ type: 'OK', report: EVIL, made: '2026-01-01T00:00:00Z', asked: [EVIL], sheets: [sheet], gaps: [EVIL] })],
  ];
  for (const [status, body] of answers) {
    const server = http.createServer((_, response) => response.writeHead(status).end(body));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${server.address().port}`;
    try {
      for (const args of [
        ['prove', address, 'urn:uuid:1'],
        ['prove', address, 'urn:uuid:1', '--json'],
        ['audit', address, '--state', join(folder, 'state.json')],
        ['report', 'fsma204', '--gateway', address],
        ['report', 'fsma204', '--gateway', address, '--sheet', EVIL],
        ['report', 'fsma204', '--gateway', address, '--format', 'html'],
        ['report', 'fsma204', '--gateway', address, '--json'],
      ]) {
        const child = spawn(process.execPath, [...onTerminal, cli, ...args], { env: { ...process.env, EPCIS_EDGE_KEY: 'key' } });
        const out = { stdout: '', stderr: '' };
        for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (out[name] += chunk));
        const code = await new Promise((resolve) => child.on('close', resolve));
        // A proof and a report have lines of their own, and are never run in a workflow.
        if (code !== 0) check(out, `${args.join(' ')} answered ${status} ${JSON.stringify(body)}`);
        else assert.doesNotMatch(out.stdout.replaceAll(OURS, ''), OBEYED);
        assert.notEqual(code, 1, out.stderr);
      }
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }
});

test('a payload that is not for a terminal is as it is, and harmless JSON is the same JSON', () => {
  assert.equal(run(['translate'], { input: strangeXml }).stdout.trimEnd(), translate(strangeXml, { as: 'text' }).document.trimEnd());
  const shown = run(['translate'], { input: strangeXml, terminal: true }).stdout;
  assert.deepEqual(JSON.parse(shown), translate(strangeXml).document);
  for (const value of [evilEvent, { ...event, bizStep: '\x7f\u009b\u202e\u2028' }]) {
    const text = harmlessJson(JSON.stringify(value));
    assert.doesNotMatch(text, OBEYED);
    assert.deepEqual(JSON.parse(text), value);
  }
  assert.equal(harmlessPayload('<a b="\u009b">\u202e</a>', 'xml'), '<a b="&#x9b;">&#x202e;</a>');
  assert.equal(harmlessPayload('a\n\u009b\x1b', 'text'), 'a\n\\x9b\\x1b');
  assert.equal(harmless('a\tb\nc\x00'), 'a\\tb\\nc\\x00');
  assert.equal(harmless('Käse 🧀 日本'), 'Käse 🧀 日本');
  assert.equal(linesForPeople(['  ::error::x', 'a ##[group]']), '  \\::error::x\na ##\\[group]\n');
});

test('a cell of CSV is no formula', () => {
  const cells = (value) => csvOf([{ ...event, bizStep: value }], [{ index: 0 }]).split('\r\n')[1];
  for (const value of ['=1+1', '+A1', '-A1', '@SUM(A1)', '\t=1', '\r=1']) assert.ok(cells(value).includes(`'${value}`), JSON.stringify(value));
  for (const [value, expected] of JSON.parse(readFileSync(new URL('../../tests/vectors/csv/cells.json', import.meta.url), 'utf8')))
    assert.equal(csvField(value), expected);
  assert.ok(cells('=HYPERLINK("https://x.example","a")').includes(`"'=HYPERLINK(""https://x.example"",""a"")"`));
  assert.ok(cells('shipping').includes(',shipping,'));
});
