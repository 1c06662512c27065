// The story of a document: names and things instead of numbers, and what is seen in the first twenty seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flowOf, rowsOf } from '../src/flow/flow.ts';
import { modelOf } from '../src/events/event-model.ts';
import { storyOf } from '../src/events/story.ts';
import { around, axe, event, openTab, paste, playground } from './browser.js';
import { canonicalOf, eventName, inputOf } from './history.js';

const site = playground();
const { withDocument, withPage } = site;

/** The story of these events, told with these names. */
function told(events, known = {}) {
  const input = inputOf(events);
  const names = { canonicalOf, eventName, history: input.history, nameFor: (id) => known[id] ?? known[canonicalOf(id)] };
  const rows = rowsOf(input);
  flowOf(rows, names);
  return storyOf(rows.rows, names);
}
const at = (hour, own) => event({ eventTime: `2026-03-04T${hour}:00:00+01:00`, ...own });
const BOX = 'https://id.gs1.org/01/19521141012342';
const ORCHARD = 'urn:epc:id:sgln:9521141.00001.0';
const SHOP = 'urn:epc:id:pgln:9521142.00000';
const NAMES = { [BOX]: 'Bramley apples', [canonicalOf(ORCHARD)]: 'Hill Orchard', [canonicalOf(SHOP)]: 'Corner Shop' };
const shipped = {
  bizStep: 'shipping',
  epcList: [],
  quantityList: [{ epcClass: BOX, quantity: 120 }],
  readPoint: { id: ORCHARD },
  destinationList: [{ type: 'owning_party', destination: SHOP }],
};

test('who ships what to whom, with the names of master data and without them', () => {
  const { sentence, note } = told([at('10', shipped)], NAMES);
  assert.equal(sentence, 'On 4 Mar 2026: Hill Orchard ships 120 boxes of Bramley apples to Corner Shop.');
  assert.equal(note, '');
  assert.equal(told([at('10', shipped)]).sentence, 'On 4 Mar 2026: place 00001 of company 9521141 ships 120 boxes to company 9521142.');
});

