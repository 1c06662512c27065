// The client with the built Worker in workerd, and with servers that fail. Stored events are counted in the database.
// Invariant: The client stores nothing twice, whichever answer is lost.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { translateStream } from 'epcis-edge';
import { declareError, epcisDocument, objectEvent, withHash } from 'epcis-edge/build';
import { CaptureError, ConnectionError, OutcomeUnknownError, RequestError, connect } from 'epcis-edge/client';
import { open } from '../../worker/tests/store.js';
import { linksOf, retryAfterOf } from '../js/client/exchange.ts';
import { inWorkerd } from './in-workerd.js';

let store;
before(async () => {
  store = await open();
});
after(() => store?.dispose());

const clientOf = (options) => connect(store.address, { token: store.key, firstWait: 5, ...options });
let serial = 0;
const eventOf = (fields) =>
  objectEvent({
    eventTime: '2026-03-04T11:00:30.000+01:00',
    action: 'OBSERVE',
    bizStep: 'shipping',
    epcList: [`https://id.gs1.org/01/09521141012345/21/C${serial++}`],
    ...fields,
  });
const storedOf = async (event) => {
  const { eventID } = withHash(event);
  const { n } = await store.database.prepare('SELECT count(*) AS n FROM events WHERE event_id = ?').bind(eventID).first();
  return n;
};
const all = async (results) => {
  const found = [];
  for await (const event of results) found.push(event);
  return found;
};

test('an event, an array, a document, text, bytes and XML are captured, and found', async () => {
  const client = clientOf();
  const [one, two, three, four, five] = Array.from({ length: 5 }, () => eventOf());
  const captured = await client.capture(one);
  assert.deepEqual([captured.running, captured.success, captured.errors, captured.wasFound], [false, true, [], false]);
  assert.equal((await client.job(captured.captureID)).success, true);
  await client.capture([two, three]);
  await client.capture(epcisDocument([four]));
  await client.capture(JSON.stringify(epcisDocument([five])));
  await client.capture(new TextEncoder().encode(JSON.stringify(epcisDocument([eventOf()]))));
  await client.capture(
    '<EPCISDocument schemaVersion="1.2" creationDate="2026-11-20T08:00:00Z"><EPCISBody><EventList><ObjectEvent><eventTime>2026-11-20T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sscc:4012345.0000000333</epc></epcList><action>ADD</action></ObjectEvent></EventList></EPCISBody></EPCISDocument>',
  );
  for (const event of [one, two, three, four, five])
    assert.equal((await all(client.query({ MATCH_anyEPC: event.epcList })).catch((error) => [error])).length, 1);
  const [found] = await client.event(withHash(one).eventID);
  assert.equal(found.epcList[0], one.epcList[0]);
  assert.ok(found['@context'], 'an event stands alone');
});

test('a query follows pages, as iterator, pages and stream, and may be named', async () => {
  const client = clientOf();
  await client.capture(Array.from({ length: 7 }, () => eventOf({ bizStep: 'loading' })));
  assert.equal((await all(client.query({ EQ_bizStep: ['loading', 'unloading'], GE_eventTime: new Date(0) }, { perPage: 3 }))).length, 7);
  const sizes = [];
  for await (const page of client.query({ EQ_bizStep: 'loading' }, { perPage: 3 }).pages())
    sizes.push(page.epcisBody.queryResults.resultsBody.eventList.length);
  assert.deepEqual(sizes, [3, 3, 1]);
  let asked = 0;
  const counting = clientOf({ fetch: (...args) => ++asked && fetch(...args) });
  for await (const event of counting.query({ EQ_bizStep: 'loading' }, { perPage: 3 }).stream()) {
    assert.equal(event.bizStep, 'loading');
    if (event) break;
  }
  assert.equal(asked, 1, 'no page is asked for that nobody reads');
  await client.createQuery('loaded', { EQ_bizStep: ['loading'] });
  assert.equal((await all(client.namedQuery('loaded', { perPage: 2 }))).length, 7);
  await client.deleteQuery('loaded');
  await assert.rejects(all(client.namedQuery('loaded')), (error) => error instanceof RequestError && error.status === 404);
  await assert.rejects(client.deleteQuery('loaded'), { name: 'RequestError', status: 404 });
});

