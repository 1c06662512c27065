// The handlers that all entries of the Worker share. They start the engine with the first request, and again after it broke.
import module from './index_bg.wasm';
import { __wbg_reset_state as reset, fetch as answer, cosign as askWitnesses, grow as giveLeaves, initSync, scheduled as work } from 'engine';

/** A callback for each pending request, called if the engine breaks. */
const waiting = new Set<() => void>();
let isRunning = false;
let isBegun = false;

function begin(): void {
  if (isRunning) return;
  if (isBegun) reset();
  else initSync({ module });
  isBegun = true;
  isRunning = true;
}

// A trap in the engine, such as a failed allocation, may surface outside any request, in the task queue.
(globalThis as unknown as EventTarget<{ error: ErrorEvent }>).addEventListener('error', (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) end(event.error);
});

function end(error: unknown): void {
  console.error('the engine crashed, the next request starts it again', error);
  isRunning = false;
  for (const tell of waiting) tell();
  waiting.clear();
}

/** The core's problem document, without its claim that nothing was changed. After a crash, that is unknown. */
function problem(): Response {
  const body = {
    type: 'epcisException:ImplementationException',
    title: 'Unexpected fault',
    status: 500,
    detail: 'the service crashed: a capture may be stored or not, query its events before you send it again',
  };
  const headers = { 'content-type': 'application/problem+json', 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' };
  return new Response(JSON.stringify(body), { status: 500, headers });
}

/** Runs work of the engine. If the engine breaks meanwhile, whether in this work or in another, `otherwise` is called. */
async function run<T>(start: () => Promise<T>, otherwise: () => T): Promise<T> {
  begin();
  // Each request needs a promise of its own, because the runtime does not settle a promise of one request for another.
  const { promise: broken, resolve: tell } = Promise.withResolvers<void>();
  waiting.add(tell);
  try {
    return await Promise.race([start(), broken.then(otherwise)]);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    end(error);
    return otherwise();
  } finally {
    waiting.delete(tell);
  }
}

/** Gives leaves to all events without one. Returns whether all have one. */
export const grow = (env: object): Promise<boolean> =>
  run(
    () => giveLeaves(env),
    () => false,
  );

/** Asks the witnesses of the log. */
export const cosign = (env: object): Promise<void> =>
  run(
    () => askWitnesses(env),
    () => {},
  );

/** The handlers of a Worker. */
export const entry = {
  async fetch(request, env, context) {
    const start = () => {
      const answered = answer(request, env, context);
      // If the caller disconnects, the work continues, because others may be waiting for it.
      context.waitUntil(answered.catch(() => {}));
      return answered;
    };
    return run(start, problem);
  },
  scheduled: (event, env, context) =>
    run(
      () => work(event, env, context),
      () => {},
    ),
} satisfies ExportedHandler<object>;
