// The playground: the time to the first verdict in Chromium. Its sizes are kept by a test, www/tests/documents.test.js.
import { launch, serve, visit } from '../www/tests/browser.js';
import { median } from './measure.ts';

const ROUNDS = 9;
const server = await serve();
const browser = await launch();

const seen: Record<'painted' | 'cold' | 'warm' | 'again', number[]> = { painted: [], cold: [], warm: [], again: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  // A new context has an empty cache; the second load has it filled.
  const { page, close } = await visit(browser, server.origin);
  const verdict = () =>
    page
      .waitForFunction(() => performance.getEntriesByName('verdict').length > 0)
      .then(() =>
        page.evaluate(() => ({
          verdict: performance.getEntriesByName('verdict')[0]!.startTime,
          painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
        })),
      );
  const cold = await verdict();
  seen.cold.push(cold.verdict);
  if (cold.painted !== undefined) seen.painted.push(cold.painted);
  await page.reload();
  seen.warm.push((await verdict()).verdict);
  // The time from a key press to the verdict, including the pause after typing.
  await page.waitForFunction(() => performance.getEntriesByName('done').length > 0);
  const before = await page.evaluate(() => {
    performance.clearMarks();
    return performance.now();
  });
  await page.locator('#editor .cm-content').focus();
  await page.keyboard.type(' ');
  seen.again.push((await verdict()).verdict - before);
  await close();
}
await browser.close();
await server.close();
console.log('\n| from | milliseconds, median of', ROUNDS, '|\n|---|---|');
for (const [name, words] of [
  ['painted', 'address entered to first paint'],
  ['cold', 'address entered to the first verdict, nothing cached'],
  ['warm', 'the same, files cached'],
  ['again', 'a key pressed to the verdict on the example of 13 events'],
] as const) {
  console.log(`| ${words} | ${Math.round(median(seen[name]))} |`);
}
