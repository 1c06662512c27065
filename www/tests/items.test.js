// Items: following, what is inside of what, and the page of an item, in real Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomCase } from '../../wasm/tests/follow-random.js';
import { follow } from 'epcis-edge/follow';
import { toXml } from 'epcis-edge';
import { pathOf } from '../src/item/document-follow.ts';
import { rowsOf, walk } from '../src/flow/flow.ts';
import { answered, around, event, openTab, paste, playground, seriousFaults, visit } from './browser.js';
import { CHAIN, fragmentOf, item, life, named, openItem, packing, pallet, section, SENTENCES } from './chain.js';
import { inputOf } from './history.js';
import { stepsOf, stepsOfCall } from './steps.js';

const site = playground();
const { withDocument } = site;

test('what the picture puts inside of what is what the following engine says', () => {
  let compared = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const { events } = randomCase(seed);
    const { rows } = rowsOf(inputOf(events));
    // What is inside of what after each event.
    const after = rows.map((_, at) => walk(rows.slice(0, at + 1), {}).packing);
    const last = after.at(-1);
    const things = new Set(rows.flatMap(({ present, left }) => [...present, ...left]));
    for (const thing of things) {
      const answer = follow(events, { items: thing, through: ['packing'], contents: 'none', maxEvents: 10_000 });
      const { at } = answer.things.find(({ id }) => id === thing) ?? {};
      const parents = last.parentsOf(thing);
      if (at?.inside === undefined) assert.equal(parents.size, 0, `${thing} of case ${seed}`);
      else assert.ok(parents.has(at.inside), `${thing} in ${at.inside} of case ${seed}`);
      for (const { index, withdrawn, presences } of answer.events) {
        const parent = presences.find(({ item, how }) => item === thing && how === 'inside')?.through.at(-1);
        if (withdrawn || parent === undefined) continue;
        const row = rows.findIndex((one) => one.index === index);
        assert.ok(
          [after[row - 1], after[row]].some((one) => one?.parentsOf(thing).has(parent)),
          `${thing} in ${parent} at event ${index} of case ${seed}`,
        );
        compared += 1;
      }
    }
  }
  assert.ok(compared > 500, `${compared} presences inside of containers`);
});

test('following: an item is found in the events of its pallet, and only while it is inside', () =>
  withDocument(CHAIN, async (page, { seen }) => {
    await openTab(page, 'Events');
    const engines = () => seen.requests.filter(({ url }) => /follow-[\w]+\.wasm$/.test(url)).length;
    assert.equal(engines(), 0, 'the engine is loaded before it is needed');
    await page.locator('#follow').selectOption({ label: 'GTIN 09521141123454 · serial A1' });
    await page.locator('.follow-answer', { hasText: 'Present in 5 events' }).waitFor();
    const lit = () => page.locator('.flow .box:not(.is-off) .box-title').allTextContents();
    assert.deepEqual(await lit(), ['Commissioning', 'Packing', 'Shipping', 'Unpacking', 'Retail selling']);
    assert.equal(await page.locator('.flow .edge:not(.is-off)').count(), 4);
    assert.equal(engines(), 1);
    await page.locator('#follow').selectOption({ label: 'GTIN 09521141123454 · serial B2' });
    await page.locator('.follow-answer', { hasText: 'Present in 2 events' }).waitFor();
  }));

test('following a class of 10,000 items through the picture takes no steps that grow with their square', () => {
  const epcList = Array.from({ length: 10_000 }, (_, serial) => `urn:epc:id:sgtin:9521141.012345.${serial}`);
  const events = ['08', '09', '10'].map((hour) => event({ epcList, eventTime: `2026-03-04T${hour}:00:00Z` }));
  let path;
  const most = stepsOfCall(() => {
    path = pathOf(inputOf(events), follow, 'https://id.gs1.org/01/09521141123454');
  });
  assert.deepEqual([path.boxes.length, path.edges.length], [3, 2]);
  // 30,000 names are read; the square of a list is 100,000,000.
  assert.ok(most.count < 3_000_000, JSON.stringify(most));
});

