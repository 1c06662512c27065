// The list of hostile shapes, without a gateway.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { shapes } from '../../bench/hostile/shapes.js';

test('a name that matches no shape is refused with the list of names', () => {
  const script = fileURLToPath(new URL('../../bench/hostile.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--short', 'no such shape'], { encoding: 'utf8' });
  assert.equal(status, 2);
  for (const { name } of shapes) assert.ok(stderr.includes(name), name);
});
