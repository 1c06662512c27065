// A deployment: the settings that distinguish one gateway on Cloudflare from another, and wrangler with its configuration.
//
// The file of a deployment, `deployment.json` at the root of the checkout or another, holds the owner's choices and what
// Cloudflare assigned: names, identifiers and addresses, but no secrets. worker/wrangler.toml is for the local gateway and stays
// unchanged. The settings of a deployment are merged with it into a separate file for wrangler.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const worker = join(root, 'worker');
export const DEFAULT_DEPLOYMENT = join(root, 'deployment.json');

/** Placeholders for identifiers until Cloudflare assigns them. */
const UNKNOWN_DATABASE = '00000000-0000-0000-0000-000000000000';
const UNKNOWN_NAMESPACE = '00000000000000000000000000000000';

/** The deployment that a file describes; an empty one if there is no such file. */
export function readDeployment(file) {
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8');
  try {
    const deployment = JSON.parse(text);
    if (deployment !== null && typeof deployment === 'object' && !Array.isArray(deployment)) return deployment;
  } catch {
    // Reported below.
  }
  throw new Error(
    `${file} does not describe a deployment: expected a JSON object\n    what to do: repair it, or move it away and deploy again: existing resources are found by their names`,
  );
}

export function writeDeployment(file, deployment) {
  // Written whole or not at all: it is the only record of the created resources.
  writeFileSync(`${file}.new`, `${JSON.stringify(deployment, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** The path of a deployment's wrangler configuration. Wrangler resolves paths in it relative to its folder. */
export function configurationOf(file) {
  return join(worker, `${basename(file, '.json')}.wrangler.json`);
}

/** The configuration for wrangler: that of the checkout, with the settings of the deployment on top. */
export function configure(deployment) {
  // Not by wrangler, which takes a second to load.
  const rawConfig = parse(readFileSync(join(worker, 'wrangler.toml'), 'utf8'));
  const [database] = rawConfig.d1_databases;
  const [documents] = rawConfig.kv_namespaces;
  const [bucket] = rawConfig.r2_buckets;
  const { baseUrl, namespace, variables = {} } = deployment;
  const isOwnDomain = baseUrl && !deployment.isRoutedElsewhere && !new URL(baseUrl).hostname.endsWith('.workers.dev');
  return {
    ...rawConfig,
    name: deployment.name,
    ...(deployment.accountId ? { account_id: deployment.accountId } : {}),
    // Values that wrangler would otherwise take from the dashboard.
    workers_dev: !isOwnDomain,
    preview_urls: false,
    observability: { enabled: true, ...rawConfig.observability },
    ...(deployment.store
      ? {
          main: 'build/objects.js',
          durable_objects: { bindings: [{ name: 'ACCOUNTS', class_name: 'Account' }] },
          // No later one ever deletes the class: that would delete all events.
          migrations: [{ tag: 'v1', new_sqlite_classes: ['Account'] }],
        }
      : {}),
    ...(isOwnDomain ? { routes: [{ pattern: new URL(baseUrl).hostname, custom_domain: true }] } : {}),
    vars: {
      ...rawConfig.vars,
      ...variables,
      BASE_URL: baseUrl ?? '',
      EXTENSION_NAMESPACE: namespace ?? '',
      DOCUMENTS: deployment.bucket?.isChosen ? 'r2' : '',
      ...(deployment.store
        ? {
            STORE: deployment.store === 'moving' ? 'd1' : 'objects',
            ACCOUNTS_JURISDICTION: deployment.jurisdiction ?? '',
            ACCOUNTS_LOCATION: deployment.location ?? '',
          }
        : {}),
    },
    d1_databases: [{ ...database, database_name: deployment.database.name, database_id: deployment.database.id ?? UNKNOWN_DATABASE }],
    kv_namespaces: [{ ...documents, id: deployment.documents.id ?? UNKNOWN_NAMESPACE }],
    // The bucket stays bound even after a change back to KV, so that its documents remain readable.
    r2_buckets: deployment.bucket
      ? [{ ...bucket, bucket_name: deployment.bucket.name, ...(deployment.jurisdiction ? { jurisdiction: deployment.jurisdiction } : {}) }]
      : [],
  };
}

export function writeConfiguration(file, deployment) {
  const configuration = configurationOf(file);
  writeFileSync(configuration, `${JSON.stringify(configure(deployment), null, 2)}\n`);
  return configuration;
}

/** The command that starts wrangler: the pinned version, or the executable named by WRANGLER. */
export function wranglerCommand() {
  if (process.env.WRANGLER) return [process.env.WRANGLER];
  const require = createRequire(import.meta.url);
  return [process.execPath, join(dirname(require.resolve('wrangler/package.json')), 'bin', 'wrangler.js')];
}

/** Runs wrangler in the Worker's folder, without prompts and telemetry. */
export function wrangler(args, { env = {}, ...options } = {}) {
  const [command, ...first] = wranglerCommand();
  return spawnSync(command, [...first, ...args], {
    cwd: worker,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', ...env },
    ...options,
  });
}
