// Builds the playground: scripts and styles with hashed names, the engine, the examples, the service worker and the page.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { examples } from './examples.ts';
import { settings } from './settings.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const root = here('../');
const dist = here('dist/');

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, 'assets'), { recursive: true });
mkdirSync(join(dist, 'examples'));

const shared = { ...settings, entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', outdir: join(dist, 'assets') };

/** An entry point that was bundled: the name of its file, and the files that are loaded at once. */
interface Bundled {
  readonly name: string;
  readonly first: readonly string[];
}

const missing = (entry: string): never => {
  throw new Error(`esbuild made nothing of ${entry}`);
};

/** Bundles entry points; shared and later loaded code goes into files of its own. */
async function bundle(entries: readonly string[], define: Record<string, string> = {}): Promise<Bundled[]> {
  const { metafile } = await build({ ...shared, entryPoints: entries.map(here), splitting: entries.every((entry) => !entry.endsWith('.css')), define });
  const outputs = Object.entries(metafile.outputs);
  return entries.map((entry) => {
    const [own] = outputs.find(([, { entryPoint }]) => entryPoint === `www/${entry}`) ?? missing(entry);
    const first = new Set<string>();
    const add = (path: string): void => {
      if (first.has(path)) return;
      first.add(path);
      for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) if (kind === 'import-statement') add(next);
    };
    add(own);
    return { name: basename(own), first: [...first].map((path) => `assets/${basename(path)}`) };
  });
}

const bundled = async (entry: string): Promise<Bundled> => (await bundle([entry]))[0] as Bundled;

/** Copies a WebAssembly file into `assets` under a name with a hash, and returns that name. */
function copied(name: string, file: string): string {
  const wasm = readFileSync(join(root, file));
  const copy = `${name}-${createHash('sha256').update(wasm).digest('hex').slice(0, 8).toUpperCase()}.wasm`;
  writeFileSync(join(dist, 'assets', copy), wasm);
  return copy;
}
const engine = copied('engine', 'wasm/dist/page/epcis_edge_bg.wasm');
const check = copied('check', 'wasm/dist/check/epcis_edge_bg.wasm');
const follow = copied('follow', 'wasm/dist/follow/epcis_edge_bg.wasm');
const report = copied('report', 'wasm/dist/report/epcis_edge_bg.wasm');
const xlsx = copied('xlsx', 'wasm/dist/xlsx/epcis_edge_bg.wasm');
const proof = copied('proof', 'wasm/dist/proof/epcis_edge_bg.wasm');

/** What each pack of checks may be told, as it declares it. */
const packs = join(root, 'core/rules/src/packs');
const parameters = Object.fromEntries(
  readdirSync(packs)
    .map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(packs, file), 'utf8')).parameters])
    .filter(([, declared]) => declared !== undefined),
);

const { version } = JSON.parse(readFileSync(join(root, 'wasm/package.json'), 'utf8'));
const later = await bundled('src/styles/later.css');
// The page and the engine's thread are bundled together, so that shared code, mainly the JSON parser, is one file.
const [script, worker] = (await bundle(['src/main.ts', 'src/engine/engine.worker.ts'], {
  CHECK_WASM: JSON.stringify(check),
  FOLLOW_WASM: JSON.stringify(follow),
  PROOF_WASM: JSON.stringify(proof),
  REPORT_WASM: JSON.stringify(report),
  XLSX_WASM: JSON.stringify(xlsx),
  ENGINE_WASM: JSON.stringify(engine),
  ENGINE_VERSION: JSON.stringify(version),
  PACK_PARAMETERS: JSON.stringify(parameters),
  LATER_STYLE: JSON.stringify(later.name),
})) as [Bundled, Bundled];
const style = await bundled('src/styles/style.css');
const bridge = await bundled('src/tools/gateway/bridge.ts');
const componentStyle = await bundled('src/component/component-page.css');

const page = (name: string): string =>
  readFileSync(here(name), 'utf8').replace(/%(SCRIPT|STYLE|WASM|WORKER|BRIDGE|COMPONENT_STYLE)%/g, (_, part) => {
    const names: Record<string, Bundled> = { SCRIPT: script, STYLE: style, WORKER: worker, BRIDGE: bridge, COMPONENT_STYLE: componentStyle };
    return `assets/${part === 'WASM' ? engine : names[part]?.name}`;
  });
writeFileSync(join(dist, 'index.html'), page('src/index.html'));
writeFileSync(join(dist, 'bridge.html'), page('src/tools/gateway/bridge.html'));
// The example of the web component. Its files are not among those that the service worker keeps.
writeFileSync(join(dist, 'component.html'), page('src/component/component.html'));
for (const file of ['component.js', 'component-extras.js']) copyFileSync(join(root, 'wasm/dist', file), join(dist, file));
for (const file of ['icon.svg', '_headers', '_redirects', 'openapi.json']) copyFileSync(here(`public/${file}`), join(dist, file));

const listed = examples(root).map(({ text, ...example }) => {
  writeFileSync(join(dist, 'examples', example.file), text);
  return example;
});
writeFileSync(join(dist, 'examples', 'index.json'), JSON.stringify(listed));

// The service worker lists every file. It has a hash of all of them as its version, so it changes with any file.
const files = [
  'index.html',
  'icon.svg',
  'bridge.html',
  ...['assets', 'examples'].flatMap((folder) => readdirSync(join(dist, folder)).map((name) => `${folder}/${name}`)),
];
const digest = createHash('sha256');
for (const name of files) digest.update(name).update(readFileSync(join(dist, name)));
await build({
  ...shared,
  entryPoints: [here('src/page/sw.ts')],
  entryNames: '[name]',
  outdir: dist,
  format: 'iife',
  define: { VERSION: JSON.stringify(digest.digest('hex').slice(0, 12)), FILES: JSON.stringify(files) },
});

// Of a release: the engine that serves and tests is larger, and takes a minute to compress.
let total = 0;
const isRelease = process.argv[2] === 'release';
for (const file of isRelease ? ['index.html', `assets/${style.name}`, ...new Set([...script.first, ...worker.first]), `assets/${engine}`] : []) {
  const bytes = readFileSync(join(dist, file));
  const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  total += brotli;
  console.log(`${file.padEnd(36)} ${bytes.length} bytes, gzip ${gzip}, brotli ${brotli}`);
}
if (isRelease) console.log(`a first load is ${total} bytes with brotli`);
