// Many captures at once, with readers meanwhile: every event is stored once, and every walk over pages shows one moment.
// Invariant: All pages of a query see one moment, despite concurrent captures.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { documentOf, event, eventsOf, open } from './store.js';

const CAPTURES = 50;
const FRESH = 20;
const PER_CAPTURE = 60;

let store;
before(async () => {
  store = await open();
});
after(() => store?.dispose());

const epc = (n) => `urn:epc:id:sgtin:0614141.112345.${n}`;
// Event times run against the order of capture.
const time = (n) => new Date(Date.UTC(2026, 5, 1) - n * 1000).toISOString();
/** Each document begins with the last events of the two documents before it, and every third one is reversed. */
const sent = (capture) => {
  const events = Array.from({ length: PER_CAPTURE }, (_, n) => event(epc(capture * FRESH + n), { eventTime: time(capture * FRESH + n) }));
  return documentOf(capture % 3 ? events : events.reverse());
};

/** All pages of a query, one after the other. */
async function walk(query, perPage) {
  const found = [];
  let nextPageToken;
  do {
    const answer = await store.ask('query', { query, perPage, ...(nextPageToken ? { nextPageToken } : {}) });
    found.push(...eventsOf(answer).map(({ eventID }) => eventID));
    ({ nextPageToken } = answer);
  } while (nextPageToken);
  return found;
}

test('50 captures at once with overlapping events, and readers meanwhile', async (t) => {
  let isOver = false;
  const walks = [];
  const orders = [{}, { orderBy: 'eventTime', orderDirection: 'ASC' }, { MATCH_anyEPC: 'urn:epc:idpat:sgtin:0614141.112345.*' }, { orderBy: 'recordTime' }];
  const reader = async (number) => {
    const query = orders[number];
    while (!isOver) walks.push({ query, found: await walk(query, 40 + number * 20) });
  };
  const readers = orders.map((_, number) => reader(number));
  // Ten at a time. The next ten begin when a reader has seen one of these, while the others may still be under way.
  const captures = [];
  const begin = async () => {
    while (captures.length < CAPTURES) {
      const ten = Array.from({ length: 10 }, (_, n) => store.ask('capture', { document: sent(captures.length + n) }));
      captures.push(...ten);
      await Promise.race(ten);
      walks.push({ query: {}, found: await walk({}, 100) });
    }
    return await Promise.all(captures);
  };
  const answers = await begin().finally(() => (isOver = true));
  await Promise.all(readers);

  // Every event is stored once: exactly one capture brought it, and all others return the same eventID.
  const brought = new Map();
  const names = new Map();
  answers.forEach((answer, capture) => {
    const { eventList } = sent(capture).epcisBody;
    assert.equal(answer.events.length, PER_CAPTURE);
    answer.events.forEach(({ eventID, duplicate }, index) => {
      const [of] = eventList[index].epcList;
      if (!duplicate) brought.set(of, (brought.get(of) ?? 0) + 1);
      assert.equal(names.get(of) ?? eventID, eventID);
      names.set(of, eventID);
    });
  });
  const distinct = (CAPTURES - 1) * FRESH + PER_CAPTURE;
  assert.equal(brought.size, distinct);
  assert.deepEqual(new Set(brought.values()), new Set([1]));
  const all = await walk({}, 1000);
  assert.equal(all.length, distinct);
  assert.deepEqual(new Set(all), new Set(names.values()));

  // A walk shows the events up to one moment: the first ones, with none missing and none twice, however many came meanwhile.
  const place = new Map(all.map((eventID, index) => [eventID, index]));
  let between = 0;
  for (const { query, found } of walks) {
    assert.equal(new Set(found).size, found.length, `${JSON.stringify(query)}: an event twice`);
    const places = found.map((eventID) => place.get(eventID));
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      places.map((_, index) => index),
      `${JSON.stringify(query)}: a gap`,
    );
    if (!query.orderBy)
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
    if (found.length > 0 && found.length < distinct) between += 1;
  }
  assert.ok(between >= 3, `${walks.length} walks, only ${between} of them saw a store that was growing`);
  t.diagnostic(`${walks.length} walks, ${between} of them over a store that was growing`);
});
