// What every entry of the Worker does: begins the engine with the first request, and anew after it broke.
import module from './index_bg.wasm';
import { __wbg_reset_state as reset, fetch as answer, initSync, scheduled as work } from 'engine';

/** Whoever waits for the engine, each with a way to be told that it broke. */
const waiting = new Set();
let isRunning = false;
let isBegun = false;

function begin() {
  if (isRunning) return;
  if (isBegun) reset();
  else initSync({ module });
  isBegun = true;
  isRunning = true;
}

// A trap in the engine, such as memory that is not to be had, surfaces where no caller is: in the queue of what is to be done.
addEventListener('error', (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) end(event.error);
});

function end(error) {
  console.error('the engine broke', error);
  isRunning = false;
  for (const tell of waiting) tell();
  waiting.clear();
}

/** The problem document of the core, but for the claim that nothing was changed: nobody is left who knows. */
function problem() {
  const body = {
    type: 'epcisException:ImplementationException',
    title: 'Unexpected fault',
    status: 500,
    detail: 'the service broke off: whether a capture was stored is not known, ask for its events before you send it again',
  };
  const headers = { 'content-type': 'application/problem+json', 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' };
  return new Response(JSON.stringify(body), { status: 500, headers });
}

/**
 * The handlers of a Worker.
 *
 * `open(env)` gives what the engine finds as `SESSION` in the environment of one request, with `end()` for when that is over, or
 * nothing where the engine needs none.
 */
export const entry = (open = () => undefined) => ({
  async fetch(request, env, context) {
    begin();
    let tell;
    // Of this request's own: what one request promised, the runtime does not keep for another.
    const broken = new Promise((resolve) => (tell = resolve));
    waiting.add(tell);
    const held = hold(open(env), env, context);
    try {
      const answered = answer(request, held.env, held.context);
      // A caller that leaves breaks nothing off that others wait for.
      context.waitUntil(answered.catch(() => {}));
      return await Promise.race([answered, broken.then(problem)]);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      end(error);
      return problem();
    } finally {
      waiting.delete(tell);
      held.end();
    }
  },
  async scheduled(event, env, context) {
    begin();
    const held = hold(open(env), env, context);
    try {
      await work(event, held.env, held.context);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      end(error);
    } finally {
      held.end();
    }
  },
});

/** The environment and context of a request with its session, which ends when the answer and the work behind it are done. */
function hold(session, env, context) {
  if (session === undefined) return { env, context, end() {} };
  const behind = [];
  return {
    env: { ...env, SESSION: session },
    context: {
      waitUntil(promise) {
        behind.push(promise);
        context.waitUntil(promise);
      },
      passThroughOnException: () => context.passThroughOnException(),
    },
    end: () => context.waitUntil(Promise.allSettled(behind).then(() => session.end())),
  };
}
