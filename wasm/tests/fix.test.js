// `epcis-edge fix`: what only looks right is written as it was meant, beside the document, and each change is listed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { validate } from 'epcis-edge';
import { repair } from 'epcis-edge/check';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-fix-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);
const text = (name) => readFileSync(at(name), 'utf8');
const run = (args, options = {}) => spawnSync(process.execPath, [cli, 'fix', ...args], { cwd: folder, encoding: 'utf8', ...options });

const right = readFileSync(new URL('../../tests/vectors/validate/valid-bare-event/input.json', import.meta.url), 'utf8');
/** The document with its first `from` replaced. */
const withOne = (from, to) => {
  const changed = right.replace(from, to);
  assert.notEqual(changed, right);
  return changed;
};

test('the corrected file is written beside it, and each change is listed', () => {
  const smart = withOne('"action"', '“action”');
  writeFileSync(at('smart.json'), smart);
  const { status, stdout, stderr } = run(['smart.json']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(
    stdout,
    /^smart\.json: 2 changes, in smart\.fixed\.json\n {2}smart\.json:\d+:\d+ U\+201C becomes "\n {2}smart\.json:\d+:\d+ U\+201D becomes "\n$/,
  );
  assert.equal(text('smart.json'), smart);
  assert.equal(text('smart.fixed.json'), right);
  // It never replaces what is there.
  const again = run(['smart.json']);
  assert.equal(again.status, 2);
  assert.match(again.stderr, /smart\.fixed\.json is there already, expected a name that is free/);
  const elsewhere = run(['smart.json', '-o', 'other.json']);
  assert.deepEqual([elsewhere.status, elsewhere.stdout, text('other.json')], [0, '', right]);
});

test('a document without such characters makes no file', () => {
  writeFileSync(at('right.json'), right);
  assert.equal(run(['right.json']).stdout, 'right.json: nothing to repair\n');
  assert.ok(!existsSync(at('right.fixed.json')));
});

test('standard input goes to standard output, changes to standard error; for programs all is one line', () => {
  const { stdout, stderr } = run([], { input: withOne('OBSERVE', 'ОBSERVE') });
  assert.equal(stdout, right);
  assert.match(stderr, /U\+041EBSERVE becomes OBSERVE/);
  writeFileSync(at('one.json'), withOne('OBSERVE', 'ОBSERVE'));
  const { file, written, count, changes } = JSON.parse(run(['--json', 'one.json']).stdout);
  assert.deepEqual([file, written, count, changes.length, changes[0].reason], ['one.json', 'one.fixed.json', 1, 1, 'look-alike']);
});

test('a zone is a guess, made only if it is asked for', () => {
  const zoneless = withOne(/("eventTime": *"[^"Z+]*)[^"]*"/, '$1"');
  assert.equal(validate(zoneless).valid, false);
  assert.equal(repair(zoneless).count, 0);
  const { text: zoned, changes } = repair(zoneless, { zone: 'from-offset' });
  assert.deepEqual([changes.length, changes[0].reason, validate(zoned).valid], [1, 'no-zone', true]);
  writeFileSync(at('zone.json'), zoneless);
  assert.match(run(['--zone', 'from-offset', 'zone.json']).stdout, / \+\d\d:\d\d added: the offset of its event\n/);
  assert.equal(text('zone.fixed.json'), zoned);
});

test('what is wrong is refused, and leaves no file', () => {
  const before = readdirSync(folder).length;
  assert.match(run(['--zone', 'mine', 'right.json']).stderr, /--zone is mine, expected from-offset/);
  assert.match(run(['right.json', 'one.json', '-o', 'x']).stderr, /-o takes one document, and 2 are given/);
  assert.match(run(['right.json', '--json', '-o', 'x']).stderr, /--json and -o exclude each other/);
  const latin = run([], { input: Buffer.from('<a>\xe9</a>', 'latin1') });
  assert.equal(latin.status, 4);
  assert.match(latin.stderr, /the text is not UTF-8/);
  assert.throws(() => repair({}), /the text is an Object, expected Uint8Array, ArrayBuffer or string/);
  assert.throws(() => repair('', { zones: true }), /repair has no option/);
  assert.equal(readdirSync(folder).length, before);
});

test('all changes are made, the first thousand are listed', () => {
  const { text: all, count, changes } = repair(`[${'“a”,'.repeat(2000)}1]`);
  assert.deepEqual([all, count, changes.length], [`[${'"a",'.repeat(2000)}1]`, 4000, 1000]);
});
