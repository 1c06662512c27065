// Loads the engine of an entry point: automatically at the first call, or by `init`.
import { engineSource } from './arguments.ts';
import type * as Surface from './index.ts';

type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;
/** What an engine is compiled of. */
type Source = Bytes | WebAssembly.Module | Response | Request | URL | string;

/** The module that wasm-bindgen writes beside a WebAssembly file. */
type Compiled<Engine> = Engine & {
  initSync(options: { readonly module: Bytes | WebAssembly.Module }): unknown;
  default(options: { readonly module_or_path: Source }): Promise<unknown>;
};

/** How a runtime finds the file of an engine. */
export interface Finding {
  /** The bytes or the compiled module; absent if they cannot be had at once. */
  readonly atOnce?: () => Bytes | WebAssembly.Module;
  /** The source of the engine when `init` has no argument; `atOnce`, if absent. */
  readonly later?: () => Source;
  /** Turns the argument of `init` into bytes, a module or a response, if this runtime needs that. */
  readonly opened?: (source: Source) => Source | Promise<Source>;
}

/** The state of each engine. All entry points of the package share one instance of it. */
const states = new Map<unknown, { isLoaded: boolean; loading: Promise<void> | undefined }>();

/** Compiles a source: a module, bytes, a response, or an address or request to fetch. */
async function compiled(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`the WebAssembly file at ${response.url} could not be fetched: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Makes an entry point: the functions of an engine, and `init`.
 *
 * @param makeApi makes the functions, given a function that loads the engine
 */
export function makeEntry<Engine, Api>(
  engine: Compiled<Engine>,
  makeApi: (load: () => Engine) => Api,
  { atOnce, later = atOnce, opened = (source) => source }: Finding,
): Api & Pick<typeof Surface, 'init'> {
  const state = states.get(engine) ?? { isLoaded: false, loading: undefined };
  states.set(engine, state);

  function instantiate(module: Bytes | WebAssembly.Module): void {
    if (!state.isLoaded) engine.initSync({ module });
    state.isLoaded = true;
  }

  function load(): Engine {
    if (state.isLoaded) return engine;
    if (atOnce === undefined) throw new Error('epcis-edge is not loaded yet: `await init()` first');
    instantiate(atOnce());
    return engine;
  }

  async function begin(source: unknown): Promise<void> {
    const given = await source;
    if (given === undefined && later === undefined) throw new TypeError('init needs the source of the engine here');
    const from = given === undefined && later !== undefined ? later() : await opened(engineSource(given));
    // A call may load the engine meanwhile; there must be only one instance.
    if (atOnce !== undefined) return instantiate(await compiled(from));
    // Browsers do not instantiate a large module synchronously.
    await engine.default({ module_or_path: from });
    state.isLoaded = true;
  }

  function init(source?: unknown): Promise<void> {
    if (state.isLoaded) return Promise.resolve();
    state.loading ??= begin(source).catch((error: unknown) => {
      // Another attempt may succeed.
      state.loading = undefined;
      throw error;
    });
    return state.loading;
  }

  return { ...makeApi(load), init };
}
