// The ways to begin in the tool Build: from a list of serials, and from a template; and numbers of orders that become URIs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { identifiers, validate } from 'epcis-edge';
import { check } from 'epcis-edge/check';
import { documentOf, faultsOf } from '../src/tools/build/build-event.ts';
import { draftsOf } from '../src/tools/build/build-draft.ts';
import { draftsOfSerials, itemsOf, MOST } from '../src/tools/build/build-serials.ts';
import { judged, read } from '../src/tools/build/build-tools.ts';
import { transactionOf } from '../src/tools/build/build-transactions.ts';
import { playground, seriousFaults } from './browser.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { withPage } = playground();
const judge = (list) => judged({ list }, identifiers);
const idsOf = { spell: (id) => read({ list: [id] }, identifiers)[0].id, glnOf: (id) => read({ list: [id] }, identifiers)[0].gln };

/** The documents that the templates are made of, with the pack of each. */
const TEMPLATES = [
  ['../templates/shipping.json', undefined],
  ['../templates/dscsa.json', 'dscsa'],
  ['../examples/fsma204-lettuce.json', 'fsma204'],
  ['../examples/gdst-catch.json', 'gdst'],
];

test('instance data that is no object stays as it was typed, so that the schema can refuse it', () => {
  const draft = { type: 'ObjectEvent', eventTime: '2026-03-04T11:00', eventTimeZoneOffset: '+01:00', further: '{"ilmd": "ripe"}' };
  const { epcisBody } = documentOf({ drafts: [draft], namespaces: new Map(), around: '' });
  assert.equal(epcisBody.eventList[0].ilmd, 'ripe');
});

test('a template comes out of the form as it went in, is valid, and its pack finds nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    for (const [file, pack] of TEMPLATES) {
      const document = JSON.parse(readFileSync(here(file), 'utf8'));
      const state = draftsOf(document);
      assert.deepEqual(faultsOf(state, idsOf), [], file);
      const made = documentOf(state, idsOf);
      assert.deepEqual(made.epcisBody.eventList, document.epcisBody.eventList, file);
      assert.deepEqual(made.epcisHeader, document.epcisHeader, file);
      assert.equal(validate(made).valid, true, file);
      const report = check(made, pack === undefined ? {} : { packs: [pack] });
      assert.deepEqual(report.findings, [], file);
      assert.equal(report.notApplicable?.some((one) => one.pack === pack) ?? false, false, file);
      // The command line says the same.
      const path = join(folder, 'made.json');
      writeFileSync(path, JSON.stringify(made));
      const said = execFileSync(process.execPath, [here('../../wasm/js/cli/cli.ts'), 'check', ...(pack === undefined ? [] : ['--packs', pack]), path], {
        encoding: 'utf8',
      });
      assert.match(said, /no problems found/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const named = new Set(TEMPLATES.map(([file]) => file.split('/').at(-1)));
  for (const file of readdirSync(here('../templates'))) assert.ok(named.has(file), `${file} is tested`);
});

test('a number becomes the URI of the party that issued it; a URI stays', () => {
  const draft = (own) => ({ type: 'ObjectEvent', ...own });
  const from = [['location', '9521141000014']];
  const to = [
    ['location', 'urn:epc:id:sgln:9521141.00200.0'],
    ['owning_party', '(417)9521141000090'],
  ];
  const uriOf = (row, own) => transactionOf(row, draft(own), idsOf);
  const bt = (gln, number) => `urn:epcglobal:cbv:bt:${gln}:${number}`;
  for (const [row, own, uri] of [
    // Who gets the goods has ordered them; a party comes before a place.
    [['po', '4711'], { destinationList: to }, bt('9521141000090', '4711')],
    [['desadv', 'D 1/2'], { sourceList: from, destinationList: to }, bt('9521141000014', 'D%201%2F2')],
    [['po', '45001234'], { bizStep: 'receiving', readPoint: '(414)9521141000014' }, bt('9521141000014', '45001234')],
    [['prodorder', 'PO:7'], { bizLocation: '9521141000014' }, bt('9521141000014', 'PO:7')],
    // The row comes first.
    [['po', '4711', '9521141000014'], { destinationList: to }, bt('9521141000014', '4711')],
    [['po', '\ud800', '9521141000014'], {}, bt('9521141000014', '%EF%BF%BD')],
    [['po', 'https://example.com/po/4711'], { destinationList: to }, 'https://example.com/po/4711'],
    [['po', 'urn:uuid:1'], {}, 'urn:uuid:1'],
    [['cert', '(253)9521141000013A1'], {}, identifiers.toDigitalLink('https://id.gs1.org/253/9521141000013A1')],
  ]) {
    const answer = uriOf(row, own);
    assert.equal(answer.uri, uri ?? 'no such identifier');
    assert.equal(answer.fault, undefined);
    assert.equal(answer.words === undefined, answer.uri === row[1]);
  }
  // Who ordered is not guessed: the place of the sender is not that of the buyer.
  for (const own of [{ bizStep: 'shipping', readPoint: '9521141000014' }, {}])
    assert.equal(uriOf(['po', '4711'], own).fault, 'the number `4711` needs the GLN of the party that issued it');
  assert.match(uriOf(['po', '4711', '9521141000015'], {}).fault, /^`9521141000015` is no GLN, expected 13 digits with a right check digit/);
});

