// The tool Reports: previews of the open document, and their files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toXml } from 'epcis-edge';
import { answered, around, axe, besideTool, event, openTab, openTool, paste, playground, saved, settled } from './browser.js';
import { stepsOf } from './steps.js';

const site = playground();
const { withPage, withDocument } = site;

const LETTUCE = 'https://id.gs1.org/01/09521141300015/10/F7-0310';
const TUNA = 'urn:epc:class:lgtin:9521141.034567.YF-0301';

/** A button of the tool; a word in it is enough. */
const tool = (page, name) => page.locator('#tool-reports').getByRole('button', { name });
const choose = (page, name) => page.getByRole('radio', { name }).check();
const open = async (page) => {
  await openTool(page, 'reports');
  await page.locator('#tool-reports:not([aria-busy])').waitFor();
};
/** Replaces the document; an empty text clears it. */
const clear = (page) =>
  besideTool(page, async () => {
    // On a small screen the button is there with the text.
    if (!(await page.locator('#editor').isVisible())) await page.locator('.text-toggle').click();
    await answered(page, () => page.getByRole('button', { name: 'Clear' }).click());
  });
const give = (page, text) => (text === '' ? clear(page) : paste(page, text));
/** Waits until the answer is drawn, and gives it. */
const answer = async (page, words) => {
  const own = page.locator('.report-answer:not([aria-busy])', words && { hasText: words });
  await own.waitFor();
  return own;
};
const title = (page, words) => page.locator('.report-answer:not([aria-busy]) .report-title', { hasText: words }).waitFor();
/** The names of the tables with their numbers of rows. */
const tables = (page) =>
  page
    .locator('.report-tabs [role=tab]')
    .evaluateAll((tabs) =>
      Object.fromEntries(tabs.map((tab) => [tab.firstElementChild.textContent, Number(tab.querySelector('.badge span').textContent.replace(',', ''))])),
    );
/** The titles of the columns of the shown table, and the texts of its rows. */
const shown = (page) =>
  page.locator('.report-sheet:visible').evaluate((sheet) => ({
    columns: [...sheet.querySelectorAll('th span:first-child')].map(({ textContent }) => textContent),
    rows: [...sheet.querySelectorAll('tbody tr')].map((row) => [...row.cells].map(({ textContent }) => textContent)),
  }));

test('FSMA 204: a table for each critical tracking event, its rows cite their events', () =>
  withPage(async (page) => {
    await open(page);
    await title(page, 'Sortable spreadsheet for FSMA 204');
    assert.deepEqual(await tables(page), { Harvesting: 1, 'Initial packing': 1, Shipping: 2, Receiving: 2, Locations: 4, Products: 2 });
    await page.getByRole('tab', { name: 'Shipping 2 rows' }).click();
    const { columns, rows } = await shown(page);
    assert.deepEqual(columns.slice(-3), ['Event', 'Content hash of the event', 'What is missing']);
    const [row] = rows;
    assert.equal(row[columns.indexOf('Traceability lot code')], 'RH0311A');
    assert.match(row.at(-2), /^ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/);
    // A hash is cut by its column, and whole in its title.
    const cut = page.locator('.report-sheet:visible tr:first-child .report-cut').last();
    assert.equal(await cut.getAttribute('title'), row.at(-2));
    assert.ok(await cut.evaluate((own) => own.clientWidth < own.scrollWidth));
    assert.match(await page.locator('.report-table:visible th', { hasText: 'Shipped from' }).textContent(), /21 CFR 1\.1340\(a\)\(5\)$/);
    assert.match(await page.locator('.report-answer > .fine').textContent(), /^No rows: Cooling, First land-based receiving, Transformation\.$/);
    assert.match(await page.locator('.report-facts').textContent(), /Made at.*How it was made/);
    // By keyboard: tabs with arrows, then the table, which scrolls.
    await page.keyboard.press('End');
    assert.equal(await page.evaluate(() => document.activeElement.firstElementChild.textContent), 'Products');
    assert.equal((await shown(page)).columns[1], 'Product name');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Products');
    // Of another document the same table is shown.
    await besideTool(page, () => answered(page, () => page.locator('#examples').selectOption('gdst-catch')));
    await page.locator('.report-sheet:visible td', { hasText: 'tuna' }).first().waitFor();
    assert.equal((await shown(page)).columns[1], 'Product name');
  }, '#fsma204-lettuce'));

