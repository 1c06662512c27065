// The playground: file sizes of a first load, and the time to the first verdict in Chromium.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { launch, serve, visit } from '../www/tests/browser.js';

const ROUNDS = 9;
const dist = new URL('../www/dist/', import.meta.url);

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const server = await serve();
const browser = await launch();

// The files that a first visit loads until the first document is fully processed; parts with the same name form one row.
const first = await visit(browser, server.origin);
await first.page.waitForFunction(() => performance.getEntriesByName('done').length > 0);
const asked = new Set(first.seen.requests.map(({ url }) => url.slice(server.origin.length) || 'index.html'));
await first.close();
const rows = new Map();
for (const file of asked) {
  const name = file.replace(/-[A-Z0-9]{8}\./, '.').replace(/^assets\//, '');
  const bytes = readFileSync(new URL(file, dist));
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  rows.set(
    name,
    (rows.get(name) ?? [0, 0, 0]).map((sum, index) => sum + sizes[index]),
  );
}
const totals = [...rows.values()].reduce((sum, sizes) => sum.map((own, index) => own + sizes[index]));
console.log('| file | bytes | gzip | brotli |\n|---|---|---|---|');
for (const [name, sizes] of [...rows, ['first load', totals]]) console.log(`| ${name} | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`);

const seen = { painted: [], cold: [], warm: [], again: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  // A new context has an empty cache; the second load has it filled.
  const { page, close } = await visit(browser, server.origin);
  const verdict = () =>
    page
      .waitForFunction(() => performance.getEntriesByName('verdict').length > 0)
      .then(() =>
        page.evaluate(() => ({
          verdict: performance.getEntriesByName('verdict')[0].startTime,
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
]) {
  console.log(`| ${words} | ${Math.round(median(seen[name]))} |`);
}
