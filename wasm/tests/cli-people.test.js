// The command line for people: colours, locations that editors can open, folders, patterns, a closing line, a hint.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inCharacters } from '../js/cli/places.ts';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-people-'));
after(() => rmSync(folder, { recursive: true }));
const { NO_COLOR, FORCE_COLOR, NODE_DISABLE_COLORS, ...ENV } = process.env;
const faked = (code) => ['--import', `data:text/javascript,${code}`];
const onTerminal = faked('process.stdout.isTTY=process.stderr.isTTY=true');

function run(args, { terminal = false, env = {}, input = '', node = terminal ? onTerminal : [] } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, here('../js/cli/cli.ts'), ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { ...ENV, TERM: 'xterm', ...env },
  });
  return { status, stdout, stderr, lines: stdout.split('\n').filter(Boolean) };
}
function file(name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return name;
}

const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
const event = { '@context': CONTEXT, type: 'ObjectEvent', action: 'ADD', eventTime: '2026-01-01T00:00:00Z', eventTimeZoneOffset: '+00:00', epcList: [] };
const good = file('good.json', JSON.stringify(event));
const bad = file('bad.json', JSON.stringify({ ...event, action: 'LOOK' }, undefined, 2));
const XML = (action) => `<?xml version="1.0"?>
<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2" schemaVersion="2.0" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList>
  <ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
    <epcList/><!-- é𝄞 --><action>${action}</action></ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>`;

