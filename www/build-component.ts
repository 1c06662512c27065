// Builds the web component: one script with the engine, the thread for large documents and the style sheet in it.
import { type BuildOptions, build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { settings } from './settings.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const isRelease = process.argv[2] === 'release';
const packed = (bytes: Buffer): string => gzipSync(bytes, { level: isRelease ? 9 : 1 }).toString('base64');

const textOf = async (entry: string, options: BuildOptions = {}): Promise<string> => {
  const { outputFiles: [output] = [] } = await build({ ...settings, entryPoints: [here(entry)], write: false, ...options });
  if (output === undefined) throw new Error(`esbuild made nothing of ${entry}`);
  return output.text;
};

/** The style sheet of the page for a frame in a shadow tree: each colour can be set by a property of the same name, `--epcis-ink`. */
function themed(css: string): string {
  const named = css.replaceAll(':root', '.frame').replace(/(?<=[{;])--([\w-]+): *([^;}]+)/g, '--$1:var(--epcis-$1,$2)');
  if (!/\.frame\{[^}]*--ink:var\(--epcis-ink,#/.test(named)) throw new Error('the colours of the style sheet were not found');
  return named;
}

const css = await textOf('src/component/component.css');
const extras = await textOf('src/styles/extras.css');
const thread = await textOf('src/component/thread.worker.ts', { format: 'iife' });
const component = here('../wasm/dist/component.js');
const { metafile } = await build({
  ...settings,
  entryPoints: [here('src/component/index.ts')],
  outfile: component,
  banner: { js: '// epcis-edge: the element epcis-events. Licence: Apache-2.0.' },
  define: {
    COMPONENT_STYLE: JSON.stringify(themed(css)),
    COMPONENT_THREAD: JSON.stringify(packed(Buffer.from(thread))),
    COMPONENT_ENGINE: JSON.stringify(packed(readFileSync(here('../wasm/dist/page/epcis_edge_bg.wasm')))),
  },
});
// Bundlers of others leave alone what is imported from an address; minifying drops these comments.
writeFileSync(component, readFileSync(component, 'utf8').replace(/\bimport\((?=\w+\))/g, 'import(/*webpackIgnore:true*//*@vite-ignore*/'));
// What only some documents need is a file of its own.
const { metafile: later } = await build({
  ...settings,
  entryPoints: [here('src/component/extras.ts')],
  outfile: here('../wasm/dist/component-extras.js'),
  banner: { js: '// epcis-edge: the map and the charts of the element epcis-events. Licence: Apache-2.0.' },
  define: { COMPONENT_EXTRAS_STYLE: JSON.stringify(extras) },
});
for (const [name, { bytes }] of isRelease ? Object.entries({ ...metafile.outputs, ...later.outputs }) : []) {
  const gzip = gzipSync(readFileSync(here(`../${name}`)), { level: 9 }).length;
  console.log(`${name} ${bytes} bytes, gzip ${gzip}`);
}
