// What the build makes beside the sources: the engines, which are made by wasm-bindgen, and the bundled language server.
declare module '*/epcis_edge.js';
declare module '*/dist/inline.js';
declare module '*/dist/lsp/judge.js';
declare module '*/dist/lsp/server.js';
declare module '*.wasm';
