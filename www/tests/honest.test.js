// The page claims nothing that is not true.
// Invariant: Nothing in the page is green if an earlier stage failed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, around, CONTEXT, editorText, event, openTab, openTool, paste, playground, settled, vector } from './browser.js';

const { withDocument } = playground();

test('Proof: a witness that has not cosigned is not ticked', () =>
  withDocument(vector('log/event.json'), async (page) => {
    await openTab(page, 'Proof');
    const trusted = vector('log/trusted.policy');
    const log = `${trusted.split('\n')[0]}\nquorum none\n`;
    await page.locator('#proof-text').fill(vector('log/event.tlog-proof'));
    await page.locator('#policy-text').fill(log);
    await page.locator('#panel-proof .banner h2', { hasText: /^Logged$/ }).waitFor();
    const step = page.locator('.proof-answer [data-step=witnesses]');
    assert.equal(await step.getAttribute('class'), 'calm');
    assert.match(await step.textContent(), /^No witness has dated it.*asks for none/);
    assert.doesNotMatch(await step.textContent(), /: holds/);
    await page.locator('#file').setInputFiles({ name: 'part.disclosure.json', mimeType: '', buffer: Buffer.from(vector('log/keyed.disclosure.json')) });
    await page.locator('.part-answer .banner.good').waitFor();
    assert.equal(await page.locator('.part-answer [data-step=witnesses]').getAttribute('class'), 'calm');
    await page.locator('#policy-text').fill(trusted);
    await page.locator('.proof-answer [data-step=witnesses].good', { hasText: 'Witnesses have seen the head' }).waitFor();
  }));

for (const [what, time] of [
  ['without a zone', '2026-03-04T10:00:00'],
  ['of a day that does not exist', '2026-02-30T10:00:00Z'],
  ['with a leap second', '2026-06-30T23:59:60Z'],
])
  test(`a time ${what} is shown as it is written, and not drawn`, () =>
    withDocument(
      around(event({ eventTime: time }), event({ eventTime: '2026-05-01T10:00:00Z' })),
      async (page) => {
        assert.match(await page.locator('#panel-validate .facts').textContent(), /From1 May 2026, 11:00 \+01:00/);
        await openTab(page, 'Events');
        assert.equal(await page.locator('.card time').first().textContent(), time);
        assert.equal(await page.locator('.flow .box', { hasText: time }).count(), 1);
        assert.equal(await page.locator('.timeline .bar').count(), 1);
        assert.doesNotMatch(await page.locator('#panel-events').textContent(), /Mar 2026|Jul 2026/);
        await openTab(page, 'Table');
        await page.locator('[data-row="0"]', { hasText: time }).waitFor();
      },
      { timezoneId: 'Asia/Tokyo' },
    ));

const POLL = `<?xml version="1.0"?>
<epcisq:EPCISQueryDocument xmlns:epcisq="urn:epcglobal:epcis-query:xsd:2" schemaVersion="2.0" creationDate="2023-03-02T08:00:00Z">
  <EPCISBody><epcisq:Poll><queryName>SimpleEventQuery</queryName><params/></epcisq:Poll></EPCISBody>
</epcisq:EPCISQueryDocument>`;

test('a valid query request in XML is valid, and said to hold no events', () =>
  withDocument(POLL, async (page) => {
    await openTab(page, 'Validate');
    assert.match(await page.locator('#panel-validate .banner.good').textContent(), /^Valid.*XML schema.*A query request: it holds no events/);
    assert.equal(await page.locator('#panel-validate .banner.bad, #panel-validate .verdicts .bad').count(), 0);
    assert.equal(await page.locator('#answers').getAttribute('data-verdict'), 'valid');
    for (const tab of ['Events', 'Table', 'Hash', 'Translate']) {
      await openTab(page, tab);
      assert.match(await page.locator('[role=tabpanel]:visible .banner.calm').textContent(), /No events/, tab);
    }
    // An invalid one is reported as invalid.
    await paste(page, POLL.replace('<queryName>SimpleEventQuery</queryName>', ''));
    await openTab(page, 'Validate');
    await page.locator('#panel-validate .banner.bad', { hasText: '1 error' }).waitFor();
  }));

