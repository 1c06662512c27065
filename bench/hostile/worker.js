// The deployed Worker with two more endpoints: one reports the engine's memory, the other restarts the engine.
import { __wbg_reset_state as reset } from 'engine';
import gateway from '../../worker/js/index.ts';

const { Instance } = WebAssembly;
let memory;
let isBegun = false;

// biome-ignore lint/complexity/useArrowFunction: it is called with `new`
WebAssembly.Instance = function (module, imports) {
  const instance = new Instance(module, imports);
  ({ memory } = instance.exports);
  return instance;
};

export default {
  fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === '/hostile/memory') return Response.json(memory?.buffer.byteLength ?? 0);
    if (pathname === '/hostile/anew') {
      if (isBegun) reset();
      isBegun = true;
      return gateway.fetch(new Request(new URL('/pricing', request.url)), env, context);
    }
    return gateway.fetch(request, env, context);
  },
};
