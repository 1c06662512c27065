// The answers of the page in real Chromium: each tab with good and bad input.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { OpenDocument } from '../src/engine/document.ts';
import { answered, openTab, paste, playground, vector, visit } from './browser.js';
import { engine } from './history.js';

const site = playground();
const { withDocument } = site;

const texts = (page, selector) => page.locator(selector).allTextContents();
/** Waits for the engine's thread. */
async function waitFor(condition) {
  for (let round = 0; round < 6000; round += 1) {
    if (await condition()) return;
    await setTimeout(50);
  }
  assert.fail(`in vain: ${condition}`);
}
/** The texts underlined in the editor, by severity. */
const underlined = (page, severity) =>
  page.evaluate((kind) => {
    const root = document.getElementById('editor').shadowRoot;
    return [...root.querySelectorAll(`.cm-lintRange-${kind}`)].map((mark) => mark.textContent);
  }, severity);
const selected = (page) => page.evaluate(() => document.getElementById('editor').shadowRoot.getSelection?.().toString() ?? getSelection().toString());

test('what is asked for before its stage is answered, and its stage is, too', () => {
  const own = new OpenDocument(engine, Buffer.from(vector('validate/valid-all-event-types/input.json')));
  const [hashes, translation] = [own.hashPage(0), own.download('translation')];
  assert.deepEqual([hashes, hashes.length], [own.hashes().page, own.hashes().total]);
  assert.deepEqual([translation.length, own.translation().problem], [own.translation().size, undefined]);
});

test('Validate: a valid document, its verdict and what it holds', () =>
  withDocument(vector('validate/valid-all-event-types/input.json'), async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#panel-validate .banner h2').textContent(), 'Valid');
    assert.match(await page.locator('#panel-validate .facts').textContent(), /Events5/);
    assert.match(await page.locator('#panel-validate').textContent(), /0f46ff694efffd8d8ce840a33dfde84228add11b516b8b258f3200740ae210af/);
    assert.deepEqual(await underlined(page, 'error'), []);
  }));

test('Validate: each error is underlined at its place, and the list jumps there', () =>
  withDocument(vector('validate/uri-faults/input.json'), async (page) => {
    await openTab(page, 'Validate');
    const errors = JSON.parse(vector('validate/uri-faults/expected.json'));
    assert.equal(await page.locator('#panel-validate .banner h2').textContent(), 'Not valid');
    assert.equal(await page.locator('#panel-validate .error').count(), errors.length);
    const { epcList } = JSON.parse(vector('validate/uri-faults/input.json')).epcisBody.eventList[0];
    const marks = (await underlined(page, 'error')).join('');
    for (const epc of epcList) assert.ok(marks.includes(JSON.stringify(epc)), `${epc} is not underlined in ${marks}`);
    // The causes come first. That the event lacks the faulty members follows from them.
    assert.match(await page.locator('#panel-validate .error').last().textContent(), /follows from the errors above/);
    const second = page.locator('#panel-validate .error').nth(1);
    assert.match(await second.textContent(), /line 19/);
    await second.click();
    assert.equal(await selected(page), JSON.stringify(epcList[1]));
  }));

