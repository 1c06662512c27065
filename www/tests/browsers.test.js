// The page in Firefox and in WebKit: a tour of a document. Runs with `EPCIS_EDGE_BROWSERS=1`.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { serve } from './browser.js';
import { eventually, inOtherBrowsers, isSkipped } from './other-browsers.js';

let server;
before(async () => {
  server = isSkipped === false ? await serve() : undefined;
});
after(() => server?.close());

/** Checks what a person sees of a valid document, tab by tab, and of one with errors. */
async function tour({ open, run }) {
  const text = (selector) => run(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  const answered = () => eventually('the answer', () => run("document.getElementById('answers')?.dataset.done !== undefined"));
  await open(server.origin);
  await answered();
  assert.equal(await text('#panel-validate .banner h2'), 'Valid');
  for (const [tab, seen] of [
    ['checks', /No problems found13 events checked/],
    ['events', /How items flow/],
    ['table', /Search events/],
    ['hash', /13 events hashed/],
    ['translate', /Nothing is lost/],
    ['proof', /Nothing to verify yet|add its proof file/],
  ]) {
    await run(`document.getElementById('tab-${tab}').click()`);
    await eventually(tab, async () => seen.test(await text(`#panel-${tab}`)));
  }
  await open(`${server.origin}?again#uri-faults`);
  await answered();
  assert.match(await text('#panel-validate .banner'), /Not valid.*7 errors/);
}

inOtherBrowsers('the tour', tour);
