// Hostile bodies at every endpoint, in short form. `make hostile` tries each of them up to the size limit of a body.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fault, startHostile } from '../../bench/hostile/gateway.js';
import { shapes } from '../../bench/hostile/shapes.js';

const SHORT = 128 << 10;
const LONG = 512 << 10;
const LIMIT = 10 << 20;
/**
 * The memory limit for a body of length `LONG`. Bodies 20 times as long may use 96 MB, but a hash may build strings of 12 MiB for
 * any body.
 */
const MAX_MEMORY = 48e6;
const MAX_MILLISECONDS = 5000;
/**
 * The limit on the growth of time from `SHORT` to `LONG`, four times the length: linear work takes 4 times as long, quadratic work
 * 16 times. Other suites run in parallel, and `make hostile` is stricter. Below `MEASURABLE` milliseconds, noise matters more.
 */
const MAX_GROWTH = 8;
const MEASURABLE = 150;

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

test('no shape of a body makes a door fail, take much memory, or take time out of proportion', async () => {
  assert.ok(shapes.length >= 150);
  const wrong = [];
  for (const shape of shapes) {
    const attempt = (length) => gateway.try(shape, Buffer.from(shape.body(length)));
    let short = await attempt(SHORT);
    let long = await attempt(LONG);
    const grows = () => long.milliseconds > MEASURABLE && long.milliseconds > MAX_GROWTH * Math.max(short.milliseconds, MEASURABLE / 8);
    // Repeated, because other work on the machine may have been the cause.
    for (let again = 0; again < 3 && grows(); again += 1) {
      const [once, more] = [await attempt(SHORT), await attempt(LONG)];
      short = { ...once, milliseconds: Math.min(once.milliseconds, short.milliseconds) };
      long = { ...more, milliseconds: Math.min(more.milliseconds, long.milliseconds) };
    }
    const found = [
      fault(short) ?? fault(long),
      long.memory > MAX_MEMORY && `${(long.memory / 1e6).toFixed(0)} MB`,
      long.milliseconds > MAX_MILLISECONDS && `${long.milliseconds.toFixed(0)} ms`,
      grows() && `${short.milliseconds.toFixed(0)} ms, then ${long.milliseconds.toFixed(0)}`,
    ].filter(Boolean);
    if (found.length > 0) wrong.push(`${shape.name}: ${found.join(', ')}`);
  }
  assert.deepEqual(wrong, []);
});

test('the heaviest bodies, as long as a body may be, stay below what an isolate has', async () => {
  const wrong = [];
  for (const name of HEAVIEST) {
    const shape = shapes.find((shape) => shape.name === name);
    assert.ok(shape, name);
    const result = await gateway.try(shape, Buffer.from(shape.body(LIMIT)));
    const found = [fault(result), result.milliseconds > 10_000 && `${result.milliseconds.toFixed(0)} ms`].filter(Boolean);
    if (found.length > 0) wrong.push(`${name}: ${found.join(', ')}`);
  }
  assert.deepEqual(wrong, []);
});