test('following: entries of a list that are no events do not hinder it', () =>
  withDocument(undefined, async (page) => {
    const document = JSON.parse(CHAIN);
    document.epcisBody.eventList.splice(1, 0, 7, null);
    await paste(page, JSON.stringify(document));
    await openTab(page, 'Events');
    await page.locator('#follow').selectOption({ label: 'GTIN 09521141123454 · serial A1' });
    await page.locator('.follow-answer', { hasText: 'Present in 5 events' }).waitFor();
    assert.equal(await page.locator('.flow .box:not(.is-off)').count(), 5);
  }));

for (const format of ['JSON', 'XML']) {
  test(`the page of an item, ${format}: its name, its life in sentences, where it is; each sentence opens its event`, () =>
    withDocument(format === 'XML' ? toXml(named()).document : named(), async (page) => {
      await openTab(page, 'Events');
      await page.locator('#follow').selectOption({ label: 'Apple juice · GTIN 09521141123454 · serial A1' });
      await page.locator('.follow-answer').getByRole('link', { name: 'About this item' }).click();
      await page.locator('.item-page').waitFor();
      assert.equal(await page.locator('#item-title').innerText(), 'Apple juice');
      assert.match(await page.locator('.item-head').innerText(), /Item with a serial number \(SGTIN\) · GTIN 09521141123454 · serial A1/);
      assert.deepEqual(await life(page), SENTENCES);
      assert.match(await section(page, 'Where it is').innerText(), /Hill Orchard \(GLN 9521141000014\), last seen there on 4 March 2026/);
      assert.match(await section(page, 'What is uncertain').innerText(), /Nothing here is marked/);
      // The engine says that it is in no container now.
      assert.doesNotMatch(await section(page, 'Where it is').innerText(), /Inside/);
      const address = page.url();
      assert.match(address, /#item=/);
      await page.locator('.item-life li').nth(2).getByRole('button').click();
      await page.locator('.card:focus').waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.dataset.event), '2');
      assert.equal(new URL(page.url()).hash, '');
      await page.goBack();
      await page.locator('.item-page').waitFor();
      assert.equal(page.url(), address);
      // The pallet has a page of its own, with what was on it.
      await page.locator('.item-life').getByRole('link').first().click();
      await page.locator('#item-title', { hasText: 'SSCC 195211412345678900' }).waitFor();
      assert.match(
        await section(page, 'Its contents earlier (1)').innerText(),
        /Apple juice \(GTIN 09521141123454 · serial A1\), from 4 March 2026 until 5 March 2026/,
      );
      assert.equal(await section(page, 'Its contents now').count(), 0);
    }));
}

