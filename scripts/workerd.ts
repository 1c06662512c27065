// Runs the built Worker in real workerd, as worker/wrangler.toml configures it, for `make serve` and tests.
import { fileURLToPath } from 'node:url';
import { type Log, Miniflare, type V4MiniflareOptions, convertV4MiniflareOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

// Otherwise wrangler logs to the user's home folder, which a service may not have.
process.env.WRANGLER_WRITE_LOGS ??= 'false';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The entry of the Worker over a store, and the settings that it needs. */
const STORES = {
  d1: { entry: 'index' },
  objects: { entry: 'objects', durableObjects: { ACCOUNTS: { className: 'Account', useSQLite: true } } },
};

interface Start {
  /** Variables that override those of wrangler.toml. */
  readonly bindings?: Readonly<Record<string, string>>;
  /** The folder for persistent data. */
  readonly persistTo?: string;
  /** 0 is a free port. */
  readonly port?: number;
  /** Replace the limits of wrangler.toml. */
  readonly ratelimits?: object;
  /** Further Workers, each with the gateway as its service binding `GATEWAY`. */
  readonly others?: readonly object[];
  /** Receives the output of workerd. */
  readonly log?: Log;
  readonly hasBucket?: boolean;
  /** Receives each message of the gateway's log. */
  readonly onMessage?: (message: string) => void;
  /** The folder of the built Worker. */
  readonly build?: string;
  /** `objects` gives each account an object. */
  readonly store?: keyof typeof STORES;
}

export interface Started {
  readonly address: URL;
  readonly gateway: Miniflare;
  dispose(): Promise<void>;
}

/** Starts the gateway on loopback. */
export async function startWorkerd(given: Start): Promise<Started> {
  const { bindings = {}, persistTo, port = 0, ratelimits, others = [], log, hasBucket = true, onMessage } = given;
  const { build = here('../worker/build'), store = 'd1' } = given;
  const { entry, ...settings } = STORES[store];
  const { workerOptions } = unstable_getMiniflareWorkerOptions(here('../worker/wrangler.toml'));
  const gatewayOptions = {
    ...workerOptions,
    name: 'gateway',
    bindings: { ...(workerOptions.bindings as object), ...bindings },
    r2Buckets: hasBucket ? workerOptions.r2Buckets : {},
    ratelimits: ratelimits ?? workerOptions.ratelimits,
    ...settings,
    modulesRoot: build,
    modules: [
      { type: 'ESModule', path: `${build}/${entry}.js` },
      { type: 'CompiledWasm', path: `${build}/index_bg.wasm` },
    ],
  };
  const options = {
    workers: [gatewayOptions, ...others.map((other) => ({ modules: true, serviceBindings: { GATEWAY: 'gateway' }, ...other }))],
    host: '127.0.0.1',
    port,
    // The caller's location, which would be fetched from Cloudflare and is not needed here.
    cf: false,
    ...(log === undefined ? {} : { log }),
    ...(onMessage === undefined ? {} : { handleStructuredLogs: ({ message }: { message: string }) => onMessage(message) }),
    ...(persistTo === undefined ? {} : { resourcePersistencePath: persistTo }),
  };
  const gateway = new Miniflare(convertV4MiniflareOptions(options as unknown as V4MiniflareOptions));
  const address = await gateway.ready;
  return { address, gateway, dispose: () => gateway.dispose() };
}

/** Wakes a gateway every minute, as Cloudflare does, for the log and its witnesses. Returns a function that stops it. */
export async function wakeEachMinute({ gateway }: Started): Promise<() => void> {
  const worker = await gateway.getWorker('gateway');
  const timer = setInterval(
    () => worker.scheduled({ cron: '* * * * *' }).catch((error) => console.error(`the scheduled work failed: ${error.message}`)),
    60_000,
  );
  return () => clearInterval(timer);
}

/** The variables that worker/wrangler.toml documents, each with its default. */
export const variables = (): object => unstable_getMiniflareWorkerOptions(here('../worker/wrangler.toml')).workerOptions.bindings ?? {};

/**
 * Requests the list of endpoints: if a variable cannot be read, every answer is a 500, and the log names the variable.
 *
 * @param messages the log messages of the gateway; see `onMessage` of {@link startWorkerd}
 * @returns `undefined` if the gateway works, otherwise the reason why not
 */
export async function faultOf({ address }: Started, messages: readonly string[]): Promise<string | undefined> {
  const answer = await fetch(address, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(30_000) });
  await answer.body?.cancel();
  if (answer.status !== 500) return undefined;
  const said = messages.map((message) => /the (variable|setting) [A-Z_]+.*/.exec(message)?.[0]).find((message) => message !== undefined);
  return said ?? 'every answer of the gateway is a fault; its log says why';
}