test('JSON of the interface, schemas and credentials are said to be that, and are no events', () =>
  withDocument(undefined, async (page) => {
    const job = { captureID: 'c-1', createdAt: '2026-01-01T00:00:00Z', running: false, success: true, captureErrorBehaviour: 'rollback', errors: [] };
    for (const [value, words] of [
      [job, 'A capture job'],
      [[job, job], 'Capture jobs'],
      [{ name: 'mine', query: { eventType: ['ObjectEvent'] } }, 'A query'],
      [{ eventType: ['ObjectEvent'], EQ_bizStep: ['shipping'], perPage: 10 }, 'A query'],
      [{ dest: 'https://example.com', secret: 'x', schedule: { hour: '1' } }, 'A subscription'],
      [{ '@context': CONTEXT, type: 'Collection', member: ['ObjectEvent'] }, 'A list of resources'],
      [{ type: 'epcisException:ValidationException', title: 'Not valid', status: 400 }, 'An error message from a server'],
    ]) {
      await paste(page, JSON.stringify(value));
      for (const tab of ['Validate', 'Events', 'Hash']) {
        await openTab(page, tab);
        assert.equal(await page.locator('[role=tabpanel]:visible .banner.calm h2').textContent(), words);
      }
      assert.equal(await page.locator('.badge.bad:visible').count(), 0);
      assert.equal(await page.locator('#answers').getAttribute('data-verdict'), 'other');
    }
    for (const [value, words] of [
      [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: { type: {} } }, /It is a JSON schema/],
      [
        { '@context': ['https://www.w3.org/ns/credentials/v2'], type: ['DigitalTraceabilityEvent', 'VerifiableCredential'] },
        /A UNTP credential: Digital traceability event/,
      ],
    ]) {
      await paste(page, JSON.stringify(value));
      await openTab(page, 'Validate');
      assert.match(await page.locator('#panel-validate').textContent(), words);
      assert.equal(await page.locator('#tab-events .badge:visible').count(), 0);
      await openTab(page, 'Hash');
      assert.doesNotMatch(await page.locator('#panel-hash').textContent(), /1 event/);
    }
    await paste(page, '{"type":"EPCISQueryDocument"}');
    assert.equal(await page.locator('#tab-events .badge').textContent(), '0 0 events');
    await paste(page, '{"type":"Something"}');
    await openTab(page, 'Hash');
    assert.equal(await page.locator('#panel-hash .banner.calm h2').textContent(), 'No events');
  }));

test('what is no event in a list gets no advice for an event', () =>
  withDocument(`[${JSON.stringify({ '@context': CONTEXT, ...event({}) })}, 42]`, async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#panel-validate .error').count(), 1);
    assert.match(await page.locator('#panel-validate .error').textContent(), /Found the number 42, expected an object/);
    assert.doesNotMatch(await page.locator('#panel-validate').textContent(), /TransformationEvent/);
    assert.match(await page.locator('#panel-validate .legend').textContent(), /not an event 1/);
  }));

