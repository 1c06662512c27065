// The REST binding over real D1 and KV in workerd. tests/it/binding.rs tests it over the store in memory and SQLite; this suite
// tests what a real database and runtime may do differently.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { isOnPostgres, send } from './gateway.js';
import { BASE_URL, documentOf, event, open } from './store.js';

let store;
before(async () => {
  store = await open();
});
after(() => store?.dispose());

let accounts = 0;
/** A caller with an account of its own. `ask(method, path, body, headers)` returns status, headers and body. */
async function caller(options) {
  const key = await store.makeKey({ account: `https://example.com/accounts/binding-${(accounts += 1)}`, ...options });
  const ask = async (method, path, body, headers = {}) => {
    const typed = body === undefined ? {} : { 'content-type': 'application/json' };
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const answer = await send(store.address, { method, path, headers: { authorization: `Bearer ${key}`, ...typed, ...headers } }, bytes);
    const text = answer.body.toString('utf8');
    const isJson = answer.headers['content-type']?.includes('json');
    return { ...answer, text, value: isJson && text !== '' ? JSON.parse(text) : undefined };
  };
  return { key, ask };
}

const eventsOf = ({ status, value, text }) => {
  assert.equal(status, 200, text);
  return value.epcisBody.queryResults.resultsBody.eventList;
};

/** All events at an address, page by page, following `Link`. */
async function walk({ ask }, path) {
  const all = [];
  while (path) {
    const page = await ask('GET', path);
    all.push(...eventsOf(page));
    path = page.headers.link?.match(/^<([^<>]+)>; rel="next"$/)[1];
  }
  return all;
}

function refused({ status, value, headers }, exception, expected) {
  assert.deepEqual([value?.type, status], [`epcisException:${exception}`, expected], JSON.stringify(value));
  assert.equal(headers['content-type'], 'application/problem+json');
}

test('a capture, its job, its events, in D1 and KV', async () => {
  const one = await caller();
  const sent = documentOf([event('urn:x:1'), event('urn:x:2'), event('urn:x:1')]);
  const captured = await one.ask('POST', '/capture', sent);
  assert.deepEqual([captured.status, captured.text], [202, '']);
  const job = await one.ask('GET', captured.headers.location);
  assert.equal(job.value.captureID, captured.headers.location.split('/').pop());
  assert.deepEqual([job.value.running, job.value.success, job.value.errors], [false, true, []]);
  assert.deepEqual([job.value['epcisEdge:eventCount'], job.value['epcisEdge:duplicateCount']], [3, 1]);
  const found = await walk(one, '/events');
  assert.deepEqual(
    job.value['epcisEdge:eventIDs'],
    found.map(({ eventID }) => eventID),
  );
  assert.deepEqual(job.value['epcisEdge:duplicates'], [found[0].eventID]);
  const digest = createHash('sha256').update(JSON.stringify(sent)).digest('hex');
  assert.equal(job.value['epcisEdge:document'], digest);
  assert.equal(Buffer.from(await store.documents.get(digest, 'arrayBuffer')).toString(), JSON.stringify(sent));
  const other = await caller();
  refused(await other.ask('GET', captured.headers.location), 'NoSuchResourceException', 404);
  assert.deepEqual((await other.ask('GET', '/capture')).value, []);
  assert.deepEqual((await one.ask('GET', '/epcs')).value.member, ['urn:x:1', 'urn:x:2']);
  assert.deepEqual((await other.ask('GET', '/epcs')).value.member, []);
});

test('jobs are append-only in the database itself', async () => {
  const one = await caller();
  await one.ask('POST', '/capture', documentOf([event('urn:x:1'), event('urn:x:1')]));
  for (const statement of [
    'UPDATE capture_jobs SET success = 0',
    'DELETE FROM capture_jobs',
    isOnPostgres()
      ? 'TRUNCATE capture_jobs'
      : 'INSERT OR REPLACE INTO capture_jobs SELECT sequence, account, number, time, proceeds, 0, document, events, before, report FROM capture_jobs LIMIT 1',
    "UPDATE capture_duplicates SET event_id = 'x'",
    'DELETE FROM capture_duplicates',
  ]) {
    await assert.rejects(store.database.prepare(statement).run(), /append-only/, statement);
  }
});

