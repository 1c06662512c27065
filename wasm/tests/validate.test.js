// Validation in Node.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { validate } from '../js/engine/node.ts';

const vectors = new URL('../../tests/vectors/validate/', import.meta.url);
const cases = readdirSync(vectors).map((name) => ({
  name,
  bytes: readFileSync(new URL(`${name}/input.json`, vectors)),
  expected: JSON.parse(readFileSync(new URL(`${name}/expected.json`, vectors), 'utf8')),
}));

const base = { eventTime: '2026-03-04T11:00:30Z', eventTimeZoneOffset: '+00:00', epcList: [], action: 'OBSERVE' };
const event = { '@context': 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', type: 'ObjectEvent', ...base };

function thrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('every vector: bytes, text and object get the same verdict', () => {
  assert.ok(cases.length >= 20);
  for (const { name, bytes, expected } of cases) {
    const verdict = validate(bytes);
    assert.deepEqual(verdict.errors, expected, name);
    assert.equal(verdict.valid, expected.length === 0, name);
    assert.deepEqual(validate(bytes.toString('utf8')), verdict, name);
    assert.deepEqual(validate(new Uint8Array(bytes).buffer), verdict, name);
    const fromObject = validate(JSON.parse(bytes.toString('utf8')));
    assert.deepEqual(new Set(fromObject.errors.map((error) => error.path)), new Set(expected.map((error) => error.path)), name);
  }
});

test('answers are plain objects', () => {
  const verdict = validate(event);
  assert.deepEqual(verdict, {
    valid: true,
    schema: {
      artefact: 'epcis-json-schema.json',
      version: '2.0.1',
      sha256: '0f46ff694efffd8d8ce840a33dfde84228add11b516b8b258f3200740ae210af',
      engine: 'compiled',
    },
    errors: [],
  });
  assert.equal(Object.getPrototypeOf(verdict.schema), Object.prototype);
  assert.equal(JSON.parse(JSON.stringify(verdict)).valid, true);
});

test('what cannot be judged is thrown as an Error with a problem', () => {
  for (const [document, place] of [
    ['', ''],
    ['{"a": [1', '/a'],
    ['{"a": 1e400}', '/a'],
    ['["\\ud800"]', ''],
    ['{"a":'.repeat(100_000), undefined],
    [new Uint8Array([0xff, 0xfe, 0x7b, 0]), ''],
    ['"\ud800"', undefined],
  ]) {
    const error = thrown(() => validate(document));
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'EpcisError');
    assert.equal(error.problem.type, 'epcisException:ValidationException');
    assert.equal(error.problem.status, 400);
    assert.equal(error.message, error.problem.detail);
    if (place !== undefined) assert.equal(error.problem.location.path, place);
    assert.equal(validate(event).valid, true, 'the next call works');
  }
});

test('what JSON cannot say is a TypeError', () => {
  for (const document of [undefined, () => 1, Symbol('x')]) {
    assert.ok(thrown(() => validate(document)) instanceof TypeError);
  }
  const cyclic = {};
  cyclic.self = cyclic;
  assert.ok(thrown(() => validate(cyclic)) instanceof TypeError);
  assert.ok(thrown(() => validate({ quantity: 1n })) instanceof TypeError);
});

test('a null, a number or a boolean is judged like any root that is no object', () => {
  for (const document of [null, 7, true, [1]]) {
    assert.deepEqual(
      validate(document).errors.map(({ path, keyword }) => [path, keyword]),
      [['', 'type']],
    );
  }
});

test('XML is told by its first character, as bytes and as text, and judged by its XML schema', () => {
  const folder = new URL('../../tests/vectors/xml/', import.meta.url);
  const names = readdirSync(folder);
  assert.ok(names.length >= 8);
  for (const name of names) {
    const bytes = readFileSync(new URL(name, folder));
    const verdict = validate(bytes);
    assert.deepEqual([verdict.valid, verdict.errors], [true, []], name);
    assert.equal(verdict.schema.version, name.includes('2.0') ? '2.0' : '1.2', name);
    assert.deepEqual(validate(bytes.toString('utf8')), verdict, name);
  }
  const { valid, schema, errors } = validate(
    '<e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:1" schemaVersion="1.1" creationDate="2026-11-20T08:00:00Z">\n <Body/></e:EPCISDocument>',
  );
  assert.equal(valid, false);
  assert.deepEqual(schema, { artefact: 'EPCglobal-epcis-1_2.xsd', version: '1.2', namespace: 'urn:epcglobal:epcis:xsd:1' });
  const [{ path, line, column, keyword }] = errors;
  assert.deepEqual([path, line, column, keyword], ['/e:EPCISDocument/Body[1]', 2, 2, 'cvc-complex-type.2.4']);
  assert.equal(thrown(() => validate('<a>')).problem.location.path, '/a');
});
