// The command line as used by people and by programs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

function run(args, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: root, input, encoding: 'utf8' });
  return { status, stdout, stderr, lines: stdout.split('\n').filter(Boolean) };
}
const vector = (path) => `tests/vectors/${path}`;
const read = (path) => readFileSync(`${root}${path}`, 'utf8');

test('validate: valid and invalid, text and JSON, file and standard input', () => {
  const valid = run(['validate', vector('validate/valid-bare-event/input.json')]);
  assert.deepEqual([valid.status, valid.stdout, valid.stderr], [0, `${vector('validate/valid-bare-event/input.json')}: valid\n`, '']);

  const file = vector('validate/cbv-word-misspelt/input.json');
  const invalid = run(['validate', file]);
  assert.equal(invalid.status, 4);
  assert.match(invalid.stdout, /: 2 errors\n {2}\S+input\.json:\d+:\d+ \/epcisBody\/eventList\/0\/bizStep: .*did you mean `shipping`\?/);

  const json = run(['validate', '--json', file]);
  assert.equal(json.status, 4);
  const expected = JSON.parse(read(vector('validate/cbv-word-misspelt/expected.json')));
  assert.deepEqual(JSON.parse(json.stdout).errors, expected);
  assert.deepEqual(JSON.parse(run(['validate', '--json'], read(file)).stdout).errors, expected);
});

test('validate: a pattern is expanded, and the worst file decides the exit code', () => {
  const { status, lines } = run(['validate', 'tests/vectors/validate/valid-*/input.json']);
  assert.equal(status, 0);
  assert.ok(lines.length >= 4 && lines.slice(0, -1).every((line) => line.endsWith(': valid')));
  assert.equal(run(['validate', 'tests/vectors/validate/{valid-bare-event,offset}/input.json']).status, 4);
  assert.equal(run(['validate', 'tests/vectors/validate/nothing-*/input.json']).status, 3);
});

test('hash: one URI a line, every profile, the strings', () => {
  const expected = JSON.parse(read(vector('hash/sensor-elements/expected.json')));
  const file = vector('hash/sensor-elements/input.json');
  assert.deepEqual(
    run(['hash', file]).lines,
    expected['CBV2.0'].map(({ hash }) => hash),
  );
  for (const [profile, events] of Object.entries(expected)) {
    assert.deepEqual(
      run(['hash', '--profile', profile, file]).lines,
      events.map(({ hash }) => hash),
    );
    assert.deepEqual(
      run(['hash', '--prehash', '--profile', profile, file]).lines,
      events.map(({ preHash }) => preHash),
    );
  }
  const json = JSON.parse(run(['hash', '--json', '--prehash', file]).stdout);
  assert.deepEqual(
    json.hashes,
    expected['CBV2.0'].map(({ hash }) => hash),
  );
  assert.deepEqual(
    json.preHashStrings,
    expected['CBV2.0'].map(({ preHash }) => preHash),
  );
});

test('verify: what matches, and what does not', () => {
  const event = { type: 'ObjectEvent', action: 'ADD' };
  const [uri] = run(['hash'], JSON.stringify(event)).lines;
  assert.match(run(['verify'], JSON.stringify({ ...event, eventID: uri })).stdout, /event 0 matches under CBV2\.0 and REF2025/);
  const changed = run(['verify'], JSON.stringify({ ...event, action: 'DELETE', eventID: uri }));
  assert.equal(changed.status, 4);
  assert.match(changed.stdout, /does NOT match/);
});

