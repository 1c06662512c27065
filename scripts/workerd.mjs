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
