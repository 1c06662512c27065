// Hashing in Node: the project's own vectors under every profile.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EpcisError, hash, preHash, verify } from '../js/engine/node.ts';

const vectors = new URL('../../tests/vectors/hash/', import.meta.url);
const cases = readdirSync(vectors).map((name) => ({
  name,
  bytes: readFileSync(new URL(`${name}/input.json`, vectors)),
  expected: JSON.parse(readFileSync(new URL(`${name}/expected.json`, vectors), 'utf8')),
  options: { undeclared: JSON.parse(readFileSync(new URL(`${name}/case.json`, vectors), 'utf8')).undeclared },
}));

test('every vector has its hashes and strings, under every profile, from bytes and from text', () => {
  assert.ok(cases.length >= 12);
  for (const { name, bytes, expected, options } of cases) {
    for (const [profile, events] of Object.entries(expected)) {
      assert.deepEqual(preHash(bytes, { ...options, profile }), events, `${name} ${profile}`);
      const hashes = events.map((event) => event.hash);
      assert.deepEqual(hash(bytes, { ...options, profile }), hashes, `${name} ${profile}`);
      assert.deepEqual(hash(bytes.toString('utf8'), { ...options, profile }), hashes, `${name} ${profile}`);
    }
    assert.deepEqual(
      hash(bytes, options),
      expected['CBV2.0'].map((event) => event.hash),
      `${name}: the default`,
    );
  }
});

test('a hash is the SHA-256 of its string', () => {
  for (const { bytes, options } of cases) {
    for (const { hash: uri, preHash: text } of preHash(bytes, { ...options, profile: 'CBV2.1' })) {
      assert.equal(uri, `ni:///sha-256;${createHash('sha256').update(text).digest('hex')}?ver=CBV2.1`);
    }
  }
});

test('verify names the profiles under which an eventID recomputes', () => {
  const event = { type: 'ObjectEvent', eventTime: '2026-03-04T11:00:30Z', eventTimeZoneOffset: '+00:00', action: 'OBSERVE' };
  const sensor = { ...event, sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 4.5 }] }] };
  const withID = (eventID, of = event) => ({ ...of, eventID });
  assert.deepEqual(verify([event, withID('urn:uuid:0d95'), withID(hash(event)[0]), withID(hash(sensor)[0])]), [
    { result: 'not-hash-form', profiles: [] },
    { result: 'not-hash-form', profiles: [] },
    { result: 'matches', profiles: ['CBV2.0', 'REF2025'] },
    { result: 'matches-none', profiles: [] },
  ]);
  assert.deepEqual(verify(withID(hash(sensor, { profile: 'REF2025' })[0], sensor)), [{ result: 'matches', profiles: ['REF2025'] }]);
  assert.deepEqual(verify(withID(hash(sensor, { profile: 'CBV2.1' })[0], sensor)), [{ result: 'matches', profiles: ['CBV2.1'] }]);
});

test('what cannot be hashed is thrown as an Error with a problem', () => {
  for (const document of ['{}', '[]', '[1]', '{']) {
    assert.throws(
      () => hash(document),
      (error) => error instanceof EpcisError && error.name === 'EpcisError' && error.problem.type === 'epcisException:ValidationException',
    );
  }
});

test('an event cut out of its document is refused until its prefixes are declared', () => {
  const context = ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', { ex: 'https://ex.example/' }];
  const event = { type: 'ObjectEvent', action: 'ADD', 'ex:lot': 'A' };
  const [whole] = hash({ '@context': context, epcisBody: { eventList: [event] } });
  const refused = (error) =>
    error instanceof EpcisError &&
    error.problem.title === 'Undeclared prefix' &&
    error.problem.location.path === '/ex:lot' &&
    /`ex` of `ex:lot`/.test(error.message);
  for (const call of [hash, preHash]) {
    assert.throws(() => call(event), refused);
    assert.throws(() => call(event, { context: 'https://foreign.example/' }), refused);
  }
  for (const given of [context, context[1], { ex: { '@id': 'https://ex.example/' } }]) {
    assert.deepEqual(hash(event, { context: given }), [whole]);
    assert.equal(preHash(event, { context: given })[0].preHash, 'eventType=ObjectEventaction=ADD{https://ex.example/}lot=A');
    assert.deepEqual(verify({ ...event, eventID: whole }, { context: given }), [{ result: 'matches', profiles: ['CBV2.0', 'REF2025'] }]);
  }
  assert.equal(preHash(event, { undeclared: 'keep' })[0].preHash, 'eventType=ObjectEventaction=ADDex:lot=A');
  assert.throws(() => verify({ ...event, eventID: whole }), refused);
  assert.deepEqual(verify({ ...event, eventID: whole }, { undeclared: 'keep' }), [{ result: 'matches-none', profiles: [] }]);
  assert.equal(verify(event)[0].result, 'not-hash-form');
});

test('what counts for nothing beside XML is refused', () => {
  const xml =
    '<ObjectEvent><eventTime>2026-01-05T10:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList/><action>ADD</action></ObjectEvent>';
  for (const asked of [hash, preHash, verify]) {
    assert.equal(asked(xml).length, 1);
    for (const options of [{ context: { ex: 'https://ex.example/' } }, { undeclared: 'keep' }])
      assert.throws(
        () => asked(xml, options),
        (error) => error instanceof EpcisError && /beside XML/.test(error.message),
      );
  }
});
