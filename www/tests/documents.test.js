// Open documents are not lost: kept in the browser, several at once, Back, undo, and offline.
// Invariant: Text typed into the page is not lost: it comes back after a reload, Back, a closed tab, and without a network. A first
// load keeps its size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, editorText, openTab, openTool, paste, playground, serve, settled, vector, visit } from './browser.js';

const site = playground();
const { withPage } = site;

const names = (page) => page.locator('.document-name').allTextContents();
const give = (page, ...files) =>
  answered(page, () => page.locator('#file').setInputFiles(files.map(([name, words]) => ({ name, mimeType: 'application/json', buffer: Buffer.from(words) }))));

test('what is typed is there after a reload, with its name; switched off, nothing is kept', () =>
  withPage(async (page) => {
    await give(page, ['mine.json', vector('validate/cbv-word-misspelt/input.json')]);
    await page.locator('.cm-content').first().focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('  ');
    // Without waiting: the last keystrokes are kept too.
    await page.reload();
    await settled(page);
    assert.deepEqual(await names(page), ['mine.json (edited)']);
    assert.match(await editorText(page), /^ {2}\{/);
    assert.match(await page.locator('#footer').textContent(), /Keep in this browser.*stored only in this browser/);
    await page.locator('#keep').uncheck();
    assert.match(await page.locator('#footer').textContent(), /documents are not stored/);
    await page.reload();
    await settled(page);
    assert.deepEqual(await names(page), ['orchard-to-shop.json']);
    assert.equal(await page.locator('#keep').isChecked(), false);
  }));

test('several documents: each in a tab of its own, Back returns, what is closed can be reopened', () =>
  withPage(async (page) => {
    await give(page, ['one.json', vector('validate/cbv-word-misspelt/input.json')], ['two.json', vector('validate/uri-faults/input.json')]);
    await page.locator('.document-name', { hasText: 'two.json' }).waitFor();
    assert.deepEqual(await names(page), ['one.json', 'two.json']);
    await page.locator('[aria-current=true]', { hasText: 'two.json' }).waitFor();
    await answered(page, () => page.locator('.document-name', { hasText: 'one.json' }).click());
    assert.match(await editorText(page), /shiping/);
    await answered(page, () => page.goBack());
    assert.equal(await page.locator('.documents [aria-current=true]').textContent(), 'two.json');
    await answered(page, () => page.locator('#examples').selectOption('misspelt-word'));
    assert.deepEqual(await names(page), ['one.json', 'two.json', 'misspelt-word.json']);
    await answered(page, () => page.goBack());
    assert.equal(await page.locator('.documents [aria-current=true]').textContent(), 'two.json');
    await answered(page, () => page.getByRole('button', { name: 'Close two.json' }).click());
    assert.deepEqual(await names(page), ['one.json', 'misspelt-word.json']);
    await answered(page, () => page.getByRole('button', { name: 'Reopen' }).click());
    assert.deepEqual(await names(page), ['one.json', 'two.json', 'misspelt-word.json']);
    assert.match(await editorText(page), /1urn:x/);
  }));

test('clear can be undone, and an empty document breaks nothing', () =>
  withPage(async (page) => {
    await paste(page, vector('validate/cbv-word-misspelt/input.json'));
    await answered(page, () => page.getByRole('button', { name: 'Clear' }).click());
    for (const tab of ['Events', 'Table', 'Hash', 'Translate', 'Proof', 'Validate']) await openTab(page, tab);
    assert.match(await page.locator('#panel-validate').textContent(), /Paste a document/);
    assert.equal(await page.locator('#code').isVisible(), false);
    await answered(page, () => page.getByRole('button', { name: 'Undo' }).click());
    assert.match(await editorText(page), /shiping/);
  }));

test('it works without a network after the first visit', async () => {
  const own = await serve();
  const { page, errors, close } = await visit(site.browser, own.origin, { serviceWorkers: 'allow' });
  let isOpen = true;
  try {
    await settled(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await own.close();
    isOpen = false;
    errors.length = 0;
    await page.reload();
    await settled(page);
    assert.equal(await page.locator('#answers').getAttribute('data-verdict'), 'valid');
    await paste(page, vector('translate/v11-homes/input.xml'));
    await openTab(page, 'Translate');
    assert.equal(await page.locator('#panel-translate .banner h2').textContent(), 'Nothing is lost');
    await openTool(page, 'convert');
    await page.locator('#convert-input').fill('urn:epc:id:sscc:9521141.1234567890');
    await page.locator('.qr').waitFor();
    await openTool(page, 'answers');
    await answered(page, () => page.locator('#examples').selectOption('misspelt-word'));
    assert.equal(await page.locator('#answers').getAttribute('data-verdict'), 'invalid');
  } finally {
    await close();
    if (isOpen) await own.close();
  }
});

test('what is no EPCIS is said once, in plain words', () =>
  withPage(async (page) => {
    const xlsx = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(40, 7)]);
    for (const [name, content, words] of [
      ['events.zip', xlsx, /It is a ZIP archive\. It could not be opened here/],
      ['page.html', '<!DOCTYPE html>\n<html><body></body></html>', /It is an HTML page/],
      ['package.json', '{"name": "x", "version": "1.0.0"}', /It is JSON, but not EPCIS/],
    ]) {
      await give(page, [name, content]);
      await openTab(page, 'Validate');
      assert.equal(await page.locator('#panel-validate .banner h2').textContent(), 'This is not EPCIS', name);
      assert.match(await page.locator('#panel-validate').textContent(), words);
      assert.equal(await page.locator('#panel-validate .error').count(), 0);
      for (const tab of ['Events', 'Hash', 'Translate']) {
        await openTab(page, tab);
        assert.equal(await page.locator('[role=tabpanel]:visible .banner').count(), 1, `${name} ${tab}`);
      }
      await answered(page, () => page.getByRole('button', { name: `Close ${name}` }).click());
    }
  }));

