// The built Worker in real workerd, as worker/wrangler.toml configures it; for `make serve` and for tests.
import { fileURLToPath } from 'node:url';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

// Its log would go into the home of whoever starts it, which a service has not.
process.env.WRANGLER_WRITE_LOGS ??= 'false';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What a deployment over PostgreSQL has besides; the driver needs modules of Node. */
const onPostgres = (hyperdrive) => ({ hyperdrives: { HYPERDRIVE: hyperdrive }, compatibilityFlags: ['nodejs_compat'] });

/**
 * Starts it on loopback.
 *
 * `bindings` are variables over those of wrangler.toml, `persistTo` is the folder for what shall outlive it, `port` 0 is a free port,
 * `ratelimits` are other limits than those of wrangler.toml, `others` are Workers beside it, each with the gateway as its service
 * binding `GATEWAY`, `log` gets what workerd prints, `hyperdrive` is the address of a PostgreSQL that it uses instead of D1,
 * `hasBucket: false` leaves out the bucket, `onMessage` gets each message of the gateway's log.
 */
export async function startWorkerd(given) {
  const { bindings = {}, persistTo, port = 0, ratelimits, others = [], log, hyperdrive, hasBucket = true, onMessage } = given;
  const { build = here('../worker/build') } = given;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(here('../worker/wrangler.toml'));
  const gatewayOptions = {
    ...workerOptions,
    name: 'gateway',
    bindings: { ...workerOptions.bindings, ...bindings },
    r2Buckets: hasBucket ? workerOptions.r2Buckets : {},
    ratelimits: ratelimits ?? workerOptions.ratelimits,
    ...(hyperdrive === undefined ? {} : onPostgres(hyperdrive)),
    modulesRoot: build,
    modules: [
      { type: 'ESModule', path: `${build}/${hyperdrive === undefined ? 'index' : 'postgres'}.js` },
      { type: 'CompiledWasm', path: `${build}/index_bg.wasm` },
    ],
  };
  const options = {
    workers: [gatewayOptions, ...others.map((other) => ({ modules: true, serviceBindings: { GATEWAY: 'gateway' }, ...other }))],
    host: '127.0.0.1',
    port,
    // Where on the network a caller is: asked of Cloudflare otherwise, and of no use here.
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
 * Wakes a gateway each minute, as Cloudflare does: for what captures left to be logged, and witnesses that were away.
 *
 * @returns what ends it
 */
export async function wakeEachMinute({ gateway }) {
  const worker = await gateway.getWorker('gateway');
  const timer = setInterval(() => worker.scheduled({ cron: '* * * * *' }).catch((error) => console.error(`the log: ${error.message}`)), 60_000);
  return () => clearInterval(timer);
}

/** The variables that worker/wrangler.toml documents, each with its default. */
export const variables = () => unstable_getMiniflareWorkerOptions(here('../worker/wrangler.toml')).workerOptions.bindings;

/**
 * Asks a gateway for its list of doors: a variable that cannot be read makes each answer a 500, and a message of its log says which.
 *
 * @param messages what the log of the gateway has said; see `onMessage` of {@link startWorkerd}
 * @returns `undefined` where it answers, otherwise why it does not
 */
export async function faultOf({ address }, messages) {
  const answer = await fetch(address, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(30_000) });
  await answer.body?.cancel();
  if (answer.status !== 500) return undefined;
  const said = messages.map((message) => /the (variable|setting) [A-Z_]+.*/.exec(String(message))?.[0]).find((message) => message !== undefined);
  return said ?? 'the gateway answers nothing but faults; its log says why';
}
