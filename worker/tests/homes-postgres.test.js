// A gateway of three homes in PostgreSQL, in real workerd: accounts live in one home each, and callers see one store with one log.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeLogKey } from '../../scripts/log-keys.mjs';
import { furtherPostgresDatabases } from './gateway.js';
import { programs } from './postgres-server.js';
import { OBSERVER, documentOf, event, eventsOf, open, walk } from './store.js';

const HOMES = 3;
const ACCOUNTS = 7;
const account = (n) => `https://example.com/accounts/${n}`;
const epc = (n) => `urn:epc:id:sgtin:0614141.112345.${n}`;
const log = makeLogKey('log', 'epcis.example.com/log');

const { missing } = programs();
const skip = missing ?? false;

let store;
let homes;
/** A key of each account, and one that reads all. */
let keys;
let reader;
/** How many events each account has. */
const sent = new Map();
let made = 0;

/** Captures new events for an account. Returns their names. */
async function capture(n, count) {
  const events = Array.from({ length: count }, () => event(epc(made++ % 5), { eventTime: new Date(Date.UTC(2026, 5, 1) - (made % 17) * 1000).toISOString() }));
  events.forEach((one, at) => Object.assign(one, { readPoint: { id: `urn:epc:id:sgln:0614141.${String(10000 + made + at)}.0` } }));
  const answer = await store.ask('capture', { document: documentOf(events) }, keys[n]);
  sent.set(n, (sent.get(n) ?? 0) + count);
  return answer.events.map(({ eventID }) => eventID);
}

before(async () => {
  if (missing) return;
  process.env.EPCIS_EDGE_STORE = 'postgres';
  const further = await furtherPostgresDatabases(HOMES - 1);
  store = await open({ bindings: { LOG_KEY: log.skey }, homes: further.map(({ address }) => address) });
  homes = [store.database, ...further.map(({ database }) => database)];
  const dispose = store.dispose;
  store.dispose = async () => {
    await dispose();
    await Promise.all(further.map(({ end }) => end()));
  };
  keys = await Promise.all(Array.from({ length: ACCOUNTS }, (_, n) => store.makeKey({ account: account(n), observer: OBSERVER })));
  reader = await store.makeKey({ account: account(99), observer: OBSERVER, readable: '*' });
});
after(() => store?.dispose());

/** Waits until something is so; meanwhile the gateway is woken, as Cloudflare does each minute. */
async function until(what, isSo) {
  const deadline = Date.now() + 300_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what);
    await setTimeout(300);
    await (await store.gateway.getWorker('gateway')).scheduled({ cron: '* * * * *' });
  }
}

const number = async (home, sql) => Object.values(await homes[home].prepare(sql).first())[0];

test('accounts are spread over the homes, and each is answered from its own', { skip }, async () => {
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: ACCOUNTS }, (_, n) => capture(n, 1 + ((n + round) % 4))));
  }
  const counts = await Promise.all(homes.map((_, home) => number(home, 'SELECT count(DISTINCT captured_by) FROM events')));
  assert.deepEqual([...counts].sort(), [2, 2, 3]);
  for (let home = 0; home < HOMES; home += 1) {
    assert.ok((await number(home, 'SELECT min(sequence) FROM events')) > home * 1e12);
    assert.ok((await number(home, 'SELECT max(sequence) FROM events')) < (home + 1) * 1e12);
  }
  for (let n = 0; n < ACCOUNTS; n += 1) assert.equal((await walk(store, {}, keys[n], { perPage: 2 })).length, sent.get(n));
});

test('a document that is sent again is a duplicate in the home of its account', { skip }, async () => {
  const document = documentOf([event(epc(1), { bizStep: 'packing' })]);
  const [first, again] = [await store.ask('capture', { document }, keys[1]), await store.ask('capture', { document }, keys[1])];
  sent.set(1, sent.get(1) + 1);
  assert.equal(again.events[0].eventID, first.events[0].eventID);
  assert.equal(again.events[0].duplicate, true);
});

test('a reader of all accounts walks over all homes, page by page, and sees one moment', { skip }, async () => {
  const total = [...sent.values()].reduce((sum, count) => sum + count);
  const names = new Set();
  let nextPageToken;
  let isFirst = true;
  do {
    const answer = await store.ask('query', { query: {}, perPage: 4, ...(nextPageToken ? { nextPageToken } : {}) }, reader);
    for (const { eventID } of eventsOf(answer)) names.add(eventID);
    ({ nextPageToken } = answer);
    if (isFirst) await Promise.all([0, 1, 2, 3].map((n) => capture(n, 2)));
    isFirst = false;
  } while (nextPageToken);
  assert.equal(names.size, total);
  const query = { orderBy: 'eventTime', orderDirection: 'DESC' };
  const times = (await walk(store, query, reader, { perPage: 5 })).map(({ eventTime }) => eventTime);
  assert.equal(times.length, total + 8);
  assert.deepEqual(times, [...times].sort().reverse());
});

