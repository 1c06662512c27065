// PostgreSQL on a disk that is really full: a file system of a few megabytes, in memory. Skipped if none can be mounted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connect, likeD1, migrate } from '../../scripts/postgres.mjs';
import { cannotMount, programs, startPostgres } from './postgres-server.js';
import { documentOf, event, open, walk } from './store.js';

const { missing } = programs();
const skip = missing ?? cannotMount() ?? false;

/** The number of events of a document, about 600 kB of rows and indexes. */
const EVENTS = 250;
const TABLES = ['events', 'event_texts', 'terms', 'identities', 'capture_jobs', 'listed_values'];

const documentNumber = (number) =>
  documentOf(Array.from({ length: EVENTS }, (_, n) => event(`urn:epc:id:sgtin:0614141.1${String(number).padStart(5, '0')}.${n}`)));

/** A gateway over the database `postgres` of a separate server, on a disk with this many bytes left. */
async function onSmallDisk(left, options, use) {
  const servers = await startPostgres({ diskBytes: 200_000_000, ...options });
  let client = await connect(servers.direct('postgres'));
  await migrate(client);
  const store = await open({ hyperdrive: servers.pooled('postgres'), database: likeD1(client) });
  const again = async () => {
    await client.end().catch(() => {});
    client = await connect(servers.direct('postgres'));
  };
  const counts = async () => {
    const { rows } = await client.query(`SELECT ${TABLES.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)}`);
    return rows[0];
  };
  try {
    servers.disk.fill(left);
    await use({ servers, store, counts, again });
  } finally {
    await store.dispose();
    await client.end().catch(() => {});
    await servers.kill('postgres');
    await servers.kill('pgbouncer');
  }
}

/** Captures until the disk is full. Returns the number of the refused document. */
async function untilFull({ store, servers }) {
  for (let number = 0; number < 200; number += 1) {
    const { value, isRefused } = await store.call('capture', { document: documentNumber(number) });
    if (!isRefused) continue;
    assert.deepEqual([value.type, value.status], ['epcisException:ImplementationException', 503], JSON.stringify(value));
    assert.doesNotMatch(JSON.stringify(value), /postgres|disk|space|SQL/i);
    return number;
  }
  return assert.fail(`the disk did not get full: ${servers.disk.free()} bytes are free`);
}

const post = (store, number) => {
  const headers = { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' };
  return fetch(new URL('capture', store.address), { method: 'POST', headers, body: JSON.stringify(documentNumber(number)) });
};

test('no room for tables: refused, nothing is half stored, questions go on, the same document is taken when there is room', { skip }, async (t) => {
  await onSmallDisk(10_000_000, { isWalApart: true }, async ({ servers, store, counts }) => {
    const number = await untilFull({ servers, store });
    assert.ok(number > 0, 'some were stored');
    const full = await counts();
    assert.equal(full.events, number * EVENTS);
    assert.deepEqual([full.event_texts, full.identities, full.capture_jobs], [full.events, full.events, number]);
    const response = await post(store, number);
    assert.deepEqual([response.status, response.headers.get('content-type')], [503, 'application/problem+json'], await response.text());
    assert.match(response.headers.get('retry-after'), /^[1-9]\d*$/);
    assert.deepEqual(await counts(), full);
    assert.equal((await walk(store, { EQ_action: ['OBSERVE'] }, undefined, { perPage: 1000 })).length, full.events);
    assert.equal(servers.isRunning('postgres'), true);
    servers.disk.relieve();
    const { events } = await store.ask('capture', { document: documentNumber(number) });
    assert.deepEqual([events.length, events.some(({ duplicate }) => duplicate)], [EVENTS, false]);
    assert.equal((await counts()).events, full.events + EVENTS);
    t.diagnostic(`full after ${number} documents of ${EVENTS} events`);
  });
});

test('no room for the log of transactions either: PostgreSQL gives up, and nothing is half stored when it is back', { skip }, async (t) => {
  await onSmallDisk(24_000_000, {}, async ({ servers, store, counts, again }) => {
    const number = await untilFull({ servers, store });
    assert.ok(number > 0, 'some were stored');
    const response = await post(store, number);
    assert.equal(response.status, 503, await response.text());
    // PostgreSQL ends if it cannot even recover: it may have ended, or be about to. It is started again when there is room.
    const hadEnded = !servers.isRunning('postgres');
    await servers.kill('postgres');
    servers.disk.relieve();
    await servers.start('postgres');
    await again();
    const restarted = await counts();
    assert.deepEqual(
      [restarted.events, restarted.event_texts, restarted.identities, restarted.capture_jobs],
      [number * EVENTS, number * EVENTS, number * EVENTS, number],
    );
    for (let tries = 0; ; tries += 1) {
      const { value, isRefused } = await store.call('capture', { document: documentNumber(number) });
      if (!isRefused) break;
      // The pooler reconnects after a second.
      assert.ok(value.status === 503 && tries < 600, JSON.stringify(value));
      await setTimeout(500);
    }
    assert.equal((await counts()).events, (number + 1) * EVENTS);
    t.diagnostic(`full after ${number} documents of ${EVENTS} events; PostgreSQL ${hadEnded ? 'had ended' : 'was running'}`);
  });
});