test('thirteen bare digits are a GLN where a place or a party belongs', () => {
  const draft = {
    type: 'ObjectEvent',
    readPoint: '9521141000014',
    bizLocation: '9521141000015',
    epcList: '9521141000014',
    sourceList: [['owning_party', '9521141000014']],
    destinationList: [['location', '9521141000014']],
  };
  const [made] = documentOf({ drafts: [draft], namespaces: new Map() }, idsOf).epcisBody.eventList;
  assert.deepEqual(
    [made.readPoint.id, made.sourceList[0].source, made.destinationList[0].destination],
    ['https://id.gs1.org/414/9521141000014', 'https://id.gs1.org/417/9521141000014', 'https://id.gs1.org/414/9521141000014'],
  );
  // A wrong check digit is told by the checks. Elsewhere the digits are a GTIN.
  assert.equal(made.bizLocation.id, 'https://id.gs1.org/414/9521141000015');
  assert.match(made.epcList[0], /\/01\/09521141000014$/);
});

test('a line of a list that is no item is refused, with its number and what was expected', async () => {
  const good = ['(01)09521141123454(21)A1', 'urn:epc:id:sgtin:9521141.012345.A2', 'https://id.gs1.org/01/09521141123454/21/A3', '(00)195211412345678900'];
  const { ids, faults } = await itemsOf(`${good.join('\n')}\n\n`, '', judge);
  assert.deepEqual(faults, []);
  assert.deepEqual(ids, [
    'https://id.gs1.org/01/09521141123454/21/A1',
    'https://id.gs1.org/01/09521141123454/21/A2',
    'https://id.gs1.org/01/09521141123454/21/A3',
    'https://id.gs1.org/00/195211412345678900',
  ]);
  const wrong = [
    good[0],
    '(01)09521141123455(21)A1',
    '',
    'apple',
    '(01)09521141123454',
    '(01)09521141123454(10)L1',
    '(414)9521141000014',
    'urn:epc:id:sgtin:9521141.012345.A1',
    'x'.repeat(201),
  ];
  const refused = await itemsOf(wrong.join('\n'), '', judge);
  assert.equal(refused.faults.length, 7);
  for (const [at, words] of [
    /^Line 2: found \(01\)09521141123455\(21\)A1, expected .*: The check digit of the GTIN 09521141123455 is 5, expected 4\.$/,
    /^Line 4: found apple, expected the identifier of one item, such as/,
    /^Line 5: .* expected one item with its serial, not a product or a lot\.$/,
    /^Line 6: .* not a product or a lot\.$/,
    /^Line 7: .* expected an item, not a place or a party\.$/,
    /^Line 8: .* expected each item once: it is in line 1, too\.$/,
    /^Line 9: found x+…, expected at most 200 characters\.$/,
  ].entries())
    assert.match(refused.faults[at], words);
  const serials = await itemsOf('A1\nA(2)\n(01)09521141123454(21)A1\nA 3\nÄ\n123456789012345678901', '9521141123454', judge);
  assert.deepEqual(serials.ids, ['https://id.gs1.org/01/09521141123454/21/A1', 'https://id.gs1.org/01/09521141123454/21/A(2)']);
  assert.match(serials.faults.join('\n'), /^Line 3: .* a serial alone.*\nLine 4: .* without blanks\.\nLine 5: .*\nLine 6: .* at most 20 characters\.$/);
  const many = await itemsOf(Array.from({ length: MOST.lines + 1 }, (_, at) => String(at)).join('\n'), '9521141123454', judge);
  assert.deepEqual(many, { ids: [], faults: ['Found 1,001 lines, expected at most 1,000: split the list.'] });
});

