// What the web component shows, in pages of its own, in real Chromium.
// Invariant: The web component contacts only the hosts that its attributes name, and follows no redirection; no text of a document
// becomes markup; the page's style sheet does not reach into it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { around, axe, event, serve as servePlayground, settled, vector, visit } from './browser.js';
import { named } from './chain.js';
import { components, told, toldAfter } from './component.js';
import { pageOf, STRICT, story } from './component-site.js';

const own = components();
const { withBody, withPage } = own;
const serve = (files) => Object.assign(own.site.files, files);
const title = (page) => page.locator('.banner h2').first().textContent();

test('a document: its verdict, its picture, its events, and one event that tells them; nothing else is asked for', async () => {
  serve({ '/orchard.json': story() });
  own.site.asked.length = 0;
  await withBody('<epcis-events id="a" src="orchard.json"></epcis-events>', async (page) => {
    assert.deepEqual(await told(page), { event: 'epcis-load', id: 'a', kind: 'document', format: 'json', valid: true, errors: 0, events: 13, withdrawn: 0 });
    assert.equal(await title(page), 'Valid');
    assert.equal(await page.locator('.card').count(), 13);
    assert.equal(await page.locator('.flow .box').count(), 13);
    assert.match(await page.locator('.story').innerText(), /^From 14 to 18 Sep 2026: Hill Press makes 3 × Bramley apple juice[\s\S]*13 events in all\.$/);
    // What is far below the picture has no text to see before it is scrolled to.
    await page.locator('.card').first().scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector('epcis-events').shadowRoot.querySelector('.card').innerText !== '');
    assert.match(
      await page.locator('.card').first().innerText(),
      /Hill Orchard registers\s+820\.5 kg of Bramley apples\s+Object[\s\S]*Commissioning[\s\S]*14 Sep 2026, 08:10 \+01:00[\s\S]*Where\s+Read point\s+Hill Orchard GLN/,
    );
    assert.deepEqual(
      own.site.asked.map(({ method, path }) => `${method} ${path}`),
      ['GET /host.html', 'GET /notes.js', 'GET /component.js', 'GET /orchard.json'],
    );
    // The box of an event goes to its card.
    await page.locator('.flow .box').nth(12).click();
    assert.equal(await page.evaluate(() => document.querySelector('epcis-events').shadowRoot.activeElement.dataset.event), '12');
    await page.locator('.card').nth(12).getByRole('button', { name: 'JSON' }).click();
    assert.match(await page.locator('.card').nth(12).locator('pre').innerText(), /"bizStep": "retail_selling"/);
  });
});

test('the map and the charts are drawn as on the page, by a file that only documents with such data ask for', async () => {
  const vaccine = readFileSync(new URL('../dist/examples/vaccine-cold-chain.json', import.meta.url), 'utf8');
  const many = JSON.parse(vaccine);
  const { eventList } = many.epcisBody;
  while (JSON.stringify(many).length < 520_000) eventList.push(...eventList.slice(0, 10).map(({ eventID: _, ...one }) => one));
  serve({ '/vaccine.json': vaccine, '/many.json': JSON.stringify(many), '/orchard.json': story() });
  const extras = () => own.site.asked.filter(({ path }) => path === '/component-extras.js').length;
  own.site.asked.length = 0;
  await withBody('<epcis-events src="orchard.json"></epcis-events>', async (page) => {
    await told(page);
    assert.equal(extras(), 0);
    assert.equal(await page.locator('.extras').count(), 0);
    await toldAfter(page, () => page.evaluate(() => (document.querySelector('epcis-events').src = '/vaccine.json')));
    await page.locator('.map .map-place').first().waitFor();
    assert.equal(extras(), 1);
    assert.equal(await page.locator('.reading-chart').count(), await page.locator('.reading').count());
    assert.match(await page.locator('.reading figcaption').first().textContent(), /Temperature/);
    // As in the page, they stand between the timeline and the cards, and are styled.
    const order = await page.evaluate(() =>
      [...document.querySelector('epcis-events').shadowRoot.querySelectorAll('.timeline, .map, .reading-chart, .cards')].map(({ classList }) => classList[0]),
    );
    assert.deepEqual([...new Set(order)], ['timeline', 'map', 'reading-chart', 'cards']);
    assert.notEqual(await page.locator('.map-sea').evaluate((sea) => getComputedStyle(sea).fill), 'rgb(0, 0, 0)');
    // A point of a chart, or a place, goes to the card of its event.
    await page.locator('.map-lists summary').click();
    await page.locator('.map-list button').first().click();
    assert.match(await page.evaluate(() => document.querySelector('epcis-events').shadowRoot.activeElement.className), /card/);
  });
  // In a thread of its own.
  await withBody(
    '<epcis-events src="many.json"></epcis-events>',
    async (page) => {
      await told(page);
      await page.locator('.reading-chart').first().waitFor();
      assert.equal(page.workers().length, 1);
    },
    { policy: `${STRICT}; worker-src blob:` },
  );
  // Somebody who copied the script alone is told what is missing.
  serve({ '/component-extras.js': { body: '', status: 404 } });
  await withBody(
    '<epcis-events src="vaccine.json"></epcis-events>',
    async (page) => {
      await told(page);
      await page.locator('.extras .fine', { hasText: 'component-extras.js' }).waitFor();
      assert.equal(await page.locator('.card').count(), 10);
    },
    { isTroubled: true },
  );
  delete own.site.files['/component-extras.js'];
});

