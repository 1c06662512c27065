// The web component with hostile, endless and large input, in real Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { around, event } from './browser.js';
import { components, told, toldAfter } from './component.js';
import { hostSite, STRICT } from './component-site.js';
import { stepsOf } from './steps.js';

const own = components();
const { withBody } = own;
const serve = (files) => Object.assign(own.site.files, files);
const element = "document.querySelector('epcis-events')";
const give = (page, document) => toldAfter(page, () => page.evaluate(`${element}.document = ${JSON.stringify(document)}`));

const MARKUP = '<img src=x onerror="globalThis.hacked = 1"><script>globalThis.hacked = 1</script><a href="javascript:globalThis.hacked=1">';
/** A copy of a document with `text` after every text in it that is not part of its structure. */
const infested = (value, text, name = '') => {
  if (typeof value === 'string')
    return ['type', '@context', 'schemaVersion', 'eventTime', 'eventTimeZoneOffset', 'action'].includes(name) ? value : value + text;
  if (Array.isArray(value)) return value.map((one) => infested(one, text, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.includes(':') ? key + text : key, infested(one, text, key)]));
};
const RICH = JSON.parse(
  around(
    event({
      eventID: 'urn:uuid:1',
      bizStep: 'shipping',
      disposition: 'in_transit',
      readPoint: { id: 'urn:x:place' },
      quantityList: [{ epcClass: 'urn:x:class', quantity: 4, uom: 'KGM' }],
      bizTransactionList: [{ type: 'po', bizTransaction: 'urn:x:po' }],
      sourceList: [{ type: 'location', source: 'urn:x:from' }],
      sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 3, uom: 'CEL', exception: 'ALARM_CONDITION' }] }],
      certificationInfo: ['urn:x:certificate'],
      'ex:own': { 'ex:deep': 'value' },
      errorDeclaration: { declarationTime: '2026-03-05T08:00:00Z', reason: 'incorrect_data', correctiveEventIDs: ['urn:uuid:2'] },
    }),
    event({ bizStep: 'receiving' }),
  ),
);
RICH.epcisHeader = {
  epcisMasterData: {
    vocabularyList: [{ type: 'urn:x:type', vocabularyElementList: [{ id: 'urn:x:place', attributes: [{ id: 'urn:x#name', attribute: 'A place' }] }] }],
  },
};

test('every text of a document is data, whatever it has; page and element stay as they are', () =>
  withBody(
    '<epcis-events></epcis-events>',
    async (page) => {
      for (const text of [MARKUP, '</style></div>{{constructor.constructor("globalThis.hacked=1")()}}', '\u202e\u2066\u0000"\'`&lt;']) {
        const answer = await give(page, infested(RICH, text));
        assert.equal(answer.event, 'epcis-load', answer.detail);
        for (const summary of await page.locator('summary').all()) await summary.click();
        for (const button of await page.getByRole('button', { name: 'JSON' }).all()) await button.click();
        await page.locator('pre').nth(1).waitFor();
        const found = await page.evaluate(() => {
          const root = document.querySelector('epcis-events').shadowRoot;
          return [
            root.querySelectorAll('img, script, style, iframe, object, link, form, input, a').length,
            [...root.querySelectorAll('*')].flatMap((one) => one.getAttributeNames().filter((name) => /^on|^srcdoc|^formaction/.test(name))),
            globalThis.hacked,
            root.textContent,
          ];
        });
        assert.deepEqual(found.slice(0, 3), [0, [], undefined]);
        if (text === MARKUP) assert.ok(found[3].includes('onerror="globalThis.hacked'), 'the text is shown as it is');
      }
      const names =
        '{"type": "EPCISDocument", "__proto__": {"a": 1}, "constructor": "b", "epcisBody": {"eventList": [{"type": "ObjectEvent", "__proto__": {"bizStep": "x"}, "toString": 1}]}}';
      await give(page, names);
      assert.equal(await page.evaluate(() => ({}).a), undefined);
    },
    // Without a policy, so that nothing but the element itself holds markup off.
    { policy: null },
  ));

test('texts, names and lists of any length are cut', () =>
  withBody('<epcis-events></epcis-events>', async (page) => {
    const long = 'x'.repeat(50_000);
    const many = Array.from({ length: 5000 }, (_, at) => `urn:x:${at}`);
    const answer = await give(
      page,
      infested(around(event({ bizStep: long, eventID: `urn:${long}`, [`ex:${long}`]: long, epcList: [...many, `urn:${long}`] })), ''),
    );
    assert.equal(answer.valid, false, answer.detail);
    await page.getByText(/^Show \d+ error/).click();
    await page.getByRole('button', { name: '4,995 more' }).click();
    assert.match(await page.locator('.values', { hasText: 'and 4,801 more in the document' }).first().innerText(), /and 4,801 more in the document/);
    const size = await page.evaluate(() => document.querySelector('epcis-events').shadowRoot.querySelector('.content').textContent.length);
    assert.ok(size < 30_000, `${size} characters`);
  }));