test('what is no event in a list is counted as none, and nothing is told of a document that nobody wrote', () =>
  withDocument(around(event({}), 42), async (page) => {
    const panel = (name) => page.locator(`#panel-${name}`);
    const both = /1 event and 1 other entry/;
    assert.equal(await page.locator('#tab-events .badge').textContent(), '1 1 event');
    assert.match(await panel('validate').locator('.facts').textContent(), both);
    assert.match(await page.locator('.other', { hasText: 'Events' }).textContent(), both);
    await openTab(page, 'Events');
    assert.match(await page.locator('#cards-title').textContent(), both);
    assert.equal(await panel('events').locator('.card').count(), 2);
    await openTab(page, 'Table');
    await page.locator('.table-count', { hasText: /^1 event$/ }).waitFor();
    assert.equal(await page.locator('[data-row="1"]').count(), 0);
    // Only a number: no picture is drawn.
    await paste(page, around(42));
    assert.equal(await page.locator('#tab-events .badge').textContent(), '0 0 events');
    await openTab(page, 'Validate');
    assert.match(await panel('validate').locator('.error').textContent(), /Found the number 42, expected an object/);
    assert.equal(await panel('validate').locator('.error').count(), 1);
    assert.match(await panel('validate').locator('.facts').textContent(), /Events0 events and 1 other entry/);
    assert.doesNotMatch(await panel('validate').textContent(), /see how items flow|TransformationEvent/);
    await openTab(page, 'Events');
    assert.match(await panel('events').textContent(), /^0 events and 1 other entry1Not an event/);
    await openTab(page, 'Table');
    await panel('table').locator('.banner', { hasText: 'No events' }).waitFor();
    await paste(page, around(event({}), null, [], {}));
    await openTab(page, 'Events');
    assert.match(await panel('events').locator('.flow').textContent(), /Event without a type/);
    assert.equal(await panel('events').locator('.flow .box').count(), 2);
    assert.match(await page.locator('#cards-title').textContent(), /2 events and 2 other entries/);
    // Locations in a list count from the start of the list.
    const own = JSON.stringify(event({}));
    for (const [text, words, place] of [
      [`[${own},42]`, /at line 1 column \d+, in event 2$/, `Line 1, column ${own.length + 3}`],
      [`[\n${own},\n  42]`, /at line 3 column 3, in event 2$/, 'Line 3, column 3'],
      [`${own}\n${JSON.stringify(event({ 'ex:a': 1 }))}\n`, /prefix ex of ex:a.* in \/ex:a of event 2$/, `Line 2, column ${own.length + 8}`],
    ]) {
      await paste(page, text);
      await openTab(page, 'Hash');
      assert.match(await panel('hash').locator('.refusal-detail').textContent(), words);
      assert.equal((await panel('hash').locator('.refusal .button').textContent()).trim(), place);
    }
  }));

const WRONG_DIGIT = around(event({ epcList: ['https://id.gs1.org/01/09521141123455/21/A1'] }));

test('Checks: run with the verdict and shown beside it, never green where that is not', () =>
  withDocument(WRONG_DIGIT, async (page) => {
    assert.equal(await page.locator('#tab-checks .badge').textContent(), '1 1 finding');
    await openTab(page, 'Validate');
    assert.match(await page.locator('.other', { hasText: 'Checks' }).textContent(), /1 error/);
    await paste(page, around(event({})));
    assert.match(await page.locator('#tab-checks .badge').textContent(), /✓/);
    await openTab(page, 'Checks');
    await page.locator('#panel-checks .banner.good').waitFor();
    await openTab(page, 'Validate');
    assert.match(await page.locator('.other', { hasText: 'Checks' }).textContent(), /no problems found/);
    for (const [text, words] of [
      [around(event({ action: 'NONE' })), /not valid/],
      [around(), /No events/],
    ]) {
      await paste(page, text);
      assert.equal(await page.locator('#tab-checks .badge:visible').count(), 0);
      await openTab(page, 'Checks');
      assert.match(await page.locator('#panel-checks .banner.calm').textContent(), words);
    }
    await paste(page, '{"captureID":"c-1"}');
    await openTab(page, 'Checks');
    await page.locator('#panel-checks .banner.calm', { hasText: 'A capture job' }).waitFor();
    // A large document is checked only when its tab is opened.
    await openTab(page, 'Validate');
    await paste(page, around(...Array.from({ length: 20_000 }, (_, number) => event({ eventID: `urn:uuid:${number}` }))));
    assert.equal(await page.locator('#tab-checks .badge:visible').count(), 0);
    await openTab(page, 'Checks');
    await page.locator('#panel-checks .banner.good', { hasText: '20,000 events checked' }).waitFor();
  }));

const SECOND = 'urn:epc:id:sscc:9521141.1234567891';
const at = (hour, own) => event({ eventTime: `2026-03-04T${hour}:00:00Z`, ...own });

