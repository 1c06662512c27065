// The language server on standard input and output. Its code is bundled with the library of the protocol, in `dist/lsp`.
import { Worker } from 'node:worker_threads';
import { version } from '../cli/version.ts';

/** Serves an editor until it asks to exit or the input ends. Then the process ends: with 0 after `shutdown`, with 1 without. */
export async function serve({ input, output }: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream }): Promise<never> {
  const { listen } = await import('../../dist/lsp/server.js');
  const startJudge = () => new Worker(new URL(import.meta.url.endsWith('.ts') ? './judge.ts' : './judge.js', import.meta.url), { stdout: true });
  listen({ input, output, startJudge, version: version() });
  return new Promise(() => undefined);
}
