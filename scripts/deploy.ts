// Deploys the gateway: checks, creates what is missing, applies the migrations, deploys, prints the address and the next steps.
// It can be run again at any time: existing resources are found and kept. docs/deploy.md has the details.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  DEFAULT_DEPLOYMENT,
  type Deployment,
  type Resource,
  configurationOf,
  readDeployment,
  root,
  wrangler,
  writeConfiguration,
  writeDeployment,
} from './deployment.ts';
import { makeLogKey } from './log-keys.ts';

const usage = `npm run deploy -- [--base-url <https://host>] [--name <name>] [--account <id>] [--dry-run]

  --base-url      the address of the gateway; default: an address under workers.dev, printed by the first deployment
  --name          the name of the Worker, its database, and its namespace or bucket of documents; default: epcis-edge
  --account       the id of the Cloudflare account; needed if the login has several
  --store         where events are kept: d1, one database for all accounts, or objects, an object for each account (docs/scale.md);
                  default: d1. Chosen once. The class of the objects is never removed: that would delete all events
  --location      the region of the data (weur, eeur, apac, oc, wnam, enam); default: near the place of the first deployment
  --jurisdiction  the jurisdiction that the data must not leave (eu, fedramp, us); neither can be changed later
  --moved         with --store objects: the store of this deployment was moved there by 'npm run move'. Before, --store objects makes the
                  objects ready, and D1 is served
  --documents     where documents are kept as received: kv, or r2 for larger ones; documents already in the other store stay readable
  --bucket        with --documents r2: the name of the bucket, created if it does not exist; default: <name>-documents
  --var <N=value> a variable of worker/wrangler.toml, such as MAX_BODY_BYTES=1000000; may be repeated; an empty value unsets it
  --no-route      do not route the host of --base-url to the Worker, because something else does
  --deployment <file>  the file with the settings, written by the first run; default: deployment.json
  --dry-run       show each command and change nothing; runs only wrangler's own dry run of the deployment

Options are kept in the file of the deployment and need not be repeated.`;

function fail(message: string, advice?: string): never {
  console.error(`\n${message}${advice ? `\n    what to do: ${advice}` : `\n\n${usage}`}`);
  process.exit(1);
}

function readOptions() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      options: {
        'base-url': text,
        name: text,
        account: text,
        store: text,
        location: text,
        jurisdiction: text,
        moved: flag,
        documents: text,
        bucket: text,
        deployment: text,
        var: { type: 'string', multiple: true },
        'no-route': flag,
        'dry-run': flag,
        help: flag,
      },
    }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}
type Options = ReturnType<typeof readOptions>;

/** The origin of the address. A path is refused, since the gateway serves at the root of its host. */
function originOf(address: string): string {
  const url = URL.parse(address) ?? fail(`--base-url must be an address such as https://epcis.example.com, not ${address}`);
  const hasMore = url.pathname !== '/' || url.search || url.hash || url.username || url.password;
  if (url.protocol !== 'https:' || hasMore) return fail(`--base-url must be https:// and a host, nothing more; not ${address}`);
  return url.origin;
}

/** Where the events are: in D1, in objects, or in D1 on their way to objects. Chosen once, unless the store is moved out of D1. */
function settleStore(known: Partial<Deployment>, options: Options, variables: Record<string, string>): { store?: string } {
  const store = options.store ?? known.store ?? 'd1';
  if (options.store !== undefined && store !== 'd1' && store !== 'objects') fail(`--store must be d1 or objects, not ${store}`);
  const isBegun = Boolean(known.database?.id);
  if (isBegun && known.store !== undefined && store === 'd1') {
    fail(
      'this deployment keeps its events in objects: without their class Cloudflare would delete them',
      'leave --store out, or deploy another gateway: --deployment <file> --name <name>',
    );
  }
  if (options.moved && options.store !== 'objects') fail('--moved needs --store objects');
  if (options.store === 'objects' && isBegun && known.store !== 'objects') {
    if (options.moved && known.store !== 'moving')
      fail('this deployment has no objects yet', "deploy with --store objects first, then 'npm run move' (docs/moving.md)");
    if (options.moved) return { store };
    if (variables.READ_ONLY !== 'on') fail('nothing may be stored while the store is moved to objects', 'add --var READ_ONLY=on (docs/moving.md)');
    return { store: 'moving' };
  }
  return store === 'd1' ? {} : { store };
}

