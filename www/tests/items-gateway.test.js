// The page of an item from the answer of a gateway, in real Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow } from 'epcis-edge/follow';
import { around, event, openTool, playground } from './browser.js';
import { CHAIN, item, life, named, packing, pallet, section, SENTENCES } from './chain.js';

const site = playground();
const { withDocument } = site;

/** Answers `GET /masterdata` as a gateway without master data does, or with `answer(ids, query)`. */
const masterData = (page, answer = () => ({ json: { type: 'EMPTY', message: 'no master data in scope was captured about this' } }), asked = []) =>
  page.route('**/masterdata?*', (route) => {
    const { searchParams, search } = new URL(route.request().url());
    const ids = searchParams.getAll('id');
    asked.push({ ids, length: search.length, key: route.request().headers().authorization, token: searchParams.get('nextPageToken') });
    return route.fulfill(answer(ids, searchParams));
  });

/** Answers `POST /follow` as a gateway does, with these events. */
const gateway = (page, events, asked = []) =>
  page.route('**/follow', (route) => {
    const request = route.request();
    asked.push({ method: request.method(), key: request.headers().authorization, body: request.postDataJSON() });
    const answer = follow(events, request.postDataJSON());
    for (const entry of answer.events) delete entry.index;
    return route.fulfill({ json: answer });
  });