test('Validate: a key that is not allowed is underlined itself', () =>
  withDocument(vector('validate/field-misspelt/input.json'), async (page) => {
    const errors = JSON.parse(vector('validate/field-misspelt/expected.json'));
    const [, key] = /has no field `([^`]+)`/.exec(errors.find(({ keyword }) => keyword === 'propertyNames').message);
    assert.ok((await underlined(page, 'error')).includes(`"${key}"`));
  }));

test('Validate: text that is no JSON names line and column', () =>
  withDocument('{\n  "type": "EPCISDocument",\n  "schemaVersion" "2.0"\n}', async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#panel-validate .banner h2').textContent(), 'Malformed JSON');
    await page.getByRole('button', { name: 'Line 3, column 19' }).click();
    for (const tab of ['Events', 'Hash', 'Translate']) {
      await openTab(page, tab);
      assert.match(await page.locator('[role=tabpanel]:visible .banner h2').first().textContent(), /Malformed JSON/);
    }
  }));

test('Validate: XML that says what the schema does not accept is marked in the XML', () =>
  withDocument(vector('translate/v12-error-declaration/input.xml').replace(/<action>[A-Z]+/, '<action>NOPE'), async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#panel-validate .error').count(), 1);
    assert.match(await page.locator('#panel-validate .error').textContent(), /NOPE.*line \d+/);
    assert.deepEqual(await underlined(page, 'error'), ['NOPE']);
    // One error does not empty the other tabs, but the translation is said to be not valid.
    assert.match(await page.locator('#tab-events').textContent(), /1 event/);
    assert.match(await page.locator('.facts').textContent(), /Version1\.2/);
    assert.equal(await page.locator('#tabs .badge.good').count(), 0);
    for (const tab of ['Events', 'Hash', 'Translate']) {
      await openTab(page, tab);
      assert.equal(await page.locator('[role=tabpanel]:visible .banner.good').count(), 0, tab);
      assert.deepEqual(await page.locator('[role=tabpanel]:visible .banner.bad h2').allTextContents(), tab === 'Translate' ? ['Not valid'] : [], tab);
    }
  }));

test('Validate: XML whose elements stand in the wrong order is not valid, though its translation is', () =>
  withDocument(vector('translate/v12-error-declaration/input.xml').replace(/(<epcList>.*<\/epcList>)(\s*)(<action>.*<\/action>)/, '$3$2$1'), async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#panel-validate .banner p').textContent(), '1 error by the EPCIS 1.2 XML schema');
    assert.deepEqual(await page.locator('.verdicts li').evaluateAll((rows) => rows.map((row) => row.className)), ['bad', 'calm']);
    assert.match(await page.locator('#panel-validate .error').textContent(), /Found action, expected epcList before it.*line 13/);
  }));

test('Validate: XML that is not well-formed names its place', () =>
  withDocument('<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2">\n<a></b>', async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await page.locator('#panel-validate .banner h2').textContent(), 'Malformed XML');
    assert.match(await page.locator('#panel-validate .refusal').textContent(), /Line 2/);
  }));

test('Events: a card each, what it says, and its place in the text', () =>
  withDocument(vector('validate/valid-all-event-types/input.json'), async (page) => {
    await openTab(page, 'Events');
    assert.deepEqual(await texts(page, '.card h3'), ['Place 9521141000013 ships', 'Packing', 'Transaction event', 'Transformation event', 'Association event']);
    const first = page.locator('.card').first();
    const words = await first.textContent();
    for (const part of ['GTIN 09521141001231 · serial A1', 'GLN 9521141000013', 'In transit', '4.5 °C', 'Temperature', 'chilled', '4 Mar 2026, 11:00:30'])
      assert.ok(words.includes(part), `${part} in ${words}`);
    await first.getByRole('button', { name: 'Show in editor' }).click();
    await waitFor(async () => /^\{\s*"type": "ObjectEvent"/.test(await selected(page)));
    await first.getByRole('button', { name: 'JSON' }).click();
    await first.locator('pre').waitFor();
    assert.match(await first.locator('pre').textContent(), /"example:temperature-class": "chilled"/);
  }));

test('Events: numbers keep the digits they were written with', () =>
  withDocument(
    vector('validate/valid-all-event-types/input.json')
      .replace('"value": 4.5', '"value": 4.50')
      .replace('"quantity": 12.5', '"quantity": 111100001111000011110000'),
    async (page) => {
      await openTab(page, 'Events');
      assert.match(await page.locator('.card').first().textContent(), /4\.50 °C/);
      assert.match(await page.locator('.card').nth(3).textContent(), /111100001111000011110000 KGM/);
    },
  ));

test('Events: the picture has a box an event, strands for what flows, and follows one item', async () => {
  const { page, close } = await visit(site.browser, `${site.server.origin}#orchard-to-shop`);
  try {
    await page.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);
    assert.equal(await page.locator('.flow .box').count(), 13);
    assert.equal(await page.locator('.flow .edge').count(), 12);
    // Apples, then three bottles. These travel inside the pallet, together with a logger from the moment it is added. Unpacked,
    // they go to the shelf, and one of them to a customer.
    assert.deepEqual(await texts(page, '.edge-label text'), [
      'a batch of Bramley apples',
      'a batch of Bramley apples',
      '3 × Bramley apple juice',
      '3 × Bramley apple juice',
      'a pallet, 3 inside',
      ...Array(5).fill('a pallet, 4 inside'),
      '3 × Bramley apple juice',
      '1 × Bramley apple juice',
    ]);
    const strands = await page.locator('.flow .edge').evaluateAll((edges) => edges.map((edge) => edge.querySelectorAll('.strand').length));
    assert.deepEqual(strands, [1, 1, 3, 3, 3, 4, 4, 4, 4, 4, 3, 1]);
    await page.locator('#follow').selectOption({ label: 'Bramley apple juice · GTIN 09521141200056 · serial J1003' });
    // Back to the apples that it was made from, including its time inside the pallet.
    await page.locator('.follow-answer', { hasText: 'made from' }).waitFor();
    assert.equal(await page.locator('.flow .box:not(.is-off)').count(), 12);
    assert.equal(await page.locator('.flow .edge:not(.is-off)').count(), 11);
    await page.locator('.flow .box').nth(4).focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.event), '4');
  } finally {
    await close();
  }
});

