// Items: following, what is inside of what, and the page of an item, in real Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomCase } from '../../wasm/tests/follow-random.js';
import { follow } from 'epcis-edge/follow';
import { identifiers } from 'epcis-edge';
import { rowsOf, walk } from '../src/flow.js';
import { around, event, openTab, paste, playground } from './browser.js';

const site = playground();
const { withDocument } = site;

const packing = (own) => event({ type: 'AggregationEvent', action: 'ADD', bizStep: 'packing', epcList: undefined, ...own });

test('what the picture puts inside of what is what the following engine says', () => {
  const canonicalOf = (id) => identifiers.toDigitalLink(id);
  let compared = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const { events } = randomCase(seed);
    // Events without an eventID are declared wrong by their hash, which the picture does not compute.
    if (events.some(({ errorDeclaration, eventID }) => errorDeclaration !== undefined && eventID === undefined)) continue;
    const { rows } = rowsOf(events, canonicalOf);
    // What is inside of what after each event.
    const after = rows.map((_, at) => walk(rows.slice(0, at + 1), {}).packing);
    const last = after.at(-1);
    const things = new Set(rows.flatMap(({ present, left }) => [...present, ...left]));
    for (const thing of things) {
      const answer = follow(events, { items: thing, through: ['packing'], contents: 'none', maxEvents: 10_000 });
      const { at } = answer.things.find(({ id }) => id === thing) ?? {};
      const parents = last.parentsOf(thing);
      if (at?.inside === undefined) assert.equal(parents.size, 0, `${thing} of case ${seed}`);
      else assert.ok(parents.has(at.inside), `${thing} in ${at.inside} of case ${seed}`);
      for (const { index, withdrawn, presences } of answer.events) {
        const parent = presences.find(({ item, how }) => item === thing && how === 'inside')?.through.at(-1);
        if (withdrawn || parent === undefined) continue;
        const row = rows.findIndex((one) => one.index === index);
        assert.ok([after[row - 1], after[row]].some((one) => one?.parentsOf(thing).has(parent)), `${thing} in ${parent} at event ${index} of case ${seed}`);
        compared += 1;
      }
    }
  }
  assert.ok(compared > 500, `${compared} presences inside of containers`);
});

const [item, pallet, other] = ['urn:epc:id:sgtin:9521141.012345.A1', 'urn:epc:id:sscc:9521141.1234567890', 'urn:epc:id:sgtin:9521141.012345.B2'];
/** An item is packed, travels with its pallet, and is taken out; the pallet goes on without it. */
const CHAIN = around(
  event({ action: 'ADD', bizStep: 'commissioning', epcList: [item, other], eventTime: '2026-03-04T08:00:00Z' }),
  packing({ parentID: pallet, childEPCs: [item], eventTime: '2026-03-04T09:00:00Z' }),
  event({ bizStep: 'shipping', epcList: [pallet], eventTime: '2026-03-04T10:00:00Z' }),
  packing({ action: 'DELETE', bizStep: 'unpacking', parentID: pallet, childEPCs: [item], eventTime: '2026-03-05T09:00:00Z' }),
  event({ bizStep: 'storing', epcList: [pallet], eventTime: '2026-03-06T09:00:00Z' }),
  event({ bizStep: 'retail_selling', epcList: [item], eventTime: '2026-03-07T09:00:00Z' }),
  event({ bizStep: 'inspecting', epcList: [other], eventTime: '2026-03-08T09:00:00Z' }),
);

test('following: an item is found in the events of its pallet, and only while it is inside', () =>
  withDocument(CHAIN, async (page, { seen }) => {
    await openTab(page, 'Events');
    const engines = () => seen.requests.filter(({ url }) => /follow-[\w]+\.wasm$/.test(url)).length;
    assert.equal(engines(), 0, 'the engine is loaded before it is needed');
    await page.locator('#follow').selectOption({ label: 'GTIN 09521141123454 · serial A1' });
    await page.locator('.follow-answer', { hasText: 'Present in 5 events' }).waitFor();
    const lit = () => page.locator('.flow .box:not(.is-off) .box-title').allTextContents();
    assert.deepEqual(await lit(), ['Commissioning', 'Packing', 'Shipping', 'Unpacking', 'Retail selling']);
    assert.equal(await page.locator('.flow .edge:not(.is-off)').count(), 4);
    assert.equal(engines(), 1);
    await page.locator('#follow').selectOption({ label: 'GTIN 09521141123454 · serial B2' });
    await page.locator('.follow-answer', { hasText: 'Present in 2 events' }).waitFor();
  }));

test('following: entries of a list that are no events do not hinder it', () =>
  withDocument(undefined, async (page) => {
    const document = JSON.parse(CHAIN);
    document.epcisBody.eventList.splice(1, 0, 7, null);
    await paste(page, JSON.stringify(document));
    await openTab(page, 'Events');
    await page.locator('#follow').selectOption({ label: 'GTIN 09521141123454 · serial A1' });
    await page.locator('.follow-answer', { hasText: 'Present in 5 events' }).waitFor();
    assert.equal(await page.locator('.flow .box:not(.is-off)').count(), 5);
  }));