test('colours where somebody looks, and none where NO_COLOR, a pipe or a file says so', () => {
  for (const args of [
    ['validate', bad],
    ['check', '--packs', 'cbv', good],
    ['verify', good],
    ['validate', 'absent'],
    ['hash', '--profile', 'x', good],
  ]) {
    const said = (options) => {
      const { stdout, stderr } = run(args, options);
      return `${stdout}${stderr}`;
    };
    const plain = said();
    assert.doesNotMatch(plain, /\x1b/, args.join(' '));
    const coloured = said({ terminal: true });
    assert.match(coloured, /\x1b\[\d+m/, args.join(' '));
    assert.equal(coloured.replace(/\x1b\[\d+m/g, ''), plain, 'the same words');
    for (const env of [{ NO_COLOR: '1' }, { NODE_DISABLE_COLORS: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }])
      assert.equal(said({ terminal: true, env }), plain, JSON.stringify(env));
    for (const env of [{ FORCE_COLOR: '1' }, { FORCE_COLOR: '' }, { FORCE_COLOR: '3' }]) assert.equal(said({ env }), coloured, JSON.stringify(env));
    assert.equal(said({ terminal: true, env: { NO_COLOR: '' } }), coloured, 'an empty NO_COLOR says nothing');
  }
  const forced = { env: { FORCE_COLOR: '1' } };
  run(['validate', bad, '-o', 'verdict'], forced);
  assert.doesNotMatch(readFileSync(join(folder, 'verdict'), 'utf8'), /\x1b/);
  for (const args of [
    ['validate', '--json', bad],
    ['check', '--format', 'github', bad],
    ['hash', good],
    ['to-xml', good],
  ])
    assert.doesNotMatch(run(args, forced).stdout, /\x1b/, args.join(' '));
});

test('validate and check say file, line and column, of JSON, lines of JSON and XML', () => {
  const strange = file(
    'strange.json',
    `\r\n{ "@context": "${CONTEXT}", "é𝄞": 1, "type": "ObjectEvent",\n\t"a\\"b": [1, 2,\n {"x": -1.5e3}], "epcList": [ "urn:x:1",\n "no" ] }`,
  );
  for (const [args, place] of [
    [['validate', bad], 'bad.json:4:13 /action: '],
    [['validate', '--engine', 'jsonschema', bad], 'bad.json:4:13 /action: '],
    [['validate', strange], `strange.json:2:${CONTEXT.length + 19} (the document): the ObjectEvent has no field \`é𝄞\``],
    [['validate', strange], 'strange.json:2:1 (the document): the ObjectEvent lacks'],
    [['validate', strange], 'strange.json:5:2 /epcList/1: '],
    [['validate', file('a:b c.json', JSON.stringify({ ...event, action: 'é' }))], 'a:b c.json:1:'],
    [['validate', file('two.ndjson', `${JSON.stringify(event)}\n${JSON.stringify({ ...event, action: 'LOOK' })}\n`)], 'two.ndjson:2:108 /action: '],
    [['validate', file('bad.xml', XML('LOOK'))], 'bad.xml:4:27 /epcis:EPCISDocument/'],
    [['check', file('word.json', JSON.stringify({ ...event, 'ex:é𝄞': 1, bizStep: 'shiping' }))], 'word.json:1:'],
  ]) {
    const { stdout, stderr } = run(args);
    assert.ok(stdout.includes(`\n  ${place}`), `${place} in ${stdout}${stderr}`);
  }
  const word = readFileSync(join(folder, 'word.json'), 'utf8');
  assert.ok(run(['check', 'word.json']).stdout.includes(`\n  word.json:1:${word.indexOf('"shiping"') + 1} error /bizStep`));
  assert.match(run(['validate'], { input: readFileSync(join(folder, bad)) }).stdout, /\n {2}-:4:13 \/action/);
});

test('a long file is read once more for its places', () => {
  const list = Array.from({ length: 60_000 }, () => JSON.stringify({ ...event, '@context': undefined }));
  list[59_000] = JSON.stringify({ ...event, '@context': undefined, action: 'LOOK' });
  const text = `{"@context":"${CONTEXT}","type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":[\n${list.join(',\n')}]}}`;
  const { stdout } = run(['validate', file('long.json', text)]);
  assert.match(stdout, /\n {2}long\.json:59002:32 \/epcisBody\/eventList\/59000\/action: /);
});

test('columns are those of editors, whatever the chunks', () => {
  const text = 'aä\u{1f600}b\nzweite\n\n\u{1f600}\u{1f600}end';
  const bytes = Buffer.from(text);
  const places = [...text].map((character, at) => {
    const before = [...text].slice(0, at).join('');
    const [line, start] = [before.split('\n').length, before.lastIndexOf('\n') + 1];
    const column = Buffer.byteLength(before.slice(start)) + 1;
    return { character, line, column, characters: before.length - start + 1 };
  });
  for (const shuffled of [places, places.toReversed()])
    for (let length = 1; length <= bytes.length; length += 1) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
      for (const { character, column, characters } of inCharacters(shuffled, chunks[Symbol.iterator]())) assert.equal(column, characters, character);
    }
  const latin = Buffer.from('<a>\xe4\xe4</a>', 'latin1');
  assert.deepEqual(inCharacters([{ line: 1, column: 6 }], [latin]), [{ line: 1, column: 6 }]);
  assert.deepEqual(inCharacters([{ path: '/' }], [bytes]), [{ path: '/' }]);
});

test('several files end in a line that counts them, where the answers are', () => {
  const last = (args, options) => run(args, options).lines.at(-1);
  assert.equal(last(['validate', good, good]), '2 files, all valid');
  assert.equal(last(['validate', good, bad, file('cut.json', '{'), 'absent']), '4 files, 2 not valid, 1 not read');
  assert.equal(last(['check', good, good]), '2 files, no problems found');
  assert.equal(last(['check', good, 'word.json', 'cut.json']), '3 files, 1 error, 1 not checked');
  assert.equal(last(['verify', good, good]), '2 files, no mismatches');
  const wrong = file('wrong.json', JSON.stringify({ ...event, eventID: `ni:///sha-256;${'0'.repeat(64)}?ver=CBV2.0` }));
  assert.equal(last(['verify', good, wrong]), '2 files, 1 with an eventID that does not match');
  for (const [args, words] of [
    [['hash', good, good], '2 files, all hashed\n'],
    [['hash', good, 'cut.json'], '2 files, 1 not hashed\n'],
    [['to-xml', good, good], '2 files, all translated\n'],
    [['translate', file('good.xml', XML('ADD')), 'absent'], '2 files, 1 not read\n'],
    [['translate', '--ndjson', 'good.xml', good], '2 files, 1 not translated\n'],
  ]) {
    const { stdout, stderr } = run(args);
    assert.ok(stderr.endsWith(words) && !stdout.includes(' files, '), `${args.join(' ')}: ${stderr}`);
  }
  const none = (args) => {
    const { stdout, stderr } = run(args);
    assert.doesNotMatch(`${stdout}${stderr}`, / files, /, args.join(' '));
  };
  for (const command of ['validate', 'check', 'hash', 'verify', 'to-xml']) {
    none([command, good]);
    none([command, '--quiet', good, good]);
    none([command, '--json', good, good]);
  }
  for (const format of ['sarif', 'github', 'junit', 'json']) none(['check', '--format', format, good, good]);
  for (const format of ['github', 'junit', 'json']) none(['validate', '--format', format, good, bad]);
  assert.match(run(['hash', '--help']).stdout, /--quiet +no progress bar, no count of several files/);
  assert.match(run(['validate', 'absent', 'neither', '-o', 'report']).stderr, /2 files, 2 not read/, 'alone it fills no file');
  assert.ok(!readdirSync(folder).includes('report'));
});

test('a folder stands for its documents, a pattern for what fits, and Node warns of nothing', () => {
  for (const name of ['in/a.json', 'in/b/c.JSONLD', 'in/b/d.jsonl', 'in/.hidden/e.json', 'in/node_modules/f.json', 'in/README.md', 'in/package.txt'])
    file(name, JSON.stringify(event));
  file('in/b/e.xml', XML('ADD'));
  symlinkSync('a.json', join(folder, 'in/link.json'));
  const said = (...args) => {
    const { status, stdout, stderr } = run(args);
    assert.doesNotMatch(stderr, /Warning/);
    return [status, stdout.split('\n').filter(Boolean), stderr];
  };
  const valid = (...names) => [0, [...names.map((name) => `${name}: valid`), ...(names.length > 1 ? [`${names.length} files, all valid`] : [])], ''];
  assert.deepEqual(said('validate', 'in'), valid('in/a.json', 'in/b/c.JSONLD', 'in/b/d.jsonl', 'in/b/e.xml', 'in/link.json'));
  assert.deepEqual(said('validate', 'in/b/'), valid('in/b/c.JSONLD', 'in/b/d.jsonl', 'in/b/e.xml'));
  assert.deepEqual(said('validate', 'in/**/*.json'), valid('in/a.json', 'in/link.json', 'in/node_modules/f.json'));
  assert.deepEqual(said('validate', 'in/{a,z}.json'), valid('in/a.json'));
  assert.equal(run(['translate', '--ndjson', '--quiet', 'in']).lines.length, 1, 'of XML alone');
  assert.equal(run(['to-xml', '--json', 'in']).lines.length, 4, 'of JSON alone');
  assert.deepEqual(said('validate', 'in/[z-a].json').slice(0, 2), [3, []]);
});

test('who waits for standard input on a terminal is told', () => {
  const node = faked(`import tty from 'node:tty'; tty.isatty = (fd) => fd === 0`.replaceAll(' ', '%20'));
  const input = JSON.stringify(event);
  assert.deepEqual(run(['validate'], { node, input }).stderr, 'reading standard input: Ctrl-D ends it; or name a file\n');
  assert.equal(run(['hash', '-'], { node, input }).lines.length, 1);
  assert.equal(run(['validate', '--quiet'], { node, input }).stderr, '');
  assert.equal(run(['validate', good], { node, input }).stderr, '');
  assert.equal(run(['validate'], { input }).stderr, '');
});