test('of many who name the same event at once, one is first, and all others learn of it', async () => {
  const one = await caller();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => one.ask('POST', '/events', event(`urn:x:${n}`, { eventID: 'urn:uuid:contended' }))));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 1, JSON.stringify(answers.map(({ status }) => status)));
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    refused(answer, 'ResourceAlreadyExistsException', 409);
    assert.equal(answer.value.instance, new URL(made[0].headers.location, BASE_URL).href);
  }
  assert.deepEqual(eventsOf(await one.ask('GET', '/events/urn:uuid:contended')), [made[0].value]);
  assert.equal((await one.ask('GET', '/capture')).value.length, 1, 'what was refused has no job');
});

test('jobs and their events stay together while many capture at once', async () => {
  const callers = await Promise.all([caller(), caller(), caller()]);
  await Promise.all(
    Array.from({ length: 45 }, async (_, n) => {
      const answer = await callers[n % 3].ask('POST', '/capture', documentOf([event(`urn:y:${n}`), event(`urn:y:${n}.1`), event('urn:y:all')]));
      assert.equal(answer.status, 202, answer.text);
    }),
  );
  for (const one of callers) {
    const stored = new Set((await walk(one, '/events?perPage=7')).map(({ eventID }) => eventID));
    assert.equal(stored.size, 31);
    const jobs = (await one.ask('GET', '/capture')).value;
    assert.equal(jobs.length, 15);
    const seen = [];
    for (const { captureID } of jobs) {
      const { value } = await one.ask('GET', `/capture/${captureID}`);
      assert.equal(value['epcisEdge:eventIDs'].length + value['epcisEdge:duplicates'].length, 3);
      seen.push(...value['epcisEdge:eventIDs']);
    }
    assert.deepEqual(new Set(seen), stored);
    assert.equal(seen.length, 31, 'every event is of one job');
  }
});

test('paths as a runtime hands them on', async () => {
  const one = await caller();
  await one.ask('POST', '/capture', documentOf([event('https://id.gs1.org/01/09521141123454/21/a%2Fb', { bizStep: 'shipping' })]));
  assert.equal(eventsOf(await one.ask('GET', '/epcs/https:%2f%2fid.gs1.org%2f01%2f09521141123454%2f21%2fa%252Fb/events')).length, 1);
  assert.equal(eventsOf(await one.ask('GET', '/bizSteps/https://ref.gs1.org/cbv/BizStep-shipping/events')).length, 1);
  for (const path of ['/epcs/%00/events', '/epcs/two%20words', '/events/%2e%2e%2fkeys', '/capture/%2e%2e%2fevents', '/bizSteps/..%2f..%2fkeys', '/epcs/%ff']) {
    refused(await one.ask('GET', path), 'NoSuchResourceException', 404);
  }
});

test('named queries stay, run and go', async () => {
  const one = await caller();
  await one.ask('POST', '/capture', documentOf([event('urn:x:1', { bizStep: 'shipping' }), event('urn:x:2')]));
  const query = { name: 'ship ments', query: { EQ_bizStep: ['shipping'] } };
  const made = await one.ask('POST', '/queries', query);
  assert.deepEqual([made.status, made.headers.location], [201, '/queries/ship%20ments']);
  const raced = await Promise.all(Array.from({ length: 5 }, () => one.ask('POST', '/queries', { name: 'raced', query: {} })));
  assert.deepEqual(raced.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  assert.equal(eventsOf(await one.ask('GET', '/queries/ship%20ments/events')).length, 1);
  assert.deepEqual(
    (await one.ask('GET', '/queries')).value.map(({ name }) => name),
    ['SimpleEventQuery', 'raced', 'ship ments'],
  );
  assert.equal((await one.ask('DELETE', '/queries/ship%20ments')).status, 204);
  refused(await one.ask('GET', '/queries/ship%20ments'), 'NoSuchNameException', 404);
});
