// How the command line handles its inputs: lines of JSON, folders, missing files, files that are too long. And where it writes its
// output.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hash } from '../js/engine/node.ts';
import { isLines } from '../js/cli/lines.ts';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-'));
after(() => rmSync(folder, { recursive: true }));

function run(args, options = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder, maxBuffer: 1 << 28, ...options });
  return { status, stdout, stderr, lines: stdout.split('\n').filter(Boolean) };
}
const file = (name, text) => (writeFileSync(join(folder, name), text), name);
const context = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
const event = (n, more = {}) => ({
  '@context': context,
  type: 'ObjectEvent',
  action: 'ADD',
  eventTime: '2026-01-01T00:00:00Z',
  eventTimeZoneOffset: '+00:00',
  epcList: [`urn:epc:id:sgtin:9521141.012345.${n}`],
  ...more,
});
const json = (value) => JSON.stringify(value);
const ndjson = (...values) => values.map((value) => (typeof value === 'string' ? value : json(value))).join('\n');
const xmlEvent = (n) =>
  `<ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sgtin:9521141.012345.${n}</epc></epcList><action>ADD</action></ObjectEvent>`;
const xml = file(
  'three.xml',
  `<EPCISDocument schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList>${[1, 2, 3].map(xmlEvent).join('')}</EventList></EPCISBody></EPCISDocument>`,
);

test('what it writes it reads: the hashes of lines are those of their document', () => {
  const lines = run(['translate', '--ndjson', '-o', 'three.ndjson', xml]);
  assert.deepEqual([lines.status, lines.stdout], [0, '']);
  const expected = run(['hash', xml]).lines;
  assert.equal(expected.length, 3);
  assert.deepEqual(run(['hash', 'three.ndjson']).lines, expected);
  assert.deepEqual(run(['hash'], { input: readFileSync(join(folder, 'three.ndjson')) }).lines, expected);
  assert.deepEqual(run(['validate', 'three.ndjson']).lines, ['three.ndjson:1: valid', 'three.ndjson:2: valid', 'three.ndjson:3: valid']);
  assert.deepEqual(
    run(['hash', '--json', 'three.ndjson']).lines.map((line) => JSON.parse(line)),
    expected.map((uri, index) => ({ file: 'three.ndjson', line: index + 1, profile: 'CBV2.0', hashes: [uri] })),
  );
  const back = run(['to-xml', '--json', 'three.ndjson']).lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    back.map(({ line, document }) => [line, /sgtin:9521141\.012345\.(\d)/.exec(document)[1]]),
    [
      [1, '1'],
      [2, '2'],
      [3, '3'],
    ],
  );
});

test('lines are told by content, whatever the name, and nothing else is taken for them', () => {
  const two = `${json(event(1))}\n${json(event(2))}\n`;
  for (const [name, text, count] of [
    ['plain.json', two, 2],
    ['windows.txt', two.replaceAll('\n', '\r\n'), 2],
    ['blank.ndjson', `\n\n${two.replaceAll('\n', '\n \t\n')}\n\n`, 2],
    ['mark.ndjson', `\ufeff${two}`, 2],
    ['no-end.ndjson', two.trimEnd(), 2],
    ['one.ndjson', `${json(event(1))}\n\n`, 1],
    ['pretty.json', JSON.stringify(event(1), null, 2), 1],
    ['array.json', `[${json(event(1))},\n${json(event(2))}]`, 2],
    ['flat.json', `{"type":"EPCISDocument","epcisBody":{"eventList":[{"type":"ObjectEvent"}\n,{"type":"ObjectEvent"}]}}`, 2],
  ]) {
    const { status, lines, stderr } = run(['hash', file(name, text)]);
    assert.deepEqual([status, lines.length], [0, count], `${name}: ${stderr}`);
  }
  for (const [text, verdict] of [
    ['', undefined],
    [' \n', undefined],
    ['{"a":1}', undefined],
    ['{"a":1}\n', undefined],
    ['{"a":1}\n{', true],
    ['{"a":1}\n[', false],
    ['{\n"a":1}', false],
    ['[\n{', false],
    ['<a>', false],
    ['{"a":{}\n{', true],
  ]) {
    assert.equal(isLines(Buffer.from(text)), verdict, json(text));
  }
});

