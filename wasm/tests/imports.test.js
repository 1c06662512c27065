// What the wasm file asks of its host: a list that only grows knowingly.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the wasm file imports nothing but what is listed', () => {
  const file = readFileSync(new URL('../dist/epcis_edge_bg.wasm', import.meta.url));
  const found = WebAssembly.Module.imports(new WebAssembly.Module(file))
    .map(({ name, kind }) => `${kind} ${name.replace(/_[0-9a-f]{16}$/, '')}`)
    .sort();
  const listed = JSON.parse(readFileSync(new URL('imports.json', import.meta.url), 'utf8'));
  assert.deepEqual([...new Set(found)], listed);
});
