// Clients that follow the recorded events miss none: 16 writers with documents of 1 and 40 events, a reader that polls by time, and
// one that follows the feed.
// Invariant: The transaction that stores an event gives it its `recordTime` and its number, and neither goes back: readers by time and
// by the feed miss nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { send } from './gateway.js';
import { documentOf, event, eventsOf, open } from './store.js';

const WRITERS = 16;
const EVENTS = 5000;
const LENGTHS = [1, 40];

let store;
before(async () => {
  store = await open();
});
after(() => store?.dispose());

const epc = (n) => `urn:epc:id:sgtin:0614141.112345.${n}`;

async function ask(method, path, { body, headers = {} } = {}) {
  const sent = { authorization: `Bearer ${store.key}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers };
  const text = body && Buffer.from(JSON.stringify(body));
  const answer = await send(store.address, { method, path, headers: sent }, text);
  const read = answer.body.length ? JSON.parse(answer.body.toString('utf8')) : undefined;
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(read)?.slice(0, 500)}`);
  return { ...answer, read };
}

/** One walk over the pages of a query. Returns the events and the cursor after them. */
async function walk(path) {
  const seen = [];
  let cursor;
  let next = path;
  while (next) {
    const { read, headers } = await ask('GET', next);
    seen.push(...eventsOf(read));
    cursor = headers['spine-feed-cursor'];
    next = headers.link && /^<([^>]+)>; rel="next"$/.exec(headers.link)[1];
  }
  return { seen, cursor };
}

const RECORDED = 'orderBy=recordTime&orderDirection=ASC&perPage=100';

/** Polls from the newest time that it has seen. */
function byTime() {
  const found = new Set();
  let newest;
  return {
    found,
    async poll() {
      const { seen } = await walk(`/events?${RECORDED}${newest ? `&GE_recordTime=${newest}` : ''}`);
      for (const { epcList, recordTime } of seen) {
        found.add(epcList[0]);
        assert.ok(newest === undefined || recordTime >= newest, `${recordTime} behind ${newest}`);
        newest = recordTime;
      }
    },
  };
}

/** Continues from the cursor of the previous answer. */
function byCursor() {
  const found = new Set();
  let cursor;
  let twice = 0;
  return {
    found,
    twice: () => twice,
    async poll() {
      const { seen, cursor: next } = await walk(`/events?${RECORDED}${cursor ? `&feedCursor=${cursor}` : ''}`);
      for (const { epcList } of seen) {
        if (found.has(epcList[0])) twice += 1;
        found.add(epcList[0]);
      }
      assert.ok(next, 'an answer without a cursor');
      cursor = next;
    },
  };
}

test(`${WRITERS} writers, ${EVENTS} events, two readers: none is missed`, async () => {
  const documents = [];
  for (let made = 0; made < EVENTS; ) {
    const length = Math.min(LENGTHS[documents.length % LENGTHS.length], EVENTS - made);
    const first = made;
    documents.push(() => documentOf(Array.from({ length }, (_, n) => event(epc(first + n)))));
    made += length;
  }
  let isOver = false;
  const readers = [byTime(), byCursor()];
  const read = async (reader) => {
    while (!isOver) {
      await reader.poll();
      await setTimeout(20);
    }
    await reader.poll();
  };
  const reading = readers.map(read);
  const write = async () => {
    for (let document = documents.pop(); document; document = documents.pop()) {
      const { status } = await ask('POST', '/capture', { body: document() });
      assert.equal(status, 202);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write)).finally(() => (isOver = true));
  await Promise.all(reading);
  const [times, cursors] = readers;
  assert.equal(times.found.size, EVENTS, 'missed by the reader that polls by time');
  assert.equal(cursors.found.size, EVENTS, 'missed by the reader of the feed');
  assert.equal(cursors.twice(), 0, 'seen twice in the feed');
});

test('an empty answer of a feed is held back until something is there', async () => {
  const { cursor } = await walk(`/events?${RECORDED}`);
  const path = `/events?${RECORDED}&feedCursor=${cursor}`;
  const wait = { headers: { prefer: 'respond-async, wait=20' } };
  const answered = [];
  // Asked first, and for events that do not come: an answer after the whole wait would come behind this one.
  const other = new AbortController();
  const elsewhere = await walk(`/events?${RECORDED}&EQ_action=ADD`);
  const never = fetch(new URL(`/events?${RECORDED}&EQ_action=ADD&feedCursor=${elsewhere.cursor}`, store.address), {
    headers: { authorization: `Bearer ${store.key}`, ...wait.headers },
    signal: other.signal,
  }).then(
    () => answered.push('never'),
    () => undefined,
  );
  const waiting = ask('GET', path, wait).finally(() => answered.push('later'));
  for (let n = 0; n < 20; n += 1) await ask('GET', '/events?perPage=1');
  assert.deepEqual(answered, [], 'held back, while others are answered');
  await ask('POST', '/capture', { body: event(epc('later')) });
  const { read, headers } = await waiting;
  assert.deepEqual(answered, ['later']);
  other.abort();
  await never;
  assert.deepEqual(
    eventsOf(read).map(({ epcList }) => epcList[0]),
    [epc('later')],
  );
  assert.equal(headers['preference-applied'], 'wait=20');
  // Nothing new: an empty answer, with a cursor from which to continue.
  const nothing = await ask('GET', `/events?${RECORDED}&feedCursor=${headers['spine-feed-cursor']}`, { headers: { prefer: 'wait=1' } });
  assert.deepEqual(eventsOf(nothing.read), []);
  assert.ok(nothing.headers['spine-feed-cursor']);
  // A foreign cursor is refused, and so is a cursor with another query.
  for (const wrong of [`/events?${RECORDED}&feedCursor=x`, `/events?${RECORDED}&EQ_action=ADD&feedCursor=${cursor}`, `/events?feedCursor=x`]) {
    const { status, body } = await send(store.address, { method: 'GET', path: wrong, headers: { authorization: `Bearer ${store.key}` } });
    assert.equal(status, 400, wrong);
    assert.equal(JSON.parse(body).type, 'epcisException:QueryParameterException');
  }
  // With the cursor alone.
  const alone = await ask('GET', `/events?feedCursor=${cursor}`);
  assert.equal(eventsOf(alone.read).length, 1);
  // Named queries have feeds too.
  await ask('POST', '/queries', { body: { name: 'new', query: { orderBy: 'recordTime', orderDirection: 'ASC', EQ_action: ['OBSERVE'] } } });
  const named = await walk('/queries/new/events?perPage=1000');
  assert.equal(named.seen.length, EVENTS + 1);
  await ask('POST', '/capture', { body: event(epc('last')) });
  const since = await walk(`/queries/new/events?feedCursor=${named.cursor}`);
  assert.deepEqual(
    since.seen.map(({ epcList }) => epcList[0]),
    [epc('last')],
  );
});