/** The same bytes in pieces of this length. */
const cutting = (length) =>
  new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += length) controller.enqueue(chunk.slice(at, at + length));
    },
  });

test('XML larger than a capture goes in as a stream', async () => {
  const client = clientOf();
  const events = Array.from(
    { length: 25 },
    (_, at) =>
      `<ObjectEvent><eventTime>2026-11-20T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sgtin:9521141.001234.X${at}</epc></epcList><action>ADD</action><bizStep>urn:epcglobal:cbv:bizstep:staging_outbound</bizStep></ObjectEvent>`,
  );
  const xml = () =>
    new Blob([
      `<EPCISDocument schemaVersion="1.2" creationDate="2026-11-20T08:00:00Z"><EPCISBody><EventList>${events.join('')}</EventList></EPCISBody></EPCISDocument>`,
    ]).stream();
  const jobs = await all(
    xml()
      .pipeThrough(translateStream())
      .pipeThrough(client.captureStream({ batchEvents: 10 })),
  );
  assert.deepEqual(
    jobs.map(({ success }) => success),
    [true, true, true],
  );
  await all(
    xml()
      .pipeThrough(translateStream({ as: 'object' }))
      .pipeThrough(client.captureStream({ batchBytes: 2000 })),
  );
  await all(
    xml()
      .pipeThrough(translateStream({ as: 'text' }))
      .pipeThrough(client.captureStream()),
  );
  await all(xml().pipeThrough(translateStream()).pipeThrough(cutting(100)).pipeThrough(client.captureStream()));
  await all(xml().pipeThrough(translateStream()).pipeThrough(new TextDecoderStream()).pipeThrough(cutting(77)).pipeThrough(client.captureStream()));
  assert.equal((await all(client.query({ EQ_bizStep: 'staging_outbound', perPage: 10 }))).length, 25, 'nothing is stored twice');
  const broken = new Blob(['{"type": "ObjectEvent"']).stream().pipeThrough(client.captureStream());
  await assert.rejects(all(broken), SyntaxError);
});

test('refusals are typed: a key, a document, a query', async () => {
  await assert.rejects(all(clientOf({ token: 'epcis_0_0' }).query({ EQ_bizStep: 'shipping' })), { name: 'RequestError', status: 401 });
  const bad = { ...epcisDocument([eventOf()]), creationDate: 'today' };
  await assert.rejects(clientOf().capture(bad), (error) => error instanceof RequestError && error.problem.type === 'epcisException:ValidationException');
  await assert.rejects(all(clientOf().query({ EQ_nothing: 'x' })), { name: 'RequestError', status: 400 });
  const [good, wrong] = [eventOf(), { ...eventOf(), action: 'LOOK' }];
  await assert.rejects(
    clientOf().capture([good, wrong], { errorBehaviour: 'proceed' }),
    (error) => error instanceof CaptureError && error.errors.length === 1 && error.job.running === false,
  );
  assert.equal(await storedOf(good), 1);
});

/**
 * A server in front of the gateway that does what `act` returns: `pass` forwards, `lose` forwards and then cuts the connection, `cut`
 * only cuts it, and an object is sent as the answer.
 */
async function inFront(act) {
  let captures = 0;
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const isCapture = request.method === 'POST';
      const what = act(request, isCapture ? captures++ : undefined);
      if (typeof what === 'object') return response.writeHead(what.status, what.headers).end(what.body);
      if (what === 'cut') return request.socket.destroy();
      const { host, connection, 'content-length': _, ...headers } = request.headers;
      const answer = await fetch(new URL(request.url, store.address), { method: request.method, headers, body: isCapture ? Buffer.concat(chunks) : undefined });
      const body = Buffer.from(await answer.arrayBuffer());
      if (what === 'lose') return request.socket.destroy();
      response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !/encoding|length|connection/.test(name)))).end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    client: (options) => connect(`http://127.0.0.1:${server.address().port}`, { token: store.key, firstWait: 5, ...options }),
    captures: () => captures,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function through(act, body) {
  const front = await inFront(act);
  try {
    await body(front);
  } finally {
    await front.close();
  }
}

