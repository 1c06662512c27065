// The engine's end of a connection: opens a document, answers stage by stage, and then questions. Between two stages it stops if a newer
// document has come.

/** Waits until the messages that have arrived are handled. */
const breath = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(port1.close());
    port2.postMessage(undefined);
  });

const messageOf = (error) => String(error?.message ?? error);

/**
 * Serves the page at the other end of a port, which is a thread or a MessagePort. `engine.js` has the page's end.
 *
 * @param load loads the engine from a compiled module
 * @param open opens a document from its bytes and the options of the page; it may be a promise
 * @param stagesOf names the stages of a document, given the message that opens it; `answer` computes one, given those before it
 * @param questions functions of the open document and an argument; `tools` functions of an argument alone
 */
export function serve(port, { load, open, stagesOf, answer, questions, tools }) {
  let loaded;
  let current = 0;
  let document;

  async function opened(data) {
    const { id, bytes, kind: _, ...options } = data;
    current = id;
    const started = performance.now();
    await loaded;
    if (current !== id) return;
    document = Promise.resolve(open(new Uint8Array(bytes), options));
    const own = await document;
    if (current !== id) return;
    const wanted = stagesOf(data);
    const parts = {};
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
  async function answered(question, make) {
    try {
      port.postMessage({ kind: 'answer', question, value: await make() });
    } catch (error) {
      port.postMessage({ kind: 'answer', question, error: messageOf(error) });
    }
  }

  port.onmessage = async ({ data }) => {
    const failed = (error) => port.postMessage({ kind: 'failed', id: data.id, message: messageOf(error) });
    switch (data.kind) {
      case 'load':
        loaded = load(data.module);
        loaded.then(() => port.postMessage({ kind: 'loaded' }), failed);
        break;
      case 'open':
        await opened(data).catch(failed);
        break;
      case 'tool':
        await answered(data.question, async () => {
          await loaded;
          return tools[data.about](data.argument);
        });
        break;
      case 'ask':
        await answered(data.question, async () => {
          if (data.document !== current || document === undefined) throw new Error('superseded');
          return questions[data.about](await document, data.argument);
        });
        break;
    }
  };
}
