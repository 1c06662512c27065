// The language server, through a plain client over its standard streams.
// Invariant: No text of a document becomes markup in an editor.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { check } from 'epcis-edge/check';
import { validate } from 'epcis-edge';
import { CAPABILITIES, Client, edited, positionOf, textIn } from './lsp-client.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = `${root}wasm/js/cli/cli.ts`;
const read = (path) => readFileSync(`${root}${path}`, 'utf8');
const misspelt = read('tests/vectors/validate/cbv-word-misspelt/input.json');
const dscsa = read('docs/profiles-dscsa.xml');

const clients = [];
after(() => clients.forEach((client) => client.stop()));
const ready = async (...given) => {
  const client = await Client.ready(...given);
  clients.push(client);
  return client;
};
/** Settings of which only the schemas are asked. */
const SCHEMAS = { epcisEdge: { packs: [] } };

/** An event with a member before the faulty one in the same line. */
const document = (events, lineEnd = '\n') =>
  [
    '{',
    '  "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", { "ex": "https://ex.example/" }],',
    '  "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-03-04T11:00:30Z",',
    '  "epcisBody": { "eventList": [',
    events.join(`,${lineEnd}`),
    '  ] }',
    '}',
  ].join(lineEnd);
const event = (members = '') =>
  `    { ${members}"type": "ObjectEvent", "action": "OBSERVE", "eventTime": "2026-03-04T11:00:30Z", "eventTimeZoneOffset": "+00:00", "epcList": ["urn:epc:id:sscc:9521141.1234567890"] }`;
const xmlEvent = (members, before = '') =>
  `<ObjectEvent>${before}<eventTime>2026-03-04T11:00:30Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sscc:9521141.1234567890</epc></epcList><action>OBSERVE</action>${members}</ObjectEvent>`;
const xmlDocument = (events, lineEnd = '\n') =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" xmlns:ex="https://ex.example/" schemaVersion="1.2" creationDate="2026-03-04T11:00:30Z">',
    '<EPCISBody><EventList>',
    ...events,
    '</EventList></EPCISBody>',
    '</epcis:EPCISDocument>',
  ].join(lineEnd);

test('the server says what it can', async () => {
  const { initialized } = await ready();
  assert.deepEqual(initialized.serverInfo, { name: 'epcis-edge', version: JSON.parse(read('wasm/package.json')).version });
  assert.deepEqual(initialized.capabilities, {
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: 2 },
    hoverProvider: true,
    documentSymbolProvider: true,
    codeActionProvider: { codeActionKinds: ['quickfix', 'source.fixAll.epcis-edge'] },
  });
});

test('JSON: the errors of validate and the findings of check, each at its value', async () => {
  const client = await ready();
  const found = await client.judged('file:///a.json', misspelt);
  const { errors } = validate(misspelt);
  const { findings } = check(misspelt);
  assert.ok(errors.length > 0 && findings.length > 0);
  assert.deepEqual(
    found.map(({ severity, code, message, source }) => ({ severity, code, message, source })),
    [
      ...errors.map(({ keyword, message }) => ({ severity: 1, code: keyword, message, source: 'epcis-edge' })),
      ...findings.map(({ rule, severity, message }) => ({ severity: { error: 1, warning: 2, hint: 4 }[severity], code: rule, message, source: 'epcis-edge' })),
    ],
  );
  assert.deepEqual(
    found.map(({ range }) => textIn(misspelt, range)),
    ['"shiping"', '"in_transitt"', '"https://id.gs1.org/01/09521141001231/21/A1"', '"shiping"', '"in_transitt"', '"https://id.gs1.org/414/9521141000013"'],
  );
  const finding = found.find(({ code }) => code === 'identifiers/check-digit');
  assert.equal(finding.codeDescription.href, 'https://github.com/epcis-edge/epcis-edge/blob/main/docs/checks/identifiers.md#check-digit');
  assert.equal(await client.end(), 0);
  assert.equal(client.said, '');
});