test('a gateway: an item is followed with the key, its page is the same, its events open in place', () =>
  withDocument(around(event({})), async (page) => {
    const asked = [];
    await gateway(page, JSON.parse(CHAIN).epcisBody.eventList, asked);
    await masterData(page);
    await openTool(page, 'gateway');
    await page.locator('#gateway-key').fill('a-key');
    await page.locator('#gateway-item').fill(item);
    assert.equal(asked.length, 0);
    await page.getByRole('button', { name: 'Follow it' }).click();
    await page.locator('#gateway-item-title:focus').waitFor();
    assert.deepEqual(asked, [{ method: 'POST', key: 'Bearer a-key', body: { items: [item] } }]);
    const sentences = SENTENCES.map((one) => one.replace(/ (?:at|from) Hill Orchard \(GLN 9521141000014\)/, '').replace(' in transit', ''));
    assert.deepEqual(await life(page), sentences);
    const second = page.locator('.item-life li').nth(1);
    await second.getByRole('button').click();
    await second.locator('pre', { hasText: '"parentID": "urn:epc:id:sscc:9521141.1234567890"' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 390);
    await second.getByRole('button').first().click();
    assert.equal(await second.locator('pre').count(), 0);
    await second.getByRole('link').click();
    await page.locator('#gateway-item-title', { hasText: 'SSCC 195211412345678900' }).waitFor();
    assert.equal(await section(page, 'Its contents earlier (1)').count(), 1);
    assert.equal(asked.length, 2);
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual(await Promise.all(['.top', '.form', '.gateway-answer'].map((selector) => page.locator(selector).first().isVisible())), [
      false,
      false,
      true,
    ]);
  }));

test('a gateway that answers with something else is told from one that follows', () =>
  withDocument(around(event({})), async (page, { errors }) => {
    const answers = [
      '{"items":["x"],"events":[{"event":{},"presences":[{"item":1}]}]}',
      '[]',
      'no',
      '{"type":"EMPTY","items":["urn:x:<b>"],"events":[],"contents":[],"ties":[],"things":[],"incomplete":[]}',
    ];
    await page.route('**/follow', (route) => route.fulfill({ contentType: 'application/json', body: answers.shift() }));
    const asked = [];
    await masterData(page, undefined, asked);
    await openTool(page, 'gateway');
    await page.locator('#gateway-item').fill(item);
    for (let left = 3; left > 0; left -= 1) {
      await page.getByRole('button', { name: 'Follow it' }).click();
      await page.locator('.gateway-answer .banner', { hasText: 'Not followed' }).waitFor();
      await page.locator('#gateway-item').fill(item);
    }
    assert.deepEqual(asked, [], 'nobody is asked for the names of what is no answer');
    await page.getByRole('button', { name: 'Follow it' }).click();
    await page.locator('.gateway-answer .banner', { hasText: 'Nothing names it' }).waitFor();
    assert.equal(await page.locator('#gateway-item-title').innerText(), 'urn:x:<b>');
    await page.unroute('**/follow');
    await page.route('**/follow', (route) => route.fulfill({ status: 403, json: { title: 'Forbidden', detail: 'this key may not query' } }));
    await page.getByRole('button', { name: 'Follow it' }).click();
    await page.locator('.gateway-answer .banner', { hasText: '403: Forbidden: this key may not query' }).waitFor();
    // The browser notes the refused request.
    errors.length = 0;
  }));

/** What an element of master data is at a gateway. */
const element = (id, name, value) => ({
  id,
  spelling: id,
  type: 'Location',
  attributes: [{ id: `urn:epcglobal:cbv:mda#${name}`, attribute: value }],
  capturedBy: 'https://epcis.example.com/accounts/mill',
  recordTime: '2026-03-04T11:00:30Z',
  document: '00',
});
const [GLN, GTIN] = ['https://id.gs1.org/414/9521141000014', 'https://id.gs1.org/01/09521141123454'];

/** Opens the tool, and follows an item. */
async function followed(page, key = '') {
  await openTool(page, 'gateway');
  await page.locator('#gateway-key').fill(key);
  await page.locator('#gateway-item').fill(item);
  await page.getByRole('button', { name: 'Follow it' }).click();
  await page.locator('#gateway-item-title:focus').waitFor();
}

test('a gateway: names and attributes are those of its master data, asked for with the key, page by page', () =>
  withDocument(around(event({})), async (page) => {
    await gateway(page, JSON.parse(named()).epcisBody.eventList);
    const asked = [];
    const pages = [
      { type: 'OK', elements: [element(GLN, 'name', 'Hill Orchard')], nextPageToken: 'a&b=' },
      {
        type: 'OK',
        elements: [element(GTIN, 'descriptionShort', 'Apple juice'), element('https://id.gs1.org/00/195211412345678900', 'name', '<b>Pallet</b>')],
      },
    ];
    await masterData(page, () => ({ json: pages.shift() }), asked);
    await followed(page, 'a-key');
    assert.deepEqual(
      asked.map(({ key, token }) => [key, token]),
      [
        ['Bearer a-key', null],
        ['Bearer a-key', 'a&b='],
      ],
    );
    // The item and its class come first, then places.
    assert.deepEqual(asked[0].ids.slice(0, 3), [`${GTIN}/21/A1`, GTIN, GLN]);
    assert.deepEqual(asked[1].ids, asked[0].ids);
    assert.deepEqual(
      await life(page),
      SENTENCES.map((one) => one.replace('SSCC 195211412345678900', '<b>Pallet</b> (SSCC 195211412345678900)')),
    );
    assert.equal(await page.locator('#gateway-item-title').innerText(), 'Apple juice');
    assert.match(await section(page, 'What it is').innerText(), /description short\s+Apple juice/i);
    assert.match(await page.locator('.item-page > .fine').last().innerText(), /your key may read, and no more\. Names are from its master data\.$/);
  }));

test('a gateway that gives no names: the item is shown, and one line says why', () =>
  withDocument(around(event({})), async (page, { errors }) => {
    await gateway(page, JSON.parse(CHAIN).epcisBody.eventList);
    const problem = { type: 'epcisException:SecurityException', title: 'Forbidden', detail: 'this key may not query' };
    const answers = [
      [{ status: 404, body: 'no' }, 'Names could not be asked for: 404.'],
      [{ status: 403, json: problem }, 'Names could not be asked for: 403: Forbidden: this key may not query.'],
      ...['<html>', '{"type":"OK","elements":[{"id":"urn:x:a","attributes":[1]}]}', '{"type":"OK","elements":[],"nextPageToken":1}', 'null'].map((body) => [
        { body },
        'Names could not be asked for: the gateway answered with something else than master data.',
      ]),
    ];
    let answer;
    await masterData(page, () => answer);
    for (const [reply, words] of answers) {
      answer = reply;
      await followed(page);
      assert.equal(await page.locator('.item-page > .fine').last().innerText(), words);
      assert.equal((await life(page)).length, SENTENCES.length);
    }
    // The browser notes the refused requests.
    errors.length = 0;
  }));

test('a gateway that is silent about names: the item is shown after 15 seconds', () =>
  withDocument(around(event({})), async (page) => {
    await gateway(page, JSON.parse(CHAIN).epcisBody.eventList);
    const asked = new Promise((resolve) => page.route('**/masterdata?*', resolve));
    await page.clock.install();
    await openTool(page, 'gateway');
    await page.locator('#gateway-item').fill(item);
    await page.getByRole('button', { name: 'Follow it' }).click();
    await asked;
    await page.clock.runFor(14_000);
    assert.equal(await page.locator('.item-page').count(), 0);
    await page.clock.runFor(2_000);
    await page.locator('.item-page > .fine', { hasText: 'Names could not be asked for: no answer within 15 seconds.' }).waitFor();
  }));

test('a gateway: at most ten requests for names, each as long as the gateway takes', () =>
  withDocument(around(event({})), async (page) => {
    const many = (count, length) => Array.from({ length: count }, (_, n) => `urn:x:${'x'.repeat(length)}${n}`);
    const asked = [];
    await masterData(page, undefined, asked);
    for (const [children, sizes, words] of [
      // With the item, its class and the pallet.
      [many(1100, 0), Array(10).fill(100), 'Names of 103 identifiers were not asked for, since there are at most 10 requests of 7,000 bytes.'],
      [many(32, 2000), [6, ...Array(9).fill(3)], 'Names of 2 identifiers were not asked for, since there are at most 10 requests of 7,000 bytes.'],
      [many(1, 9000), [3], 'Names of 1 identifier were not asked for, since there are at most 10 requests of 7,000 bytes.'],
      [many(97, 0), [100], undefined],
    ]) {
      await page.unroute('**/follow');
      await gateway(page, [packing({ parentID: pallet, childEPCs: [item, ...children] })]);
      asked.length = 0;
      await followed(page);
      assert.deepEqual(
        asked.map(({ ids }) => ids.length),
        sizes,
      );
      assert.ok(asked.every(({ length }) => length < 7100));
      const lines = await page.locator('.item-page > .fine').allInnerTexts();
      assert.deepEqual(lines.slice(1), words === undefined ? [] : [words]);
    }
  }));
