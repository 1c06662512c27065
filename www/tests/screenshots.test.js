// The pictures in docs/: `make screenshots` takes them anew, and somebody looks at them.
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openTab, serve, visit } from './browser.js';

const SHOTS = [
  { name: 'validate', example: 'uri-faults', tab: 'Validate', width: 1280 },
  { name: 'events', example: 'orchard-to-shop', tab: 'Events', width: 1280 },
  { name: 'hash', example: 'all-event-types', tab: 'Hash', width: 1280, colorScheme: 'dark' },
  { name: 'translate', example: 'xml-lossy', tab: 'Translate', width: 1280 },
  { name: 'validate', example: 'uri-faults', tab: 'Validate', width: 375, height: 1000 },
  { name: 'events', example: 'orchard-to-shop', tab: 'Events', width: 375, height: 1000, colorScheme: 'dark' },
];

const isWanted = process.env.EPCIS_EDGE_SCREENSHOTS === '1';
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
