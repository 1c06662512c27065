// A deployment: the settings that distinguish one gateway on Cloudflare from another, and wrangler with its configuration.
//
// The file of a deployment, `deployment.json` at the root of the checkout or another, holds the owner's choices and what
// Cloudflare assigned: names, identifiers and addresses, but no secrets. worker/wrangler.toml is for the local gateway and stays
// unchanged. The settings of a deployment are merged with it into a separate file for wrangler.
import { type SpawnSyncOptionsWithStringEncoding, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const worker = join(root, 'worker');
export const DEFAULT_DEPLOYMENT = join(root, 'deployment.json');

/** What distinguishes a gateway from another: the choices of its owner, and what Cloudflare assigned. */
export interface Deployment {
  name: string;
  accountId?: string;
  baseUrl?: string;
  namespace?: string;
  isRoutedElsewhere?: boolean;
  /** Where the events are, if not in D1: in objects, or on their way there. */
  store?: string;
  location?: string;
  jurisdiction?: string;
  database: Resource;
  documents: Resource;
  bucket?: { name: string; isChosen: boolean; isMade?: boolean };
  log?: { readonly name: string; readonly vkey: string };
  variables?: Record<string, string>;
}

export interface Resource {
  name: string;
  /** Unknown until Cloudflare assigned it. */
  id?: string | undefined;
}

/** Placeholders for identifiers until Cloudflare assigns them. */
const UNKNOWN_DATABASE = '00000000-0000-0000-0000-000000000000';
const UNKNOWN_NAMESPACE = '00000000000000000000000000000000';

/** The deployment that a file describes; an empty one if there is no such file. */
export function readDeployment(file: string): Partial<Deployment> {
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

export function writeDeployment(file: string, deployment: Deployment): void {
  // Written whole or not at all: it is the only record of the created resources.
  writeFileSync(`${file}.new`, `${JSON.stringify(deployment, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** The path of a deployment's wrangler configuration. Wrangler resolves paths in it relative to its folder. */
export function configurationOf(file: string): string {
  return join(worker, `${basename(file, '.json')}.wrangler.json`);
}

/** What is read of wrangler.toml here. */
interface Configuration {
  readonly d1_databases: readonly object[];
  readonly kv_namespaces: readonly object[];
  readonly r2_buckets: readonly object[];
  readonly observability?: object;
  readonly vars: object;
}

/** The configuration for wrangler: that of the checkout, with the settings of the deployment on top. */
export function configure(deployment: Deployment): object {
  // Not by wrangler, which takes a second to load.
  const rawConfig = parse(readFileSync(join(worker, 'wrangler.toml'), 'utf8')) as unknown as Configuration;
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

export function writeConfiguration(file: string, deployment: Deployment): string {
  const configuration = configurationOf(file);
  writeFileSync(configuration, `${JSON.stringify(configure(deployment), null, 2)}\n`);
  return configuration;
}

/** The command that starts wrangler: the pinned version, or the executable named by WRANGLER. */
export function wranglerCommand(): [program: string, ...first: string[]] {
  if (process.env.WRANGLER) return [process.env.WRANGLER];
  const require = createRequire(import.meta.url);
  return [process.execPath, join(dirname(require.resolve('wrangler/package.json')), 'bin', 'wrangler.js')];
}

/** Runs wrangler in the Worker's folder, without prompts and telemetry. */
export function wrangler(args: readonly string[], { env = {}, ...options }: Partial<SpawnSyncOptionsWithStringEncoding> = {}): SpawnSyncReturns<string> {
  const [command, ...first] = wranglerCommand();
  return spawnSync(command, [...first, ...args], {
    cwd: worker,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', ...env },
    ...options,
  });
}