test('an answer that is lost behind a capture: the events are looked for, and nothing is sent again', () =>
  through(
    (_, capture) => (capture === 0 ? 'lose' : 'pass'),
    async ({ client, captures }) => {
      const events = Array.from({ length: 45 }, () => eventOf());
      const captured = await client().capture(events);
      assert.deepEqual([captured.wasFound, captured.success, captures()], [true, true, 1]);
      for (const event of events) assert.equal(await storedOf(event), 1);
    },
  ));

test('an error declaration whose answer is lost is not taken for its event', () =>
  through(
    (_, capture) => (capture === 1 ? 'cut' : 'pass'),
    async ({ client, captures }) => {
      const event = withHash(eventOf());
      await client().capture(event);
      const captured = await client().capture(declareError(event, { reason: 'did_not_occur' }));
      assert.deepEqual([captured.wasFound, captures()], [false, 3]);
      assert.equal(await storedOf(event), 2);
    },
  ));

test('a capture that did not arrive is sent again, once it is seen that nothing is there', () =>
  through(
    (_, capture) => (capture === 0 ? 'cut' : capture === 1 ? { status: 503, headers: { 'retry-after': '0' } } : 'pass'),
    async ({ client, captures }) => {
      const event = eventOf();
      assert.equal((await client().capture(event)).wasFound, false);
      assert.deepEqual([captures(), await storedOf(event)], [3, 1]);
    },
  ));

test('with storesOnce a capture is sent again without looking, and stored once', () =>
  through(
    (request, capture) => (capture === undefined && request.url.startsWith('/events') ? 'cut' : capture === 0 ? 'lose' : 'pass'),
    async ({ client, captures }) => {
      const event = eventOf();
      assert.equal((await client({ storesOnce: true }).capture(event)).wasFound, false);
      assert.deepEqual([captures(), await storedOf(event)], [2, 1]);
    },
  ));

test('where it cannot be known, it says so and sends nothing again', () =>
  through(
    (request, capture) => (capture !== undefined ? 'lose' : request.url.startsWith('/events') ? { status: 403 } : 'pass'),
    async ({ client, captures }) => {
      await assert.rejects(client().capture(eventOf()), (error) => error instanceof OutcomeUnknownError && error.cause instanceof ConnectionError);
      await assert.rejects(client().capture(eventOf(), { name: false }), /some of its events have no eventID/);
      assert.equal(captures(), 2);
    },
  ));

test('part of the events being there is told, with names', () =>
  through(
    (_, capture) => (capture === 1 ? 'cut' : 'pass'),
    async ({ client, captures }) => {
      const [first, second] = [withHash(eventOf()), withHash(eventOf())];
      await client().capture(first);
      await assert.rejects(client().capture([first, second]), (error) => {
        assert.deepEqual([error.stored, error.missing], [[first.eventID], [second.eventID]]);
        return error instanceof OutcomeUnknownError;
      });
      assert.equal(captures(), 2);
    },
  ));

test('Retry-After is waited for, and not where it asks for too much', (t) => {
  // The wait is not lived through.
  const waits = [];
  const setting = globalThis.setTimeout;
  t.mock.method(globalThis, 'setTimeout', (call, milliseconds, ...more) => {
    if (milliseconds !== 2_000) return setting(call, milliseconds, ...more);
    waits.push(milliseconds);
    return setting(call, 0);
  });
  return through(
    (_, capture) =>
      capture === 0 ? { status: 429, headers: { 'retry-after': '2' } } : capture === 2 ? { status: 429, headers: { 'retry-after': '3600' } } : 'pass',
    async ({ client, captures }) => {
      await client().capture(eventOf());
      assert.deepEqual([captures(), waits], [2, [2_000]]);
      await assert.rejects(client().capture(eventOf()), { name: 'RequestError', status: 429, retryAfter: 3_600_000 });
      assert.equal(captures(), 3);
    },
  );
});

