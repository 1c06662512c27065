// The page served by the Worker, in real workerd and real Chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start } from '../../worker/tests/gateway.js';
import { launch, openTab, visit } from './browser.js';

let browser;
let gateway;
before(async () => {
  gateway = await start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await gateway?.dispose();
});

test('the Worker serves the page, which answers by itself and names the gateway in its calls', async () => {
  const { page, errors, foreign, seen, close } = await visit(browser, gateway.address.href);
  try {
    await page.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#panel-validate .banner h2').textContent(), 'Valid');
    await page.locator('#code summary').click();
    await openTab(page, 'curl');
    assert.ok((await page.locator('#code-curl').textContent()).includes(`${gateway.address.origin}/validate`));
    assert.deepEqual(errors, []);
    assert.deepEqual(foreign, []);
    assert.deepEqual(await page.evaluate(() => globalThis.violations), []);
    assert.ok(seen.requests.every(({ method }) => method === 'GET'));
  } finally {
    await close();
  }
});

test('the calls that the page shows are answered by the gateway that serves it', async () => {
  const { page, close } = await visit(browser, `${gateway.address.href}#misspelt-word`);
  try {
    await page.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);
    const { execFileSync } = await import('node:child_process');
    const { mkdtempSync, writeFileSync } = await import('node:fs');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const { vector } = await import('./browser.js');
    const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-'));
    writeFileSync(join(folder, 'misspelt-word.json'), vector('validate/cbv-word-misspelt/input.json'));
    const run = async (way) => {
      const text = await page.locator(`#code-${way} code`).textContent();
      return JSON.parse(execFileSync('bash', ['-c', text], { cwd: folder, encoding: 'utf8' }));
    };
    await openTab(page, 'Validate');
    await page.locator('#code summary').click();
    assert.equal((await run('curl')).valid, false);
    // Without a key, the tool refuses with a result rather than a protocol error.
    assert.equal((await run('MCP')).result.structuredContent.type, 'epcisException:SecurityException');
    await openTab(page, 'Hash');
    assert.equal((await run('curl')).preHashStrings.length, 1);
  } finally {
    await close();
  }
});
