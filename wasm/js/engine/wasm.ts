import type {} from './index.ts';

/** The WebAssembly file as the bundler provides it: its address (esbuild loader `file`, Vite `?url`), or in workerd a compiled module. */
declare const source: string | WebAssembly.Module;
export default source;