/** Merges the options into the known deployment. */
function settle(known: Partial<Deployment>, options: Options): Deployment {
  const name = options.name ?? known.name ?? 'epcis-edge';
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) fail('--name must be lower-case letters, digits and hyphens');
  if (known.name && known.name !== name) fail(`this deployment is named ${known.name}`, `deploy ${name} as another one: --deployment ${name}.json`);
  const account = options.account ?? process.env.CLOUDFLARE_ACCOUNT_ID ?? known.accountId;
  if (known.accountId && known.accountId !== account) {
    fail(`this deployment is in the account ${known.accountId}, not in ${account}`, 'use another --deployment file for another account');
  }
  const variables: Record<string, string> = { ...known.variables };
  for (const pair of options.var ?? []) {
    const [, variable = '', value = ''] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(pair) ?? fail(`--var must be NAME=value, not ${pair}`);
    if (variable === 'BASE_URL') fail('BASE_URL is set by --base-url');
    if (variable === 'DOCUMENTS') fail('DOCUMENTS is set by --documents');
    if (variable === 'STORE') fail('STORE is set by --store');
    if (/^ACCOUNTS_/.test(variable)) fail(`${variable} is set by --${variable.slice('ACCOUNTS_'.length).toLowerCase()}`);
    // The namespace of stored events stays the same, even if the address changes.
    if (variable === 'EXTENSION_NAMESPACE') {
      if (!/^https?:\/\/[^\s"<>\\^`{|}]+[/#]$/.test(value)) fail('EXTENSION_NAMESPACE must be an address that ends with / or #');
      if (known.namespace && known.namespace !== value) {
        fail(`the namespace of this deployment is ${known.namespace}`, 'keep it: stored events use it, and forged stamps are recognised by it');
      }
      known.namespace = value;
    } else if (value === '') delete variables[variable];
    else variables[variable] = value;
  }
  const database = known.database ?? { name };
  const baseUrl = options['base-url'] === undefined ? known.baseUrl : originOf(options['base-url']);
  return {
    name,
    ...(account ? { accountId: account } : {}),
    ...(baseUrl ? { baseUrl } : {}),
    // Stored once: it must not change with the address.
    ...(known.namespace || baseUrl ? { namespace: known.namespace ?? `${baseUrl}/ns/spine/` } : {}),
    ...(options['no-route'] || known.isRoutedElsewhere ? { isRoutedElsewhere: true } : {}),
    ...settleStore(known, options, variables),
    ...settlePlace(known, options),
    database,
    documents: known.documents ?? { name: `${name}-documents` },
    ...settleBucket(known, options, name),
    // Stored once: a log keeps its origin for ever, whatever the address.
    ...(known.log ? { log: known.log } : {}),
    ...(Object.keys(variables).length ? { variables } : {}),
  };
}

/** The bucket of documents, if there is one, and whether new documents go there. */
function settleBucket(known: Partial<Deployment>, options: Options, name: string): Pick<Deployment, 'bucket'> {
  const { documents, bucket } = options;
  if (documents !== undefined && documents !== 'kv' && documents !== 'r2') fail('--documents must be kv or r2');
  const isChosen = documents === undefined ? known.bucket?.isChosen === true : documents === 'r2';
  if (bucket !== undefined) {
    if (!isChosen) fail('--bucket needs --documents r2');
    if (!/^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/.test(bucket)) fail('--bucket must be 3 to 63 lower-case letters, digits and hyphens');
    if (known.bucket && known.bucket.name !== bucket) {
      fail(`this deployment has documents in the bucket ${known.bucket.name}`, 'keep it: the documents are there, and no command moves them');
    }
  }
  if (!isChosen && !known.bucket) return {};
  return { bucket: { name: bucket ?? `${name}-documents`, ...known.bucket, isChosen } };
}

const PLACES = { location: ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam'], jurisdiction: ['eu', 'fedramp', 'us'] };

type Place = Pick<Deployment, 'location' | 'jurisdiction'>;

/** The location of the data. It is chosen once, since Cloudflare does not move data, and finds objects by their jurisdiction. */
function settlePlace(known: Partial<Deployment>, options: Options): Place {
  const place: Place = {};
  for (const option of ['location', 'jurisdiction'] as const) {
    const places = PLACES[option];
    const chosen = options[option];
    if (chosen !== undefined && !places.includes(chosen)) fail(`--${option} must be one of ${places.join(', ')}, not ${chosen}`);
    if (chosen && known.database?.id && known[option] !== chosen) {
      fail(
        `the database of this deployment was created ${known[option] ? `with --${option} ${known[option]}` : `without --${option}`}`,
        `leave --${option} out, or deploy as another gateway: --deployment <file> --name <name>`,
      );
    }
    const settled = chosen ?? known[option];
    if (settled) place[option] = settled;
  }
  if (place.location && place.jurisdiction) fail('--location and --jurisdiction exclude each other');
  return place;
}

/** Refuses a policy that the Worker could not read: its log would be off, unnoticed for months. */
async function requirePolicy(variables: Record<string, string>): Promise<void> {
  if (!variables.LOG_POLICY) return;
  const { verifyProof } = await import(new URL('../wasm/js/proof/node.ts', import.meta.url).href);
  try {
    // Parsed as in the Worker: semicolons separate lines.
    verifyProof('{"type":"ObjectEvent"}', '', variables.LOG_POLICY.replaceAll(';', '\n'));
  } catch (error) {
    fail(`LOG_POLICY: ${(error as Error).message}`, 'correct the line, and give the whole setting again with --var (docs/log.md shows one)');
  }
}

const options = readOptions();
if (options.help) {
  console.log(usage);
  process.exit(0);
}
const isDry = options['dry-run'] ?? false;
const file = options.deployment ? resolve(options.deployment) : DEFAULT_DEPLOYMENT;
let known: Partial<Deployment>;
try {
  known = readDeployment(file);
} catch (error) {
  const [message = '', advice] = (error as Error).message.split('\n    what to do: ');
  fail(message, advice);
}
// Without a database there are no stored events with a namespace yet.
if (!known.database?.id && known.namespace === `${known.baseUrl}/ns/spine/`) delete known.namespace;
const deployment = settle(known, options);
await requirePolicy(deployment.variables ?? {});
const configuration = relative(join(root, 'worker'), configurationOf(file));
const environment: NodeJS.ProcessEnv = deployment.accountId ? { CLOUDFLARE_ACCOUNT_ID: deployment.accountId } : {};

function keep(): string {
  if (!isDry) writeDeployment(file, deployment);
  return writeConfiguration(file, deployment);
}

const shown = (args: readonly string[]): string => `wrangler ${args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`;

interface Run {
  readonly isQuiet?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Prints a command and runs it. On failure prints advice and ends. A dry run only prints the command. */
function run(args: readonly string[], advice: string, { isQuiet = false, env = {}, input }: Run = {}): string {
  console.log(`    ${shown(args)}`);
  if (isDry) return '';
  const { status, stdout, stderr, error } = wrangler(args, {
    env: { ...environment, ...env },
    ...(input === undefined ? {} : { input }),
    stdio: [input === undefined ? 'ignore' : 'pipe', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
  });
  if (error || status !== 0) fail(`this command failed: ${shown(args)}\n${error?.message ?? `${stdout ?? ''}${stderr ?? ''}`.trim()}`, advice);
  return stdout;
}

/** The list that a command prints as JSON after its other output. */
function list(args: readonly string[], advice: string): Readonly<Record<string, string>>[] {
  const text = run(args, advice, { isQuiet: true });
  if (isDry) return [];
  try {
    const found = JSON.parse(text.slice(text.indexOf('[')));
    if (Array.isArray(found)) return found;
  } catch {
    // Reported below.
  }
  return fail(`this command printed no list: ${shown(args)}\n${text}`, "is this the wrangler of package-lock.json? 'npm ci' installs it");
}

const step = (name: string): void => console.log(`\n==> ${name}`);

step(`configuration: ${deployment.name}, ${deployment.baseUrl ?? 'at the address under workers.dev'} (${relative(root, file)})`);
if (!deployment.baseUrl && isDry) console.log('    the first deployment finds out the address, and a second one sets it');

step('login and account');
const who = run(['whoami', '--json'], "'npx wrangler login', or set CLOUDFLARE_API_TOKEN (docs/deploy.md names its permissions)", { isQuiet: true });
if (!isDry) {
  const { accounts = [] }: { accounts?: { id: string; name: string }[] } = JSON.parse(who.slice(who.indexOf('{')));
  const names = accounts.map(({ id, name }) => `${id}  ${name}`).join('\n');
  if (!deployment.accountId) {
    const [account, ...others] = accounts;
    if (account === undefined || others.length > 0) fail(`the login has ${accounts.length} accounts\n${names}`, 'choose one: --account <id>');
    deployment.accountId = account.id;
  } else if (accounts.length && !accounts.some(({ id }) => id === deployment.accountId)) {
    fail(`the login has no account ${deployment.accountId}, but\n${names}`, 'choose one: --account <id>, or log in with another account');
  }
  environment.CLOUDFLARE_ACCOUNT_ID = deployment.accountId;
  console.log(`    the account is ${deployment.accountId}`);
  keep();
}

/** The commands that list and create resources, the members of what is listed, and what the login needs. */
interface Provided {
  readonly lists: readonly string[];
  readonly creates: readonly string[];
  readonly named: string;
  readonly identified: string;
  readonly needs: string;
}

/** Finds a resource by its name, or creates it. Returns its identifier. */
function provide(what: string, { name, id }: Resource, { lists, creates, named, identified, needs }: Provided): string | undefined {
  step(`${what} ${name}`);
  const find = () => list(lists, needs).find((one) => one[named] === name)?.[identified];
  const isThere = (wanted: string): boolean => list(lists, needs).some((one) => one[identified] === wanted);
  if (id && !isDry) {
    if (isThere(id)) return id;
    fail(
      `there is no ${what} with the identifier ${id} any more`,
      `if it is gone for good, remove it from ${relative(root, file)}: a new, empty one is made then`,
    );
  }
  if (id) return id;
  const found = find();
  if (found) {
    console.log(`    it exists: ${found}`);
    return found;
  }
  run(creates, needs, { isQuiet: true });
  const created = find();
  if (!created && !isDry) fail(`the ${what} ${name} was created, but is not listed`, 'wait a minute and deploy again');
  if (created) console.log(`    created: ${created}`);
  return created;
}

const place = (['location', 'jurisdiction'] as const).flatMap((option) => (deployment[option] ? [`--${option}`, deployment[option]] : []));
deployment.database.id = provide('database', deployment.database, {
  lists: ['d1', 'list', '--json'],
  creates: ['d1', 'create', deployment.database.name, ...place],
  named: 'name',
  identified: 'uuid',
  needs: 'the login needs the permission to edit D1',
});
keep();
// All resources of a deployment with a jurisdiction must be in it.
const jurisdiction = deployment.jurisdiction ? ['--jurisdiction', deployment.jurisdiction] : [];
deployment.documents.id = provide('namespace of documents', deployment.documents, {
  lists: ['kv', 'namespace', 'list'],
  creates: ['kv', 'namespace', 'create', deployment.documents.name, ...jurisdiction],
  named: 'title',
  identified: 'id',
  needs: 'the login needs the permission to edit Workers KV',
});
keep();

/** Creates the bucket once; a bucket of that name in the account is used. */
function provideBucket(bucket: NonNullable<Deployment['bucket']>): void {
  step(`bucket of documents ${bucket.name}`);
  if (bucket.isMade) return;
  const args = ['r2', 'bucket', 'create', bucket.name, ...place];
  console.log(`    ${shown(args)}`);
  if (isDry) return;
  // No search before: a list may be truncated, and names are unique in an account.
  const { status, stdout, stderr, error } = wrangler(args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = error?.message ?? `${stdout ?? ''}${stderr ?? ''}`.trim();
  const isThere = /\[code: (10004|10073)\]|already exists/.test(said);
  if (status !== 0 && !isThere) {
    fail(`this command failed: ${shown(args)}\n${said}`, 'is R2 switched on for the account? The login needs the permission to edit Workers R2 Storage');
  }
  console.log(status === 0 ? '    created' : '    it exists');
  bucket.isMade = true;
  keep();
}
if (deployment.bucket) provideBucket(deployment.bucket);

// Before the Worker that needs them. Migrations only add things, so the running Worker keeps working.
step('migrations');
run(
  ['d1', 'migrations', 'apply', 'DB', '--remote', '--config', configuration],
  'read the message above; nothing was deployed, the current Worker keeps running',
);

/** Deploys the Worker. Returns the addresses that wrangler reports. */
function deploy(): string[] {
  const scratch = mkdtempSync(join(tmpdir(), 'epcis-deploy-'));
  try {
    const report = join(scratch, 'report');
    run(['deploy', '--config', configuration], 'read the message above; the current Worker keeps running', { env: { WRANGLER_OUTPUT_FILE_PATH: report } });
    if (isDry) return [];
    const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line)).findLast(({ type }) => type === 'deploy')?.targets ?? [];
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

step('the Worker');
let targets = deploy();
if (!deployment.baseUrl && !isDry) {
  const told = targets.find((target) => /\.workers\.dev\/?$/.test(target));
  if (!told) {
    fail(
      'wrangler printed no address under workers.dev: until BASE_URL is set, the Worker refuses to serve',
      'register a subdomain under workers.dev in the dashboard, or give --base-url, then deploy again',
    );
  }
  deployment.baseUrl = originOf(told.includes('://') ? told : `https://${told}`);
  deployment.namespace ??= `${deployment.baseUrl}/ns/spine/`;
  keep();
  step(`the Worker again, which now knows its address ${deployment.baseUrl}`);
  targets = deploy();
}

/** The signing key of the log: a secret of the Worker, created if missing and stored nowhere else. */
function provideKey(): void {
  step('key of the transparency log');
  const needs = 'the login needs the permission to edit Workers Scripts';
  const names = list(['secret', 'list', '--config', configuration], needs).map(({ name }) => name);
  const known = deployment.log;
  if (names.includes('LOG_KEY')) {
    console.log(`    LOG_KEY is there${known ? `: ${known.vkey}` : ''}`);
    return;
  }
  if (known && !isDry) {
    fail(
      `the secret LOG_KEY of ${known.vkey} is gone`,
      `put it back (npx wrangler secret put LOG_KEY --config worker/${configuration}); if it is lost, see docs/log.md`,
    );
  }
  const name = `${deployment.baseUrl ? new URL(deployment.baseUrl).host : 'the host of the address'}/log`;
  const { skey, vkey } = makeLogKey('log', name);
  run(['secret', 'put', 'LOG_KEY', '--config', configuration], needs, { isQuiet: true, input: skey });
  if (isDry) return;
  console.log(`    made ${vkey}`);
  deployment.log = { name, vkey };
  keep();
}
provideKey();

if (isDry) {
  step("wrangler's own dry run");
  const args = ['deploy', '--dry-run', '--config', configuration];
  console.log(`    ${shown(args)}`);
  const { status } = wrangler(args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) fail('the dry run of wrangler failed', "read the message above; 'make build' builds it");
  console.log('\nnothing was changed');
} else {
  const option = file === DEFAULT_DEPLOYMENT ? '' : ` --deployment ${relative(process.cwd(), file)}`;
  console.log(`
epcis-edge is at ${deployment.baseUrl}
  namespace   ${deployment.namespace}
  database    ${deployment.database.name} ${deployment.database.id}${deployment.store === 'objects' ? '; events are in objects of the class Account, which must never be removed' : ''}
  documents   ${deployment.bucket?.isChosen ? `R2, ${deployment.bucket.name}` : `KV, ${deployment.documents.name} ${deployment.documents.id}`}
  log         ${deployment.log?.vkey ?? `see ${deployment.baseUrl}/log/policy`}

Next:
  curl -s ${deployment.baseUrl}/pricing
  npm run keys -- create --remote${option} --account <uri of an account> --observer <uri of who saw it>
Keep ${relative(root, file)}: the next deployment, and the keys, go where it says.`);
}
