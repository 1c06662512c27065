// The front of `make serve`: whatever the gateway does, the answer is the gateway's or a problem document, and reveals nothing
// about this machine.
// Invariant: A request to a local gateway, however malformed, gets the gateway's answer or a problem document, and reveals nothing of
// the machine.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { startFront } from '../../scripts/front.ts';
import { send } from './gateway.js';
import { open } from './store.js';

let store;
let front;
const said = [];
before(async () => {
  store = await open({ bindings: { BASE_URL: '' } });
  front = await startFront({ to: store.address, log: (message) => said.push(message), patience: 1000 });
});
after(async () => {
  await front?.close();
  await store?.dispose();
});

/** Sends these bytes. Returns what comes back until the other side closes, `until` matches, or too much time has passed. */
function raw(text, { milliseconds = 120_000, until, address = front.address } = {}) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(address.port), '127.0.0.1', () => socket.write(text));
    let got = '';
    const end = () => {
      socket.destroy();
      resolve(got);
    };
    const timer = setTimeout(end, milliseconds);
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      got += chunk;
      if (until?.test(got)) end();
    });
    socket.on('close', () => (clearTimeout(timer), end()));
    socket.on('error', (error) => (got === '' && error.code !== 'ECONNRESET' ? reject(error) : end()));
  });
}

