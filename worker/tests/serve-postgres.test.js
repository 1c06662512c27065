// `npm run serve:postgres` after its build, and keys in its database.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { postgresDatabase } from './gateway.js';
import { programs } from './postgres-server.js';
import { event } from './store.js';
import { freePort } from './port.js';

const { missing } = programs();
const root = fileURLToPath(new URL('../..', import.meta.url));
const state = mkdtempSync(join(tmpdir(), 'epcis-serve-postgres-'));
after(() => rmSync(state, { recursive: true, force: true }));

test('a gateway without Cloudflare: served, captured, stopped, served again', { skip: missing ?? false }, async (context) => {
  const { direct, end } = await postgresDatabase();
  // Also after a failure: while the servers run, this process does not end.
  context.after(end);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  /** Not spawnSync: while this process waits, it would not see that the gateway closes idle connections, and use one of them. */
  const keys = async (...args) => {
    const child = spawn(process.execPath, ['scripts/keys.mjs', ...args, '--database', direct], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { status, stdout, stderr };
  };
  let signal = 'SIGTERM';
  const serving = async (use, ...more) => {
    const args = ['scripts/serve-postgres.mjs', '--database', direct, '--port', String(port), '--state', state, '--var', 'RATE_LIMIT=off', ...more];
    const served = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const ended = once(served, 'exit');
    // One that a signal ends has no exit code.
    const isRunning = () => served.exitCode === null && served.signalCode === null;
    for (const stream of [served.stdout, served.stderr]) stream.on('data', (chunk) => (said += chunk));
    try {
      for (let n = 0; !said.includes('epcis-edge is at'); n += 1) {
        assert.ok(n < 3000 && isRunning(), said);
        await setTimeout(100);
      }
      await use(said);
    } finally {
      served.kill(signal);
      await ended;
    }
    return said;
  };
  let key;
  await serving(async () => {
    assert.equal((await keys('list')).stdout.trim(), 'there are no keys');
    const made = await keys('create', '--account', 'https://example.com/accounts/1', '--observer', 'https://example.com/dock', '--note', "it's one");
    assert.equal(made.status, 0, made.stderr);
    key = made.stdout.trim();
    assert.match((await keys('list')).stdout, /in force {2}capture,query/);
    // Two gateways would overwrite each other's files in one folder.
    const second = ['scripts/serve-postgres.mjs', '--database', direct, '--port', String(await freePort()), '--state', state];
    const refused = spawnSync(process.execPath, second, { cwd: root, encoding: 'utf8' });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /another gateway uses the state in .*\n.*--state/);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const captured = await fetch(`${address}/events`, { method: 'POST', headers, body: JSON.stringify(event('urn:x:1')) });
    assert.equal(captured.status, 201, await captured.text());
  });
  const said = await serving(async () => {
    const headers = { authorization: `Bearer ${key}` };
    const found = await (await fetch(`${address}/events`, { headers })).json();
    assert.equal(found.epcisBody.queryResults.resultsBody.eventList.length, 1);
    const [, id] = key.split('_');
    assert.match((await keys('revoke', id)).stdout, /is revoked/);
    assert.equal((await fetch(`${address}/events`, { headers })).status, 401);
  });
  assert.match(said, /no new migrations/);
  // The folder is free again, however the process ends.
  signal = 'SIGKILL';
  // The storage of documents may change between two starts.
  await serving(
    async () => {
      const made = await keys('create', '--account', 'https://example.com/accounts/1', '--observer', 'https://example.com/dock');
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${made.stdout.trim()}` };
      const captured = await fetch(`${address}/events`, { method: 'POST', headers, body: JSON.stringify(event('urn:x:2')) });
      assert.equal(captured.status, 201, await captured.text());
      assert.equal(readdirSync(join(state, 'v3/r2/epcis-edge-documents/blobs')).length, 1);
    },
    '--documents',
    'r2',
  );
});

test('a variable that there is not is refused', () => {
  const args = ['scripts/serve-postgres.mjs', '--database', 'postgres://u:p@127.0.0.1:1/none', '--var', 'HASH_EVENT_ID=refuse'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.deepEqual([status, /there is no variable HASH_EVENT_ID, expected .*HASH_EVENT_IDS/.test(stderr)], [1, true], stderr);
});

test('a host that is no IP address is refused', () => {
  for (const host of ['localhost', '0.0.0.0:80', '']) {
    const args = ['scripts/serve-postgres.mjs', '--database', 'postgres://u:p@127.0.0.1:1/none', '--host', host];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    assert.deepEqual([status, stderr.startsWith(`--host must be an IP address, such as 0.0.0.0, not ${host}\n`)], [1, true], stderr);
  }
});

test('a database that is not there is told, with what to do', async () => {
  const port = await freePort();
  const { status, stderr } = spawnSync(process.execPath, ['scripts/serve-postgres.mjs', '--database', `postgres://u:p@127.0.0.1:${port}/x`, '--state', state], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.deepEqual([status, /what to do: is it running/.test(stderr)], [1, true], stderr);
  const wrong = spawnSync(process.execPath, ['scripts/serve-postgres.mjs', '--database', 'mysql://x'], { cwd: root, encoding: 'utf8' });
  const odd = spawnSync(process.execPath, ['scripts/serve-postgres.mjs', '--database', 'postgres://u:p@x/y', '--documents', 's3'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.deepEqual([odd.status, /--documents must be kv or r2/.test(odd.stderr)], [1, true]);
  assert.deepEqual([wrong.status, /must be an address that begins with postgres/.test(wrong.stderr)], [1, true]);
  for (const address of ['postgres://x/y', 'postgres://u@x/y', 'postgres://u:p@x', 'postgres://:p@x/y']) {
    const short = spawnSync(process.execPath, ['scripts/serve-postgres.mjs', '--database', address], { cwd: root, encoding: 'utf8' });
    assert.deepEqual([short.status, /must name a user, a password, a host and a database/.test(short.stderr)], [1, true], address);
  }
});