test('words that every object of JavaScript has are words like any other', () => {
  for (const word of ['constructor', 'toString', 'valueOf', '__proto__']) {
    const one = event({
      type: word,
      action: word,
      bizStep: word,
      disposition: word,
      bizTransactionList: [{ type: word, bizTransaction: 'urn:x:1' }],
      sourceList: [{ type: word, source: 'urn:x:2' }],
      quantityList: [{ epcClass: BOX, quantity: 2, uom: word }],
      sensorElementList: [{ sensorReport: [{ type: word, value: 1, uom: word, exception: word }] }],
    });
    const typed = ['ObjectEvent', 'TransactionEvent'].map((type) => told([{ ...one, type }]));
    const shown = [told([one]), ...typed, modelOf(one, 0, canonicalOf)];
    assert.deepEqual(structuredClone(shown), shown);
    assert.doesNotMatch(JSON.stringify(shown), /native code|\[object/);
  }
});

test('things without a name are called what their identifiers are', () => {
  const one = (own) =>
    told([at('10', { readPoint: { id: ORCHARD }, bizStep: 'shipping', ...own })], NAMES).sentence.replace('On 4 Mar 2026: Hill Orchard ships ', '');
  assert.equal(one({ epcList: ['urn:epc:id:sscc:9521141.1234567890'] }), 'a pallet.');
  const items = ['A', 'B', 'C'].map((serial) => `urn:epc:id:sgtin:9521141.012345.${serial}`);
  assert.equal(one({ epcList: [...items, items[0]] }), '3 items.');
  assert.equal(one({ epcList: ['urn:epc:id:sgtin:9521141.112345.A', 'urn:epc:id:grai:9521141.12345.1'] }), 'a box and a returnable container.');
  const lot = 'urn:epc:class:lgtin:9521141.012345.L1';
  assert.equal(
    one({
      epcList: [],
      quantityList: [
        { epcClass: lot, quantity: 0.1, uom: 'KGM' },
        { epcClass: lot, quantity: 0.2, uom: 'KGM' },
      ],
    }),
    '0.3 kg of product 09521141123454.',
  );
  assert.equal(one({ epcList: [], quantityList: [{ epcClass: lot }] }), 'a batch of product 09521141123454.');
  assert.equal(one({ epcList: ['urn:x:1', 'urn:x:2'] }), '2 things.');
});

test('several events are one sentence: who acts again is named once, and what a pallet holds is said', () => {
  const item = 'urn:epc:id:sgtin:9521141.012345.A';
  const pallet = 'urn:epc:id:sscc:9521141.1234567890';
  const where = { readPoint: { id: ORCHARD } };
  const { sentence, note } = told(
    [
      { ...at('09', where), type: 'AggregationEvent', action: 'ADD', bizStep: 'packing', parentID: pallet, childEPCs: [item], epcList: undefined },
      at('10', { ...shipped, quantityList: undefined, epcList: [pallet] }),
      at('11', { bizStep: 'receiving', epcList: [pallet], readPoint: { id: SHOP }, eventTime: '2026-04-01T11:00:00+01:00' }),
      at('08', { ...where, bizStep: 'urn:example:bizStep:washedTwice' }),
    ],
    NAMES,
  );
  assert.equal(
    sentence,
    'From 4 Mar to 1 Apr 2026: Hill Orchard: washed twice, a pallet; Hill Orchard packs an item into a pallet and ships a pallet with an item to Corner Shop; Corner Shop receives it.',
  );
  assert.equal(note, '4 events in all.');
});

test('many events are summed up: an item once, an amount once for each place that it leaves', () => {
  const from = (place, quantity, epcClass = BOX) => at('10', { ...shipped, quantityList: [{ epcClass, quantity }], readPoint: { id: place } });
  assert.match(told([from(ORCHARD, 40), from(ORCHARD, 80)], NAMES).sentence, /Hill Orchard ships 120 boxes of Bramley apples to Corner Shop\.$/);
  const other = 'urn:epc:id:sgln:9521141.00002.0';
  const lot = `${BOX}/10/L1`;
  const known = { ...NAMES, [lot]: 'Bramley apples' };
  assert.match(
    told([from(ORCHARD, 120, lot), from(other, 120, lot)], known).sentence,
    /Hill Orchard and place 00002 of company 9521141 ship 120 boxes of Bramley/,
  );
  const places = [...Array(60).keys()].map((index) => from(`urn:epc:id:sgln:9521141.${String(index).padStart(5, '0')}.0`, 2));
  assert.match(told(places).sentence, /: 60 places ship 120 boxes to company 9521142\.$/);
});

test('withdrawn events are not counted, and that is said', () => {
  const wrong = at('10', { ...shipped, eventID: 'urn:uuid:00000000-0000-4000-8000-000000000001' });
  const declared = { ...wrong, errorDeclaration: { declarationTime: '2026-03-04T12:00:00Z', reason: 'did_not_occur' } };
  const right = at('11', { ...shipped, quantityList: [{ epcClass: BOX, quantity: 12 }] });
  assert.deepEqual(told([wrong, right, declared], NAMES), {
    sentence: 'On 4 Mar 2026: Hill Orchard ships 12 boxes of Bramley apples to Corner Shop.',
    note: '1 event declared in error, not counted.',
  });
  assert.equal(told([wrong, declared], NAMES).sentence, 'No event in this document counts: all were declared in error.');
});

/** The steps of GDST 1.2 that are not of the CBV. */
const GDST = ['commingling', 'farmHarvest', 'fishingEvent', 'hatching', 'landing', 'transshipment'].map((word) => `urn:gdst:bizStep:${word}`);

test('every step of the CBV and of GDST has a verb', async () => {
  const { readFileSync } = await import('node:fs');
  const { bizStep } = JSON.parse(readFileSync(new URL('../../schemas/cbv-meanings.json', import.meta.url), 'utf8'));
  for (const step of [...Object.keys(bizStep), ...GDST]) {
    const { sentence } = told([at('10', { bizStep: step, readPoint: { id: ORCHARD } })], NAMES);
    assert.match(sentence, /^On 4 Mar 2026: (?:Hill Orchard [a-z ]+s\b.* a pallet|a pallet (?:is [a-z]+ed at|[a-z]+s at|[a-z]+s) Hill Orchard)\.$/, step);
  }
});

test('what things do is told of them, and nobody sees them or reports their arrival', () => {
  const saw = (own) => told([at('10', { readPoint: { id: ORCHARD }, ...own })], NAMES).sentence.replace('On 4 Mar 2026: ', '');
  const sensor = { sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 4.5, uom: 'CEL' }] }] };
  const items = ['A', 'B'].map((serial) => `urn:epc:id:sgtin:9521141.012345.${serial}`);
  const pallet = 'urn:epc:id:sscc:9521141.1234567890';
  assert.equal(saw({}), 'a pallet is seen at Hill Orchard.');
  assert.equal(saw({ epcList: items }), '2 items are seen at Hill Orchard.');
  assert.equal(saw({ type: 'AggregationEvent', epcList: undefined, childEPCs: items, parentID: pallet }), '2 items in a pallet are seen at Hill Orchard.');
  assert.equal(saw({ bizStep: 'arriving', sourceList: [{ type: 'owning_party', source: SHOP }] }), 'a pallet arrives at Hill Orchard from Corner Shop.');
  assert.equal(saw({ bizStep: 'departing', epcList: items }), '2 items leave Hill Orchard.');
  assert.equal(saw({ bizStep: 'entering_exiting', epcList: items }), '2 items pass Hill Orchard.');
  assert.equal(saw({ bizStep: 'sensor_reporting', ...sensor }), 'a pallet (temperature 4.5 °C) is measured at Hill Orchard.');
  assert.equal(saw({ bizStep: 'sensor_reporting', ...sensor, epcList: [] }), 'temperature 4.5 °C is measured at Hill Orchard.');
  assert.equal(saw({ epcList: [] }), 'something is seen at Hill Orchard.');
  assert.equal(saw({ readPoint: undefined, epcList: items }), '2 items are seen.');
  assert.equal(
    told([at('09', { ...shipped, quantityList: undefined, epcList: [pallet] }), at('10', { bizStep: 'arriving', readPoint: { id: SHOP } })], NAMES).sentence,
    'On 4 Mar 2026: Hill Orchard ships a pallet to Corner Shop; it arrives at Corner Shop.',
  );
});