test('each report as a spreadsheet, as CSV, as a page to print, and as JSON', () =>
  withPage(async (page, { seen }) => {
    await open(page);
    for (const [name, id, items, lot] of [
      ['FSMA 204', 'fsma204', '', 'F7-0310'],
      ['Recall', 'recall', LETTUCE, 'F7-0310'],
      ['Product passport', 'passport', LETTUCE, 'F7-0310'],
    ]) {
      await choose(page, name);
      if (items !== '') await page.locator('#report-items').fill(items);
      await title(page, { fsma204: 'Sortable', recall: 'Recall list', passport: 'Product passport' }[id]);
      const csv = await saved(page, tool(page, 'CSV'));
      assert.equal(csv.name, `${id}-report.csv`);
      const text = csv.bytes.toString();
      assert.ok(text.includes(lot), id);
      const lines = text.trimEnd().split('\r\n');
      const total = Object.values(await tables(page)).reduce((sum, rows) => sum + rows, 0);
      assert.ok(lines.length > total, `${lines.length} lines for ${total} rows`);
      const json = await saved(page, tool(page, 'JSON'));
      assert.equal(json.name, `${id}-report.json`);
      const report = JSON.parse(json.bytes.toString());
      assert.equal(report.type, 'OK');
      assert.equal(report.report, id);
      assert.equal(report.sheets.at(-1).name, 'About');
      assert.deepEqual(
        Object.fromEntries(report.sheets.filter((sheet) => sheet.rows.length > 0 && sheet.name !== 'About').map((sheet) => [sheet.name, sheet.rows.length])),
        await tables(page),
      );
      const html = await saved(page, tool(page, 'Page to print'));
      assert.equal(html.name, `${id}-report.html`);
      assert.match(html.bytes.toString(), /^<!doctype html>/);
      assert.doesNotMatch(html.bytes.toString(), /<script|src=|href=/);
      assert.ok(html.bytes.toString().includes(lot));
      const spreadsheet = () => seen.requests.some(({ url }) => /assets\/xlsx-\w+\.wasm$/.test(url));
      if (id === 'fsma204') assert.equal(spreadsheet(), false);
      const xlsx = await saved(page, tool(page, 'Spreadsheet'));
      assert.equal(xlsx.name, `${id}-report.xlsx`);
      assert.equal(xlsx.bytes.subarray(0, 2).toString(), 'PK');
      assert.equal(spreadsheet(), true);
      assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Spreadsheet');
    }
  }, '#fsma204-lettuce'));

test('DSCSA: transaction information and statement of the shipment', () =>
  withPage(async (page) => {
    await open(page);
    await choose(page, 'DSCSA (US medicines)');
    await title(page, 'Transaction information and statement');
    const names = Object.keys(await tables(page));
    assert.equal(names[0], 'Transaction information');
    const { columns, rows } = await shown(page);
    assert.equal(rows[0][columns.indexOf('GTIN')], '09521141123454');
    assert.match(await page.locator('.report-summary').textContent(), /^\d+ rows in \d tables; \d+ lack something, named in the last column\.$/);
    const { bytes } = await saved(page, tool(page, 'CSV'));
    assert.match(bytes.toString(), /National Drug Code/);
    // What happened to a box that was never commissioned is not known, and the page says nothing else.
    await choose(page, 'Recall');
    await page.locator('#report-items').fill('urn:epc:id:sgtin:9521141.012345.999');
    await page.locator('.report-answer:not([aria-busy]) .banner', { hasText: 'Nothing for this report8 events read; none has these items.' }).waitFor();
    assert.equal(await page.locator('.report-files').count(), 0);
  }, '#dscsa-shipment'));

