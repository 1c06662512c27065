// The deployed Worker with two more endpoints: one reports the engine's memory, the other restarts the engine.
import { __wbg_reset_state as reset } from 'engine';
import gateway from '../../worker/js/index.ts';

const { Instance } = WebAssembly;
let memory: WebAssembly.Memory | undefined;
let isBegun = false;

WebAssembly.Instance = class extends Instance {
  constructor(module: WebAssembly.Module, imports?: Record<string, WebAssembly.ModuleImports>) {
    super(module, imports);
    ({ memory } = this.exports as { memory: WebAssembly.Memory });
  }
};

export default {
  fetch(request: Request<unknown, IncomingRequestCfProperties>, env: object, context: ExecutionContext) {
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
