// Words and numbers in the form in which the page shows them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { itemModel } from '../src/item/item-model.ts';
import { count, moment, nameOf } from '../src/shared/words.ts';

test('what is counted has its plural', () => {
  const found = ['event', 'loss', 'box'].flatMap((noun) => [count(1, noun), count(2, noun)]);
  assert.deepEqual(found, ['1 event', '2 events', '1 loss', '2 losses', '1 box', '2 boxes']);
  assert.equal(count(1000, 'error'), '1,000 errors');
});

test('what is not a time stays as it is, whatever type it has', () => {
  const time = '2026-03-04T11:00:30Z';
  assert.equal(moment(time), '4 Mar 2026, 11:00:30 UTC');
  assert.deepEqual(
    [[time], 2026, null, '2026-02-30T11:00:30Z'].map((other) => moment(other)),
    [time, '2026', 'null', '2026-02-30T11:00:30Z'],
  );
});

test('words of an item that every object of JavaScript has are words like any other', () => {
  for (const word of ['constructor', 'toString', '__proto__']) {
    const id = `https://id.gs1.org/${word}/1`;
    assert.equal(nameOf(id, id).text, id);
    const event = { type: 'AggregationEvent', action: word, parentID: 'urn:x:box', childEPCs: [id] };
    const presences = ['childEPCs', 'parentID'].map((role) => ({ item: id, how: 'named', role, certain: true }));
    const answer = {
      ...{ type: 'OK', items: [id], direction: 'both', contents: [], ties: [], incomplete: [] },
      events: [{ event, presences, withdrawn: false }],
      things: [{ id, spelling: id, kind: word }],
    };
    const model = itemModel(answer, { canonicalOf: (name) => name, names: { nameOf: () => undefined, attributesOf: () => [] }, indexOf: (_, at) => at });
    assert.deepEqual(structuredClone(model), model);
    assert.doesNotMatch(JSON.stringify(model), /native code|\[object/);
  }
});
