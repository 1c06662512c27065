// @ts-nocheck
// Loads the engine of an entry point: automatically at the first call, or by `init`.
import { engineSource } from './arguments.ts';

/** The state of each engine. All entry points of the package share one instance of it. */
const states = new Map();

/** Compiles a source: a module, bytes, a response, or an address or request to fetch. */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`the WebAssembly file at ${response.url} could not be fetched: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Makes an entry point: the functions of an engine, and `init`.
 *
 * @param engine the module that the build wrote beside the WebAssembly file
 * @param makeApi makes the functions, given a function that loads the engine
 * @param atOnce returns the bytes or the compiled module synchronously; absent if that is not possible
 * @param later returns the source of the engine when `init` has no argument
 * @param opened turns the argument of `init` into bytes, a module or a response, if this runtime needs that
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
    // A call may load the engine meanwhile; there must be only one instance.
    if (atOnce !== undefined) return instantiate(await compiled(from));
    // Browsers do not instantiate a large module synchronously.
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
