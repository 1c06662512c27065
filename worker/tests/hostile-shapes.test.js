// The list of hostile shapes, without a gateway.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import openapi from '../../www/public/openapi.json' with { type: 'json' };
import tools from '../../core/gateway/src/mcp/tools.json' with { type: 'json' };
import { shapes } from '../../bench/hostile/shapes.ts';

test('a name that matches no shape is refused with the list of names', () => {
  const script = fileURLToPath(new URL('../../bench/hostile.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--short', 'no such shape'], { encoding: 'utf8' });
  assert.equal(status, 2);
  for (const { name } of shapes) assert.ok(stderr.includes(name), name);
});

test('every door that takes a body has a shape', () => {
  const doors = Object.entries(openapi.paths).filter(([, { post }]) => post?.requestBody !== undefined && post.responses['501'] === undefined);
  assert.ok(doors.length > 10);
  for (const [path] of doors) {
    const form = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`);
    assert.ok(
      shapes.some((shape) => form.test(shape.path)),
      path,
    );
  }
});

test('every tool that a gateway has is called by a shape', () => {
  /** Calculators, which only the local process has, and tools that refuse every argument. */
  const others = ['validate', 'check', 'hash', 'verify', 'to_xml', 'identifier', 'resolve', 'subscribe'];
  const called = new Set(shapes.filter(({ path }) => path === '/mcp').map((shape) => /"name":"(\w+)"/.exec(shape.body(2000))?.[1]));
  for (const { name } of tools.tools) assert.equal(called.has(name), !others.includes(name), name);
});
