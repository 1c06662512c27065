// Hostile bodies at every endpoint, in short form. `make hostile` tries each of them up to the size limit of a body, and measures the
// time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fault, startHostile } from '../../bench/hostile/gateway.ts';
import { shapes } from '../../bench/hostile/shapes.ts';

const LENGTH = 512 << 10;
const LIMIT = 10 << 20;
/**
 * The memory limit for a body of length `LENGTH`. Bodies 20 times as long may use 96 MB, but a hash may build strings of 12 MiB for
 * any body.
 */
const MAX_MEMORY = 48e6;

/** The shapes that take the most memory or time at the size limit, for each endpoint. */
const HEAVIEST = [
  'validate: numbers',
  'hash: extension members',
  'hash: names with a long prefix',
  'capture: one event many times',
  'capture: extension members',
  'capture: names with a long prefix',
  'translate: extension elements',
  'translate: attributes of extensions',
];

let gateway;
before(async () => {
  gateway = await startHostile();
});
after(() => gateway?.dispose());

test('no shape of a body makes a door fail, or take much memory', async () => {
  assert.ok(shapes.length >= 150);
  const wrong = [];
  for (const shape of shapes) {
    const result = await gateway.try(shape, LENGTH);
    const found = [fault(result), result.memory > MAX_MEMORY && `${(result.memory / 1e6).toFixed(0)} MB`].filter(Boolean);
    if (found.length > 0) wrong.push(`${shape.name}: ${found.join(', ')}`);
  }
  assert.deepEqual(wrong, []);
});

test('the heaviest bodies, as long as a body may be, stay below what an isolate has', async () => {
  const wrong = [];
  for (const name of HEAVIEST) {
    const shape = shapes.find((shape) => shape.name === name);
    assert.ok(shape, name);
    const found = fault(await gateway.try(shape, LIMIT));
    if (found) wrong.push(`${name}: ${found}`);
  }
  assert.deepEqual(wrong, []);
});
