// Runs the built Worker in real workerd, as worker/wrangler.toml configures it, for `make serve` and tests.
import { fileURLToPath } from 'node:url';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

// Otherwise wrangler logs to the user's home folder, which a service may not have.
process.env.WRANGLER_WRITE_LOGS ??= 'false';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The entry of the Worker over a store, and the settings that it needs. */
const STORES = {
  d1: { entry: 'index' },
  objects: { entry: 'objects', durableObjects: { ACCOUNTS: { className: 'Account', useSQLite: true } } },
};

/**
 * Starts the gateway on loopback.
 *
 * `bindings` are variables that override those of wrangler.toml. `persistTo` is the folder for persistent data. `port` 0 is a
 * free port. `ratelimits` replace the limits of wrangler.toml. `others` are further Workers, each with the gateway as its service
 * binding `GATEWAY`. `log` receives the output of workerd. `store: 'objects'` gives each account an object.
 * `hasBucket: false` omits the bucket. `onMessage` receives each message of the gateway's log.
 */
export async function startWorkerd(given) {
  const { bindings = {}, persistTo, port = 0, ratelimits, others = [], log, hasBucket = true, onMessage } = given;
  const { build = here('../worker/build'), store = 'd1' } = given;
  const { entry, ...settings } = STORES[store];
  const { workerOptions } = unstable_getMiniflareWorkerOptions(here('../worker/wrangler.toml'));
  const gatewayOptions = {
    ...workerOptions,
    name: 'gateway',
    bindings: { ...workerOptions.bindings, ...bindings },
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
    ...(onMessage === undefined ? {} : { handleStructuredLogs: ({ message }) => onMessage(message) }),
    ...(persistTo === undefined ? {} : { resourcePersistencePath: persistTo }),
  };
  const gateway = new Miniflare(convertV4MiniflareOptions(options));
  const address = await gateway.ready;
  return { address, gateway, dispose: () => gateway.dispose() };
}

/**
 * Wakes a gateway every minute, as Cloudflare does, to log remaining captures and to ask witnesses that were unavailable.
 *
 * @returns a function that stops it
 */
export async function wakeEachMinute({ gateway }) {
  const worker = await gateway.getWorker('gateway');
  const timer = setInterval(
    () => worker.scheduled({ cron: '* * * * *' }).catch((error) => console.error(`the scheduled work failed: ${error.message}`)),
    60_000,
  );
  return () => clearInterval(timer);
}

/** The variables that worker/wrangler.toml documents, each with its default. */
export const variables = () => unstable_getMiniflareWorkerOptions(here('../worker/wrangler.toml')).workerOptions.bindings;

/**
 * Requests the list of endpoints: if a variable cannot be read, every answer is a 500, and the log names the variable.
 *
 * @param messages the log messages of the gateway; see `onMessage` of {@link startWorkerd}
 * @returns `undefined` if the gateway works, otherwise the reason why not
 */
export async function faultOf({ address }, messages) {
  const answer = await fetch(address, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(30_000) });
  await answer.body?.cancel();
  if (answer.status !== 500) return undefined;
  const said = messages.map((message) => /the (variable|setting) [A-Z_]+.*/.exec(String(message))?.[0]).find((message) => message !== undefined);
  return said ?? 'every answer of the gateway is a fault; its log says why';
}
