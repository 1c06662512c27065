// The client with servers that never end, mislead or fall silent, and with a feed that breaks. Small stand-ins play these servers.
// Invariant: No server can make the client read without end, or send its key elsewhere; a feed loses and repeats nothing if connections
// break.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { objectEvent, withHash } from 'epcis-edge/build';
import { AnswerError, CaptureError, ConnectionError, OutcomeUnknownError, RequestError, connect } from 'epcis-edge/client';
import { open } from '../../worker/tests/store.js';

/** A server that answers as `act(request, response)` does. Records the keys that it received. */
async function serving(act, body) {
  const keys = [];
  const server = http.createServer((request, response) => {
    keys.push(request.headers.authorization);
    request.resume();
    act(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  try {
    await body({ address, keys, client: (options) => connect(address, { token: 'key', firstWait: 1, retries: 1, ...options }) });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
const pageOf = (eventList) => JSON.stringify({ type: 'EPCISQueryDocument', epcisBody: { queryResults: { resultsBody: { eventList } } } });
const eventOf = (n) => ({ type: 'ObjectEvent', eventID: `urn:uuid:${n}` });
const all = async (results) => {
  const found = [];
  for await (const one of results) found.push(one);
  return found;
};
const because = (reason) => (error) => {
  assert.ok(error instanceof AnswerError, `${error.name}: ${error.message}`);
  assert.equal(error.reason, reason, error.message);
  return true;
};

test('links to itself, in a circle, and on and on with nothing or the same are found', async () => {
  for (const [name, next, list] of [
    ['itself', (url) => url, (n) => [eventOf(n)]],
    ['a circle of three', (_, n) => `/events?nextPageToken=${n % 3}`, (n) => [eventOf(n)]],
    ['a circle of a hundred behind a way of ten', (_, n) => `/events?nextPageToken=${n < 10 ? `way${n}` : n % 100}`, (n) => [eventOf(n)]],
    ['nothing, for ever', (_, n) => `/events?nextPageToken=t${n}`, () => []],
    ['the same, for ever', (_, n) => `/events?nextPageToken=t${n}`, () => [eventOf(1)]],
  ]) {
    let asked = 0;
    await serving(
      (request, response) => {
        asked += 1;
        response.writeHead(200, { link: `<${next(request.url, asked)}>; rel="next"` }).end(pageOf(list(asked)));
      },
      async ({ client }) => {
        // A page may be empty although more follow, because a store reads a limited number of events per page.
        const bound = { maxPages: 500 };
        await assert.rejects(all(client(bound).query({})), because('endless'), name);
        await assert.rejects(all(client(bound).namedQuery('q')), because('endless'), name);
        await assert.rejects(all(client(bound).query({}).stream()), because('endless'), name);
        assert.ok(asked <= 1500, `${name}: asked ${asked} times`);
      },
    );
  }
});

test('new events for ever are read up to maxPages', () => {
  let asked = 0;
  return serving(
    (_, response) => response.writeHead(200, { link: `</events?nextPageToken=t${++asked}>; rel="next"` }).end(pageOf([eventOf(asked)])),
    async ({ client }) => {
      const found = [];
      await assert.rejects(
        (async () => {
          for await (const event of client({ maxPages: 50 }).query({})) found.push(event);
        })(),
        because('endless'),
      );
      assert.deepEqual([found.length, asked], [50, 50], 'what came is handed on, and no more is asked');
    },
  );
});

test('an answer is read up to maxAnswer, whatever it announces', async () => {
  let written = 0;
  const endless = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write('          '.repeat(6553))) written += 65_530;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  await serving(endless, async ({ client }) => {
    const small = client({ maxAnswer: 1_000_000 });
    await assert.rejects(all(small.query({})), because('too-long'));
    await assert.rejects(small.job('1'), because('too-long'));
    await assert.rejects(small.event('urn:uuid:1'), because('too-long'));
    await assert.rejects(small.createQuery('q', {}), because('too-long'));
    await assert.rejects(all(small.follow({})), because('too-long'));
    // After such an answer, the outcome of a capture is unknown.
    const capture = small.capture(withHash(objectEvent({ eventTime: '2026-01-01T00:00:00Z', action: 'ADD', epcList: ['urn:epc:id:sscc:9521141.1234567890'] })));
    await assert.rejects(capture, OutcomeUnknownError);
    assert.ok(written < 100_000_000, `${written} bytes were taken`);
  });
  await serving(
    (_, response) => response.end(pageOf(Array.from({ length: 1000 }, (_, n) => eventOf(n)))),
    async ({ client }) => {
      await assert.rejects(all(client({ maxAnswer: 10_000 }).query({})), because('too-long'));
      assert.equal((await all(client({ maxAnswer: 100_000 }).query({}))).length, 1000);
      const plain = client({ maxAnswer: 1000, fetch: async () => ({ status: 200, headers: new Headers(), text: async () => ' '.repeat(1001) }) });
      await assert.rejects(all(plain.query({})), because('too-long'));
    },
  );
});

test('no link, location or redirect takes the key to another origin', async () => {
  await serving(
    (_, response) => response.end(pageOf([])),
    async ({ address: elsewhere, keys: taken }) => {
      for (const link of [
        `${elsewhere}/events`,
        elsewhere.replace('http:', 'https:'),
        `//${new URL(elsewhere).host}/events`,
        'http://[/',
        'javascript:1',
        'data:,x',
      ])
        await serving(
          (request, response) => {
            if (request.url.startsWith('/queries')) response.writeHead(307, { location: link }).end();
            else
              response
                .writeHead(request.method === 'POST' ? 202 : 200, { link: `<${link}>; rel="next"`, location: link, 'spine-feed-cursor': 'a' })
                .end(pageOf([eventOf(1)]));
          },
          async ({ client }) => {
            await assert.rejects(all(client().query({})), because('another-place'), link);
            await assert.rejects(all(client().follow({})), because('another-place'), link);
            await assert.rejects(client().capture([]), because('another-place'), link);
            await assert.rejects(all(client().namedQuery('q')), (error) => error instanceof RequestError && error.status === 307);
          },
        );
      assert.deepEqual(taken, [], 'nobody else was asked');
    },
  );
});

test('answers of other kinds are told, never a TypeError', async () => {
  const given = [
    'null',
    '[]',
    '5',
    '"x"',
    '',
    '<p>',
    '{"epcisBody": null}',
    '{"epcisBody": {"queryResults": {"resultsBody": {"eventList": [null, 5]}}}}',
    '{"errors": {}}',
  ];
  for (const body of given)
    for (const status of [200, 202, 400, 404])
      await serving(
        (request, response) => response.writeHead(status, request.method === 'POST' ? { location: '/capture/1' } : {}).end(body),
        async ({ client }) => {
          const http = client({ retries: 0, jobTimeout: 1, storesOnce: true });
          for (const call of [() => all(http.query({})), () => http.job('1'), () => http.event('a'), () => http.capture([]), () => all(http.follow({}))]) {
            const error = await call().then(
              () => undefined,
              (thrown) => thrown,
            );
            const isTyped = error === undefined || [AnswerError, RequestError, CaptureError, OutcomeUnknownError].some((kind) => error instanceof kind);
            assert.ok(isTyped, `${status} ${body}: ${error?.stack}`);
          }
        },
      );
});

const captured = () => withHash(objectEvent({ eventTime: '2026-01-01T00:00:00Z', action: 'ADD', epcList: ['urn:epc:id:sscc:9521141.1234567890'] }));

test('the page of a proxy or of a wrong address is no success, and the error says what was answered', async () => {
  const page = `<!doctype html>\n<title>Welcome to the portal of the company</title>${' '.repeat(1000)}`;
  await serving(
    (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
    async ({ client, address }) => {
      const http = client();
      for (const [reason, call] of [
        ['unexpected', () => http.capture(captured())],
        ['unexpected', () => all(new Blob([JSON.stringify(captured())]).stream().pipeThrough(http.captureStream()))],
        ['unexpected', () => http.createQuery('q', {})],
        ['unexpected', () => http.deleteQuery('q')],
        ['not-a-document', () => http.job('1')],
        ['not-a-document', () => http.event('urn:uuid:1')],
        ['not-a-document', () => all(http.query({}))],
        ['not-a-document', () => all(http.namedQuery('q'))],
        ['not-a-document', () => all(http.follow({}))],
        ['not-a-document', () => all(http.followNamed('q'))],
      ])
        await assert.rejects(call(), (error) => {
          assert.ok(because(reason)(error));
          assert.ok(error.message.includes(address), error.message);
          assert.match(error.message, /answered with 200 text\/html `<!doctype html> <title>Welcome to the portal of the c[^`]*…`, expected /);
          return error.message.length < 400;
        });
    },
  );
});

test('JSON of something else is no success either', async () => {
  for (const [status, body] of [
    [200, '{"status":"ok"}'],
    [200, ''],
    [202, ''],
    [204, undefined],
  ])
    await serving(
      (_, response) => response.writeHead(status).end(body),
      async ({ client }) => {
        const http = client();
        await assert.rejects(http.capture(captured()), because('unexpected'), `${status} ${body}`);
        await assert.rejects(http.createQuery('q', {}), because('unexpected'), `${status} ${body}`);
        for (const call of [() => http.job('1'), () => http.event('urn:uuid:1'), () => all(http.query({})), () => all(http.follow({}))])
          await assert.rejects(call(), because('not-a-document'), `${status} ${body}`);
      },
    );
  await serving(
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}'),
    async ({ client }) => {
      await assert.rejects(client().deleteQuery('q'), because('unexpected'));
      await assert.rejects(client().capture(captured()), /answered with 200 application\/json `\{"status":"ok"\}`, expected 202 and the Location/);
    },
  );
  // Only an answer with the members of a job is a job.
  await serving(
    (request, response) => response.writeHead(request.method === 'POST' ? 202 : 200, { location: '/capture/1' }).end('{"status":"ok"}'),
    ({ client }) => assert.rejects(client().capture(captured()), because('not-a-document')),
  );
});

test('answers of other servers that say enough are taken', async () => {
  await serving(
    (request, response) => {
      if (request.url === '/capture') response.writeHead(200, { location: '/capture/1' }).end('accepted');
      else if (request.url === '/capture/1') response.end('{"success":true}');
      else if (request.url === '/events/urn%3Auuid%3A1') response.end(JSON.stringify(eventOf(1)));
      else if (request.url === '/events') response.end('{"type":"EPCISQueryDocument","epcisBody":{}}');
      else if (request.method === 'DELETE') response.writeHead(request.url === '/queries/gone' ? 204 : 200).end();
      else if (request.method === 'POST') response.writeHead(201).end('created');
    },
    async ({ client }) => {
      const http = client();
      assert.deepEqual(await http.capture(captured()), { captureID: '1', running: false, success: true, errors: [], wasFound: false });
      assert.deepEqual(await http.event('urn:uuid:1'), [eventOf(1)]);
      assert.deepEqual(await all(http.query({})), []);
      await http.createQuery('q', {});
      await http.deleteQuery('gone');
      await http.deleteQuery('q');
    },
  );
});

test('a key that no header can have is refused without being told', () => {
  for (const token of ['a\nb', 'kéy', 'key\0'])
    assert.throws(
      () => connect('https://x.example', { token }),
      (error) => error instanceof TypeError && !error.message.includes(token),
    );
});

/** A gateway with a feed, two events per page, that holds empty answers back. `fault(n)` may return a fault for its nth answer. */
function feedOf(events, fault = () => undefined, onHeld = () => undefined) {
  const seen = [];
  const act = (request, response) => {
    const url = new URL(request.url, 'http://x');
    seen.push({ path: url.pathname, query: Object.fromEntries(url.searchParams), prefer: request.headers.prefer });
    const what = fault(seen.length);
    if (what === 'cut') return request.socket.destroy();
    if (what) return response.writeHead(what.status, what.headers).end(what.body);
    const { feedCursor, nextPageToken } = Object.fromEntries(url.searchParams);
    if (feedCursor !== undefined && !/^c\d+$/.test(feedCursor))
      return response.writeHead(400).end(JSON.stringify({ type: 'epcisException:QueryParameterException', title: 'Not a cursor', status: 400 }));
    const from = Number((nextPageToken ?? feedCursor ?? 'c0').slice(1));
    const answer = (headers) => {
      const list = events.slice(from, from + 2);
      const end = from + list.length;
      const link = end < events.length ? { link: `<${url.pathname}?nextPageToken=t${end}>; rel="next"` } : {};
      response.writeHead(200, { ...headers, ...link, 'spine-feed-cursor': `c${end}` }).end(pageOf(list));
    };
    const [, seconds] = /^wait=(\d+)$/.exec(request.headers.prefer ?? '') ?? [];
    if (from < events.length || seconds === undefined) return answer({});
    onHeld();
    const timer = setInterval(() => {
      if (from >= events.length) return;
      clearInterval(timer);
      if (!response.destroyed) answer({ 'preference-applied': `wait=${seconds}` });
    }, 10);
    request.socket.once('close', () => clearInterval(timer));
  };
  return { act, seen };
}
const namesOf = (batch) => batch.events.map(({ eventID }) => Number(eventID.slice(9)));

test('a feed gives what is there, then what comes, and goes on from any cursor', async () => {
  const events = [0, 1, 2, 3, 4].map(eventOf);
  const { act, seen } = feedOf(events, undefined, () => events.push(eventOf(5)));
  await serving(act, async ({ client }) => {
    const end = new AbortController();
    const batches = [];
    for await (const batch of client().follow({ EQ_bizStep: 'shipping' }, { signal: end.signal, perPage: 2, wait: 5 })) {
      batches.push(batch);
      if (batches.length === 4) end.abort();
    }
    assert.deepEqual(
      batches.map((batch) => [namesOf(batch), batch.cursor]),
      [
        [[0, 1], 'c2'],
        [[2, 3], 'c4'],
        [[4], 'c5'],
        [[5], 'c6'],
      ],
    );
    assert.deepEqual(seen[0], {
      path: '/events',
      query: { EQ_bizStep: 'shipping', orderBy: 'recordTime', orderDirection: 'ASC', perPage: '2' },
      prefer: 'wait=5',
    });
    assert.deepEqual([seen[3].query.feedCursor, seen[3].query.EQ_bizStep], ['c5', 'shipping']);
    for (const cursor of ['c2', 'c5']) {
      const again = client().follow({ EQ_bizStep: 'shipping' }, { cursor });
      assert.deepEqual((await again.next()).value.events[0].eventID, `urn:uuid:${cursor.slice(1)}`);
      await again.return();
    }
    const named = client().followNamed('my query');
    assert.deepEqual(namesOf((await named.next()).value), [0, 1]);
    assert.equal(seen.at(-1).path, '/queries/my%20query/events');
  });
});

test('a feed outlives lines that break and servers that are away, and loses and repeats nothing', async () => {
  const events = [0, 1, 2, 3, 4, 5, 6].map(eventOf);
  const faults = {
    1: 'cut',
    2: { status: 503, headers: { 'retry-after': '0' } },
    4: 'cut',
    6: { status: 502 },
    8: { status: 429, headers: { 'retry-after': '1' } },
  };
  const { act, seen } = feedOf(events, (n) => faults[n]);
  await serving(act, async ({ client }) => {
    const end = new AbortController();
    const found = [];
    for await (const batch of client({ retries: 3 }).follow({}, { signal: end.signal })) {
      found.push(...namesOf(batch));
      if (found.length === 7) end.abort();
    }
    assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6]);
    assert.equal(seen.length, 9);
  });
  // A lasting fault is thrown, and the last cursor can be continued.
  await serving(feedOf(events, (n) => (n > 1 && n < 10 ? 'cut' : undefined)).act, async ({ client }) => {
    let cursor;
    await assert.rejects(
      (async () => {
        for await (const batch of client().follow({})) ({ cursor } = batch);
      })(),
      ConnectionError,
    );
    assert.equal(cursor, 'c2');
  });
});

test('a feed ends with its signal, while it waits, too, and refuses what is no feed', async () => {
  const end = new AbortController();
  // Ended when it is held back.
  const { act } = feedOf([], undefined, () => end.abort(new Error('enough')));
  let answered = 0;
  const counted = (request, response) => {
    response.once('finish', () => (answered += 1));
    act(request, response);
  };
  await serving(counted, async ({ client }) => {
    assert.deepEqual(await all(client().follow({}, { signal: end.signal })), []);
    assert.equal(answered, 0, 'it ends while the answer is held back');
    assert.deepEqual(await all(client().follow({}, { signal: AbortSignal.abort(new Error('enough')) })), []);
    await assert.rejects(all(client().follow({}, { cursor: 'of another key' })), (error) => error.status === 400 && error.problem.title === 'Not a cursor');
    for (const [query, options] of [
      [{ orderBy: 'eventTime' }, {}],
      [{ orderDirection: 'DESC' }, {}],
      [5, {}],
      [{}, { cursor: '' }],
      [{}, { wait: 0 }],
      [{}, { wait: 1.5 }],
      [{}, { from: 'c1' }],
    ])
      assert.throws(() => client().follow(query, options), TypeError, JSON.stringify([query, options]));
  });
  await serving(
    (_, response) => response.end(pageOf([])),
    async ({ client }) => assert.rejects(all(client().follow({})), because('no-feed')),
  );
  await serving(
    (_, response) => response.writeHead(200, { 'spine-feed-cursor': 'c1' }).end(pageOf([eventOf(1)])),
    async ({ client }) => assert.rejects(all(client().follow({})), because('endless')),
  );
});

test('a server that does not hold answers back is not asked without a pause', async (t) => {
  // No time passes, and the pauses are not lived through.
  t.mock.method(Date, 'now', () => 1_772_600_000_000);
  const setting = globalThis.setTimeout;
  const order = [];
  t.mock.method(globalThis, 'setTimeout', (call, milliseconds, ...more) => {
    // Timers of others, such as connections of other tests, are left alone.
    if (!new Error().stack.includes('lib/client/exchange.js')) return setting(call, milliseconds, ...more);
    order.push(milliseconds);
    return setting(call, 0);
  });
  const end = new AbortController();
  let asked = 0;
  const client = connect('http://gateway.example', {
    fetch: async () => {
      asked += 1;
      order.push('asked');
      if (asked === 3) end.abort();
      return new Response(pageOf([]), { headers: { 'spine-feed-cursor': 'c0', ...(asked > 1 ? { 'preference-applied': 'wait=20' } : {}) } });
    },
  });
  await all(client.follow({}, { signal: end.signal, wait: 7 }));
  // The whole wait behind an answer that came at once; less behind one of which the server says that it waited.
  assert.deepEqual(order, ['asked', 7000, 'asked', 1000, 'asked']);
});

test('the feed of the gateway', async () => {
  const store = await open();
  try {
    const client = connect(store.address, { token: store.key });
    const fresh = (n) =>
      objectEvent({ eventTime: '2026-03-04T11:00:30Z', action: 'OBSERVE', bizStep: 'packing', epcList: [`https://id.gs1.org/01/09521141012345/21/F${n}`] });
    for (let n = 0; n < 5; n += 1) await client.capture(fresh(n));
    const end = new AbortController();
    const found = [];
    const cursors = [];
    for await (const { events, cursor } of client.follow({ EQ_bizStep: 'packing' }, { signal: end.signal, perPage: 2, wait: 5 })) {
      found.push(...events.map(({ epcList }) => epcList[0].split('/').at(-1)));
      cursors.push(cursor);
      // Events captured while it waits are delivered too.
      if (found.length === 5) setImmediate(() => client.capture([fresh(5), fresh(6)]));
      if (found.length === 7) end.abort();
    }
    assert.deepEqual(found.slice(0, 5), ['F0', 'F1', 'F2', 'F3', 'F4']);
    assert.deepEqual(found.slice(5).sort(), ['F5', 'F6']);
    // Every cursor continues after its own batch.
    await client.capture(fresh(7));
    const again = [];
    for await (const { events } of client.follow({ EQ_bizStep: 'packing' }, { cursor: cursors[0], perPage: 2, wait: 1 })) {
      again.push(...events.map(({ epcList }) => epcList[0].split('/').at(-1)));
      if (again.includes('F7')) break;
    }
    assert.deepEqual(again, [...found.slice(2), 'F7']);
    await client.createQuery('fed', { EQ_bizStep: ['packing'], orderBy: 'recordTime', orderDirection: 'ASC' });
    const named = client.followNamed('fed');
    assert.ok((await named.next()).value.events.length > 0);
    await named.return();
    await assert.rejects(all(client.follow({}, { cursor: 'made-up' })), (error) => error instanceof RequestError && error.status === 400);
  } finally {
    await store.dispose();
  }
});
