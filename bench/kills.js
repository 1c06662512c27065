// Kills processes under 64 captures in flight and checks that no acknowledged capture is lost and none is stored in part.
//
//     node bench/kills.js [--rounds 20] [--homes 1] [--gateways 1] [--seconds 5]
//
// With several homes, each has a PostgreSQL and a PgBouncer of its own, and two accounts. First, for `--seconds`, nothing is killed, and
// the age of the oldest event without a leaf is watched. Then each round does one thing after the other, each time to the next gateway
// or home: workerd, PostgreSQL and PgBouncer are killed with SIGKILL; PgBouncer is silent for six seconds, as behind a broken network;
// the home moves to another PostgreSQL. Meanwhile a feed over all accounts is read. At the end the stores and what the feed had are
// checked.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countOf } from '../scripts/given.mjs';
import { makeLogKey } from '../scripts/log-keys.mjs';
import { connect, likeD1, prepare } from '../scripts/postgres.mjs';
import { makeKey } from '../worker/tests/gateway.js';
import { startMortal } from '../worker/tests/mortal.js';
import { startPostgres } from '../worker/tests/postgres-server.js';
import { OBSERVER, documentOf, event } from '../worker/tests/store.js';
import { machine, number } from './measure.js';

const option = (fallback) => ({ type: 'string', default: fallback });
const { values: options } = parseArgs({ options: { rounds: option('20'), homes: option('1'), gateways: option('1'), seconds: option('5') } });
const [ROUNDS, HOMES, GATEWAYS, SECONDS] = ['rounds', 'homes', 'gateways', 'seconds'].map((name) => countOf(options[name], `--${name}`));
const IN_FLIGHT = 64;
const FAULTS = ['workerd', 'postgres', 'pgbouncer', 'silence', 'move'];
/** The business step of the documents of one event, which a feed follows. */
const FOLLOWED = 'packing';
const SIZES = [1, 1, 1, 2, 7, 300];
const DATABASE = 'epcis';