test('the picture: nothing flows to or from an event that was declared in error', () =>
  withDocument(
    around(
      at('08', { bizStep: 'commissioning', action: 'ADD' }),
      at('09', { bizStep: 'packing', eventID: 'urn:uuid:1' }),
      at('10', { bizStep: 'shipping' }),
      at('09', { bizStep: 'packing', eventID: 'urn:uuid:1', errorDeclaration: { declarationTime: '2026-03-05T08:00:00Z' } }),
    ),
    async (page) => {
      await openTab(page, 'Events');
      assert.equal(await page.locator('.flow .strand').count(), 1);
      assert.match(await page.locator('.flow').getAttribute('aria-label'), /Commissioning to Shipping, 1 item/);
      assert.doesNotMatch(await page.locator('.flow').getAttribute('aria-label'), /Packing to Shipping|Commissioning to Packing/);
      assert.equal(await page.locator('.flow .box', { hasText: 'declared in error' }).count(), 2);
    },
  ));

test('flows of items are counted, not lines; an item that goes twice is one item', async () => {
  const both = ['urn:epc:id:sscc:9521141.1234567890', SECOND];
  await withDocument(around(at('08', { bizStep: 'packing', epcList: both }), at('09', { bizStep: 'shipping', epcList: both })), async (page) => {
    await openTab(page, 'Validate');
    assert.match(await page.locator('.other', { hasText: 'Events' }).textContent(), /2 events, 2 flows of items/);
    await openTab(page, 'Events');
    assert.match(await page.locator('.flow').getAttribute('aria-label'), /2 boxes, 1 line\./);
  });
  const { flowOf, rowsOf } = await import('../src/flow/flow.ts');
  const { inputOf } = await import('./history.js');
  const step = (index) => at('08', { bizStep: index % 2 ? 'shipping' : 'receiving', eventTime: `2026-03-04T08:${String(index).padStart(2, '0')}:00Z` });
  const input = inputOf([...Array(50).keys()].map(step));
  const flow = flowOf(rowsOf(input), { ...input, nameFor: () => undefined });
  assert.equal(flow.flows, 49);
  assert.deepEqual(
    flow.edges.map(({ total }) => total),
    [1, 1],
  );
});

test('Gateway: all errors of a refusal and of a capture job are shown', () =>
  withDocument(around(event({})), async (page, { errors }) => {
    const refused = {
      type: 'epcisException:ValidationException',
      title: 'Not valid',
      status: 400,
      detail: '2 errors',
      errors: [
        { path: '/epcisBody/eventList/0/action', keyword: 'enum', message: 'found `NO`, expected `ADD`' },
        { title: 'Too late', detail: 'the event is of tomorrow', errors: [{ message: 'inside of it' }] },
        'as a text',
      ],
    };
    let job;
    await page.route('**/capture**', (route) =>
      job === undefined
        ? route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(refused) })
        : route.request().method() === 'POST'
          ? route.fulfill({ status: 202, headers: { location: '/capture/c-1' }, body: '' })
          : route.fulfill({ contentType: 'application/json', body: JSON.stringify(job) }),
    );
    await openTool(page, 'gateway');
    await page.getByRole('button', { name: 'Capture the open document' }).click();
    await page.locator('.gateway-answer .banner.bad', { hasText: '400: Not valid: 2 errors' }).waitFor();
    const shown = () => page.locator('.gateway-answer li').allTextContents();
    const all = ['Found NO, expected ADD, in /epcisBody/eventList/0/action', 'Too late: the event is of tomorrow', 'Inside of it', 'As a text'];
    assert.deepEqual(await shown(), all);
    job = { captureID: 'c-1', running: false, success: false, errors: [refused] };
    await page.getByRole('button', { name: 'Capture the open document' }).click();
    await page.locator('.gateway-answer .banner.bad', { hasText: 'Not captured' }).waitFor();
    assert.deepEqual(await shown(), ['Not valid: 2 errors', ...all]);
    errors.length = 0;
  }));

