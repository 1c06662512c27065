// The reader of CSV. What it refuses is tested with the option --master-data, in cli-follow.test.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordsIn } from '../js/names/csv.ts';

const never = (...told) => assert.fail(told.join(', '));
const read = (text) => [...recordsIn(text, never)];

test('CSV: records with their lines; blank lines are none', () => {
  for (const [text, expected] of [
    ['', []],
    ['\n\r\n', []],
    ['a', [[1, 'a']]],
    ['a,', [[1, 'a', '']]],
    [',\r\n""', [[1, '', '']]],
    [
      '\n"a\r\n""b""\n",c\n\nd',
      [
        [2, 'a\r\n"b"\n', 'c'],
        [6, 'd'],
      ],
    ],
    ['" a","b,"\r\n', [[1, ' a', 'b,']]],
  ])
    assert.deepEqual(
      read(text).map(({ line, fields }) => [line, ...fields]),
      expected,
      JSON.stringify(text),
    );
});

test('CSV: whatever is written is read', () => {
  let seed = 7;
  const random = (most) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const pieces = ['a', ' ', '"', ',', '\n', '\r\n', 'ä🥛', ';'];
  for (let round = 0; round < 2000; round += 1) {
    const width = 2 + random(3);
    const rows = Array.from({ length: 1 + random(4) }, () =>
      Array.from({ length: width }, () => Array.from({ length: random(4) }, () => pieces[random(pieces.length)]).join('')),
    );
    const written = (field) => (/[",\r\n]/.test(field) || random(3) === 0 ? `"${field.replaceAll('"', '""')}"` : field);
    const end = ['\n', '\r\n'][random(2)];
    const text = rows.map((row) => row.map(written).join(',')).join(end) + (random(2) === 0 ? end : '');
    assert.deepEqual(
      read(text).map(({ fields }) => fields),
      rows,
      JSON.stringify(text),
    );
  }
});
