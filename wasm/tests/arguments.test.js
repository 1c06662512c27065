// Wrong arguments: each error says what was expected, and nothing is guessed.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import vm from 'node:vm';
import * as epcis from '../js/engine/node.ts';

const { hash, preHash, verify, validate, translate, toXml, toXmlStream, translateStream, validateStream, identifiers, init, EpcisError } = epcis;
const event = { type: 'ObjectEvent', action: 'ADD', epcList: ['urn:epc:id:sscc:9521141.1234567890'] };

function refused(call, sentence) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof TypeError, `${call}: ${error}`);
    assert.match(error.message, sentence, String(call));
    return true;
  });
}

test('options that are none, unknown, or of another kind', () => {
  for (const [call, sentence] of [
    [() => hash(event, 'CBV2.1'), /second argument of hash is "CBV2\.1", expected an object with the options profile, context, undeclared/],
    [() => hash(event, null), /is null, expected an object/],
    [() => hash(event, 5), /is 5, expected an object/],
    [() => hash(event, ['CBV2.1']), /is an Array, expected an object/],
    [() => hash(event, new Map([['profile', 'CBV2.1']])), /is a Map, expected an object/],
    [() => hash(event, { profile: 2 }), /option profile of hash is 2, expected 'CBV2\.0' or 'CBV2\.1' or 'REF2025'/],
    [() => hash(event, { profile: 'CBV1.2' }), /is "CBV1\.2", expected 'CBV2\.0'/],
    [() => hash(event, { profile: null }), /is null, expected 'CBV2\.0'/],
    [() => hash(event, { profil: 'CBV2.1' }), /no option "profil", expected/],
    [() => preHash(event, { profile: {} }), /is an Object, expected 'CBV2\.0'/],
    [() => hash(event, { undeclared: true }), /option undeclared of hash is true, expected 'refuse' or 'keep'/],
    [() => hash(event, { context: 5 }), /option context of hash is 5, expected a JSON-LD context/],
    [() => hash(event, { context: [5] }), /option context of hash is an Array, expected a JSON-LD context/],
    [() => hash(event, { context: null }), /is null/],
    [() => verify(event, { profile: 'CBV2.0' }), /verify has no option "profile", expected an object with the options context, undeclared/],
    [() => validate(event, { strict: true }), /validate has no option "strict", expected nothing/],
    [() => toXml(event, { version: 2 }), /option version of toXml is 2, expected '2\.0' or '1\.2'/],
    [() => toXml(event, { version: '3' }), /is "3", expected/],
    [() => toXml(event, '1.2'), /second argument of toXml/],
    [() => translate('<a/>', { as: 'txt' }), /option as of translate is "txt", expected 'object' or 'text'/],
    [() => translate('<a/>', 'text'), /second argument of translate/],
    [() => toXmlStream('{}'), /document is "\{\}", expected a Blob/],
    [() => toXmlStream(new Blob(), { version: '3' }), /expected '2\.0' or '1\.2'/],
    [() => translateStream({ as: 'csv' }), /expected 'ndjson' or 'text' or 'object'/],
    [() => translateStream('text'), /second argument of translateStream|expected an object/],
    [() => validateStream({ as: 'text' }), /no option "as"/],
    [() => identifiers.toDigitalLink(5), /the identifier is 5, expected a string/],
    [() => identifiers.toDigitalLink(), /is undefined, expected a string/],
    [() => identifiers.toEpcUrn(5, 7), /the Digital Link is 5/],
    [() => identifiers.toEpcUrn('https://id.gs1.org/00/040123450000003338', '7'), /companyPrefixLength is "7", expected a whole number/],
    [() => identifiers.toEpcUrn('https://id.gs1.org/00/040123450000003338'), /is undefined/],
    [() => identifiers.toEpcUrn('https://id.gs1.org/00/040123450000003338', 7.5), /is 7\.5/],
    [() => identifiers.toEpcUrn('https://id.gs1.org/00/040123450000003338', -1), /is -1/],
    [() => identifiers.toEpcUrn('https://id.gs1.org/00/040123450000003338', NaN), /is NaN/],
  ])
    refused(call, sentence);
  assert.deepEqual(hash(event, { profile: undefined }), hash(event, {}));
  assert.deepEqual(hash(event, Object.assign(Object.create(null), { profile: 'CBV2.0' })), hash(event));
  assert.throws(() => identifiers.toEpcUrn('https://id.gs1.org/00/040123450000003338', 1), EpcisError);
});

