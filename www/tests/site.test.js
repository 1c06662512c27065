// The documentation as pages of HTML: every link leads somewhere, and the search finds, in real Chromium, without a foreign request.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, seriousFaults, serve, visit } from './browser.js';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const pages = globSync('docs/**/*.html', { cwd: dist });
const read = (page) => readFileSync(join(dist, page), 'utf8');

let browser;
let host;
before(async () => {
  [browser, host] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  await host?.close();
});

test('every link of every page leads to a file of the page, and to an element of it', () => {
  assert.ok(pages.length > 60, `${pages.length}`);
  const ids = Object.fromEntries(pages.map((page) => [page, new Set([...read(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  const addresses = pages.flatMap((page) => [...read(page).matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, address]) => ({ page, address })));
  const found = JSON.parse(read('docs/search.json')).map(({ address }) => ({ page: 'docs/index.html', address }));
  for (const { page, address } of [...addresses, ...found]) {
    if (/^https?:/.test(address)) continue;
    const [path, anchor] = address.split('#');
    const file = path === '' ? page : posix.join(dirname(page), path);
    assert.ok(existsSync(join(dist, file)), `${page}: ${address}`);
    if (anchor !== undefined) assert.ok(ids[file].has(decodeURIComponent(anchor)), `${page}: ${address}`);
  }
});

test('the search finds a section by its words, also when one is misspelt, and leads to it', async () => {
  const { page, errors, foreign, close } = await visit(browser, `${host.origin}docs/javascript/index.html`);
  try {
    for (const words of ['capture error behaviour', 'capture error behavoiur']) {
      await page.locator('input').fill(words);
      await page.locator('search li').first().waitFor();
    }
    await page.locator('search li a').first().click();
    await page.waitForURL(/\/docs\/[\w-]+\.html#/);
    assert.match(await page.locator('article').textContent(), /GS1-Capture-Error-Behaviour/);
    await page.locator('input').fill('xyzzy');
    await page.getByText('Nothing found').waitFor();
    for (const name of ['', '/', '/queries.html', '/checks/gdst.html', '/openapi.html']) {
      await page.goto(`${host.origin}docs${name}`);
      assert.deepEqual(await seriousFaults(page), [], name);
    }
    assert.deepEqual(errors, []);
    assert.deepEqual(foreign, []);
    assert.deepEqual(await page.evaluate(() => globalThis.violations), []);
  } finally {
    await close();
  }
});
