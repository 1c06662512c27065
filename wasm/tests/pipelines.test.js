// The formats of `check` and `validate` for pipelines.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EVENT as GOOD } from './an-event.js';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-pipelines-'));
after(() => rmSync(folder, { recursive: true }));

function run(args, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

writeFileSync(join(folder, 'good.json'), JSON.stringify(GOOD));
writeFileSync(join(folder, 'key.json'), JSON.stringify({ ...GOOD, epcList: ['urn:epc:id:sgtin:9521141.12345.1'] }));
writeFileSync(join(folder, 'word.json'), JSON.stringify({ ...GOOD, bizStep: 'shiping' }, undefined, 1));
writeFileSync(join(folder, 'broken.json'), '{"type":\n');
writeFileSync(join(folder, 'lines.ndjson'), `${JSON.stringify(GOOD)}\n${JSON.stringify({ ...GOOD, action: 'LOOK' })}\n{"type":}\n`);

test('validate writes annotations, too', () => {
  assert.deepEqual(run(['validate', '--format', 'github', 'good.json']), { status: 0, stdout: '', stderr: '' });
  const { status, stdout, stderr } = run(['validate', '--format', 'github', 'word.json', 'good.json']);
  assert.equal(status, 4);
  assert.match(stdout, /^::error file=word\.json,line=10,col=13,title=\w+::\/bizStep: found `shiping`, which is not a standard bizStep; .*\n$/);
  assert.equal(stderr, '');
  const lines = run(['validate', '--format', 'github', 'lines.ndjson']);
  const ends = lines.stdout.split('\n').slice(-3);
  assert.match(ends[0], /^::error file=lines\.ndjson,line=2,col=\d+,title=enum::\/action: found `LOOK`, /);
  assert.match(ends[1], /^::error file=lines\.ndjson,line=3,title=Malformed JSON::the JSON text is malformed: .* at line 3 column /);
  assert.equal(ends[2], '');
});

test('an input that cannot be read or judged is an annotation', () => {
  for (const command of ['check', 'validate']) {
    const { status, stdout, stderr } = run([command, '--format', 'github', 'broken.json', 'absent.json', 'good.json']);
    assert.equal(status, 4);
    const [broken, absent, ...rest] = stdout.split('\n');
    assert.match(broken, /^::error file=broken\.json,line=2,title=Malformed JSON::the JSON text ends too early, at line 2 /);
    assert.equal(absent, '::error file=absent.json,title=No such file::cannot read absent.json: there is no such file');
    assert.deepEqual(rest, [''], command);
    // People read it on standard error, as with any format.
    assert.match(stderr, /^broken\.json: .*\nabsent\.json: .*\n$/);
  }
});

test('a report of what was refused is complete, and replaces an older one', () => {
  for (const command of ['check', 'validate']) {
    writeFileSync(join(folder, 'report'), 'of yesterday');
    assert.equal(run([command, '--format', 'github', 'absent.json', '-o', 'report']).status, 3);
    assert.match(readFileSync(join(folder, 'report'), 'utf8'), /^::error file=absent\.json,.*\n$/);
  }
});

test('a format that is none, or contradicts --json, is refused before a file is read', () => {
  for (const [args, words] of [
    [['--format', 'sarif'], /--format is sarif, expected text or json or github or junit/],
    [['--format', 'github', '--json'], /--json means --format json and contradicts --format github/],
  ]) {
    const { status, stdout, stderr } = run(['validate', ...args, 'absent.json']);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, words);
  }
  assert.equal(run(['validate', '--format', 'json', 'word.json']).stdout, run(['validate', '--json', 'word.json']).stdout);
});
