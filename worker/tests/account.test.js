// The objects of accounts and of the log, under faults: nothing is stored in part, nothing acknowledged is lost, every event gets one leaf.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { openFaulty } from './faulty.js';
import { callObject, inObject } from './gateway.js';
import { OBSERVER, documentOf, event, open, walk } from './store.js';

const log = makeLogKey('log', 'epcis.example.com/log');
const accountOf = (n) => `https://example.com/accounts/${n}`;

let store;
let made = 0;
/** A gateway whose default account is the first. */
async function begun() {
  const gateway = await openFaulty({ bindings: { LOG_KEY: log.skey } });
  await captured(gateway);
  return gateway;
}
before(async () => {
  store = await begun();
});
after(() => store?.dispose());

const events = (count = 1) => documentOf(Array.from({ length: count }, () => event(`urn:epc:id:sgtin:0614141.112345.${(made += 1)}`)));

/** Sends a document. Returns the status, the header `Retry-After` and the text of the answer. */
async function post({ address, key }, document, more = {}) {
  const response = await fetch(new URL('capture', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${more.key ?? key}` },
    body: JSON.stringify(document),
    signal: more.signal,
  });
  return { status: response.status, retry: response.headers.get('retry-after'), text: await response.text() };
}

async function captured(gateway, document = events(), key) {
  const answer = await post(gateway, document, { key });
  assert.equal(answer.status, 202, answer.text);
}

const counts = (gateway = store) =>
  gateway.database.prepare('SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM log_leaves) AS leaves').first();

/** Waits until each event has a leaf. Then compares events and leaves, and the newest head. */
async function logged(gateway = store) {
  const deadline = Date.now() + 300_000;
  // The objects may have faults meanwhile.
  const seen = () => counts(gateway).catch(({ message }) => ({ events: message }));
  for (let now = await seen(); now.events !== now.leaves; now = await seen()) {
    assert.ok(Date.now() < deadline, `events without a leaf: ${JSON.stringify(now)}`);
    await setTimeout(100);
  }
  const numbers = async (table) => (await gateway.database.prepare(`SELECT sequence FROM ${table}`).all()).results.map(({ sequence }) => sequence);
  const [stored, leaves] = await Promise.all(['events', 'log_leaves'].map(numbers));
  assert.equal(new Set(leaves).size, leaves.length);
  assert.deepEqual(new Set(leaves), new Set(stored));
  const [{ size, last }] = await inObject(gateway.gateway, 'log', 'SELECT max(size) AS size, (SELECT max(leaf) FROM log_leaves) AS last FROM log_heads');
  assert.deepEqual([size, last], [leaves.length, leaves.length - 1]);
  return leaves.length;
}

test('a call whose last statement fails stores nothing', async () => {
  const before = await counts();
  const forged =
    "INSERT INTO events (identity_key, position, identity, declares_error, captured_by, event_id, event_key, content_key, content_hash, event_time, bytes, who, record_time, document) VALUES (1, 0, 'a', 0, 'a', 'b', 1, 1, 'c', '', 1, '', '', '')";
  const statements = [
    [forged, []],
    ["UPDATE events SET who = 'x'", []],
  ];
  for (const method of ['run', 'append']) await assert.rejects(callObject(store.gateway, 'a1', method, statements), /append-only/);
  assert.deepEqual(await counts(), before);
});

test('an account has numbers of its own, which fit into a double', async () => {
  const other = await store.makeKey({ account: accountOf(2), observer: OBSERVER });
  await captured(store, events(), other);
  for (const [number, first] of [
    [1, 1_000_000_001],
    [2, 2_000_000_001],
  ]) {
    const [row] = await inObject(store.gateway, `a${number}`, 'SELECT min(sequence) AS first, (SELECT min(piece) FROM event_parts) AS piece FROM events');
    assert.deepEqual(row, { first, piece: first * 1000 });
  }
  // An object takes no name but that of an account or of the log.
  await assert.rejects(inObject(store.gateway, 'b1', 'SELECT 1'));
  await logged();
});

test('the last account and its last numbers are below 2^53: nothing is rounded on the way', async () => {
  const { verifyProof } = await import('../../wasm/js/proof/node.ts');
  const { DB } = await store.gateway.getBindings('gateway');
  await DB.prepare('INSERT INTO accounts (number, account, begins) VALUES (9000000, ?, 999999900)').bind(accountOf('last')).run();
  const first = 9_000_000_999_999_901;
  const key = await store.makeKey({ account: accountOf('last'), observer: OBSERVER });
  const epcList = Array.from({ length: 20_000 }, (_, n) => `urn:epc:id:sgtin:0614141.112345.${n}`);
  const sent = [event('urn:x:last:0'), event('', { epcList }), ...Array.from({ length: 28 }, (_, n) => event(`urn:x:last:${n + 1}`))];
  const { events: captured } = await store.ask('capture', { document: documentOf(sent) }, key);
  const again = await store.ask('capture', { document: documentOf(sent) }, key);
  assert.ok(again.events.every(({ duplicate }) => duplicate));
  const [row] = await inObject(store.gateway, 'a9000000', 'SELECT min(sequence) AS first, max(sequence) AS last FROM events');
  assert.deepEqual(row, { first, last: first + 29 });
  assert.ok(Number.isSafeInteger(row.last));
  // Pieces are a thousand times that, and stay in SQLite.
  const [{ pieces }] = await inObject(store.gateway, 'a9000000', 'SELECT CAST(max(piece) AS TEXT) AS pieces FROM event_parts');
  assert.equal(pieces, `${row.last}000`);
  for (const query of [{}, { orderBy: 'eventTime' }, { orderBy: 'recordTime' }, { EQ_bizStep: 'shipping' }]) {
    const found = await walk(store, query, key, { perPage: 7 });
    assert.equal(new Set(found.map(({ eventID }) => eventID)).size, query.EQ_bizStep ? 0 : 30, JSON.stringify(query));
  }
  const whole = (await walk(store, { MATCH_epc: ['urn:epc:id:sgtin:0614141.112345.19999'] }, key)).find(({ epcList: list }) => list.length > 1);
  assert.deepEqual(whole.epcList, epcList);
  const deadline = Date.now() + 60_000;
  const at = (path) => new URL(path, store.address);
  const headers = { authorization: `Bearer ${key}` };
  for (;;) {
    const proof = await fetch(at(`log/proof?event=${encodeURIComponent(captured[29].eventID)}`), { headers });
    const text = await proof.text();
    if (proof.status === 200) {
      const stored = new Uint8Array(await (await fetch(at(`events/${encodeURIComponent(captured[29].eventID)}`), { headers })).arrayBuffer());
      assert.equal(verifyProof(stored, text, await (await fetch(at('log/policy'))).text()).valid, true);
      break;
    }
    assert.ok(Date.now() < deadline, text);
    await setTimeout(200);
  }
  // Later tests look into the accounts that were numbered one after the other, and into the whole log.
  await store.dispose();
  store = await begun();
});

test('an object that ends before a capture, or behind it: 503, and sent again it is stored once', async () => {
  for (const kind of ['before', 'after']) {
    const document = events(3);
    const { events: had } = await counts();
    await store.fault('a1', 'append', [kind]);
    const answer = await post(store, document);
    assert.deepEqual([answer.status, answer.retry], [503, '5'], answer.text);
    assert.match(answer.text, /may have been stored/);
    assert.equal((await counts()).events, had + (kind === 'after' ? 3 : 0));
    await captured(store, document);
    assert.equal((await counts()).events, had + 3);
  }
  await logged();
});

test('an object that has too much to do: 503, and nothing is said of a capture that may be stored', async () => {
  await store.fault('a1', 'append', ['overloaded']);
  const answer = await post(store, events());
  assert.deepEqual([answer.status, answer.retry], [503, '5'], answer.text);
  assert.doesNotMatch(answer.text, /may have been stored|too many/);
  await store.fault('a1', 'run', ['overloaded', 'overloaded', 'overloaded']);
  const { value, isRefused } = await store.call('query', { query: {} });
  assert.deepEqual([isRefused, value.status], [true, 503]);
  await store.fault('a1', 'run', []);
});

test('an object that starts again between two calls of a capture: nothing of it is there, and sent again it is', async () => {
  const document = events(4000);
  const before = await counts();
  await store.fault('a1', 'append', [null, null, 'before']);
  const answer = await post(store, document);
  assert.equal(answer.status, 503, answer.text);
  assert.equal((await counts()).events, before.events);
  await captured(store, document);
  assert.equal((await counts()).events, before.events + 4000);
  assert.equal(await store.database.prepare('SELECT count(*) AS n FROM staged').first('n'), 0);
  await logged();
});

test('a caller who has left before a late answer: the event is stored, and gets its leaf', async () => {
  const { events: had } = await counts();
  await store.fault('a1', 'append', ['late']);
  await assert.rejects(post(store, events(), { signal: AbortSignal.timeout(200) }));
  while ((await counts()).events === had) await setTimeout(100);
  await logged();
});

test('an alarm that comes twice, or breaks off, gives each event one leaf; one that is lost is made good', async () => {
  for (const [object, method, kinds] of [
    ['a1', 'alarm', ['twice']],
    ['a1', 'alarm', ['after']],
    ['a1', 'alarm', ['before']],
    ['log', 'alarm', ['twice', 'after', 'before']],
    ['log', 'grew', ['twice']],
    ['log', 'grew', ['after']],
    ['log', 'alarm', ['late']],
  ]) {
    await store.fault(object, method, kinds);
    await captured(store);
    await logged();
  }
  // Nothing would call the account again: it looks for itself when it starts.
  await store.fault('a1', 'alarm', ['lost']);
  await captured(store);
  await setTimeout(2000);
  const { events, leaves } = await counts();
  assert.equal(leaves, events - 1);
  await store.fault('a1', 'run', ['before']);
  await store.call('query', { query: {} });
  await logged();
  // The log is woken by the cron trigger, when its alarm is overdue.
  await store.fault('log', 'alarm', ['lost']);
  await captured(store);
  await setTimeout(7000);
  await (await store.gateway.getWorker('gateway')).scheduled({ cron: '* * * * *' });
  await logged();
});

test('the log away while captures run: they are acknowledged, and get their leaves', async () => {
  await store.fault('log', 'grew', Array(3).fill('before'));
  await store.fault('log', 'run', Array(6).fill('before'));
  for (let n = 0; n < 20; n += 1) await captured(store);
  await logged();
});

test('the directory away: no key is known, and what is stored gets its leaves', async () => {
  await captured(store);
  const { DB } = await store.gateway.getBindings('gateway');
  await DB.exec('ALTER TABLE keys RENAME TO keys_away');
  await DB.exec('ALTER TABLE accounts RENAME TO accounts_away');
  assert.equal((await post(store, events())).status, 500);
  const deadline = Date.now() + 60_000;
  const [{ newest }] = await inObject(store.gateway, 'a1', 'SELECT max(sequence) AS newest FROM events');
  for (;;) {
    const [{ n }] = await inObject(store.gateway, 'log', 'SELECT count(*) AS n FROM log_leaves WHERE sequence = ?', [newest]);
    if (n === 1) break;
    assert.ok(Date.now() < deadline, 'the leaf of the last event');
    await setTimeout(100);
  }
  await DB.exec('ALTER TABLE accounts_away RENAME TO accounts');
  await DB.exec('ALTER TABLE keys_away RENAME TO keys');
  await captured(store);
  await logged();
});

test('each object is migrated when it starts, whole or not at all, while captures go on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-migration-test-'));
  try {
    const first = await open({ store: 'objects', persistTo: folder });
    const keys = [first.key, await first.makeKey({ account: accountOf(2), observer: OBSERVER })];
    for (const key of keys) await captured(first, events(), key);
    await first.dispose();
    const broken = await openFaulty({ persistTo: folder, migration: ['CREATE TABLE later (n INTEGER)', 'no statement'] });
    for (const key of keys) assert.equal((await post(broken, events(), { key })).status, 503);
    await broken.dispose();
    const later = await openFaulty({ persistTo: folder, migration: ['CREATE TABLE later (n INTEGER)', 'INSERT INTO later VALUES (1)'] });
    try {
      await Promise.all(Array.from({ length: 12 }, (_, n) => captured(later, events(), keys[n % 2])));
      for (const name of ['a1', 'a2', 'log']) assert.deepEqual(await inObject(later.gateway, name, 'SELECT n FROM later'), [{ n: 1 }]);
      assert.equal((await counts(later)).events, 14);
    } finally {
      await later.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the location is a hint for objects, and their jurisdiction a part of their identity', async () => {
  for (const [bindings, status] of [
    [{ ACCOUNTS_LOCATION: 'weur' }, 202],
    // workerd refuses each: so it is asked for with every call.
    [{ ACCOUNTS_JURISDICTION: 'eu' }, 503],
  ]) {
    const own = await open({ store: 'objects', bindings });
    try {
      assert.equal((await post(own, events())).status, status);
    } finally {
      await own.dispose();
    }
  }
});

test('64 senders over nine accounts', async (t) => {
  const own = await open({ store: 'objects', bindings: { LOG_KEY: log.skey } });
  try {
    const keys = await Promise.all(Array.from({ length: 9 }, (_, n) => own.makeKey({ account: accountOf(100 + n), observer: OBSERVER })));
    const answered = [];
    let isOver = false;
    /** The newest event with a leaf of each account, as seen again and again. */
    const seen = [];
    const watched = (async () => {
      while (!isOver) {
        const rows = await inObject(own.gateway, 'log', 'SELECT sequence / 1000000000 AS account, max(sequence) AS newest FROM log_leaves GROUP BY 1');
        seen.push({ at: Date.now(), newest: new Map(rows.map(({ account, newest }) => [account, newest])) });
        await setTimeout(50);
      }
    })();
    const until = Date.now() + 6000;
    await Promise.all(
      Array.from({ length: 64 }, async (_, sender) => {
        while (Date.now() < until) {
          const document = events();
          await captured(own, document, keys[sender % 9]);
          answered.push({ at: Date.now(), epc: document.epcisBody.eventList[0].epcList[0] });
        }
      }),
    );
    assert.equal(await logged(own), answered.length);
    isOver = true;
    await watched;
    const stored = (await own.database.prepare('SELECT sequence, text FROM events JOIN event_parts ON piece = sequence * 1000').all()).results;
    const sequences = new Map(stored.map(({ sequence, text }) => [JSON.parse(text).epcList[0], sequence]));
    const waits = answered.map(({ at, epc }) => {
      const sequence = sequences.get(epc);
      const leaf = seen.find(({ newest }) => (newest.get(Math.floor(sequence / 1e9)) ?? 0) >= sequence);
      return (leaf?.at ?? Number.NaN) - at;
    });
    waits.sort((a, b) => a - b);
    t.diagnostic(`${answered.length} captures; leaf after the answer: p50 ${waits[Math.floor(waits.length / 2)]} ms, at most ${waits.at(-1)} ms`);
    // Each account reads what it sent.
    const read = await Promise.all(keys.map(async (key) => (await walk(own, {}, key, { perPage: 1000 })).length));
    assert.equal(
      read.reduce((sum, count) => sum + count, 0),
      answered.length,
    );
  } finally {
    await own.dispose();
  }
});