test('a bad line is told with its number, and the others get their turn', () => {
  const name = file('bad.ndjson', ndjson(event(1), event(2, { action: 'LOOK' }), '', '{"type": }', event(4, { 'ex:lot': 'A' }), event(5)));
  const validated = run(['validate', name]);
  assert.equal(validated.status, 4);
  assert.match(
    validated.stdout,
    /^bad\.ndjson:1: valid\nbad\.ndjson:2: 2 errors\n {2}bad\.ndjson:2:1 .*\n {2}bad\.ndjson:2:108 \/action: .*\nbad\.ndjson:5: valid\nbad\.ndjson:6: valid\n$/,
  );
  assert.match(validated.stderr, /^bad\.ndjson:4: .*, at line 4 column 10/);
  const hashed = run(['hash', '--json', name]);
  assert.equal(hashed.status, 4);
  assert.deepEqual(
    hashed.lines.map((line) => JSON.parse(line).line),
    [1, 2, 6],
  );
  const problems = hashed.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    problems.map(({ line, location, title }) => [line, location.line, title]),
    [
      [4, 4, 'Malformed JSON'],
      [5, 5, 'Undeclared prefix'],
    ],
  );
  assert.ok(problems.every(({ detail }, index) => detail.includes(`at line ${[4, 5][index]} column`)));
  // The first line may be the broken one.
  const first = run(['validate', file('first.ndjson', ndjson('{"type": }', event(2)))]);
  assert.match(first.stderr, /^first\.ndjson:1: /);
  assert.deepEqual(first.lines, ['first.ndjson:2: valid']);
});

test('more lines than are read as a whole, in little memory', () => {
  const name = join(folder, 'many.ndjson');
  const line = Buffer.from(`${json(event(1, { 'https://ex.example/note': 'x'.repeat(100_000) }))}\n`);
  const descriptor = openSync(name, 'w');
  for (let n = 0; n < 2_800; n += 1) writeSync(descriptor, line);
  closeSync(descriptor);
  const { status, lines, stderr } = run(['hash', name]);
  assert.equal(status, 0, stderr);
  assert.equal(lines.length, 2_800);
  assert.equal(lines[2_799], hash(line)[0]);
  rmSync(name);
});

test('a file that is not there does not stop the others, and the exit code tells', () => {
  const good = file('good.json', json(event(1)));
  for (const args of [
    ['no.json', good],
    [good, 'no.json'],
    ['no.json', good, 'neither.json'],
  ]) {
    const { status, lines, stderr } = run(['validate', ...args]);
    const absent = args.length - 1;
    assert.deepEqual([status, lines], [3, ['good.json: valid', `${args.length} files, ${absent} not read`]]);
    assert.match(stderr, /^no\.json: cannot read no\.json: there is no such file$/m);
  }
  const { status, stderr } = run(['hash', '--json', 'no.json', good]);
  assert.equal(status, 3);
  const { detail, ...problem } = JSON.parse(stderr);
  assert.deepEqual(problem, { file: 'no.json', type: 'epcisException:NoSuchResourceException', title: 'No such file', status: 404 });
  assert.match(detail, /no such file/);
  assert.equal(run(['validate', 'no.json', file('wrong.json', '{')]).status, 4, 'the highest code wins');
});

test('a folder, the wrong kind of document and one that is too long come with a hint', () => {
  mkdirSync(join(folder, 'a-folder'), { recursive: true });
  assert.match(run(['validate', 'a-folder']).stderr, /no file in a-folder ends in \.json or /);
  assert.match(run(['validate', '--engine', 'jsonschema', xml]).stderr, /this looks like XML: use the engine `compiled`/);
  assert.match(run(['to-xml', xml]).stderr, /this is XML already/);
  for (const ndjson of [[], ['--ndjson']])
    assert.match(run(['translate', ...ndjson, file('j.json', json(event(1)))]).stderr, /this looks like JSON: `epcis-edge to-xml`/);
  // A sparse file of zeros, which takes no room on the disk.
  const long = join(folder, 'long.json');
  const descriptor = openSync(long, 'w');
  ftruncateSync(descriptor, 2 ** 28);
  closeSync(descriptor);
  for (const [command, hint] of [
    ['hash', /NDJSON.*any length.*translate --ndjson/],
    ['verify', /NDJSON.*any length/],
    ['to-xml --json', /without --json.*any length/],
    ['translate', /--ndjson.*any length/],
  ]) {
    const { status, stderr } = run([...command.split(' '), long]);
    assert.equal(status, 4);
    assert.match(stderr, /is longer than 256 MiB, the limit for a document read as a whole/);
    assert.match(stderr, hint);
  }
  rmSync(long);
});