test('events from serials: in order, with the dispositions of the CBV', () => {
  const drafts = draftsOfSerials({
    ids: ['https://id.gs1.org/01/09521141123454/21/A1', 'https://id.gs1.org/01/09521141123454/21/A2'],
    parent: 'https://id.gs1.org/00/195211412345678900',
    readPoint: 'https://id.gs1.org/414/9521141000014',
    bizLocation: '',
    destination: 'https://id.gs1.org/414/9521141000090',
    order: '4711',
    issuer: '',
    time: '2026-03-31T23:55',
    offset: '+01:00',
    minutes: 10,
    isReceived: true,
  });
  const state = { drafts, namespaces: new Map(), around: '' };
  const made = documentOf(state, idsOf);
  assert.deepEqual(faultsOf(state, idsOf), []);
  assert.equal(validate(made).valid, true);
  assert.deepEqual(check(made).findings, []);
  const { eventList } = made.epcisBody;
  assert.deepEqual(
    eventList.map(({ type, action, bizStep, disposition, eventTime }) => [type, action, bizStep, disposition, eventTime]),
    [
      ['ObjectEvent', 'ADD', 'commissioning', 'active', '2026-03-31T23:55:00+01:00'],
      ['AggregationEvent', 'ADD', 'packing', 'in_progress', '2026-04-01T00:05:00+01:00'],
      ['ObjectEvent', 'OBSERVE', 'shipping', 'in_transit', '2026-04-01T00:15:00+01:00'],
      ['ObjectEvent', 'OBSERVE', 'receiving', 'in_progress', '2026-04-01T00:25:00+01:00'],
    ],
  );
  const order = [{ type: 'po', bizTransaction: 'urn:epcglobal:cbv:bt:9521141000090:4711' }];
  for (const event of eventList.slice(2)) {
    assert.deepEqual(event.epcList, ['https://id.gs1.org/00/195211412345678900']);
    assert.deepEqual(event.bizTransactionList, order);
    assert.deepEqual(event.sourceList, [{ type: 'location', source: 'https://id.gs1.org/414/9521141000014' }]);
    assert.deepEqual(event.destinationList, [{ type: 'location', destination: 'https://id.gs1.org/414/9521141000090' }]);
  }
  assert.equal(eventList[2].bizLocation, undefined);
});

const verdict = (page, words) => page.locator('.build-result .banner h2', { hasText: words }).waitFor();
const events = (page) => page.locator('.build-event > span:first-of-type').allTextContents();
const eventsIn = async (page) => JSON.parse(await page.locator('.build-result pre').textContent()).epcisBody.eventList;
const ready = (page) => page.locator('.build-result .banner').waitFor();

