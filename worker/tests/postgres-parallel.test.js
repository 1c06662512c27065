// Captures beside each other in PostgreSQL: readers see only what is settled, duplicates and names are kept apart, and what happens to
// each capture if others, the gateway or the server fail.
// Invariant: Captures over PostgreSQL run beside each other, each whole or not at all; what readers see up to `settled()` never
// changes, and after a 202 the caller finds the events.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeLogKey } from '../../scripts/log-keys.mjs';
import { connect } from '../../scripts/postgres.mjs';
import { programs, serveFromPostgres } from './postgres-server.js';
import { documentOf, event, eventsOf, open, walk } from './store.js';

const { missing } = programs();
const skip = missing ?? false;

let servers;
let store;
let watcher;
before(async () => {
  if (missing) return;
  servers = await serveFromPostgres({ isDurable: true });
  store = await open({ bindings: { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey } });
  watcher = await direct();
});
after(async () => {
  await watcher?.end().catch(() => {});
  await store?.dispose();
});

const direct = () => connect(servers.direct(new URL(store.hyperdrive).pathname.slice(1)));
const number = async (sql, client = watcher) => Number(Object.values((await client.query(sql)).rows[0])[0]);
const settled = () => number('SELECT settled()');
const epc = (document, n) => `urn:epc:id:sgtin:0614141.1${String(document).padStart(5, '0')}.${n}`;
const sent = (document, count = 1) => ({ document: documentOf(Array.from({ length: count }, (_, n) => event(epc(document, n)))) });
const stored = (document) => number(`SELECT count(*) FROM event_texts WHERE text LIKE '%${epc(document, '')}%'`);
const found = async (document, n = 0) => eventsOf(await store.ask('trace', { epc: epc(document, n) })).length;

async function until(what, isSo) {
  const deadline = Date.now() + 300_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what);
    await setTimeout(20);
  }
}

/** A capture that has taken its numbers and runs on. `end` ends it without storing anything. */
async function underWay(count = 3) {
  const client = await direct();
  await client.query('BEGIN');
  const { rows } = await client.query('SELECT * FROM take_numbers($1, 0)', [count]);
  return { ...rows[0], client, end: () => client.query('ROLLBACK').then(() => client.end()) };
}