test('labels where there are several files, none where there is one', () => {
  const [one, two] = [file('one.json', json(event(1))), file('two.json', json(event(2)))];
  const [first] = hash(event(1));
  const [second] = hash(event(2));
  assert.deepEqual(run(['hash', one]).lines, [first]);
  assert.deepEqual(run(['hash', one, two]).lines, [`one.json: ${first}`, `two.json: ${second}`]);
  const both = file('both.ndjson', ndjson(event(1), event(2)));
  assert.deepEqual(run(['hash', both, two]).lines, [`both.ndjson:1: ${first}`, `both.ndjson:2: ${second}`, `two.json: ${second}`]);
});

test('the payload goes to a file when it is whole, and nothing is left of one that failed', () => {
  const good = file('good.json', json(event(1)));
  for (const option of [['-o', 'out.txt'], ['--output', 'out.txt'], ['--output=out.txt']]) {
    const { status, stdout } = run(['hash', ...option, good]);
    assert.deepEqual([status, stdout], [0, '']);
    assert.equal(readFileSync(join(folder, 'out.txt'), 'utf8'), `${hash(event(1))[0]}\n`);
  }
  assert.equal(run(['hash', '-o', '-', good]).stdout, `${hash(event(1))[0]}\n`);
  // The output may be the input file: it is replaced when everything has been read.
  const self = file('self.xml', readFileSync(join(folder, xml)));
  assert.equal(run(['translate', '-o', self, self]).status, 0);
  assert.equal(JSON.parse(readFileSync(join(folder, self), 'utf8')).epcisBody.eventList.length, 3);
  for (const [args, sentence] of [
    [['hash', '-o', 'no/such/out', good], /cannot write no\/such\/out: there is no such folder/],
    [['hash', '-o', 'a-folder', good], /it is a folder, expected a file/],
    [['hash', '-o', '', good], /--output is empty/],
    [['hash', good, '-o'], /output/],
  ]) {
    mkdirSync(join(folder, 'a-folder'), { recursive: true });
    const { status, stderr } = run(args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, sentence);
  }
  const before = readFileSync(join(folder, 'out.txt'), 'utf8');
  assert.equal(run(['hash', '--profile', 'x', '-o', 'out.txt', good]).status, 2);
  assert.equal(readFileSync(join(folder, 'out.txt'), 'utf8'), before);
  assert.equal(readdirSync(folder).filter((name) => name.includes('partial')).length, 0);
  if (existsSync('/dev/null')) assert.equal(run(['hash', '-o', '/dev/null', good]).status, 0);
});

test('--quiet says only what is wrong', () => {
  const [good, bad] = [file('good.json', json(event(1))), file('bad.json', json(event(1, { action: 'LOOK' })))];
  for (const quiet of ['-q', '--quiet']) {
    const validated = run(['validate', quiet, good, bad]);
    assert.equal(validated.status, 4);
    assert.match(validated.stdout, /^bad\.json: 2 errors\n {2}[^\n]*\n {2}bad\.json:1:108 \/action: [^\n]*\n$/);
    const translated = run(['translate', quiet, xml]);
    assert.equal(translated.stderr, '');
    assert.equal(JSON.parse(translated.stdout).epcisBody.eventList.length, 3);
    assert.deepEqual(run(['verify', quiet, good]), { status: 0, stdout: '', stderr: '', lines: [] });
  }
});

test('an event that was cut out of its document gets its context from a file', () => {
  const document = {
    '@context': [context, { ex: 'https://ex.example/' }],
    type: 'EPCISDocument',
    epcisBody: { eventList: [{ type: 'ObjectEvent', 'ex:lot': 'A' }] },
  };
  const [whole, alone] = [file('whole.json', json(document)), file('alone.json', json(document.epcisBody.eventList[0]))];
  const expected = run(['hash', whole]).stdout;
  const refused = run(['hash', alone]);
  assert.equal(refused.status, 4);
  assert.match(refused.stderr, /^alone\.json: the prefix `ex` of `ex:lot` is not declared.*in `\/ex:lot`/);
  assert.equal(run(['hash', '--context', whole, alone]).stdout, expected);
  assert.equal(run(['hash', '--context', file('context.json', json(document['@context'])), alone]).stdout, expected);
  assert.match(run(['hash', '--prehash', '--undeclared', 'keep', alone]).stdout, /ex:lot=A/);
  for (const [args, status, sentence] of [
    [['--context', 'no.json'], 3, /no such file/],
    [['--context', file('x.txt', 'x')], 2, /is not JSON, expected a context/],
    [['--context', file('5.json', '5')], 2, /has no context, expected/],
    [['--undeclared', 'ignore'], 2, /--undeclared is ignore, expected refuse or keep/],
  ]) {
    const { status: found, stderr } = run(['hash', ...args, alone]);
    assert.equal(found, status);
    assert.match(stderr, sentence);
  }
});

