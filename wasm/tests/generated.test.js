// The files made from the schema by scripts/types.ts agree with it.
// Invariant: The types and constants of the package are those of the pinned schema.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from 'epcis-edge';
import * as cbv from 'epcis-edge/cbv';
import { LISTS_OF, MEMBERS, TYPES } from '../document/members.ts';
import { officialSchema } from '../../scripts/types.ts';

test('the schema is the one that judges', () => {
  assert.equal(officialSchema().$id.split('/').at(-2), validate('{}').schema.version);
});

const base = {
  '@context': 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  type: 'ObjectEvent',
  action: 'OBSERVE',
  eventTime: '2026-03-04T11:00:30Z',
  eventTimeZoneOffset: '+00:00',
  epcList: [],
};
const sensor = (report) => ({ sensorElementList: [{ sensorReport: [{ type: 'Temperature', ...report }] }] });
const PLACES = {
  Action: (action) => ({ action }),
  BizStep: (bizStep) => ({ bizStep }),
  Disposition: (disposition) => ({ disposition }),
  BizTransactionType: (type) => ({ bizTransactionList: [{ type, bizTransaction: 'urn:x:1' }] }),
  SourceDestType: (type) => ({ sourceList: [{ type, source: 'urn:x:1' }] }),
  ErrorReason: (reason) => ({ errorDeclaration: { declarationTime: '2026-03-04T11:00:30Z', reason } }),
  Component: (component) => sensor({ component }),
  MeasurementType: (type) => sensor({ type }),
  SensorAlertType: (exception) => sensor({ exception }),
};

test('every word of every list is accepted in its place, has a meaning, and no other bare word is', () => {
  assert.deepEqual(
    Object.keys(cbv.meanings),
    Object.keys(cbv)
      .filter((name) => PLACES[name])
      .sort((a, b) => Object.keys(cbv.meanings).indexOf(a) - Object.keys(cbv.meanings).indexOf(b)),
  );
  for (const [list, place] of Object.entries(PLACES)) {
    assert.deepEqual(Object.keys(cbv[list]), Object.keys(cbv.meanings[list]));
    for (const [key, word] of Object.entries(cbv[list])) {
      assert.equal(key, word);
      assert.ok(validate({ ...base, ...place(word) }).valid, `${list} ${word}`);
      assert.match(cbv.meanings[list][word], /^[^A-Z\s].{9,}[^.]$|^SI /, `${list} ${word}`);
    }
    assert.ok(!validate({ ...base, ...place('no_word') }).valid, list);
  }
});

test('a word is told in each spelling', () => {
  for (const value of ['shipping', 'urn:epcglobal:cbv:bizstep:shipping', 'https://ref.gs1.org/cbv/BizStep-shipping', 'cbv:BizStep-shipping'])
    assert.equal(cbv.wordOf('BizStep', value), 'shipping');
  for (const value of ['https://gs1.org/voc/Temperature', 'https://ref.gs1.org/voc/Temperature', 'gs1:Temperature'])
    assert.equal(cbv.wordOf('MeasurementType', value), 'Temperature');
  assert.equal(cbv.wordOf('Action', 'ADD'), 'ADD');
  assert.equal(cbv.wordOf('BizStep', 'toString'), undefined);
  assert.throws(() => cbv.wordOf('Steps', 'shipping'), /there is no list Steps, expected Action, BizStep/);
  assert.throws(() => cbv.wordOf('BizStep', 5), TypeError);
});

test('a member has the lists whose words it accepts, and a bare word is in one of its lists alone', () => {
  for (const [list, place] of Object.entries(PLACES)) {
    const [word] = Object.keys(cbv[list]);
    const name = /"([^"@]+)":(?:\[)?"@"/.exec(JSON.stringify(place('@')))[1];
    assert.ok(LISTS_OF[name].includes(list), `${list} ${name} ${word}`);
  }
  for (const [name, lists] of Object.entries(LISTS_OF)) {
    const words = lists.flatMap((list) => Object.keys(cbv[list]));
    assert.equal(new Set(words).size, words.length, name);
  }
});

test('what members and types are is told of those of the schema', () => {
  const schema = JSON.stringify(officialSchema());
  for (const [name, text] of [...Object.entries(MEMBERS), ...Object.entries(TYPES)]) {
    assert.ok(schema.includes(`"${name}"`), name);
    assert.match(text, /^[A-Z].*\.(?:\s|$)|^[A-Z][^.]*\.$/, name);
  }
  // A name that means several things has no text.
  assert.equal(MEMBERS.type, undefined);
});
