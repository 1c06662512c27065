// The playground and the endpoints, both served by the Worker.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { send, start } from './gateway.js';

const dist = new URL('../../www/dist/', import.meta.url);
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let gateway;
before(async () => {
  gateway = await start();
});
after(() => gateway?.dispose());

const get = (path, headers = {}, method = 'GET') => send(gateway.address, { method, path, headers });

test('a browser gets the page at /, with its policy and the headers of the gateway', async () => {
  const answer = await get('/', { accept: BROWSER });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  assert.deepEqual(answer.body, readFileSync(new URL('index.html', dist)));
  assert.match(answer.headers['content-security-policy'], /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/);
  assert.doesNotMatch(answer.headers['content-security-policy'], /unsafe-inline|unsafe-eval'? /);
  assert.match(answer.headers['cache-control'], /max-age=0, must-revalidate/);
  assert.equal(answer.headers.vary, 'Accept');
  assert.equal(answer.headers['gs1-epcis-version'], '2.0.1');
  assert.equal(answer.headers['content-length'], String(answer.body.length));
});

test('the page is not sent again when it is the same', async () => {
  const { headers } = await get('/', { accept: BROWSER });
  assert.ok(headers.etag);
  const again = await get('/', { accept: BROWSER, 'if-none-match': headers.etag });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
  const head = await get('/', { accept: BROWSER }, 'HEAD');
  assert.equal(head.status, 200);
  assert.equal(head.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(head.body.length, 0);
});

test('everybody else gets the index at /', async () => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'application/json, text/html' }]) {
    const answer = await get('/', headers);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.equal(JSON.parse(answer.body).type, 'Collection');
    assert.equal(answer.headers['content-security-policy'], undefined);
  }
});

test('every file of the page is served, the hashed ones for ever', async () => {
  const types = { css: 'text/css', js: 'text/javascript', wasm: 'application/wasm', json: 'application/json', xml: /xml/, svg: 'image/svg' };
  for (const folder of ['assets/', 'examples/', '']) {
    for (const name of readdirSync(new URL(folder || '.', dist), { withFileTypes: true })
      // The core answers with the description.
      .filter((entry) => entry.isFile() && !['_headers', '_redirects', 'openapi.json'].includes(entry.name))
      .map((entry) => entry.name)) {
      const answer = await get(`/${folder}${name}`);
      assert.equal(answer.status, 200, name);
      assert.deepEqual(answer.body, readFileSync(new URL(folder + name, dist)), name);
      assert.match(answer.headers['content-security-policy'], /default-src 'none'/, name);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.equal(/immutable/.test(answer.headers['cache-control']), folder === 'assets/', name);
      const type = types[name.split('.').at(-1)];
      if (type !== undefined) assert.match(answer.headers['content-type'], new RegExp(type), name);
    }
  }
  for (const name of ['/_headers', '/_redirects']) assert.equal((await get(name)).status, 404);
});

test('/docs and /docs/ lead to the documentation', async () => {
  for (const path of ['/docs', '/docs/']) {
    const { status, headers } = await get(path);
    assert.deepEqual([status, headers.location], [302, '/docs/index.html'], path);
  }
});

test('what is no file and no door stays a typed problem, browser or not', async () => {
  for (const path of [
    '/nothing',
    '/assets/nothing.js',
    '/assets/',
    '/examples',
    '/.well-known/oauth-authorization-server',
    '/favicon.ico',
    '/index',
    '/validate/',
  ]) {
    const answer = await get(path, { accept: BROWSER });
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers['content-type'], 'application/problem+json', path);
    assert.equal(JSON.parse(answer.body).type, 'epcisException:NoSuchResourceException', path);
  }
});

test('doors are doors, whatever is accepted', async () => {
  const answer = await send(
    gateway.address,
    { method: 'POST', path: '/validate', headers: { accept: BROWSER, 'content-type': 'application/json' } },
    Buffer.from('{}'),
  );
  assert.equal(JSON.parse(answer.body).valid, false);
  assert.equal(JSON.parse((await get('/pricing', { accept: BROWSER })).body).type, 'OK');
});
