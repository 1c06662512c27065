// `npm run move` of a store with several homes: each moves from its database in D1 to one in PostgreSQL, and callers get the same
// answers from there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeLogKey } from '../../scripts/log-keys.mjs';
import { furtherDatabases, postgresDatabase } from './gateway.js';
import { programs } from './postgres-server.js';
import { OBSERVER, documentOf, event, open, walk } from './store.js';

const { missing } = programs();
const root = fileURLToPath(new URL('../..', import.meta.url));
const state = mkdtempSync(join(tmpdir(), 'epcis-move-homes-'));
after(() => rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const ACCOUNTS = 5;
const account = (n) => `https://example.com/accounts/${n}`;
const document = (n) => documentOf(Array.from({ length: 4 }, (_, at) => event(`urn:epc:id:sgtin:0614141.112345.${n}${at}`)));
const bindings = { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey };

/** The log as it stands once it has so many leaves. */
async function checkpoint({ address, gateway }, size) {
  for (let n = 0; ; n += 1) {
    const text = await (await fetch(new URL('log/checkpoint', address))).text();
    if (Number(text.split('\n')[1]) === size) return text;
    assert.ok(n < 1500, `the log has not grown to ${size}: ${text}`);
    await (await gateway.getWorker('gateway')).scheduled({ cron: '* * * * *' });
    await setTimeout(200);
  }
}

test('a store of three homes is moved, and served as it was', { skip: missing ?? false, timeout: 1_200_000 }, async (t) => {
  const persistTo = join(state, 'v3');
  const d1 = await open({ persistTo, bindings, homes: ['home-1', 'home-2'] });
  let keys;
  let reader;
  let told;
  try {
    const further = await furtherDatabases(d1.gateway, 2);
    keys = await Promise.all(Array.from({ length: ACCOUNTS }, (_, n) => d1.makeKey({ account: account(n), observer: OBSERVER })));
    reader = await d1.makeKey({ account: account(99), observer: OBSERVER, readable: '*' });
    for (const [n, key] of keys.entries()) await d1.ask('capture', { document: document(n) }, key);
    for (const home of further) assert.ok((await home.prepare('SELECT count(*) AS n FROM events').first('n')) > 0);
    told = { log: await checkpoint(d1, 4 * ACCOUNTS), events: await walk(d1, {}, reader) };
  } finally {
    await d1.dispose();
  }

  const targets = await Promise.all([0, 1, 2].map(() => postgresDatabase()));
  for (const { end } of targets) t.after(end);
  const [first, ...rest] = targets.map(({ direct }) => direct);
  const move = (databases, ...more) => {
    const named = databases.flatMap((address, home) => [home === 0 ? '--database' : '--home', address]);
    const args = ['scripts/move.mjs', '--from', 'd1', '--to', 'postgres', '--state', state, ...named, ...more];
    return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  };
  const few = move([first, rest[0]]);
  assert.equal(few.status, 1);
  assert.match(few.stderr, /the store in D1 has 3 homes, and there are addresses for 2[\s\S]*what to do: name an empty database for each/);
  const begun = move([first, ...rest], '--pages', '9');
  assert.equal(begun.status, 3, begun.stderr);
  assert.match(begun.stdout, /==> home 2\n/);
  // The first home, which has the keys, comes last.
  assert.match(begun.stdout, /==> home 1\n/);
  assert.doesNotMatch(begun.stdout, /==> home 0\n/);
  const swapped = move([first, rest[1], rest[0]]);
  assert.equal(swapped.status, 1);
  assert.match(swapped.stderr, /the database cannot become home 2: the database is that of home 1, not of home 2/);
  const done = move([first, ...rest]);
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stdout.match(/events hashed again/g).length, 3);
  assert.match(done.stdout, /account_homes: 5 rows are the same/);

  const [database, ...homes] = targets;
  const moved = await open({ persistTo, bindings, hyperdrive: database.address, homes: homes.map(({ address }) => address), database: database.database });
  try {
    assert.deepEqual(await walk(moved, {}, reader), told.events);
    assert.equal(await checkpoint(moved, 4 * ACCOUNTS), told.log);
    for (const [n, key] of keys.entries()) {
      const again = await moved.ask('capture', { document: document(n) }, key);
      assert.ok(again.events.every(({ duplicate }) => duplicate));
      await moved.ask('capture', { document: document(n + ACCOUNTS) }, key);
    }
    await checkpoint(moved, 8 * ACCOUNTS);
    assert.equal((await walk(moved, {}, reader)).length, 8 * ACCOUNTS);
    // A new account gets the home with the fewest.
    const key = await moved.makeKey({ account: account(7), observer: OBSERVER });
    await moved.ask('capture', { document: document(77) }, key);
    assert.equal(await homes[1].database.prepare('SELECT count(*) AS n FROM events WHERE captured_by = ?').bind(account(7)).first('n'), 4);
  } finally {
    await moved.dispose();
  }
});
