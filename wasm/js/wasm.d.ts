import type {} from './index.js';

/** What the bundler makes of the file: an address (esbuild with the loader `file`, Vite with `?url`), or in workerd a compiled module. */
declare const source: string | WebAssembly.Module;
export default source;