test('a suggestion is a button only where nothing else can be meant', async () => {
  const { isSure } = await import('../../wasm/document/fixes.ts');
  for (const [from, to] of [
    ['shiping', 'shipping'],
    ['recieving', 'receiving'],
    ['comisioning', 'commissioning'],
    ['In-Transit', 'in_transit'],
    ['commissioned', 'commissioning'],
    ['OBSERVED', 'OBSERVE'],
    ['evenTime', 'eventTime'],
    ['ObjectEvnt', 'ObjectEvent'],
    ['hsipping', 'shipping'],
    ['damage', 'damaged'],
    ['AD', 'ADD'],
  ])
    assert.equal(isSure(from, to), true, from);
  for (const [from, to] of [
    ['transforming', 'transporting'],
    // Both packing and picking are equally near.
    ['pcking', 'packing'],
    ['shopping', 'shipping'],
    ['dispersed', 'dispensed'],
    ['KGN', 'KGM'],
    ['childEPCList', 'childEPCs'],
    // Real words, one slip away from a CBV word.
    ['shopped', 'shipping'],
    ['filling', 'killing'],
    ['folding', 'holding'],
    ['uploaded', 'unloading'],
    ['connecting', 'collecting'],
    ['stopping', 'storing'],
    ['preserved', 'reserved'],
    ['prepackaging', 'repackaging'],
    ['recommissioning', 'decommissioning'],
    ['onloading', 'unloading'],
    ['allocation', 'location'],
    ['destroyer', 'destroyed'],
    ['consignee', 'consigning'],
    ['DEPLETED', 'DELETE'],
    // `poc` is equally near.
    ['pos', 'po'],
  ])
    assert.equal(isSure(from, to), false, from);
  // No CBV word is taken for another one of its own list.
  const cbv = await import('epcis-edge/cbv');
  for (const list of [cbv.BizStep, cbv.Disposition, cbv.BizTransactionType, cbv.SourceDestType, cbv.ErrorReason])
    for (const from of Object.keys(list)) for (const to of Object.keys(list)) assert.equal(isSure(from, to), from === to, `${from} ${to}`);
  await withDocument(around(event({ bizStep: 'transforming' }), event({ bizStep: 'shiping' })), async (page) => {
    await openTab(page, 'Validate');
    await page.getByRole('button', { name: 'Change to shipping' }).waitFor();
    assert.match(await page.locator('#panel-validate .error').first().textContent(), /did you mean transporting/);
    assert.equal(await page.getByRole('button', { name: 'Change to transporting' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: /Make all/ }).count(), 0);
    await paste(page, around(event({ bizStep: 'active' }), event({ action: 'OBSERVED' }), event({ disposition: 'preserved' })));
    await page.getByRole('button', { name: 'Change to OBSERVE' }).waitFor();
    assert.equal(await page.locator('#panel-validate .fixes').count(), 1);
    // For a URN, only its last word counts.
    const urn = 'urn:epcglobal:cbv:bizstep:';
    await paste(page, around(event({ bizStep: `${urn}transforming` }), event({ bizStep: `${urn}shiping` })));
    await answered(page, () => page.getByRole('button', { name: 'Change to shipping' }).click());
    assert.match(await editorText(page), /"bizStep": "shipping"/);
    assert.equal(await page.locator('#panel-validate .fixes').count(), 0);
  });
});

test('a name that is repeated in an object is told, with its place', () =>
  withDocument(around(event({}), event({})).replace('"action": "OBSERVE"', '"action": "DELETE", "acti\\u006fn": "OBSERVE"'), async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#panel-validate .banner.warn h2').textContent(), 'Valid, with repeated names');
    const told = page.locator('#panel-validate .error');
    assert.equal(await told.count(), 1);
    assert.match(await told.textContent(), /^action is repeated.*event 1.*line 10/i);
    const marks = () =>
      page.evaluate(() => [...document.getElementById('editor').shadowRoot.querySelectorAll('.cm-lintRange-warning')].map((mark) => mark.textContent));
    assert.deepEqual(await marks(), ['"acti\\u006fn"']);
    await paste(page, `${JSON.stringify(event({}))}\n{"type":"ObjectEvent","a":{"b":1,"c":[{"b":2}],"b":3}}\n`);
    assert.deepEqual(await marks(), ['"b"']);
    assert.match(await told.last().textContent(), /b is repeated.*event 2.*line 2/);
    await paste(page, around(event({ bizStep: 'shipping' })));
    assert.equal(await told.count(), 0);
  }));

