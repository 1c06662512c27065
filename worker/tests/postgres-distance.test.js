// How often a gateway and its PostgreSQL wait for each other. A distance between them costs this number times its round trip.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listenBetween } from './between.js';
import { postgresDatabase } from './gateway.js';
import { programs } from './postgres-server.js';
import { documentOf, event, open } from './store.js';

const { missing } = programs();
const skip = missing ?? false;

let database;
let between;
let store;
before(async () => {
  if (missing) return;
  process.env.EPCIS_EDGE_STORE = 'postgres';
  database = await postgresDatabase();
  between = await listenBetween(new URL(database.address));
  store = await open({ hyperdrive: between.address, database: database.database });
});
after(async () => {
  await store?.dispose();
  between?.close();
  await database?.end();
});

/** The connections and round trips of a call, including those of its connection. */
async function measured(use) {
  const { connections, roundTrips } = between.counts;
  await use();
  return { connections: between.counts.connections - connections, roundTrips: between.counts.roundTrips - roundTrips };
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
    const { connections, roundTrips } = await measured(() => use(1));
    told.push(`${name}: ${roundTrips} round trips`);
    assert.equal(connections, 1, name);
    assert.ok(roundTrips <= limit, `${name} takes ${roundTrips} round trips`);
  };
  await atMost('a trace', 5, () => store.ask('trace', { epc: epc(7) }));
  await atMost('a query of everything', 5, () => store.ask('query', { query: {} }));
  await atMost('a capture of one event', 5, (n) => store.ask('capture', batch(1000 + n, 1)));
  await atMost('a capture of 1,000 events', 6, (n) => store.ask('capture', batch(2000 + 1000 * n, 1000)));
  for (const line of told) t.diagnostic(line);
});

test("what is absent and what is another's take the same round trips", { skip }, async () => {
  const key = await store.makeKey({ account: 'https://example.com/accounts/2' });
  const captured = await fetch(new URL('/capture', store.address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(documentOf([event(epc(9000), { eventID: 'urn:uuid:theirs' })])),
  });
  assert.equal(captured.status, 202, await captured.text());
  const { pathname } = new URL(captured.headers.get('location'), store.address);
  const asked = async (path) => {
    const use = async () => {
      const answer = await fetch(new URL(path, store.address), { headers: { authorization: `Bearer ${store.key}` } });
      assert.equal(answer.status, 404, await answer.text());
    };
    await use();
    // The least of three: an answer in two parts may add one.
    const counts = [await measured(use), await measured(use), await measured(use)];
    return Math.min(...counts.map(({ roundTrips }) => roundTrips));
  };
  for (const [another, absent] of [
    [pathname, pathname.replace(/.{8}$/, '00000000')],
    ['/events/urn:uuid:theirs', '/events/urn:uuid:nobodys'],
  ])
    assert.equal(await asked(another), await asked(absent), another);
});
