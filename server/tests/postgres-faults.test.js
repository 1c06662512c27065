// What PostgreSQL can do to a server: abort transactions, keep them waiting, and run out of room, on a disk that is really full: a file
// system of a few megabytes, in memory. postgres-kill.test.js kills it.
// Invariant: Whatever happens to PostgreSQL (killed, deadlocked, full), a capture is whole or absent, and its caller learns whether to
// try again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { connect } from '../../scripts/postgres.ts';
import { documentOf, event, open, walk } from '../../worker/tests/store.js';
import { cannotMount, programs, startPostgres } from './postgres-server.js';

process.env.EPCIS_EDGE_STORE = 'postgres';
const { missing } = programs();
/** The number of events of a document, about 600 kB of rows and indexes. */
const EVENTS = 250;
/** All servers over one database have the same. */
const LOG_KEY = makeLogKey('log', 'epcis.example.com/log').skey;
const documentNumber = (number, count = EVENTS) =>
  documentOf(Array.from({ length: count }, (_, n) => event(`urn:epc:id:sgtin:0614141.1${String(number).padStart(5, '0')}.${n}`)));

/** A server over a PostgreSQL of its own. `counts()` has the rows of its tables, over a connection that `again()` renews. */
async function over(options, use) {
  const postgres = await startPostgres(options);
  process.env.EPCIS_EDGE_POSTGRES = postgres.address('');
  const store = await open({ bindings: { LOG_KEY } });
  let client = await connect(store.postgres);
  const again = async () => {
    await client.end().catch(() => {});
    client = await connect(store.postgres);
  };
  const ask = async (text) => (await client.query(text)).rows;
  const counts = async () => {
    const tables = ['events', 'event_parts', 'terms', 'capture_jobs'].map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
    return (await ask(`SELECT ${tables}`))[0];
  };
  try {
    await use({ postgres, store, ask, counts, again });
  } finally {
    await client.end().catch(() => {});
    await store.dispose();
    await postgres.kill();
  }
}

const whole = (documents) => ({ events: documents * EVENTS, event_parts: documents * EVENTS, terms: documents * EVENTS, capture_jobs: documents });

function assertUnavailable({ value, isRefused }) {
  assert.deepEqual([isRefused, value.type, value.status], [true, 'epcisException:ImplementationException', 503], JSON.stringify(value));
  assert.doesNotMatch(JSON.stringify(value), /postgres|disk|space|SQL|127\.0\.0\.1/i);
}

test('a capture that is aborted, or waits too long, is absent, and its caller is told to come back', { skip: missing ?? false }, async () => {
  await over({}, async ({ store, ask, counts }) => {
    await store.ask('capture', { document: documentNumber(0) });
    // Gave way to another, was in a deadlock, had no room.
    for (const code of ['40001', '40P01', '53100']) {
      await ask(`CREATE FUNCTION raise_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'provoked' USING ERRCODE = '${code}'; END $$`);
      await ask('CREATE TRIGGER provoked AFTER INSERT ON terms FOR EACH STATEMENT EXECUTE FUNCTION raise_it()');
      assertUnavailable(await store.call('capture', { document: documentNumber(1) }));
      await ask('DROP FUNCTION raise_it CASCADE');
      assert.deepEqual(await counts(), whole(1));
    }
    const blocker = await connect(store.postgres);
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE terms IN EXCLUSIVE MODE');
    assertUnavailable(await store.call('capture', { document: documentNumber(1) }));
    await blocker.query('ROLLBACK');
    await blocker.end();
    assert.deepEqual(await counts(), whole(1));
    await store.ask('capture', { document: documentNumber(1) });
    assert.deepEqual(await counts(), whole(2));
  });
});

test('two servers capture the same events at once into one database', { skip: missing ?? false }, async () => {
  await over({}, async ({ store, counts }) => {
    const second = await open({ bindings: { DATABASE: store.postgres, LOG_KEY } });
    try {
      const documents = Array.from({ length: 6 }, (_, n) => documentOf(documentNumber(0, n * 20 + 40).epcisBody.eventList.slice(n * 20)));
      const answers = await Promise.all(documents.flatMap((document) => [store, second].map((one) => one.ask('capture', { document }, store.key))));
      const brought = answers.flatMap(({ events }) => events.filter(({ duplicate }) => !duplicate).map(({ eventID }) => eventID));
      assert.deepEqual([brought.length, new Set(brought).size, (await counts()).events], [140, 140, 140]);
      assert.deepEqual(await walk(store, {}, store.key), await walk(second, {}, store.key));
    } finally {
      await second.dispose();
    }
  });
});

/** Captures until the disk is full. Returns the number of the refused document. */
async function untilFull({ store, postgres }) {
  for (let number = 0; number < 300; number += 1) {
    const answer = await store.call('capture', { document: documentNumber(number) });
    if (!answer.isRefused) continue;
    assertUnavailable(answer);
    assert.ok(number > 0, 'some were stored');
    return number;
  }
  return assert.fail(`the disk did not get full: ${postgres.disk.free()} bytes are free`);
}

const full = { skip: missing ?? cannotMount() ?? false };

test('no room for tables: refused, nothing is half stored, questions go on, the same document is taken when there is room', full, async (t) => {
  await over({ diskBytes: 200_000_000, isWalApart: true }, async ({ postgres, store, counts }) => {
    postgres.disk.fill(10_000_000);
    const number = await untilFull({ store, postgres });
    assert.deepEqual(await counts(), whole(number));
    const headers = { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' };
    const response = await fetch(new URL('capture', store.address), { method: 'POST', headers, body: JSON.stringify(documentNumber(number)) });
    assert.deepEqual([response.status, response.headers.get('content-type')], [503, 'application/problem+json'], await response.text());
    assert.match(response.headers.get('retry-after'), /^[1-9]\d*$/);
    assert.deepEqual(await counts(), whole(number));
    assert.equal((await walk(store, { EQ_action: ['OBSERVE'] }, undefined, { perPage: 1000 })).length, number * EVENTS);
    assert.equal(postgres.isRunning(), true);
    postgres.disk.relieve();
    const { events } = await store.ask('capture', { document: documentNumber(number) });
    assert.deepEqual([events.length, events.some(({ duplicate }) => duplicate)], [EVENTS, false]);
    t.diagnostic(`full after ${number} documents of ${EVENTS} events`);
  });
});

test('no room for the log of transactions either: PostgreSQL gives up, and nothing is half stored when it is back', full, async (t) => {
  await over({ diskBytes: 200_000_000 }, async ({ postgres, store, counts, again }) => {
    postgres.disk.fill(24_000_000);
    const number = await untilFull({ store, postgres });
    // PostgreSQL ends if it cannot even recover: it may have ended, or be about to. It is started again when there is room.
    const hadEnded = !postgres.isRunning();
    await postgres.kill();
    postgres.disk.relieve();
    await postgres.start();
    await again();
    assert.deepEqual(await counts(), whole(number));
    for (let tries = 0; (await store.call('capture', { document: documentNumber(number) })).isRefused; tries += 1) {
      assert.ok(tries < 600, 'it captures again');
      await setTimeout(100);
    }
    assert.deepEqual(await counts(), whole(number + 1));
    t.diagnostic(`full after ${number} documents of ${EVENTS} events; PostgreSQL ${hadEnded ? 'had ended' : 'was running'}`);
  });
});
