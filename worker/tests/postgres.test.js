// What PostgreSQL can do to a gateway: die, abort transactions, refuse connections, run out of room, and serve two gateways at
// once.
// Invariant: Whatever happens to PostgreSQL (killed, deadlocked, full), a capture is whole or absent, and its caller learns whether to
// try again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connect, likeD1 } from '../../scripts/postgres.mjs';
import { makeKey } from './gateway.js';
import { programs, serveFromPostgres } from './postgres-server.js';
import { OBSERVER, documentOf, event, open, walk } from './store.js';

const { missing } = programs();
const skip = missing ?? false;

let servers;
let store;
/** A separate connection for the tests, independent of the gateway's. */
let watcher;
before(async () => {
  if (missing) return;
  servers = await serveFromPostgres();
  store = await open();
  await watch();
});
after(async () => {
  await watcher?.end();
  await store?.dispose();
});

const nameOf = (address) => new URL(address).pathname.slice(1);
async function watch() {
  await watcher?.end().catch(() => {});
  watcher = await connect(servers.direct(nameOf(store.hyperdrive)));
}

/** Polls until the condition is true. */
async function until(what, isSo, milliseconds = 300_000) {
  const deadline = Date.now() + milliseconds;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what);
    await setTimeout(20);
  }
}

const one = async (sql, values) => (await watcher.query(sql, values)).rows[0];
const epc = (batch, n) => `urn:epc:id:sgtin:0614141.1${String(batch).padStart(5, '0')}.${n}`;
const batchOf = (batch, count) => documentOf(Array.from({ length: count }, (_, n) => event(epc(batch, n))));
/** The numbers of texts, terms and events stored of a batch. */
const storedOf = async (batch) =>
  Object.values(
    await one(
      `SELECT (SELECT count(*) FROM event_texts WHERE text LIKE $1), (SELECT count(*) FROM terms WHERE value LIKE $2) AS terms,
        (SELECT count(*) FROM events WHERE sequence IN (SELECT sequence FROM event_texts WHERE text LIKE $1)) AS events`,
      [`%${epc(batch, '')}%`, `%/01/10614141${`00000${batch}`.slice(-5)}%`],
    ),
  );
const isWhole = async (batch, count) => {
  const [parts, , events] = await storedOf(batch);
  assert.ok([0, count].includes(events), `batch ${batch} is neither whole nor absent: ${events}`);
  assert.equal(parts, events);
  return events === count;
};

function assertUnavailable({ value, isRefused }) {
  assert.deepEqual([isRefused, value.type, value.status], [true, 'epcisException:ImplementationException', 503], JSON.stringify(value));
  assert.doesNotMatch(JSON.stringify(value), /postgres|ECONN|127\.0\.0\.1|SQL/i);
}

