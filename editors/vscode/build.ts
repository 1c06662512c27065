// Bundles the extension into dist: its client, the language server with its thread, the engines, and the licences of what is bundled.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { FOR_NODE, licencesOf } from '../../scripts/build-lsp.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(here('package.json'), 'utf8'));

rmSync(here('dist'), { recursive: true, force: true });
mkdirSync(here('dist'));
const { banner: _, ...common } = FOR_NODE;
// VS Code loads extensions by `require`, and gives them the module `vscode`.
const client = await build({ ...common, format: 'cjs', external: ['vscode'], entryPoints: [here('src/extension.ts')], outfile: here('dist/extension.cjs') });
const server = await build({
  ...FOR_NODE,
  entryPoints: [here('src/server.ts'), here('src/judge.ts')],
  outdir: here('dist'),
  outExtension: { '.js': '.mjs' },
  alias: { 'epcis-edge/cbv': here('../../wasm/js/cbv/index.ts') },
  define: { VERSION: JSON.stringify(version) },
});
copyFileSync(here('../../wasm/dist/epcis_edge_bg.wasm'), here('dist/engine.wasm'));
copyFileSync(here('../../wasm/dist/check/epcis_edge_bg.wasm'), here('dist/check.wasm'));
writeFileSync(here('dist/LICENSES.txt'), licencesOf([client.metafile, server.metafile]));
