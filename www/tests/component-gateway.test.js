// The web component shows an item from a gateway: a real one in workerd, and faulty ones. In real Chromium.
// Invariant: The web component sends a key only to the origin that it was first used with.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { follow } from 'epcis-edge/follow';
import { open } from '../../worker/tests/store.js';
import { axe } from './browser.js';
import { CHAIN, item, life, named } from './chain.js';
import { components, toldAfter } from './component.js';
import { hostSite, STRICT } from './component-site.js';

const own = components();
const { withBody } = own;
const serve = (files) => Object.assign(own.site.files, files);

let gateway;
let origin;
before(async () => {
  gateway = await open();
  origin = gateway.address.origin;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` };
  for (const body of [named(), readFileSync(new URL('../../docs/recall.json', import.meta.url))]) {
    const { status } = await fetch(`${origin}/capture`, { method: 'POST', headers, body });
    assert.equal(status, 202);
  }
  // The site of the page and the gateway are one origin, as behind a proxy.
  const passed = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization } = request.headers;
    const answer = await fetch(`${origin}${request.url.replace('/gateway', '')}`, {
      method: request.method,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: request.method === 'POST' ? Buffer.concat(chunks) : undefined,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') }).end(Buffer.from(await answer.arrayBuffer()));
  };
  serve({ '/gateway/follow': passed, '/gateway/masterdata': passed });
});
after(() => gateway?.dispose());

/** A page with an item of a gateway, which its policy and the test let it ask. */
const withItem = (at, check, { id = item, token, mayAsk = [], ...options } = {}) =>
  withBody(
    '<epcis-events id="a"></epcis-events>',
    async (page, visitor) => {
      const set = () =>
        page.evaluate(
          ([address, one, key]) => {
            const element = document.getElementById('a');
            element.gateway = address;
            element.item = one;
            if (key !== undefined) element.token = key;
          },
          [at, id, token],
        );
      await check(page, set, visitor);
    },
    { policy: [STRICT, ...mayAsk].join(' '), mayAsk, ...options },
  );
const title = (page) => page.locator('.item-head h2').textContent();

test('an item of a real gateway: its life with names, its events in place, other items by their links and back', () =>
  withItem(
    '/gateway',
    async (page, set, { seen }) => {
      const answer = await toldAfter(page, set);
      assert.deepEqual(answer, { event: 'epcis-load', id: 'a', kind: 'item', item, found: true, events: 5 });
      assert.equal(await title(page), 'Apple juice');
      assert.match((await life(page))[1], /it was packed into SSCC 195211412345678900 at Hill Orchard \(GLN 9521141000014\)/);
      assert.match(await page.locator('.item-page > .fine').first().innerText(), /^This is what the events at 127\.0\.0\.1:\d+ say, and no more\. Names are/);
      const second = page.locator('.item-life li').nth(1);
      await second.getByRole('button').first().click();
      await second.locator('pre', { hasText: '"parentID"' }).waitFor();
      await toldAfter(page, () => second.getByRole('button', { name: 'SSCC 195211412345678900' }).click());
      assert.equal(await title(page), 'SSCC 195211412345678900');
      assert.equal(await page.evaluate(() => document.getElementById('a').shadowRoot.activeElement.textContent), 'SSCC 195211412345678900');
      await toldAfter(page, () => page.getByRole('button', { name: 'Back' }).click());
      assert.equal(await title(page), 'Apple juice');
      assert.equal(await page.getByRole('button', { name: 'Back' }).count(), 0);
      // A page that shows other items by itself says so.
      await page.evaluate(() => document.addEventListener('epcis-item', (event) => ((globalThis.wanted = event.detail.item), event.preventDefault())));
      await second.getByRole('button', { name: 'SSCC 195211412345678900' }).click();
      assert.equal(await page.evaluate(() => globalThis.wanted), 'https://id.gs1.org/00/195211412345678900');
      assert.equal(await title(page), 'Apple juice');
      for (const { url } of seen.requests.slice(3)) assert.match(new URL(url).pathname, /^\/gateway\/(follow|masterdata)$/);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
      );
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 160)}`),
        [],
      );
    },
    { token: gateway.key },
  ));

test('the gateway refuses without a key and with a wrong one; nothing names an unknown item', () =>
  withItem(
    'gateway/',
    async (page, set) => {
      const refused = await toldAfter(page, set);
      assert.deepEqual([refused.event, refused.code, refused.status, refused.place], ['error', 'refused', 401, 'gateway']);
      assert.match(refused.detail, /^401: /);
      assert.equal((await toldAfter(page, () => page.evaluate(() => (document.getElementById('a').token = 'wrong')))).status, 401);
      const key = gateway.key;
      assert.equal((await toldAfter(page, () => page.evaluate((token) => (document.getElementById('a').token = token), key))).found, true);
      const unknown = await toldAfter(page, () => page.evaluate(() => (document.getElementById('a').item = 'urn:x:unknown')));
      assert.deepEqual([unknown.event, unknown.found, unknown.events], ['epcis-load', false, 0]);
      await page.getByText('Nothing names it').waitFor();
      await assert.rejects(
        page.evaluate(() => (document.getElementById('a').token = 'a\nb')),
        /the token is not a text of printable ASCII/,
      );
    },
    { isTroubled: true },
  ));

