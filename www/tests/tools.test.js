// Everything that can be done with a document: corrections, the picture, the table, and the tools.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { database, makeKey, start } from '../../worker/tests/gateway.js';
import { answered, around, axe, editorText, event, openTab, openTool, paste, playground, saved, seriousFaults, vector, visit } from './browser.js';

const site = playground();
const { withDocument } = site;

test('corrections: one, all of a kind, all; each undone in one step', () =>
  withDocument(around(event({ bizStep: 'shiping', disposition: 'in_transitt' }), event({ bizStep: 'shiping' }), event({ evenTime: 'x' })), async (page) => {
    await openTab(page, 'Validate');
    await answered(page, () => page.getByRole('button', { name: 'Change all 2 like it' }).first().click());
    assert.equal((await editorText(page)).match(/"shipping"/g).length, 2);
    assert.match(await page.locator('#notice').textContent(), /2 corrections made/);
    await answered(page, () => page.getByRole('button', { name: 'Undo' }).click());
    assert.equal((await editorText(page)).match(/"shiping"/g).length, 2);
    await answered(page, () => page.getByRole('button', { name: 'Change to in_transit', exact: true }).click());
    assert.match(await editorText(page), /"in_transit"/);
    await answered(page, () => page.getByRole('button', { name: 'Make all 2 suggested corrections' }).click());
    assert.doesNotMatch(await editorText(page), /shiping|in_transitt/);
  }));

test('corrections: what the engine suggests is understood, in names, values and XML', async () => {
  const { suggestionOf } = await import('../../wasm/document/fixes.ts');
  const { validate } = await import('epcis-edge');
  const suggested = (document) =>
    validate(document)
      .errors.map(suggestionOf)
      .filter((one) => one !== undefined)
      .map(({ isSure: _, ...one }) => one);
  assert.deepEqual(suggested(vector('validate/cbv-word-misspelt/input.json')), [
    { from: 'shiping', to: 'shipping' },
    { from: 'in_transitt', to: 'in_transit' },
  ]);
  assert.deepEqual(suggested(vector('validate/action-misspelt/input.json')), [{ from: 'OBSERV', to: 'OBSERVE' }]);
  assert.deepEqual(suggested(vector('validate/event-type-misspelt/input.json')), [{ from: 'ObjectEvnt', to: 'ObjectEvent' }]);
  assert.deepEqual(suggested(vector('validate/field-misspelt/input.json')), [{ isName: true, names: [{ from: 'evenTime', to: 'eventTime' }] }]);
  assert.deepEqual(suggested(vector('validate/cbv-urn-form/input.json'))[0], { from: 'urn:epcglobal:cbv:bizstep:shipping', to: 'shipping' });
  await withDocument(vector('translate/v12-error-declaration/input.xml').replace(/<action>[A-Z]+/, '<action>OBSERV'), async (page) => {
    await openTab(page, 'Validate');
    await answered(page, () => page.getByRole('button', { name: 'Change to OBSERVE' }).click());
    assert.equal(await page.locator('#answers').getAttribute('data-verdict'), 'valid');
  });
});

test('dates: in the zone of the event, alike on card, picture, line of time and overview', () =>
  withDocument(
    around(event({ recordTime: '2026-03-04T11:00:00Z' }), event({ eventTime: '2027-01-01T03:00:00Z', eventTimeZoneOffset: '-05:00' })),
    async (page) => {
      await openTab(page, 'Validate');
      assert.match(await page.locator('.facts').textContent(), /4 Mar 2026, 11:00 \+01:00 to 31 Dec 2026, 22:00 -05:00/);
      await openTab(page, 'Events');
      assert.match(await page.locator('.timeline-ends').textContent(), /4 Mar 2026, 11:00 \+01:0031 Dec 2026, 22:00 -05:00/);
      assert.match(await page.locator('.flow .box').nth(1).textContent(), /31 Dec, 22:00 -05:00/);
      assert.match(await page.locator('.card').first().textContent(), /4 Mar 2026, 11:00 \+01:00.*4 Mar 2026, 12:00 \+01:00/);
      assert.match(await page.locator('.card time').nth(1).textContent(), /31 Dec 2026, 22:00 -05:00/);
    },
  ));

