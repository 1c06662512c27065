// Translation in Node: the project's own vectors, both ways.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hash, identifiers, toXml, translate, translateStream } from '../js/engine/node.ts';

const vectors = new URL('../../tests/vectors/translate/', import.meta.url);
const text = (name, file) => readFileSync(new URL(`${name}/${file}`, vectors), 'utf8');
const cases = readdirSync(vectors);

test('every XML vector: document, report and verdict, from bytes and from text', () => {
  const xml = cases.filter((name) => existsSync(new URL(`${name}/input.xml`, vectors)));
  assert.ok(xml.length >= 10);
  for (const name of xml) {
    const bytes = readFileSync(new URL(`${name}/input.xml`, vectors));
    const translation = translate(bytes);
    assert.deepEqual(translation.document, JSON.parse(text(name, 'expected.json')), name);
    assert.deepEqual(translation.fidelityReport, JSON.parse(text(name, 'report.json')), name);
    assert.deepEqual(translation.sourceVerdict, JSON.parse(text(name, 'verdict.json')), name);
    assert.deepEqual(translate(bytes.toString('utf8')), translation, name);
    const asText = translate(bytes, { as: 'text' });
    assert.deepEqual(JSON.parse(asText.document), translation.document, name);
  }
});

test('every JSON vector back to XML', () => {
  const json = cases.filter((name) => existsSync(new URL(`${name}/input.json`, vectors)));
  assert.ok(json.length >= 2);
  for (const name of json) {
    const translation = toXml(text(name, 'input.json'), { version: name.endsWith('1.2') ? '1.2' : '2.0' });
    assert.equal(translation.document, text(name, 'expected.xml'), name);
    assert.deepEqual(translation.report, JSON.parse(text(name, 'report.json')), name);
  }
});

test('what the schema does not accept is kept where somebody asks for it, with its errors', () => {
  const xml = text('v12-error-declaration', 'input.xml').replace(/<action>[A-Z]+/, '<action>NOPE');
  assert.throws(() => translate(xml), /NOPE/);
  const { document, errors, sourceVerdict } = translate(xml, { validate: false });
  assert.equal(document.epcisBody.eventList[0].action, 'NOPE');
  assert.equal(sourceVerdict.valid, false);
  assert.equal(errors.length, 1);
  assert.equal(errors[0].path, '/epcisBody/eventList/0/action');
  assert.match(errors[0].source.path, /action\[1\]$/);
  assert.ok(errors[0].source.line > 1);
  assert.throws(() => translate(xml, { validate: 'no' }), TypeError);
  const fine = translate(text('v11-homes', 'input.xml'), { validate: false, as: 'text' });
  assert.deepEqual(fine.errors, []);
  assert.deepEqual(JSON.parse(fine.document), JSON.parse(text('v11-homes', 'expected.json')));
});

test('numbers keep their digits as text', () => {
  const event = (quantity) =>
    `<ObjectEvent><eventTime>2026-03-04T11:00:30Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList/><action>OBSERVE</action>
     <quantityList><quantityElement><epcClass>urn:epc:class:lgtin:9521141.012345.L1</epcClass><quantity>${quantity}</quantity></quantityElement></quantityList></ObjectEvent>`;
  assert.match(translate(event('123456789012345678901.000001'), { as: 'text' }).document, /"quantity":123456789012345678901\.000001/);
});