test('Events: an event declared wrong says so', () =>
  withDocument(vector('translate/v12-error-declaration/input.xml'), async (page) => {
    await openTab(page, 'Events');
    assert.match(await page.locator('.declared').textContent(), /Declared in error on 5 Oct 2026, 09:00 \+00:00/);
  }));

test('Events: what has no events, or odd ones, is shown as that', async () => {
  await withDocument('{"type":"EPCISDocument"}', async (page) => {
    await openTab(page, 'Events');
    assert.match(await page.locator('#panel-events').textContent(), /No events/);
  });
  await withDocument(
    '{"type":"EPCISDocument","epcisBody":{"eventList":[7,null,{"type":["x"],"epcList":{"a":1},"readPoint":3,"sensorElementList":[null],"eventTime":5,"bizStep":{}}]}}',
    async (page) => {
      await openTab(page, 'Events');
      assert.equal(await page.locator('.card').count(), 3);
    },
  );
});

test('Hash: URI, pieces and profiles are those of the vectors', () =>
  withDocument(vector('validate/valid-all-event-types/input.json'), async (page) => {
    await openTab(page, 'Hash');
    const { hash, preHash } = await import('epcis-edge');
    const document = vector('validate/valid-all-event-types/input.json');
    for (const index of [0, 3]) {
      await page.locator('.stepper input').fill(String(index + 1));
      await page.locator('.stepper input').press('Enter');
      for (const profile of ['CBV2.0', 'CBV2.1', 'REF2025']) {
        const uri = hash(document, { profile })[index];
        await page.locator('.profile-hash code', { hasText: uri }).first().waitFor();
        await page.getByRole('radio', { name: profile }).check();
        const pieces = await texts(page, '.piece-text');
        assert.equal(pieces.join(''), preHash(document, { profile })[index].preHash);
        assert.ok(pieces.length > 3);
        assert.ok(!(await texts(page, '.piece-label')).includes('other'), 'a piece is not accounted for');
      }
    }
  }));

test('Hash: every piece of every hash vector is accounted for', async () => {
  const engine = await import('epcis-edge');
  const { OpenDocument } = await import('../src/engine/document.ts');
  let seen = 0;
  for (const name of [
    'business-lists',
    'certification',
    'extensions-in-fields',
    'identifiers',
    'ignored-fields',
    'lists',
    'namespaces',
    'numbers',
    'sensor-elements',
    'shape-array',
    'shape-bare',
    'shape-query',
    'shape-single',
    'strays',
    'times',
    'values',
  ]) {
    const own = new OpenDocument(engine, new TextEncoder().encode(vector(`hash/${name}/input.json`)));
    own.verdict();
    const { total } = own.hashes();
    for (let index = 0; index < total; index += 1) {
      for (const [profile, { hash, text, pieces }] of Object.entries(own.preHash(index))) {
        assert.equal(pieces.map((piece) => piece.text).join(''), text);
        assert.equal(hash, engine.hash(vector(`hash/${name}/input.json`), { profile })[index]);
        assert.ok(
          pieces.every(({ field }) => field !== undefined),
          `${name} ${index} ${profile}: ${JSON.stringify(pieces.filter(({ field }) => field === undefined))}`,
        );
        seen += 1;
      }
    }
  }
  assert.ok(seen > 60, `${seen} strings`);
});

