// How often a gateway and its PostgreSQL wait for each other. A distance between them costs this number times its round trip.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listenBetween } from './between.js';
import { postgresDatabase } from './gateway.js';
import { programs } from './postgres-server.js';
import { documentOf, event, open } from './store.js';

const { missing } = programs();
const skip = missing ?? false;
const MS = Number(process.env.EPCIS_EDGE_DISTANCE_MS ?? 0);

let database;
let between;
let store;
before(async () => {
  if (missing) return;
  process.env.EPCIS_EDGE_STORE = 'postgres';
  database = await postgresDatabase();
  between = await listenBetween(new URL(database.address), MS);
  store = await open({ hyperdrive: between.address, database: database.database });
});
after(async () => {
  await store?.dispose();
  between?.close();
  await database?.end();
});

/** The round trips of a call, including those of its connection, and its duration. */
async function measured(use) {
  const { connections, roundTrips } = between.counts;
  const began = performance.now();
  await use();
  const took = performance.now() - began;
  return { connections: between.counts.connections - connections, roundTrips: between.counts.roundTrips - roundTrips, took };
}

const epc = (n) => `urn:epc:id:sgtin:0614141.107346.${n}`;
const batch = (first, count) => ({ document: documentOf(Array.from({ length: count }, (_, n) => event(epc(first + n)))) });

test('questions and captures wait for the database a fixed number of times', { skip }, async (t) => {
  await store.ask('capture', batch(0, 100));
  const told = [];
  // The limits are one above the counts: an answer may arrive in two parts, with the next request in between.
  const atMost = async (name, limit, use) => {
    // A first call warms up. Nothing else uses the database meanwhile, and both calls do the same.
    await use(0);
    const { connections, roundTrips, took } = await measured(() => use(1));
    told.push(`${name}: ${roundTrips} round trips, ${Math.round(took)} ms`);
    assert.equal(connections, 1, name);
    assert.ok(roundTrips <= limit, `${name} takes ${roundTrips} round trips`);
  };
  await atMost('a trace', 5, () => store.ask('trace', { epc: epc(7) }));
  await atMost('a query of everything', 5, () => store.ask('query', { query: {} }));
  await atMost('a capture of one event', 5, (n) => store.ask('capture', batch(1000 + n, 1)));
  await atMost('a capture of 1,000 events', 6, (n) => store.ask('capture', batch(2000 + 1000 * n, 1000)));
  for (const line of told) t.diagnostic(`${line}${MS > 0 ? ` at ${MS} ms` : ''}`);
});