test('own URIs are called by their last telling part', () => {
  const at1 = (id) => told([at('10', { bizStep: 'packing', readPoint: { id } })]).sentence.replace(/^On 4 Mar 2026: (.*) packs a pallet\.$/, '$1');
  assert.equal(at1('urn:gdst:example.org:location:loc:fishfarm.1'), 'fishfarm 1');
  assert.equal(at1('urn:gdst:example.org:location:loc:08600031303.2'), 'place 08600031303 2');
  assert.equal(at1('urn:gdst:example.org:party:4711.2'), 'company 4711 2');
  assert.equal(at1('urn:uuid:2c0c1a5e-9f4c-4d8e-8a53-1f0c5a8c6d11'), 'place 2c0c1a5e');
  assert.equal(at1('https://example.com/stores/7'), 'stores 7');
  assert.equal(at1('https://example.com/places/northGate'), 'north gate');
  assert.equal(at1('https://example.com/'), 'example com');
  assert.equal(at1('https://example.com/M%C3%BChle'), 'Mühle');
  assert.equal(at1('urn:example:dock-7'), 'dock 7');
  assert.equal(at1('urn:x:1'), 'place 1');
  const sees = (epcList, quantityList) =>
    told([at('10', { epcList, quantityList, readPoint: { id: 'urn:gdst:example.org:location:loc:feedmill.1' } })]).sentence.replace('On 4 Mar 2026: ', '');
  assert.equal(
    sees(['urn:example:tote-7'], [{ epcClass: 'urn:gdst:example.org:product:lot:class:feedmill.pellets.L1', quantity: 10_000, uom: 'KGM' }]),
    'tote 7 and 10,000 kg of product feedmill pellets are seen at feedmill 1.',
  );
  assert.equal(sees(['urn:uuid:2c0c1a5e-9f4c-4d8e-8a53-1f0c5a8c6d11']), 'thing 2c0c1a5e is seen at feedmill 1.');
  assert.equal(sees(['urn:gdst:example.org:product:serial:obj:feedmill.pellets.S1']), 'an item is seen at feedmill 1.');
  // Digits that are wrong hide no pallet.
  assert.equal(sees(['urn:epc:id:sscc:08600031303.0003']), 'a pallet is seen at feedmill 1.');
  assert.equal(sees([], [{ epcClass: 'urn:epc:class:lgtin:952123.000010.L7' }]), 'a batch of product 952123.000010 is seen at feedmill 1.');
  assert.equal(sees([], [{ epcClass: 'urn:example:crates', quantity: 12 }]), '12 × product crates are seen at feedmill 1.');
});

