// Kills processes under 64 captures in flight and checks that no acknowledged capture is lost and none is stored in part.
//
//     node bench/kills.js [--rounds 20] [--gateways 1] [--seconds 5]
//
// First, for `--seconds`, nothing is killed, and the age of the oldest event without a leaf is watched. Then each round does one thing after
// the other: the next workerd, PostgreSQL and PgBouncer are killed with SIGKILL; PgBouncer is silent for six seconds, as behind a broken
// network; the store moves to another PostgreSQL. Meanwhile a feed over all accounts is read. At the end the store and what the feed had
// are checked.
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
const { values: options } = parseArgs({ options: { rounds: option('20'), gateways: option('1'), seconds: option('5') } });
const [ROUNDS, GATEWAYS, SECONDS] = ['rounds', 'gateways', 'seconds'].map((name) => countOf(options[name], `--${name}`));
const IN_FLIGHT = 64;
const ACCOUNTS = 4;
const FAULTS = ['workerd', 'postgres', 'pgbouncer', 'silence', 'move'];
/** The business step of the documents of one event, which a feed follows. */
const FOLLOWED = 'packing';
const SIZES = [1, 1, 1, 2, 7, 300];
const DATABASE = 'epcis';

const folder = mkdtempSync(join(tmpdir(), 'epcis-kills-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const all = (count, make) => Promise.all(Array.from({ length: count }, (_, at) => make(at)));
/** The rows of a statement. */
async function ask(sql) {
  const client = await connect(server.direct(DATABASE));
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}
const one = async (sql) => Number(Object.values((await ask(sql))[0])[0]);

process.env.EPCIS_EDGE_STORE = 'postgres';
const server = await startPostgres({ isDurable: true, settings: { shared_buffers: '128MB' } });
const administrator = await connect(server.direct('postgres'));
await administrator.query(`CREATE DATABASE ${DATABASE}`).finally(() => administrator.end());
await prepare(server.direct(DATABASE));
const bindings = { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey };
const started = (at) => startMortal(join(folder, String(at)), { bindings, hyperdrive: server.pooled(DATABASE), direct: server.direct(DATABASE) });
const gateways = await all(GATEWAYS, started);

const account = (n) => `https://example.com/accounts/${n}`;
const keyring = await connect(server.direct(DATABASE));
const keys = [];
for (let n = 0; n < ACCOUNTS; n += 1) keys.push(await makeKey(likeD1(keyring), { account: account(n), observer: OBSERVER }));
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

let sent = 0;
let isOver = false;
const acknowledged = new Map();
const answers = {};
async function send(sender) {
  const key = keys[sender % keys.length];
  while (!isOver) {
    const document = sent++;
    const count = SIZES[document % SIZES.length];
    const body = documentOf(Array.from({ length: count }, (_, n) => event(`urn:x:${document}:${n}`, count === 1 ? { bizStep: FOLLOWED } : {})));
    let told;
    try {
      const { status, text } = await capture(gateways[document % GATEWAYS], key, body);
      told = `${status}${/may have been stored/.test(text) ? ', may have been stored' : ''}`;
      if (status === 202) acknowledged.set(document, count);
      else assert.equal(status, 503, text);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      told = 'no answer';
    }
    answers[told] = (answers[told] ?? 0) + 1;
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
  const logged = await one('SELECT coalesce(max(sequence), 0) FROM log_leaves');
  const [oldest] = await ask(`SELECT record_time FROM events WHERE sequence > ${logged} AND sequence <= settled() ORDER BY sequence LIMIT 1`);
  return oldest === undefined ? 0 : (Date.now() - Date.parse(oldest.record_time)) / 1000;
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
  async postgres() {
    await server.kill('postgres');
    // Session processes end a little later and hold the shared memory until then.
    await setTimeout(1500);
    await server.start('postgres');
  },
  async pgbouncer() {
    await server.kill('pgbouncer');
    await setTimeout(1500);
    await server.start('pgbouncer');
  },
  async silence() {
    server.signal('pgbouncer', 'SIGSTOP');
    await setTimeout(6000);
    server.signal('pgbouncer', 'SIGCONT');
  },
  async move() {
    held.push(await server.move());
  },
};
const held = [];
const pauses = Object.fromEntries(FAULTS.map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const name of FAULTS) {
    await setTimeout(500 + Math.random() * 1500);
    const from = performance.now();
    await faults[name](round % GATEWAYS);
    const before = acknowledged.size;
    while (acknowledged.size === before) {
      assert.ok(performance.now() - from < 90_000, `no capture 90 s after the fault of ${name}`);
      await setTimeout(20);
    }
    pauses[name].push((performance.now() - from) / 1000);
  }
}
isOver = true;
await working;

const events = () => one('SELECT count(*) FROM events');
const leaves = () => one('SELECT count(*) FROM log_leaves');
/** What the store has, and what the log has of it. */
async function states() {
  const [state] = await ask('SELECT count(*) AS events, max(sequence) AS newest, settled(), (SELECT max(sequence) FROM log_leaves) AS logged FROM events');
  return JSON.stringify({ ...state, halts: await ask('SELECT * FROM log_halts') });
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
for (const { text } of await ask('SELECT text FROM event_texts')) {
  const [, document] = /"urn:x:(\d+):\d+"/.exec(text) ?? [];
  if (document !== undefined) stored.set(Number(document), (stored.get(Number(document)) ?? 0) + 1);
}
const here = await events();
const counts = {
  'numbers unused': (await one('SELECT max(sequence) FROM events')) - here,
  'events not settled': await one('SELECT count(*) FROM events WHERE sequence > settled()'),
  'identities missing': here - (await one('SELECT count(*) FROM identities')),
  'left aside': await one("SELECT count(*) FROM inbox_parts WHERE put_at < clock_timestamp() - interval '3 minutes'"),
  'leaves missing or twice': Math.abs(here - (await one('SELECT count(DISTINCT sequence) FROM log_leaves'))),
};
const lost = [...acknowledged].filter(([document, count]) => stored.get(document) !== count);
const single = [...stored.keys()].filter((document) => SIZES[document % SIZES.length] === 1);
counts['missing in the feed'] = single.filter((document) => !followed.has(document)).length;
counts['twice in the feed'] = [...followed.values()].filter((count) => count > 1).length;
const half = [...stored].filter(([document, count]) => count !== SIZES[document % SIZES.length]);
for (const gateway of gateways) await gateway.end();

console.log(`## Kills\n\n${machine()}; gateways: ${GATEWAYS}; ${ROUNDS} faults of each kind, ${IN_FLIGHT} captures in flight.\n`);
console.log(
  `| | |\n|---|---|\n| acknowledged | ${number(acknowledged.size, 0)} documents |\n| of them lost | ${lost.length} |\n| half there | ${half.length} |`,
);
console.log(`| stored without acknowledgement | ${stored.size - [...stored.keys()].filter((document) => acknowledged.has(document)).length} |`);
for (const [what, count] of Object.entries(counts)) console.log(`| ${what} | ${count} |`);
for (const [what, count] of Object.entries(answers)) console.log(`| answered ${what} | ${number(count, 0)} |`);
console.log(`| before the faults: oldest event without a leaf, s | ${number(oldest)}, after ${number(before, 0)} documents |`);
if (ROUNDS > 0)
  for (const [name, seconds] of Object.entries(pauses))
    console.log(`| ${name}: until the next 202, s | ${number(Math.min(...seconds))} to ${number(Math.max(...seconds))} |`);
if (ROUNDS > 0) console.log(`| statements held back by a move, s | ${number(Math.min(...held) / 1000)} to ${number(Math.max(...held) / 1000)} |`);
const { 'numbers unused': _, 'left aside': __, ...wrong } = counts;
process.exit(lost.length + half.length + Object.values(wrong).reduce((sum, count) => sum + count, 0) > 0 ? 1 : 0);
