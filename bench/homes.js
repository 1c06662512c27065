// What further homes cost a reader: one account, in one database against one of several homes, and all accounts over all homes.
//
//     node bench/homes.js [--homes 12] [--events 2000] [--times 200]
//
// All homes are databases of one PostgreSQL behind PgBouncer. Each account has `--events` events.
import { parseArgs } from 'node:util';
import { countOf } from '../scripts/given.mjs';
import { furtherPostgresDatabases, postgresDatabase } from '../worker/tests/gateway.js';
import { serveFromPostgres } from '../worker/tests/postgres-server.js';
import { OBSERVER, documentOf, event, eventsOf, open } from '../worker/tests/store.js';
import { machine, number } from './measure.js';

const option = (fallback) => ({ type: 'string', default: fallback });
const { values: options } = parseArgs({ options: { homes: option('12'), events: option('2000'), times: option('200') } });
const [HOMES, EVENTS, TIMES] = ['homes', 'events', 'times'].map((name) => countOf(options[name], `--${name}`));

const account = (n) => ({ account: `https://example.com/accounts/${n}`, observer: OBSERVER });
const epc = (n) => `urn:epc:id:sgtin:0614141.112345.${n}`;
const time = (n) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

async function filled(homes) {
  const database = await postgresDatabase();
  const further = await furtherPostgresDatabases(homes - 1);
  const store = await open({ hyperdrive: database.address, database: database.database, homes: further.map(({ address }) => address) });
  const keys = [];
  for (let n = 0; n < HOMES; n += 1) {
    keys.push(await store.makeKey(account(n)));
    const events = Array.from({ length: EVENTS }, (_, at) => event(epc(at), { eventTime: time(at * HOMES + n) }));
    await store.ask('capture', { document: documentOf(events) }, keys[n]);
  }
  return {
    store,
    keys,
    reader: await store.makeKey({ ...account(99), readable: '*' }),
    end: () => Promise.all([database, ...further].map(({ end }) => end())),
  };
}

/** The median and the 95th percentile of a question, in milliseconds. */
async function measured({ store }, key, args, expected) {
  const times = [];
  for (let n = -10; n < TIMES; n += 1) {
    const from = performance.now();
    const answer = await store.ask('query', args(n + 10), key);
    if (n >= 0) times.push(performance.now() - from);
    if (eventsOf(answer).length !== expected) throw new Error(`${eventsOf(answer).length} events, expected ${expected}`);
  }
  times.sort((one, other) => one - other);
  return `${number(times[TIMES >> 1])} | ${number(times[Math.floor(TIMES * 0.95)])}`;
}

await serveFromPostgres();
console.log(`## Homes\n\n${machine()}; ${HOMES} accounts of ${EVENTS} events, ${TIMES} questions each.\n`);
console.log('| | p50 ms | p95 ms |\n|---|---|---|');
for (const homes of [1, HOMES]) {
  const all = await filled(homes);
  const over = homes === 1 ? 'one database' : `${homes} homes`;
  const row = async (what, key, args, expected) => console.log(`| ${over}: ${what} | ${await measured(all, key, args, expected)} |`);
  await row('events of an EPC, of one account', all.keys.at(-1), (n) => ({ query: { MATCH_epc: [epc(n % EVENTS)] } }), 1);
  await row('a page of 30 of one account, newest first', all.keys.at(-1), () => ({ query: { orderBy: 'eventTime', orderDirection: 'DESC' }, perPage: 30 }), 30);
  await row('events of an EPC, of all accounts', all.reader, (n) => ({ query: { MATCH_epc: [epc(n % EVENTS)] } }), HOMES);
  await row('a page of 30 of all accounts, newest first', all.reader, () => ({ query: { orderBy: 'eventTime', orderDirection: 'DESC' }, perPage: 30 }), 30);
  await row('a page of 30 of all accounts, in the order of capture', all.reader, () => ({ query: {}, perPage: 30 }), 30);
  await all.store.dispose();
  await all.end();
}
process.exit();