test('an address opens an item: with an example, after a reload, and as a link that holds the document', () =>
  withDocument(
    named(),
    async (page) => {
      await openItem(page, item);
      await page.reload();
      await page.locator('.item-page').waitFor();
      assert.equal((await life(page)).length, 5);
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.locator('#notice', { hasText: 'it holds the whole document' }).waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(new URL(link).hash, /^#1\.[\w-]+&item=/);
      const second = await visit(site.browser, link);
      await second.page.locator('.item-life').waitFor();
      assert.deepEqual(await life(second.page), SENTENCES);
      await second.close();
      const third = await visit(site.browser, site.server.origin + fragmentOf('https://id.gs1.org/00/095211410000000175', 'orchard-to-shop'));
      await third.page.locator('.item-life').waitFor();
      assert.equal(await third.page.locator('#examples').inputValue(), 'orchard-to-shop');
      assert.equal(await section(third.page, 'Its contents earlier (3)').count(), 1);
      await third.close();
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));

test('another document leaves the page of the item, and an edit keeps it', () =>
  withDocument(CHAIN, async (page) => {
    await openItem(page, item);
    await answered(page, () => page.locator('#file').setInputFiles({ name: 'x.json', mimeType: '', buffer: Buffer.from(around(event({}))) }));
    assert.equal(await page.locator('#tab-item').isVisible(), false);
    assert.equal(new URL(page.url()).hash, '');
    await page.goBack();
    await page.locator('.item-page').waitFor();
    await paste(page, CHAIN.replace('retail_selling', 'destroying'));
    await page.locator('.item-life', { hasText: 'was destroyed' }).waitFor();
    assert.match(page.url(), /#item=/);
  }));

test('what is uncertain: taken out before it went in, a cycle, an event declared wrong, and nothing that is not said', () =>
  withDocument(undefined, async (page) => {
    const id = 'urn:uuid:00000000-0000-4000-8000-000000000001';
    const wrong = event({ bizStep: 'inspecting', eventID: id, eventTime: '2026-03-04T12:00:00Z', epcList: [item] });
    await paste(
      page,
      around(
        packing({ action: 'DELETE', bizStep: 'unpacking', parentID: pallet, childEPCs: [item], eventTime: '2026-03-04T08:00:00Z' }),
        packing({ parentID: pallet, childEPCs: [item], eventTime: '2026-03-04T09:00:00Z' }),
        packing({ parentID: item, childEPCs: [pallet], eventTime: '2026-03-04T10:00:00Z' }),
        wrong,
        { ...wrong, errorDeclaration: { declarationTime: '2026-03-05T08:00:00Z', reason: 'did_not_occur' } },
        event({ bizStep: 'shipping', epcList: [pallet], eventTime: '2026-03-06T10:00:00Z' }),
        event({ bizStep: 'retail_selling', epcList: [item], eventTime: '2026-03-07T10:00:00Z' }),
      ),
    );
    await openItem(page, item);
    assert.deepEqual(await life(page), [
      'On 4 March 2026, 09:00 it was taken out of SSCC 195211412345678900 (nothing before says that it was inside).',
      'On 4 March 2026, 10:00 it was packed into SSCC 195211412345678900.',
      'On 4 March 2026, 11:00 SSCC 195211412345678900 was packed into it.',
      'On 6 March 2026, 11:00 it was inside SSCC 195211412345678900, which was shipped.',
      'On 7 March 2026, 11:00 it was sold.',
    ]);
    const doubts = await section(page, 'What is uncertain').innerText();
    assert.match(doubts, /inspecting.* does not count: it was declared wrong on 5 March 2026, because of “did not occur”/);
    assert.match(doubts, /this event \(retail selling\) names it without SSCC 195211412345678900, which it went into before/);
    assert.match(await section(page, 'Where it is').innerText(), /Inside\s+SSCC 195211412345678900, since 4 March 2026/);
  }));

test('lots: what is only possible is called that, in the life, the origin and the products', () =>
  withDocument(undefined, async (page) => {
    const lot = (name) => `urn:epc:class:lgtin:9521141.012345.${name}`;
    const of = (name, quantity) => ({ epcClass: lot(name), quantity, uom: 'KGM' });
    const making = (inputs, outputs, hour) => ({
      type: 'TransformationEvent',
      eventTime: `2026-03-04T${hour}:00:00Z`,
      eventTimeZoneOffset: '+00:00',
      inputQuantityList: inputs,
      outputQuantityList: outputs,
    });
    await paste(
      page,
      around(
        event({ action: 'ADD', epcList: [], quantityList: [of('MILK', 100)], ilmd: { 'example:farm': 'Hill farm' }, eventTime: '2026-03-04T08:00:00Z' }),
        making([of('MILK', 60)], [of('CHEESE', 6)], '10'),
        making([of('MILK', 40)], [of('CREAM', 4)], '11'),
        making([of('CHEESE', 6)], [of('PIZZA', 20)], '12'),
      ),
    );
    await openItem(page, lot('CHEESE'));
    assert.equal(await page.locator('.item-head p').innerText(), 'Batch or lot (LGTIN)');
    const [made] = await life(page);
    assert.match(made, /it was made from GTIN 09521141123454 · lot MILK.*6 KGM/);
    assert.match(await section(page, 'What was made of it').innerText(), /lot PIZZA, on 4 March 2026$/);
    await openItem(page, lot('PIZZA'));
    assert.match(await section(page, 'What it was made of').innerText(), /lot CHEESE.*\n.*lot MILK.*over 2 transformations\s*possible, not certain/);
    await openItem(page, lot('MILK'));
    assert.match(await section(page, 'What it is').innerText(), /farm\s+Hill farm \(event\)/);
    assert.equal(await section(page, 'What was made of it').locator('.is-alarm').count(), 3);
    // A class names its lots.
    await openItem(page, 'https://id.gs1.org/01/09521141123454');
    assert.equal(await section(page, 'Its items and lots here').locator('li').count(), 4);
  }));

test('strings of a document or an address are shown as text', () =>
  withDocument(undefined, async (page) => {
    const hostile = 'https://id.gs1.org/01/09521141123454/21/%3Cimg%2Fonerror%3Dx()%3E';
    const markup = '<img src=x onerror="globalThis.hit=1">';
    const text = named(
      around(
        event({ action: 'ADD', bizStep: `urn:x:${markup}`, disposition: `urn:x:${markup}`, epcList: [hostile], ilmd: { [`x:${markup}`]: markup } }),
        packing({ parentID: `urn:x:${markup}`, childEPCs: [hostile] }),
        event({ epcList: [hostile] }),
      ),
    ).replaceAll(/Hill Orchard|Apple juice/g, markup.replaceAll('"', '\\"'));
    await paste(page, text);
    await openItem(page, hostile);
    const words = await page.locator('.item-page').innerText();
    assert.ok(words.includes('<img/onerror=x()>') && words.includes(markup), words);
    await page.evaluate((hash) => (location.hash = hash), fragmentOf(markup));
    await page.locator('#panel-item .banner.bad', { hasText: '<img src=x' }).waitFor();
    await page.locator('#panel-item').evaluate(() => document.querySelector('.as-code summary').click());
    assert.equal(await page.locator('#panel-item img, #code img').count(), 0);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    await openItem(page, 'urn:x:nobody');
    await page.locator('.item-page .banner', { hasText: 'Nothing names it' }).waitFor();
    // An address that cannot be decoded names no item.
    await page.evaluate(() => (location.hash = '#item=%E0%A4%A'));
    await page.locator('#panel-events .card').first().waitFor();
  }));

test('by keyboard alone: from the picture to the item, to an event and back', () =>
  withDocument(named(), async (page) => {
    await openTab(page, 'Events');
    await page.locator('#follow').selectOption({ label: 'Apple juice · GTIN 09521141123454 · serial A1' });
    await page.getByRole('link', { name: 'About this item' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#item-title:focus').waitFor();
    const reached = [];
    for (let step = 0; step < 9; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(() => document.activeElement.textContent));
    }
    assert.deepEqual(reached.slice(0, 2), ['Copy link', 'Print']);
    assert.ok(reached.includes('On 4 March 2026, 09:00'), `${reached}`);
    await page.keyboard.press('Enter');
    await page.locator('.item-page').waitFor({ state: 'hidden' });
    await page.goBack();
    await page.locator('.item-page').waitFor();
  }));

for (const colorScheme of ['light', 'dark']) {
  test(`390 pixels wide, ${colorScheme}: nothing scrolls sideways, and axe finds nothing serious`, () =>
    withDocument(
      named(),
      async (page) => {
        for (const id of [item, pallet, 'urn:x:nobody']) {
          await openItem(page, id);
          await page.waitForFunction(() => document.querySelector('#panel-item .item-page') !== null);
          assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 390, id);
          assert.ok(await page.locator('#panel-item').evaluate((own) => own.scrollWidth <= own.clientWidth));
          assert.deepEqual(await seriousFaults(page), []);
        }
      },
      { viewport: { width: 390, height: 844 }, colorScheme },
    ));
}

test('on paper there is the item alone, black on white, on A4 and Letter', () =>
  withDocument(
    named(),
    async (page) => {
      await openItem(page, item);
      await page.emulateMedia({ media: 'print' });
      for (const selector of ['.top', '.source', '.tabs', '#code', '.item-tools'])
        assert.equal(await page.locator(selector).first().isVisible(), false, selector);
      assert.equal(await page.locator('.item-life').isVisible(), true);
      const [ink, ground] = await page.evaluate(() => [
        getComputedStyle(document.querySelector('.item-life')).color,
        getComputedStyle(document.body).backgroundColor,
      ]);
      assert.deepEqual([ink, ground], ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
      // As wide as the paper without its margins: 210 and 216 millimetres less 32.
      for (const [format, width] of [
        ['A4', 672],
        ['Letter', 695],
      ]) {
        await page.setViewportSize({ width, height: 900 });
        assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth), format);
        const pdf = await page.pdf({ format, preferCSSPageSize: false });
        assert.ok(pdf.length > 5000, format);
        assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length, 1, format);
      }
    },
    { colorScheme: 'dark' },
  ));

test("10,000 events: followed outside of the page's thread, and only as much is drawn as fits", async () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const at = (minute) => new Date(start + minute * 60_000).toISOString();
  const events = [
    packing({ parentID: pallet, childEPCs: Array.from({ length: 2000 }, (_, serial) => `urn:epc:id:sgtin:9521141.012345.${serial}`), eventTime: at(0) }),
    ...Array.from({ length: 10_999 }, (_, minute) => event({ bizStep: 'shipping', disposition: 'in_transit', epcList: [pallet], eventTime: at(minute + 1) })),
  ];
  await withDocument(undefined, async (page) => {
    const file = { name: 'large.json', mimeType: 'application/json', buffer: Buffer.from(around(...events)) };
    await answered(page, () => page.locator('#file').setInputFiles(file), 600_000);
    for (const [id, words] of [
      ['urn:epc:id:sgtin:9521141.012345.7', /it was inside SSCC/],
      [pallet, /it was shipped/],
    ]) {
      const steps = await stepsOf(page, async () => {
        await openItem(page, id);
        await page.locator('.item-life li').nth(99).waitFor();
      });
      // Less than a value or a step for each event.
      assert.ok(steps.most.count < 5000 && steps.text < 100_000 && steps.values < 50_000, JSON.stringify(steps));
      assert.match(await page.locator('.item-life li').nth(50).innerText(), words);
      assert.equal(await page.locator('.item-life li').count(), 100);
      await page.getByRole('button', { name: /^Show more of 10,000/ }).click();
      assert.equal(await page.locator('.item-life li').count(), 200);
      assert.match(await section(page, 'What is uncertain').innerText(), /There are more events than are followed at once/);
    }
    assert.equal(await section(page, 'Its contents now (2,000)').locator('li').count(), 100);
  });
});

