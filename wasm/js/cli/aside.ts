// @ts-nocheck
// Runs one call of the package in a thread of its own, so that the command line can show its progress meanwhile.
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { EpcisError } from '../engine/error.ts';

/** @returns the answer of the function `name`, as a promise; refusals are EpcisErrors here too */
export async function aside(name, bytes, options) {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { name, bytes, options },
    transferList: bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [],
  });
  const { answer, refusal } = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (refusal) throw new EpcisError(refusal.message, refusal.problem);
  return answer;
}

if (!isMainThread && workerData?.name) {
  const epcis = workerData.name === 'checkPlaced' ? await import('./commands/check.ts') : await import('../engine/node.ts');
  const { name, bytes, options } = workerData;
  try {
    parentPort.postMessage({ answer: epcis[name](bytes, options) });
  } catch (error) {
    if (!(error instanceof EpcisError)) throw error;
    parentPort.postMessage({ refusal: { message: error.message, problem: error.problem } });
  }
}