test('recall and passport: items in any spelling, chosen from the document, and one thing at a time', () =>
  withPage(async (page) => {
    await open(page);
    await choose(page, 'Recall');
    await answer(page, 'What is affected?');
    assert.equal(await page.locator('.report-files').count(), 0);
    const field = page.locator('#report-items');
    assert.deepEqual(await page.locator('.report-item').allTextContents(), [
      'Romaine lettuce, harvested, in bins · GTIN 09521141300015 · lot F7-0310',
      'Romaine hearts, case of 24 bags · GTIN 19521141300111 · lot RH0311A',
      'SSCC 095211410000003114',
    ]);
    const [bins, hearts] = await page.locator('.report-item').all();
    await bins.click();
    assert.equal(await field.inputValue(), LETTUCE);
    await title(page, 'Recall list');
    const whole = await tables(page);
    // Two items, and the first one taken out again.
    await hearts.click();
    assert.equal(await page.locator('.report-item[aria-pressed=true]').count(), 2);
    await bins.click();
    await title(page, 'Recall list');
    assert.equal(await field.inputValue(), 'https://id.gs1.org/01/19521141300111/10/RH0311A');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'report-item');
    for (const spelling of ['(01)09521141300015(10)F7-0310', 'urn:epc:class:lgtin:9521141.030001.F7-0310', LETTUCE]) {
      await field.fill('');
      await answer(page, 'What is affected?');
      await field.fill(`  ${spelling}\n\n`);
      await title(page, 'Recall list');
      assert.deepEqual(await tables(page), whole, spelling);
    }
    await choose(page, 'Product passport');
    await title(page, 'Product passport');
    await field.fill(`${LETTUCE}\nurn:epc:id:sscc:9521141.1234567890`);
    await answer(page, 'A passport is about one.');
    await hearts.click();
    assert.equal(await field.inputValue(), 'https://id.gs1.org/01/19521141300111/10/RH0311A');
    await title(page, 'Product passport');
    // What is no identifier is refused with words.
    await field.fill('no identifier');
    await page.locator('.report-answer .banner.bad', { hasText: 'A product code alone stands for many products.' }).waitFor();
    await field.fill('https://id.gs1.org/01/09521141300015');
    await page.locator('.report-answer .banner.bad', { hasText: 'This is no identifier for this report' }).waitFor();
  }, '#fsma204-lettuce'));

test('the report follows the document: edited, XML, not valid', () =>
  withDocument(around(event({ bizStep: 'receiving' })), async (page) => {
    await open(page);
    await page.locator('.report-answer').waitFor();
    const lot = 'urn:epc:class:lgtin:9521141.012345.A1';
    const received = around(
      event({
        bizStep: 'receiving',
        epcList: [],
        quantityList: [{ epcClass: lot, quantity: 4.5, uom: 'KGM' }],
        readPoint: { id: 'urn:epc:id:sgln:9521141.00300.0' },
      }),
    );
    await paste(page, received);
    await title(page, 'Sortable');
    assert.deepEqual((await shown(page)).rows[0].slice(1, 4), ['A1', '4.5', 'KGM']);
    assert.deepEqual((await tables(page)).Receiving, 1);
    await paste(page, toXml(received).document);
    await title(page, 'Sortable');
    assert.deepEqual((await shown(page)).rows[0].slice(1, 4), ['A1', '4.5', 'KGM']);
    await page.locator('#report-items').waitFor({ state: 'hidden' });
    assert.equal(await page.locator('.report-answer .remark').count(), 0);
    await paste(page, received.replace('"OBSERVE"', '"OBSERV"'));
    await page.locator('.report-answer .remark', { hasText: 'The document is not valid' }).waitFor();
    // Another document while the tool is closed.
    await openTool(page, 'answers');
    await paste(page, received.replaceAll('A1', 'B2'));
    await open(page);
    await page.locator('.report-sheet:visible td', { hasText: 'B2' }).first().waitFor();
  }));

