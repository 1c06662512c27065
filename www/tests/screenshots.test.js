// The pictures in docs/. `make screenshots` takes them again, and a person looks at them.
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isOn } from '../../scripts/given.ts';
import { answered, launch, openTab, paste, serve, vector, visit } from './browser.js';

const SHOTS = [
  { name: 'validate', example: 'uri-faults', tab: 'Validate', width: 1280 },
  { name: 'events', example: 'orchard-to-shop', tab: 'Events', width: 1280 },
  { name: 'hash', example: 'all-event-types', tab: 'Hash', width: 1280, colorScheme: 'dark' },
  { name: 'translate', example: 'xml-lossy', tab: 'Translate', width: 1280 },
  { name: 'validate', example: 'uri-faults', tab: 'Validate', width: 375, height: 1000 },
  { name: 'events', example: 'orchard-to-shop', tab: 'Events', width: 375, height: 1000, colorScheme: 'dark' },
];

const isWanted = isOn('EPCIS_EDGE_SCREENSHOTS');
let browser;
let server;
before(async () => {
  if (!isWanted) return;
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

for (const { name, example, tab, width, height = 800, colorScheme = 'light' } of SHOTS) {
  test(`${name} at ${width} pixels`, { skip: !isWanted && 'EPCIS_EDGE_SCREENSHOTS=1 writes docs/playground-*.png' }, async () => {
    const { page, close } = await visit(browser, `${server.origin}#${example}`, { viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
    try {
      await page.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);
      await openTab(page, tab);
      await page.waitForTimeout(300);
      await page.screenshot({ path: fileURLToPath(new URL(`../../docs/playground-${name}-${width}.png`, import.meta.url)) });
    } finally {
      await close();
    }
  });
}

test('proof at 1280 pixels', { skip: !isWanted && 'EPCIS_EDGE_SCREENSHOTS=1 writes docs/playground-*.png' }, async () => {
  const { page, close } = await visit(browser, server.origin, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  try {
    await page.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);
    await answered(page, () => paste(page, JSON.stringify(JSON.parse(vector('log/event.json')))));
    await openTab(page, 'Proof');
    await page.locator('#proof-text').fill(vector('log/event.tlog-proof'));
    await page.locator('#policy-text').fill(vector('log/trusted.policy'));
    await page.waitForSelector('#panel-proof .proof-steps');
    await page.locator('#panel-proof').evaluate((panel) => panel.scrollTo(0, 0));
    await page.screenshot({ path: fileURLToPath(new URL('../../docs/playground-proof-1280.png', import.meta.url)) });
  } finally {
    await close();
  }
});