test('names are from the master data, errors are listed, XML is judged by its schema', async () => {
  serve({ '/named.json': named(), '/wrong.json': vector('validate/uri-faults/input.json'), '/old.xml': vector('translate/v11-homes/input.xml') });
  await withBody('<epcis-events src="named.json"></epcis-events>', async (page) => {
    await told(page);
    assert.match(await page.locator('.card').first().innerText(), /Apple juice GTIN[\s\S]*Hill Orchard GLN/);
    assert.equal((await toldAfter(page, () => page.evaluate(() => (document.querySelector('epcis-events').src = '/wrong.json')))).errors, 7);
    assert.equal(await title(page), 'Not valid');
    await page.getByText('Show 7 errors').click();
    assert.equal(await page.locator('.errors li').count(), 7);
    assert.match(await page.locator('.errors li').first().innerText(), /event 1/);
    assert.deepEqual(
      await toldAfter(page, () => page.evaluate(() => (document.querySelector('epcis-events').src = '/old.xml'))).then(({ format, valid }) => [format, valid]),
      ['xml', true],
    );
    assert.match(await page.locator('.banner').first().innerText(), /EPCIS XML 1\.1: meets the official/);
  });
});

test('the property document takes text, bytes, an object, an array, NDJSON; 25 events are shown, more on demand', () =>
  withBody('<epcis-events></epcis-events>', async (page) => {
    const many = around(
      ...Array.from({ length: 60 }, (_, n) => event({ eventID: `urn:uuid:00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}` })),
    );
    const { '@context': context, epcisBody } = JSON.parse(many);
    const lines = epcisBody.eventList.map((one) => JSON.stringify({ '@context': context, ...one })).join('\n');
    for (const [how, given] of [
      ['text', many],
      ['bytes', many],
      ['buffer', many],
      ['object', many],
      ['array', many],
      ['text', lines],
    ]) {
      const answer = await toldAfter(page, () =>
        page.evaluate(
          ([kind, words]) => {
            const bytes = new TextEncoder().encode(words);
            const ways = { text: () => words, bytes: () => bytes, buffer: () => bytes.buffer, object: () => JSON.parse(words) };
            document.querySelector('epcis-events').document = kind === 'array' ? JSON.parse(words).epcisBody.eventList : ways[kind]();
            globalThis.given = bytes;
          },
          [how, given],
        ),
      );
      assert.deepEqual([answer.event, answer.valid, answer.events], ['epcis-load', true, 60], how);
      // What was given is still whole.
      assert.ok((await page.evaluate(() => globalThis.given.length)) > 1000);
      assert.equal(await page.locator('.card').count(), 25);
      const more = page.getByRole('button', { name: 'Show more of 60' });
      await more.click();
      await page.locator('[data-event="49"]').waitFor();
      await more.click();
      await page.locator('[data-event="59"]').waitFor();
      assert.equal(await more.count(), 0);
    }
    await page.evaluate(() => (document.querySelector('epcis-events').document = null));
    await page.waitForFunction(() => document.querySelector('epcis-events').shadowRoot.querySelector('.content').childElementCount === 0);
  }));