test('Hash: a pasted hash is found, with its profile; a wrong one is not', () =>
  withDocument(vector('validate/valid-all-event-types/input.json'), async (page) => {
    await openTab(page, 'Hash');
    const { hash } = await import('epcis-edge');
    const uri = hash(vector('validate/valid-all-event-types/input.json'), { profile: 'REF2025' })[0];
    const field = page.getByLabel('Check a hash');
    const answer = page.locator('.verify-answer');
    await field.fill(uri);
    await answer.filter({ hasText: /^The hash of event 1 under REF2025/ }).waitFor();
    await field.fill(uri.replace('CBV2.0', 'CBV2.1'));
    await answer.filter({ hasText: 'but not its label' }).waitFor();
    await field.fill(uri.replace(/;./, ';0').replace(/;0./, ';0f'));
    await answer.filter({ hasText: 'No event of this document' }).waitFor();
    await field.fill('abc');
    await answer.filter({ hasText: 'Not an event hash' }).waitFor();
  }));

test('Hash: an eventID that is not the hash of its event is said to be wrong', async () => {
  const { page, close } = await visit(site.browser, `${site.server.origin}#orchard-to-shop`);
  try {
    await page.waitForFunction(() => document.getElementById('answers').dataset.done !== undefined);
    await openTab(page, 'Hash');
    assert.match(await page.locator('#panel-hash .banner').textContent(), /13 eventIDs verified/);
    const text = await (await page.request.get(`${site.server.origin}examples/orchard-to-shop.json`)).text();
    await paste(page, text.replace('820.5', '820.6'));
    assert.match(await page.locator('#panel-hash .banner').textContent(), /1 of 13 eventIDs does not match its event/);
    assert.match(await page.locator('#tab-hash .badge').textContent(), /wrong/);
  } finally {
    await close();
  }
});

test('Hash: XML is translated first, and says so', () =>
  withDocument(vector('translate/v11-homes/input.xml'), async (page) => {
    await openTab(page, 'Hash');
    assert.match(await page.locator('#panel-hash .remark').first().textContent(), /translated first/);
    const { hash, translate } = await import('epcis-edge');
    const [uri] = hash(translate(vector('translate/v11-homes/input.xml')).document);
    await page.locator('.profile-hash code', { hasText: uri }).first().waitFor();
  }));

test('Translate: what is lost is marked in the XML, the verdict stands on top', () =>
  withDocument(vector('translate/extensions-lossy/input.xml'), async (page) => {
    assert.deepEqual(await underlined(page, 'warning'), []);
    await openTab(page, 'Translate');
    assert.equal(
      await page.locator('#panel-translate .banner h2').textContent(),
      '1 value is lost in a round trip, 3 values are kept, with a note, 1 annotation of a type is dropped',
    );
    const marks = (await underlined(page, 'warning')).join(' ');
    // An element that the XML schema also rejects is marked as an error.
    assert.deepEqual(await underlined(page, 'error'), ['batch']);
    for (const part of ['unit="KGM"', 'mill:size="L"', 'xsi:type="xsd:decimal"', 'keep ']) assert.ok(marks.includes(part), `${part} in ${marks}`);
    const output = await page.evaluate(() => document.querySelector('.output').shadowRoot.querySelector('.cm-content').textContent);
    assert.match(output, /"EPCISDocument"/);
    await page.locator('#panel-translate .error').first().click();
    assert.equal(await selected(page), 'unit="KGM"');
  }));

const sent = (time, id, source) => `<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2" creationDate="2026-10-05T10:00:00Z">
<EPCISBody><EventList><ObjectEvent>
<eventTime>${time}</eventTime><eventTimeZoneOffset>+01:00</eventTimeZoneOffset><baseExtension><eventID>${id}</eventID></baseExtension>
<epcList><epc>urn:epc:id:sscc:9521141.1234567890</epc></epcList><action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep>
<extension><sourceList><source type="urn:epcglobal:cbv:sdt:owning_party">${source}</source></sourceList></extension>
</ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>`;
const SENT = ['2026-10-05T09:00:00Z', 'urn:example:7', 'urn:epc:id:pgln:9521141.00000'];

