// workerd is killed between capture and integration, and during integration. Afterwards every stored event has exactly one leaf,
// and every head that was ever returned is consistent with the last one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeLogKey } from '../../scripts/log-keys.mjs';
import * as audit from '../../wasm/js/audit.js';
import { startMortal } from './mortal.js';
import { documentOf, event, open } from './store.js';

const ROUNDS = 5;
const MOST_ROUNDS = 40;
const PER_DOCUMENT = 700;

const folder = mkdtempSync(join(tmpdir(), 'epcis-log-kill-test-'));
after(() => rmSync(folder, { recursive: true }));
const { skey, vkey } = makeLogKey('log', 'epcis.example.com/log');
const policy = `log ${vkey}\nquorum none\n`;

const sizeOf = (note) => Number(note.split('\n')[1]);

test('workerd killed around integrations: one leaf an event, and no head is lost or forked', async (t) => {
  const heads = new Map();
  let seen = 0;
  let number = 0;
  const captured = async ({ address, key }) => {
    const document = documentOf(
      Array.from({ length: PER_DOCUMENT }, (_, n) => event(`urn:epc:id:sgtin:0614141.1${String(number % 100_000).padStart(5, '0')}.${n}`)),
    );
    number += 1;
    const response = await fetch(new URL('capture', address), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(document),
    });
    await response.arrayBuffer();
    assert.equal(response.status, 202);
  };
  const behind = [];
  // Repeats rounds until one kill falls between a capture and its integration. How long either takes depends on the machine.
  for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && !behind.some((n) => n > 0)); round += 1) {
    const step = round % ROUNDS;
    const earlier = 0.02 * Math.floor(round / ROUNDS);
    const running = await startMortal(folder, { bindings: { LOG_KEY: skey } });
    let isKilled = false;
    // Collects the heads returned meanwhile.
    const watched = (async () => {
      while (!isKilled) {
        try {
          const response = await fetch(new URL('log/checkpoint', running.address));
          const note = await response.text();
          if (response.ok) {
            const known = heads.get(sizeOf(note));
            assert.ok(known === undefined || known === note, 'one size, one head');
            heads.set(sizeOf(note), note);
          }
        } catch (error) {
          if (!isKilled) throw error;
        }
        await setTimeout(5);
      }
    })();
    // A failure is reported below.
    watched.catch(() => undefined);
    await captured(running);
    const from = performance.now();
    await captured(running);
    const lasted = performance.now() - from;
    // At about the moment at which the next events are stored and their leaves made.
    const flight = captured(running).catch((error) => {
      if (!isKilled) throw error;
    });
    await Promise.race([flight.then(() => setTimeout(step * 15)), setTimeout(lasted * (0.65 + 0.07 * step - earlier))]);
    isKilled = true;
    running.kill();
    await Promise.all([watched, flight]);
    await running.end();

    const store = await open({ persistTo: folder, bindings: { LOG_KEY: skey } });
    try {
      const before = await store.database.prepare('SELECT (SELECT count(*) FROM events) - (SELECT count(*) FROM log_leaves) AS n').first('n');
      behind.push(before);
      // The cron trigger integrates the remaining events.
      const worker = await store.gateway.getWorker('gateway');
      for (let n = 0; ; n += 1) {
        await worker.scheduled({ cron: '* * * * *' });
        const left = await store.database.prepare('SELECT (SELECT count(*) FROM events) - (SELECT count(*) FROM log_leaves) AS n').first('n');
        if (left === 0) break;
        assert.ok(n < 50, `${left} events have no leaf`);
        await setTimeout(100);
      }
      const { events, leaves, first, last, size } = await store.database
        .prepare(
          'SELECT (SELECT count(*) FROM events) AS events, count(DISTINCT sequence) AS leaves, min(leaf) AS first, max(leaf) AS last, (SELECT max(size) FROM log_heads) AS size FROM log_leaves',
        )
        .first();
      assert.deepEqual([leaves, first, last, size], [events, 0, events - 1, events]);
      const newest = await (await fetch(new URL('log/checkpoint', store.address))).text();
      heads.set(sizeOf(newest), newest);
      for (const kept of heads.values()) {
        const wanted = audit.tiles(newest, policy, kept);
        const tiles = await Promise.all(wanted.map(async ({ path }) => Buffer.from(await (await fetch(new URL(`log/${path}`, store.address))).arrayBuffer())));
        assert.equal(audit.check(newest, policy, Buffer.concat(tiles), kept).size, events);
      }
      // Heads consistent with this head are consistent with all later ones.
      seen += heads.size;
      heads.clear();
      heads.set(sizeOf(newest), newest);
    } finally {
      await store.dispose();
    }
  }
  t.diagnostic(`${behind.length} kills, ${seen} heads seen; events without a leaf after the kill: ${behind.join(', ')}`);
  assert.ok(
    behind.some((n) => n > 0),
    'no kill came before its integration',
  );
});