/** Asserts times in the order of numbers, what belongs to each event, the map of zones, and that nothing is left behind. */
async function assertWhole() {
  const events = await number('SELECT count(*) FROM events');
  assert.equal(await number('SELECT max(sequence) FROM events WHERE sequence <= settled()'), await number('SELECT max(sequence) FROM events'));
  assert.equal(await number('SELECT count(*) FROM identities AS i JOIN events AS e USING (sequence)'), events);
  assert.equal(await number('SELECT count(*) FROM identities'), events);
  assert.equal(await number('SELECT count(DISTINCT sequence) FROM event_texts'), events);
  assert.equal(await number('SELECT count(*) FROM event_texts'), events);
  assert.equal(await number('SELECT count(DISTINCT sequence) FROM terms'), events);
  assert.equal(
    await number('SELECT count(*) FROM (SELECT record_time < lag(record_time) OVER (ORDER BY sequence) AS is_back FROM events) AS e WHERE is_back'),
    0,
  );
  // Each event is in the numbers of one job, which has its time and its document.
  assert.equal(
    await number(`SELECT count(*) FROM events AS e CROSS JOIN LATERAL (
      SELECT * FROM capture_jobs AS c WHERE c.before < e.sequence ORDER BY c.sequence DESC LIMIT 1
    ) AS c WHERE c.document = e.document AND to_timestamp(c.time / 1000.0) = CAST(e.record_time AS timestamptz)`),
    events,
  );
  assert.equal(
    await number('SELECT sum(events) - (SELECT count(*) FROM capture_duplicates) FROM capture_jobs'),
    events,
    'a job for each event, and none for another',
  );
  const notOnMap = `SELECT count(*) FROM events AS e WHERE NOT EXISTS (SELECT 1 FROM all_zones AS z WHERE z.captured_by = e.captured_by
    AND z.zone = e.sequence / 10000 AND e.event_time BETWEEN z.first_event_time AND z.last_event_time
    AND e.record_time BETWEEN z.first_record_time AND z.last_record_time)
    OR NOT EXISTS (SELECT 1 FROM zone_words AS w WHERE w.captured_by = e.captured_by AND w.zone = e.sequence / 10000 AND w.value = e.action)`;
  assert.equal(await number(notOnMap), 0);
  for (const table of ['inbox_parts', 'names_under_way']) assert.equal(await number(`SELECT count(*) FROM ${table}`), 0, table);
  // The locks of captures. The log has one of its own.
  assert.equal(await number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid IN (3, 4, 5)"), 0);
}

test('what is stored behind a capture under way is seen by nobody and acknowledged to nobody until that has ended', { skip }, async () => {
  await store.ask('capture', sent(0));
  const first = await underWay(3);
  let answered = 0;
  const captures = [1, 2, 3].map((document) => store.ask('capture', sent(document, document)).finally(() => (answered += 1)));
  await until('all are stored', async () => (await stored(3)) === 3 && (await stored(2)) === 2 && (await stored(1)) === 1);
  // Another one begins behind them.
  const second = await underWay(1);
  assert.equal(await settled(), first.first - 1);
  for (const document of [1, 2, 3]) assert.equal(await found(document), 0);
  assert.equal((await walk(store, {})).length, 1);
  assert.equal((await walk(store, { GE_recordTime: '2020-01-01T00:00:00Z' })).length, 1);
  assert.equal(await number('SELECT coalesce(max(sequence), 0) FROM log_leaves WHERE sequence > settled()'), 0);
  assert.equal(answered, 0, 'though others were answered meanwhile');
  await first.end();
  await Promise.all(captures);
  for (const document of [1, 2, 3]) assert.equal(await found(document), 1);
  assert.equal((await walk(store, {})).length, 7);
  assert.equal(await settled(), second.first - 1, 'up to the one that is still under way');
  assert.equal(await number('SELECT max(sequence) - min(sequence) + 1 FROM events WHERE sequence > 1'), 6);
  assert.equal(await number('SELECT min(sequence) FROM events WHERE sequence > 1'), 5, 'the numbers of the one that failed remain unused');
  await second.end();
  await assertWhole();
});

test('transactions that are no captures delay nobody, however long they run', { skip }, async () => {
  const others = await Promise.all([direct(), direct()]);
  for (const other of others) {
    await other.query('BEGIN');
    await other.query('CREATE TEMPORARY TABLE other (n integer)');
    await store.ask('capture', sent(10 + others.indexOf(other)));
  }
  // A refused capture: its numbers are void, and that is noted.
  await Promise.all([20, 20, 21, 21, 21].map((document) => store.ask('capture', sent(document))));
  await store.ask('capture', sent(22));
  assert.deepEqual([await found(10), await found(20), await found(22)], [1, 1, 1]);
  for (const other of others) await other.query('ROLLBACK').then(() => other.end());
  await assertWhole();
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
  await assertWhole();
});

test('of different events with one name, sent at once, one is stored', { skip }, async () => {
  for (let round = 0; round < 12; round += 1) {
    const eventID = `urn:uuid:374d95fc-9457-4a51-bd6a-${String(round).padStart(12, '0')}`;
    const documents = Array.from({ length: 8 }, (_, n) => documentOf([{ ...event(epc(200 + round, n)), eventID }, event(epc(300 + round, n))]));
    const answers = await Promise.all(documents.map((document) => store.call('capture', { document })));
    assert.equal(answers.filter(({ isRefused }) => !isRefused).length, 1);
    for (const { isRefused, value } of answers) if (isRefused) assert.equal(value.status, 400, JSON.stringify(value));
    assert.equal(await number(`SELECT count(*) FROM events WHERE event_id = '${eventID}'`), 1);
    assert.equal(await stored(300 + round), 1);
  }
  await assertWhole();
});

test('the same element of master data, sent at once, is kept once, and elements are seen in the order of their numbers', { skip }, async () => {
  const elements = (n, name) => ({
    ...documentOf([event(epc(400, n))]),
    epcisHeader: {
      epcisMasterData: {
        vocabularyList: [
          {
            type: 'urn:epcglobal:epcis:vtype:Location',
            vocabularyElementList: [{ id: 'urn:epc:id:sgln:0614141.00777.0', attributes: [{ id: 'urn:epcglobal:cbv:mda#name', attribute: name }] }],
          },
        ],
      },
    },
  });
  const before = await number('SELECT count(*) FROM master_data');
  const seen = [];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) seen.push((await watcher.query('SELECT max(number) AS newest, count(*) AS n FROM master_data')).rows[0]);
  })();
  const captures = Array.from({ length: 24 }, (_, n) => store.ask('capture', { document: elements(n, `name ${n % 3}`) }));
  const counted = Promise.all(captures).finally(() => (isOver = true));
  await counted;
  await looking;
  const kept = (await watcher.query('SELECT number, digest FROM master_data ORDER BY number')).rows.slice(before);
  assert.ok(kept.length >= 3);
  for (let n = 1; n < kept.length; n += 1) assert.notEqual(kept[n].digest, kept[n - 1].digest, 'the newest one says the same');
  for (const { newest, n } of seen) assert.equal(n, before + kept.filter(({ number }) => number <= newest).length);
  await assertWhole();
});

