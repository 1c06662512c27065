// The Worker's entry: begins the engine with the first request, and anew after it broke.
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

export default {
  async fetch(request, env, context) {
    begin();
    let tell;
    // Of this request's own: what one request promised, the runtime does not keep for another.
    const broken = new Promise((resolve) => (tell = resolve));
    waiting.add(tell);
    try {
      return await Promise.race([answer(request, env, context), broken.then(problem)]);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      end(error);
      return problem();
    } finally {
      waiting.delete(tell);
    }
  },
  async scheduled(event, env, context) {
    begin();
    try {
      await work(event, env, context);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      end(error);
    }
  },
};
