// A document of 10 MB in the page, in real Chromium: everything that a person does with it, in a bounded number of steps.
// Invariant: The page's thread takes no step for each word of a document, even of 10 MB.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { answered, editorText, largeDocument, openTab, playground, TABS, verdict } from './browser.js';
import { stepsOf } from './steps.js';

const { withPage } = playground();

/** Does everything that a person does with a large file, once. Returns the steps of the page's thread; see `stepsOf`. */
async function workWithLarge(file) {
  let steps;
  await withPage(async (page) => {
    steps = await stepsOf(page, async () => {
      await answered(
        page,
        async () => {
          await page.locator('#file').setInputFiles(file);
          await page.locator('#progress:not([hidden])').waitFor();
        },
        600_000,
      );
      assert.equal(await verdict(page), 'Not valid');
      assert.equal(await page.locator('#panel-validate .error').count(), 1);
      for (const tab of TABS) await openTab(page, tab);
      await openTab(page, 'Validate');
      // The misspelt word is at the very end, so clicking the error shows the part around it.
      await page.locator('#panel-validate .error').click();
      await page.locator('#notice', { hasText: 'the part below' }).waitFor();
      assert.match(await editorText(page), /"shiping"/);
      await openTab(page, 'Events');
      assert.match(await page.locator('#panel-events').textContent(), /share a box/);
      await page.getByRole('button', { name: /^Show more of/ }).click();
      await page.locator('.card').nth(49).waitFor();
    });
  });
  return steps;
}

for (const [name, indent] of [
  ['indented', 2],
  ['on one line', undefined],
]) {
  test(`10 MB ${name}: answered whole, and the page's thread takes no step for each word of it`, async () => {
    const text = largeDocument(10_000_000, indent);
    assert.ok(text.length > 9_900_000);
    // As a file on disk: the page's thread would have to decode one that is sent through the debugger's socket.
    const file = join(mkdtempSync(join(tmpdir(), 'epcis-edge-')), 'large.json');
    writeFileSync(file, text);
    const steps = await workWithLarge(file);
    // Of the shown part: 17,000 values, texts of 16,000 characters, and 40,000 steps of the editor.
    assert.ok(steps.most.count < 120_000 && steps.text < 100_000 && steps.values < 50_000, JSON.stringify(steps));
  });
}