test('the picture: corrections, the way of an item through a transformation, sizes and files', () => {
  const wrong = { ...event({ eventID: 'urn:uuid:00000000-0000-4000-8000-000000000001' }), eventTime: '2026-03-04T10:30:00Z' };
  const lot = 'urn:epc:class:lgtin:9521141.012345.L1';
  return withDocument(
    around(
      wrong,
      { ...wrong, errorDeclaration: { declarationTime: '2026-03-04T11:00:00Z', correctiveEventIDs: ['urn:uuid:00000000-0000-4000-8000-000000000002'] } },
      event({ eventID: 'urn:uuid:00000000-0000-4000-8000-000000000002', eventTime: '2026-03-04T12:00:00Z', epcList: ['urn:epc:id:sscc:9521141.1234567891'] }),
      event({ eventTime: '2026-03-05T08:00:00Z', epcList: [], quantityList: [{ epcClass: lot, quantity: 9 }] }),
      {
        type: 'TransformationEvent',
        eventTime: '2026-03-05T09:00:00Z',
        eventTimeZoneOffset: '+01:00',
        inputQuantityList: [{ epcClass: lot, quantity: 4 }],
        outputEPCList: ['urn:epc:id:sgtin:9521141.099999.7'],
      },
      event({ eventTime: '2026-03-05T10:00:00Z', epcList: [], quantityList: [{ epcClass: lot, quantity: 5 }] }),
      event({ eventTime: '2026-03-05T11:00:00Z', epcList: ['urn:epc:id:sgtin:9521141.099999.7'] }),
    ),
    async (page) => {
      await openTab(page, 'Events');
      assert.deepEqual((await page.locator('.edge-label text').allTextContents()).filter((words) => /error|corrected/.test(words)).sort(), [
        'corrected by',
        'declared in error',
      ]);
      // The remaining items of the lot come from the transformation.
      assert.match(
        await page.locator('.flow').getAttribute('aria-label'),
        /Transformation event to Object event, 1 item.*Transformation event to Object event, 1 item/,
      );
      await page.locator('#follow').selectOption((await page.locator('#follow option', { hasText: 'serial 7' }).getAttribute('value')) ?? '');
      await page.locator('.follow-answer', { hasText: /made from GTIN .*lot L1/ }).waitFor();
      assert.equal(await page.locator('.flow .box:not(.is-off)').count(), 3);
      await page.locator('#follow').selectOption('');
      const width = () => page.locator('.flow').evaluate((svg) => svg.getBoundingClientRect().width);
      const before = await width();
      await page.getByRole('button', { name: 'Zoom in' }).click();
      assert.ok((await width()) > before);
      await page.getByRole('button', { name: 'Fit' }).click();
      const [room, drawn] = await page.locator('.picture').evaluate((own) => [own.clientWidth, own.firstElementChild.getBoundingClientRect().width]);
      assert.ok(drawn <= room + 1);
      // No label covers a box.
      const isClear = await page.evaluate(() => {
        const rects = (selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
        const boxes = rects('.flow .box-ground');
        return rects('.edge-label rect').every((a) => boxes.every((b) => a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom));
      });
      assert.ok(isClear, 'a label stands on a box');
      const svg = await saved(page, page.getByRole('button', { name: 'SVG' }));
      assert.match(svg.bytes.toString(), /^<svg[\s\S]*corrects<\/text>/);
      const png = await saved(page, page.getByRole('button', { name: 'PNG' }));
      assert.equal(png.name, 'flow.png');
      assert.deepEqual([...png.bytes.subarray(1, 4)], [0x50, 0x4e, 0x47]);
      // A browser without memory for the picture gives none, and nothing is saved.
      await page.evaluate(() => (HTMLCanvasElement.prototype.toBlob = (take) => take(null)));
      await page.getByRole('button', { name: 'PNG' }).click();
      await page.getByText('The picture could not be made').waitFor({ state: 'attached' });
    },
  );
});

test('an eventID in hash form that does not match: what was tried, and why that may be', async () => {
  const { hash } = await import('epcis-edge');
  const [eventID] = hash(around(event({})));
  await withDocument(around(event({ eventID, bizStep: 'shipping' })), async (page) => {
    await openTab(page, 'Hash');
    await page.locator('.stale', { hasText: 'Without bizStep it is the hash under CBV2.0' }).waitFor();
    await paste(page, around(event({ eventID: `ni:///sha-256;${'0'.repeat(64)}?ver=CBV2.0` })));
    await page.locator('.stale', { hasText: 'Many published examples' }).waitFor();
    for (const profile of ['CBV2.0', 'CBV2.1', 'REF2025'])
      assert.ok((await page.locator('.stale').textContent()).includes(hash(around(event({})), { profile })[0]));
  });
});

test('the checks are told apart from the errors of the schema, with their places', () =>
  withDocument(
    around(event({ eventTime: '2026-01-05T09:00:00+01:00', eventTimeZoneOffset: '+02:00', epcList: ['https://id.gs1.org/01/04012345111119/21/9876'] })),
    async (page) => {
      assert.equal(await page.locator('#panel-validate .banner h2').textContent(), 'Valid');
      await openTab(page, 'Checks');
      await page.locator('#panel-checks .banner h2', { hasText: '1 error, 1 hint' }).waitFor();
      assert.equal(await page.locator('#tab-checks .badge').textContent(), '1 1 finding');
      const digit = page.locator('#panel-checks .finding', { hasText: 'identifiers/check-digit' }).locator('.error');
      assert.match(await digit.textContent(), /line 14/);
      await digit.click();
      await openTab(page, 'Validate');
      assert.equal(await page.locator('#panel-validate .error').count(), 0);
    },
  ));

test('the checks look at XML, and say why they cannot look at what is none', () =>
  withDocument(vector('translate/extensions-lossy/input.xml'), async (page) => {
    await openTab(page, 'Checks');
    await page.locator('#panel-checks .banner', { hasText: /checked/ }).waitFor();
    await paste(page, '{"a": ');
    await openTab(page, 'Checks');
    await page.locator('#panel-checks .refusal').waitFor();
  }));

test('master data has a tab where there is some', () =>
  withDocument(vector('translate/master-data-document/input.xml'), async (page) => {
    await openTab(page, 'Master data');
    assert.match(await page.locator('#panel-master').textContent(), /Business Location.*GLN.*name/s);
    await paste(page, around(event({})));
    assert.equal(await page.locator('#tab-master').isVisible(), false);
    assert.equal(await page.locator('#tab-validate').getAttribute('aria-selected'), 'true');
  }));

test('the table: identifiers in any spelling, filters, order, CSV, and thousands of events', () =>
  withDocument(
    around(
      ...Array.from({ length: 3000 }, (_, at) =>
        event({
          bizStep: at % 3 === 0 ? 'shipping' : 'receiving',
          eventTime: new Date(Date.UTC(2026, 2, 4) + ((at * 7919) % 3000) * 60_000).toISOString(),
          epcList: [`urn:epc:id:sscc:9521141.1${String(at).padStart(9, '0')}`],
        }),
      ),
    ),
    async (page) => {
      await openTab(page, 'Table');
      const told = (words) => page.locator('.table-count', { hasText: words }).waitFor();
      await told(/^3,000 events$/);
      // Only visible rows are drawn.
      assert.ok((await page.locator('[data-row]').count()) < 200);
      await page.locator('.events-room').evaluate((room) => room.scrollTo(0, room.scrollHeight));
      await page.locator('[data-row="2999"]').waitFor();
      const { identifiers } = await import('epcis-edge');
      const link = identifiers.toDigitalLink('urn:epc:id:sscc:9521141.1000000042');
      for (const spelling of ['urn:epc:id:sscc:9521141.1000000042', link, `(00)${link.slice(-18)}`, link.slice(-18)]) {
        await page.locator('#table-search').fill(spelling);
        await told(/^1 of 3,000 events$/);
        await page.locator('[data-row="42"]').waitFor();
        await page.locator('#table-search').fill('');
        await told(/^3,000 events$/);
      }
      await page.getByLabel('Filter by step').selectOption('Shipping');
      await told(/^1,000 of 3,000 events$/);
      await page.getByRole('button', { name: 'Event time' }).click();
      await page.getByRole('button', { name: 'Event time' }).click();
      assert.equal(await page.locator('th[aria-sort]').getAttribute('aria-sort'), 'descending');
      await page.locator('[data-row]').first().locator('td', { hasText: '6 Mar 2026' }).waitFor();
      const { name, bytes } = await saved(page, page.getByRole('button', { name: 'CSV' }));
      assert.equal(name, 'events.csv');
      const lines = bytes.toString().trimEnd().split('\r\n');
      assert.equal(lines.length, 1001);
      assert.match(lines[0], /^\ufeffevent,type,eventTime,/);
      assert.ok(lines.slice(1).every((line) => line.includes(',shipping,')));
      await page.locator('[data-row]').first().getByRole('button').click();
      await page.locator('.card:focus').waitFor();
      assert.equal(await page.locator('#tab-events').getAttribute('aria-selected'), 'true');
    },
  ));

test('Convert: any spelling to the others, check digits, and a QR code', () =>
  withDocument(undefined, async (page) => {
    await openTool(page, 'convert');
    assert.equal(new URL(page.url()).hash, '#convert');
    const input = page.locator('#convert-input');
    const answer = page.locator('.convert-answer');
    await input.fill('urn:epc:id:sgtin:9521141.012345.A1');
    await answer.locator('code', { hasText: 'https://id.gs1.org/01/09521141123454/21/A1' }).waitFor();
    await answer.locator('code', { hasText: '(01)09521141123454(21)A1' }).waitFor();
    await page.locator('.qr').waitFor();
    for (const spelling of ['https://id.gs1.org/01/09521141123454/21/A1', '(01)09521141123454(21)A1']) {
      await input.fill(spelling);
      await answer.locator('.convert-line', { hasText: 'urn:epc:id:sgtin:9521141.012345.A1' }).waitFor();
    }
    await page.locator('#convert-length').selectOption('9');
    await answer.locator('code', { hasText: 'urn:epc:id:sgtin:952114112.0345.A1' }).waitFor();
    await input.fill('09521141123455');
    await answer.locator('.banner', { hasText: 'is 5, expected 4' }).waitFor();
    await page.getByRole('button', { name: 'Correct the check digit: (01)09521141123454' }).click();
    await answer.locator('code', { hasText: 'https://id.gs1.org/01/09521141123454' }).first().waitFor();
    await input.fill('nonsense');
    await answer.locator('.banner', { hasText: 'Not converted' }).waitFor();
    await page.goBack();
    assert.equal(await page.locator('#document-answers').isVisible(), true);
  }));

test('Compare: the same events in another order and spelling; the piece that differs', () =>
  withDocument(around(event({ bizStep: 'shipping' }), event({ bizStep: 'receiving', eventTime: '2026-03-05T10:00:00Z' })), async (page) => {
    await openTool(page, 'compare');
    const compare = async (text) => {
      await page.locator('#compare-text').fill(text);
      await page.locator('#tool-compare').getByRole('button', { name: 'Compare', exact: true }).click();
    };
    const same = around(
      event({ bizStep: 'receiving', eventTime: '2026-03-05T11:00:00+01:00', eventID: 'urn:uuid:00000000-0000-4000-8000-000000000001' }),
      event({ bizStep: 'shipping', epcList: ['https://id.gs1.org/00/195211412345678900'] }),
    );
    await compare(same);
    await page.locator('.compare-answer .banner', { hasText: 'The same events' }).waitFor();
    await compare(same.replace('shipping', 'packing'));
    await page.locator('.compare-answer .banner', { hasText: 'The documents differ' }).waitFor();
    const row = page.locator('.differences tbody tr');
    await row.first().waitFor();
    assert.match(await row.first().textContent(), /bizStep.*shipping.*packing/i);
    await compare('{');
    await page.locator('.compare-answer', { hasText: 'The other document' }).waitFor();
    await compare(' ');
    const nothing = page.locator('.compare-answer .refusal', { hasText: 'There is nothing to compare' });
    await nothing.waitFor();
    assert.deepEqual(await nothing.locator('p').allTextContents(), ['One of the two documents is empty.']);
  }));

/** The gateway behind another origin that allows pages of all origins, as third-party servers do. */
async function elsewhere(gateway) {
  const proxy = http.createServer((request, response) => {
    const cors = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-expose-headers': 'location, link',
    };
    if (request.method === 'OPTIONS') {
      response.writeHead(204, cors).end();
      return;
    }
    const onward = http.request(
      {
        hostname: gateway.address.hostname,
        port: gateway.address.port,
        method: request.method,
        path: request.url,
        headers: { ...request.headers, host: gateway.address.host },
      },
      (answer) => {
        response.writeHead(answer.statusCode, { ...answer.headers, ...cors });
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${proxy.address().port}`, close: () => new Promise((resolve) => proxy.close(resolve)) };
}

test('Gateway: capture what is open, find it, open it, prove it; at another origin only after that was named', async () => {
  const gateway = await start({ LOG_KEY: makeLogKey('log', 'gateway.example.com/log').skey });
  let other;
  try {
    const key = await makeKey(await database(gateway.gateway), { account: 'https://epcis.example.com/accounts/mill', observer: 'urn:o' });
    other = await elsewhere(gateway);
    for (const [page, address] of [
      [gateway.address.href, undefined],
      [site.server.origin, other.origin],
    ]) {
      const visitor = await visit(site.browser, page);
      const { page: tab, seen } = visitor;
      try {
        await tab.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);
        await paste(tab, around(event({ bizStep: 'shipping' })));
        await openTool(tab, 'gateway');
        if (address !== undefined) await tab.locator('#gateway-address').fill(address);
        await tab.locator('#gateway-policy', { hasText: address ?? 'serves this page' }).waitFor();
        await tab.locator('#gateway-key').fill(key);
        const apart = () => seen.requests.filter(({ url }) => address !== undefined && url.startsWith(address));
        assert.equal(apart().length, 0);
        assert.equal(await tab.locator('iframe').count(), 0);
        await tab.getByRole('button', { name: 'Capture the open document' }).click();
        await tab.locator('.gateway-answer .banner.good', { hasText: 'Captured' }).waitFor();
        await tab.locator('#gateway-item').fill('urn:epc:id:sscc:9521141.1234567890');
        await tab.getByRole('button', { name: 'Trace it' }).click();
        await tab.locator('.gateway-answer .banner', { hasText: '1 event' }).waitFor();
        const logged = () => fetch(new URL('/log/checkpoint', gateway.address)).then(({ status }) => status === 200);
        for (let waited = 0; !(await logged()); waited += 1) {
          assert.ok(waited < 1500, 'the event was not logged');
          await tab.waitForTimeout(200);
        }
        await tab.getByRole('button', { name: 'Proof' }).click();
        await tab.waitForFunction(() => document.getElementById('proof-text')?.value.startsWith('c2sp.org/tlog-proof@v1'));
        assert.match(await tab.locator('#panel-proof .banner').textContent(), /Add the public key of the log/);
        await openTool(tab, 'gateway');
        await answered(tab, () => tab.getByRole('button', { name: 'Open as document' }).click());
        assert.match(await editorText(tab), /"eventID": "ni:/);
        assert.equal(await tab.locator('#answers').getAttribute('data-verdict'), 'valid');
        if (address === undefined) assert.deepEqual(visitor.foreign, []);
        else {
          assert.ok(visitor.foreign.length > 0 && visitor.foreign.every((url) => url.startsWith(address)));
          // The page itself may still send requests only to its own host.
          const sent = await tab.evaluate(
            (url) =>
              fetch(url).then(
                () => 'sent',
                () => 'refused',
              ),
            address,
          );
          assert.equal(sent, 'refused');
        }
        const kept = await tab.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
        assert.ok(!kept.includes(key), 'the key is kept');
      } finally {
        await visitor.close();
      }
    }
  } finally {
    await other?.close();
    await gateway.dispose();
  }
});

for (const colorScheme of ['light', 'dark']) {
  test(`the tools: axe finds nothing serious and 375 pixels are enough, ${colorScheme}`, () =>
    withDocument(
      undefined,
      async (page) => {
        await page.evaluate(axe);
        for (const mode of ['reports', 'convert', 'compare', 'build', 'gateway']) {
          await openTool(page, mode);
          await page.locator(`#tool-${mode}:not([aria-busy])`).waitFor();
          if (mode === 'convert') {
            await page.locator('#convert-input').fill('(00)195211412345678900');
            await page.locator('.qr').waitFor();
          }
          if (mode === 'build') await page.locator('.build-result .banner').waitFor();
          if (mode === 'reports') await page.locator('.report-answer:not([aria-busy])').waitFor();
          assert.deepEqual(await seriousFaults(page), [], mode);
          assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 375, mode);
        }
      },
      { viewport: { width: 375, height: 812 }, colorScheme },
    ));
}
