// @ts-nocheck
// Asks the thread that reads documents, and ends it when an answer is no longer wanted or takes too long.

/** The error of a question whose thread was ended before it answered. `isSlow`: because it took too long. */
export class Stopped extends Error {
  constructor(reason, isSlow = false) {
    super(reason);
    this.name = 'Stopped';
    this.isSlow = isSlow;
  }
}

/** The longest time that a document is judged, in milliseconds. */
const PATIENCE = 60_000;

export class Judging {
  #start;
  #worker;
  #asked = new Map();
  #next = 0;
  #patience;
  /** The text that the thread has. */
  #text;

  /** @param start starts the thread and returns its `Worker`; `patience`: the longest time that an answer takes, in milliseconds */
  constructor(start, patience = PATIENCE) {
    this.#start = start;
    this.#patience = patience;
  }

  /**
   * Asks the thread about a text. The answer is that of `judge.js`.
   *
   * @throws {Stopped} if the thread was ended meanwhile, or did not answer in time
   * @throws {Error} if the thread failed
   */
  ask(ask, text, rest = {}) {
    this.#worker ??= this.#begin();
    const id = (this.#next += 1);
    const isKnown = this.#text === text;
    this.#text = text;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(new Stopped(`it took longer than ${this.#patience / 1000} s`, true)), this.#patience);
      timer.unref();
      this.#asked.set(id, { resolve, reject, timer });
      this.#worker.postMessage({ id, ask, ...(isKnown ? {} : { text }), ...rest });
    });
  }

  /** Ends the thread. The next question starts another. */
  stop(reason = 'the document has changed') {
    this.#end(new Stopped(reason));
  }

  #begin() {
    const worker = this.#start();
    worker.on('message', ({ id, answer, failure }) => {
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

  #end(error) {
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