test('an event that is declared in error is struck through, and words say so; so does the declaration', () =>
  withBody('<epcis-events></epcis-events>', async (page) => {
    const wrong = { eventID: 'urn:uuid:00000000-0000-4000-8000-000000000001', bizStep: 'shipping' };
    const errorDeclaration = { declarationTime: '2026-03-05T08:00:00Z', reason: 'incorrect_data' };
    const text = around(event(wrong), event({ ...wrong, errorDeclaration }), event({ bizStep: 'receiving' }));
    const answer = await toldAfter(page, () => page.evaluate((words) => (document.querySelector('epcis-events').document = words), text));
    assert.deepEqual([answer.events, answer.withdrawn], [3, 2]);
    const cards = page.locator('.card');
    assert.deepEqual(await cards.evaluateAll((all) => all.map((one) => [one.querySelector('h3 s')?.textContent, one.getAttribute('part')])), [
      ['Shipping', 'event withdrawn'],
      ['Shipping', 'event withdrawn'],
      [undefined, 'event'],
    ]);
    assert.match(await cards.nth(0).innerText(), /Declared in error by event 2/);
    assert.match(await cards.nth(1).innerText(), /Declared in error on 5 Mar 2026, 09:00 \+01:00: Incorrect data/);
    assert.doesNotMatch(await cards.nth(2).innerText(), /Declared/);
    assert.equal(
      await cards
        .nth(0)
        .locator('s')
        .evaluate((one) => getComputedStyle(one).textDecorationLine),
      'line-through',
    );
  }));

const WRONG = [
  ['source="a.json"', 'unknown-attribute', 'source', /`source` is not an attribute of epcis-events, expected src, gateway, item or theme/],
  ['gateway="/" item="urn:x:a" token="secret"', 'unknown-attribute', 'token', /token is a property, which a script sets/],
  ['src="a.json" gateway="/" item="urn:x:a"', 'contradictory-attributes', 'src, gateway and item', /expected one of them/],
  ['src="a.json" item="urn:x:a"', 'contradictory-attributes', 'src, gateway and item', /expected one of them/],
  ['gateway="/"', 'missing-attribute', 'item', /item is missing/],
  ['item="urn:x:a"', 'missing-attribute', 'gateway', /gateway is missing/],
  ['theme="blue" src="a.json"', 'wrong-value', 'theme', /theme is `blue`, expected auto, light or dark/],
  ['src=""', 'wrong-value', 'src', /src is ``, expected an address/],
  ['src="javascript:alert(1)"', 'wrong-value', 'src', /expected an address that begins with https:/],
  ['src="https://user:word@epcis.example.com/a"', 'wrong-value', 'src', /a user name or a password/],
  ['gateway="http://epcis.example.com" item="urn:x:a"', 'wrong-value', 'gateway', /must begin with https:/],
  ['gateway="/?key=a" item="urn:x:a"', 'wrong-value', 'gateway', /without a query/],
  ['gateway="/" item=" "', 'wrong-value', 'item', /item is empty, expected an identifier/],
  [`gateway="/" item="${'x'.repeat(2001)}"`, 'wrong-value', 'item', /item is 2,001 characters long/],
];

for (const [attributes, code, place, words] of WRONG)
  test(`refused, and nothing is asked for: ${attributes.slice(0, 60)}`, () => {
    own.site.asked.length = 0;
    return withBody(`<epcis-events ${attributes}></epcis-events>`, async (page) => {
      const problem = await told(page);
      assert.deepEqual([problem.event, problem.code, problem.place], ['error', code, place]);
      assert.match(problem.detail, words);
      assert.ok(problem.title.length > 4);
      assert.equal(await page.getByRole('alert').locator('h2').textContent(), problem.title);
      assert.deepEqual(
        own.site.asked.map(({ path }) => path),
        ['/host.html', '/notes.js', '/component.js'],
      );
    });
  });