test('a document without events: why, and an example for each report', () =>
  withDocument(undefined, async (page) => {
    await open(page);
    for (const [name, example, file] of [
      ['FSMA 204 (US food)', 'a lot of lettuce', 'fsma204-lettuce.json'],
      ['DSCSA (US medicines)', 'a shipment of medicines', 'dscsa-shipment.json'],
      ['Recall', 'a lot of lettuce', 'fsma204-lettuce.json'],
      ['Product passport', 'a catch of tuna', 'gdst-catch.json'],
    ]) {
      for (const [text, words] of [
        ['', /^Paste a document or drop a file/],
        [around(), /^No eventsThere is nothing to report/],
        ['{"name": "x", "version": "1.0.0"}', /^This is not EPCIS.*It is JSON, but not EPCIS/],
        ['{"a": ', /Back to the document/],
      ]) {
        await give(page, text);
        await choose(page, name);
        assert.match(await (await answer(page, 'Open an example')).textContent(), words);
        assert.equal(await page.locator('.report-files').count(), 0);
      }
      // The reason stays when another report is chosen.
      for (const other of ['Recall', 'Product passport', name]) {
        await choose(page, other);
        assert.match(await (await answer(page, 'Open an example')).textContent(), /Back to the document/);
      }
      await answered(page, () => tool(page, `Open an example: ${example}`).click());
      assert.equal(await page.locator('.documents [aria-current=true]').textContent(), file);
      await page.locator('.report-answer .report-table').first().waitFor();
      assert.equal(await page.locator('#tool-reports').isVisible(), true);
    }
  }));

test('long reports: 200 rows are shown, the file has all; the page reads no more than it shows, and every text stays a text', () =>
  withDocument(undefined, async (page) => {
    const markup = '<img src=x onerror=globalThis.injected=1>';
    const events = Array.from({ length: 1500 }, (_, at) =>
      event({
        bizStep: 'receiving',
        epcList: [],
        quantityList: [{ epcClass: `urn:epc:class:lgtin:9521141.012345.L${at}`, quantity: at + 1, uom: 'KGM' }],
        readPoint: { id: `https://example.org/${at % 7}` },
        bizTransactionList: [{ type: 'po', bizTransaction: `https://example.org/${markup}` }],
      }),
    );
    await open(page);
    await paste(page, around(...events));
    await title(page, 'Sortable');
    assert.equal((await tables(page)).Receiving, 1500);
    assert.equal((await shown(page)).rows.length, 200);
    assert.match(await page.locator('.report-sheet:visible > .fine').textContent(), /^The first 200 of 1,500 rows are shown\. The files have all of them\.$/);
    const { bytes } = await saved(page, tool(page, 'CSV'));
    assert.match(bytes.toString(), /L1499/);
    assert.match(await page.locator('.report-sheet:visible').textContent(), /<img src=x/);
    await choose(page, 'Recall');
    await page.locator('.report-question summary', { hasText: 'Items of the document (1,500)' }).click();
    assert.equal(await page.locator('.report-item').count(), 300);
    assert.match(await page.locator('.report-question').textContent(), /The first 300 are listed\. Any other can be typed\./);
    const steps = await stepsOf(page, async () => {
      await choose(page, 'FSMA 204 (US food)');
      await title(page, 'Sortable');
    });
    // 200 rows of 1,500.
    assert.ok(steps.most.count < 10_000 && steps.text < 100_000 && steps.values < 8000, JSON.stringify(steps));
    assert.equal(await page.evaluate(() => globalThis.injected), undefined);
  }));