test('Convert: every AI of a pack is kept, in any way that scanners write it, and what a target cannot hold is said', () =>
  withDocument(undefined, async (page) => {
    await openTool(page, 'convert');
    const input = page.locator('#convert-input');
    const answer = page.locator('.convert-answer');
    const line = (title) => answer.locator('.convert-line', { has: page.locator('dt', { hasText: title }) }).locator('code');
    const full = '(01)09521141123454(10)L7(21)A1(17)261231';
    for (const spelling of [
      full,
      '(01)09521141123454(17)261231(21)A1(10)L7',
      ']d2010952114112345417261231' + '10L7\u001d21A1',
      ']C101095211411234541726123110L7\u241d21A1',
      '\u001d010952114112345410L7\u001d21A1\u001d17261231',
      'https://example.com/x/01/09521141123454/10/L7/21/A1?17=261231&linkType=all',
    ]) {
      await input.fill('');
      await input.fill(spelling);
      await line(/^Element string$/)
        .filter({ hasText: full })
        .waitFor();
      assert.equal(await line(/^GS1 Digital Link$/).textContent(), 'https://id.gs1.org/01/09521141123454/10/L7/21/A1?17=261231');
      assert.equal(await line(/^In an EPCIS event$/).textContent(), 'https://id.gs1.org/01/09521141123454/21/A1');
      assert.equal(await line(/^EPC URN$/).textContent(), 'urn:epc:id:sgtin:9521141.012345.A1');
      assert.match(await answer.locator('.convert-lost').textContent(), /\(10\) batch or lot, \(17\) expiry date/);
    }
    await input.fill('(01)09521141123454(21)A1');
    await line(/^Element string$/)
      .filter({ hasText: /^\(01\)09521141123454\(21\)A1$/ })
      .waitFor();
    assert.equal(await answer.locator('.convert-lost').count(), 0);
    for (const [text, words] of [
      ['(01)09521141123454(17)2612', /\(17\) has 6 digits/],
      ['(10)L7(17)261231', /no GS1 key/],
      [']d201095211411234', /\(01\) has 14 digits/],
      ['(01)09521141123454(10)L7(10)L8', /\(10\) appears twice/],
      ['(01)09521141123454(88)x', /\(88\) is not an application identifier/],
      [']E09521141012345', /holds no element string/],
    ]) {
      await input.fill(text);
      await answer.locator('.banner.bad', { hasText: words }).waitFor();
    }
  }));

test('Build: a wrong check digit is not praised', () =>
  withDocument(undefined, async (page) => {
    await openTool(page, 'build');
    await page.locator('#build-epcList').fill('https://id.gs1.org/01/09521141123455/21/A1');
    await page.locator('.build-result .banner.bad', { hasText: '1 error' }).waitFor();
    assert.match(await page.locator('.build-errors').textContent(), /check digit/);
    await page.locator('#build-epcList').fill('https://id.gs1.org/01/09521141123454/21/A1');
    await page.locator('.build-result .banner.good', { hasText: 'Valid' }).waitFor();
  }));

