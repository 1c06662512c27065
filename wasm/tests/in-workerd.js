// A user's Worker, bundled with the package, in real workerd.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';

/** Bundles and starts a Worker with this source. Returns `{worker, dispose}`. */
export async function inWorkerd(source) {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-'));
  await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('./', import.meta.url)) },
    bundle: true,
    format: 'esm',
    conditions: ['workerd'],
    loader: { '.wasm': 'copy' },
    outfile: join(folder, 'worker.js'),
    logLevel: 'silent',
  });
  const engines = readdirSync(folder).filter((file) => file.endsWith('.wasm'));
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: folder,
      modules: [{ type: 'ESModule', path: join(folder, 'worker.js') }, ...engines.map((file) => ({ type: 'CompiledWasm', path: join(folder, file) }))],
      compatibilityDate: '2026-10-20',
    }),
  );
  await worker.ready;
  return {
    worker,
    async dispose() {
      await worker.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
