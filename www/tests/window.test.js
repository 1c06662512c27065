// Who has the window: tools and wide tables have it to themselves; the picture holds what is in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout } from '../src/flow/layout.ts';
import { answered, around, event, openTab, openTool, playground } from './browser.js';

const site = playground();
const { withDocument, withPage } = site;
const WIDE = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };

const at = (hour, own) => event({ eventTime: `2026-03-04T${hour}:00:00Z`, ...own });

test('the editor steps aside while a tool is open, and returns with the document', () =>
  withPage(
    async (page) => {
      for (const id of ['reports', 'build', 'convert', 'compare', 'gateway']) {
        await openTool(page, id);
        await page.locator(`#tool-${id}:not([aria-busy])`).waitFor();
        assert.equal(await page.locator('.source').isVisible(), false, id);
        assert.ok((await page.locator('.answers').boundingBox()).width > 1400, id);
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 1440, id);
      }
      await openTool(page, 'answers');
      assert.equal(await page.locator('.source').isVisible(), true);
    },
    '',
    WIDE,
  ));

test('a wide table shows all columns at 1440 pixels', () =>
  withPage(
    async (page) => {
      await openTab(page, 'Table');
      await page.locator('[data-row="0"]').waitFor();
      assert.equal(await page.locator('.more-columns').isVisible(), false);
      const [table, room] = await Promise.all([page.locator('.events-table').boundingBox(), page.locator('.events-room').boundingBox()]);
      assert.ok(table.x + table.width <= room.x + room.width + 1);
      await openTab(page, 'Events');
      assert.equal(await page.locator('.source').isVisible(), true);
    },
    '',
    WIDE,
  ));

test('on a phone a table tells that more columns follow, until the last one is seen', () =>
  withPage(
    async (page) => {
      await openTab(page, 'Table');
      const told = page.locator('.more-columns');
      await told.filter({ hasText: /^\d more columns to the right: scroll sideways →$/ }).waitFor();
      await page.locator('.events-room').evaluate((room) => room.scrollTo({ left: room.scrollWidth }));
      await told.waitFor({ state: 'hidden' });
      assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 390);
    },
    '',
    PHONE,
  ));

test('an event declared in error stands where it happened, and the line goes round it', () => {
  const wrong = at('10', { bizStep: 'receiving', eventID: 'urn:uuid:00000000-0000-4000-8000-000000000001' });
  const right = { eventID: 'urn:uuid:00000000-0000-4000-8000-000000000002' };
  const declared = { ...wrong, errorDeclaration: { declarationTime: '2026-03-04T12:00:00Z', reason: 'incorrect_data', correctiveEventIDs: [right.eventID] } };
  return withDocument(
    around(
      at('08', { bizStep: 'packing' }),
      at('09', { bizStep: 'shipping' }),
      wrong,
      at('11', { bizStep: 'receiving', ...right }),
      declared,
      at('13', { bizStep: 'stocking' }),
    ),
    async (page) => {
      await openTab(page, 'Events');
      const { crossed, tops } = await page.locator('.flow').evaluate((flow) => {
        const grounds = [...flow.querySelectorAll('.box.is-wrong .box-ground')].map((ground) => ground.getBoundingClientRect());
        const points = [...flow.querySelectorAll('.strand')].flatMap((strand) => {
          const matrix = strand.getScreenCTM();
          const length = strand.getTotalLength();
          return [...Array(200).keys()].map((step) => strand.getPointAtLength((length * step) / 199).matrixTransform(matrix));
        });
        return {
          crossed: points.filter(({ x, y }) => grounds.some((own) => x > own.left - 1 && x < own.right + 1 && y > own.top + 1 && y < own.bottom - 1)).length,
          tops: [...flow.querySelectorAll('.box')].map((box) => Math.round(box.getBoundingClientRect().top)),
        };
      });
      assert.equal(crossed, 0);
      // In order of time: packing, shipping, both of the receiving that was wrong, receiving, stocking.
      assert.ok(tops[1] < tops[2] && tops[2] < tops[4], `${tops}`);
      assert.match(await page.locator('.story-note').textContent(), /^4 events in all\. 1 event declared in error, not counted\.$/);
      assert.equal(await page.locator('.box.is-wrong', { hasText: 'declared in error' }).count(), 2);
    },
  );
});

test('thousands of events are grouped by step and place, at most four boxes beside each other', () => {
  const steps = ['commissioning', 'packing', 'shipping', 'receiving'];
  const many = [...Array(2000).keys()].map((index) => {
    const item = Math.floor(index / 4);
    const time = new Date(Date.UTC(2026, 2, 1) + index * 60_000).toISOString();
    return event({
      eventTime: time,
      action: item % 2 === 0 ? 'OBSERVE' : 'ADD',
      bizStep: steps[index % 4],
      epcList: [`urn:epc:id:sgtin:9521141.012345.${item}`],
      readPoint: { id: `urn:epc:id:sgln:9521141.0000${item % 7}.0` },
    });
  });
  return withDocument(undefined, async (page) => {
    await answered(page, () => page.locator('#file').setInputFiles({ name: 'many.json', mimeType: 'application/json', buffer: Buffer.from(around(...many)) }));
    await openTab(page, 'Events');
    assert.match(await page.locator('#panel-events .remark').textContent(), /2,000 events: those of the same step and place share a box/);
    assert.equal(await page.locator('.flow .box').count(), 28);
    const rows = await page.locator('.flow .box').evaluateAll((boxes) => boxes.map((box) => Math.round(box.getBoundingClientRect().top)));
    for (const top of new Set(rows)) assert.ok(rows.filter((own) => own === top).length <= 4, `${rows}`);
    assert.match(await page.locator('.story-words').textContent(), /7 places register 500 items, pack them, ship them and receive them\.$/);
  });
});

test('a layout of many boxes without lines is no wider than four of them', () => {
  const { width, boxes } = layout(
    [...Array(41).keys()].map((id) => ({ id })),
    [],
  );
  assert.ok(width < 5 * 268);
  assert.equal(new Set(boxes.map(({ x, y }) => `${Math.round(x)} ${y}`)).size, 41);
});
