// The Checks tab: the packs of industries, chosen and suggested, and their findings by rule.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PACKS } from '../../wasm/js/engine/answers.ts';
import { answered, around, axe, editorText, event, openTab, paste, playground, settled, vector, visit } from './browser.js';

const site = playground();
const { withPage, withDocument } = site;

const box = (page, id) => page.locator(`.pack input[value=${id}]`);
const title = (page, words) => page.locator('#panel-checks .banner h2', { hasText: words }).waitFor();
const chosen = (page) => page.locator('.pack input').evaluateAll((boxes) => boxes.filter(({ checked }) => checked).map(({ value }) => value));

test('the pack that a document is made for is asked without being chosen, and its findings stand by rule', () =>
  withPage(async (page) => {
    await title(page, '8 errors, 1 warning, 1 hint');
    assert.deepEqual(await chosen(page), ['dscsa']);
    assert.match(await page.locator('#panel-checks .remark').textContent(), /^Checked for DSCSA, too: the document is made for it\.$/);
    await page.locator('#code summary').click();
    await page.locator('#code-npm', { hasText: "'cbv', 'dscsa'] }" }).waitFor();
    // It can be taken back, and stays so.
    await box(page, 'dscsa').uncheck();
    const offered = await page.locator('.pack input').evaluateAll((boxes) => boxes.map(({ value }) => value));
    assert.deepEqual(['identifiers', 'consistency', 'cbv', ...offered].sort(), [...PACKS].sort());
    await title(page, 'No problems found');
    assert.deepEqual(await chosen(page), []);
    await page.reload();
    await settled(page);
    await title(page, 'No problems found');
    await page.getByRole('button', { name: 'This looks like a DSCSA document: check it for DSCSA' }).click();
    await title(page, '8 errors, 1 warning, 1 hint');
    assert.deepEqual(await chosen(page), ['dscsa']);
    assert.equal(await page.evaluate(() => document.activeElement.value), 'dscsa');
    assert.equal(await page.locator('.pack-suggestion').count(), 0);
    assert.match(await page.locator('#panel-checks .banner p').textContent(), /vocabulary, DSCSA \(GS1 US R1\.3\)$/);
    assert.equal(await page.locator('#tab-checks .badge').textContent(), '9 9 findings');
    assert.equal(await page.locator('#announcer').textContent(), '8 errors, 1 warning, 1 hint');
    // The severest rules are first, each said once.
    assert.deepEqual(await page.locator('.finding > .error-message b').allTextContents(), ['error', 'error', 'error', 'warning', 'hint']);
    const rule = page.locator('.finding', { hasText: 'serialised-medicine/shipped-unknown' });
    assert.match(await rule.locator('.finding-source').textContent(), /^Implementers' rules for serialised medicines · /);
    const { href } = await page.locator('.finding-source a', { hasText: 'dscsa/ndc-form' }).evaluate((link) => ({ href: link.href }));
    assert.match(href, /\/docs\/checks\/dscsa\.md#ndc-form$/);
    assert.match(readFileSync(new URL('../../docs/checks/dscsa.md', import.meta.url), 'utf8'), /^## ndc-form$/m);
    // The first five places, and the rest by a button.
    assert.equal(await rule.locator('.finding-place').count(), 5);
    await rule.getByRole('button', { name: 'and 1 more' }).click();
    assert.equal(await rule.locator('.finding-place').count(), 6);
    assert.equal(await rule.locator('.finding-rest').isVisible(), false);
    assert.match(await page.evaluate(() => document.activeElement.textContent), /9521141\.012345\.206.*packing/);
    await rule.locator('.finding-place').first().click();
    assert.match(await editorText(page), /012345\.201/);
    assert.match(await page.locator('.finding', { hasText: 'dscsa/ndc-form' }).locator('.finding-place').textContent(), /112345\.\*master dataline 53/);
    await openTab(page, 'Validate');
    assert.match(await page.locator('.other', { hasText: 'Checks' }).textContent(), /8 errors, 1 warning, 1 hint/);
  }, '#dscsa-shipment'));

test('a pack for other documents says so, and nothing is green', () =>
  withPage(async (page) => {
    await box(page, 'gdst').check();
    await title(page, /^Not checked for GDST$/);
    assert.equal(await page.locator('#panel-checks .banner.calm').count(), 1);
    assert.match(await page.locator('#panel-checks .remark').textContent(), /^Not checked for GDST: this is no document of GDST 1\.2.*\.$/);
    assert.equal(await page.locator('#tab-checks .badge:visible').count(), 0);
    await openTab(page, 'Validate');
    assert.match(await page.locator('.other', { hasText: 'Checks' }).textContent(), /not checked for all that you chose/);
    await openTab(page, 'Checks');
    // Another one is suggested.
    await page.getByRole('button', { name: 'If this is food for the US: check it for FSMA 204' }).click();
    await page.locator('#panel-checks .banner', { hasText: 'vocabulary, FSMA 204.' }).waitFor();
    await box(page, 'gdst').uncheck();
    await title(page, 'No problems found');
    assert.equal(await page.locator('#panel-checks .banner.good').count(), 1);
    assert.match(await page.locator('#tab-checks .badge').textContent(), /✓/);
  }, '#fsma204-lettuce'));

test('the usual checks are told beside those of a pack, and no pack is suggested without a reason', () =>
  withDocument(around(event({ epcList: ['https://id.gs1.org/01/09521141123455/21/A1'], bizStep: 'inspecting' })), async (page) => {
    await openTab(page, 'Checks');
    await title(page, '1 error');
    assert.equal(await page.locator('.pack-suggestion').count(), 0);
    await box(page, 'walmart').check();
    await page.locator('#panel-checks .remark', { hasText: 'Not checked for Walmart' }).waitFor();
    await title(page, '1 error');
    assert.match(await page.locator('.finding').textContent(), /identifiers\/check-digit.*09521141123455/);
    await paste(page, '{"a": ');
    await openTab(page, 'Checks');
    await page.locator('#panel-checks .refusal').waitFor();
    await paste(page, around());
    await title(page, 'No events');
    await paste(page, vector('translate/v12-error-declaration/input.xml'));
    await page.locator('#panel-checks .banner', { hasText: 'checked' }).waitFor();
  }));

test('the choice is kept, goes with a link, and is in the code', async () => {
  await withPage(async (page) => {
    await box(page, 'serialised-medicine').check();
    await title(page, '8 errors');
    await page.locator('#code summary').click();
    await page.locator('#code-npm', { hasText: "{ packs: ['identifiers', 'consistency', 'cbv', 'serialised-medicine', 'dscsa'] }" }).waitFor();
    assert.match(await page.locator('#code-curl').textContent(), /\/check\?packs=identifiers,consistency,cbv,serialised-medicine,dscsa/);
    await page.reload();
    await settled(page);
    assert.deepEqual(await chosen(page), ['serialised-medicine', 'dscsa']);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.waitForFunction(() => location.hash.startsWith('#1.'));
    const link = page.url();
    const other = await visit(site.browser, link);
    try {
      await settled(other.page);
      await title(other.page, '8 errors');
      assert.deepEqual(await chosen(other.page), ['serialised-medicine', 'dscsa']);
      assert.deepEqual(other.errors, []);
    } finally {
      await other.close();
    }
    // A choice that is taken back is kept as well.
    await box(page, 'dscsa').uncheck();
    await box(page, 'serialised-medicine').uncheck();
    await title(page, 'No problems found');
    await page.goto(site.server.origin);
    await settled(page);
    await openTab(page, 'Checks');
    assert.deepEqual(await chosen(page), []);
  }, '#dscsa-shipment');
});

test('what a pack may be told has a field for each of its parameters, and a wrong value is told at its field', () =>
  withPage(async (page) => {
    await title(page, '8 errors, 1 warning, 1 hint');
    await page.locator('.parameters summary', { hasText: 'What you may tell the checks for DSCSA' }).click();
    const { parameters } = JSON.parse(readFileSync(new URL('../../core/rules/src/packs/dscsa.json', import.meta.url), 'utf8'));
    assert.deepEqual(
      await page.locator('.parameter label code').allTextContents(),
      parameters.map(({ name }) => name),
    );
    assert.deepEqual(
      await page.locator('.parameter .fine').allTextContents(),
      parameters.map(({ about }) => about),
    );
    const own = page.getByLabel('own (GLNs, one a line; not told by default)');
    const direction = page.getByLabel('direction (one word; not told by default)');
    assert.deepEqual(await direction.locator('option').allTextContents(), ['not told', 'inbound', 'outbound']);
    const fault = page.locator('#parameter-dscsa-own-fault');
    const tell = async (text) => {
      await own.fill(text);
      await own.blur();
    };
    await direction.selectOption('inbound');
    for (const [text, words] of [
      ['9521141003009', 'Wrong check digit in 9521141003009: 9, should be 8'],
      ['952114100300', '952114100300 is no GLN: it has 12 digits, not 13'],
      ['9521141003008 us', 'us is no GLN: write its 13 digits, its URN or its Digital Link'],
      [`urn:x:${'1'.repeat(400)}`, 'A value has more than 400 bytes'],
      [Array(101).fill('9521141003008').join(' '), 'More than 100 values'],
    ]) {
      await tell(text);
      await fault.filter({ hasText: words }).waitFor();
      assert.equal(await fault.textContent(), words);
      assert.equal(await own.getAttribute('aria-invalid'), 'true');
    }
    assert.equal(await page.locator('.finding', { hasText: 'receiver-other' }).count(), 0);
    await tell('9521141003008\nurn:epc:id:sgln:9521141.00301.0');
    await page.locator('.finding', { hasText: 'dscsa/receiver-other' }).waitFor();
    assert.equal(await fault.textContent(), '');
    const { check } = await import('epcis-edge/check');
    const text = readFileSync(new URL('../examples/dscsa-shipment.json', import.meta.url), 'utf8');
    const { counts } = check(text, {
      packs: ['identifiers', 'consistency', 'cbv', 'dscsa'],
      parameters: { own: ['9521141003008', 'urn:epc:id:sgln:9521141.00301.0'], direction: 'inbound' },
    });
    await title(page, `${counts.error} errors, ${counts.warning} warnings, ${counts.hint} hint`);
    await page.locator('#code summary').click();
    await page.locator('#code-npm', { hasText: 'parameters: {"direction":"inbound","own":["9521141003008","urn:epc:id:sgln:9521141.00301.0"]}' }).waitFor();
    assert.match(await page.locator('#code-curl').textContent(), /--parameter 'direction=inbound' --parameter 'own=9521141003008'/);
    // It is kept like the choice; a pack that is not asked is told nothing.
    await page.reload();
    await settled(page);
    await page.locator('.finding', { hasText: 'dscsa/receiver-other' }).waitFor();
    assert.equal(await direction.inputValue(), 'inbound');
    await box(page, 'dscsa').uncheck();
    await title(page, 'No problems found');
    assert.equal(await page.locator('.parameter').count(), 0);
    await box(page, 'dscsa').check();
    await direction.selectOption('');
    await title(page, '8 errors, 1 warning, 1 hint');
  }, '#dscsa-shipment'));

test('by keyboard, on a phone, and for screen readers', () =>
  withPage(
    async (page) => {
      assert.equal(await page.getByRole('group', { name: 'Check for:' }).count(), 1);
      assert.equal(await page.getByRole('checkbox', { name: 'DSCSA (US medicines)' }).count(), 1);
      await box(page, 'serialised-medicine').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await title(page, 'No problems found');
      await page.keyboard.press('Space');
      await title(page, '8 errors');
      assert.equal(await page.evaluate(() => document.activeElement.value), 'dscsa');
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      for (const one of await page.locator('.pack, .pack-suggestion, .finding, .finding-place').all()) {
        const { x, width, height } = await one.boundingBox();
        assert.ok(x >= 0 && x + width <= 360 && height >= 32);
      }
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run('#panel-checks'));
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`),
        [],
      );
    },
    '#dscsa-shipment',
    { viewport: { width: 360, height: 740 } },
  ));

test('packs chosen quickly one after another: the last choice counts, also while a document is opened', () =>
  withPage(async (page) => {
    await answered(page, () => page.locator('#examples').selectOption('gdst-catch'));
    for (const id of ['dscsa', 'fsma204', 'walmart']) await box(page, id).click();
    for (const id of ['dscsa', 'fsma204', 'walmart']) await box(page, id).click();
    await page.locator('#panel-checks .banner.good', { hasText: 'vocabulary, GDST' }).waitFor();
    assert.deepEqual(await page.locator('#panel-checks .remark').allTextContents(), ['Checked for GDST, too: the document is made for it.']);
    await page.locator('#examples').selectOption('dscsa-shipment');
    await box(page, 'walmart').click();
    await box(page, 'walmart').click();
    await title(page, '8 errors');
    assert.equal(await page.locator('#tab-checks .badge').textContent(), '9 9 findings');
  }, '#fsma204-lettuce'));
