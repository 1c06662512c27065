// Runs one call of the package in a thread of its own, so that the command line can show its progress meanwhile.
import { Worker } from 'node:worker_threads';
import { EpcisError } from '../engine/error.ts';
import type { Answered, Asked, Functions } from './aside-thread.ts';

/** @returns the answer of a function, as a promise; refusals are EpcisErrors here too */
export async function aside<Name extends keyof Functions>(
  name: Name,
  bytes: Uint8Array<ArrayBuffer>,
  options: Parameters<Functions[Name]>[1],
): Promise<ReturnType<Functions[Name]>> {
  const worker = new Worker(new URL(import.meta.url.endsWith('.ts') ? './aside-thread.ts' : './aside-thread.js', import.meta.url), {
    workerData: { name, bytes, options } satisfies Asked,
    transferList: bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [],
  });
  const { answer, refusal } = await new Promise<Answered>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (refusal) throw new EpcisError(refusal.message, refusal.problem);
  return answer as ReturnType<Functions[Name]>;
}
