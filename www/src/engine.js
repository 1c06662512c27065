// The page's side of the engine's thread. The newest document wins: one that is still being worked on is dropped.

/** A document that takes longer than this is not waited for when a newer one comes: its thread is ended. */
const PATIENCE = 150;

/** Ended because something newer was opened. */
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
   * @param spawn makes a thread
   * @param module promise of the compiled engine, shared by every thread
   * @param listeners `{stage, part, done, failed}`, called for the newest document alone
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
    // Questions and documents wait for the engine on the other side; the load message must come first.
    this.#ready = this.#module;
  }

  #ready;

  /** Opens a document: bytes, whose buffer is handed over. */
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

  /** How many threads were ended in the middle of their work. */
  restarts = 0;

  /** Nobody waits for answers about an older document, nor for anything from a thread that was ended. */
  #refuseAll(isEnded) {
    for (const [question, { kind, reject }] of this.#questions) {
      if (kind === 'tool' && !isEnded) continue;
      this.#questions.delete(question);
      reject(new Superseded('superseded'));
    }
  }

  /** Asks about the newest document. */
  ask(about, argument) {
    return this.#post('ask', about, argument);
  }

  /** Asks what needs no document; a newer document does not make the answer late, but may end its thread: then it is asked again. */
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
