// How esbuild bundles the playground and the web component.
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

export const settings: BuildOptions & { readonly metafile: true } = {
  bundle: true,
  format: 'esm',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  minify: true,
  legalComments: 'none',
  absWorkingDir: fileURLToPath(new URL('../', import.meta.url)),
  // Use the browser build of the package.
  conditions: ['browser'],
  // The types are checked by tsc.
  tsconfigRaw: {},
  // What the package has made of its sources is not needed.
  alias: { 'epcis-edge/cbv': './wasm/js/cbv/index.ts' },
  metafile: true,
  logLevel: 'warning',
};
