// How long calls take with PostgreSQL at a distance. The number of round trips is checked by worker/tests/postgres-distance.test.js.
//
//     node bench/distance.js [milliseconds of a round trip]
//
// Without a distance given, 0 and 20 ms. Needs PostgreSQL and PgBouncer: see scripts/postgres.sh.
import { countOf } from '../scripts/given.mjs';
import { listenBetween } from '../worker/tests/between.js';
import { postgresDatabase } from '../worker/tests/gateway.js';
import { programs } from '../worker/tests/postgres-server.js';
import { documentOf, event, open } from '../worker/tests/store.js';
import { machine, number } from './measure.js';

const CALLS = 5;
const distances = process.argv[2] === undefined ? [0, 20] : [countOf(process.argv[2], 'the distance', 0)];
const { missing } = programs();
if (missing) {
  console.error(missing);
  process.exit(1);
}
process.env.EPCIS_EDGE_STORE = 'postgres';

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const epc = (n) => `urn:epc:id:sgtin:0614141.107346.${n}`;
const batch = (first, count) => ({ document: documentOf(Array.from({ length: count }, (_, n) => event(epc(first + n)))) });
const CALL = {
  'a trace': (store) => store.ask('trace', { epc: epc(7) }),
  'a query of everything': (store) => store.ask('query', { query: {} }),
  'a capture of one event': (store, n) => store.ask('capture', batch(1000 + n, 1)),
  'a capture of 1,000 events': (store, n) => store.ask('capture', batch(2000 + 1000 * n, 1000)),
};

console.log(`## PostgreSQL at a distance\n\n${machine()}; medians of ${CALLS}.\n\n| call | round trip, ms | round trips | ms |\n|---|---|---|---|`);
for (const distance of distances) {
  const database = await postgresDatabase();
  const between = await listenBetween(new URL(database.address), distance);
  const store = await open({ hyperdrive: between.address, database: database.database });
  await store.ask('capture', batch(0, 100));
  for (const [name, call] of Object.entries(CALL)) {
    const [trips, times] = [[], []];
    // A first call warms up.
    for (let n = 0; n <= CALLS; n += 1) {
      const { roundTrips } = between.counts;
      const began = performance.now();
      await call(store, n);
      if (n > 0) times.push(performance.now() - began);
      if (n > 0) trips.push(between.counts.roundTrips - roundTrips);
    }
    console.log(`| ${name} | ${distance} | ${median(trips)} | ${number(median(times), 0)} |`);
  }
  await store.dispose();
  between.close();
  await database.end();
}
process.exit(0);