test('the CSV of the table: harmless, marked as UTF-8, inputs apart from outputs', async () => {
  const { csvOf } = await import('../src/table/table.ts');
  const made = {
    type: 'TransformationEvent',
    eventID: ' =1+1',
    bizStep: '\uff1dSUM(A1)',
    disposition: '\n@x',
    inputEPCList: ['urn:epc:id:sscc:9521141.1234567890'],
    outputEPCList: ['urn:epc:id:sscc:9521141.1234567891'],
    inputQuantityList: [{ epcClass: 'urn:epc:class:lgtin:9521141.012345.L1', quantity: 4 }],
    outputQuantityList: [{ epcClass: 'urn:epc:class:lgtin:9521141.012345.L2', quantity: 3 }],
  };
  const texts = [...'=+-@\t\r'].map((sign) => ({
    type: 'ObjectEvent',
    eventID: `${sign}A1`,
    epcList: ['a'],
    childEPCs: ['c'],
    quantityList: [{ epcClass: 'q' }],
  }));
  const events = [made, ...texts];
  const csv = csvOf(
    events,
    events.map((_, index) => ({ index })),
  );
  assert.ok(csv.startsWith('\ufeffevent,type,'));
  const rows = csv
    .slice(1)
    .match(/(?:"(?:[^"]|"")*"|[^"\n])*\r\n/g)
    .map((line) => [...line.slice(0, -2).matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell]) => cell.replace(/^"|"$/g, '').replaceAll('""', '"')));
  const [head, first, ...others] = rows.map((cells) => cells);
  const cell = (row, name) => row[head.indexOf(name)];
  assert.equal(cell(first, 'inputs'), made.inputEPCList[0]);
  assert.equal(cell(first, 'outputs'), made.outputEPCList[0]);
  assert.equal(cell(first, 'inputQuantities'), `${made.inputQuantityList[0].epcClass} 4`);
  assert.equal(cell(first, 'outputQuantities'), `${made.outputQuantityList[0].epcClass} 3`);
  assert.equal(cell(first, 'epcs'), '');
  for (const name of ['eventID', 'bizStep', 'disposition']) assert.match(cell(first, name), /^'/, name);
  assert.ok(others.length === 6 && others.every((row) => cell(row, 'eventID').startsWith("'") && cell(row, 'epcs') === 'a' && cell(row, 'children') === 'c'));
});

test('the table finds every spelling in every column', async () => {
  const { chosenRows, rowsOf } = await import('../src/table/table.ts');
  const { identifiers } = await import('epcis-edge');
  const canonicalOf = (id) => identifiers.toDigitalLink(id);
  const gdti = 'urn:epc:id:gdti:9521141.12345.A1';
  const device = 'urn:epc:id:giai:9521141.D1';
  const rows = rowsOf(
    [
      event({ bizTransactionList: [{ bizTransaction: gdti }] }),
      event({ sensorElementList: [{ sensorMetadata: { deviceID: device }, sensorReport: [] }] }),
      event({ bizStep: 'stock_taking', disposition: 'in_transit', action: 'DELETE' }),
      event({ bizStep: 'https://ref.gs1.org/cbv/BizStep-shipping', eventTime: '2026-05-06T10:00:00Z' }),
    ],
    canonicalOf,
  );
  const found = (search) => chosenRows(rows, { search }, identifiers).map(({ index }) => index);
  const element = (id) => {
    const [ai, value] = canonicalOf(id).slice(19).split('/');
    return `(${ai})${value}`;
  };
  for (const spelling of [gdti, canonicalOf(gdti), element(gdti)]) assert.deepEqual(found(spelling), [0], spelling);
  for (const spelling of [device, canonicalOf(device), element(device)]) assert.deepEqual(found(spelling), [1], spelling);
  for (const spelling of ['Stock taking', 'stock_taking', 'urn:epcglobal:cbv:bizstep:stock_taking', 'cbv:BizStep-stock_taking'])
    assert.deepEqual(found(spelling), [2], spelling);
  for (const spelling of ['shipping', 'urn:epcglobal:cbv:bizstep:shipping', '6 May 2026', '2026-05-06']) assert.deepEqual(found(spelling), [3], spelling);
});