test('what is no document is not taken for an empty one', async () => {
  const strange = [
    [new Blob(['{}']), /is a Blob, expected a document .*await its bytes\(\) first/],
    [new Response('{}'), /is a Response, .*await its bytes\(\) first/],
    [Promise.resolve('{}'), /is a Promise, .*await it first/],
    [{ then() {} }, /await it first/],
    [new Map([['type', 'ObjectEvent']]), /is a Map/],
    [new Set(), /is a Set/],
    [new ReadableStream(), /is a ReadableStream, .*validateStream or translateStream first/],
    [Readable.from(['{}']), /is a Readable/],
    [(async function* () {})(), /expected a document/],
    [new Date(0), /is a Date/],
    [new URL('https://example.com/'), /is an? URL/],
    [/x/, /is a RegExp/],
    [new Error('x'), /is an Error/],
    [new Float64Array(4), /is a Float64Array/],
    [new DataView(new ArrayBuffer(4)), /is a DataView/],
    [undefined, /is undefined/],
    [() => 1, /is a function/],
    [Symbol('x'), /is a symbol/],
    [NaN, /is NaN, expected a number that JSON can represent/],
    [{ ...event, quantity: NaN }, /\/quantity is NaN, expected a number that JSON can represent/],
    [{ epcisBody: { eventList: new Map() } }, /\/epcisBody\/eventList is a Map, expected a value that JSON can represent/],
    [[event, Promise.resolve(event)], /\/1 is a Promise/],
  ];
  for (const [document, sentence] of strange) {
    for (const call of [validate, hash, preHash, verify, toXml]) refused(() => call(document), sentence);
    refused(() => translate(document), /XML as Uint8Array, ArrayBuffer or string/);
  }
  for (const call of [validate, hash, preHash, verify, toXml]) {
    assert.throws(() => call({ quantity: 1n }), TypeError);
    const cycle = {};
    cycle.self = cycle;
    assert.throws(() => call(cycle), TypeError);
  }
  for (const stream of [validateStream(), translateStream()]) {
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    const read = assert.rejects(reader.read(), TypeError);
    await assert.rejects(writer.write(5), (error) => error instanceof TypeError && /the chunk is 5, expected Uint8Array/.test(error.message));
    await read;
  }
});

test('what JSON.parse and other realms make is taken, and what an object says of itself', () => {
  const [expected] = hash(event);
  const there = vm.createContext({ text: JSON.stringify(event) });
  for (const document of [
    vm.runInContext('JSON.parse(text)', there),
    vm.runInContext('new Uint8Array([...text].map((c) => c.charCodeAt(0)))', there),
    vm.runInContext('new Uint8Array([...text].map((c) => c.charCodeAt(0))).buffer', there),
    Object.assign(Object.create(null), event),
    new (class Event {
      constructor() {
        Object.assign(this, event);
      }
    })(),
    { toJSON: () => event },
    { ...event, bizStep: undefined },
    Buffer.from(JSON.stringify(event)),
    new SharedArrayBuffer(0).byteLength === 0 && Buffer.from(`  ${JSON.stringify(event)}`).subarray(2),
  ])
    assert.deepEqual(hash(document), [expected]);
  assert.equal(hash({ ...event, eventTime: new Date(0) })[0], hash({ ...event, eventTime: '1970-01-01T00:00:00.000Z' })[0]);
});

test('every refusal is an EpcisError with its problem', async () => {
  for (const call of [
    () => validate('{'),
    () => hash('{}'),
    () => preHash('['),
    () => verify('x'),
    () => translate('<a>'),
    () => toXml('{'),
    () => identifiers.toEpcUrn('x', 7),
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof EpcisError && error instanceof Error && !(error instanceof TypeError));
      assert.equal(error.name, 'EpcisError');
      assert.equal(error.message, error.problem.detail);
      assert.match(error.stack, /arguments\.test\.js/);
      return true;
    });
  }
  for (const stream of [validateStream(), translateStream()]) {
    await assert.rejects(async () => {
      for await (const _ of new Blob(['{<']).stream().pipeThrough(stream));
    }, EpcisError);
  }
});

test('init refuses what is no source, and is done when the engine is there', async () => {
  validate('{}');
  await init();
  await init(new URL('file:///nowhere'));
});
