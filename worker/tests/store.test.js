// The glue of tests/it/store.rs over D1 and KV in workerd, through HTTP: values in and out of statements, much at once, bytes kept, faults.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { isOnPostgres, vectorFile } from './gateway.js';
import { CONTEXT, documentOf, event, eventsOf, open, walk } from './store.js';

/** The capture time that the vectors assume. */
const VECTOR_TIME = '2026-02-01T00:00:00.000Z';

let store;
before(async () => {
  store = await open();
});
after(() => store?.dispose());

let accounts = 0;
/** A key of a new account. The events of others are outside its scope. */
const fresh = async (options) => store.makeKey({ account: `https://example.com/accounts/fresh-${(accounts += 1)}`, ...options });

async function refused(call, type, status) {
  const { value, isRefused } = await call;
  assert.ok(isRefused, JSON.stringify(value).slice(0, 500));
  assert.deepEqual([value.type, value.status], [`epcisException:${type}`, status], value.detail);
  return value;
}

const duplicates = (captured) => captured.events.map(({ duplicate }) => duplicate);
const count = (table) => store.database.prepare(`SELECT count(*) AS n FROM ${table}`).first('n');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

test('query vectors find what they say', async (t) => {
  const key = await fresh();
  const sent = JSON.parse(vectorFile('query/events.json'));
  const { recordTime } = await store.ask('capture', { document: sent }, key);
  const name = ({ eventTime, errorDeclaration }) => JSON.stringify([eventTime, errorDeclaration !== undefined]);
  const names = sent.epcisBody.eventList.map(name);
  for (const { note, query, finds, refused: refusal } of JSON.parse(vectorFile('query/queries.json'))) {
    await t.test(`${note}: ${JSON.stringify(query).slice(0, 100)}`, async () => {
      // The vectors assume another capture time.
      for (const parameter of Object.keys(query)) {
        if (!/^(GE|LT)_recordTime$/.test(parameter)) continue;
        query[parameter] = new Date(Date.parse(query[parameter]) - Date.parse(VECTOR_TIME) + Date.parse(recordTime)).toISOString();
      }
      if (Array.isArray(query)) {
        await refused(store.call('query', { query }, key), 'ValidationException', 400);
      } else if (refusal) {
        const { value, isRefused } = await store.call('query', { query }, key);
        assert.deepEqual([isRefused, value.type], [true, refusal]);
      } else {
        assert.deepEqual(
          (await walk(store, query, key)).map((found) => names.indexOf(name(found))),
          finds,
        );
      }
    });
  }
});

test('a document is stored once, and kept byte for byte', async () => {
  const key = await fresh();
  const sent = documentOf([event('urn:x:1'), event('urn:x:2'), event('urn:x:1')]);
  const first = await store.ask('capture', { document: sent }, key);
  assert.deepEqual(duplicates(first), [false, false, true]);
  assert.equal(first.events[2].eventID, first.events[0].eventID);
  assert.deepEqual(duplicates(await store.ask('capture', { document: sent }, key)), [true, true, true]);
  assert.equal((await walk(store, {}, key)).length, 2);

  const named = await store.ask('capture', { document: event('urn:x:1', { eventID: 'urn:uuid:11111111-1111-4111-8111-111111111111' }) }, key);
  assert.deepEqual([named.events[0].duplicate, named.events[0].eventID], [true, first.events[0].eventID]);
  const wrong = event('urn:x:1', { errorDeclaration: { declarationTime: '2026-01-02T00:00:00Z' } });
  const declared = await store.ask('capture', { document: wrong }, key);
  assert.deepEqual([declared.events[0].duplicate, declared.events[0].eventID], [false, first.events[0].eventID]);
  for (const eventID of [first.events[0].eventID, first.events[0].contentHash]) {
    assert.equal(eventsOf(await store.ask('get_event', { eventID }, key)).length, 2);
  }

  const text = JSON.stringify(sent);
  assert.equal(first.document, sha256(text));
  assert.equal(await store.documents.get(first.document), text);
});

test('the same document many times at once: one is new, the others are duplicates of it', async () => {
  const key = await fresh();
  const sent = documentOf(Array.from({ length: 20 }, (_, n) => event(`urn:x:${n}`)));
  const answers = await Promise.all(Array.from({ length: 8 }, () => store.ask('capture', { document: sent }, key)));
  const patterns = answers.map((answer) => duplicates(answer)).sort((a, b) => a[0] - b[0]);
  patterns.forEach((pattern, index) => assert.deepEqual(new Set(pattern), new Set([index > 0])));
  for (const answer of answers)
    assert.deepEqual(
      answer.events.map(({ eventID }) => eventID),
      answers[0].events.map(({ eventID }) => eventID),
    );
  assert.equal((await walk(store, {}, key)).length, 20);
});

test('one bad event among 10,000: nothing is stored, the errors say where', async () => {
  const key = await fresh();
  const tables = ['events', 'event_parts', 'terms'];
  const before = await Promise.all(tables.map(count));
  const sent = documentOf(Array.from({ length: 10_000 }, (_, n) => event(`urn:epc:id:sgtin:0614141.112345.${n}`)));
  sent.epcisBody.eventList[9_998].action = 'LOOK';
  const problem = await refused(store.call('capture', { document: sent }, key), 'ValidationException', 400);
  assert.ok(problem.errors.length > 0);
  for (const { path } of problem.errors) assert.match(path, /^\/epcisBody\/eventList\/9998/);
  assert.deepEqual(await Promise.all(tables.map(count)), before);
  assert.equal(await store.documents.get(sha256(JSON.stringify(sent))), null);
  assert.equal((await store.ask('query', { query: {} }, key)).type, 'EMPTY');
  // A dry run stores nothing either.
  sent.epcisBody.eventList[9_998].action = 'OBSERVE';
  const dry = await store.ask('capture', { document: sent, dryRun: true }, key);
  assert.deepEqual([dry.dryRun, dry.events.length, dry.events[0].duplicate], [true, 10_000, false]);
  assert.deepEqual(await Promise.all(tables.map(count)), before);
  const captured = await store.ask('capture', { document: sent }, key);
  assert.deepEqual(new Set(duplicates(captured)), new Set([false]));
  assert.equal(await count('events'), before[0] + 10_000);
  assert.equal(eventsOf(await store.ask('trace', { epc: 'https://id.gs1.org/01/10614141123459/21/9999' }, key)).length, 1);
});