test('help for every command, and for none that is not there', () => {
  for (const name of ['toString', '__proto__', 'constructor', 'nope']) {
    for (const args of [['help', name], ['--help', name], [name]]) {
      const { status, stderr, stdout } = run(args);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, new RegExp(`there is no command ${name}, expected validate, check, fix, hash, `));
    }
  }
  const { stdout } = run(['help']);
  for (const words of ['-o, --output FILE', '-q, --quiet', '--version', 'NDJSON', 'Exit codes']) assert.ok(stdout.includes(words), words);
  for (const name of ['validate', 'hash', 'verify', 'translate', 'to-xml', 'id', 'mcp', 'lsp']) {
    assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
    assert.equal(run(['help', name]).stdout, run([name, '--help']).stdout);
    assert.match(run([name, '--version']).stdout, /^\d+\.\d+\.\d+\n$/);
  }
  const mcp = run(['mcp', '--help']).stdout;
  for (const variable of ['EPCIS_EDGE_ACCOUNT', 'EPCIS_EDGE_OBSERVER', 'EPCIS_EDGE_NAMESPACE'])
    assert.match(mcp, new RegExp(`${variable} .*urn:epcis-edge:local:.* by default`));
  const lsp = run(['lsp', '--help']).stdout;
  for (const words of ['epcisEdge.packs', '--stdio', 'docs/editors.md', 'epcis-edge lsp']) assert.ok(lsp.includes(words), words);
  assert.doesNotMatch(lsp, /--output|--quiet/);
});

const hasScript = spawnSync('script', ['--version']).status === 0;

test('a bar moves while hash works, on a terminal alone', { skip: !hasScript && 'the program `script` is absent' }, () => {
  // Hashing this many takes some seconds. The bar appears after the first second and is drawn ten times per second.
  const COUNT = 600_000;
  const name = join(folder, 'large.json');
  const events = Array.from({ length: COUNT }, (_, n) => json(event(n)));
  writeFileSync(name, `[${events.join(',')}]`);
  const shown = spawnSync('script', ['-qec', `"${process.execPath}" "${cli}" hash "${name}" > "${join(folder, 'hashes')}"`, '/dev/null'], {
    encoding: 'utf8',
  }).stdout;
  const bars = [...shown.matchAll(/\r\[([.#]+)\] \d+ s for \d+ MB/g)].map(([, bar]) => bar);
  assert.ok(new Set(bars).size > 1, `${bars.length} bars: ${shown.slice(0, 300)}`);
  assert.ok(shown.endsWith('\r\x1b[K'));
  assert.equal(readFileSync(join(folder, 'hashes'), 'utf8').split('\n').length - 1, COUNT);
  assert.equal(
    spawnSync('script', ['-qec', `"${process.execPath}" "${cli}" hash --quiet "${name}" > /dev/null`, '/dev/null'], { encoding: 'utf8' }).stdout,
    '',
  );
  rmSync(name);
});

test('validate takes XML, told by its first character, of any length that is read as a whole', () => {
  const { status, stdout } = run(['validate', '--json', xml]);
  const { schema, valid, errors } = JSON.parse(stdout);
  assert.match(schema.artefact, /^EPCglobal-epcis-.*\.xsd$/);
  assert.equal(status, valid ? 0 : 4, JSON.stringify(errors));
  const list = "<x:EPCISDocument xmlns:x='urn:epcglobal:epcis:xsd:2' schemaVersion='2.0' creationDate='2026-11-20T08:00:00Z'><EPCISBody><EventList>\n<Event/>";
  const wrong = run(['validate', file('wrong.xml', `${list}</EventList></EPCISBody></x:EPCISDocument>`)]);
  assert.equal(wrong.status, 4);
  assert.match(wrong.stdout, /:2:1 \/.*Event\[1\]: found `Event`, expected `ObjectEvent`.* \[cvc-complex-type\.2\.4\]/);
  const long = run(['validate', '-'], { input: `${list}${' '.repeat(9 * 1024 * 1024)}</EventList></EPCISBody></x:EPCISDocument>` });
  assert.match(long.stdout, /1 error/);
});
