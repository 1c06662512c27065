// Where Node loads the engine from. Each source is tested in a separate process, because an engine is loaded once.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const wasm = fileURLToPath(new URL('../dist/epcis_edge_bg.wasm', import.meta.url));
let folder;
let lost;

before(() => {
  // The scripts without the wasm file, as in a bundle.
  folder = mkdtempSync(join(tmpdir(), 'epcis-edge-'));
  mkdirSync(join(folder, 'dist'));
  cpSync(fileURLToPath(new URL('../lib/', import.meta.url)), join(folder, 'lib'), { recursive: true });
  cpSync(fileURLToPath(new URL('../package.json', import.meta.url)), join(folder, 'package.json'));
  cpSync(fileURLToPath(new URL('../dist/epcis_edge.js', import.meta.url)), join(folder, 'dist/epcis_edge.js'));
  lost = pathToFileURL(join(folder, 'lib/engine/node.js')).href;
});
after(() => rmSync(folder, { recursive: true }));

const run = (code) =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import assert from 'node:assert/strict'; import { readFileSync } from 'node:fs'; import { readFile } from 'node:fs/promises';\nimport { EpcisError, hash, init, validate } from '${lost}';\nconst wasm = ${JSON.stringify(wasm)};\n${code}\nconsole.log(hash('{"type":"ObjectEvent"}')[0].slice(0, 24));`,
    ],
    { encoding: 'utf8', cwd: folder },
  );

const SOURCES = {
  bytes: 'readFileSync(wasm)',
  'a buffer': 'new Uint8Array(readFileSync(wasm)).buffer',
  'a promise of bytes': 'readFile(wasm)',
  'a module': 'new WebAssembly.Module(readFileSync(wasm))',
  'a file URL': `new URL(${JSON.stringify(pathToFileURL(wasm).href)})`,
  'a file URL as text': JSON.stringify(pathToFileURL(wasm).href),
  'a path': 'wasm',
  'a data URL': "'data:application/wasm;base64,' + readFileSync(wasm).toString('base64')",
  'a response': "new Response(readFileSync(wasm), { headers: { 'content-type': 'application/wasm' } })",
  'a promise of a response without a type': 'Promise.resolve(new Response(readFileSync(wasm)))',
};
for (const [name, source] of Object.entries(SOURCES)) {
  test(`init takes ${name}`, () => {
    assert.equal(run(`await init(${source});`), 'ni:///sha-256;7aa6d15415\n');
  });
}

test('without a source it says what to do, what is no source is a TypeError, and another attempt succeeds', () => {
  assert.equal(
    run(`
assert.throws(() => validate('{}'), /finds no WebAssembly file beside its script: import 'epcis-edge\\/inline' instead, or .await init\\(source\\). first/);
await assert.rejects(init(), /finds no WebAssembly file/);
await assert.rejects(init('no/such.wasm'), { code: 'ENOENT' });
await assert.rejects(init(new Response('', { status: 404 })), /404/);
await assert.rejects(init(new Uint8Array(8)), WebAssembly.CompileError);
for (const source of [5, null, {}, [], new Map(), new Blob([])]) await assert.rejects(init(source), (error) => error instanceof TypeError && /the source of init is/.test(error.message));
const first = init(readFileSync(wasm));
await Promise.all([first, init(readFileSync(wasm))]);`),
    'ni:///sha-256;7aa6d15415\n',
  );
});

test('a call while the engine loads does not make a second one', () => {
  const node = new URL('../lib/engine/node.js', import.meta.url).href;
  const out = execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { init, validateStream, hash } from '${node}';
const loading = init(${JSON.stringify(wasm)});
const stream = validateStream();
await loading;
const verdicts = stream.readable.getReader().read();
const writer = stream.writable.getWriter();
await writer.write('{}');
await writer.close();
console.log((await verdicts).value.valid);`,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(out, 'false\n');
});

test('the inline entry needs no file and gives the same', async () => {
  const inline = await import('epcis-edge/inline');
  const node = await import('epcis-edge');
  assert.deepEqual(Object.keys(inline).sort(), Object.keys(node).sort());
  assert.deepEqual(inline.hash('{"type":"ObjectEvent"}'), node.hash('{"type":"ObjectEvent"}'));
  await inline.init();
});
