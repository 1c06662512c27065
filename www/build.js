// Bundles the playground: hashed scripts and styles, the engine, the examples, and the page that names them.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { examples } from './examples.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = here('../');
const dist = here('dist/');

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, 'assets'), { recursive: true });
mkdirSync(join(dist, 'examples'));

const shared = {
  bundle: true,
  format: 'esm',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  minify: true,
  legalComments: 'none',
  entryNames: '[name]-[hash]',
  outdir: join(dist, 'assets'),
  absWorkingDir: root,
  // The package as a browser gets it.
  conditions: ['browser'],
  metafile: true,
  logLevel: 'warning',
};

/** The name of the file that one entry point became. */
async function bundle(entry, define = {}) {
  const { metafile } = await build({ ...shared, entryPoints: [here(entry)], define });
  const [output] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint !== undefined);
  return basename(output);
}

/** The name of a copy of a WebAssembly file. */
function copied(name, file) {
  const wasm = readFileSync(join(root, file));
  const copy = `${name}-${createHash('sha256').update(wasm).digest('hex').slice(0, 8).toUpperCase()}.wasm`;
  writeFileSync(join(dist, 'assets', copy), wasm);
  return copy;
}
const engine = copied('engine', 'wasm/dist/epcis_edge_bg.wasm');
const proof = copied('proof', 'wasm/dist/proof/epcis_edge_bg.wasm');

const { version } = JSON.parse(readFileSync(join(root, 'wasm/package.json'), 'utf8'));
const worker = await bundle('src/engine.worker.js', { PROOF_WASM: JSON.stringify(proof) });
const script = await bundle('src/main.js', {
  ENGINE_WORKER: JSON.stringify(worker),
  ENGINE_WASM: JSON.stringify(engine),
  ENGINE_VERSION: JSON.stringify(version),
});
const style = await bundle('src/style.css');

const page = readFileSync(here('src/index.html'), 'utf8').replace(/%(SCRIPT|STYLE|WASM|WORKER)%/g, (_, name) => {
  return `assets/${{ SCRIPT: script, STYLE: style, WASM: engine, WORKER: worker }[name]}`;
});
writeFileSync(join(dist, 'index.html'), page);
for (const file of ['icon.svg', '_headers']) copyFileSync(here(`public/${file}`), join(dist, file));

const listed = examples(root).map(({ text, ...example }) => {
  writeFileSync(join(dist, 'examples', example.file), text);
  return example;
});
writeFileSync(join(dist, 'examples', 'index.json'), JSON.stringify(listed));

let total = 0;
for (const file of ['index.html', `assets/${style}`, `assets/${script}`, `assets/${worker}`, `assets/${engine}`]) {
  const bytes = readFileSync(join(dist, file));
  const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  total += brotli;
  console.log(`${file.padEnd(36)} ${bytes.length} bytes, gzip ${gzip}, brotli ${brotli}`);
}
console.log(`a first load is ${total} bytes with brotli`);
