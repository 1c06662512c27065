// Where the engine of an element works: in the page's thread, or in one of its own.
//
// Why not always in a thread of its own?
// The script is one file and may come from any origin, so its thread comes from a `blob:` address, which many policies
// (Content-Security-Policy, Trusted Types) forbid. What is small takes the page's thread only for moments.
// What is large needs `worker-src blob:`, and is refused without it: it would stop the page.
import { Engine, type EngineThread, type Listeners } from '../engine/engine.ts';
import { sizeText } from '../shared/words.ts';
import { Unshown } from './problems.ts';
import { type ElementOptions, type Questions, serveElement, type Tools } from './serve.ts';

declare const COMPONENT_ENGINE: string;
declare const COMPONENT_THREAD: string;

export type ElementEngine = Engine<Questions, Tools, ElementOptions>;

/** The most that is worked on in the page's thread, in bytes or characters. */
export const SMALL = 500_000;

/** The bytes of a text in Base64 of gzip. */
async function inflated(text: string): Promise<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

let compiled: Promise<WebAssembly.Module> | undefined;
/** The compiled engine, which all elements and threads of a page share. */
function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= inflated(COMPONENT_ENGINE)
    .then((bytes) => WebAssembly.compile(bytes))
    .catch((error: unknown) => {
      compiled = undefined;
      throw error;
    });
  return compiled;
}

function inPage(): EngineThread {
  const { port1, port2 } = new MessageChannel();
  serveElement(port2);
  return Object.assign(port1, { terminate: () => port1.close() });
}

/** Starts a thread. @throws {Unshown} if the page forbids it */
async function ownThread(size: number): Promise<EngineThread> {
  const url = URL.createObjectURL(new Blob([await inflated(COMPONENT_THREAD)], { type: 'text/javascript' }));
  try {
    const worker = new Worker(url);
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message || 'it did not start'));
      };
    });
    return worker;
  } catch (error) {
    throw new Unshown('no-thread', `This has ${sizeText(size)} and needs a thread of its own, which this page does not allow: ${(error as Error).message}`, {
      found: sizeText(size),
      expected: `\`worker-src blob:\` in the Content-Security-Policy of the page, or up to ${sizeText(SMALL)}`,
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * The engine for something of a size in bytes or characters. `listeners` are those of {@link Engine}.
 *
 * @throws {Unshown} if it is large and the page allows no thread
 */
export async function engineFor(size: number, listeners: Listeners): Promise<ElementEngine> {
  const worker = size > SMALL ? await ownThread(size) : inPage();
  return new Engine(() => worker, engineModule(), listeners);
}