test('a catch of GDST without names is a story', () => {
  const lot = (quantity, name) => ({ quantityList: [{ epcClass: `urn:gdst:example.org:product:lot:class:${name}`, quantity, uom: 'KGM' }], epcList: [] });
  const place = (name) => ({ bizLocation: { id: `urn:gdst:example.org:location:loc:${name}` } });
  const step = (word) => ({ bizStep: `urn:gdst:bizStep:${word}` });
  const tuna = lot(800, 'boat.tuna.L1');
  const events = [
    at('08', { ...step('fishingEvent'), action: 'ADD', ...tuna, ...place('boat.1') }),
    at('09', { ...step('transshipment'), ...tuna, ...place('reefer.1') }),
    at('10', { ...step('landing'), ...tuna, ...place('port.1') }),
    {
      ...at('11', { ...step('commingling'), ...place('plant.1') }),
      type: 'TransformationEvent',
      action: undefined,
      epcList: undefined,
      inputQuantityList: tuna.quantityList,
      outputQuantityList: lot(700, 'plant.cans.L2').quantityList,
    },
  ];
  assert.equal(
    told(events).sentence,
    'On 4 Mar 2026: boat 1 catches 800 kg of product boat tuna; it is transshipped at reefer 1; it is landed at port 1; plant 1 mixes 700 kg of product plant cans from 800 kg of product boat tuna.',
  );
  // Master data may describe the class of a lot.
  const known = { 'urn:gdst:example.org:product:class:boat.tuna': 'yellowfin tuna' };
  assert.equal(told(events.slice(0, 1), known).sentence, 'On 4 Mar 2026: boat 1 catches 800 kg of yellowfin tuna.');
});

test('what has no actor, or no verb, stands in lower case inside of the sentence', () => {
  const packed = { type: 'AggregationEvent', action: 'ADD', bizStep: 'packing', parentID: 'urn:epc:id:sscc:9521141.1234567890', epcList: undefined };
  assert.equal(
    told([
      at('09', { ...packed, childEPCs: ['urn:epc:id:sgtin:9521141.012345.A'] }),
      at('10', { bizStep: 'https://example.com/voc/BizStep-notifying', readPoint: { id: 'urn:example:FrontOffice' } }),
    ]).sentence,
    'On 4 Mar 2026: packing, an item into a pallet; Front office: notifying, a pallet with an item.',
  );
});

test('what is no identifier, no time and no list does no harm', () => {
  const strange = { type: 7, eventTime: 'soon', epcList: [null, 5, {}], quantityList: { epcClass: [] }, readPoint: 'here', bizStep: {}, sourceList: [null] };
  assert.equal(told([strange]).sentence, '7 event.');
  assert.equal(told([]).sentence, '');
  assert.equal(told([at('10', { bizStep: 'constructor', epcList: ['https://id.gs1.org/01/%E0%A4%A'] })]).sentence, 'On 4 Mar 2026: constructor, an item.');
});

