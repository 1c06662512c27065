// The engine's end of a connection: opens a document, answers stage by stage, and then questions. Between two stages it stops if a newer
// document has come.

/** Waits until the messages that have arrived are handled. */
const breath = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(port1.close());
    port2.postMessage(undefined);
  });

const messageOf = (error: unknown) => String((error as { readonly message?: unknown } | null)?.message ?? error);

/** One end of a connection: a thread, or a MessagePort. */
export interface Port {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => unknown) | null;
}

/** The message that opens a document. Its options are the page's. */
export interface OpenMessage {
  readonly kind: 'open';
  readonly id: number;
  readonly bytes: ArrayBuffer;
}

/** What the page asks for. */
type Message =
  | { readonly kind: 'load'; readonly module: WebAssembly.Module; readonly id?: undefined }
  | OpenMessage
  | { readonly kind: 'tool'; readonly question: number; readonly about: string; readonly argument: unknown; readonly id?: undefined }
  | { readonly kind: 'ask'; readonly question: number; readonly about: string; readonly argument: unknown; readonly document: number; readonly id?: undefined };

/** Answers by name. */
type Asked<Given extends readonly unknown[]> = Readonly<Record<string, (...given: Given) => unknown>>;

/** What a thread does with the documents that a page opens. */
export interface Serving<Own, Options, Stage extends string> {
  /** Loads the engine from a compiled module. */
  load(module: WebAssembly.Module): Promise<void>;
  /** Opens a document from its bytes and the options of the page. */
  open(bytes: Uint8Array, options: Options): Own | Promise<Own>;
  /** Names the stages of a document, given the message that opens it. */
  stagesOf(message: OpenMessage & Options): readonly Stage[];
  /** Computes a stage, given those before it. */
  answer(own: Own, stage: Stage, told: { readonly parts: Partial<Record<Stage, unknown>>; readonly options: Options }): unknown;
  /** Functions of the open document and an argument. */
  readonly questions: Asked<[own: Own, argument: never]>;
  /** Functions of an argument alone. */
  readonly tools: Asked<[argument: never]>;
}

/**
 * Serves the page at the other end of a port. `engine.ts` has the page's end.
 */
export function serve<Own, Options, Stage extends string>(port: Port, { load, open, stagesOf, answer, questions, tools }: Serving<Own, Options, Stage>): void {
  let loaded: Promise<void> | undefined;
  let current = 0;
  let document: Promise<Own> | undefined;

  async function opened(data: OpenMessage & Options) {
    const { id, bytes, kind: _, ...rest } = data;
    const options = rest as Options;
    current = id;
    const started = performance.now();
    await loaded;
    if (current !== id) return;
    document = Promise.resolve(open(new Uint8Array(bytes), options));
    const own = await document;
    if (current !== id) return;
    const wanted = stagesOf(data);
    const parts: Partial<Record<Stage, unknown>> = {};
    for (const [index, stage] of wanted.entries()) {
      port.postMessage({ kind: 'stage', id, stage, index, of: wanted.length });
      await breath();
      if (current !== id) return;
      const before = performance.now();
      const value = await answer(own, stage, { parts, options });
      if (current !== id) return;
      parts[stage] = value;
      port.postMessage({ kind: 'part', id, part: stage, value, milliseconds: performance.now() - before });
    }
    port.postMessage({ kind: 'done', id, milliseconds: performance.now() - started });
  }

  /** Sends the answer to a question, or its error. */
  async function answered(question: number, make: () => unknown) {
    try {
      port.postMessage({ kind: 'answer', question, value: await make() });
    } catch (error) {
      port.postMessage({ kind: 'answer', question, error: messageOf(error) });
    }
  }

  port.onmessage = async ({ data }: MessageEvent<Message>) => {
    const failed = (error: unknown) => port.postMessage({ kind: 'failed', id: data.id, message: messageOf(error) });
    switch (data.kind) {
      case 'load':
        loaded = load(data.module);
        loaded.then(() => port.postMessage({ kind: 'loaded' }), failed);
        break;
      case 'open':
        await opened(data as OpenMessage & Options).catch(failed);
        break;
      case 'tool':
        await answered(data.question, async () => {
          await loaded;
          return tools[data.about]!(data.argument as never);
        });
        break;
      case 'ask':
        await answered(data.question, async () => {
          if (data.document !== current || document === undefined) throw new Error('superseded');
          return questions[data.about]!(await document, data.argument as never);
        });
        break;
    }
  };
}
