// How an entry point comes by its engine: by itself at the first call, or from what `init` is given.
import { engineSource } from './check.js';

/** Of each engine whether it is loaded: there is one of it, whichever entry points of the package are used together. */
const states = new Map();

/** What is fetched, or was, as a compiled module. */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`the WebAssembly file at ${response.url} was not given: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Functions over an engine, and one way to find its WebAssembly file.
 *
 * @param engine the module that the build wrote beside the file
 * @param makeApi makes the functions, given what loads the engine
 * @param atOnce gives its bytes or the compiled module without waiting; absent where that cannot be
 * @param later gives what the engine is loaded from when `init` is told nothing
 * @param opened turns what `init` was given into bytes, a module or a response, where this runtime needs help
 */
export function makeEntry(engine, makeApi, { atOnce, later = atOnce, opened = (source) => source }) {
  if (!states.has(engine)) states.set(engine, { isLoaded: false, loading: undefined });
  const state = states.get(engine);

  function instantiate(module) {
    if (!state.isLoaded) engine.initSync({ module });
    state.isLoaded = true;
  }

  function load() {
    if (state.isLoaded) return engine;
    if (atOnce === undefined) throw new Error('epcis-edge is not loaded yet: `await init()` first');
    instantiate(atOnce());
    return engine;
  }

  async function begin(source) {
    const given = await source;
    const from = given === undefined ? later() : await opened(engineSource(given));
    // A call may load the engine while this waits: there must be one instance alone.
    if (atOnce !== undefined) return instantiate(await compiled(from));
    // Pages may not instantiate a large module without waiting.
    await engine.default({ module_or_path: from });
    state.isLoaded = true;
  }

  function init(source) {
    if (state.isLoaded) return Promise.resolve();
    state.loading ??= begin(source).catch((error) => {
      // Another attempt may succeed.
      state.loading = undefined;
      throw error;
    });
    return state.loading;
  }

  return { ...makeApi(load), init };
}