/** Readers of one moment: what they saw up to `settled()` must never change. */
async function lookWhile(isOver, looks = []) {
  const client = await direct();
  const all = `SELECT count(*) AS n, coalesce(md5(string_agg(e.sequence || e.event_id || e.record_time || t.text, ',' ORDER BY e.sequence)), '') AS digest
    FROM events AS e JOIN event_texts AS t USING (sequence) WHERE e.sequence <=`;
  while (!isOver()) {
    const { rows } = await client.query(
      `WITH s AS MATERIALIZED (SELECT settled() AS up_to) SELECT s.up_to, a.* FROM s CROSS JOIN LATERAL (${all} s.up_to) AS a`,
    );
    looks.push(rows[0]);
    await setTimeout(15);
  }
  let between = 0;
  const newest = await number('SELECT max(sequence) FROM events', client);
  // Some of them again, because each reads all texts.
  const every = Math.ceil(looks.length / 40);
  for (const [at, { up_to, n, digest }] of looks.entries()) {
    if (at % every === 0) assert.deepEqual((await client.query(`${all} $1`, [up_to])).rows, [{ n, digest }], `what was settled up to ${up_to} has changed`);
    if (up_to > looks[0].up_to && up_to < newest) between += 1;
  }
  for (let at = 1; at < looks.length; at += 1) assert.ok(looks[at].up_to >= looks[at - 1].up_to, 'settled() went back');
  await client.end();
  return { between };
}

