// The verdict as a report to print and sign: the same as the command line makes, of the exact bytes of the file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answered, around, event, kept, openTab, paste, playground, saved, seriousFaults, settled, vector } from './browser.js';

const { withPage, withDocument } = playground();
const cli = fileURLToPath(new URL('../../wasm/js/cli/cli.ts', import.meta.url));
const give = (page, name, bytes) =>
  answered(page, () => page.locator('#file').setInputFiles([{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) }]));
const open = async (page) => {
  await openTab(page, 'Validate');
  await page.getByRole('button', { name: 'Report to print and sign' }).click();
  await page.locator('.print-sheet h1').waitFor();
};
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** What a report says, with the moments at which it was made taken out. */
const timeless = (html) => html.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'NOW');

test('the saved page is that of the command line, for files of every kind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'verdict-'));
  const dos = vector('validate/cbv-word-misspelt/input.json').replaceAll('\n', '\r\n');
  try {
    await withPage(async (page) => {
      for (const [name, bytes] of [
        ['dscsa.xml', readFileSync(new URL('../../docs/profiles-dscsa.xml', import.meta.url))],
        ['misspelt.json', Buffer.from(vector('validate/cbv-word-misspelt/input.json'))],
        // The editor knows neither line ends of DOS nor a byte order mark.
        ['dos.json', Buffer.from(dos)],
        ['marked.json', Buffer.from(`\ufeff${vector('validate/cbv-word-misspelt/input.json')}`)],
        ['array.json', Buffer.from(JSON.stringify([event({})]))],
        ['broken.json', Buffer.from('{"type": "EPCISDocument", ')],
      ]) {
        const path = join(folder, name);
        writeFileSync(path, bytes);
        const expected = join(folder, 'expected.html');
        execFileSync(process.execPath, [cli, 'report', 'verdict', path, '-o', expected], { stdio: ['ignore', 'pipe', 'pipe'] });
        await give(page, name, bytes);
        await open(page);
        const file = await saved(page, page.getByRole('button', { name: 'Save as a page' }));
        assert.equal(file.name, `verdict-${name.split('.')[0]}.html`);
        assert.equal(timeless(file.bytes.toString('utf8')), timeless(readFileSync(expected, 'utf8')), name);
        assert.match(await page.locator('.print-sheet').locator('table').first().textContent(), new RegExp(sha256(bytes)));
        await page.keyboard.press('Escape');
        assert.equal(await page.evaluate(() => document.activeElement.id), 'verdict-print');
      }
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the hash is that of the file after a reload, and of the text after an edit', () =>
  withPage(async (page) => {
    const dos = vector('validate/cbv-word-misspelt/input.json').replaceAll('\n', '\r\n');
    const rows = () => page.locator('.print-sheet').locator('table').first().textContent();
    await give(page, 'dos.json', dos);
    await kept(page, { name: 'dos.json' });
    await page.reload();
    await settled(page);
    await open(page);
    assert.match(await rows(), new RegExp(sha256(dos)));
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await answered(page, async () => {
      await page.locator('.cm-content').first().focus();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type(' ');
    });
    await open(page);
    assert.match(await rows(), new RegExp(`dos\\.json \\(edited\\)[^]*${sha256(` ${dos.replaceAll('\r\n', '\n')}`)}`));
  }));

test('it prints alone, on black and white pages', () =>
  withDocument(around(event({ bizStep: 'shiping' })), async (page) => {
    await open(page);
    await page.evaluate(() => {
      globalThis.printed = 0;
      globalThis.print = () => (globalThis.printed += 1);
    });
    await page.getByRole('button', { name: 'Print or save as PDF' }).click();
    assert.equal(await page.evaluate(() => globalThis.printed), 1);
    const sheet = page.locator('.print-sheet');
    assert.match(await sheet.locator('.page').textContent(), /Signature/);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('main').isVisible(), false);
    assert.equal(await page.locator('.print-tools').isVisible(), false);
    assert.equal(await sheet.locator('h1').isVisible(), true);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    // The pages are as the report wants them: landscape.
    const [, width, height] = /MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/.exec(pdf.toString('latin1')) ?? [];
    assert.ok(Number(width) > Number(height), `${width} × ${height}`);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    assert.equal(await page.evaluate(() => document.adoptedStyleSheets.length), 0);
    assert.equal(await page.evaluate(() => document.querySelector('main').inert), false);
    // The command line has no verdict on NDJSON.
    await paste(page, `${JSON.stringify(event({}))}\n${JSON.stringify(event({}))}`);
    await page.locator('.verdict-sentence').waitFor();
    assert.equal(await page.locator('#verdict-print').count(), 0);
  }));

for (const colorScheme of ['light', 'dark'])
  test(`axe finds nothing serious in it, 375 pixels are enough, and the rest of the page is out of reach, ${colorScheme}`, () =>
    withDocument(
      around(event({ bizStep: 'shiping' })),
      async (page) => {
        await open(page);
        assert.deepEqual(await seriousFaults(page), []);
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 375);
        for (let at = 0; at < 12; at += 1) {
          await page.keyboard.press('Tab');
          assert.equal(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest('.print-view') !== null), true);
        }
      },
      { viewport: { width: 375, height: 812 }, colorScheme },
    ));