test('nothing of it is loaded before the tool is opened, and nothing is sent', () =>
  withPage(async (page, { seen }) => {
    const parts = () =>
      seen.requests.map(({ url }) => url.slice(site.server.origin.length)).filter((url) => /tool-reports|document-reports|report-|xlsx-/.test(url));
    await openTab(page, 'Checks');
    assert.deepEqual(parts(), []);
    const before = seen.requests.length;
    await open(page);
    await choose(page, 'Product passport');
    await page.locator('#report-items').fill(TUNA);
    await title(page, 'Product passport');
    for (const name of ['Spreadsheet', 'CSV', 'Page to print', 'JSON']) await saved(page, tool(page, name));
    assert.equal(parts().filter((url) => /^assets\/(?:report|xlsx)-\w+\.wasm$/.test(url)).length, 2);
    for (const { method, url, body } of seen.requests.slice(before).filter(({ url }) => !url.startsWith('blob:'))) {
      assert.match(url.slice(site.server.origin.length), /^(?:assets\/[\w.-]+|icon\.svg)$/);
      assert.equal(method, 'GET');
      assert.equal(body, null);
    }
    // The address keeps the tool.
    await page.reload();
    await settled(page);
    await title(page, 'Sortable');
  }, '#gdst-catch'));

test('an engine that cannot be loaded is said to be that, and is loaded later', () =>
  withPage(async (page, { errors }) => {
    await page.route(/assets\/(?:report|xlsx)-\w+\.wasm$/, (route) => route.abort());
    await open(page);
    await page.locator('.report-answer .banner.bad', { hasText: 'Not loaded' }).waitFor();
    await page.unroute(/assets\/(?:report|xlsx)-\w+\.wasm$/);
    await page.route(/assets\/xlsx-\w+\.wasm$/, (route) => route.abort());
    await choose(page, 'DSCSA (US medicines)');
    await title(page, 'Transaction');
    await tool(page, 'Spreadsheet').click();
    await page.locator('.report-refused', { hasText: 'The engine that writes spreadsheets could not be loaded' }).waitFor();
    await page.unroute(/assets\/xlsx-\w+\.wasm$/);
    assert.equal((await saved(page, tool(page, 'Spreadsheet'))).name, 'dscsa-report.xlsx');
    // Chromium logs the refused requests.
    assert.ok(errors.splice(0).every((words) => /ERR_FAILED/.test(words)));
  }, '#dscsa-shipment'));

for (const [width, colorScheme] of [
  [1440, 'light'],
  [390, 'dark'],
]) {
  test(`Reports at ${width} pixels, ${colorScheme}: nothing is cut off, and axe finds nothing`, () =>
    withPage(
      async (page) => {
        await page.evaluate(axe);
        const look = async (where) => {
          const { violations } = await page.evaluate(() => globalThis.axe.run('#tool-reports'));
          assert.deepEqual(
            violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0].html.slice(0, 200)}`),
            [],
          );
          assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), width, where);
          for (const one of await page.locator('.report, .report-item, .report-files .button, .report-room, .report-answer .banner').all()) {
            if (!(await one.isVisible())) continue;
            const box = await one.boundingBox();
            assert.ok(box.x >= 0 && box.x + box.width <= width && box.height >= 30, `${where}: ${await one.textContent()}`);
          }
        };
        await open(page);
        await title(page, 'Sortable');
        await look('FSMA 204');
        await choose(page, 'Recall');
        await answer(page, 'What is affected?');
        await look('no items');
        await page.locator('.report-item').first().click();
        await title(page, 'Recall list');
        await look('recall');
        await page.locator('#report-items').fill('no identifier');
        await page.locator('.report-answer .banner.bad').waitFor();
        await look('refused');
        await give(page, '');
        await tool(page, 'Open an example').waitFor();
        await look('empty');
      },
      '#fsma204-lettuce',
      { viewport: { width, height: 844 }, colorScheme },
    ));
}
