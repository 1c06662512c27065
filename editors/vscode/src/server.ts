// The language server in a file of its own, with its thread beside it.
import { Worker } from 'node:worker_threads';
import { listen } from '../../../wasm/lsp/server.ts';

declare const VERSION: string;

listen({
  input: process.stdin,
  output: process.stdout,
  version: VERSION,
  startJudge: () => new Worker(new URL('./judge.mjs', import.meta.url), { stdout: true }),
});