test('a feed has each event of all homes once', { skip }, async () => {
  const query = { orderBy: 'recordTime', orderDirection: 'ASC' };
  const names = [];
  let feedCursor;
  for (let round = 0; round < 5; round += 1) {
    let nextPageToken;
    do {
      const more = nextPageToken ? { nextPageToken } : feedCursor ? { feedCursor } : {};
      const answer = await store.ask('query', { query, perPage: 6, ...more }, reader);
      names.push(...eventsOf(answer).map(({ eventID }) => eventID));
      ({ nextPageToken } = answer);
      if (!nextPageToken) ({ feedCursor } = answer);
    } while (nextPageToken);
    assert.ok(feedCursor);
    await Promise.all([round, round + 1].map((n) => capture(n, 3)));
  }
  assert.equal(new Set(names).size, names.length);
  const total = [...sent.values()].reduce((sum, count) => sum + count);
  assert.equal(names.length, total - 6);
});

test('one log has each event of all homes once, and proves it', { skip }, async () => {
  const total = [...sent.values()].reduce((sum, count) => sum + count);
  await until('each event has its leaf', async () => (await number(0, 'SELECT count(*) FROM log_leaves')) === total);
  assert.equal(await number(0, 'SELECT count(*) FROM log_leaves'), total);
  assert.equal(await number(0, 'SELECT count(DISTINCT sequence) FROM log_leaves'), total);
  assert.equal(await number(1, 'SELECT count(*) FROM log_leaves'), 0);
  const all = await walk(store, {}, reader);
  assert.equal(all.length, total);
  const { verifyProof } = await import('../../wasm/js/proof-node.js');
  const policy = `log ${log.vkey}\nquorum none\n`;
  const at = (path) => fetch(new URL(path, store.address), { headers: { authorization: `Bearer ${reader}` } });
  for (const { eventID } of [all[0], all[Math.floor(total / 2)], all.at(-1)]) {
    const proof = await at(`/log/proof?event=${encodeURIComponent(eventID)}`);
    const stored = await at(`/events/${encodeURIComponent(eventID)}`);
    assert.deepEqual([proof.status, stored.status], [200, 200]);
    assert.equal(verifyProof(new Uint8Array(await stored.arrayBuffer()), await proof.text(), policy).valid, true, eventID);
  }
});

test('values are listed over all homes', { skip }, async () => {
  const values = [];
  let path = '/epcs?perPage=2';
  while (path) {
    const answer = await fetch(new URL(path, store.address), { headers: { authorization: `Bearer ${reader}` } });
    assert.equal(answer.status, 200);
    values.push(...(await answer.json()).member);
    path = /<([^>]*)>; *rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(
    values.map((value) => value.split('/').at(-1)),
    ['0', '1', '2', '3', '4'],
  );
});

test('while a home is away, its accounts are told to come back, and the others are served', { skip }, async () => {
  const away = await number(1, 'SELECT current_database()');
  const of = async (home) => {
    const { results } = await homes[home].prepare('SELECT DISTINCT captured_by FROM events').all();
    return results.map(({ captured_by }) => Number(captured_by.split('/').at(-1)));
  };
  const [here, gone] = [await of(2), await of(1)];
  await homes[0].prepare(`ALTER DATABASE ${away} ALLOW_CONNECTIONS false`).run();
  await homes[0].prepare(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${away}'`).run();
  for (const n of here) assert.equal((await capture(n, 1)).length, 1);
  for (const n of gone) {
    const { isRefused, value } = await store.call('capture', { document: documentOf([event(epc(1))]) }, keys[n]);
    assert.deepEqual([isRefused, value.status], [true, 503]);
    const asked = await store.call('query', { query: {} }, keys[n]);
    assert.deepEqual([asked.isRefused, asked.value.status], [true, 503]);
  }
  for (const n of here) assert.equal((await walk(store, {}, keys[n])).length, sent.get(n));
  await until(
    'the log has the events of the others',
    async () => (await number(0, 'SELECT max(sequence) FROM log_leaves')) === (await number(2, 'SELECT max(sequence) FROM events')),
  );
  // What needs all homes waits for all.
  assert.equal((await store.call('query', { query: {} }, reader)).value.status, 503);
  await homes[0].prepare(`ALTER DATABASE ${away} ALLOW_CONNECTIONS true`).run();
  await until('it is back', async () => !(await store.call('query', { query: {} }, keys[gone[0]])).isRefused);
  for (const n of gone) assert.equal((await capture(n, 1)).length, 1);
});