test('a document without an end is cut, in size and in time', async () => {
  let isOpen = false;
  const endless = (request, response) => {
    isOpen = true;
    request.on('close', () => (isOpen = false));
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(4 << 20, 32);
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  };
  const slow = (_, response) => response.writeHead(200).write('{');
  const large = (_, response) => response.writeHead(200, { 'content-length': '100000001' }).write('{');
  serve({ '/endless.json': endless, '/slow.json': slow, '/large.json': large });
  await withBody('<epcis-events></epcis-events>', async (page) => {
    const open = (src) => toldAfter(page, () => page.evaluate(`${element}.src = '${src}'`));
    const problem = await open('endless.json');
    assert.deepEqual([problem.code, problem.detail, problem.expected], ['too-large', 'The document is larger than 100.0 MB', 'up to 100000000 bytes']);
    while (isOpen) await page.waitForTimeout(20);
    assert.equal((await open('large.json')).code, 'too-large');
    await page.clock.install();
    const late = open('slow.json');
    await page.waitForFunction(() => document.querySelector('epcis-events').shadowRoot.querySelector('.waiting') !== null);
    await page.clock.runFor(61_000);
    const { code, found } = await late;
    assert.deepEqual([code, found], ['not-fetched', 'no complete answer within 60 seconds']);
  });
});

test('what cannot be fetched is told with its reason, and no redirection is followed', async () => {
  const other = await hostSite({ '/a.json': around(event({})) });
  serve({ '/there.json': { body: '', status: 302, headers: { location: `${other.origin}/a.json` } } });
  try {
    await withBody(
      '<epcis-events></epcis-events>',
      async (page) => {
        const open = (src) => toldAfter(page, () => page.evaluate(`${element}.src = '${src}'`));
        const missing = await open('missing.json');
        assert.deepEqual([missing.code, missing.status, missing.place], ['refused', 404, 'src']);
        assert.equal((await open('there.json')).code, 'redirected');
        const unreachable = await open('http://127.0.0.1:1/a.json');
        assert.equal(unreachable.code, 'not-fetched');
        assert.match(await page.getByRole('alert').innerText(), /may this page read it \(CORS, Content-Security-Policy\)/);
        assert.deepEqual(other.asked, []);
        // A data: and a blob: address need no request.
        const text = around(event({}));
        assert.equal((await open(`data:application/json,${encodeURIComponent(text)}`)).events, 1);
        assert.equal(
          (await toldAfter(page, () => page.evaluate((words) => (document.querySelector('epcis-events').src = URL.createObjectURL(new Blob([words]))), text)))
            .events,
          1,
        );
      },
      {
        policy: null,
        isTroubled: true, // Playwright lists the target of the redirection as well, though the other site was not asked.
        mayAsk: ['http://127.0.0.1:1/', other.origin],
      },
    );
  } finally {
    await other.close();
  }
});

/** A document of about so many bytes. */
const large = (bytes) =>
  around(
    ...Array.from({ length: Math.ceil(bytes / 300) }, (_, at) =>
      event({
        eventID: `urn:uuid:${at}`,
        bizStep: at % 2 ? 'shipping' : 'receiving',
        epcList: [`urn:epc:id:sscc:9521141.1${String(at % 500).padStart(9, '0')}`],
      }),
    ),
  );

test('a large document has a thread of its own; the page takes no step for each of its events', async () => {
  const text = large(10_000_000);
  serve({
    '/first.json': large(600_000),
    '/large.json': text,
    '/small.json': large(490_000)
      .slice(0, 490_000 - 5)
      .replace(/,\s*\{[^{}]*$/, ']}}'),
  });
  await withBody(
    '<epcis-events></epcis-events>',
    async (page) => {
      // The engine, which the script holds, is unpacked for the first document.
      await toldAfter(page, () => page.evaluate(`${element}.src = 'first.json'`));
      for (const [src, events, most, text] of [
        ['large.json', 30_000, 10_000, 10_000],
        // A small one is read in the page's thread: its characters once.
        ['small.json', 1000, 500_000, 500_000],
      ]) {
        let answer;
        const steps = await stepsOf(page, async () => {
          answer = await toldAfter(page, () => page.evaluate(`${element}.src = '${src}'`));
        });
        assert.ok(answer.events > events, `${answer.detail ?? answer.events}`);
        assert.ok(steps.most.count < most && steps.text < text && steps.values < 5000, `${src}: ${JSON.stringify(steps)}`);
        assert.equal(await page.locator('.card').count(), 25);
      }
    },
    { policy: `${STRICT}; worker-src blob:` },
  );
});

test('a page that allows no thread is told why a large document is not shown', async () => {
  serve({ '/large.json': large(600_000) });
  await withBody(
    '<epcis-events src="large.json"></epcis-events>',
    async (page) => {
      const { code, expected } = await told(page);
      assert.deepEqual([code, expected], ['no-thread', '`worker-src blob:` in the Content-Security-Policy of the page, or up to 500 kB']);
      assert.match(await page.getByRole('alert').innerText(), /Expected: worker-src blob:/i);
      await page.evaluate(() => (globalThis.violations = globalThis.violations.filter((one) => !one.startsWith('worker-src blob'))));
    },
    { isTroubled: true },
  );
});

test('a page that forbids WebAssembly is told so', async () => {
  serve({ '/a.json': around(event({})) });
  await withBody(
    '<epcis-events src="a.json"></epcis-events>',
    async (page) => {
      const { code, detail } = await told(page);
      assert.equal(code, 'engine-failed');
      assert.match(detail, /Content Security Policy|unsafe-eval/i);
      assert.equal(await page.evaluate(() => globalThis.told.length), 1);
      await page.evaluate(() => (globalThis.violations = []));
    },
    { policy: STRICT.replace(" 'wasm-unsafe-eval'", ''), isTroubled: true },
  );
});
