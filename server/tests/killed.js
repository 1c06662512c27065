// Two servers over one database, under 64 senders and two readers of the feed, while something is killed, again and again. Every
// acknowledged document is there, whole, with its bytes; every other is whole or absent; numbers have no gaps; each event has exactly one
// leaf; and the feeds had every event.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../scripts/postgres.ts';
import { PROGRAM, startServer } from '../../scripts/server.ts';
import { OBSERVER, documentOf, event } from '../../worker/tests/store.js';
import { follower } from './follower.js';

const SENDERS = 64;
const ACCOUNTS = 9;

const folder = mkdtempSync(join(tmpdir(), 'epcis-server-postgres-'));
after(() => rmSync(folder, { recursive: true }));
const account = (n) => `https://example.com/accounts/k${n}`;

/**
 * Runs all this over the database at an address, in a test. `kill(n, restart)` kills what the round `n` of `kills` is about;
 * `restart(which)` kills a server and starts it again.
 */
export async function underKills(t, DATABASE, kills, kill) {
  const tool = (...given) => execFileSync(PROGRAM, given, { encoding: 'utf8', env: { DATABASE }, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const keyOf = (n, read = account(n)) => tool('keys', 'create', '--account', account(n), '--observer', OBSERVER, '--read', read);
  const [LOG_KEY] = tool('log', 'new-key', 'epcis.example.com/log').split('\n');
  const bindings = { BASE_URL: 'https://epcis.example.com', RATE_LIMIT: 'off', DATABASE, LOG_KEY };
  const start = (n) => startServer({ bindings, persistTo: join(folder, String(n)) });
  const servers = [await start(0), await start(1)];
  const keys = Array.from({ length: ACCOUNTS }, (_, n) => keyOf(n));
  const feeds = [keyOf(99, '*'), keys[0]].map((key, n) => follower(key, () => servers[n].address));
  const acknowledged = new Map();
  let [made, refused, unanswered] = [0, 0, 0];
  let isOver = false;
  t.after(async () => {
    isOver = true;
    await Promise.all(servers.map((server) => server.end()));
  });
  const untilOver = async (work) => {
    while (!isOver) {
      try {
        await work();
      } catch {
        // A server that is away, or that has no database.
        await setTimeout(50);
      }
    }
  };
  const faults = [];
  const senders = Array.from({ length: SENDERS }, (_, n) =>
    untilOver(async () => {
      const count = Math.random() < 0.05 ? 200 : 1;
      const text = JSON.stringify(documentOf(Array.from({ length: count }, () => event(`urn:epc:id:sgtin:0614141.112345.${(made += 1)}`))));
      unanswered += 1;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${keys[n % ACCOUNTS]}` };
      const response = await fetch(new URL('capture', servers[n % 2].address), { method: 'POST', headers, body: text });
      const said = await response.text();
      unanswered -= 1;
      if (response.status === 202) {
        acknowledged.set(text, count);
      } else {
        refused += 1;
        if (response.status !== 503 || !response.headers.has('retry-after')) faults.push(`${response.status}: ${said}`);
        await setTimeout(50);
      }
    }),
  );
  const reading = feeds.map((feed) => untilOver(async () => (await feed.poll(), await setTimeout(20))));
  const restart = async (n) => {
    await servers[n].end('SIGKILL');
    servers[n] = await start(n);
  };
  for (let n = 0; n < kills; n += 1) {
    const before = acknowledged.size;
    while (acknowledged.size < before + 100) await setTimeout(20);
    await setTimeout(Math.random() * 1500);
    await kill(n, restart);
  }
  const before = acknowledged.size;
  while (acknowledged.size < before + 100) await setTimeout(20);
  isOver = true;
  await Promise.all([...senders, ...reading]);
  const client = await connect(DATABASE);
  const one = async (text) => (await client.query(text)).rows[0];
  try {
    assert.deepEqual(faults, []);
    const deadline = Date.now() + 300_000;
    for (;;) {
      const { events, leaves } = await one('SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM log_leaves) AS leaves');
      if (events === leaves) break;
      assert.ok(Date.now() < deadline, `${leaves} leaves of ${events} events`);
      await setTimeout(200);
    }
    const { rows: jobs } = await client.query('SELECT document, events FROM capture_jobs');
    const counts = new Map(jobs.map(({ document, events }) => [document, events]));
    assert.equal(counts.size, jobs.length, 'no document is stored twice');
    const { rows: kept } = await client.query('SELECT digest, bytes FROM documents');
    const documents = new Map(kept.map(({ digest, bytes }) => [digest, bytes.toString('utf8')]));
    for (const [text, count] of acknowledged) {
      const digest = createHash('sha256').update(text).digest('hex');
      assert.equal(counts.get(digest), count, 'an acknowledged document is there');
      assert.equal(documents.get(digest), text, 'with its bytes');
    }
    const { events, ...whole } = await one(
      `SELECT (SELECT count(*) FROM events) AS events, (SELECT sum(events)::bigint FROM capture_jobs) AS jobs, (SELECT count(*) FROM event_parts) AS parts,
       (SELECT count(*) FROM (SELECT DISTINCT owner, sequence FROM terms) AS t) AS terms, (SELECT count(DISTINCT sequence) FROM log_leaves) AS leaves,
       (SELECT max(leaf) + 1 FROM log_leaves) AS last, (SELECT max(size) FROM log_heads) AS head,
       (SELECT sum(of_one)::bigint FROM (SELECT max(sequence) - owner * 1000000000 AS of_one FROM events GROUP BY owner) AS o) AS numbered`,
    );
    assert.deepEqual(whole, Object.fromEntries(Object.keys(whole).map((name) => [name, events])));
    assert.equal((await one('SELECT count(*) AS n FROM grown')).n, 0, 'the log has nothing to do');
    for (const [n, feed] of feeds.entries()) {
      await feed.finish();
      const of = n === 0 ? '' : ` WHERE captured_by = '${account(0)}'`;
      assert.equal(new Set(feed.epcs).size, (await one(`SELECT count(*) AS n FROM events${of}`)).n, 'the feed had every event');
    }
    t.diagnostic(
      `${kills} kills: ${acknowledged.size} documents acknowledged, ${refused} told to come back, ${unanswered} unanswered, ` +
        `${jobs.length - acknowledged.size} stored without a 202, ${events} events`,
    );
  } finally {
    await client.end();
  }
}