test('attributes of every element and of frameworks are no errors, and a wrong attribute can be removed', async () => {
  serve({ '/orchard.json': story() });
  const common = 'id="a" class="b" style="margin: 0" lang="de" hidden dir="rtl" title="c" tabindex="0" slot="d" part="e" role="group" onclick=""';
  const frameworks = 'data-v-1a2b="" aria-label="f" _ngcontent-abc="" v-if="g" x-on:click="" ng-version="1" itemprop="h"';
  await withBody(
    `<epcis-events ${common} ${frameworks} src="orchard.json"></epcis-events>`,
    async (page) => {
      assert.equal((await told(page)).event, 'epcis-load');
      assert.equal(
        (await toldAfter(page, () => page.evaluate(() => document.querySelector('epcis-events').setAttribute('sources', 'x')))).code,
        'unknown-attribute',
      );
      assert.equal((await toldAfter(page, () => page.evaluate(() => document.querySelector('epcis-events').removeAttribute('sources')))).events, 13);
    },
    // The attributes style and onclick are the page's own business.
    { policy: null },
  );
});

test('a value that is no document, and text that is none, are told with their place', () =>
  withBody('<epcis-events></epcis-events>', async (page) => {
    const give = (make) => toldAfter(page, () => page.evaluate(make));
    const set = '(value) => (document.querySelector("epcis-events").document = value)';
    const problem = await give(`(${set})(new Map())`);
    assert.deepEqual([problem.event, problem.code, problem.place], ['error', 'wrong-value', 'document']);
    assert.match(problem.detail, /the document is a Map, expected a document/);
    assert.equal((await give(`(${set})(Promise.resolve())`)).code, 'wrong-value');
    const unreadable = await give(`(${set})('{"type": "EPCISDocument",\\n "a": nonsense}')`);
    assert.deepEqual(
      [unreadable.event, unreadable.code, unreadable.type, unreadable.location.line],
      ['error', 'unreadable', 'epcisException:ValidationException', 2],
    );
    assert.match(await page.getByRole('alert').innerText(), /Line 2, column/);
    assert.equal((await give(`(${set})('<a><b></a>')`)).code, 'unreadable');
    assert.equal((await give(`(${set})('')`)).code, 'unreadable');
    const credential = '{"@context": ["https://www.w3.org/ns/credentials/v2"], "type": ["VerifiableCredential"]}';
    for (const text of ['<!DOCTYPE html><html></html>', '{"name": "x"}', 'PK\u0003\u0004...', 'a,b,c\n1,2,3', 'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.e', credential]) {
      assert.equal((await give(`(${set})(${JSON.stringify(text)})`)).code, 'not-epcis', text);
    }
    const message = await give(`(${set})({ query: { eventType: 'ObjectEvent' } })`);
    assert.deepEqual([message.event, message.events], ['epcis-load', 0]);
    assert.equal(await title(page), 'A query');
    const soap = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${vector('translate/v11-homes/input.xml').replace(/^<\?xml.*?\?>/, '')}</s:Body></s:Envelope>`;
    const inside = await give(`(${set})(${JSON.stringify(soap)})`);
    assert.deepEqual([inside.event, inside.format, inside.valid], ['epcis-load', 'xml', true]);
  }));

test('colours are properties of the host, parts can be styled, and the theme is that of the system or the one named', async () => {
  serve({
    '/orchard.json': story(),
    '/theme.css': 'epcis-events { --epcis-ink: rgb(1, 2, 3); --epcis-radius: 3px; } epcis-events::part(event-title) { color: rgb(4, 5, 6); }',
  });
  const policy = `${STRICT}; style-src 'self'`;
  const computed = (page, selector, name) =>
    page.evaluate(([css, property]) => getComputedStyle(document.querySelector('epcis-events').shadowRoot.querySelector(css))[property], [selector, name]);
  const grounds = {};
  for (const colorScheme of ['light', 'dark'])
    await withBody(
      '<epcis-events src="orchard.json"></epcis-events>',
      async (page) => {
        await told(page);
        grounds[colorScheme] = await computed(page, '.frame', 'backgroundColor');
        assert.equal(await computed(page, '.frame', 'colorScheme'), colorScheme);
        assert.deepEqual(
          [await computed(page, '.frame', 'color'), await computed(page, '.frame', 'borderRadius'), await computed(page, '.card h3', 'color')],
          ['rgb(1, 2, 3)', '3px', 'rgb(4, 5, 6)'],
        );
        for (const theme of ['dark', 'light', 'auto']) {
          await toldAfter(page, () => page.evaluate((name) => (document.querySelector('epcis-events').theme = name), theme));
          assert.equal(await computed(page, '.frame', 'colorScheme'), theme === 'auto' ? colorScheme : theme);
        }
      },
      { policy, head: '<link rel="stylesheet" href="/theme.css">', colorScheme },
    );
  assert.notEqual(grounds.light, grounds.dark);
});

test("the page's style sheet does not reach into the element, nor the element's out of it", async () => {
  const invasive =
    '* { color: red !important; font: italic 40px serif !important; letter-spacing: 9px !important; text-transform: uppercase !important; text-align: right; visibility: visible; } .card, .banner, .frame { display: none !important; } :root { --ink: red; --accent: red; --ground: red; --sans: serif; } button { transform: rotate(9deg); }';
  serve({ '/orchard.json': story(), '/invasive.css': invasive });
  const policy = `${STRICT}; style-src 'self'`;
  const looks = async (head) => {
    let found;
    await withBody(
      '<h2 id="outside" class="caption banner">Outside</h2><epcis-events src="orchard.json"></epcis-events>',
      async (page) => {
        await told(page);
        found = await page.evaluate(() =>
          [...document.querySelector('epcis-events').shadowRoot.querySelectorAll('*')].map((one) => {
            const style = getComputedStyle(one);
            return ['color', 'fontFamily', 'fontSize', 'fontStyle', 'letterSpacing', 'textTransform', 'textAlign', 'display', 'transform', 'backgroundColor']
              .map((name) => style[name])
              .join('|');
          }),
        );
        assert.equal(await page.evaluate(() => document.querySelectorAll('.card, .frame, #announcer').length), 0);
        if (head === undefined) {
          // Like a heading without any style sheet.
          const plain = await page.evaluate(() => {
            const twin = document.createElement('h2');
            document.body.append(twin);
            const [a, b] = [getComputedStyle(document.getElementById('outside')), getComputedStyle(twin)];
            return ['color', 'fontSize', 'display', 'padding', 'backgroundColor', 'margin'].every((name) => a[name] === b[name]);
          });
          assert.ok(plain);
        }
      },
      { policy, head },
    );
    return found;
  };
  const [alone, invaded] = [await looks(undefined), await looks('<link rel="stylesheet" href="/invasive.css">')];
  assert.ok(alone.length > 300);
  assert.deepEqual(invaded, alone);
});

for (const colorScheme of ['light', 'dark'])
  test(`axe finds nothing, and 320 pixels are enough, ${colorScheme}`, async () => {
    serve({ '/orchard.json': story(), '/wrong.json': vector('validate/uri-faults/input.json') });
    const wrong = { eventID: 'urn:uuid:00000000-0000-4000-8000-000000000001', bizStep: 'shipping' };
    serve({ '/declared.json': around(event(wrong), event({ ...wrong, errorDeclaration: { declarationTime: '2026-03-05T08:00:00Z' } })) });
    await withBody(
      ['orchard.json', 'wrong.json', 'declared.json', 'none.json'].map((src) => `<epcis-events src="${src}"></epcis-events>`).join(''),
      async (page) => {
        await told(page, 4);
        for (const summary of await page.locator('summary').all()) await summary.click();
        await page.getByRole('button', { name: 'JSON' }).first().click();
        await page.locator('pre').first().waitFor();
        await page.evaluate(axe);
        const { violations, passes } = await page.evaluate(() =>
          globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id} ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))}`),
          [],
        );
        // It looked into the shadow trees.
        assert.ok(passes.some(({ id, nodes }) => id === 'color-contrast' && nodes.some(({ target }) => target.flat().length > 1)));
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 320);
      },
      { viewport: { width: 320, height: 800 }, colorScheme, isTroubled: true },
    );
  });

