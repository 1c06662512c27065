// Places of the engine, whose columns are UTF-8 bytes, as offsets in the text of the page.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Lines } from '../../wasm/document/text-lines.ts';
import { validate } from '../../wasm/js/engine/node.ts';

/** The text at the place of the fault that the engine finds. */
function faulty(text) {
  try {
    validate(text);
  } catch ({ problem: { location } }) {
    const { from, to } = new Lines(text).range(location.line, location.column);
    return text.slice(from, to);
  }
  return undefined;
}

test('the place of a fault is that of its characters, whatever stands before it in its line', () => {
  for (const before of ['', 'plain', 'é', '漢字', '😀', '😀é漢 '])
    for (const lineEnd of ['\n', '\r\n', '\r', ' ']) {
      assert.equal(faulty(`{"a": "${before}",${lineEnd}"b": "${before}", "c": wrong}`), 'wrong', `${before} ${JSON.stringify(lineEnd)}`);
      assert.equal(faulty(`<a x="${before}">${lineEnd}${before}<b></a>`), '</a>', `${before} ${JSON.stringify(lineEnd)}`);
    }
});

test('places and offsets are each other’s reverse, in any order', () => {
  const text = 'a😀b\r\né漢\n\n😀😀';
  const lines = new Lines(text);
  const starts = [...text.matchAll(/./gsu)].map(({ index }) => index);
  for (const order of [starts, [...starts].reverse(), [...starts, ...starts]])
    for (const at of order) {
      const { line, column } = lines.placeOf(at);
      assert.equal(lines.offset(line, column), at, `${at}`);
    }
  assert.deepEqual(lines.placeOf(3), { line: 1, column: 6 });
});