test('reading is repeated, a caller ends it, and a key goes to no other place', async () => {
  let asked = 0;
  await through(
    () => (asked++ < 2 ? { status: 503 } : 'pass'),
    async ({ client }) => {
      await all(client().query({ EQ_bizStep: 'shipping' }));
      assert.ok(asked >= 3);
    },
  );
  await through(
    () => ({ status: 503, headers: { 'retry-after': '30' } }),
    async ({ client }) => {
      const signal = AbortSignal.timeout(50);
      await assert.rejects(all(client().query({}, { signal })), { name: 'TimeoutError' });
      await assert.rejects(client({ retries: 0 }).capture(eventOf(), { signal }), { name: 'TimeoutError' });
    },
  );
  await through(
    () => ({ status: 202, headers: { location: 'https://elsewhere.example/capture/1' } }),
    async ({ client }) => assert.rejects(client().capture(eventOf()), /the key is not sent there/),
  );
  const closed = await inFront(() => 'pass');
  const unreachable = closed.client({ retries: 1, firstWait: 1 });
  await closed.close();
  await assert.rejects(unreachable.capture(eventOf()), (error) => error instanceof ConnectionError && error.isUnsent);
});

test('a job that runs is waited for, and a job that failed is an error', () => {
  let polls = 0;
  return through(
    (request, capture) => {
      if (capture !== undefined) return { status: 202, headers: { location: capture === 0 ? '/capture/slow' : '/capture/bad' } };
      if (request.url === '/capture/bad')
        return { status: 200, body: JSON.stringify({ captureID: 'bad', running: false, success: false, errors: [{ title: 'no' }] }) };
      return { status: 200, body: JSON.stringify({ captureID: 'slow', running: ++polls < 4, success: polls >= 4 }) };
    },
    async ({ client }) => {
      assert.equal((await client().capture(eventOf())).captureID, 'slow');
      assert.equal(polls, 4);
      await assert.rejects(client().capture(eventOf()), /the capture job bad has failed: no/);
    },
  );
});

test('the client in workerd captures and queries', async () => {
  const { worker, dispose } = await inWorkerd(`
import { objectEvent } from 'epcis-edge/build';
import { connect } from 'epcis-edge/client';
export default {
  async fetch(request) {
    const { url, token, fields } = await request.json();
    const client = connect(url, { token });
    const { success } = await client.capture([objectEvent(fields)]);
    const found = [];
    for await (const event of client.query({ MATCH_anyEPC: fields.epcList }).stream()) found.push(event.eventID);
    return Response.json({ success, found });
  },
};`);
  try {
    const event = withHash(eventOf());
    const { '@context': _, type, eventID, ...fields } = event;
    const body = JSON.stringify({ url: store.address.href, token: store.key, fields });
    const answer = await worker.dispatchFetch('http://worker.example/', { method: 'POST', body });
    assert.deepEqual(await answer.json(), { success: true, found: [eventID] });
  } finally {
    await dispose();
  }
});

test('what does not serve is a TypeError that says what does', async () => {
  assert.throws(() => connect('ftp://x'), TypeError);
  assert.throws(() => connect('https://a:b@x'), /basic/);
  assert.throws(() => connect('https://x', { key: 'x' }), /has no option "key", expected token, basic/);
  assert.throws(() => connect('https://x', { token: 'x', basic: { user: 'a', password: 'b' } }), /expected one of them/);
  assert.throws(() => connect('https://x', { retries: -1 }), /is not a whole number/);
  assert.throws(() => clientOf().query({ EQ_bizStep: 'a|b' }), /createQuery/);
  assert.throws(() => clientOf().query({ EQ_bizStep: {} }), TypeError);
  await assert.rejects(clientOf().capture(5), TypeError);
});

test('headers are read as the standards say', () => {
  assert.deepEqual(linksOf('</events?nextPageToken=a%2Cb>; rel="next", <https://x/>;title="a, <b>; c";rel=prev'), {
    next: '/events?nextPageToken=a%2Cb',
    prev: 'https://x/',
  });
  assert.deepEqual(linksOf(null), {});
  assert.deepEqual(linksOf('junk, </a.css>; rel=preload; nopush, </e>; title="a \\" b; rel=x"; REL="last Next", <cut'), {
    preload: '/a.css',
    last: '/e',
    next: '/e',
  });
  const before = process.cpuUsage();
  assert.deepEqual(linksOf('<'.repeat(250_000)), {});
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 2_000_000, 'the work grows with the square of the length');
  assert.equal(retryAfterOf(new Headers({ 'retry-after': '120' })), 120_000);
  assert.equal(retryAfterOf(new Headers({ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), Date.UTC(2026, 9, 21, 7, 27)), 60_000);
  assert.equal(retryAfterOf(new Headers({ 'retry-after': 'soon' })), undefined);
});
