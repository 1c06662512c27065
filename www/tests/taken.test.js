// What people paste and drop is taken: SOAP messages, credentials, lists of events, archives and tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { unwrapped } from '../../wasm/document/soap.ts';
import { unzip } from '../src/editor/unzip.ts';
import { answered, around, axe, editorText, event, openTab, paste, playground, vector } from './browser.js';

const site = playground();
const { withDocument, withPage } = site;

const XML = vector('translate/v11-homes/input.xml');
const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
/** A SOAP message around an XML text. */
const message = (inside, attributes = '') =>
  `<?xml version="1.0"?>\n<soapenv:Envelope xmlns:soapenv="${SOAP}"${attributes}>\n<soapenv:Header><w:Security xmlns:w="urn:w"/></soapenv:Header>\n<soapenv:Body>\n${inside}\n</soapenv:Body>\n</soapenv:Envelope>`;
const inside = XML.replace(/^<\?xml[^>]*\?>\s*/, '');
const bytes = (text) => new TextEncoder().encode(text);
const drop = (page, name, content) =>
  answered(page, () => page.locator('#file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }));
const title = (page) => page.locator('#panel-validate .banner h2').textContent();

test('SOAP: the EPCIS document of the Body is validated, translated and marked where it stands', () =>
  withDocument(message(inside), async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await title(page), 'Valid');
    assert.match(await page.locator('#panel-validate .remark').first().textContent(), /Taken out of a SOAP message/);
    await paste(page, message(inside.replace(/<bizStep>[^<]*/, '<bizStep>shi ping')));
    assert.equal(await title(page), 'Not valid');
    const marked = await page.evaluate(() =>
      [...document.getElementById('editor').shadowRoot.querySelectorAll('.cm-lintRange-error')].map((own) => own.textContent),
    );
    assert.deepEqual(marked, ['shi ping']);
    const line = message(inside.replace(/<bizStep>[^<]*/, '<bizStep>shi ping'))
      .split('\n')
      .findIndex((own) => own.includes('shi ping'));
    assert.match(await page.locator('#panel-validate .error-line').first().textContent(), new RegExp(`^line ${line + 1}$`));
    await openTab(page, 'Events');
    await page.locator('.card').first().getByRole('button', { name: 'Show in editor' }).click();
    // A text that breaks off tells the place in the message.
    const cut = message(inside.slice(0, inside.indexOf('</EventList>')));
    await paste(page, cut);
    await openTab(page, 'Validate');
    const [, found] = /Line (\d+)/.exec(await page.locator('#panel-validate .refusal').textContent());
    assert.ok(Number(found) > 5 && Number(found) <= cut.split('\n').length, found);
  }));

test('SOAP: prefixes that are declared around the document, and query results', async () => {
  const document = '<e:EPCISDocument schemaVersion="1.2" x:note="1"><EPCISBody/></e:EPCISDocument>';
  const text = message(document, ' xmlns:e="urn:epcglobal:epcis:xsd:1" xmlns:x="urn:a&quot;b"');
  const { text: own, shift } = unwrapped(text);
  assert.match(own, /^<e:EPCISDocument xmlns:soapenv="[^"]+" xmlns:e="urn:epcglobal:epcis:xsd:1" xmlns:x="urn:a&quot;b" {2}schemaVersion/);
  const at = text.indexOf('<EPCISBody');
  assert.equal(own.slice(at + shift, at + shift + 10), '<EPCISBody');
  assert.match(own, /<\/e:EPCISDocument>$/);
  const results = '<q:QueryResults xmlns:q="urn:epcglobal:epcis-query:xsd:1"><queryName>x</queryName><resultsBody><EventList/></resultsBody></q:QueryResults>';
  await withDocument(message(results), async (page) => {
    await openTab(page, 'Validate');
    assert.equal(await title(page), 'Valid');
  });
});