test('a key opens what it may, and nothing once it is revoked', async () => {
  const account = 'https://example.com/accounts/keys';
  const [both, capturing, querying] = await Promise.all([['capture', 'query'], ['capture'], ['query']].map((rights) => store.makeKey({ account, rights })));
  const document = event('urn:x:keys');
  const { eventID } = (await store.ask('capture', { document }, capturing)).events[0];
  const reading = [
    ['query', { query: {} }],
    ['trace', { epc: 'urn:x:keys' }],
    ['get_event', { eventID }],
  ];
  await refused(store.call('capture', { document }, querying), 'SecurityException', 403);
  for (const [tool, args] of reading) {
    await refused(store.call(tool, args, capturing), 'SecurityException', 403);
    assert.equal(eventsOf(await store.ask(tool, args, querying)).length, 1);
  }
  const secret = both.slice(-43);
  for (const wrong of [null, 'x', both.replace(secret, 'x'.repeat(43)), both.toUpperCase(), `${both}x`, `epcis_%_${secret}`, `epcis_' OR 1_${secret}`]) {
    await refused(store.call('query', { query: {} }, wrong), 'SecurityException', 401);
    await refused(store.call('capture', { document }, wrong), 'SecurityException', 401);
  }
  await store.database.prepare('UPDATE keys SET revoked_at = ?1 WHERE id = ?2').bind('2026-01-02T00:00:00Z', both.slice(6, 18)).run();
  for (const [tool, args] of [...reading, ['capture', { document }]]) await refused(store.call(tool, args, both), 'SecurityException', 401);
});

test('an event of megabytes is stored whole', async () => {
  const key = await fresh();
  const epcList = Array.from({ length: 20_000 }, (_, n) => `urn:epc:id:sgtin:0614141.112345.${n}`);
  const sent = event('', { '@context': [CONTEXT, { x: 'https://x.example/' }], epcList, 'x:text': '"\\ä\u0001€😀'.repeat(150_000) });
  await store.ask('capture', { document: sent }, key);
  const [found] = eventsOf(await store.ask('trace', { epc: 'urn:epc:id:sgtin:0614141.112345.19999' }, key));
  assert.equal(found['x:text'], sent['x:text']);
  assert.deepEqual(found.epcList, epcList);
});

/** Statements that must fail: SQLite would replace the row, and PostgreSQL would empty the table. */
const IN_SQLITE = "INSERT OR REPLACE INTO events SELECT sequence, 'other', 0, 0, 'x', 'x', 0, 'x', 0, NULL, NULL, NULL, NULL, '', '', '', 0, 0, '' FROM events";
const IN_POSTGRES = ['events', 'event_parts', 'terms', 'aliases', 'capture_jobs'].map((table) => `TRUNCATE ${table}`);

test('the database refuses to change events', async () => {
  const sixteen = Array.from({ length: 16 }, (_, n) => event(`urn:x:kept:${n}`));
  await store.ask('capture', { document: documentOf(sixteen) });
  const before = await Promise.all(['events', 'event_parts', 'terms'].map(count));
  for (const sql of [
    "UPDATE events SET event_id = 'x'",
    'DELETE FROM events',
    "UPDATE event_parts SET text = 'x'",
    'DELETE FROM event_parts',
    "UPDATE terms SET value = 'x'",
    'DELETE FROM terms',
    ...(isOnPostgres() ? IN_POSTGRES : [IN_SQLITE]),
  ]) {
    await assert.rejects(store.database.prepare(sql).run(), /append-only/, sql);
  }
  if (isOnPostgres()) await assert.rejects(store.database.prepare("INSERT INTO event_parts SELECT owner, piece, 'forged' FROM event_parts").run(), /unique/);
  else await store.database.prepare("INSERT OR REPLACE INTO event_parts SELECT piece, 'forged' FROM event_parts").run();
  assert.equal(await store.database.prepare(`SELECT count(*) AS n FROM event_parts WHERE text = 'forged'`).first('n'), 0);
  assert.deepEqual(await Promise.all(['events', 'event_parts', 'terms'].map(count)), before);
});

test('a fault of the database is a refusal without internals', async () => {
  const broken = await open();
  try {
    await broken.database.prepare('ALTER TABLE event_parts RENAME TO elsewhere').run();
    for (const [tool, args] of [
      ['capture', { document: event('urn:x:1') }],
      ['query', { query: {} }],
    ]) {
      const { value, isRefused } = await broken.call(tool, args);
      assert.deepEqual([isRefused, value.type, value.status], [true, 'epcisException:ImplementationException', 500]);
      assert.doesNotMatch(JSON.stringify(value), /event_p|SQL|D1/i);
    }
    assert.equal(await broken.database.prepare('SELECT count(*) AS n FROM events').first('n'), 0);
  } finally {
    await broken.dispose();
  }
});