test('XML: the errors of the XML schema, those of the translation, and the findings, each at its element', async () => {
  const client = await ready({ epcisEdge: { packs: ['identifiers', 'cbv'] } });
  const text = xmlDocument([
    xmlEvent('<bizStep>shiping</bizStep><disposition>urn:epcglobal:cbv:disp:in_transit</disposition>'),
    xmlEvent('<readPoint><id>urn:epc:id:sgln:9521141.00000.0</id></readPoint>').replace('OBSERVE', 'WATCH'),
  ]);
  const found = await client.judged('file:///a.xml', text, 'xml');
  const at = (part) => found.filter(({ range }) => textIn(text, range) === part).map(({ code, severity }) => [code, severity]);
  assert.deepEqual(at('WATCH'), [['cvc-enumeration-valid', 1]]);
  assert.deepEqual(at('shiping'), [
    ['anyOf', 1],
    ['cbv/unknown-word', 1],
  ]);
  assert.deepEqual(
    validate(text).errors.map(({ keyword, message }) => [keyword, message]),
    found.filter(({ code }) => code.startsWith('cvc-')).map(({ code, message }) => [code, message]),
  );
});

test('XML: a finding whose place the library does not know stands on its element, and says so', async () => {
  const client = await ready({ epcisEdge: { packs: ['dscsa'] } });
  const notice = dscsa.replace(/(legalNotice>)[^<]*/, '$1We obey.');
  assert.notEqual(notice, dscsa);
  const found = (await client.judged('file:///a.xml', notice, 'xml')).filter(({ code }) => code === 'dscsa/notice-other');
  assert.deepEqual(
    found.map(({ range, message, severity }) => [textIn(notice, range), message.slice(-28), severity]),
    [['epcis:EPCISDocument', ' (somewhere in this document)'.slice(-28), 4]],
  );
});

test('ranges and hovers are right behind astral characters and with each line end', async () => {
  const client = await ready(SCHEMAS);
  let number = 0;
  for (const lineEnd of ['\n', '\r\n', '\r'])
    for (const before of ['', 'é漢', '😀😀 🧾']) {
      const json = document([event(`"ex:note": "${before}", "bizStep": "shiping", `), event(`"ex:a": "${before}", "disposition": "in_transit", `)], lineEnd);
      const uri = `file:///${(number += 1)}.json`;
      const [found, ...more] = await client.judged(uri, json);
      assert.deepEqual([textIn(json, found.range), more.length], ['"shiping"', 0]);
      const hover = await client.ask('textDocument/hover', { textDocument: { uri }, position: positionOf(json, 'in_transit', 3) });
      assert.equal(textIn(json, hover.range), '"in_transit"');
      const [action] = await client.ask('textDocument/codeAction', { textDocument: { uri }, range: found.range, context: { diagnostics: [] } });
      assert.equal(edited(json, action.edit.documentChanges[0].edits), json.replace('"shiping"', '"shipping"'));

      const xml = xmlDocument([xmlEvent('<bizStep>shiping</bizStep>', `<!-- ${before} -->`)], lineEnd);
      const other = `file:///${(number += 1)}.xml`;
      const [error, ...rest] = await client.judged(other, xml, 'xml');
      assert.deepEqual([textIn(xml, error.range), rest.length], ['shiping', 0]);

      // A document that is no JSON: the engine gives the place in bytes.
      const broken = document([event(`"ex:note": "${before}", "bizStep": wrong, `)], lineEnd);
      const [fault] = await client.judged(`file:///${(number += 1)}.json`, broken);
      assert.deepEqual([textIn(broken, fault.range), fault.code], ['wrong', 'Malformed JSON']);
      assert.doesNotMatch(fault.message, /line|column/);
    }
});

test('a byte order mark moves nothing, in JSON and XML, whole or broken', async () => {
  const client = await ready(SCHEMAS);
  const texts = [
    [document([event('"bizStep": "shiping", ')]), '"shiping"'],
    [document([event('"bizStep": "shiping", ')]).replaceAll('\n', ' '), '"shiping"'],
    [document([event('"bizStep": shiping, ')]).replaceAll('\n', ' '), 'shiping'],
    [`[${event('"bizStep": "shiping", ').trim()}]`, '"shiping"'],
    [xmlDocument([xmlEvent('<bizStep>shiping</bizStep>')]), 'shiping'],
  ];
  for (const [at, [text, part]] of texts.entries()) {
    const marked = `\ufeff${text}`;
    const [found] = await client.judged(`file:///${at}`, marked);
    assert.equal(textIn(marked, found.range), part, text);
  }
});