test('SOAP: what holds no EPCIS document is said to be that', () =>
  withDocument(undefined, async (page) => {
    for (const [text, words] of [
      [message('<soapenv:Fault><faultstring>no</faultstring></soapenv:Fault>'), 'A SOAP fault'],
      [message('<x:Order xmlns:x="urn:x"/>'), 'A SOAP message'],
      [message(''), 'A SOAP message'],
      [message(inside).replace('?>\n', '?>\n<!DOCTYPE x [<!ENTITY a "b">]>\n'), 'A SOAP message with a DOCTYPE'],
    ]) {
      await paste(page, text);
      await openTab(page, 'Validate');
      assert.equal(await title(page), words);
      assert.equal(await page.locator('.badge.bad:visible').count(), 0);
    }
    assert.equal(unwrapped('<Envelope xmlns="urn:other"><Body/></Envelope>'), undefined);
    assert.equal(unwrapped('<a/>'), undefined);
    // A start without an end takes no time to speak of.
    assert.equal(unwrapped(`<e:Envelope xmlns:e="${SOAP}"${' a="'.repeat(200_000)}`), undefined);
    assert.equal(unwrapped(`<e:Envelope xmlns:e="${SOAP}">${'<!--'.repeat(100_000)}`).foreign.title, 'A SOAP message');
  }));

test('JSON that is known and not EPCIS is said to be what it is', () =>
  withDocument(undefined, async (page) => {
    const credential = {
      '@context': ['https://www.w3.org/ns/credentials/v2', 'https://test.uncefact.org/vocabulary/untp/dpp/0.6.0/'],
      type: ['DigitalProductPassport', 'VerifiableCredential'],
      issuer: { type: ['CredentialIssuer'], id: 'did:web:example.com', name: 'Hill Orchard' },
      validFrom: '2026-03-04T00:00:00Z',
      credentialSubject: { type: ['ProductPassport'] },
    };
    for (const [value, words] of [
      [
        JSON.stringify(credential),
        /^A UNTP credential: Digital product passport.*It tells of a product, issued by Hill Orchard, valid from 2026-03-04, by the UN Transparency/,
      ],
      [JSON.stringify({ ...credential, type: ['VerifiableCredential'] }), /^A verifiable credential/],
      [JSON.stringify({ linkset: [] }), /^A GS1 Digital Link linkset/],
      [JSON.stringify({ openapi: '3.1.0', info: {}, paths: {} }), /^A description of an API/],
      [JSON.stringify({ type: 'FeatureCollection', features: [] }), /^A map \(GeoJSON\)/],
      ['eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl', /^A signed token \(JWT\)/],
    ]) {
      await paste(page, value);
      await openTab(page, 'Validate');
      assert.match(await page.locator('#panel-validate .refusal').textContent(), words);
      assert.equal(await page.locator('#answers').getAttribute('data-verdict'), 'other');
      assert.equal(await page.locator('.badge.bad:visible').count(), 0);
    }
  }));

test('an event, an array and NDJSON are put into a document by a button, and back', () =>
  withDocument(undefined, async (page) => {
    const own = JSON.parse(around(event({})));
    const one = JSON.stringify({
      '@context': own['@context'],
      ...event({ quantityList: [{ epcClass: 'urn:epc:class:lgtin:9521141.012345.L1', quantity: 1 }] }),
    }).replace(':1}', ':1.50}');
    for (const [text, events] of [
      [one, 1],
      [`[${one},${one}]`, 2],
      [`${one}\n${one}\r\n\n${one}\n`, 3],
    ]) {
      const begun = Date.now();
      await paste(page, text);
      await openTab(page, 'Validate');
      await answered(page, () => page.getByRole('button', { name: 'Put into an EPCISDocument' }).click());
      const document = JSON.parse(await editorText(page));
      assert.equal(document.type, 'EPCISDocument');
      assert.equal(document.epcisBody.eventList.length, events);
      assert.match(await editorText(page), /"quantity": 1\.50/);
      assert.ok(Date.parse(document.creationDate) >= begun - 1000 && Date.parse(document.creationDate) <= Date.now(), document.creationDate);
      assert.equal(await title(page), 'Valid');
      assert.equal(await page.getByRole('button', { name: 'Put into an EPCISDocument' }).count(), 0);
    }
    // NDJSON that breaks off: the line is told, and nothing is wrapped.
    await paste(page, `${one}\n${one.slice(0, 60)}`);
    assert.match(await page.locator('#panel-validate .refusal').textContent(), /Line 2/);
    assert.equal(await page.getByRole('button', { name: 'Put into an EPCISDocument' }).count(), 0);
  }));