test('translate and to-xml: the payload alone on standard output, the losses on standard error', () => {
  const clean = run(['translate', '--strict', vector('translate/v11-homes/input.xml')]);
  assert.equal(clean.status, 0);
  assert.deepEqual(JSON.parse(clean.stdout), JSON.parse(read(vector('translate/v11-homes/expected.json'))));
  assert.match(clean.stderr, /nothing is lost in a round trip/);

  const lossy = run(['translate', vector('translate/extensions-lossy/input.xml')]);
  assert.equal(lossy.status, 0);
  assert.match(lossy.stderr, /1 value is lost in a round trip, 3 values are kept, with a note, 1 annotation of a type is dropped\n/);
  assert.equal(run(['translate', '--strict', vector('translate/extensions-lossy/input.xml')]).status, 4);

  const json = JSON.parse(run(['translate', '--json', vector('translate/extensions-lossy/input.xml')]).stdout);
  assert.deepEqual(json.fidelityReport, JSON.parse(read(vector('translate/extensions-lossy/report.json'))));

  const back = run(['to-xml', '--xml-version', '1.2', vector('translate/back-to-1.2/input.json')]);
  assert.equal(back.stdout.trimEnd(), read(vector('translate/back-to-1.2/expected.xml')).trimEnd());
  assert.match(back.stderr, /no value is lost in a round trip, 4 values are kept, with a note\n/);
});

test('id: both ways', () => {
  assert.equal(run(['id', 'urn:epc:id:sscc:4012345.0000000333']).stdout, 'https://id.gs1.org/00/040123450000003338\n');
  assert.equal(run(['id', '--to-urn', '7', 'https://id.gs1.org/00/040123450000003338']).stdout, 'urn:epc:id:sscc:4012345.0000000333\n');
  assert.equal(run(['id', 'urn:uuid:1']).status, 4);
});

test('wrong usage is 2, an absent file 3, each with a sentence and nothing on standard output', () => {
  for (const [args, status, sentence] of [
    [[], 2, /name a command/],
    [['nope'], 2, /there is no command nope/],
    [['toString'], 2, /there is no command toString/],
    [['validate', '--nope'], 2, /Unknown option '--nope'/],
    [['hash', '--profile'], 2, /profile/],
    [['hash', '--profile', 'CBV1.2', vector('hash/shape-bare/input.json')], 2, /--profile is CBV1\.2, expected CBV2\.0 or CBV2\.1 or REF2025/],
    [['to-xml', '--xml-version', '3', vector('hash/shape-bare/input.json')], 2, /expected 2\.0 or 1\.2/],
    [['id'], 2, /no identifier given/],
    [['id', '--to-urn', 'x', 'y'], 2, /6 to 12/],
    [['validate', 'no/such/file.json'], 3, /there is no such file/],
    [['validate', 'sql'], 3, /no file in sql ends in \.json or \.jsonld/],
    [['verify-proof', 'tests', 'tests', '--policy', 'tests'], 3, /it is a folder, expected a file/],
  ]) {
    const { status: found, stdout, stderr } = run(args);
    assert.equal(found, status, args.join(' '));
    assert.match(stderr, sentence, args.join(' '));
    assert.equal(stdout, '', args.join(' '));
  }
});

test('what cannot be judged is 4, the other files get their turn, and --json gives the problem', () => {
  const good = vector('validate/valid-bare-event/input.json');
  const { status, stdout, stderr } = run(['validate', '--json', vector('log/trusted.policy'), good]);
  assert.equal(status, 4);
  assert.equal(JSON.parse(stdout).valid, true);
  const problem = JSON.parse(stderr);
  assert.equal(problem.type, 'epcisException:ValidationException');
  assert.equal(problem.file, vector('log/trusted.policy'));
});

test('every command has its help, with an example', () => {
  assert.equal(run(['--help']).status, 0);
  for (const name of ['validate', 'hash', 'verify', 'translate', 'to-xml', 'id', 'follow', 'report', 'mcp', 'lsp']) {
    const { status, stdout } = run([name, '--help']);
    assert.equal(status, 0);
    assert.match(stdout, new RegExp(`Examples:\\n {2}epcis-edge ${name}|Examples:\\n.*epcis-edge ${name}`));
  }
  assert.match(run(['--version']).stdout, /^\d+\.\d+\.\d+\n$/);
});
