// The form on the tab Build, which makes the events of a document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate, verify } from 'epcis-edge';
import { CONTEXT, answered, openTool, playground, seriousFaults, settled } from './browser.js';

const { withPage } = playground();
const ITEM = 'https://id.gs1.org/01/09521141123454/21/A1';

/** A page with the form open, containing a valid event at a known time. */
const withBuild = (check, options) =>
  withPage(
    async (page, visitor) => {
      await page.locator('.build-result .banner').waitFor();
      await page.locator('#build-eventTime').fill('2026-03-04T11:00:30');
      await page.locator('#build-eventTimeZoneOffset').fill('+01:00');
      await page.locator('#build-epcList').fill(ITEM);
      await verdict(page, /^Valid/);
      await check(page, visitor);
    },
    '#build',
    options,
  );
const verdict = (page, words) => page.locator('.build-result .banner h2', { hasText: words }).waitFor();
const faults = (page) => page.locator('.build-errors li').allTextContents();
const events = (page) => page.locator('.build-event').allTextContents();
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
/** The document shown, once it contains these words. */
async function built(page, words) {
  const output = page.locator('.build-result pre', { hasText: words });
  await output.waitFor();
  return output.textContent();
}
const eventsOf = (text) => JSON.parse(text).epcisBody.eventList;
/** Adds a row and fills it in. */
async function row(page, group, parts) {
  const own = page.locator(`[data-field=${group}]`);
  await own.getByRole('button', { name: /^Add to/ }).click();
  const controls = own.locator('.form-rows-row').last().locator('input, select');
  for (const [index, value] of parts.entries()) {
    const control = controls.nth(index);
    if ((await control.evaluate(({ tagName }) => tagName)) === 'SELECT') await control.selectOption(value);
    else await control.fill(value);
  }
}

