// The imports of the wasm files. The list must only grow on purpose.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const listed = JSON.parse(readFileSync(new URL('imports.json', import.meta.url), 'utf8'));

/** The imports of a file, each once. */
function imports(name) {
  const file = readFileSync(new URL(`../dist/${name}`, import.meta.url));
  const found = WebAssembly.Module.imports(new WebAssembly.Module(file))
    .map(({ name, kind }) => `${kind} ${name.replace(/_[0-9a-f]{16}$/, '')}`)
    .sort();
  return [...new Set(found)];
}

test('the file of pages imports nothing but what is listed', () => {
  assert.deepEqual(imports('epcis_edge_bg.wasm'), listed);
});

for (const name of ['follow', 'proof', 'report', 'xlsx'])
  test(`the file in ${name} imports nothing else`, () => {
    const found = imports(`${name}/epcis_edge_bg.wasm`);
    assert.ok(found.length > 0);
    assert.deepEqual(
      found.filter((name) => !listed.includes(name)),
      [],
    );
  });
