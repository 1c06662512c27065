// How vectors describe a body, and how an answer is compared with the expected one.
import assert from 'node:assert/strict';
import { vectorFile } from './gateway.js';

/** The bytes that a vector describes. */
export function bytesOf(body) {
  if (body === undefined) return undefined;
  const [[kind, value]] = Object.entries(body);
  switch (kind) {
    case 'file':
      return vectorFile(value);
    case 'hex':
      return Buffer.from(value, 'hex');
    case 'nest':
      return Buffer.from(value[0].repeat(value[1]) + value[2].repeat(value[1]));
    case 'repeat':
      return Buffer.from(value[0].repeat(value[1]));
    case 'text':
      return Buffer.from(value);
    default:
      return assert.fail(`no such body: ${kind}`);
  }
}

/** Objects may have more members than expected. `$any` is any non-empty value of a type, `$length` an array of that length. */
export function assertMatches(found, expected, place) {
  if (expected?.$any) {
    const type = Array.isArray(found) ? 'array' : typeof found;
    assert.equal(type, expected.$any, place);
    if (type !== 'number') assert.ok(found.length > 0, place);
  } else if (expected?.$length !== undefined) {
    assert.equal(found?.length, expected.$length, place);
  } else if (Array.isArray(expected)) {
    assert.equal(found?.length, expected.length, place);
    expected.forEach((element, index) => assertMatches(found[index], element, `${place}/${index}`));
  } else if (expected !== null && typeof expected === 'object') {
    for (const [name, member] of Object.entries(expected)) {
      assert.ok(found !== null && typeof found === 'object' && name in found, `${place}/${name} is missing`);
      assertMatches(found[name], member, `${place}/${name}`);
    }
  } else {
    assert.deepEqual(found, expected, place);
  }
}
