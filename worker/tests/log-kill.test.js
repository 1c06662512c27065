// workerd is killed between capture and integration, and during integration. Afterwards every stored event has exactly one leaf,
// and every head that was ever returned is consistent with the last one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeLogKey } from '../../scripts/log-keys.ts';
import * as audit from '../../wasm/js/mcp/audit.ts';
import { startMortal } from './mortal.js';
import { documentOf, event, open } from './store.js';

const MOST_ROUNDS = 40;
const PER_DOCUMENT = 700;

/**
 * The moments at which it is killed, each given by what is seen of a document that was sent behind `before` events. At the first, the
 * last of several documents is answered.
 */
const MOMENTS = [
  undefined,
  // Its events are stored.
  ({ status: { size, eventsWithoutLeaf }, before }) => size + eventsWithoutLeaf > before,
  // Some of its events have leaves, and all of them.
  ({ status: { size }, before }) => size > before,
  ({ status: { size }, before }) => size >= before + PER_DOCUMENT,
  // A head with all of them was given out.
  ({ heads, before }) => Math.max(...heads.keys()) >= before + PER_DOCUMENT,
];

const folder = mkdtempSync(join(tmpdir(), 'epcis-log-kill-test-'));
after(() => rmSync(folder, { recursive: true }));
const { skey, vkey } = makeLogKey('log', 'epcis.example.com/log');
const policy = `log ${vkey}\nquorum none\n`;

const WITHOUT_LEAF = 'SELECT (SELECT count(*) FROM events) - (SELECT count(*) FROM log_leaves) AS n';

const sizeOf = (note) => Number(note.split('\n')[1]);

test('workerd killed around integrations: one leaf an event, and no head is lost or forked', { timeout: 1_800_000 }, async (t) => {
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
  // The first moment is tried again until a kill fell between a capture and its integration.
  for (let round = 0; round < MOMENTS.length || (round < MOST_ROUNDS && !behind.some((n) => n > 0)); round += 1) {
    const isTime = MOMENTS[round];
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
    let fault;
    watched.catch((error) => (fault = error));
    await captured(running);
    await captured(running);
    const statusOf = async () => (await fetch(new URL('log/status', running.address))).json();
    const { size: leaves, eventsWithoutLeaf } = await statusOf();
    const before = leaves + eventsWithoutLeaf;
    // At the first moment, several that were sent at once are answered: the log grows for one, and the others wait for its next turn.
    const flight = Promise.all(Array.from({ length: isTime === undefined ? 3 : 1 }, () => captured(running))).catch((error) => {
      if (!isKilled) fault = error;
    });
    if (isTime === undefined) await flight;
    else while (!fault && !isTime({ status: await statusOf(), before, heads })) await setTimeout(1);
    if (fault) throw fault;
    isKilled = true;
    running.kill();
    await Promise.all([watched, flight]);
    await running.end();

    // Counted by a gateway that only reads: another makes the leaves as soon as it runs.
    const silent = await open({ persistTo: folder, bindings: { LOG_KEY: skey, READ_ONLY: 'on' } });
    behind.push(await silent.database.prepare(WITHOUT_LEAF).first('n'));
    await silent.dispose();
    const store = await open({ persistTo: folder, bindings: { LOG_KEY: skey } });
    try {
      // The cron trigger integrates the remaining events.
      const worker = await store.gateway.getWorker('gateway');
      for (let n = 0; ; n += 1) {
        await worker.scheduled({ cron: '* * * * *' });
        const left = await store.database.prepare(WITHOUT_LEAF).first('n');
        if (left === 0) break;
        assert.ok(n < 500, `${left} events have no leaf`);
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
