// Captures that wait for their turn in PostgreSQL: what happens to each if others, the gateway or the server fail.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../scripts/postgres.mjs';
import { programs, serveFromPostgres } from './postgres-server.js';
import { documentOf, event, open } from './store.js';

const { missing } = programs();
const skip = missing ?? false;

let servers;
let store;
let watcher;
before(async () => {
  if (missing) return;
  servers = await serveFromPostgres({ isDurable: true });
  store = await open();
  watcher = await direct();
});
after(async () => {
  await watcher?.end().catch(() => {});
  await store?.dispose();
});

const direct = () => connect(servers.direct(new URL(store.hyperdrive).pathname.slice(1)));
const number = async (sql) => Number(Object.values((await watcher.query(sql)).rows[0])[0]);
const waiting = () => number('SELECT count(*) FROM inbox');
const epc = (document, n) => `urn:epc:id:sgtin:0614141.1${String(document).padStart(5, '0')}.${n}`;
const sent = (document, count = 1) => ({ document: documentOf(Array.from({ length: count }, (_, n) => event(epc(document, n)))) });
const stored = (document) => number(`SELECT count(*) FROM event_texts WHERE text LIKE '%${epc(document, '')}%'`);

async function until(what, isSo) {
  const deadline = Date.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what);
    await setTimeout(20);
  }
}

/** Lets captures wait while another connection has the turn. `release` gives it up. */
async function held(documents) {
  const holder = await direct();
  await holder.query('BEGIN');
  await holder.query('SELECT take_turn(1)');
  const before = await waiting();
  const captured = documents.map(([document, count]) => store.call('capture', sent(document, count)));
  for (const one of captured) one.catch(() => {});
  await until('all wait', async () => (await waiting()) === before + documents.length);
  return { captured, release: () => holder.query('COMMIT').then(() => holder.end()) };
}

/** Asserts event numbers without gaps, an identity and a text for each event, a job for each capture, and nothing left behind. */
async function assertOrder() {
  const events = await number('SELECT count(*) FROM events');
  assert.equal(await number('SELECT coalesce(max(sequence), 0) FROM events'), events);
  assert.equal(await number('SELECT count(*) FROM identities'), events);
  assert.equal(await number('SELECT count(DISTINCT sequence) FROM event_texts'), events);
  assert.equal(await number('SELECT count(DISTINCT sequence) FROM terms'), events);
  assert.equal(await number('SELECT count(*) - count(DISTINCT (account, number)) FROM capture_jobs'), 0);
  assert.equal(await waiting(), 0);
  assert.equal(await number('SELECT count(*) FROM inbox_parts'), 0);
}

test('what waits goes together, and what is wrong fails alone', { skip }, async () => {
  // The last document needs more than one text.
  const documents = [...Array.from({ length: 15 }, (_, n) => [n, 1 + (n % 3)]), [15, 3000]];
  const { captured, release } = await held(documents);
  const commits = () => number('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()');
  await watcher.query(`UPDATE inbox SET lists = '[["events", [["no number", 0, "00"]]]]' WHERE number = (SELECT min(number) + 5 FROM inbox)`);
  const before = await commits();
  await release();
  const answers = await Promise.all(captured);
  const refused = answers.filter(({ isRefused }) => isRefused);
  assert.equal(refused.length, 1);
  assert.deepEqual([refused[0].value.status, refused[0].value.type], [500, 'epcisException:ImplementationException']);
  for (const [at, { isRefused, value }] of answers.entries()) {
    const [document, count] = documents[at];
    assert.equal(await stored(document), isRefused ? 0 : count, `document ${document}`);
    if (!isRefused) assert.equal(value.events.length, count);
  }
  // Each waiting capture sends one statement, and one transaction stores them all.
  assert.ok((await commits()) - before < 120);
  await assertOrder();
});

test('one document in flight 64 times is stored once, under one name', { skip }, async () => {
  const answers = await Promise.all(Array.from({ length: 64 }, () => store.call('capture', sent(100, 2))));
  assert.deepEqual(
    answers.filter(({ isRefused }) => isRefused),
    [],
  );
  const names = new Set(answers.flatMap(({ value }) => value.events.map(({ eventID }) => eventID)));
  assert.equal(names.size, 2);
  assert.equal(answers.filter(({ value }) => value.events.some(({ duplicate }) => !duplicate)).length, 1, 'new for one of them');
  assert.equal(await stored(100), 2);
  await assertOrder();
});

test('what was taken back is not stored, and its caller is told that it cannot know', { skip }, async () => {
  const { captured, release } = await held([
    [200, 1],
    [201, 1],
  ]);
  const { rows } = await watcher.query(
    "SELECT t.was_there FROM (SELECT token FROM inbox WHERE lists::text LIKE '%100200%') AS i CROSS JOIN LATERAL take_back(i.token) AS t",
  );
  assert.deepEqual(rows, [{ was_there: true }]);
  await release();
  const [gone, there] = await Promise.all(captured);
  assert.equal(there.isRefused, false);
  assert.deepEqual([gone.isRefused, gone.value.status], [true, 503]);
  assert.match(gone.value.detail, /may have been stored: send the same request again/);
  assert.deepEqual([await stored(200), await stored(201)], [0, 1]);
  await assertOrder();
  // A capture that is taken back too late: its outcome is returned.
  const { rows: late } = await watcher.query('SELECT t.* FROM (SELECT token FROM outcomes ORDER BY put_at DESC LIMIT 1) AS o, take_back(o.token) AS t');
  assert.deepEqual([late[0].was_there, typeof late[0].job], [false, 'number']);
});

test('what a gateway left that has ended is removed, and never stored', { skip }, async () => {
  const { captured, release } = await held([
    [300, 1],
    [301, 2000],
  ]);
  await watcher.query("UPDATE inbox SET put_at = put_at - interval '2 minutes'");
  await watcher.query("UPDATE inbox_parts SET put_at = put_at - interval '2 minutes'");
  const last = store.call('capture', sent(302));
  await until('the last one waits, too', async () => (await waiting()) === 3);
  await release();
  for (const answer of await Promise.all(captured)) assert.equal(answer.value.status, 503);
  assert.equal((await last).isRefused, false);
  assert.deepEqual([await stored(300), await stored(301), await stored(302)], [0, 0, 1]);
  await assertOrder();
});

test('a crash of the server empties the inbox: nothing of it is stored, and all of it can be sent again', { skip }, async () => {
  const { captured } = await held([
    [400, 1],
    [401, 1],
  ]);
  await servers.kill('postgres');
  for (const answer of await Promise.all(captured)) {
    assert.deepEqual([answer.isRefused, answer.value.status], [true, 503]);
    assert.match(answer.value.detail, /may have been stored/);
  }
  await servers.start('postgres');
  watcher = await direct();
  assert.deepEqual([await waiting(), await stored(400), await stored(401)], [0, 0, 0]);
  for (const document of [400, 401]) {
    let again;
    // The pooler notices for each connection separately.
    await until('it is taken again', async () => !(again = await store.call('capture', sent(document))).isRefused);
    assert.equal(again.value.events[0].duplicate, false);
  }
  await assertOrder();
});