for (const format of ['JSON', 'XML']) {
  test(`names of the master data, ${format}: on cards, on boxes and in the table, beside the identifiers`, () =>
    withDocument(format === 'XML' ? toXml(named()).document : named(), async (page) => {
      await openTab(page, 'Events');
      const first = page.locator('.card').first();
      assert.match(await first.innerText(), /Apple juice GTIN 09521141123454 · serial A1/);
      assert.match(await first.innerText(), /Hill Orchard GLN 9521141000014/);
      assert.match(await page.locator('.flow .box-title').first().textContent(), /^Hill Orchard registers$/);
      assert.equal(await page.locator('.flow .box-what').first().textContent(), '2 × Apple juice');
      // What has no name is shown as before.
      assert.doesNotMatch(await page.locator('.flow .box').nth(4).textContent(), /Hill Orchard/);
      await first.getByRole('link', { name: 'GTIN 09521141123454 · serial B2' }).click();
      await page.locator('.item-life li').nth(1).waitFor();
      await openTab(page, 'Table');
      assert.match(await page.locator('[data-row="0"]').innerText(), /Hill Orchard · GLN 9521141000014\s+Apple juice · GTIN 09521141123454 · serial A1/);
      await page.locator('#table-search').fill('hill orchard');
      await page.locator('.table-count', { hasText: /^3 of 7 events$/ }).waitFor();
    }));
}
