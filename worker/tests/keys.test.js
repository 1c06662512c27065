// The command for capture keys, with a separate local database.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const state = mkdtempSync(join(tmpdir(), 'epcis-keys-test-'));
after(() => rmSync(state, { recursive: true }));

function run(script, ...args) {
  const env = { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args, '--persist-to', state], {
    cwd: join(root, 'worker'),
    encoding: 'utf8',
    env,
  });
  return { status, stdout: stdout.trim(), stderr };
}
const keys = (...args) => run(join(root, 'scripts/keys.ts'), ...args);

before(() => {
  const wrangler = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');
  const applied = run(wrangler, 'd1', 'migrations', 'apply', 'DB', '--local');
  assert.equal(applied.status, 0, applied.stderr);
});

test('a key is shown once, listed without its secret, and revoked', () => {
  assert.match(keys('list').stdout, /^there are no keys$/);
  const made = keys('create', '--account', "https://example.com/o'neill", '--observer', 'urn:o', '--rights', 'query', '--read', '*');
  assert.match(made.stdout, /^epcis_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/, made.stderr);
  const id = made.stdout.slice(6, 18);
  const listed = keys('list').stdout;
  assert.match(listed, new RegExp(`^${id}  in force  query\n  account   https://example.com/o'neill\n  observer  urn:o\n  reads     \\*`));
  assert.ok(!listed.includes(made.stdout.slice(19)));
  assert.equal(keys('revoke', id).status, 0);
  assert.match(keys('list').stdout, new RegExp(`^${id}  revoked `));
});

test('what is no key is refused, with what to do', () => {
  for (const args of [
    [],
    ['create'],
    ['create', '--account', 'urn:a'],
    ['create', '--account', 'no URI', '--observer', 'urn:o'],
    ['create', '--account', 'urn:a', '--observer', 'urn:o', '--rights', 'delete'],
    ['revoke', 'x'],
    ['revoke', '0123456789ab'],
    ['list', '--no-such-option'],
  ]) {
    const { status, stderr, stdout } = keys(...args);
    assert.equal(status, 1, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /npm run keys -- create/);
  }
});
