// workerd is killed during captures: every acknowledged document is stored, and each of the others is stored completely or not at
// all.
// Invariant: A capture over D1 is whole or absent, whenever workerd is killed.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { isOnPostgres } from './gateway.js';
import { startMortal } from './mortal.js';
import { documentOf, event, eventsOf, open } from './store.js';

const ROUNDS = 4;
const PER_DOCUMENT = 1500;
const AT_ONCE = 4;

const folder = mkdtempSync(join(tmpdir(), 'epcis-kill-test-'));
after(() => rmSync(folder, { recursive: true }));

const epc = (number, n) => `urn:epc:id:sgtin:0614141.1${String(number).padStart(5, '0')}.${n}`;
const sent = (number) => documentOf(Array.from({ length: PER_DOCUMENT }, (_, n) => event(epc(number, n))));

async function capture({ address, key }, number) {
  const response = await fetch(new URL('mcp', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'capture', arguments: { document: sent(number) } } }),
  });
  const { result } = await response.json();
  assert.equal(result.structuredContent.type, 'OK');
  return result.structuredContent;
}

/** The number of rows of a document in each table. Each event has one EPC, because a second one would be another term. */
async function rowsOf(database, number) {
  const pattern = `${epc(number, '')}%`;
  const sql = `SELECT count(*) AS events, (SELECT count(*) FROM event_parts AS p WHERE p.text LIKE ?1) AS parts,
    (SELECT count(*) FROM terms AS t WHERE t.sequence IN (SELECT p.piece / 1000 FROM event_parts AS p WHERE p.text LIKE ?1)) AS terms
    FROM events AS e WHERE e.sequence IN (SELECT p.piece / 1000 FROM event_parts AS p WHERE p.text LIKE ?1)`;
  return database.prepare(sql).bind(`%${pattern}`).first();
}

test('workerd killed during captures: each document whole or absent, each acknowledged one there', async (t) => {
  const tried = new Set();
  const acknowledged = new Map();
  let next = 0;
  let whole = 0;
  let absent = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const running = await startMortal(folder);
    const flights = new Set();
    let isKilled = false;
    const fly = async () => {
      while (!isKilled) {
        const number = next++;
        tried.add(number);
        flights.add(number);
        try {
          acknowledged.set(number, await capture(running, number));
          flights.delete(number);
        } catch (error) {
          if (!isKilled) throw error;
        }
      }
    };
    const load = Promise.all(Array.from({ length: AT_ONCE }, fly));
    load.catch(() => {});
    const before = acknowledged.size;
    while (acknowledged.size < before + 2) await Promise.race([setTimeout(20), load]);
    // At some point in the work on pending captures.
    await setTimeout(round * 137);
    isKilled = true;
    running.kill();
    await load;
    await running.end();
    assert.ok(flights.size > 0, 'documents were under way');

    const store = await open({ persistTo: folder });
    try {
      for (const number of tried) {
        const { events, parts, terms } = await rowsOf(store.database, number);
        assert.deepEqual([events, parts, terms], events === 0 ? [0, 0, 0] : Array(3).fill(PER_DOCUMENT), `document ${number} is neither whole nor absent`);
        if (acknowledged.has(number)) assert.equal(events, PER_DOCUMENT, `document ${number} was acknowledged`);
        else if (events) whole += 1;
        else absent += 1;
      }
      for (const [number, { events, document }] of acknowledged) {
        const found = eventsOf(await store.ask('trace', { epc: epc(number, PER_DOCUMENT - 1) }));
        assert.deepEqual(
          found.map(({ eventID }) => eventID),
          [events.at(-1).eventID],
        );
        assert.equal(await store.documents.get(document), JSON.stringify(sent(number)));
      }
      if (!isOnPostgres()) assert.equal(await store.database.prepare('PRAGMA quick_check').first('quick_check'), 'ok');
      // A client without an answer sends again.
      for (const number of flights) {
        const { events } = await store.ask('capture', { document: sent(number) });
        assert.equal(new Set(events.map(({ duplicate }) => duplicate)).size, 1);
        acknowledged.set(number, { events, document: (await store.ask('capture', { document: sent(number) })).document });
      }
      const stored = await store.database.prepare('SELECT count(*) AS n FROM events').first('n');
      assert.equal(stored, acknowledged.size * PER_DOCUMENT);
    } finally {
      await store.dispose();
    }
  }
  t.diagnostic(`${ROUNDS} kills, ${tried.size} documents: unacknowledged ones were whole ${whole} times, absent ${absent} times`);
});
