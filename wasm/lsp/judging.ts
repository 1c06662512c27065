// Asks the thread that reads documents, and ends it when an answer is no longer wanted or takes too long.
import type { Worker } from 'node:worker_threads';
import type { Answered, Answers, Questions } from './judge.ts';

/** The error of a question whose thread was ended before it answered. */
export class Stopped extends Error {
  /** Whether it took too long. */
  readonly isSlow: boolean;

  constructor(reason: string, isSlow = false) {
    super(reason);
    this.name = 'Stopped';
    this.isSlow = isSlow;
  }
}

/** A thread that runs `judge.ts`. */
export type Thread = Pick<Worker, 'on' | 'postMessage' | 'terminate' | 'unref'>;

/** A question without an answer. */
interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

/** The longest time that a document is judged, in milliseconds. */
const PATIENCE = 60_000;

export class Judging {
  readonly #start: () => Thread;
  #worker: Thread | undefined;
  readonly #asked = new Map<number, Waiting>();
  #next = 0;
  readonly #patience: number;
  /** The text that the thread has. */
  #text: string | undefined;

  /** @param patience the longest time that an answer takes, in milliseconds */
  constructor(start: () => Thread, patience = PATIENCE) {
    this.#start = start;
    this.#patience = patience;
  }

  /**
   * Asks the thread about a text.
   *
   * @throws {Stopped} if the thread was ended meanwhile, or did not answer in time
   * @throws {Error} if the thread failed
   */
  ask<Name extends keyof Answers>(ask: Name, text: string, rest: Questions[Name]): Promise<Answers[Name]> {
    const worker = (this.#worker ??= this.#begin());
    const id = (this.#next += 1);
    const isKnown = this.#text === text;
    this.#text = text;
    return new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => this.#end(new Stopped(`it took longer than ${this.#patience / 1000} s`, true)), this.#patience);
      timer.unref();
      this.#asked.set(id, { resolve, reject, timer });
      worker.postMessage({ id, ask, ...(isKnown ? {} : { text }), ...rest });
    }) as Promise<Answers[Name]>;
  }

  /** Ends the thread. The next question starts another. */
  stop(reason = 'the document has changed'): void {
    this.#end(new Stopped(reason));
  }

  #begin(): Thread {
    const worker = this.#start();
    worker.on('message', ({ id, answer, failure }: Answered) => {
      const waiting = this.#asked.get(id);
      if (waiting === undefined) return;
      this.#asked.delete(id);
      clearTimeout(waiting.timer);
      if (failure === undefined) waiting.resolve(answer);
      else waiting.reject(new Error(failure));
    });
    // A thread that failed, such as one without memory, answers nothing more.
    worker.on('error', (error) => worker === this.#worker && this.#end(error));
    worker.on('exit', () => worker === this.#worker && this.#end(new Error('the thread has ended')));
    worker.unref();
    return worker;
  }

  #end(error: Error): void {
    const worker = this.#worker;
    const asked = [...this.#asked.values()];
    this.#worker = undefined;
    this.#text = undefined;
    this.#asked.clear();
    worker?.terminate();
    for (const { reject, timer } of asked) {
      clearTimeout(timer);
      reject(error);
    }
  }
}
