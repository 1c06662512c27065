// workerd is killed under 16 senders over nine accounts, again and again. Every acknowledged document is there, whole; every other is whole or
// absent; and the log counts every event exactly once.
// Invariant: Every stored event has exactly one leaf, in the order of capture of its account, and nothing acknowledged is lost,
// whichever object ends.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { countIn } from '../../scripts/given.ts';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { inObject } from './gateway.js';
import { startMortal } from './mortal.js';
import { OBSERVER, documentOf, event, open } from './store.js';

const KILLS = countIn('EPCIS_EDGE_KILLS', 4);
const SENDERS = 16;
const ACCOUNTS = 9;

const folder = mkdtempSync(join(tmpdir(), 'epcis-account-kill-test-'));
after(() => rmSync(folder, { recursive: true }));
const options = { store: 'objects', bindings: { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey } };

test('workerd killed under senders: nothing acknowledged is lost, nothing is half there, each event has one leaf', { timeout: 1_800_000 }, async (t) => {
  const first = await open({ ...options, persistTo: folder });
  const keys = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, n) => first.makeKey({ account: `https://example.com/accounts/k${n}`, observer: OBSERVER })),
  );
  await first.dispose();
  /** The number of events of each acknowledged document, by its SHA-256. */
  const acknowledged = new Map();
  let made = 0;
  let unanswered = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = await startMortal(folder, options);
    let isKilled = false;
    const senders = Array.from({ length: SENDERS }, async (_, n) => {
      while (!isKilled) {
        const count = Math.random() < 0.1 ? 300 : 1;
        const text = JSON.stringify(documentOf(Array.from({ length: count }, () => event(`urn:epc:id:sgtin:0614141.112345.${(made += 1)}`))));
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${keys[n % ACCOUNTS]}` };
        try {
          const response = await fetch(new URL('capture', running.address), { method: 'POST', headers, body: text });
          const said = await response.text();
          if (response.status === 202) acknowledged.set(createHash('sha256').update(text).digest('hex'), count);
          else if (!isKilled) assert.fail(`${response.status}: ${said}`);
        } catch (error) {
          if (!isKilled) throw error;
          unanswered += 1;
        }
      }
    });
    const before = acknowledged.size;
    const load = Promise.all(senders);
    load.catch(() => {});
    while (acknowledged.size < before + 30) await Promise.race([setTimeout(20), load]);
    // At some point in what alarms do.
    await setTimeout(Math.random() * 2500);
    isKilled = true;
    running.kill();
    await load;
    await running.end();
  }
  const store = await open({ ...options, persistTo: folder });
  try {
    const counts = () => store.database.prepare('SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM log_leaves) AS leaves').first();
    const deadline = Date.now() + 300_000;
    // Nobody calls an account: the alarms are still set.
    for (let now = await counts(); now.events !== now.leaves; now = await counts()) {
      assert.ok(Date.now() < deadline, `events without a leaf: ${JSON.stringify(now)}`);
      await setTimeout(200);
    }
    const all = async (text) => (await store.database.prepare(text).all()).results;
    const jobs = new Map((await all('SELECT document, events FROM capture_jobs')).map(({ document, events }) => [document, events]));
    for (const [document, count] of acknowledged) assert.equal(jobs.get(document), count, 'an acknowledged document is there');
    const stored = (await all('SELECT sequence FROM events')).map(({ sequence }) => sequence);
    for (let n = 1; n <= ACCOUNTS; n += 1) {
      const [sums] = await inObject(
        store.gateway,
        `a${n}`,
        'SELECT count(*) AS events, max(sequence) - min(sequence) + 1 AS numbers, (SELECT count(*) FROM event_parts) AS parts, (SELECT count(DISTINCT sequence) FROM terms) AS terms, (SELECT sum(events) FROM capture_jobs) AS jobs FROM events',
      );
      assert.deepEqual(sums, Object.fromEntries(Object.keys(sums).map((name) => [name, sums.events])), `account ${n} is whole`);
    }
    const leaves = await all('SELECT leaf, sequence FROM log_leaves ORDER BY leaf');
    assert.deepEqual(
      leaves.map(({ leaf }) => leaf),
      stored.map((_, n) => n),
    );
    assert.deepEqual(
      leaves.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
      stored.toSorted((a, b) => a - b),
    );
    const found = await fetch(new URL('log/checkpoint', store.address));
    assert.equal(Number((await found.text()).split('\n')[1]), stored.length);
    t.diagnostic(`${KILLS} kills: ${acknowledged.size} acknowledged, ${jobs.size - acknowledged.size} stored without an answer, ${unanswered} unanswered`);
  } finally {
    await store.dispose();
  }
});
