// The imports of the wasm files. The list must only grow on purpose.
// Invariant: A wasm file imports only what is listed for it.
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

/** What the writer of workbooks needs: the time that a workbook says it was made at, and a seed for its tables. */
const OF_WORKBOOKS = ['function __wbg_getRandomValues', 'function __wbg_now'];

for (const name of ['follow', 'proof', 'report', 'xlsx'])
  test(`the file in ${name} imports nothing else`, () => {
    const found = imports(`${name}/epcis_edge_bg.wasm`);
    assert.ok(found.length > 0);
    assert.deepEqual(
      found.filter((one) => !listed.includes(one)),
      name === 'xlsx' ? OF_WORKBOOKS : [],
    );
  });