test('a form makes a valid event, named by its hash', () =>
  withPage(async (page) => {
    await openTool(page, 'build');
    await page.locator('.build-result .banner').waitFor();
    await page.locator('#build-type').selectOption('AggregationEvent');
    await page.locator('#build-eventTime').fill('2026-03-04T11:00:30');
    await page.locator('#build-eventTimeZoneOffset').fill('+01:00');
    await page.locator('#build-action').selectOption('ADD');
    await page.locator('#build-parentID').fill('(00)195211412345678900');
    await page.locator('#build-childEPCs').fill('urn:epc:id:sgtin:9521141.012345.A1\n(01)09521141123454(21)A2');
    await page.locator('#build-bizStep').selectOption('packing');
    assert.ok((await page.locator('#build-disposition option').count()) > 25);
    await page.getByRole('button', { name: 'Add to sensor readings' }).click();
    await page.getByLabel('Sensor readings: what is measured').selectOption('Temperature');
    await page.getByLabel('Sensor readings: value').fill('4.5');
    await page.getByLabel('Sensor readings: unit').fill('CEL');
    await page.locator('#build-hash').check();
    const text = await built(page, /"eventID": "ni:/);
    assert.equal(validate(text).valid, true);
    assert.equal(verify(text)[0].result, 'matches');
    assert.deepEqual(eventsOf(text)[0].childEPCs, ['urn:epc:id:sgtin:9521141.012345.A1', 'https://id.gs1.org/01/09521141123454/21/A2']);
    assert.deepEqual(eventsOf(text)[0].sensorElementList, [{ sensorReport: [{ type: 'Temperature', value: 4.5, uom: 'CEL' }] }]);
    await answered(page, () => page.getByRole('button', { name: 'Open as document' }).click());
    assert.equal(await page.locator('#answers').getAttribute('data-verdict'), 'valid');
    assert.equal(await page.locator('.documents [aria-current=true]').textContent(), 'built.json');
  }));

test('ilmd: each prefix asks for its address, which the context then has', () =>
  withBuild(async (page) => {
    await row(page, 'ilmd', ['orchard:variety', 'Boskoop']);
    await verdict(page, /^Still needed/);
    assert.match((await faults(page)).join('\n'), /goes with action ADD only/);
    await page.locator('#build-action').selectOption('ADD');
    await page.locator('.build-errors li:only-child', { hasText: 'The prefix orchard needs an address' }).waitFor();
    const address = page.getByLabel('Address of orchard:');
    // JSON-LD readers do not expand a prefix whose namespace ends in a letter.
    for (const wrong of ['orchard.example/ns/', 'https://orchard.example/ns']) {
      await address.fill(wrong);
      await page.waitForTimeout(300);
      await verdict(page, /^Still needed/);
    }
    await address.fill('https://orchard.example/ns/');
    await verdict(page, /^Valid/);
    await row(page, 'ilmd', ['orchard:picker', 'Ada']);
    await row(page, 'ilmd', ['orchard:picker', 'Ben']);
    await row(page, 'ilmd', ['cbvmda:lotNumber', 'L1']);
    await row(page, 'ilmd', ['https://elsewhere.example/colour', 'red']);
    const text = await built(page, /elsewhere\.example\/colour": "red"/);
    assert.deepEqual(JSON.parse(text)['@context'], [CONTEXT, { orchard: 'https://orchard.example/ns/' }]);
    assert.deepEqual(eventsOf(text)[0].ilmd, {
      'orchard:variety': 'Boskoop',
      'orchard:picker': ['Ada', 'Ben'],
      'cbvmda:lotNumber': 'L1',
      'https://elsewhere.example/colour': 'red',
    });
    assert.equal(validate(text).valid, true);
    await row(page, 'ilmd', ['colour', 'red']);
    await page.locator('.build-errors', { hasText: 'must not have colour' }).waitFor();
    // An event type that has no ILMD shows none of it, and the entries come back with the type.
    await page.locator('#build-type').selectOption('AggregationEvent');
    await built(page, /^(?!.*orchard)/s);
    await page.locator('#build-type').selectOption('ObjectEvent');
    await built(page, /Boskoop/);
    assert.equal(await address.inputValue(), 'https://orchard.example/ns/');
  }));

test('persistent dispositions are set and unset', () =>
  withBuild(async (page) => {
    await row(page, 'persistentDisposition', ['set', 'completeness_verified']);
    await row(page, 'persistentDisposition', ['unset', 'completeness_inferred']);
    await row(page, 'persistentDisposition', ['set']);
    const text = await built(page, /"unset"/);
    assert.deepEqual(eventsOf(text)[0].persistentDisposition, { set: ['completeness_verified'], unset: ['completeness_inferred'] });
    assert.equal(validate(text).valid, true);
    // Removing a row keeps the keyboard focus.
    await page.getByRole('button', { name: 'Remove from Persistent dispositions' }).first().click();
    assert.equal(await focused(page), 'Add to persistent dispositions');
    await built(page, /^(?!.*"set")/s);
  }));

test('an event is declared in error beside itself and the one that is right, all named by their hashes', () =>
  withBuild(async (page) => {
    await page.locator('#build-bizStep').selectOption('shipping');
    await page.locator('#build-hash').check();
    await press(page, 'Duplicate');
    await page.locator('#build-bizStep').selectOption('receiving');
    const [, right] = eventsOf(await built(page, /("eventID": "ni:[^]*){2}"receiving"/)).map(({ eventID }) => eventID);
    assert.match(right ?? '', /^ni:/);
    await page.locator('.build-event').first().click();
    await press(page, 'Duplicate');
    assert.equal(await page.locator('#build-declarationTime').isVisible(), false);
    await page.locator('#build-isError').check();
    await page.locator('#build-declarationTime').fill('');
    await page.locator('.build-errors', { hasText: 'declarationTime' }).waitFor();
    await page.locator('#build-declarationTime').fill('2026-03-05T08:00');
    await page.locator('#build-reason').selectOption('incorrect_data');
    await page.locator('#build-correctiveEventIDs').fill(right);
    const text = await built(page, /"correctiveEventIDs": \[\s+"ni:/);
    const [wrong, declared, corrective] = eventsOf(text);
    assert.deepEqual(declared.errorDeclaration, {
      declarationTime: '2026-03-05T08:00:00+01:00',
      reason: 'incorrect_data',
      correctiveEventIDs: [corrective.eventID],
    });
    // A declaration has the eventID of the event that it declares wrong.
    assert.equal(declared.eventID, wrong.eventID);
    assert.equal(validate(text).valid, true);
    assert.ok(verify(text).every(({ result }) => result === 'matches'));
    assert.equal(JSON.parse(text).creationDate, '2026-03-05T08:00:00+01:00');
    await verdict(page, /^Valid$/);
    await page.locator('#build-isError').uncheck();
    await built(page, /^(?!.*errorDeclaration)/s);
  }));

test('several events: added, duplicated, switched between by keyboard, removed and brought back', () =>
  withBuild(async (page) => {
    await page.locator('#build-bizStep').selectOption('shipping');
    await press(page, 'Add event');
    assert.equal(await focused(page), 'build-type');
    // The announcer is emptied first and filled a frame later, so that the same words are announced twice.
    await page
      .locator('#announcer')
      .filter({ hasText: /^Added: event 2 of 2$/ })
      .waitFor({ state: 'attached' });
    await page.locator('.build-event .badge').waitFor();
    assert.deepEqual(await events(page), ['1 Object, shipping', '2 Object1 to fill in or correct']);
    assert.equal(await page.locator('#build-epcList').inputValue(), '');
    // An error links to its event.
    await page.locator('.build-event').first().focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#build-epcList').inputValue(), ITEM);
    assert.equal(await focused(page), '1 Object, shipping');
    await page.locator('.build-errors').getByRole('button', { name: 'Event 2' }).click();
    assert.equal(await page.locator('.build-event[aria-current]').textContent(), '2 Object1 to fill in or correct');
    await page.locator('#build-type').selectOption('TransformationEvent');
    await page.locator('#build-inputEPCList').fill('https://id.gs1.org/01/09521141123454/21/A2');
    await page.locator('#build-outputEPCList').fill('https://id.gs1.org/01/09521141123455/21/A3');
    await page.locator('.build-errors', { hasText: /check digit/i }).waitFor();
    await page.locator('.build-event').first().click();
    await page.locator('.build-errors').getByRole('button', { name: 'Event 2' }).first().click();
    assert.equal(await focused(page), 'build-outputEPCList');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('https://id.gs1.org/01/09521141123454/21/A3');
    await verdict(page, /^Valid/);
    await press(page, 'Duplicate');
    await page.locator('#build-transformationID').fill('urn:uuid:00000000-0000-4000-8000-000000000001');
    const text = await built(page, /"transformationID"/);
    assert.deepEqual(
      eventsOf(text).map(({ type, transformationID }) => [type, transformationID !== undefined]),
      [
        ['ObjectEvent', false],
        ['TransformationEvent', false],
        ['TransformationEvent', true],
      ],
    );
    assert.equal(validate(text).valid, true);
    await page.locator('.build-event').nth(1).click();
    await press(page, 'Remove');
    assert.deepEqual(await events(page), ['1 Object, shipping', '2 Transformation']);
    await press(page, 'Undo');
    assert.equal((await events(page)).length, 3);
    assert.equal(await page.locator('#build-transformationID').inputValue(), '');
    for (let at = 0; at < 3; at += 1) await press(page, 'Remove');
    // One event always remains, and the last removed one can be restored.
    assert.deepEqual(await page.locator('.build-event > span').first().allTextContents(), [' Object']);
    assert.equal(await page.locator('#build-epcList').inputValue(), '');
    await press(page, 'Undo');
    assert.deepEqual(await page.locator('.build-event > span').first().allTextContents(), [' Object, shipping']);
    assert.equal((await events(page)).length, 1);
  }));

test('what is filled in is there after a reload, unless nothing is to be kept', () =>
  withBuild(async (page) => {
    await page.locator('#build-action').selectOption('ADD');
    await row(page, 'ilmd', ['orchard:variety', 'Boskoop']);
    await page.getByLabel('Address of orchard:').fill('https://orchard.example/ns/');
    await page.locator('#build-hash').check();
    await press(page, 'Duplicate');
    await page.locator('#build-isError').check();
    await page.locator('#build-bizStep').selectOption('storing');
    const before = await built(page, /"storing"[^]*"errorDeclaration"|"errorDeclaration"[^]*"storing"/);
    await page.reload();
    await settled(page);
    assert.equal(await built(page, /"storing"/), before);
    assert.equal(await page.locator('.build-event[aria-current] b').textContent(), '2');
    assert.equal(await page.locator('#build-isError').isChecked(), true);
    assert.equal(await page.locator('#build-reason').isVisible(), true);
    assert.deepEqual(await page.locator('.document-name').allTextContents(), ['orchard-to-shop.json']);
    // The switch is below the document.
    await openTool(page, 'answers');
    await page.locator('#keep').uncheck();
    await openTool(page, 'build');
    await page.reload();
    await settled(page);
    await page.locator('.build-result .banner').waitFor();
    assert.equal((await events(page)).length, 1);
    assert.equal(await page.locator('#build-epcList').inputValue(), '');
  }));

for (const colorScheme of ['light', 'dark']) {
  test(`with everything open, axe finds nothing serious and 375 pixels are enough, ${colorScheme}`, () =>
    withBuild(
      async (page) => {
        await row(page, 'ilmd', ['a-rather-long-prefix-of-our-own:variety', 'Boskoop']);
        await row(page, 'persistentDisposition', ['set', 'completeness_verified']);
        await row(page, 'quantityList', ['(01)09521141123454(10)LOT', '4', 'KGM']);
        await page.locator('#build-isError').check();
        for (let at = 0; at < 4; at += 1) await press(page, 'Duplicate');
        await press(page, 'Remove');
        await page.locator('.build-errors li').first().waitFor();
        assert.deepEqual(await seriousFaults(page), []);
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 375);
      },
      { viewport: { width: 375, height: 812 }, colorScheme },
    ));
}
