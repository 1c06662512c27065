// The page of an item from the answer of a gateway, in real Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow } from 'epcis-edge/follow';
import { around, event, playground } from './browser.js';
import { CHAIN, item, life, section, SENTENCES } from './chain.js';

const site = playground();
const { withDocument } = site;

/** Answers `POST /follow` as a gateway does, with these events. */
const gateway = (page, events, asked) =>
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
    await page.locator('#mode-gateway').click();
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
    await page.locator('#mode-gateway').click();
    await page.locator('#gateway-item').fill(item);
    for (let left = 3; left > 0; left -= 1) {
      await page.getByRole('button', { name: 'Follow it' }).click();
      await page.locator('.gateway-answer .banner', { hasText: 'Not followed' }).waitFor();
      await page.locator('#gateway-item').fill(item);
    }
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
