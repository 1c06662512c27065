// The rules of names in master data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classOf, elementsOf, lastPart, namesOf } from '../js/names/names.ts';
import { identifiers } from '../js/engine/node.ts';

const canonicalOf = (id) => identifiers.toDigitalLink(id);
const MDA = 'urn:epcglobal:cbv:mda#';
const element = (id, attributes) => ({ id, attributes: Object.entries(attributes).map(([name, attribute]) => ({ id: `${MDA}${name}`, attribute })) });
const nameFrom = (attributes) => namesOf([[{ id: 'urn:x:a', attributes }]], canonicalOf).nameOf('urn:x:a');

test('names: the best attribute is the name, by the last part of its URI', () => {
  for (const [attributes, name] of [
    [[], undefined],
    [[{ id: `${MDA}city`, attribute: 'Durham' }], undefined],
    [[{ id: 'https://ref.gs1.org/cbv/mda/descriptionShort', attribute: 'Juice' }], 'Juice'],
    [
      [
        { id: `${MDA}descriptionShort`, attribute: 'Juice' },
        { id: 'ex:name', attribute: ' Apple\n  juice ' },
      ],
      'Apple juice',
    ],
    // The first of a repeated attribute counts, and a blank name is none.
    [
      [
        { id: 'name', attribute: ' ' },
        { id: 'name', attribute: 'A' },
        { id: 'productName', attribute: 'B' },
      ],
      'B',
    ],
    [{ id: 'name', attribute: 'Not in a list' }, 'Not in a list'],
    [[null, 'name', { attribute: 'A' }, { id: 4, attribute: 'A' }, { id: 'name', attribute: { words: 'A' } }], undefined],
    [undefined, undefined],
  ])
    assert.equal(nameFrom(attributes), name, JSON.stringify(attributes));
});

test('names: at most 80 characters, none of them cut in two', () => {
  const named = (attribute) => nameFrom([{ id: 'name', attribute }]);
  assert.equal(named('x'.repeat(80)), 'x'.repeat(80));
  assert.equal(named(`  ${'x'.repeat(81)}`), `${'x'.repeat(80)}…`);
  assert.equal(named('🥛'.repeat(80)), '🥛'.repeat(80));
  assert.equal(named(`y${'🥛'.repeat(1000)}`), `y${'🥛'.repeat(79)}…`);
});

test('names: in any spelling; of the class, if there is none of its own; the first source counts', () => {
  const [lot, item, dock] = ['urn:epc:class:lgtin:9521141.012345.L1', 'urn:epc:id:sgtin:9521141.012345.A1', 'urn:epc:id:sgln:9521141.00001.0'];
  const { nameOf, attributesOf } = namesOf(
    [
      [element('urn:epc:idpat:sgtin:9521141.012345.*', { descriptionShort: 'Juice' }), element(dock, { city: 'Durham' })],
      [element(canonicalOf(dock), { name: 'Dock' }), element(lot, { bestBefore: '2027' })],
      [element('urn:epc:idpat:sgtin:9521141.012345.*', { name: 'Another' }), element(dock, { name: 'Another' }), element(item, { name: 'Sample' })],
      [null, 'x', {}, { id: 5 }],
    ],
    canonicalOf,
  );
  assert.deepEqual([lot, item, canonicalOf(item), `${item}2`, dock, canonicalOf(dock), 'urn:x:a', undefined, {}].map(nameOf), [
    'Juice',
    'Sample',
    'Sample',
    'Juice',
    'Dock',
    'Dock',
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual(
    [lot, dock, `${item}2`, 'urn:x:a'].map((id) => attributesOf(id).map(({ id, attribute }) => `${lastPart(id)} ${attribute}`)),
    [['bestBefore 2027'], ['city Durham'], ['descriptionShort Juice'], []],
  );
});

test('names: the class of a serial or a lot', () => {
  for (const [id, expected] of [
    ['urn:epc:id:sgtin:9521141.012345.A1', 'https://id.gs1.org/01/09521141123454'],
    ['urn:epc:class:lgtin:9521141.012345.L1', 'https://id.gs1.org/01/09521141123454'],
    ['urn:epc:idpat:sgtin:9521141.012345.*', undefined],
    ['urn:epc:id:sscc:9521141.1234567890', undefined],
    ['urn:epc:id:sgln:9521141.00001.7', undefined],
  ])
    assert.equal(classOf(canonicalOf(id)), expected, id);
});

test('names: the elements of a header, a master data document, a query result, or of nothing', () => {
  const list = [{ type: 'urn:epcglobal:epcis:vtype:Location', vocabularyElementList: [{ id: 'urn:x:a' }] }];
  for (const [document, expected] of [
    [{ epcisHeader: { epcisMasterData: { vocabularyList: list } } }, list[0].vocabularyElementList],
    [{ epcisBody: { vocabularyList: list } }, list[0].vocabularyElementList],
    [{ epcisBody: { queryResults: { resultsBody: { vocabularyList: list[0] } } } }, list[0].vocabularyElementList],
    [{ epcisHeader: { epcisMasterData: { vocabularyList: [null, 7, {}] } } }, []],
    [undefined, []],
  ])
    assert.deepEqual(elementsOf(document), expected);
});
