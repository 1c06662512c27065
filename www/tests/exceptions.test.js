// The exception report of the panel Checks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { around, axe, event, openTab, playground, saved, settled } from './browser.js';

const site = playground();
const { withPage, withDocument } = site;

const form = (page) => page.locator('#exceptions form');
const opener = (page) => page.getByRole('button', { name: 'Exception report for the supplier' });

test('Checks: the findings about medicines are saved as an exception report, and nothing is sent or kept', () =>
  withPage(async (page, { seen }) => {
    await openTab(page, 'Checks');
    // The document is made for DSCSA, so its rules are asked without being chosen. Without them there is no report.
    await opener(page).waitFor();
    await page.locator('.pack input[value=dscsa]').uncheck();
    await opener(page).waitFor({ state: 'detached' });
    await page.locator('.pack input[value=dscsa]').check();
    await opener(page).waitFor();
    const before = seen.requests.length;
    assert.equal(await opener(page).getAttribute('aria-expanded'), 'false');
    await opener(page).focus();
    await page.keyboard.press('Enter');
    await form(page).waitFor();
    assert.equal(await opener(page).getAttribute('aria-expanded'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'exceptions-email');
    assert.match(await page.locator('#exceptions').textContent(), /Partnership for DSCSA Governance.*this page sends nothing/);
    // Without an address, or with a wrong GLN, nothing is saved.
    const save = page.getByRole('button', { name: 'Save the report' });
    const isWrong = (id) => page.locator(`#exceptions-${id}`).evaluate((input) => !input.validity.valid);
    await save.click();
    assert.equal(await isWrong('email'), true);
    await page.locator('#exceptions-email').fill('receiving@example.com');
    await page.locator('#exceptions-gln').fill('123');
    await save.click();
    assert.equal(await isWrong('gln'), true);
    assert.equal(await page.locator('#exceptions .remark').count(), 0);
    await page.locator('#exceptions-gln').fill('9521141002001');
    await page.locator('#exceptions-phone').fill('+1 555 0100');
    await page.locator('#exceptions-poNumber').fill('PO-7');
    const { name, bytes } = await saved(page, save);
    assert.equal(name, 'exception-report.json');
    const report = JSON.parse(bytes.toString());
    assert.equal(report.sender_information.email, 'receiving@example.com');
    assert.equal(report.sender_information.gln, '9521141002001');
    assert.equal(report.sender_information.phone, '+1 555 0100');
    assert.equal(report.po_number, 'PO-7');
    assert.equal(report.case_resolved, false);
    assert.ok(Object.values(report.exceptions).flat().length > 0);
    await page.locator('#exceptions .remark', { hasText: /exception-report\.json is saved, with \d+ exceptions? and \d+ other errors?\./ }).waitFor();
    // What was typed is there after another check, but not after a reload, nor in the browser's storage.
    await page.locator('.pack input[value=serialised-medicine]').check();
    await page.locator('#panel-checks .banner', { hasText: 'medicines, DSCSA' }).waitFor();
    assert.equal(await page.locator('#exceptions-email').inputValue(), 'receiving@example.com');
    for (const { method, url, body } of seen.requests.slice(before).filter(({ url }) => !url.startsWith('blob:'))) {
      assert.match(url.slice(site.server.origin.length), /^(?:assets\/[\w.-]+|icon\.svg)$/);
      assert.equal(method, 'GET');
      assert.equal(body, null);
    }
    const kept = await page.evaluate(async () => {
      const values = [JSON.stringify({ ...localStorage, ...sessionStorage })];
      for (const { name } of await indexedDB.databases()) {
        const database = await new Promise((resolve) => (indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result)));
        for (const store of database.objectStoreNames) {
          const all = await new Promise(
            (resolve) => (database.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => resolve(target.result)),
          );
          values.push(JSON.stringify(all));
        }
        database.close();
      }
      return values.join();
    });
    assert.ok(kept.length > 1000);
    assert.ok(!kept.includes('receiving@example.com'));
    await page.reload();
    await settled(page);
    await opener(page).click();
    assert.equal(await page.locator('#exceptions-email').inputValue(), '');
  }, '#dscsa-shipment'));

test('Checks: what the exception report lacks is said at its field', () =>
  withDocument(around(event({ bizStep: 'shipping', epcList: ['urn:epc:id:sgtin:9521141.012345.A1'] })), async (page) => {
    await openTab(page, 'Checks');
    await page.locator('.pack input[value=serialised-medicine]').check();
    await opener(page).click();
    await page.locator('#exceptions-email').fill('receiving@example.com');
    const save = page.getByRole('button', { name: 'Save the report' });
    await save.click();
    await page.locator('#exceptions .remark.bad', { hasText: 'The shipments name no order' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'exceptions-poNumber');
    await page.locator('#exceptions-poNumber').fill('PO-8');
    const { bytes } = await saved(page, save);
    assert.equal(JSON.parse(bytes.toString()).po_number, 'PO-8');
    assert.equal(await page.locator('#exceptions .remark.bad').count(), 0);
  }));

test('Checks: the exception report of XML is that of its translation', () =>
  withDocument(readFileSync(new URL('../../docs/profiles-dscsa.xml', import.meta.url), 'utf8'), async (page) => {
    await openTab(page, 'Checks');
    await opener(page).click();
    await page.locator('#exceptions-email').fill('receiving@example.com');
    await page.locator('#exceptions-gln').fill('9521141002001');
    await page.locator('#exceptions-poNumber').fill('PO-7');
    const { bytes } = await saved(page, page.getByRole('button', { name: 'Save the report' }));
    assert.ok(Object.values(JSON.parse(bytes.toString()).exceptions).flat().length > 0);
  }));

test('Checks: no exception report without findings, or for other industries', () =>
  withPage(async (page) => {
    await openTab(page, 'Checks');
    await page.locator('.pack input[value=fsma204]').check();
    await page.locator('#panel-checks .banner', { hasText: 'vocabulary, FSMA 204' }).waitFor();
    assert.equal(await opener(page).count(), 0);
    await page.locator('.pack input[value=dscsa]').check();
    await page.locator('#panel-checks .remark', { hasText: 'Not checked for DSCSA' }).waitFor();
    assert.equal(await opener(page).count(), 0);
  }, '#fsma204-lettuce'));

test('Checks: the form on a phone, and for screen readers', () =>
  withPage(
    async (page) => {
      await openTab(page, 'Checks');
      await page.locator('.pack input[value=dscsa]').check();
      await opener(page).click();
      await form(page).waitFor();
      for (const name of ['Your e-mail', 'Telephone (optional)', 'Your GLN (optional)', 'Order number (optional)'])
        assert.equal(await page.getByLabel(name, { exact: true }).count(), 1, name);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
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
