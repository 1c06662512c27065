// The page's connection to the engine's thread. A newer document replaces one that is still being processed.

import type { Port } from './thread.ts';

/** How long a document may take, in milliseconds. If it has taken longer when a newer one is opened, its thread is ended. */
const PATIENCE = 150;

/** The error of a question whose document or thread was replaced by a newer one. */
export class Superseded extends Error {}

/** Functions that answer in the thread, by name. */
type Functions = Readonly<Record<string, (...given: never[]) => unknown>>;
type Rest<Given extends readonly unknown[]> = Given extends readonly [unknown, ...infer More] ? More : [];
type Answer<Function extends (...given: never[]) => unknown> = Promise<Awaited<ReturnType<Function>>>;

/** Asks the open document a question by its name. */
export type Ask<Questions extends Functions> = <Name extends keyof Questions & string>(
  about: Name,
  ...argument: Rest<Parameters<Questions[Name]>>
) => Answer<Questions[Name]>;

/** A stage that has begun. */
export interface StageMessage {
  readonly kind: 'stage';
  readonly id: number;
  readonly stage: string;
  readonly index: number;
  readonly of: number;
}

/** The answer of a stage. */
export interface PartMessage {
  readonly kind: 'part';
  readonly id: number;
  readonly part: string;
  readonly value: unknown;
  readonly milliseconds: number;
}

export interface DoneMessage {
  readonly kind: 'done';
  readonly id: number;
  readonly milliseconds: number;
}

type Message =
  | { readonly kind: 'loaded'; readonly id?: undefined }
  | { readonly kind: 'answer'; readonly question: number; readonly value?: unknown; readonly error?: string; readonly id?: undefined }
  | { readonly kind: 'failed'; readonly id?: number; readonly message: string }
  | StageMessage
  | PartMessage
  | DoneMessage;

/** What happens with the answers about the newest document. */
export interface Listeners {
  stage?(message: StageMessage): void;
  part?(message: PartMessage): void;
  done?(message: DoneMessage): void;
  failed(message: string): void;
}

/** A thread, or what works in the page's thread like one. */
export interface EngineThread extends Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  terminate(): void;
  onerror?: ((event: ErrorEvent) => unknown) | null;
}

interface Waiting {
  readonly kind: 'ask' | 'tool';
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Engine<Questions extends Functions, Tools extends Functions, Options extends object = object> {
  readonly #spawn: () => EngineThread;
  readonly #module: Promise<WebAssembly.Module>;
  #worker!: EngineThread;
  #latest = 0;
  #since: number | undefined;
  readonly #questions = new Map<number, Waiting>();
  #asked = 0;
  readonly #listeners: Listeners;

  /**
   * @param spawn starts a thread
   * @param module promise of the compiled engine, shared by all threads
   * @param listeners called only for the newest document
   */
  constructor(spawn: () => EngineThread, module: Promise<WebAssembly.Module>, listeners: Listeners) {
    this.#spawn = spawn;
    this.#module = module;
    this.#listeners = listeners;
    this.#start();
  }

  #start(): void {
    const worker = this.#spawn();
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#listeners.failed(event.message || 'the engine could not be started');
    };
    this.#module.then(
      (module) => worker === this.#worker && worker.postMessage({ kind: 'load', module }),
      (error: Error) => this.#listeners.failed(`the engine could not be loaded: ${error.message}`),
    );
    // The thread queues questions and documents until the engine is loaded; the load message must come first.
    this.#ready = this.#module;
  }

  #ready!: Promise<unknown>;

  /** Opens a document. Its buffer is transferred to the thread. */
  async open(bytes: Uint8Array<ArrayBuffer>, options: Options): Promise<void> {
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
  #refuseAll(isEnded: boolean): void {
    for (const [question, { kind, reject }] of this.#questions) {
      if (kind === 'tool' && !isEnded) continue;
      this.#questions.delete(question);
      reject(new Superseded('superseded'));
    }
  }

  /** Ends the thread. Its questions are rejected, and no listener is called any more. */
  end(): void {
    this.#latest += 1;
    this.#worker.terminate();
    this.#refuseAll(true);
  }

  /** Asks a question about the newest document. */
  ask<Name extends keyof Questions & string>(about: Name, ...argument: Rest<Parameters<Questions[Name]>>): Answer<Questions[Name]> {
    return this.#post('ask', about, (argument as readonly unknown[])[0]) as Answer<Questions[Name]>;
  }

  /** Asks a question that needs no document. If a newer document ends the thread, the question is asked again. */
  async tool<Name extends keyof Tools & string>(about: Name, ...given: Parameters<Tools[Name]>): Promise<Awaited<ReturnType<Tools[Name]>>> {
    await this.#ready;
    return (this.#post('tool', about, given[0]) as Answer<Tools[Name]>).catch((error: unknown) => {
      if (error instanceof Superseded) return this.tool(about, ...given);
      throw error;
    });
  }

  #post(kind: 'ask' | 'tool', about: string, argument: unknown): Promise<unknown> {
    const question = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      this.#questions.set(question, { kind, resolve, reject });
      this.#worker.postMessage({ kind, question, about, argument, document: this.#latest });
    });
  }

  #receive(data: Message): void {
    if (data.kind === 'answer') {
      const asked = this.#questions.get(data.question);
      this.#questions.delete(data.question);
      if (data.error !== undefined) asked?.reject(data.error === 'superseded' ? new Superseded(data.error) : new Error(data.error));
      else asked?.resolve(data.value);
      return;
    }
    if (data.id !== undefined && data.id !== this.#latest) return;
    if (data.kind === 'done' || data.kind === 'failed') this.#since = undefined;
    // Each listener is named like the messages that it takes.
    (this.#listeners as unknown as Partial<Record<string, (told: never) => void>>)[data.kind]?.((data.kind === 'failed' ? data.message : data) as never);
  }
}