const folder = mkdtempSync(join(tmpdir(), 'epcis-kills-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const all = (count, make) => Promise.all(Array.from({ length: count }, (_, at) => make(at)));
/** The rows of a statement in the database of a home. */
async function ask(home, sql) {
  const client = await connect(servers[home].direct(DATABASE));
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}
const one = async (home, sql) => Number(Object.values((await ask(home, sql))[0])[0]);

process.env.EPCIS_EDGE_STORE = 'postgres';
const servers = await all(HOMES, () => startPostgres({ isDurable: true, settings: { shared_buffers: '128MB' } }));
for (const [home, server] of servers.entries()) {
  const client = await connect(server.direct('postgres'));
  await client.query(`CREATE DATABASE ${DATABASE}`).finally(() => client.end());
  await prepare(server.direct(DATABASE), home);
}
const bindings = { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey };
const [hyperdrive, ...homes] = servers.map((server) => server.pooled(DATABASE));
const started = (at) => startMortal(join(folder, String(at)), { bindings, hyperdrive, homes, direct: servers[0].direct(DATABASE) });
const gateways = await all(GATEWAYS, started);

const account = (n) => `https://example.com/accounts/${n}`;
const keyring = await connect(servers[0].direct(DATABASE));
const keys = [];
for (let n = 0; n < 2 * HOMES; n += 1) keys.push(await makeKey(likeD1(keyring), { account: account(n), observer: OBSERVER }));
const reader = await makeKey(likeD1(keyring), { account: account(99), observer: OBSERVER, readable: '*' });
await keyring.end();

/** Captures a document. Returns the status and the text of the answer. */
async function capture(gateway, key, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(new URL('capture', gateway.address), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: answer.status, text: await answer.text() };
}

// Accounts are given homes one after the other.
for (const [n, key] of keys.entries()) assert.equal((await capture(gateways[0], key, documentOf([event(`urn:x:first:${n}`)]))).status, 202);
const homeOf = keys.map(() => 0);
for (const { account: name, home } of await ask(0, 'SELECT account, home FROM account_homes')) homeOf[Number(name.split('/').at(-1))] = home;
if (HOMES > 1) for (let home = 0; home < HOMES; home += 1) assert.equal(homeOf.filter((its) => its === home).length, 2);

let sent = 0;
let isOver = false;
/** The home that has a fault now, and the gateway. */
let ill = {};
const acknowledged = new Map();
const perHome = servers.map(() => 0);
const answers = {};
/** Answers to accounts of another home than the one that has a fault, if the first has none. */
const elsewhere = { acknowledged: 0, not: 0 };
async function send(sender) {
  const account = sender % keys.length;
  const home = homeOf[account];
  while (!isOver) {
    const document = sent++;
    const count = SIZES[document % SIZES.length];
    const body = documentOf(Array.from({ length: count }, (_, n) => event(`urn:x:${document}:${n}`, count === 1 ? { bizStep: FOLLOWED } : {})));
    const before = ill;
    let told;
    try {
      const { status, text } = await capture(gateways[document % GATEWAYS], keys[account], body);
      told = `${status}${/may have been stored/.test(text) ? ', may have been stored' : ''}`;
      if (status === 202) {
        acknowledged.set(document, count);
        perHome[home] += 1;
      } else assert.equal(status, 503, text);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      told = 'no answer';
    }
    answers[told] = (answers[told] ?? 0) + 1;
    if (before === ill && ill.home > 0 && ill.home !== home) elsewhere[told === '202' ? 'acknowledged' : 'not'] += 1;
    if (told !== '202') await setTimeout(100);
  }
}

/** How often the feed had each document of one event, and its cursor. */
const followed = new Map();
let cursor;
/** Reads a page of the feed over all accounts. Returns whether it was the last; `undefined` if it is not to be had now. */
async function follow() {
  const asked = { EQ_bizStep: FOLLOWED, orderBy: 'recordTime', orderDirection: 'ASC', perPage: 200, ...(cursor ? { feedCursor: cursor } : {}) };
  const address = new URL(`events?${new URLSearchParams(asked)}`, gateways[followed.size % GATEWAYS].address);
  try {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${reader}` }, signal: AbortSignal.timeout(60_000) });
    const text = await answer.text();
    if (answer.status === 503) return undefined;
    assert.equal(answer.status, 200, text);
    const events = JSON.parse(text).epcisBody.queryResults.resultsBody.eventList;
    for (const { epcList } of events) {
      const document = Number(/^urn:x:(\d+):/.exec(epcList[0])[1]);
      followed.set(document, (followed.get(document) ?? 0) + 1);
    }
    cursor = answer.headers.get('spine-feed-cursor');
    return !/rel="?next/.test(answer.headers.get('link') ?? '');
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return undefined;
  }
}
async function keepFollowing() {
  while (!isOver) if ((await follow()) !== false) await setTimeout(200);
}

const working = Promise.all([keepFollowing(), all(IN_FLIGHT, send)]);
working.catch((error) => {
  console.error(error);
  process.exit(1);
});

/** The age in seconds of the oldest event that readers see and that has no leaf; 0 if there is none. */
async function age() {
  const ages = await all(HOMES, async (home) => {
    const logged = await one(0, `SELECT coalesce(max(sequence), 0) FROM log_leaves WHERE sequence BETWEEN ${home}000000000000 AND ${home}999999999999`);
    const [oldest] = await ask(home, `SELECT record_time FROM events WHERE sequence > ${logged} AND sequence <= settled() ORDER BY sequence LIMIT 1`);
    return oldest === undefined ? 0 : (Date.now() - Date.parse(oldest.record_time)) / 1000;
  });
  return Math.max(...ages);
}
let oldest = 0;
for (let n = 0; n < SECONDS; n += 1) {
  await setTimeout(1000);
  oldest = Math.max(oldest, await age());
}
const before = acknowledged.size;

const faults = {
  async workerd(at) {
    gateways[at].kill();
    await gateways[at].end();
    gateways[at] = await started(at);
  },
  async postgres(home) {
    await servers[home].kill('postgres');
    // Session processes end a little later and hold the shared memory until then.
    await setTimeout(1500);
    await servers[home].start('postgres');
  },
  async pgbouncer(home) {
    await servers[home].kill('pgbouncer');
    await setTimeout(1500);
    await servers[home].start('pgbouncer');
  },
  async silence(home) {
    servers[home].signal('pgbouncer', 'SIGSTOP');
    await setTimeout(6000);
    servers[home].signal('pgbouncer', 'SIGCONT');
  },
  async move(home) {
    held.push(await servers[home].move());
  },
};
const held = [];
const pauses = Object.fromEntries(FAULTS.map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const name of FAULTS) {
    await setTimeout(500 + Math.random() * 1500);
    const from = performance.now();
    const home = round % HOMES;
    ill = name === 'workerd' ? {} : { home };
    await faults[name](name === 'workerd' ? round % GATEWAYS : home);
    const before = perHome[home];
    while (perHome[home] === before) {
      assert.ok(performance.now() - from < 90_000, `no capture 90 s after the fault of ${name}`);
      await setTimeout(20);
    }
    ill = {};
    pauses[name].push((performance.now() - from) / 1000);
  }
}
isOver = true;
await working;

const events = async () => (await all(HOMES, (home) => one(home, 'SELECT count(*) FROM events'))).reduce((sum, count) => sum + count);
const leaves = () => one(0, 'SELECT count(*) FROM log_leaves');
/** What each home has, and what the log has of it. */
async function states() {
  const homes = await all(HOMES, async (home) => {
    const [state] = await ask(home, 'SELECT count(*) AS events, max(sequence) AS newest, settled() FROM events');
    return { ...state, logged: await one(0, `SELECT max(sequence) FROM log_leaves WHERE sequence / 1000000000000 = ${home}`) };
  });
  return JSON.stringify({ homes, halts: await ask(0, 'SELECT * FROM log_halts') });
}
// A capture makes the log grow; it may take some turns to reach the newest events.
let missing = await events();
for (let last = 0; missing > 0; last += 1) {
  if (last === 60) assert.fail(`not every event gets its leaf: ${await states()}`);
  assert.equal((await capture(gateways[0], keys[0], documentOf([event(`urn:x:last:${last}`)]))).status, 202);
  for (let n = 0; n < 10 && missing > 0; n += 1) {
    await setTimeout(500);
    missing = (await events()) - (await leaves());
  }
}
for (let n = 0; (await follow()) !== true; n += 1) assert.ok(n < 1000, 'the feed has no end');
const stored = new Map();
const counts = { 'numbers unused': 0, 'events not settled': 0, 'identities missing': 0, 'left aside': 0, 'accounts in a wrong home': 0 };
for (let home = 0; home < HOMES; home += 1) {
  for (const { text } of await ask(home, 'SELECT text FROM event_texts')) {
    const [, document] = /"urn:x:(\d+):\d+"/.exec(text) ?? [];
    if (document !== undefined) stored.set(Number(document), (stored.get(Number(document)) ?? 0) + 1);
  }
  const here = await one(home, 'SELECT count(*) FROM events');
  counts['numbers unused'] += (await one(home, 'SELECT max(sequence) FROM events')) - home * 1e12 - here;
  counts['events not settled'] += await one(home, 'SELECT count(*) FROM events WHERE sequence > settled()');
  counts['identities missing'] += here - (await one(home, 'SELECT count(*) FROM identities'));
  counts['left aside'] += await one(home, "SELECT count(*) FROM inbox_parts WHERE put_at < clock_timestamp() - interval '3 minutes'");
  const accounts = await ask(home, 'SELECT DISTINCT captured_by FROM events');
  counts['accounts in a wrong home'] += accounts.filter(({ captured_by: its }) => homeOf[Number(its.split('/').at(-1))] !== home).length;
}
counts['leaves missing or twice'] = Math.abs((await events()) - (await one(0, 'SELECT count(DISTINCT sequence) FROM log_leaves')));
const lost = [...acknowledged].filter(([document, count]) => stored.get(document) !== count);
const single = [...stored.keys()].filter((document) => SIZES[document % SIZES.length] === 1);
counts['missing in the feed'] = single.filter((document) => !followed.has(document)).length;
counts['twice in the feed'] = [...followed.values()].filter((count) => count > 1).length;
const half = [...stored].filter(([document, count]) => count !== SIZES[document % SIZES.length]);
for (const gateway of gateways) await gateway.end();

console.log(`## Kills\n\n${machine()}; homes: ${HOMES}, gateways: ${GATEWAYS}; ${ROUNDS} faults of each kind, ${IN_FLIGHT} captures in flight.\n`);
console.log(
  `| | |\n|---|---|\n| acknowledged | ${number(acknowledged.size, 0)} documents |\n| of them lost | ${lost.length} |\n| half there | ${half.length} |`,
);
console.log(`| stored without acknowledgement | ${stored.size - [...stored.keys()].filter((document) => acknowledged.has(document)).length} |`);
for (const [what, count] of Object.entries(counts)) console.log(`| ${what} | ${count} |`);
for (const [what, count] of Object.entries(answers)) console.log(`| answered ${what} | ${number(count, 0)} |`);
if (HOMES > 1)
  console.log(`| acknowledged; not, while another home than the first and its own had a fault | ${number(elsewhere.acknowledged, 0)}; ${elsewhere.not} |`);
console.log(`| before the faults: oldest event without a leaf, s | ${number(oldest)}, after ${number(before, 0)} documents |`);
if (ROUNDS > 0)
  for (const [name, seconds] of Object.entries(pauses))
    console.log(`| ${name}: until the next 202 of that home, s | ${number(Math.min(...seconds))} to ${number(Math.max(...seconds))} |`);
if (ROUNDS > 0) console.log(`| statements held back by a move, s | ${number(Math.min(...held) / 1000)} to ${number(Math.max(...held) / 1000)} |`);
const { 'numbers unused': _, 'left aside': __, ...wrong } = counts;
process.exit(lost.length + half.length + Object.values(wrong).reduce((sum, count) => sum + count, 0) > 0 ? 1 : 0);