test('ZIP: its documents are opened, and what is not is said', () =>
  withPage(async (page) => {
    const archive = zipSync({
      'in/one.json': bytes(around(event({}))),
      'in/two.xml': [bytes(XML), { level: 0 }],
      'picture.png': new Uint8Array(10),
      '__MACOSX/in/._one.json': bytes('x'),
      'more.zip': zipSync({ 'three.json': bytes('{}') }),
      'hidden.json': zipSync({ 'four.json': bytes('{}') }),
    });
    await drop(page, 'all.zip', archive);
    await page.locator('#notice', { hasText: '2 of 5 files of all.zip opened.' }).waitFor();
    assert.deepEqual(await page.locator('.document-name').allTextContents(), ['one.json', 'two.xml']);
    const words = await page.locator('#notice').textContent();
    for (const part of ['more.zip (an archive inside of the archive: unpack it first)', 'hidden.json (an archive', 'picture.png'])
      assert.ok(words.includes(part), words);
    await drop(page, 'table.xlsx', zipSync({ '[Content_Types].xml': bytes('<a/>'), 'xl/sheet.xml': bytes('<a/>') }));
    await page.locator('#notice', { hasText: 'table.xlsx is a file of an office program. Save its table as CSV' }).waitFor();
    await drop(page, 'cut.zip', archive.slice(0, 30));
    await page.locator('#notice', { hasText: 'cut.zip' }).waitFor();
  }));

test('ZIP: bombs are defused, whatever they claim', () => {
  const zeros = zipSync({ 'a.json': new Uint8Array(3_000_000), 'b.json': new Uint8Array(3_000_000) });
  assert.ok(zeros.length < 20_000);
  assert.equal(unzip(zeros).entries.length, 2);
  assert.deepEqual(unzip(zeros, { bytes: 5_000_000, entries: 10 }), { problem: { kind: 'size', limit: 5_000_000 } });
  // A size of one byte is claimed, in the file and in the directory.
  const lying = zeros.slice();
  const view = new DataView(lying.buffer);
  for (let at = 0; at + 4 < lying.length; at += 1) {
    if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, 1, true);
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1, true);
  }
  assert.deepEqual(unzip(lying, { bytes: 5_000_000, entries: 10 }), { problem: { kind: 'size', limit: 5_000_000 } });
  const many = zipSync(Object.fromEntries([...Array(50).keys()].map((at) => [`${at}.json`, bytes('{}')])));
  assert.deepEqual(unzip(many, { bytes: 5_000_000, entries: 49 }), { problem: { kind: 'entries', limit: 49 } });
  assert.equal(unzip(many, { bytes: 5_000_000, entries: 50 }).entries.length, 50);
  const nested = unzip(zipSync({ 'a.zip': zeros, b: zeros }));
  assert.deepEqual(nested, {
    entries: [],
    skipped: [
      { name: 'a.zip', kind: 'archive' },
      { name: 'b', kind: 'archive' },
    ],
  });
  // Encrypted, by the flag in the directory.
  const secret = zipSync({ 'a.json': bytes('{}') });
  for (let at = 0; at + 4 < secret.length; at += 1) if (new DataView(secret.buffer).getUint32(at, true) === 0x02014b50) secret[at + 8] |= 1;
  assert.deepEqual(unzip(secret), { entries: [], skipped: [{ name: 'a.json', kind: 'encrypted' }] });
  assert.deepEqual(unzip(bytes('PK\u0003\u0004 nothing')), { problem: { kind: 'damaged' } });
});

const TABLE = `"When";Item;Where;Step;Qty;Unit
2026-03-04 11:00;(00)195211412345678900;9521141000013;Shipping;;
2026-03-04T12:00:30Z;https://id.gs1.org/01/09521141123454/10/L1;urn:epc:id:sgln:9521141.00001.0;receiving;2.5;kgm
2026-03-05;"09521141123454";;stocking;3;
`;