test('as an object, digits that JavaScript does not hold are lost, and told', async () => {
  const event = (quantity) =>
    `<ObjectEvent><eventTime>2026-03-04T11:00:30Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList/><action>OBSERVE</action>
     <quantityList><quantityElement><epcClass>urn:epc:class:lgtin:9521141.012345.L1</epcClass><quantity>${quantity}</quantity></quantityElement></quantityList></ObjectEvent>`;
  for (const [quantity, isLost] of [
    ['7.50', false],
    ['0.1', false],
    ['0.12345678901234567890', true],
    ['9007199254740993', true],
  ]) {
    const xml = event(quantity);
    const paths = isLost ? ['/ObjectEvent/quantityList[1]/quantityElement[1]/quantity[1]'] : [];
    const asObject = translate(xml);
    assert.deepEqual([asObject.fidelityReport.roundTripClean, asObject.fidelityReport.lossyPaths], [!isLost, paths], quantity);
    const [note] = asObject.fidelityReport.noteList.filter(({ code }) => code === 'number-beyond-float');
    assert.equal(note?.value, isLost ? quantity : undefined);
    // The hash agrees with the note.
    assert.equal(hash(xml)[0] === hash(asObject.document)[0], !isLost, quantity);
    const asText = translate(xml, { as: 'text' });
    assert.equal(asText.fidelityReport.roundTripClean, true);
    assert.equal(hash(asText.document)[0], hash(xml)[0]);
    for (const as of ['object', 'text', 'ndjson']) {
      const stream = translateStream({ as });
      const { writable, readable, report } = stream;
      const writer = writable.getWriter();
      writer.write(new TextEncoder().encode(xml));
      writer.close();
      for await (const _ of readable);
      const { fidelityReport } = await report;
      assert.equal(fidelityReport.roundTripClean, as !== 'object' || !isLost, `${as} ${quantity}`);
    }
  }
});

test('a translation that the schema refuses is thrown with report and errors', () => {
  assert.throws(
    () => translate('<ObjectEvent>\n<eventTime>yesterday</eventTime></ObjectEvent>'),
    ({ name, problem }) =>
      name === 'EpcisError' &&
      problem.type === 'epcisException:ValidationException' &&
      problem.fidelityReport.roundTripClean === true &&
      problem.errors.some((error) => error.path === '/eventTime' && error.source.path === '/ObjectEvent/eventTime[1]' && error.source.line === 2),
  );
});

test('what is no XML is thrown with its place', () => {
  assert.throws(
    () => translate('<ObjectEvent>\n <b></c>\n</ObjectEvent>'),
    ({ problem }) => problem.location.line === 2,
  );
  assert.throws(() => translate({}), TypeError);
});

test('identifiers go both ways', () => {
  assert.equal(identifiers.toDigitalLink('urn:epc:id:sscc:4012345.0000000333'), 'https://id.gs1.org/00/040123450000003338');
  assert.equal(identifiers.toEpcUrn('https://id.gs1.org/00/040123450000003338', 7), 'urn:epc:id:sscc:4012345.0000000333');
  assert.equal(identifiers.toDigitalLink('urn:uuid:1'), undefined);
  assert.throws(
    () => identifiers.toEpcUrn('https://example.com/', 7),
    ({ name }) => name === 'EpcisError',
  );
});

test('a translation that is not valid is written if it is asked for, with its errors, and never as a success', () => {
  const zoneless = readFileSync(new URL('../../tests/vectors/translate/v12-error-declaration/input.xml', import.meta.url), 'utf8').replace(
    /<eventTime>([^<]*?)(?:Z|[+-]\d\d:\d\d)<\/eventTime>/,
    '<eventTime>$1</eventTime>',
  );
  assert.throws(
    () => translate(zoneless),
    ({ hint, problem }) => hint.includes('validate: false') && problem.errors.length === 1,
  );
  const { document, errors } = translate(zoneless, { as: 'text', validate: false });
  const run = (...args) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url)), 'translate', ...args], { input: zoneless, encoding: 'utf8' });
  const kept = run('--invalid', 'keep');
  assert.deepEqual([kept.status, kept.stdout], [4, `${document}\n`]);
  assert.ok(kept.stderr.includes(errors[0].message));
  const line = run('--invalid', 'keep', '--json');
  assert.deepEqual([line.status, JSON.parse(line.stdout).errors], [4, errors]);
  for (const args of [[], ['--ndjson']]) {
    const refused = run(...args);
    assert.deepEqual([refused.status, refused.stdout], [4, '']);
    assert.match(refused.stderr, /`epcis-edge translate --invalid keep` writes the JSON all the same/);
  }
  assert.match(run('--invalid', 'drop').stderr, /--invalid is drop, expected keep/);
  assert.match(run('--invalid', 'keep', '--ndjson').stderr, /exclude each other/);
});