test('an array of events and NDJSON are taken, each place where it stands', () =>
  withPage(async (page) => {
    const { '@context': context, epcisBody } = JSON.parse(vector('validate/cbv-word-misspelt/input.json'));
    const event = { '@context': context, ...epcisBody.eventList[0] };
    const fine = { ...event, bizStep: 'shipping', disposition: 'in_transit' };
    for (const [shape, words] of [
      [`${JSON.stringify(fine)}\n${JSON.stringify(event)}\n\n${JSON.stringify(fine)}\n`, /NDJSON, one event per line/],
      [`[${JSON.stringify(fine)},\n${JSON.stringify(event)},\n${JSON.stringify(fine)}]`, /An array of events/],
    ]) {
      await paste(page, shape);
      await openTab(page, 'Validate');
      assert.match(await page.locator('#panel-validate').textContent(), words);
      assert.equal(await page.locator('#panel-validate .error').count(), 2);
      assert.match(await page.locator('#panel-validate .error').first().textContent(), /event 2.*line 2/);
      assert.deepEqual(
        await page.evaluate(() => [...document.getElementById('editor').shadowRoot.querySelectorAll('.cm-lintRange-error')].map((mark) => mark.textContent)),
        ['"shiping"', '"in_transitt"'],
      );
      await openTab(page, 'Events');
      assert.equal(await page.locator('.card').count(), 3);
      await openTab(page, 'Hash');
      assert.match(await page.locator('#panel-hash .banner').textContent(), /3 events hashed/);
    }
    await paste(page, `${JSON.stringify(fine)}\n{"type": nonsense}\n`);
    await openTab(page, 'Validate');
    assert.match(await page.locator('#panel-validate .refusal').textContent(), /Line 2/);
  }));

test('a first load is no larger than it was measured to be', async (context) => {
  const { brotliCompressSync } = await import('node:zlib');
  const { readFileSync } = await import('node:fs');
  const visitor = await visit(site.browser, site.server.origin);
  try {
    await settled(visitor.page);
    await visitor.page.waitForFunction(() => document.getElementById('code').childElementCount > 0);
    const names = [...new Set(visitor.seen.requests.map(({ url }) => url.slice(site.server.origin.length).split('#')[0]))];
    const total = (files) =>
      files
        .map((name) => brotliCompressSync(readFileSync(new URL(`../dist/${name || 'index.html'}`, import.meta.url))).length)
        .reduce((one, other) => one + other, 0);
    const files = names.filter((name) => name === '' || /^assets\/.*\.(?:js|css)$/.test(name));
    const engines = names.filter((name) => /^assets\/engine-[^/]*\.wasm$/.test(name));
    assert.ok(files.length > 4);
    assert.equal(engines.length, 1);
    const [page, engine] = [total(files), total(engines)];
    context.diagnostic(`${page} bytes with brotli, and ${engine} of the engine`);
    // The page, its script and styles, and the script of its engine.
    assert.ok(page <= 171_900, `${page} bytes with brotli: ${files}`);
    assert.ok(engine <= 290_000, `${engine} bytes with brotli: ${engines}`);
  } finally {
    await visitor.close();
  }
});

test('the first screen says what EPCIS is, until it is closed', () =>
  withPage(async (page) => {
    assert.match(await page.locator('#introduction').textContent(), /EPCIS is the GS1 standard/);
    assert.equal(await page.locator('#introduction a').count(), 3);
    await page.getByRole('button', { name: 'Close the introduction' }).click();
    await page.reload();
    await settled(page);
    assert.equal(await page.locator('#introduction').isVisible(), false);
  }));

test('the document that is one too many is named, and nothing claims that it is open', () =>
  withPage(async (page) => {
    for (let at = 1; at <= 20; at += 1) await give(page, [`d${at}.json`, vector('validate/cbv-word-misspelt/input.json')]);
    assert.equal((await names(page)).length, 20);
    const notice = page.locator('#notice', { hasText: 'was not opened: 20 documents are open' });
    await page.locator('#file').setInputFiles({ name: 'more.json', mimeType: '', buffer: Buffer.from(vector('validate/uri-faults/input.json')) });
    await notice.waitFor();
    assert.match(await notice.textContent(), /^more\.json was not opened.*still about d20\.json/);
    await page.locator('#examples').selectOption('xml-1.1');
    await page.locator('#notice', { hasText: /^xml-1\.1\.xml was not opened/ }).waitFor();
    assert.equal(await page.locator('#examples').inputValue(), '');
    assert.equal(await page.locator('#tab-validate').getAttribute('aria-selected'), 'true');
    assert.doesNotMatch(await page.locator('#announcer').textContent(), /Example/);
    await page.evaluate(() => (location.hash = '#orchard-to-shop'));
    await page.waitForFunction(() => location.hash === '');
    assert.match(await editorText(page), /shiping/);
    await answered(page, () => page.getByRole('button', { name: 'Close d20.json' }).click());
    // A closed document can be reopened only if there is room.
    await page.locator('#notice').getByRole('button', { name: 'Reopen' }).waitFor();
    const reopen = await page.locator('#notice').getByRole('button', { name: 'Reopen' }).elementHandle();
    await give(page, ['more.json', vector('validate/uri-faults/input.json')]);
    assert.equal((await names(page)).length, 20);
    await reopen.evaluate((button) => button.click());
    await page.locator('#notice', { hasText: /^d20\.json was not opened/ }).waitFor();
  }));