/** A capture that is blocked in the middle of its transaction by a lock on the table of terms. */
async function heldUp(batch, count) {
  const blocker = await connect(servers.direct(nameOf(store.hyperdrive)));
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE terms IN EXCLUSIVE MODE');
  const captured = store.call('capture', { document: batchOf(batch, count) });
  captured.catch(() => {});
  await until('the capture waits', async () => {
    const { n } = await one(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%capture_beside(%' AND datname = current_database()",
    );
    return n > 0;
  });
  return { captured, release: () => blocker.query('ROLLBACK').then(() => blocker.end()), blocker };
}

test('postgres is killed while it captures: nothing is half stored, callers are told to come back', { skip }, async () => {
  await store.ask('capture', { document: batchOf(1, 200) });
  const { captured, blocker } = await heldUp(2, 200);
  await servers.kill('postgres');
  assertUnavailable(await captured);
  await blocker.end().catch(() => {});
  // While the database is down.
  assertUnavailable(await store.call('query', { query: {} }));
  const response = await fetch(new URL('events', store.address), { headers: { authorization: `Bearer ${store.key}` } });
  assert.deepEqual([response.status, response.headers.get('content-type')], [503, 'application/problem+json']);
  assert.match(response.headers.get('retry-after'), /^[1-9]\d*$/);
  await servers.start('postgres');
  await watch();
  assert.equal(await isWhole(2, 200), false);
  // The pooler reconnects after a second.
  await until('the gateway captures again', async () => !(await store.call('capture', { document: batchOf(2, 200) })).isRefused);
  assert.equal(await isWhole(2, 200), true);
  assert.equal((await walk(store, {})).length, 400);
});

test('the pooler is started anew', { skip }, async () => {
  const { captured, release } = await heldUp(3, 50);
  await servers.kill('pgbouncer');
  assertUnavailable(await captured);
  await release();
  assertUnavailable(await store.call('query', { query: {} }));
  await servers.start('pgbouncer');
  const answer = await store.ask('capture', { document: batchOf(3, 50) });
  assert.equal(new Set(answer.events.map(({ duplicate }) => duplicate)).size, 1);
  assert.equal(await isWhole(3, 50), true);
});

/** A trigger that raises an error for the first `times` captures that insert a batch. */
async function raising(code, times) {
  await watcher.query('CREATE SEQUENCE raised');
  await watcher.query(`CREATE FUNCTION raise_it() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('raised') <= ${times} THEN RAISE EXCEPTION 'provoked' USING ERRCODE = '${code}'; END IF;
      RETURN NULL;
    END $$`);
  await watcher.query('CREATE TRIGGER provoked AFTER INSERT ON listed_values FOR EACH STATEMENT EXECUTE FUNCTION raise_it()');
  return async () => {
    const { last_value: raised } = await one('SELECT last_value FROM raised');
    await watcher.query('DROP TRIGGER provoked ON listed_values');
    await watcher.query('DROP FUNCTION raise_it');
    await watcher.query('DROP SEQUENCE raised');
    return raised;
  };
}

test('a capture that gives way to another begins anew, some times', { skip }, async () => {
  for (const code of ['40001', '40P01']) {
    const batch = code === '40001' ? 4 : 5;
    let end = await raising(code, 2);
    await store.ask('capture', { document: batchOf(batch, 30) });
    assert.equal(await end(), 3, 'twice in vain, then stored');
    assert.equal(await isWhole(batch, 30), true);
    end = await raising(code, 1000);
    assertUnavailable(await store.call('capture', { document: batchOf(batch + 2, 30) }));
    assert.equal(await end(), 5, 'bounded');
    assert.equal(await isWhole(batch + 2, 30), false);
  }
});

test('a deadlock with somebody else is survived', { skip }, async () => {
  const { captured, blocker } = await heldUp(8, 30);
  // The capture holds a lock on capture_jobs and waits for ours on terms. Our request for capture_jobs closes the circle, and one
  // of the two is aborted.
  const other = await blocker.query('LOCK TABLE capture_jobs IN ACCESS EXCLUSIVE MODE').then(
    () => undefined,
    (error) => error,
  );
  if (other) assert.equal(other.code, '40P01');
  await blocker.query('ROLLBACK');
  await blocker.end();
  const { isRefused, value } = await captured;
  assert.equal(isRefused, false, JSON.stringify(value));
  assert.equal(await isWhole(8, 30), true);
});

test('no room on the disk: refused, nothing is half stored', { skip }, async () => {
  const end = await raising('53100', 1000);
  assertUnavailable(await store.call('capture', { document: batchOf(9, 100) }));
  assert.equal(await end(), 1, 'not tried again at once');
  assert.deepEqual(await storedOf(9), [0, 0, 0]);
  assert.equal((await store.ask('capture', { document: batchOf(9, 100) })).events.length, 100);
});

test('whoever waits too long for numbers is told to come back', { skip }, async () => {
  const holder = await connect(servers.direct(nameOf(store.hyperdrive)));
  await holder.query('BEGIN');
  // The lock of take_numbers.
  await holder.query('SELECT pg_advisory_xact_lock(1162889555, 3)');
  const captured = store.call('capture', { document: batchOf(10, 10) });
  assertUnavailable(await captured);
  await holder.query('ROLLBACK');
  await holder.end();
  assert.equal(await isWhole(10, 10), false);
});

test('two gateways capture the same events at once into one database', { skip }, async () => {
  // The first gateway's own connection was lost with the server.
  const database = likeD1(watcher);
  const second = await open({ hyperdrive: store.hyperdrive, database });
  try {
    const key = await makeKey(database, { account: 'https://example.com/accounts/both', observer: OBSERVER });
    const documents = Array.from({ length: 6 }, (_, n) => documentOf(Array.from({ length: 40 }, (_, m) => event(epc(20, n * 20 + m)))));
    const answers = await Promise.all(documents.flatMap((document) => [store.ask('capture', { document }, key), second.ask('capture', { document }, key)]));
    const brought = new Map();
    answers.forEach(({ events }, at) => {
      const { eventList } = documents[Math.floor(at / 2)].epcisBody;
      events.forEach(({ eventID, duplicate }, index) => {
        const [name] = eventList[index].epcList;
        const known = brought.get(name) ?? { times: 0, eventID };
        assert.equal(known.eventID, eventID);
        brought.set(name, { eventID, times: known.times + (duplicate ? 0 : 1) });
      });
    });
    assert.equal(brought.size, 140);
    assert.deepEqual(new Set([...brought.values()].map(({ times }) => times)), new Set([1]));
    const [here, there] = await Promise.all([walk(store, {}, key), walk(second, {}, key)]);
    assert.equal(here.length, 140);
    assert.deepEqual(here, there);
  } finally {
    await second.dispose();
  }
});

test('a partition is there before it is needed', { skip }, async () => {
  const { made_to: made, width } = await one('SELECT made_to, width FROM partitioning');
  assert.equal(made, 2 * width + 1);
  await watcher.query('UPDATE partitioning SET width = 20000000');
  await store.ask('capture', { document: batchOf(30, 1) });
  assert.equal((await one('SELECT made_to FROM partitioning')).made_to, made + 20_000_000);
  const { n } = await one("SELECT count(*) AS n FROM pg_inherits WHERE inhparent = 'events'::regclass");
  assert.equal(n, 3);
  await assert.rejects(watcher.query(`TRUNCATE terms_from_${made}`), /append-only/);
  await assert.rejects(watcher.query(`DELETE FROM events WHERE sequence = 1`), /append-only/);
});