test('a list of events and NDJSON are judged as events of a document', async () => {
  const client = await ready(SCHEMAS);
  const line = (members) => event(members).trim();
  for (const [name, text] of [
    ['list.json', `[\n${event()},\n${event('"ex:x": "😀", "bizStep": "shiping", ')}\n]`],
    ['lines.ndjson', `${line()}\r\n${line('"https://ex.example/x": "😀", "bizStep": "shiping", ')}\r\n`],
  ]) {
    const found = await client.judged(`file:///${name}`, text);
    const steps = found.filter(({ message }) => message.includes('shiping'));
    assert.deepEqual(
      steps.map(({ range }) => textIn(text, range)),
      ['"shiping"'],
      name,
    );
    const symbols = await client.ask('textDocument/documentSymbol', { textDocument: { uri: `file:///${name}` } });
    assert.deepEqual(
      symbols.map(({ range }) => JSON.parse(textIn(text, range)).type),
      ['ObjectEvent', 'ObjectEvent'],
      name,
    );
  }
});

test('fixes: one, all like it, all; as an action on save; none for another place', async () => {
  const client = await ready(SCHEMAS);
  const uri = 'file:///a.json';
  const text = document([event('"bizStep": "shiping", '), event('"bizStep": "shiping", "disposition": "in_transitt", ')]);
  const found = await client.judged(uri, text);
  const ask = (range, only) => client.ask('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [], ...(only && { only }) } });
  const actions = await ask(found[0].range);
  const results = Object.fromEntries(actions.map(({ title, edit }) => [title, edited(text, edit.documentChanges[0].edits)]));
  const right = (count) => [...Array(count)].reduce((result) => result.replace('"shiping"', '"shipping"'), text);
  assert.deepEqual(results, {
    'Change shiping to shipping': right(1),
    'Change all 2 shiping to shipping': right(2),
    'Make all 3 suggested corrections': right(2).replace('in_transitt', 'in_transit'),
  });
  assert.deepEqual(
    actions.map(({ kind, isPreferred, edit }) => [kind, isPreferred, edit.documentChanges[0].textDocument]),
    [true, undefined, undefined].map((isPreferred) => ['quickfix', isPreferred, { uri, version: 1 }]),
  );
  assert.deepEqual(actions[0].diagnostics, [found[0]]);
  const start = { line: 0, character: 0 };
  for (const only of [['source.fixAll'], ['source'], ['source.fixAll.epcis-edge']]) {
    const [all, ...none] = await ask({ start, end: start }, only);
    assert.deepEqual([all.kind, none.length], ['source.fixAll.epcis-edge', 0]);
    assert.equal(validate(edited(text, all.edit.documentChanges[0].edits)).valid, true);
  }
  assert.deepEqual(await ask({ start, end: start }), []);
  assert.deepEqual(await ask(found[0].range, ['refactor']), []);
  // The names of members are corrected, too; and a client without versions gets edits without one.
  const plain = await ready(SCHEMAS, {});
  const named = document([event('"disposiiton": "in_transit", ')]);
  const [error] = await plain.judged(uri, named);
  const [rename] = await plain.ask('textDocument/codeAction', { textDocument: { uri }, range: error.range, context: { diagnostics: [] } });
  assert.equal(edited(named, rename.edit.changes[uri]), named.replace('disposiiton', 'disposition'));
});

test('fixes in XML', async () => {
  const client = await ready(SCHEMAS);
  const uri = 'file:///a.xml';
  const text = xmlDocument([xmlEvent('<bizStep>shiping</bizStep>')]);
  const [error] = await client.judged(uri, text, 'xml');
  const [action] = await client.ask('textDocument/codeAction', { textDocument: { uri }, range: error.range, context: { diagnostics: [] } });
  assert.equal(edited(text, action.edit.documentChanges[0].edits), text.replace('shiping', 'shipping'));
});

test('fixes of characters that only look right, and of a time without a zone', async () => {
  const client = await ready(SCHEMAS);
  const uri = 'file:///a.json';
  const right = document([event('')]);
  const askAt = (range, only, at = uri) =>
    client.ask('textDocument/codeAction', { textDocument: { uri: at }, range, context: { diagnostics: [], ...(only && { only }) } });
  // The text is not JSON.
  const smart = right.replace('"action"', '“action”').replace('{', '{\u00a0');
  const [refused] = await client.judged(uri, smart);
  const [correct] = await askAt(refused.range);
  assert.equal(correct.title, 'Correct 3 places with characters that only look right');
  assert.equal(edited(smart, correct.edit.documentChanges[0].edits), right.replace('{', '{ '));
  // A value of XML, and the name of its encoding.
  const xml = xmlDocument([xmlEvent('')]);
  for (const [found, meant] of [
    ['<eventTime>2026‐', '<eventTime>2026-'],
    ['"UTF‐8"', '"UTF-8"'],
  ]) {
    const uri = `file:///${meant.length}.xml`;
    const wrong = xml.replace(meant, found);
    assert.notEqual(wrong, xml);
    const [{ range, message }] = await client.judged(uri, wrong, 'xml');
    assert.match(message, /U\+2010 looks like `-`/);
    const [hyphen] = await askAt(range, undefined, uri);
    assert.equal(edited(wrong, hyphen.edit.documentChanges[0].edits), xml);
  }
  // What is a guess is not made when the file is saved.
  const zoneless = right.replace(/("eventTime": "[^"Z+]*)[^"]*"/, '$1"');
  assert.notEqual(zoneless, right);
  const [{ range }] = await client.judged('file:///b.json', zoneless);
  const [add] = await askAt(range, undefined, 'file:///b.json');
  assert.match(add.title, /^Add [+-]\d\d:\d\d, the offset of its event$/);
  assert.equal(validate(edited(zoneless, add.edit.documentChanges[0].edits)).valid, true);
  assert.deepEqual(await askAt(range, ['source.fixAll'], 'file:///b.json'), []);
});

test('hovers: a field, a word, a type, an identifier with its name; in JSON and XML, in Markdown and plain', async () => {
  const client = await ready(SCHEMAS);
  const plain = await ready(SCHEMAS, {});
  const json = document([event('"bizStep": "https://ref.gs1.org/cbv/BizStep-shipping", "readPoint": { "id": "urn:epc:id:sgln:9521141.00001.0" }, ')]);
  for (const one of [client, plain]) {
    await one.judged('file:///a.json', json);
    await one.judged('file:///a.xml', dscsa, 'xml');
  }
  const over = async (one, uri, text, part, within = 1) => {
    const hover = await one.ask('textDocument/hover', { textDocument: { uri }, position: positionOf(text, part, within) });
    return hover && [hover.contents.value, textIn(text, hover.range)];
  };
  const inJson = (part, within) => over(client, 'file:///a.json', json, part, within);
  const inXml = (part, within) => over(client, 'file:///a.xml', dscsa, part, within);
  assert.deepEqual(await inJson('"epcList"'), ['**epcList**\n\nThe instances: EPC URNs or GS1 Digital Link URIs.', '"epcList"']);
  assert.deepEqual(await inJson('"ObjectEvent"'), [
    '**ObjectEvent**\n\nWhat happened to objects. It needs `epcList`, `quantityList`, or `sensorElementList` with `readPoint`.',
    '"ObjectEvent"',
  ]);
  assert.deepEqual(await inJson('BizStep-shipping'), [
    '**shipping**\n\nstaging, loading and departing as one: objects leave for another place',
    '"https://ref.gs1.org/cbv/BizStep-shipping"',
  ]);
  assert.deepEqual(await inJson('urn:epc:id:sscc'), [
    '`SSCC 195211412345678900`\n\nas a Digital Link: `https://id.gs1.org/00/195211412345678900`',
    '"urn:epc:id:sscc:9521141.1234567890"',
  ]);
  assert.equal(await inJson('"ex"'), null);
  assert.equal(await inJson('schemaVersion": "2.0', 17), null);

  assert.deepEqual(await inXml('<eventTime>', 2), ['**eventTime**\n\nWhen it happened: RFC 3339, with its zone.', 'eventTime']);
  assert.deepEqual(await inXml('<ObjectEvent>', 2), [
    '**ObjectEvent**\n\nWhat happened to objects. It needs `epcList`, `quantityList`, or `sensorElementList` with `readPoint`.',
    'ObjectEvent',
  ]);
  assert.deepEqual(await inXml('bizstep:commissioning', 3), [
    '**commissioning**\n\nan identifier is given to an object for the first time',
    'urn:epcglobal:cbv:bizstep:commissioning',
  ]);
  const [item, range] = await inXml('urn:epc:id:sgtin:9521141.011223.13', 5);
  assert.equal(range, 'urn:epc:id:sgtin:9521141.011223.13');
  assert.equal(
    item,
    '`GTIN 09521141112236 · serial 13`\n\n`Examplol`, by the master data of this document\n\nas a Digital Link: `https://id.gs1.org/01/09521141112236/21/13`',
  );
  const [type] = await inXml('owning_party', 3);
  assert.match(type, /^\*\*owning_party\*\*\n\n/);
  assert.equal((await over(plain, 'file:///a.xml', dscsa, 'urn:epc:id:sgtin:9521141.011223.13'))[0], item.replaceAll('`', ''));
});

test('no text of a document becomes Markdown in a hover', async () => {
  const client = await ready(SCHEMAS);
  const uri = 'file:///a.json';
  const name = '`![x](https://evil.example/x.png)`\\n# **Name**';
  const text = document([event()]).replace(
    '"epcisBody"',
    `"epcisHeader": { "epcisMasterData": { "vocabularyList": [{ "type": "urn:epcglobal:epcis:vtype:EPCClass", "vocabularyElementList": [{ "id": "urn:epc:id:sscc:9521141.1234567890", "attributes": [{ "id": "urn:epcglobal:cbv:mda#name", "attribute": "${name}" }] }] }] } },\n "epcisBody"`,
  );
  await client.judged(uri, text);
  const { contents } = await client.ask('textDocument/hover', { textDocument: { uri }, position: positionOf(text, '["urn:epc:id:sscc', 4) });
  assert.match(contents.value, /\n\n`` `!\[x\]\(https:\/\/evil\.example\/x\.png\)` # \*\*Name\*\* ``, by the master data/);
});

test('symbols: the events by step and time, as a tree or as a list', async () => {
  const client = await ready(SCHEMAS);
  const old = await ready(SCHEMAS, {});
  const json = document([event('"bizStep": "shipping", '), event()]);
  for (const one of [client, old]) {
    await one.open('file:///a.json', json);
    await one.open('file:///a.xml', dscsa, { languageId: 'xml' });
  }
  const ask = (one, uri) => one.ask('textDocument/documentSymbol', { textDocument: { uri } });
  const symbols = await ask(client, 'file:///a.json');
  assert.deepEqual(
    symbols.map(({ name, detail, kind }) => [name, detail, kind]),
    [
      ['Shipping', '4 Mar 2026, 11:00:30 +00:00', 24],
      ['Object event', '4 Mar 2026, 11:00:30 +00:00', 24],
    ],
  );
  assert.equal(JSON.parse(textIn(json, symbols[0].range)).bizStep, 'shipping');
  for (const { range, selectionRange } of symbols)
    assert.deepEqual(selectionRange, { start: range.start, end: { ...range.start, character: range.start.character + 1 } });
  const xml = await ask(client, 'file:///a.xml');
  assert.deepEqual(
    xml.map(({ range }) => /^<(\w+)>/.exec(textIn(dscsa, range))[1]),
    [...dscsa.matchAll(/<(\w+Event)>/g)].map(([, name]) => name),
  );
  const [first] = await ask(old, 'file:///a.json');
  assert.deepEqual([first.name, textIn(json, first.location.range)], ['Shipping, 4 Mar 2026, 11:00:30 +00:00', textIn(json, symbols[0].range)]);
});

test('packs: found by themselves, asked for, none; and one that is for other documents', async () => {
  const codes = async (settings, text, languageId) => {
    const client = await ready(settings);
    return new Set((await client.judged('file:///a', text, languageId)).map(({ code }) => code.split('/')[0]));
  };
  const broken = dscsa.replace(/(legalNotice>)[^<]*/, '$1We obey.');
  assert.ok((await codes(undefined, broken, 'xml')).has('dscsa'));
  assert.ok(!(await codes({ epcisEdge: { packs: ['identifiers'] } }, broken, 'xml')).has('dscsa'));
  assert.deepEqual(await codes({ epcisEdge: { packs: 'auto' } }, misspelt), new Set(['anyOf', 'identifiers', 'cbv']));
  assert.deepEqual(await codes(SCHEMAS, misspelt), new Set(['anyOf']));
  const client = await ready({ epcisEdge: { packs: ['dscsa'] } });
  const [hint] = (await client.judged('file:///a.json', misspelt)).filter(({ code }) => code === 'dscsa');
  assert.deepEqual([hint.severity, hint.range.start], [4, { line: 0, character: 0 }]);
  assert.match(hint.message, /^not checked by the pack dscsa: no transaction statement/);
});

test('a finding names the place that it contradicts', async () => {
  const client = await ready();
  const twice = document([event('"eventID": "urn:uuid:1", "bizStep": "shipping", '), event('"eventID": "urn:uuid:1", "bizStep": "receiving", ')]);
  const found = await client.judged('file:///a.json', twice);
  const { findings } = check(twice);
  const expected = findings.filter(({ related }) => related !== undefined);
  assert.ok(expected.length > 0);
  assert.deepEqual(
    found.flatMap(({ relatedInformation = [] }) => relatedInformation.map(({ message, location }) => [message, textIn(twice, location.range)])),
    expected.map(({ related }) => [related.path, related.path.endsWith('eventID') ? '"urn:uuid:1"' : '{']),
  );
});

test('wrong settings: refused at the start, and shown later, when those before stay', async () => {
  for (const [options, sentence] of [
    [{ epcisEdge: { packs: ['nope'] } }, /the setting epcisEdge\.packs has "nope", expected "auto" or a list of packs: identifiers, consistency, cbv/],
    [{ epcisEdge: { packs: 'all' } }, /the setting epcisEdge\.packs is "all"/],
    [{ epcisEdge: { packs: [5] } }, /packs has 5/],
    [{ epcisEdge: { pack: 'auto' } }, /there is no setting epcisEdge\.pack, expected packs/],
    [{ epcisEdge: [] }, /the setting epcisEdge is \[\], expected an object/],
    [{ packs: 'auto' }, /the initializationOptions are \{"packs":"auto"\}, expected an object with the member epcisEdge/],
  ]) {
    const client = new Client();
    clients.push(client);
    await assert.rejects(client.initialize(options), (error) => error.code === -32602 && sentence.test(error.message), JSON.stringify(options));
  }
  const client = await ready(SCHEMAS);
  assert.equal((await client.judged('file:///a.json', misspelt)).length, 2);
  await client.notify('workspace/didChangeConfiguration', { settings: { epcisEdge: { packs: ['nope'] } } });
  const { type, message } = await client.hear('window/showMessage');
  assert.equal(type, 1);
  assert.match(message, /packs has "nope", .*stay in force/);
  // The settings of other servers, and none, change nothing.
  for (const settings of [null, {}, { json: { validate: true } }]) await client.notify('workspace/didChangeConfiguration', { settings });
  await client.change('file:///a.json', 2, `${misspelt}\n`);
  assert.equal((await client.diagnostics('file:///a.json', 2)).length, 2);
  await client.notify('workspace/didChangeConfiguration', { settings: { epcisEdge: { packs: ['cbv'] } } });
  const all = await client.hear('textDocument/publishDiagnostics', ({ diagnostics }) => diagnostics.some(({ code }) => code === 'cbv/unknown-word'));
  assert.equal(all.version, 2);
});

test('other JSON and XML is left alone, until it becomes EPCIS, and afterwards', async () => {
  const client = await ready();
  await client.open('file:///package.json', '{ "type": "module", "name": "x", }');
  await client.open('file:///pom.xml', '<project><a></project>', { languageId: 'xml' });
  await client.open('file:///schema.json', '{"$schema": "https://json-schema.org/draft-07/schema#", "properties": {"eventTimeZoneOffset": {}}}');
  await client.open('file:///empty.json', '');
  for (const uri of ['file:///package.json', 'file:///pom.xml', 'file:///empty.json']) {
    assert.deepEqual(await client.ask('textDocument/documentSymbol', { textDocument: { uri } }), []);
    assert.equal(await client.ask('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 4 } }), null);
  }
  // Documents are judged in their order: after this one, those before it are done.
  assert.notEqual((await client.judged('file:///a.json', misspelt)).length, 0);
  assert.deepEqual(
    [
      ...new Set(
        client
          .heard('textDocument/publishDiagnostics')
          .flatMap(({ diagnostics }) => diagnostics)
          .map(({ source }) => source),
      ),
    ],
    ['epcis-edge'],
  );
  for (const uri of ['file:///package.json', 'file:///pom.xml', 'file:///empty.json'])
    assert.ok(!client.heard('textDocument/publishDiagnostics').some((one) => one.uri === uri), uri);
  await client.change('file:///empty.json', 2, misspelt);
  assert.notEqual((await client.diagnostics('file:///empty.json', 2)).length, 0);
  await client.change('file:///empty.json', 3, '{}');
  assert.deepEqual(await client.diagnostics('file:///empty.json', 3), []);
  await client.notify('textDocument/didClose', { textDocument: { uri: 'file:///a.json' } });
  await client.hear('textDocument/publishDiagnostics', ({ uri, diagnostics }) => uri === 'file:///a.json' && diagnostics.length === 0);
});

test('a document over 16 MiB gets one message and no diagnostics, and one below it is judged', async () => {
  const client = await ready(SCHEMAS);
  const uri = 'file:///large.json';
  const room = (text) => 16 * 1024 * 1024 - Buffer.byteLength(text);
  // Characters of two bytes: the bound is in bytes, not in characters.
  const start = document([event('"bizStep": "shiping", ')]);
  const within = start.replace('"schemaVersion"', `"ex:x": "${'é'.repeat((room(start) - 20) / 2)}", "schemaVersion"`);
  assert.ok(room(within) >= 0);
  await client.open(uri, within.replace('"ex:x": "', '"ex:x": "éééééééééééééééééééé'));
  const { type, message } = await client.hear('window/showMessage');
  assert.equal(type, 3);
  assert.match(message, /large\.json: it is longer than 16 MiB and was not judged/);
  assert.deepEqual(await client.diagnostics(uri, 1), []);
  const place = { start: { line: 0, character: 1 }, end: { line: 0, character: 1 } };
  await client.change(uri, 2, { range: place, text: ' ' });
  assert.deepEqual(await client.diagnostics(uri, 2), []);
  assert.equal(client.heard('window/showMessage').length, 1);
  assert.deepEqual(await client.ask('textDocument/documentSymbol', { textDocument: { uri } }), []);
  await client.change(uri, 3, within);
  const [error] = await client.diagnostics(uri, 3);
  assert.equal(textIn(within, error.range), '"shiping"');
  assert.equal(client.heard('window/showMessage').length, 1);
});

test('more findings than are listed: the rest is counted', async () => {
  const client = await ready({ epcisEdge: { packs: ['identifiers'] } });
  const wrong = event().replace('"urn:epc:id:sscc:9521141.1234567890"', Array(1200).fill('"https://id.gs1.org/01/04012345111119/21/9876"').join(', '));
  const text = document([wrong]);
  const { counts, findings } = check(text, { packs: ['identifiers'] });
  const total = counts.error + counts.warning + counts.hint;
  assert.ok(total > findings.length);
  const found = (await client.judged('file:///a.json', text)).filter(({ code }) => /^identifiers\/|^more$/.test(code));
  assert.equal(found.length, findings.length + 1);
  assert.equal(found.at(-1).message, `and ${total - findings.length} more findings, counted but not listed`);
});

test('edits in pieces: the diagnostics are those of the last version', async () => {
  const client = await ready(SCHEMAS);
  const uri = 'file:///a.json';
  const text = document([event('"ex:n": "😀", "bizStep": "shipping", ')], '\r\n');
  assert.deepEqual(await client.judged(uri, text), []);
  const start = positionOf(text, 'shipping');
  for (const [at, letter] of [...'XYZ'].entries()) await client.change(uri, at + 2, { range: { start, end: start }, text: letter });
  const [error] = await client.diagnostics(uri, 4);
  assert.equal(textIn(text.replace('shipping', 'ZYXshipping'), error.range), '"ZYXshipping"');
});

test('a document that is edited while it is judged is judged anew, and its old answer is dropped', async () => {
  const client = await ready();
  const uri = 'file:///a.json';
  const many = document(Array(30_000).fill(event('"bizStep": "shiping", ')));
  await client.open(uri, many);
  // The server answers this when the thread has the document, whose judging then takes seconds.
  const pending = client.ask('textDocument/documentSymbol', { textDocument: { uri } }).catch(({ code }) => code);
  await client.change(uri, 2, misspelt);
  assert.equal((await client.diagnostics(uri, 2)).length, 6);
  // LSP's ContentModified, or the symbols of the text as it was.
  const symbols = await pending;
  assert.ok(symbols === -32801 || symbols.length === 5000, `${symbols.length ?? symbols}`);
  assert.deepEqual(
    client.heard('textDocument/publishDiagnostics').map(({ version }) => version),
    [2],
  );
});

test('exit codes: 0 after shutdown, 1 without, and when the input ends; requests are refused before and after', async () => {
  const unready = new Client();
  clients.push(unready);
  const hover = { textDocument: { uri: 'file:///a.json' }, position: { line: 0, character: 0 } };
  await unready.notify('workspace/didChangeConfiguration', { settings: SCHEMAS });
  await assert.rejects(unready.ask('textDocument/hover', hover), { code: -32002 });
  await unready.notify('exit');
  assert.equal(await unready.exited, 1);

  const client = await ready();
  await client.judged('file:///a.json', misspelt);
  assert.equal(await client.ask('shutdown'), null);
  await assert.rejects(client.ask('textDocument/hover', hover), { code: -32600 });
  await client.notify('exit');
  assert.equal(await client.exited, 0);

  const cut = await ready();
  await cut.open('file:///a.json', document(Array(20_000).fill(event())));
  cut.process.stdin.end();
  assert.equal(await cut.exited, 1);
});

test('the command refuses files and unknown options', () => {
  for (const [args, sentence] of [
    [['a.json'], /lsp takes no files/],
    [['--socket=5'], /Unknown option '--socket'/],
    [['--clientProcessId', 'x'], /--clientProcessId is x, expected the number of a process/],
    [['--json'], /Unknown option '--json'/],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'lsp', ...args], { input: '', encoding: 'utf8' });
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, sentence);
  }
  const { status } = spawnSync(process.execPath, [cli, 'lsp', '--stdio', `--clientProcessId=${process.pid}`], { input: '' });
  assert.equal(status, 1);
});

test('a client that names no capabilities gets plain diagnostics', async () => {
  const client = await ready(undefined, {});
  const found = await client.judged('file:///a.json', misspelt);
  assert.ok(found.length > 2 && found.every((one) => one.codeDescription === undefined && one.relatedInformation === undefined));
  assert.ok(CAPABILITIES.textDocument.publishDiagnostics.codeDescriptionSupport);
});

test('docs/editors.md: the settings are accepted, and its document has the error that it names', async () => {
  const page = read('docs/editors.md');
  const examples = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text]) => text);
  const [own, setting] = [examples.find((text) => text.includes('ObjectEvent')), examples.find((text) => text.includes('"epcisEdge"'))];
  const client = await ready(JSON.parse(setting));
  const [error] = await client.judged('file:///event.json', own);
  assert.equal(textIn(own, error.range), '"shiping"');
  const [action] = await client.ask('textDocument/codeAction', {
    textDocument: { uri: 'file:///event.json' },
    range: error.range,
    context: { diagnostics: [] },
  });
  assert.equal(validate(edited(own, action.edit.documentChanges[0].edits)).valid, true);
  assert.ok(examples.some((text) => text.includes(`"${client.initialized.capabilities.codeActionProvider.codeActionKinds[1]}"`)));
});