for (const [name, at, wrong, message] of [
  ['a time without a zone', 0, '2026-10-05T09:00:00', /the time zone is missing.*event 1›eventTime/],
  ['an eventID that is no URI', 1, 'event 7', /found event 7, expected a URI.*event 1›eventID/i],
  ['a source that is no URI', 2, 'the shop', /found the shop, expected a URI.*event 1›sourceList›0›source/i],
]) {
  test(`Translate: XML whose JSON is not valid, ${name}: the JSON with its error, never a success`, () =>
    withDocument(sent(...SENT.map((value, index) => (index === at ? wrong : value))), async (page) => {
      assert.match(await page.locator('#panel-validate .other.bad', { hasText: 'Translate' }).textContent(), /to JSON-LD that is not valid: 1 error/);
      await openTab(page, 'Translate');
      assert.equal(await page.locator('#panel-translate .banner.bad h2').textContent(), 'Not valid');
      assert.match(await page.locator('#panel-translate .banner p').textContent(), /1 event, XML 1\.2 to JSON-LD.*1 error by the official JSON schema/);
      assert.equal(await page.locator('#panel-translate .banner').count(), 1);
      assert.equal(await page.locator('#tab-translate .badge').textContent(), '! not valid');
      const error = page.locator('#panel-translate .error').first();
      assert.match(await error.textContent(), message);
      const output = await page.evaluate(() => document.querySelector('.output').shadowRoot.querySelector('.cm-content').textContent);
      assert.ok(output.includes(`"${wrong}"`), output);
      assert.equal(await page.locator('#panel-translate .translation h3').textContent(), 'EPCIS 2.0 JSON-LD, not valid');
      await error.click();
      assert.ok((await selected(page)).includes(wrong), await selected(page));
    }));
}

test('Translate: nothing lost, and round again as the document', () =>
  withDocument(vector('translate/v11-homes/input.xml'), async (page) => {
    await openTab(page, 'Translate');
    assert.equal(await page.locator('#panel-translate .banner h2').textContent(), 'Nothing is lost');
    await answered(page, () => page.getByRole('button', { name: 'Open as document' }).click());
    assert.match(await page.locator('#format').textContent(), /JSON/);
    assert.equal(await page.locator('#answers').getAttribute('data-verdict'), 'valid');
  }));

test('Translate: JSON back to XML 2.0 and 1.2', () =>
  withDocument(vector('translate/back-to-1.2/input.json'), async (page) => {
    await openTab(page, 'Translate');
    const output = () => page.evaluate(() => document.querySelector('.output').shadowRoot.querySelector('.cm-content').textContent);
    assert.match(await output(), /schemaVersion="2.0"/);
    await page.locator('.segments span', { hasText: 'XML 1.2' }).click();
    await page.locator('#panel-translate h3', { hasText: 'EPCIS XML 1.2' }).waitFor();
    assert.match(await output(), /schemaVersion="1.2"/);
    assert.match(await page.locator('#panel-translate .banner h2').textContent(), /No value is lost in a round trip, 4 values are kept, with a note/);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Translation', exact: true }).click()]);
    assert.equal(saved.suggestedFilename(), 'translation.xml');
    const { readFile } = await import('node:fs/promises');
    const { toXml } = await import('epcis-edge');
    assert.equal(await readFile(await saved.path(), 'utf8'), toXml(vector('translate/back-to-1.2/input.json'), { version: '1.2' }).document);
  }));

test('in code: every tab, three ways', () =>
  withDocument(vector('validate/valid-all-event-types/input.json'), async (page) => {
    await page.locator('#code summary').click();
    for (const [tab, call] of [
      ['Validate', 'validate('],
      ['Checks', 'check('],
      ['Events', 'eventTime'],
      ['Hash', 'preHash('],
      ['Translate', 'toXml('],
    ]) {
      await openTab(page, tab);
      await openTab(page, 'npm');
      assert.ok((await page.locator('#code-npm').textContent()).includes(call));
      await openTab(page, 'curl');
      assert.match(await page.locator('#code-curl').textContent(), { Translate: /npx epcis-edge to-xml/, Events: /jq -r/ }[tab] ?? /curl -s/);
      await openTab(page, 'MCP');
      assert.match(await page.locator('#code-MCP').textContent(), tab === 'Translate' ? /to-xml/ : /"method": ?"tools\/call"/);
    }
  }));