test('many captures of all sizes, some of them twice: what is settled never changes, what is acknowledged is seen', { skip, timeout: 1_200_000 }, async (t) => {
  let isOver = false;
  const looks = [];
  const looking = lookWhile(() => isOver, looks);
  // So many that the readers see the store grow, however slow they are.
  const isSeen = () => new Set(looks.map(({ up_to }) => up_to)).size > 8;
  const random = (n) => Math.floor(Math.random() * n);
  let next = 1000;
  let twice = 0;
  let busy = 0;
  const acknowledged = new Map();
  const sender = async (isLarge) => {
    for (let round = 0; round < (isLarge ? 3 : 12) || !isSeen(); round += 1) {
      const isAgain = next > 1010 && random(4) === 0;
      const document = isAgain ? 1000 + random(next - 1000) : next++;
      const count = acknowledged.get(document) ?? (isLarge ? 700 + random(900) : 1 + random(20));
      let { value, isRefused } = await store.call('capture', sent(document, count));
      // A busy machine may keep one waiting until it is told to come back, and it does.
      for (let again = 0; isRefused && value.status === 503 && again < 50; again += 1) {
        busy += 1;
        ({ value, isRefused } = await store.call('capture', sent(document, count)));
      }
      assert.equal(isRefused, false, JSON.stringify(value));
      twice += value.events.some(({ duplicate }) => duplicate) ? 1 : 0;
      acknowledged.set(document, Math.max(count, acknowledged.get(document) ?? 0));
      assert.equal(await found(document, count - 1), 1, 'acknowledged, and not seen');
    }
  };
  await Promise.all(Array.from({ length: 14 }, (_, n) => sender(n < 3))).finally(() => (isOver = true));
  const { between } = await looking;
  assert.ok(between >= 5, `${looks.length} looks, ${between} of them at a store that was growing`);
  for (const [document, count] of acknowledged) assert.equal(await stored(document), count);
  await assertWhole();
  await until('each event gets its leaf', async () => {
    await store.ask('capture', sent(next++));
    await setTimeout(500);
    return (await number('SELECT (SELECT max(sequence) FROM events) - (SELECT max(sequence) FROM log_leaves)')) < 3;
  });
  assert.equal(
    await number(
      'SELECT count(*) FROM events AS e WHERE sequence <= (SELECT max(sequence) FROM log_leaves) AND NOT EXISTS (SELECT 1 FROM log_leaves AS l WHERE l.sequence = e.sequence)',
    ),
    0,
    'the log has left out an event',
  );
  // Settled texts are in blocks.
  await watcher.query('SELECT tidy_up()');
  const loose = 'SELECT count(*) FROM event_pieces WHERE piece % 1000 = 0 AND is_short(text)';
  assert.ok((await number(`${loose} AND piece / 1000 | 15 <= settled()`)) === 0);
  assert.ok((await number('SELECT count(*) FROM numbers_taken')) < 20);
  await assertWhole();
  t.diagnostic(`${looks.length} looks, ${between} at a growing store; ${twice} documents were sent twice; ${busy} times one was told to come back`);
});

