// Kills processes under 64 captures in flight and checks that no acknowledged capture is lost and none is stored in part.
//
//     node bench/kills.js [--rounds 20]
//
// workerd, PostgreSQL and PgBouncer are killed with SIGKILL in turn, this many times each. Then the store is checked.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeLogKey } from '../scripts/log-keys.mjs';
import { connect } from '../scripts/postgres.mjs';
import { startMortal } from '../worker/tests/mortal.js';
import { serveFromPostgres } from '../worker/tests/postgres-server.js';
import { documentOf, event } from '../worker/tests/store.js';
import { machine, number } from './measure.js';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(options.rounds);
const IN_FLIGHT = 64;
const VICTIMS = ['workerd', 'postgres', 'pgbouncer'];
const SIZES = [1, 1, 1, 2, 7, 300];

const folder = mkdtempSync(join(tmpdir(), 'epcis-kills-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const servers = await serveFromPostgres({ isDurable: true });
const settings = { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey };
let gateway = await startMortal(folder, settings);

let sent = 0;
let isOver = false;
const acknowledged = new Map();
const answers = {};
async function send() {
  while (!isOver) {
    const document = sent++;
    const count = SIZES[document % SIZES.length];
    const body = JSON.stringify(documentOf(Array.from({ length: count }, (_, n) => event(`urn:x:${document}:${n}`))));
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` };
    let told;
    try {
      const answer = await fetch(new URL('capture', gateway.address), { method: 'POST', headers, body, signal: AbortSignal.timeout(60_000) });
      const text = await answer.text();
      told = `${answer.status}${/may have been stored/.test(text) ? ', may have been stored' : ''}`;
      if (answer.status === 202) acknowledged.set(document, count);
      else assert.equal(answer.status, 503, text);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      told = 'no answer';
    }
    answers[told] = (answers[told] ?? 0) + 1;
    if (told !== '202') await setTimeout(100);
  }
}
const senders = Promise.all(Array.from({ length: IN_FLIGHT }, send));
senders.catch((error) => {
  console.error(error);
  process.exit(1);
});

const pauses = Object.fromEntries(VICTIMS.map((name) => [name, []]));
for (let round = 0; round < rounds * VICTIMS.length; round += 1) {
  const victim = VICTIMS[round % VICTIMS.length];
  await setTimeout(500 + Math.random() * 1500);
  const from = performance.now();
  if (victim === 'workerd') {
    gateway.kill();
    await gateway.end();
    gateway = await startMortal(folder, settings);
  } else {
    await servers.kill(victim);
    // Session processes end a little later and hold the shared memory until then.
    await setTimeout(1500);
    await servers.start(victim);
  }
  const before = acknowledged.size;
  while (acknowledged.size === before) {
    assert.ok(performance.now() - from < 90_000, `no capture 90 s after ${victim} was killed`);
    await setTimeout(20);
  }
  pauses[victim].push((performance.now() - from) / 1000);
}
isOver = true;
await senders;

const name = new URL(gateway.database).pathname.slice(1);
const client = await connect(servers.direct(name));
const one = async (sql) => Number(Object.values((await client.query(sql)).rows[0])[0]);
const events = await one('SELECT count(*) FROM events');
for (let n = 0; (await one('SELECT count(*) FROM log_leaves')) < events; n += 1) {
  assert.ok(n < 300, 'not every event gets its leaf');
  await fetch(new URL('capture', gateway.address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify(documentOf([event('urn:x:last')])),
  });
  await setTimeout(500);
}
const stored = new Map();
const { rows } = await client.query(`SELECT text FROM event_texts`);
for (const { text } of rows) {
  const [, document] = /"urn:x:(\d+):\d+"/.exec(text) ?? [];
  if (document !== undefined) stored.set(Number(document), (stored.get(Number(document)) ?? 0) + 1);
}
const lost = [...acknowledged].filter(([document, count]) => stored.get(document) !== count);
const half = [...stored].filter(([document, count]) => count !== SIZES[document % SIZES.length]);
const all = await one('SELECT count(*) FROM events');
const counts = {
  'numbers unused': (await one('SELECT max(sequence) FROM events')) - all,
  'events not settled': await one('SELECT count(*) FROM events WHERE sequence > settled()'),
  'identities missing': all - (await one('SELECT count(*) FROM identities')),
  'leaves missing or twice': Math.abs(all - (await one('SELECT count(DISTINCT sequence) FROM log_leaves'))),
  'left aside': await one("SELECT count(*) FROM inbox_parts WHERE put_at < clock_timestamp() - interval '3 minutes'"),
};
await client.end();
await gateway.end();

console.log(`## Kills\n\n${machine()}; ${rounds} kills each, ${IN_FLIGHT} captures in flight.\n`);
console.log(
  `| | |\n|---|---|\n| acknowledged | ${number(acknowledged.size, 0)} documents |\n| of them lost | ${lost.length} |\n| half there | ${half.length} |`,
);
console.log(`| stored without acknowledgement | ${stored.size - [...stored.keys()].filter((document) => acknowledged.has(document)).length} |`);
for (const [what, count] of Object.entries(counts)) console.log(`| ${what} | ${count} |`);
for (const [what, count] of Object.entries(answers)) console.log(`| answered ${what} | ${number(count, 0)} |`);
for (const [victim, seconds] of Object.entries(pauses))
  console.log(`| ${victim}: until the next 202, s | ${number(Math.min(...seconds))} to ${number(Math.max(...seconds))} |`);
process.exit(lost.length + half.length + counts['events not settled'] + counts['identities missing'] + counts['leaves missing or twice'] > 0 ? 1 : 0);
