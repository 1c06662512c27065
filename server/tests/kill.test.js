// Under 64 senders and two readers of the feed another program locks the file for seconds, and then the server is killed, again and again.
// Every acknowledged document is there, whole, with its bytes; a refused one is absent, every other whole or absent; each event has
// exactly one leaf; and the feeds had every event.
// Invariant: Nothing that the server has acknowledged is lost, nothing is half stored, and each event has one leaf and is in the feeds.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { countIn } from '../../scripts/given.ts';
import { startServer } from '../../scripts/server.ts';
import { OBSERVER, documentOf, event, open } from '../../worker/tests/store.js';
import { follower } from './follower.js';

const KILLS = countIn('EPCIS_EDGE_KILLS', 6);
const SENDERS = 64;
const ACCOUNTS = 9;

process.env.EPCIS_EDGE_STORE = 'server';
const folder = mkdtempSync(join(tmpdir(), 'epcis-server-kill-'));
after(() => rmSync(folder, { recursive: true }));
const bindings = { BASE_URL: 'https://epcis.example.com', RATE_LIMIT: 'off' };
const account = (n) => `https://example.com/accounts/k${n}`;

test('the file locked and the server killed under senders: nothing is lost, nothing is half there, each event has one leaf', {
  timeout: 1_800_000,
}, async (t) => {
  const first = await open({ bindings, persistTo: folder });
  const keys = await Promise.all(Array.from({ length: ACCOUNTS }, (_, n) => first.makeKey({ account: account(n), observer: OBSERVER })));
  const readers = [await first.makeKey({ account: account(99), readable: '*' }), keys[0]];
  await first.dispose();
  const acknowledged = new Map();
  const refused = new Set();
  let [made, unanswered] = [0, 0];
  let running;
  const feeds = readers.map((key) => follower(key, () => running.address));
  for (let kill = 0; kill < KILLS; kill += 1) {
    running = await startServer({ bindings, persistTo: folder });
    let isKilled = false;
    const untilKilled = async (work) => {
      while (!isKilled) {
        try {
          await work();
        } catch (error) {
          if (!isKilled) throw error;
        }
      }
    };
    const senders = Array.from({ length: SENDERS }, (_, n) =>
      untilKilled(async () => {
        // Short documents, and one in twenty that is kept as a file.
        const count = Math.random() < 0.05 ? 200 : 1;
        const text = JSON.stringify(documentOf(Array.from({ length: count }, () => event(`urn:epc:id:sgtin:0614141.112345.${(made += 1)}`))));
        unanswered += 1;
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${keys[n % ACCOUNTS]}` };
        const response = await fetch(new URL('capture', running.address), { method: 'POST', headers, body: text });
        const said = await response.text();
        unanswered -= 1;
        if (response.status === 503) {
          assert.match(response.headers.get('retry-after'), /^[1-9]/);
          refused.add(text);
          return;
        }
        assert.equal(response.status, 202, said);
        acknowledged.set(text, count);
      }),
    );
    const reading = feeds.map((feed) => untilKilled(async () => (await feed.poll(), await setTimeout(20))));
    const before = acknowledged.size;
    const load = Promise.all([...senders, ...reading]);
    load.catch(() => {});
    while (acknowledged.size < before + 100) await Promise.race([setTimeout(20), load]);
    await setTimeout(Math.random() * 1500);
    const other = new DatabaseSync(join(folder, 'store.sqlite'), { timeout: 20_000 });
    other.exec('BEGIN IMMEDIATE');
    // What waits longer than the server does is refused.
    await setTimeout(Math.random() * 8000);
    other.exec('ROLLBACK');
    other.close();
    await setTimeout(Math.random() * 500);
    isKilled = true;
    await running.end('SIGKILL');
    await load;
  }
  const store = await open({ bindings, persistTo: folder });
  running = store;
  try {
    const one = (text) => store.database.prepare(text).first();
    assert.equal((await one('PRAGMA integrity_check')).integrity_check, 'ok');
    const deadline = Date.now() + 300_000;
    for (;;) {
      const { events, leaves } = await one('SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM log_leaves) AS leaves');
      if (events === leaves) break;
      assert.ok(Date.now() < deadline, `${leaves} leaves of ${events} events`);
      await setTimeout(200);
    }
    const { results: jobs } = await store.database.prepare('SELECT document, events FROM capture_jobs').all();
    const counts = new Map(jobs.map(({ document, events }) => [document, events]));
    assert.equal(counts.size, jobs.length, 'no document is stored twice');
    for (const [text, count] of acknowledged) {
      const digest = createHash('sha256').update(text).digest('hex');
      assert.equal(counts.get(digest), count, 'an acknowledged document is there');
      assert.equal(await store.documents.get(digest), text, 'with its bytes');
    }
    for (const text of refused) assert.equal(counts.get(createHash('sha256').update(text).digest('hex')), undefined, 'a refused document is not there');
    const { events, ...whole } = await one(
      `SELECT count(*) AS events, (SELECT sum(events) FROM capture_jobs) AS jobs, (SELECT count(*) FROM event_parts) AS parts,
       (SELECT count(DISTINCT sequence) FROM terms) AS terms, (SELECT count(DISTINCT sequence) FROM log_leaves) AS leaves,
       (SELECT max(leaf) + 1 FROM log_leaves) AS last, (SELECT max(size) FROM log_heads) AS head FROM events`,
    );
    assert.deepEqual(whole, Object.fromEntries(Object.keys(whole).map((name) => [name, events])));
    for (const [n, feed] of feeds.entries()) {
      await feed.finish();
      const of = n === 0 ? '' : ` WHERE captured_by = '${account(0)}'`;
      assert.equal(new Set(feed.epcs).size, (await one(`SELECT count(*) AS n FROM events${of}`)).n, 'the feed had every event');
    }
    t.diagnostic(
      `${KILLS} kills: ${acknowledged.size} documents acknowledged, ${jobs.length - acknowledged.size} stored without an answer, ${unanswered} unanswered, ${refused.size} refused, ${events} events`,
    );
  } finally {
    await store.dispose();
  }
});