test('Proof: each step with its result, from the event, its proof and a policy', () =>
  withDocument(vector('log/event.json'), async (page) => {
    await openTab(page, 'Proof');
    assert.match(await page.locator('#panel-proof .banner').textContent(), /Nothing to verify yet/);
    await page.locator('#proof-text').fill(vector('log/event.tlog-proof'));
    assert.match(await page.locator('#panel-proof .banner').textContent(), /Add the public key of the log/);
    await page.locator('#policy-text').fill(vector('log/trusted.policy'));
    await waitFor(async () => (await page.locator('#panel-proof .banner h2').textContent()) === 'Logged before 2026-11-21T10:00:01.000Z');
    assert.match(await page.locator('#panel-proof .banner').textContent(), /At index 1 of 3 leaves in epcis\.example\.com\/log, seen by W1/);
    assert.equal(await page.locator('#panel-proof .proof-steps li.good').count(), 6);
    assert.match(await page.locator('#tab-proof').textContent(), /✓/);
    // A different event from the one that was logged.
    await answered(page, () => paste(page, vector('log/event.json').replace('OBSERVE', 'DELETE')));
    await waitFor(async () => (await page.locator('#panel-proof .banner h2').textContent()) === 'Not proved');
    assert.deepEqual(await page.locator('#panel-proof .proof-steps li.bad').evaluateAll((all) => all.map(({ dataset }) => dataset.step)), ['event']);
    await page.locator('#policy-text').fill('nonsense');
    await waitFor(async () => /line with log, witness, group or quorum/.test(await page.locator('#panel-proof .banner').textContent()));
  }));

test('Proof: chosen fields are saved with what proves them, and verified by whoever is given them', () =>
  withDocument(vector('log/keyed.json'), async (page) => {
    await openTab(page, 'Proof');
    assert.match(await page.locator('.part-choice').textContent(), /Add the proof of the event/);
    await page.locator('#proof-text').fill(vector('log/event.tlog-proof'));
    await waitFor(async () => /keyed digest/.test(await page.locator('.part-choice').textContent()));
    await page.locator('#proof-text').fill(vector('log/keyed.tlog-proof'));
    await waitFor(async () => (await page.locator('.part-fields input').count()) === 15);
    assert.equal(await page.locator('.part-fields input[data-pointer="/eventID"]').isDisabled(), true);
    assert.match(await page.locator('.part-fields label', { hasText: 'epcList' }).textContent(), /\(3\)/);
    assert.equal(await page.locator('#save-disclosure').isDisabled(), true);
    for (const name of ['eventTime', 'epcList', 'bizStep', 'ex:weight']) await page.locator(`.part-fields input[data-pointer="/${name}"]`).check();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('#save-disclosure').click()]);
    assert.match(saved.suggestedFilename(), /\.disclosure\.json$/);
    const disclosure = readFileSync(await saved.path(), 'utf8');
    assert.equal(disclosure, vector('log/keyed.disclosure.json'));
    // The recipient of a disclosure needs neither the event nor its proof.
    const drop = (text) => page.locator('#file').setInputFiles({ name: 'part.disclosure.json', mimeType: '', buffer: Buffer.from(text) });
    await drop(disclosure);
    await waitFor(async () => /public key of the log/.test(await page.locator('.part-answer').textContent()));
    await page.locator('#policy-text').fill(vector('log/trusted.policy'));
    await waitFor(async () => (await page.locator('.part-answer .banner.good h2').count()) === 1);
    assert.equal(await page.locator('.part-answer h2').textContent(), 'Part of an event logged before 2026-11-21T10:00:01.000Z');
    assert.match(
      await page.locator('.part-answer .banner').textContent(),
      /6 fields shown, 12 withheld\. Recorded 2026-11-21T10:00:01\.000Z by https:\/\/example\.com\/accounts\/1/,
    );
    assert.deepEqual(await texts(page, '.part-shown dt'), ['/eventTime', '/epcList/0', '/epcList/1', '/epcList/2', '/bizStep', '/ex:weight']);
    assert.equal((await texts(page, '.part-shown dd')).at(-1), '12.50');
    await drop(disclosure.replace('shipping', 'receiving'));
    await waitFor(async () => (await page.locator('.part-answer .banner.bad h2').count()) === 1);
    assert.equal(await page.locator('.part-shown').count(), 0);
    assert.deepEqual(await page.locator('.part-answer li.bad').evaluateAll((all) => all.map(({ dataset }) => dataset.step)), ['fields']);
    await page.locator('.part-answer').getByRole('button', { name: 'Close' }).click();
    assert.equal(await page.locator('.part-answer').textContent(), '');
  }));

test('Proof: a proof and a policy that are dropped go where they belong, and leave the event alone', () =>
  withDocument(vector('log/event.json'), async (page) => {
    for (const name of ['event.tlog-proof', 'trusted.policy'])
      await page.locator('#file').setInputFiles({ name, mimeType: '', buffer: Buffer.from(vector(`log/${name}`)) });
    await waitFor(async () => (await page.locator('#panel-proof .banner h2').textContent()).startsWith('Logged before'));
    assert.equal(await page.locator('#tab-proof').getAttribute('aria-selected'), 'true');
  }));