test('what was taken back is not stored, and never will be', { skip }, async () => {
  const [holder, capturing] = [await direct(), await direct()];
  await holder.query('SELECT pg_advisory_lock(1162889555, 3)');
  const job = JSON.stringify(['https://example.com/accounts/1', 0, 0, 1, 'of a capture that was taken back', 0, '{}', 0, 0]);
  const captured = capturing.query('SELECT capture_beside($1, $2, $3)', ['token', job, '[]']);
  captured.catch(() => {});
  await until('it waits', async () => (await number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 3 AND NOT granted")) === 1);
  assert.deepEqual((await watcher.query("SELECT was_there FROM take_back('token')")).rows, [{ was_there: true }]);
  await holder.end();
  await assert.rejects(captured, /duplicate key value violates unique constraint "outcomes_pkey"/);
  assert.equal(await number("SELECT count(*) FROM capture_jobs WHERE document = 'of a capture that was taken back'"), 0);
  // Too late: the outcome is told.
  await capturing.query('SELECT capture_beside($1, $2, $3)', ['late', job, '[]']);
  const { rows } = await watcher.query("SELECT * FROM take_back('late')");
  assert.deepEqual([rows[0].was_there, typeof rows[0].job, rows[0].problem], [false, 'number', null]);
  await capturing.end();
  await assertWhole();
});

test('a capture whose connection is lost is refused, and nothing of it is stored', { skip }, async () => {
  const holder = await direct();
  await holder.query('SELECT pg_advisory_lock(1162889555, 3)');
  const captures = [500, 501].map((document) => store.call('capture', sent(document, 1500)));
  const waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 3 AND NOT granted";
  await until('both wait', async () => (await number(waiting)) === 2);
  await watcher.query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 3 AND NOT granted");
  for (const { isRefused, value } of await Promise.all(captures)) {
    assert.deepEqual([isRefused, value.status], [true, 503]);
    assert.doesNotMatch(value.detail, /may have been stored/);
  }
  await holder.end();
  await watcher.query("UPDATE inbox_parts SET put_at = put_at - interval '2 minutes'");
  // Large documents tidy up; what is no longer needed is deleted when the places of captures pass a multiple of 128.
  await watcher.query("SELECT setval('capture_jobs_sequence_seq', (last_value / 128 + 1) * 128) FROM capture_jobs_sequence_seq");
  for (const document of [502, 503]) assert.equal((await store.call('capture', sent(document, 20))).isRefused, false);
  assert.deepEqual([await stored(500), await stored(501), await stored(502)], [0, 0, 20]);
  await assertWhole();
});

test('a backend killed with SIGKILL under load: what was acknowledged is there, nothing is half there', { skip, timeout: 1_200_000 }, async () => {
  const acknowledged = new Map();
  const tried = new Map();
  let next = 2000;
  for (let round = 0; round < 2; round += 1) {
    let isOver = false;
    const sender = async (n) => {
      while (!isOver) {
        const document = next++;
        const count = n === 0 ? 900 : 1 + (document % 5);
        tried.set(document, count);
        const { isRefused, value } = await store.call('capture', sent(document, count));
        if (!isRefused) acknowledged.set(document, count);
        else if (value.status !== 503) assert.fail(JSON.stringify(value));
        else await setTimeout(100);
      }
    };
    const senders = Promise.all(Array.from({ length: 12 }, (_, n) => sender(n)));
    senders.catch(() => {});
    const before = acknowledged.size;
    await until('captures are taken', async () => acknowledged.size > before + 20);
    const { rows } = await watcher.query(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%capture_beside%' AND state = 'active' LIMIT 1",
    );

    process.kill(rows[0]?.pid ?? (await number('SELECT pg_backend_pid()')), 'SIGKILL');
    // More than were under way when it was killed.
    const killed = acknowledged.size;
    await until('captures are taken again', async () => {
      watcher = await direct().catch(() => watcher);
      await setTimeout(500);
      return acknowledged.size > killed + 24;
    });
    isOver = true;
    await senders;
    await until('the watcher is back', async () => (await number('SELECT 1').catch(() => 0)) === 1);
  }
  for (const [document, count] of tried) {
    const there = await stored(document);
    if (acknowledged.has(document)) assert.equal(there, count, `document ${document} was acknowledged`);
    else assert.ok(there === 0 || there === count, `document ${document} is half there: ${there} of ${count}`);
  }
  // Parts of long captures that were interrupted; gateways that end leave them.
  await watcher.query('DELETE FROM inbox_parts');
  await assertWhole();
});

test('after a restart of the server, and after a restore, everything that is stored is settled', { skip }, async () => {
  const newest = await number('SELECT max(sequence) FROM events');
  await servers.kill('postgres');
  await servers.start('postgres');
  watcher = await direct();
  assert.equal(await number('SELECT max(sequence) FROM events WHERE sequence <= settled()'), newest);
  // Another server counts its transactions anew: here the rows say that they are from a time when it was far ahead.
  await watcher.query("UPDATE numbers_taken SET started = started - interval '1 day', xid = '900000000000', is_base = false");
  const first = await underWay(2);
  assert.equal(await settled(), first.first - 1);
  let again;
  const captured = until('it is taken again', async () => !(again = await store.call('capture', sent(3000))).isRefused);
  await until('it is stored', async () => (await stored(3000)) === 1);
  assert.equal(await settled(), first.first - 1);
  await first.end();
  await captured;
  assert.equal(again.value.events.length, 1);
  await assertWhole();
});