test('the first screen tells the story, and has four words in each bar', () =>
  withPage(async (page) => {
    assert.match(
      await page.locator('.story-words').textContent(),
      /Hill Press makes 3 × Bramley apple juice from 820\.5 kg of Bramley apples and ships a pallet/,
    );
    assert.deepEqual(await page.locator('.mode:visible').allTextContents(), ['Document', 'Reports', 'Build', 'Convert']);
    const shown = async () => (await page.locator('#tabs [role=tab]:visible > span:first-child').allTextContents()).join();
    assert.equal(await shown(), 'Validate,Checks,Events,Table');
    await page.locator('.tabs-bar .more-button').click();
    assert.equal(await shown(), 'Validate,Checks,Events,Table,Hash,Translate,Proof,Master data');
    await page.keyboard.press('Escape');
    assert.equal(await shown(), 'Validate,Checks,Events,Table');
    await openTab(page, 'Hash');
    assert.equal(await shown(), 'Validate,Checks,Events,Table,Hash');
  }));

test('a warning behind "More" is told at the button', () =>
  withDocument(around(event({ eventID: `ni:///sha-256;${'0'.repeat(64)}?ver=CBV2.0` })), async (page) => {
    const more = page.locator('.tabs-bar .more-button');
    assert.match(await more.textContent(), /More! look at Hash/);
    await openTab(page, 'Hash');
    assert.equal(await more.locator('.badge').isVisible(), false);
  }));

for (const colorScheme of ['light', 'dark']) {
  test(`on a phone the story comes first and the text is behind a button, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        const top = await page.locator('.story-words').evaluate((own) => own.getBoundingClientRect().top);
        assert.ok(top < 400, `the story begins at ${top}`);
        assert.equal(await page.locator('#editor').isVisible(), false);
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 390);
        await page.evaluate(axe);
        const look = async () => {
          const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
          assert.deepEqual(
            violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`),
            [],
          );
        };
        await look();
        await page.getByRole('button', { name: 'Show the text' }).click();
        assert.equal(await page.locator('#editor').isVisible(), true);
        await look();
        await page.getByRole('button', { name: 'Hide the text' }).click();
        assert.equal(await page.locator('#editor').isVisible(), false);
        // A place in the text is shown, wherever the text was.
        await page.locator('.card').first().getByRole('button', { name: 'Show in editor' }).click();
        await page.locator('#editor').waitFor();
        await paste(page, around(event({ bizStep: 'shiping' })));
        await openTab(page, 'Events');
        assert.match(await page.locator('.story-words').textContent(), /: shiping, a pallet/);
      },
      '',
      { viewport: { width: 390, height: 844 }, colorScheme },
    ));
}

test('the words of a box stay inside of it', () =>
  withDocument(
    around(
      event({
        bizStep: 'urn:example:bizStep:aVeryLongNameOfAStepThatSomebodyMadeUpWithoutThinkingOfPictures',
        readPoint: { id: `https://example.com/${'W'.repeat(80)}` },
      }),
      event({ bizStep: 'creating_class_instance', epcList: [...Array(9).keys()].map((index) => `urn:x:${index}`), readPoint: { id: ORCHARD } }),
    ),
    async (page) => {
      await openTab(page, 'Events');
      const over = await page.locator('.flow .box').evaluateAll((boxes) =>
        boxes.flatMap((box) => {
          const ground = box.querySelector('.box-ground').getBoundingClientRect();
          return [...box.querySelectorAll('text')].filter((text) => text.getBoundingClientRect().right > ground.right + 1).map((text) => text.textContent);
        }),
      );
      assert.deepEqual(over, []);
      const crossed = await page.locator('.flow .box').evaluateAll((boxes) =>
        boxes.some((box) => {
          const texts = [...box.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
          return texts.some((one, at) =>
            texts.slice(at + 1).some((two) => one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 4 && two.top < one.bottom - 4),
          );
        }),
      );
      assert.equal(crossed, false);
    },
  ));
