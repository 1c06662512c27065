// The package bundled for workerd, as a Worker of somebody else would use it, in real workerd.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = `
import { hash, validate } from 'epcis-edge';
export default {
  async fetch(request) {
    const body = new Uint8Array(await request.arrayBuffer());
    return Response.json({ verdict: validate(body), hashes: hash(body, { undeclared: 'keep' }) });
  },
};`;

let folder;
let worker;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epcis-edge-'));
  await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    format: 'esm',
    conditions: ['workerd'],
    loader: { '.wasm': 'copy' },
    outfile: join(folder, 'worker.js'),
    logLevel: 'silent',
  });
  const wasm = readdirSync(folder).find((file) => file.endsWith('.wasm'));
  worker = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: folder,
      modules: [
        { type: 'ESModule', path: join(folder, 'worker.js') },
        { type: 'CompiledWasm', path: join(folder, wasm) },
      ],
      compatibilityDate: '2026-10-20',
    }),
  );
  await worker.ready;
});
after(async () => {
  await worker?.dispose();
  rmSync(folder, { recursive: true });
});

test('the vectors get the same answers in workerd', async () => {
  const vectors = new URL('../../tests/vectors/hash/', import.meta.url);
  for (const name of readdirSync(vectors)) {
    const response = await worker.dispatchFetch('http://worker.example/', { method: 'POST', body: readFileSync(new URL(`${name}/input.json`, vectors)) });
    const { hashes } = await response.json();
    const expected = JSON.parse(readFileSync(new URL(`${name}/expected.json`, vectors), 'utf8'));
    assert.deepEqual(
      hashes,
      expected['CBV2.0'].map((event) => event.hash),
      name,
    );
  }
  const body = readFileSync(new URL('../../tests/vectors/validate/valid-bare-event/input.json', import.meta.url));
  const { verdict } = await (await worker.dispatchFetch('http://worker.example/', { method: 'POST', body })).json();
  assert.equal(verdict.valid, true);
});
