// The picture of the flow fits into its frame when it is first shown, whatever the document and the window.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answered, openTab, playground } from './browser.js';

const { withPage } = playground();
const root = fileURLToPath(new URL('../../tests/vectors/', import.meta.url));

/** The number of events of a document. */
function eventsIn(name, text) {
  if (name.endsWith('.xml')) return text.match(/<[A-Z][a-z]+Event[ >]/g)?.length ?? 0;
  try {
    const document = JSON.parse(text);
    const events = document?.epcisBody?.eventList ?? document?.epcisBody?.queryResults?.resultsBody?.eventList ?? document;
    return Array.isArray(events) ? events.filter((event) => event?.eventTime !== undefined).length : 0;
  } catch {
    return 0;
  }
}
const vectors = readdirSync(root, { recursive: true })
  .filter((name) => /\.(?:json|xml)$/.test(name))
  .map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))
  .filter(({ name, text }) => eventsIn(name, text) > 4);

/** What is outside of the frame of the picture, or makes the page wider than the window. */
const outside = (page) =>
  page.evaluate(() => {
    const room = document.querySelector('#panel-events .picture');
    const frame = room.getBoundingClientRect();
    const found = [...room.querySelectorAll('.box-ground, .edge-label rect')].flatMap((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      const isIn = left >= frame.left - 1 && right <= frame.right + 1 && top >= frame.top - 1 && bottom <= frame.bottom + 1;
      return isIn ? [] : [`${part.parentNode.textContent} ${[left, right, top, bottom].map(Math.round)} in ${[frame.left, frame.right].map(Math.round)}`];
    });
    const answers = document.getElementById('answers').getBoundingClientRect();
    if (frame.left < answers.left || frame.right > answers.right || document.scrollingElement.scrollWidth > innerWidth) found.push('the frame');
    if (room.querySelectorAll('.box-ground').length === 0) found.push('no boxes');
    return found;
  });
/** How large the texts of the picture are, as a fraction of their natural size. */
const scale = (page) => page.locator('#panel-events .flow').evaluate((flow) => flow.getBoundingClientRect().width / flow.viewBox.baseVal.width);

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

for (const viewport of WINDOWS) {
  test(`the picture of each example and of each vector of more than four events fits, ${viewport.width} wide`, () =>
    withPage(
      async (page) => {
        const other = WINDOWS.find((one) => one !== viewport);
        const look = async (name) => {
          await openTab(page, 'Events');
          assert.deepEqual(await outside(page), [], name);
          assert.ok((await scale(page)) > 0.5, `${name} is drawn at ${await scale(page)}`);
          // A window that changes its size cuts nothing, either.
          await page.setViewportSize(other);
          assert.deepEqual(await outside(page), [], `${name}, after the window changed`);
          await page.setViewportSize(viewport);
        };
        await look('the first example');
        const examples = await page.locator('#examples option').evaluateAll((options) => options.map(({ value }) => value).filter((value) => value !== ''));
        for (const name of examples.slice(1)) {
          await answered(page, () => page.locator('#examples').selectOption(name));
          await look(name);
        }
        assert.ok(vectors.length > 3);
        for (const { name, text } of vectors) {
          await answered(page, () => page.locator('#file').setInputFiles({ name: 'vector', mimeType: '', buffer: Buffer.from(text) }));
          await look(name);
        }
      },
      '',
      { viewport },
    ));
}
