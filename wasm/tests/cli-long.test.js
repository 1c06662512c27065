// The command line on long files: they are streamed, and a person sees the progress.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hash, toXml, translate, validate } from '../js/engine/node.ts';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-'));
const json = join(folder, 'long.json');
const xml = join(folder, 'long.xml');
const broken = join(folder, 'broken.json');
after(() => rmSync(folder, { recursive: true }));

const run = (args, options = {}) => spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', maxBuffer: 1 << 30, ...options });

before(() => {
  const event =
    '{"type":"ObjectEvent","action":"ADD","eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00","epcList":["urn:epc:id:sscc:9521141.1234567890"]}';
  const many = Array.from({ length: 80_000 }, () => event);
  many[79_000] = event.replace('ADD', 'AD');
  const text = `{"@context":[],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":[${many.join(',\n')}]}}`;
  writeFileSync(json, text);
  writeFileSync(broken, `${text.slice(0, -200)}\u0001`);
  const one =
    '<ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sscc:9521141.1234567890</epc></epcList><action>ADD</action></ObjectEvent>\n';
  writeFileSync(
    xml,
    `<EPCISDocument schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList>${one.repeat(50_000)}</EventList></EPCISBody></EPCISDocument>`,
  );
});

test('validate gives the verdict of the whole, from a file and from standard input', () => {
  const expected = validate(readFileSync(json));
  assert.equal(expected.errors[1].path, '/epcisBody/eventList/79000/action');
  const file = run(['validate', '--json', json]);
  assert.deepEqual([file.status, file.stderr], [4, '']);
  assert.deepEqual(JSON.parse(file.stdout), { file: json, ...expected });
  const descriptor = openSync(json, 'r');
  const piped = run(['validate', '--json', '-'], { stdio: [descriptor, 'pipe', 'pipe'] });
  closeSync(descriptor);
  assert.deepEqual(JSON.parse(piped.stdout), { file: '-', ...expected });
});

test('a long file that is no JSON is 4, with its place, and the next files get their turn', () => {
  const { status, stdout, stderr } = run(['validate', '--json', broken, xml, json]);
  assert.equal(status, 4);
  const answers = stdout.trim().split('\n');
  assert.deepEqual(
    answers.map((line) => JSON.parse(line)).map(({ file, errors }) => [file, errors[0].line, errors[0].path]),
    [
      [xml, 1, '/EPCISDocument'],
      [json, 79_001, '/epcisBody/eventList/79000'],
    ],
  );
  const one = JSON.parse(stderr);
  assert.deepEqual([one.file, one.type, one.location.line], [broken, 'epcisException:ValidationException', 79_999]);
});

test('translate --ndjson gives a line an event, whatever the length', () => {
  const { status, stdout, stderr } = run(['translate', '--ndjson', xml]);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /nothing is lost in a round trip/);
  const lines = stdout.trimEnd().split('\n');
  const { document } = translate(readFileSync(xml));
  assert.equal(lines.length, document.epcisBody.eventList.length);
  const { '@context': context, ...event } = JSON.parse(lines[49_999]);
  assert.deepEqual([context, event], [document['@context'], document.epcisBody.eventList[49_999]]);
  const piped = run(['translate', '--ndjson'], { input: readFileSync(xml) });
  assert.equal(piped.stdout, stdout);
  const usage = run(['translate', '--ndjson', '--json', xml]);
  assert.deepEqual([usage.status, usage.stdout], [2, '']);
});

test('to-xml writes what it does of the whole, from a file and from standard input, and nothing of what is no JSON', () => {
  const expected = toXml(readFileSync(json), { version: '1.2' });
  const written = join(folder, 'written.xml');
  const file = run(['to-xml', '--xml-version', '1.2', '--strict', json, '-o', written]);
  assert.deepEqual([file.status, file.stderr], [0, `${json}: ${expected.report.summary}\n`]);
  assert.ok(readFileSync(written, 'utf8') === expected.document);
  const piped = run(['to-xml', '--xml-version', '1.2'], { input: readFileSync(json), env: { ...process.env, TMPDIR: folder } });
  assert.ok(piped.stdout === expected.document);
  assert.deepEqual(
    readdirSync(folder).filter((name) => !/\.(json|xml)$/.test(name)),
    [],
    'what came through the pipe is kept no longer',
  );
  const refused = run(['to-xml', broken, '-o', written]);
  assert.deepEqual([refused.status, refused.stdout], [4, '']);
  assert.match(refused.stderr, /line 79999/);
  assert.ok(readFileSync(written, 'utf8') === expected.document);
  assert.match(run(['to-xml', xml]).stderr, /this is XML already/);
  rmSync(written);
});

test('a reader that stops early stops the stream, and is no defect', () => {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -o pipefail; "${process.execPath}" "${cli}" translate --ndjson "${xml}" | head -n 2`], {
    encoding: 'utf8',
  });
  assert.equal(stdout.trimEnd().split('\n').length, 2);
  assert.equal(status, 0, stderr);
});

test('hash and verify take XML, told by its first character', () => {
  const bytes = readFileSync(xml);
  const { status, stdout } = run(['hash', xml]);
  assert.equal(status, 0);
  assert.deepEqual(stdout.trimEnd().split('\n'), hash(bytes));
  assert.equal(run(['hash'], { input: '\ufeff  <ObjectEvent/>' }).stdout, run(['hash'], { input: '{"type":"ObjectEvent"}' }).stdout);
  assert.match(run(['hash', '--prehash'], { input: '<ObjectEvent/>' }).stdout, /^eventType=ObjectEvent\n$/);
  assert.match(run(['verify'], { input: '<ObjectEvent/>' }).stdout, /event 0 has no eventID in hash form/);
});

const hasScript = spawnSync('script', ['--version']).status === 0;

test('a terminal gets a progress bar after a second, and standard output stays clean', { skip: !hasScript && 'the program `script` is absent' }, () => {
  const out = join(folder, 'out');
  /** Replaces the clock of a program by one that advances by this many milliseconds each time it is read. */
  const clock = (step) => {
    const code = `let now = 0; performance.now = () => (now += ${step});`;
    return { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
  };
  const terminal = (command, step) => spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env: clock(step) }).stdout;
  const shown = terminal(`cat "${json}" | "${process.execPath}" "${cli}" validate > "${out}"`, 300);
  assert.match(shown, /\r-: \d+ MB\x1b\[K/);
  assert.ok(shown.endsWith('\r\x1b[K'), 'the bar is taken away');
  assert.match(readFileSync(out, 'utf8'), /^-: 2 errors\n {2}-:\d+:\d+ \/epcisBody/);
  // In less than a second, nothing is shown.
  const quick = terminal(
    `"${process.execPath}" "${cli}" validate "${fileURLToPath(new URL('../../tests/vectors/validate/valid-bare-event/input.json', import.meta.url))}" > "${out}"`,
    10,
  );
  assert.equal(quick, '');
  // Without a terminal there is no bar, however long it takes.
  assert.equal(run(['validate'], { input: readFileSync(json), env: clock(300) }).stderr, '');
});