/** Asserts that a raw answer is a problem document, and returns it. */
function problemIn(answer, what) {
  const [head, ...rest] = answer.split('\r\n\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? assert.fail(`${what}: ${JSON.stringify(answer)}`);
  assert.match(head, /^content-type: application\/problem\+json/im, `${what}: ${answer}`);
  const problem = JSON.parse(rest.join('\r\n\r\n').replace(/^[\da-f]+\r\n|\r\n0\r\n\r\n$/g, ''));
  assert.match(problem.type, /^epcisException:/, what);
  assert.equal(problem.status, Number(status), what);
  assert.ok(problem.title && problem.detail, what);
  assert.doesNotMatch(answer, /node_modules|file:\/\/|\.[jt]s:\d|\.mjs|\bat \w+ \(|workerd|miniflare/i, what);
  return problem;
}

const odd = {
  'GET *': ['GET * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  'OPTIONS *': ['OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  'a path without a slash': ['GET events HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  CONNECT: ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
  TRACE: ['TRACE / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  PROPFIND: ['PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  'no method': ['EPCIS / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
  'two hosts': ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  'the same host twice': ['GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400],
  'no host': ['GET / HTTP/1.1\r\n\r\n', 400],
  'an empty host': ['GET / HTTP/1.1\r\nHost:\r\n\r\n', 400],
  'a host with blanks': ['GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
  'a host with a path': ['GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
  'a host with a user': ['GET / HTTP/1.1\r\nHost: a@b\r\n\r\n', 400],
  'a host with a bracket': ['GET / HTTP/1.1\r\nHost: [\r\n\r\n', 400],
  'a host with a port that is none': ['GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n', 400],
  'two lengths': ['POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
  'a length and chunks': ['POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  'a length that is none': ['POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
  'chunks that are none': ['POST /validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
  'another protocol': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'no protocol': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n', 501],
  'a head that is too long': [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
  'an expectation': ['POST /validate HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n{}', 417],
  'pages of Miniflare': ['GET /cdn-cgi/local/explorer HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
  'pages of Miniflare, about': ['GET /x/../cdn-cgi/local/r2/public/a HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
  'waking it': ['GET /cdn-cgi/local/scheduled HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
};
for (const [what, [text, status]] of Object.entries(odd))
  test(`${what}: a problem document`, async () => {
    assert.equal(problemIn(await raw(text), what).status, status);
  });

test('documents of the bucket are not handed out beside the gateway', async () => {
  await store.bucket.put('a-document', 'what was captured');
  const path = '/cdn-cgi/local/r2/public/epcis-edge-documents/a-document';
  assert.equal((await send(store.address, { method: 'GET', path })).body.toString(), 'what was captured', 'Miniflare would');
  for (const spelt of [path, path.replace('cdn-cgi', 'CDN-CGI'), `/x/..${path}`, path.replace('-', '%2D'), path.replace('/local', '//local')]) {
    const answer = await send(front.address, { method: 'GET', path: spelt });
    assert.equal(answer.status, 404, spelt);
    assert.doesNotMatch(answer.body.toString(), /captured/, spelt);
  }
});

test('headers of Miniflare change nothing', async () => {
  const plain = await raw('GET /family.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  for (const header of [
    'MF-Original-URL: x',
    'MF-Proxy-Shared-Secret: x',
    'MF-CF-Blob: x',
    'MF-Route-Override: x',
    'MF-Disable-Pretty-Error: 1',
    'Accept-Encoding: identity;q=0',
  ]) {
    const answer = await raw(`GET /family.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n\r\n`);
    assert.equal(answer.split('\r\n')[0], plain.split('\r\n')[0], header);
    assert.equal(answer.split('\r\n\r\n')[1], plain.split('\r\n\r\n')[1], header);
  }
});

test('a body that was announced and does not come, or breaks off, or a head that does not end: 408', async () => {
  // With the patience of `make serve`, a refusal comes later.
  const patient = await startFront({ to: store.address, log: (message) => said.push(message) });
  let refusedLater = 0;
  const later = [];
  for (const text of [
    'POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n',
    'POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"type"',
    'POST /capture HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n',
    'POST /validate HTTP/1.1\r\nHost: a\r\nContent-Le',
  ]) {
    later.push(raw(text, { address: patient.address }).then(() => (refusedLater += 1)));
    assert.equal(problemIn(await raw(text), text).status, 408, text);
    assert.equal(refusedLater, 0, text);
  }
  await patient.close();
  await Promise.all(later);
});

test('a body that comes slowly, and goes on coming, is taken: each part begins the wait anew', { timeout: 120_000 }, async (t) => {
  const body = '[{"type":"ObjectEvent"}]';
  // No other timer of this process waits this long.
  const patience = 123_457;
  const waits = [];
  const begun = new EventEmitter();
  const [setting, clearing] = [globalThis.setTimeout, globalThis.clearTimeout];
  t.mock.method(globalThis, 'setTimeout', (call, milliseconds, ...more) => {
    if (milliseconds !== patience) return setting(call, milliseconds, ...more);
    waits.push({ isOver: false });
    begun.emit('wait');
    return waits.at(-1);
  });
  t.mock.method(globalThis, 'clearTimeout', (timer) => (waits.includes(timer) ? (timer.isOver = true) : clearing(timer)));
  const slow = await startFront({ to: store.address, log: (message) => said.push(message), patience });
  try {
    const socket = net.connect(Number(slow.address.port), '127.0.0.1');
    let got = '';
    socket.on('data', (chunk) => (got += chunk));
    const closed = once(socket, 'close');
    const parts = body.match(/.{1,6}/g);
    const head = `POST /validate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (const [at, part] of [head, ...parts.slice(0, -1)].entries()) {
      const next = once(begun, 'wait');
      socket.write(part);
      await next;
      assert.deepEqual([waits.length, waits.filter(({ isOver }) => !isOver).length], [at + 1, 1], 'one wait, from this part on');
    }
    socket.write(parts.at(-1));
    await closed;
    assert.match(got, /^HTTP\/1\.1 200 [^]*"valid":false/);
    assert.deepEqual(
      waits.filter(({ isOver }) => !isOver),
      [],
    );
  } finally {
    await slow.close();
  }
});

test('what the gateway answers goes through as it is', async () => {
  const { key } = store;
  const authorization = { authorization: `Bearer ${key}` };
  const document = JSON.stringify({ type: 'ObjectEvent' });
  for (const [request, body] of [
    [{ method: 'GET', path: '/' }],
    [{ method: 'HEAD', path: '/' }],
    [{ method: 'GET', path: '/', headers: { accept: 'text/html' } }],
    [{ method: 'GET', path: '/nothing' }],
    [{ method: 'HEAD', path: '/nothing' }],
    [{ method: 'GET', path: '//nothing/%zz?a=%' }],
    [{ method: 'PUT', path: '/validate' }, Buffer.from('{}')],
    [{ method: 'OPTIONS', path: '/capture' }],
    [{ method: 'GET', path: '/events' }],
    [{ method: 'GET', path: '/epcis/events?perPage=1', headers: authorization }],
    [{ method: 'GET', path: `/events?EQ_bizStep=${'x'.repeat(9000)}`, headers: authorization }],
    [{ method: 'POST', path: '/validate', headers: { 'content-type': 'application/json' } }, Buffer.from(document)],
    [{ method: 'POST', path: '/validate', headers: { 'content-type': 'application/json' }, contentLength: 'absent' }, Buffer.from(document)],
    [{ method: 'POST', path: '/capture', headers: { 'content-type': 'application/json' } }, Buffer.from(document)],
    [{ method: 'GET', path: '/log/none' }],
  ]) {
    const [own, through] = [await send(store.address, request, body), await send(front.address, request, body)];
    const what = `${request.method} ${request.path.slice(0, 60)}`;
    assert.equal(through.status, own.status, what);
    // Addresses and times differ.
    const unplaced = (bytes, { host }) =>
      bytes
        .toString('utf8')
        .replaceAll(host, 'HOST')
        .replaceAll(/"creationDate":"[^"]*"/g, '');
    assert.equal(unplaced(through.body, front.address), unplaced(own.body, store.address), what);
    const told = ({ headers }) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(date|connection|keep-alive|transfer-encoding|content-length|set-cookie)$/.test(name)));
    assert.deepEqual(Object.keys(told(through)).sort(), Object.keys(told(own)).sort(), what);
  }
  assert.match(await raw(`GET http://localhost/family.json HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 200 /);
  assert.match(await raw(`GET /family.json HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 200 /);
});

/** The end of a problem document, in chunks or not. */
const WHOLE = /\}(\r\n0\r\n\r\n)?$/;

test('a body above the limit is refused before it has come', async () => {
  const head = 'POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n';
  // The answer arrives while the body is still being sent.
  for (let n = 0; n < 20; n += 1) assert.equal(problemIn(await raw(`${head}${'x'.repeat(n * 40_000)}`, { until: WHOLE }), 'too long').status, 413);
  const whole = await send(front.address, { method: 'POST', path: '/validate', headers: { 'content-type': 'application/json' } }, Buffer.alloc(12_000_000, 32));
  assert.equal(whole.status, 413);
});

test('a gateway that is away, breaks off, or speaks in words that are not its own', async () => {
  let act;
  const server = http.createServer((request, response) => act(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = await startFront({ to: new URL(`http://127.0.0.1:${server.address().port}`), log: (message) => said.push(message) });
  const ask = () => raw('POST /capture HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}', { address: before.address });
  try {
    act = (_, response) =>
      response
        .writeHead(500, { 'content-type': 'text/plain', 'mf-experimental-error-stack': 'true' })
        .end('TypeError: x\n    at fetch (file:///home/user/index.js:1:2)');
    const answer = await ask();
    assert.equal(problemIn(answer, 'a stack').status, 500);
    assert.doesNotMatch(answer, /mf-/i);
    act = (_, response) => response.writeHead(403, { 'content-type': 'text/plain' }).end('Invalid Host header');
    assert.equal(problemIn(await ask(), 'a text').status, 400);
    act = (request) => request.socket.destroy();
    assert.equal(problemIn(await ask(), 'no answer').status, 502);
    const problem = JSON.stringify({ type: 'epcisException:ImplementationException', title: 'a', status: 503, detail: 'b' });
    act = (_, response) => response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '3' }).end(problem);
    assert.match(await ask(), /retry-after: 3/i);
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    assert.equal(problemIn(await ask(), 'away').status, 503);
    assert.ok(
      said.some((message) => message.includes('ECONNREFUSED')),
      'the operator is told',
    );
  } finally {
    await before.close();
    server.close();
  }
});

test('callers who break off, wherever, do no harm', async () => {
  const body = '[{"type":"ObjectEvent"}]';
  const text = `POST /validate HTTP/1.1\r\nHost: localhost\r\nConnection: content-length\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const breaking = (given, milliseconds) =>
    new Promise((resolve) => {
      const socket = net.connect(Number(front.address.port), '127.0.0.1', () => {
        socket.write(given);
        setTimeout(() => (socket.resetAndDestroy(), resolve()), milliseconds);
      });
      socket.on('error', () => {});
    });
  for (const milliseconds of [0, 1, 5, 20])
    for (const given of [text, text.slice(0, -5), text.slice(0, 30), 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', '\x00'])
      await Promise.all([breaking(given, milliseconds), breaking(given, milliseconds)]);
  assert.match(await raw(text, { until: /"valid":false/ }), /^HTTP\/1\.1 200 [^]*"valid":false/);
});

test('a connection serves many requests, and ends when the client says so', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const get = () =>
    new Promise((resolve, reject) =>
      http
        .get({ host: '127.0.0.1', port: front.address.port, path: '/family.json', agent }, (response) =>
          response.resume().on('end', () => resolve(response.statusCode)),
        )
        .on('error', reject),
    );
  for (let n = 0; n < 5; n += 1) assert.equal(await get(), 200);
  agent.destroy();
});