test('sensor readings say when, of what part and of what substance; an alarm has a word and a sign', () =>
  withDocument(
    around(
      event({
        sensorElementList: [
          {
            sensorMetadata: { time: '2026-03-04T09:00:00Z' },
            sensorReport: [
              { type: 'Speed', value: 3, uom: 'KMH', component: 'axial_distance', time: '2026-03-04T09:05:00Z' },
              { type: 'AbsoluteHumidity', value: 4, uom: 'A93', chemicalSubstance: 'https://identifiers.org/inchikey:CZMRCDWAGMRECN-UGDNZRGBSA-N' },
              { type: 'Temperature', value: 30, uom: 'CEL', exception: 'ALARM_CONDITION' },
              { value: 1, exception: 'ERROR_CONDITION', microorganism: 'https://www.ncbi.nlm.nih.gov/taxonomy/1126011' },
            ],
          },
        ],
      }),
    ),
    async (page) => {
      await openTab(page, 'Events');
      const how = await page.locator('.facet-how').textContent();
      for (const words of [
        'Time4 Mar 2026, 10:00 +01:00',
        'Speed, axial distance, 4 Mar 2026, 10:05 +01:00',
        'CZMRCDWAGMRECN-UGDNZRGBSA-N',
        'taxonomy/1126011',
      ])
        assert.ok(how.includes(words), `${words} in ${how}`);
      assert.deepEqual(await page.locator('.is-alarm b').allTextContents(), ['Alarm', 'Error']);
      assert.equal(await page.locator('.is-alarm b .icon').count(), 2);
    },
  ));

test('Back leaves a tool, Forward opens it again', () =>
  withDocument(undefined, async (page) => {
    await page.locator('#file').setInputFiles({ name: 'one.json', mimeType: '', buffer: Buffer.from(around(event({}))) });
    await page.locator('.document-name', { hasText: 'one.json' }).waitFor();
    await openTool(page, 'convert');
    await page.locator('#convert-input').waitFor();
    await page.goBack();
    await page.locator('#document-answers').waitFor();
    assert.equal(await page.locator('#tool').isVisible(), false);
    assert.equal(await page.locator('.documents [aria-current=true]').textContent(), 'one.json');
    await page.goForward();
    await page.locator('#convert-input').waitFor();
  }));

test('a change is kept although the database has not written it when the page is reloaded', () =>
  withDocument(around(event({ bizStep: 'shipping' })), async (page) => {
    // A transaction that never ends, so that all writes behind it wait.
    await page.evaluate(async () => {
      const database = await new Promise((resolve) => {
        const opened = indexedDB.open('epcis-edge');
        opened.onsuccess = () => resolve(opened.result);
      });
      const store = database.transaction('documents', 'readwrite').objectStore('documents');
      const goOn = () => {
        store.get('session').onsuccess = goOn;
      };
      goOn();
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...args) {
        document.documentElement.dataset.writes = 'wait';
        return put.apply(this, args);
      };
    });
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('html[data-writes]').waitFor();
    await page.reload();
    await settled(page);
    assert.equal((await editorText(page)).trim(), '');
    assert.equal(await page.locator('#notice', { hasText: 'The document is cleared.' }).isVisible(), true);
  }));

test('what was saved while the page was hidden does not replace what was typed afterwards', () =>
  withDocument(around(event({ bizStep: 'shipping' })), async (page) => {
    await page.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, ...rest) {
        if (value.text !== undefined) this.transaction.addEventListener('complete', () => (document.documentElement.dataset.written = value.text));
        return put.call(this, value, ...rest);
      };
    });
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      delete document.visibilityState;
    });
    await page.locator('.cm-content').first().focus();
    await page.keyboard.type('7');
    await page.locator('html[data-written="7"]').waitFor();
    await page.reload();
    await settled(page);
    assert.equal((await editorText(page)).trim(), '7');
  }));

test('what was cleared can be brought back after a reload', () =>
  withDocument(around(event({ bizStep: 'shipping' })), async (page) => {
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.reload();
    await settled(page);
    assert.equal((await editorText(page)).trim(), '');
    await page.locator('#notice', { hasText: 'The document is cleared.' }).getByRole('button', { name: 'Undo' }).click();
    assert.match(await editorText(page), /shipping/);
    assert.equal(await page.locator('#notice').isVisible(), false);
    // Text typed meanwhile is not replaced.
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('.cm-content').first().focus();
    await page.keyboard.type('[');
    await page.reload();
    await settled(page);
    assert.equal(await page.locator('#notice').isVisible(), false);
  }));