test('by keyboard: the tools of the picture, its boxes, the JSON of an event, more events', async () => {
  serve({ '/orchard.json': story() });
  await withBody('<epcis-events src="orchard.json"></epcis-events>', async (page) => {
    await told(page);
    const focused = () =>
      page.evaluate(() => {
        const one = document.activeElement.shadowRoot?.activeElement;
        return one && (one.getAttribute('aria-label') ?? one.textContent).trim();
      });
    const reached = [];
    for (let at = 0; at < 45; at += 1) {
      await page.keyboard.press('Tab');
      reached.push(await focused());
    }
    for (const words of ['Zoom out', 'Full screen', 'Picture of the flow', 'JSON']) assert.ok(reached.includes(words), `${words}: ${reached}`);
    assert.ok(reached.some((words) => words?.startsWith('Hill Orchard registers')));
    while ((await focused()) !== 'JSON') await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.locator('pre').first().waitFor();
    // What was done is said to screen readers, inside of the element.
    await page.getByRole('button', { name: 'Zoom in' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#announcer', { hasText: 'percent' }).waitFor({ state: 'attached' });
  });
});

test('an element that is moved goes on, one that is removed stops, and one that is set again starts anew', async () => {
  serve({ '/orchard.json': story() });
  own.site.asked.length = 0;
  const documents = () => own.site.asked.filter(({ path }) => path === '/orchard.json').length;
  await withBody('<div id="a"><epcis-events src="orchard.json"></epcis-events></div><div id="b"></div>', async (page) => {
    await told(page);
    await page.evaluate(() => document.getElementById('b').append(document.querySelector('epcis-events')));
    await page.locator('#b .card').first().waitFor();
    assert.equal(documents(), 1);
    await page.evaluate(async () => {
      globalThis.kept = document.querySelector('epcis-events');
      globalThis.kept.remove();
    });
    assert.equal(await page.evaluate(() => globalThis.kept.shadowRoot.querySelectorAll('.card').length), 0);
    assert.equal((await toldAfter(page, () => page.evaluate(() => document.getElementById('a').append(globalThis.kept)))).events, 13);
    assert.equal((await toldAfter(page, () => page.evaluate(() => globalThis.kept.reload()))).events, 13);
    assert.equal(documents(), 3);
  });
});

test('properties that were set before the script came count; a second script changes nothing', async () => {
  serve({ '/late.html': pageOf('<epcis-events></epcis-events><script src="/set.js"></script><script type="module" src="/component.js?again"></script>') });
  serve({ '/set.js': `document.querySelector('epcis-events').document = ${around(event({}))}; document.querySelector('epcis-events').token = 'a';` });
  await withPage('/late.html', async (page) => {
    assert.equal((await told(page)).events, 1);
    assert.deepEqual(
      await page.evaluate(() => {
        const one = document.querySelector('epcis-events');
        return [Object.keys(one), one.hasToken, one.token, one.src, one.theme];
      }),
      [[], true, undefined, null, 'auto'],
    );
  });
});

test('of several changes at once one is loaded, and of several after each other the last is shown', async () => {
  let answerSlow;
  serve({ '/fast.json': around(event({})), '/slow.json': (_, response) => (answerSlow = () => response.end(story())) });
  own.site.asked.length = 0;
  await withBody('<epcis-events src="slow.json"></epcis-events>', async (page) => {
    await page.waitForFunction(() => document.querySelector('epcis-events').shadowRoot.querySelector('.waiting') !== null);
    const answer = await toldAfter(page, () =>
      page.evaluate(() => {
        const one = document.querySelector('epcis-events');
        one.src = 'never.json';
        one.src = 'fast.json';
      }),
    );
    assert.equal(answer.events, 1);
    answerSlow();
    assert.equal((await toldAfter(page, () => page.evaluate(() => document.querySelector('epcis-events').reload()))).events, 1);
    assert.equal(await page.evaluate(() => globalThis.told.length), 2);
    assert.ok(own.site.asked.every(({ path }) => path !== '/never.json'));
  });
});

const guide = readFileSync(new URL('../../docs/component.md', import.meta.url), 'utf8');

test('the first lines of the guide are enough', async () => {
  const [, lines] = /```html\n([\s\S]*?)```/.exec(guide);
  // The tests put the script into a page by themselves.
  const [script, element] = lines.trim().split('\n');
  assert.equal(script, '<script type="module" src="component.js"></script>');
  serve({ '/document.json': story() });
  await withBody(element, async (page) => {
    assert.equal((await told(page)).events, 13);
  });
});

test('the guide has every code, every colour and every part, and no other', () => {
  const source = (path) => readFileSync(new URL(`../src/${path}`, import.meta.url), 'utf8');
  const rows = (start) =>
    [
      ...guide
        .slice(guide.indexOf(start))
        .split('\n\n')[0]
        .matchAll(/^\| ((?:`[^`]+`(?:, | to )?)+) \|/gm),
    ].flatMap(([, cell]) => cell.match(/`[^`]+`/g));
  const [, titles] = /TITLES[^=]*= \{([^}]*)\}/.exec(source('component/problems.ts'));
  assert.deepEqual(
    rows('| `code` |')
      .filter((name) => name !== '`code`')
      .sort(),
    [...titles.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, code]) => `\`${code}\``).sort(),
  );
  assert.deepEqual(
    readFileSync(new URL('../../wasm/js/component/index.ts', import.meta.url), 'utf8')
      .match(/^ {2}\| '[\w-]+'/gm)
      .map((line) => `\`${line.slice(5, -1)}\``)
      .sort(),
    rows('| `code` |')
      .filter((name) => name !== '`code`')
      .sort(),
  );
  const styles = ['styles/common.css', 'styles/events.css', 'styles/item.css', 'component/component.css'].map(source).join('');
  const colours = new Set([...styles.matchAll(/var\(--(?:epcis-)?([\w-]+)/g)].map(([, name]) => name));
  const named = rows('| property |').map((name) => name.slice(9, -1));
  assert.deepEqual([...new Set([...named, 's1', 's2', 's3', 's4', 's5'])].sort(), [...colours].sort());
  const [, parts] = /^Parts: (.*)$/m.exec(guide);
  const files = ['events/event-view.ts', 'item/item-page.ts', ...readdirSync(new URL('../src/component/', import.meta.url)).map((name) => `component/${name}`)];
  const inSource = files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...source(name).matchAll(/part: (?:[^,}]*?)([`'])(.*?)\1(?: : '(.*?)')?/g)].flatMap(([, , one, two]) => [one, two]));
  const words = inSource.filter(Boolean).flatMap((text) => text.replace(/\$\{.*?'([\w-]+)' : '([\w-]+)'\}/, '$1 $2').split(' '));
  assert.deepEqual([...new Set(words)].sort(), [...parts.matchAll(/`([\w-]+)`/g)].map(([, name]) => name).sort());
});

test('under a policy of trusted types, too', async () => {
  serve({ '/orchard.json': story() });
  await withBody(
    '<epcis-events src="orchard.json"></epcis-events>',
    async (page) => {
      assert.equal((await told(page)).events, 13);
    },
    { policy: `${STRICT}; require-trusted-types-for 'script'; trusted-types 'none'` },
  );
});

test('the example page of the playground, under its policy; the playground itself does not load the component', async () => {
  const playground = await servePlayground();
  try {
    const visitor = await visit(own.browser, `${playground.origin}component.html`);
    await visitor.page.locator('#first .card').nth(12).waitFor();
    await visitor.page.locator('.ours .banner', { hasText: 'Not valid' }).waitFor();
    assert.deepEqual([visitor.errors, visitor.foreign, await visitor.page.evaluate(() => globalThis.violations)], [[], [], []]);
    await visitor.close();
    const page = await visit(own.browser, playground.origin);
    await settled(page.page);
    assert.ok(page.seen.requests.every(({ url }) => !url.endsWith('component.js')));
    await page.close();
    const kept = readFileSync(new URL('../dist/sw.js', import.meta.url), 'utf8');
    assert.ok(kept.includes('bridge.html') && !kept.includes('component.js'), 'the service worker does not fetch it for everybody');
  } finally {
    await playground.close();
  }
});
