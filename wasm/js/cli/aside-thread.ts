// The thread of `aside.ts`.
import { parentPort, workerData } from 'node:worker_threads';
import { EpcisError } from '../engine/error.ts';
import type { hash, preHash, Problem, verify } from '../engine/index.ts';
import type { checkPlaced } from './placed.ts';

/** What can be called in a thread. */
export interface Functions {
  checkPlaced: typeof checkPlaced;
  hash: typeof hash;
  preHash: typeof preHash;
  verify: typeof verify;
}

/** A call. */
export interface Asked {
  readonly name: keyof Functions;
  readonly bytes: Uint8Array;
  readonly options: object | undefined;
}

/** What a thread sends. */
export interface Answered {
  readonly answer?: unknown;
  readonly refusal?: { readonly message: string; readonly problem: Problem };
}

const { name, bytes, options } = workerData as Asked;
const functions = name === 'checkPlaced' ? await import('./placed.ts') : await import('../engine/node.ts');
const call = (functions as Partial<Readonly<Record<string, unknown>>>)[name] as (bytes: Uint8Array, options: object | undefined) => unknown;
const send = (answered: Answered) => parentPort?.postMessage(answered);
try {
  send({ answer: call(bytes, options) });
} catch (error) {
  if (!(error instanceof EpcisError)) throw error;
  send({ refusal: { message: error.message, problem: error.problem } });
}