test('a key stays with the origin that it was used with, and is in no attribute, no event and no address', async () => {
  const other = await hostSite({
    '/follow': { body: '{}', headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'Authorization, Content-Type' } },
  });
  try {
    await withItem(
      '/gateway',
      async (page, set, { seen }) => {
        await toldAfter(page, set);
        const problem = await toldAfter(page, () => page.evaluate((address) => (document.getElementById('a').gateway = address), other.origin));
        assert.equal(problem.code, 'unexpected-answer');
        assert.equal(await page.evaluate(() => document.getElementById('a').hasToken), false);
        assert.ok(other.asked.length > 0);
        assert.ok(other.asked.every(({ headers }) => headers.authorization === undefined && headers.cookie === undefined));
        const everything = await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify(globalThis.told));
        assert.ok(!everything.includes(gateway.key));
        assert.ok(seen.requests.every(({ url }) => !url.includes(gateway.key)));
      },
      { token: gateway.key, mayAsk: [other.origin] },
    );
  } finally {
    await other.close();
  }
});

test('a gateway that never ends is cut: its answer in size and in time, its pages in number', async () => {
  const answer = follow(JSON.parse(CHAIN).epcisBody.eventList, { items: [item] });
  for (const entry of answer.events) delete entry.index;
  let how = 'endless';
  let pages = 0;
  serve({
    '/follow': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (how === 'fine') return response.end(JSON.stringify(answer));
      if (how === 'slow') return response.write('{');
      const chunk = Buffer.alloc(4 << 20, 32);
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    },
    '/masterdata': (_, response) => {
      pages += 1;
      response.end(JSON.stringify({ type: 'OK', elements: [], nextPageToken: `page${pages}` }));
    },
  });
  await withItem('/', async (page, set) => {
    const endless = await toldAfter(page, set);
    assert.deepEqual([endless.code, endless.place], ['not-fetched', 'gateway']);
    assert.match(endless.detail, /its answer is longer than 67,108,864 bytes/);
    how = 'fine';
    assert.equal((await toldAfter(page, () => page.evaluate(() => document.getElementById('a').reload()))).found, true);
    assert.equal(pages, 10);
    assert.match(await page.locator('.item-page > .fine').last().innerText(), /were not asked for, since there are at most 10 requests/);
    how = 'slow';
    await page.clock.install();
    const late = toldAfter(page, () => page.evaluate(() => document.getElementById('a').reload()));
    await page.waitForFunction(() => document.getElementById('a').shadowRoot.querySelector('.waiting') !== null);
    await page.clock.runFor(61_000);
    assert.match((await late).detail, /no complete answer within 60 seconds/);
  });
});

test('a gateway that answers with something else, or with hostile texts', async () => {
  const markup = '<img src=x onerror="globalThis.hacked = 1">';
  const long = 'x'.repeat(100_000);
  const spoilt = (text) => {
    const { eventList } = JSON.parse(CHAIN).epcisBody;
    for (const one of eventList) Object.assign(one, { bizStep: `urn:x:${text}`, disposition: text, readPoint: { id: `urn:x:${text}` } });
    const answer = follow(eventList, { items: [item], contents: 'none' });
    for (const entry of answer.events) delete entry.index;
    return JSON.stringify(answer);
  };
  const elements = (text) => [
    {
      id: item,
      attributes: [
        { id: 'urn:x#name', attribute: text },
        { id: `urn:x#${text}`, attribute: text },
      ],
    },
  ];
  let body;
  let text = '';
  serve({
    '/follow': (_, response) => response.end(body),
    '/masterdata': (_, response) => response.end(JSON.stringify({ type: 'OK', elements: elements(text) })),
  });
  await withItem(
    '/',
    async (page, set) => {
      for (const [wrong, code] of [
        ['', 'unexpected-answer'],
        ['<html>', 'unexpected-answer'],
        ['{"items":["x"],"events":[{"event":{},"presences":[{"item":1}]}]}', 'unexpected-answer'],
        ['['.repeat(200_000), 'unexpected-answer'],
      ]) {
        body = wrong;
        assert.equal((await toldAfter(page, wrong === '' ? set : () => page.evaluate(() => document.getElementById('a').reload()))).code, code);
      }
      for (text of [markup, long]) {
        body = spoilt(text);
        assert.equal((await toldAfter(page, () => page.evaluate(() => document.getElementById('a').reload()))).found, true);
        const [images, hacked, size] = await page.evaluate(() => {
          const root = document.getElementById('a').shadowRoot;
          return [root.querySelectorAll('img, a').length, globalThis.hacked, root.textContent.length];
        });
        assert.deepEqual([images, hacked], [0, undefined]);
        assert.ok(size < 40_000, `${size} characters`);
      }
    },
    { policy: `${STRICT}; worker-src blob:` },
  );
});