test('CSV: columns are named, and the rows become events that are validated', () =>
  withPage(
    async (page) => {
      await drop(page, 'shipments.csv', TABLE);
      await openTab(page, 'Validate');
      assert.equal(await title(page), 'A table (CSV)');
      await page.getByRole('button', { name: 'Make events of it' }).click();
      const dialog = page.locator('.table-dialog');
      await dialog.waitFor();
      const chosen = await dialog.locator('select').evaluateAll((all) => all.slice(0, 6).map((own) => own.selectedOptions[0].textContent.split(':')[0]));
      assert.deepEqual(chosen, ['Item', 'When', 'Where', 'Step', 'Qty', 'Unit']);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run('.table-dialog'));
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`),
        [],
      );
      await dialog.locator('#table-zone').fill('+25:00');
      await dialog.getByRole('button', { name: 'Make events' }).click();
      await dialog.locator('.table-answer', { hasText: 'Found +25:00, expected a time zone such as +01:00' }).waitFor();
      await dialog.locator('#table-zone').fill('+01:00');
      await dialog.getByRole('button', { name: 'Make events' }).click();
      await dialog.locator('.table-answer', { hasText: '1 row tells no time of day: it is set to midnight.' }).waitFor();
      await answered(page, () => dialog.getByRole('button', { name: 'Open 3 events' }).click());
      assert.equal(await title(page), 'Valid');
      const { epcisBody } = JSON.parse(await editorText(page));
      assert.deepEqual(epcisBody.eventList, [
        {
          type: 'ObjectEvent',
          eventTime: '2026-03-04T11:00:00+01:00',
          eventTimeZoneOffset: '+01:00',
          action: 'OBSERVE',
          epcList: ['https://id.gs1.org/00/195211412345678900'],
          bizStep: 'shipping',
          readPoint: { id: 'https://id.gs1.org/414/9521141000013' },
        },
        {
          type: 'ObjectEvent',
          eventTime: '2026-03-04T12:00:30Z',
          eventTimeZoneOffset: '+00:00',
          action: 'OBSERVE',
          quantityList: [{ epcClass: 'https://id.gs1.org/01/09521141123454/10/L1', quantity: 2.5, uom: 'KGM' }],
          bizStep: 'receiving',
          readPoint: { id: 'urn:epc:id:sgln:9521141.00001.0' },
        },
        {
          type: 'ObjectEvent',
          eventTime: '2026-03-05T00:00:00+01:00',
          eventTimeZoneOffset: '+01:00',
          action: 'OBSERVE',
          quantityList: [{ epcClass: 'https://id.gs1.org/01/09521141123454', quantity: 3 }],
          bizStep: 'stocking',
        },
      ]);
      assert.deepEqual(await page.locator('.document-name').allTextContents(), ['shipments.csv', 'shipments.json']);
    },
    '',
    { viewport: { width: 1280, height: 1900 } },
  ));

test('CSV: rows that cannot be read are told, and left out only when that is confirmed', () =>
  withDocument(
    'time,step,epc\n2026-01-01T10:00:00Z,shipping,urn:x:1\n04/03/2026,shipping,urn:x:2\n2026-01-01T10:00:00Z,shipping,\n2026-02-30T10:00:00Z,a,urn:x:3\n',
    async (page) => {
      await openTab(page, 'Validate');
      await page.getByRole('button', { name: 'Make events of it' }).click();
      const dialog = page.locator('.table-dialog');
      await dialog.getByRole('button', { name: 'Make events' }).click();
      await dialog.locator('li').first().waitFor();
      assert.deepEqual(await dialog.locator('li').allTextContents(), [
        'Row 3: found 04/03/2026, expected a time such as 2026-03-04 11:00 or 2026-03-04T11:00:30+01:00',
        'Row 4: an item: a URI, an element string such as (00)…, or a GTIN or SSCC is missing',
        'Row 5: found 2026-02-30T10:00:00Z, expected a time such as 2026-03-04 11:00 or 2026-03-04T11:00:30+01:00',
      ]);
      await answered(page, () => dialog.getByRole('button', { name: 'Open 1 event without them' }).click());
      assert.equal(JSON.parse(await editorText(page)).epcisBody.eventList.length, 1);
    },
  ));

test('CSV: 10,000 columns are refused, in words', () =>
  withPage(async (page) => {
    const row = (word) => [...Array(10_000).keys()].map((at) => `${word}${at}`).join(',');
    await drop(page, 'wide.csv', `${row('c')}\n${row('v')}\n`);
    await openTab(page, 'Validate');
    await page.getByRole('button', { name: 'Make events of it' }).click();
    assert.equal(
      await page.locator('.table-dialog [role=alert]').textContent(),
      'The table has 10,000 columns, and at most 200 are taken. Leave out those that are not needed.',
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.locator('.table-dialog').count(), 0);
  }));