test('the form makes the events of a list, says what is wrong in it, and can be undone', () =>
  withPage(async (page) => {
    await ready(page);
    await page.getByRole('button', { name: 'From a list of serials' }).focus();
    await page.keyboard.press('Enter');
    const items = page.getByLabel('Items, one a line', { exact: true }).and(page.locator('#serials-items'));
    await items.fill('A1\nA 2\nA1');
    await page.locator('#serials-gtin').fill('9521141123454');
    await page.getByRole('button', { name: 'Make the events' }).click();
    const faults = page.locator('.serials-answer li');
    await faults.first().waitFor();
    assert.match((await faults.allTextContents()).join('\n'), /^Line 2: .*\nLine 3: .* in line 1, too\.\nParent: it is empty/);
    assert.deepEqual(await events(page), [' Object']);
    await items.fill('A1\nA2');
    await page.locator('#serials-parent').fill('195211412345678900');
    await page.locator('#serials-readPoint').fill('9521141000014');
    await page.locator('#serials-destination').fill('9521141000099');
    await page.locator('#serials-issuer').fill('9521141000091');
    await page.getByRole('button', { name: 'Make the events' }).click();
    await page.locator('.serials-answer li', { hasText: /^Destination: found 9521141000099, expected a GLN.*check digit/ }).waitFor();
    await page.locator('.serials-answer li', { hasText: /^GLN of who issued the order: found 9521141000091, expected 13 digits/ }).waitFor();
    await page.locator('#serials-destination').fill('9521141000090');
    await page.locator('#serials-issuer').fill('');
    await page.locator('#serials-order').fill('4711');
    await page.locator('#serials-received').check();
    await page.getByRole('button', { name: 'Make the events' }).click();
    await verdict(page, /^Valid$/);
    // The blank event is gone.
    assert.deepEqual(await events(page), [' Object, commissioning', ' Aggregation, packing', ' Object, shipping', ' Object, receiving']);
    assert.equal((await eventsIn(page))[2].bizTransactionList[0].bizTransaction, 'urn:epcglobal:cbv:bt:9521141000090:4711');
    await page.locator('.build-event').nth(2).click();
    await page.locator('.form-note', { hasText: 'becomes urn:epcglobal:cbv:bt:9521141000090:4711, with the GLN of the destination' }).waitFor();
    // Without the destination the row is asked for the GLN.
    await page.locator('[data-field=destinationList]').getByRole('button', { name: 'Remove from Destinations' }).click();
    await page.locator('.build-errors', { hasText: 'needs the GLN of the party that issued it' }).waitFor();
    await page.getByLabel('Business transactions: GLN of its issuer').fill('9521141000090');
    await page.locator('.form-note', { hasText: 'with the GLN of this row' }).waitFor();
    await verdict(page, /^Valid/);
    await page.getByLabel('Business transactions: identifier').fill('https://example.com/po/4711');
    await page.locator('.form-note').first().waitFor({ state: 'hidden' });
    await page.locator('.build-result pre', { hasText: 'https://example.com/po/4711' }).waitFor();
  }, '#build'));

test('a template fills the form, with what it has no field for, and can be undone', () =>
  withPage(async (page) => {
    await ready(page);
    await page.locator('#build-epcList').fill('(01)09521141123454(21)A1');
    await verdict(page, /^Valid/);
    for (const [name, number] of [
      ['Shipping', 2],
      ['DSCSA shipment', 6],
      ['FSMA 204', 8],
      ['GDST catch', 4],
    ]) {
      await page.getByRole('button', { name: 'From a template' }).click();
      await page.locator('.build-template', { hasText: name }).click();
      await page.locator('.build-removed', { hasText: `Template ${name}: ${number} events` }).waitFor();
      await verdict(page, /^Valid$/);
      assert.equal((await events(page)).length, number);
    }
    assert.deepEqual((await events(page)).slice(0, 2), [' Object, fishing event', ' Object, landing']);
    assert.match(await page.locator('#build-further').inputValue(), /"gdst:productOwner"/);
    // A name that the form has, too, and text that is no JSON.
    await page.locator('#build-further').fill('{"disposition": "active"}');
    await page.locator('.build-errors', { hasText: 'disposition is in the further members and in the form' }).waitFor();
    await page.locator('#build-further').fill('{');
    await page.locator('.build-errors', { hasText: 'the further members are not JSON' }).waitFor();
    await page.locator('#build-around').fill('{"epcisBody": {}}');
    await page.locator('.build-errors', { hasText: 'epcisBody is made of the form' }).waitFor();
    await page.getByRole('button', { name: 'From a template' }).click();
    await page.locator('.build-template', { hasText: 'Shipping' }).click();
    await verdict(page, /^Valid$/);
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal((await events(page)).length, 4);
    assert.equal(await page.locator('#build-around').inputValue(), '{"epcisBody": {}}');
  }, '#build'));

for (const colorScheme of ['light', 'dark'])
  test(`with the ways to begin open, axe finds nothing serious and 375 pixels are enough, ${colorScheme}`, () =>
    withPage(
      async (page) => {
        await ready(page);
        for (const name of ['From a template', 'From a list of serials']) {
          await page.getByRole('button', { name }).click();
          await page.locator('.build-start').waitFor();
          if (name === 'From a list of serials') {
            await page.getByRole('button', { name: 'Make the events' }).click();
            await page.locator('.serials-answer li').first().waitFor();
          }
          assert.deepEqual(await seriousFaults(page), []);
          assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 375);
        }
      },
      '#build',
      { viewport: { width: 375, height: 812 }, colorScheme },
    ));
