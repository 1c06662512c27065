// Words and numbers in the form in which the page shows them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { count, moment } from '../src/shared/words.ts';

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
