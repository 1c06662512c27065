// The page's connection to the engine's thread. A newer document replaces one that is still being processed.

/** How long a document may take, in milliseconds. If it has taken longer when a newer one is opened, its thread is ended. */
const PATIENCE = 150;

/** The error of a question whose document or thread was replaced by a newer one. */
export class Superseded extends Error {}

export class Engine {
  #spawn;
  #module;
  #worker;
  #latest = 0;
  #since;
  #questions = new Map();
  #asked = 0;
  #listeners;

  /**
   * @param spawn starts a thread
   * @param module promise of the compiled engine, shared by all threads
   * @param listeners `{stage, part, done, failed}`, called only for the newest document
   */
  constructor(spawn, module, listeners) {
    this.#spawn = spawn;
    this.#module = module;
    this.#listeners = listeners;
    this.#start();
  }

  #start() {
    const worker = this.#spawn();
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#listeners.failed(event.message || 'the engine could not be started');
    };
    this.#module.then(
      (module) => worker === this.#worker && worker.postMessage({ kind: 'load', module }),
      (error) => this.#listeners.failed(`the engine could not be loaded: ${error.message}`),
    );
    // The thread queues questions and documents until the engine is loaded; the load message must come first.
    this.#ready = this.#module;
  }

  #ready;

  /** Opens a document. Its buffer is transferred to the thread. */
  async open(bytes, options) {
    const id = (this.#latest += 1);
    const isBusy = this.#since !== undefined && performance.now() - this.#since > PATIENCE;
    if (isBusy) {
      this.#worker.terminate();
      this.restarts += 1;
      this.#start();
    }
    this.#refuseAll(isBusy);
    this.#since = performance.now();
    await this.#ready.catch(() => undefined);
    if (id !== this.#latest) return;
    this.#worker.postMessage({ kind: 'open', id, bytes: bytes.buffer, ...options }, [bytes.buffer]);
  }

  /** The number of threads ended while busy. */
  restarts = 0;

  /** Rejects the questions about an older document, and all questions if their thread was ended. */
  #refuseAll(isEnded) {
    for (const [question, { kind, reject }] of this.#questions) {
      if (kind === 'tool' && !isEnded) continue;
      this.#questions.delete(question);
      reject(new Superseded('superseded'));
    }
  }

  /** Ends the thread. Its questions are rejected, and no listener is called any more. */
  end() {
    this.#latest += 1;
    this.#worker.terminate();
    this.#refuseAll(true);
  }

  /** Asks a question about the newest document. */
  ask(about, argument) {
    return this.#post('ask', about, argument);
  }

  /** Asks a question that needs no document. If a newer document ends the thread, the question is asked again. */
  async tool(about, argument) {
    await this.#ready;
    return this.#post('tool', about, argument).catch((error) => {
      if (error instanceof Superseded) return this.tool(about, argument);
      throw error;
    });
  }

  #post(kind, about, argument) {
    const question = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      this.#questions.set(question, { kind, resolve, reject });
      this.#worker.postMessage({ kind, question, about, argument, document: this.#latest });
    });
  }

  #receive(data) {
    if (data.kind === 'answer') {
      const asked = this.#questions.get(data.question);
      this.#questions.delete(data.question);
      if (data.error !== undefined) asked?.reject(data.error === 'superseded' ? new Superseded(data.error) : new Error(data.error));
      else asked?.resolve(data.value);
      return;
    }
    if (data.id !== undefined && data.id !== this.#latest) return;
    if (data.kind === 'done' || data.kind === 'failed') this.#since = undefined;
    this.#listeners[data.kind]?.(data.kind === 'failed' ? data.message : data);
  }
}
