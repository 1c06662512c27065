// Capture keys: creates, lists and revokes them in the database of the Worker. A key is shown once; only its SHA-256 is stored.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_DEPLOYMENT, type Deployment, readDeployment, root, wrangler, writeConfiguration } from './deployment.ts';
import { readOptions } from './given.ts';
import type { Row } from './operator.ts';

const usage = `npm run keys -- create --account <uri> --observer <uri> [--rights capture,query] [--read <uri>,<uri>|*] [--note <text>]
npm run keys -- list
npm run keys -- revoke <id>

  --account   the account that warrants the events captured with the key; stamped as capturedBy
  --observer  the attested observer; stamped as who
  --rights    what the key may do; default: capture,query
  --read      the accounts whose events the key may read; default: its own; * means all
  --remote    the deployed database; default: the local one of 'make serve'
  --deployment <file>    another deployment than that of deployment.json
  --persist-to <folder>  another folder of local state`;

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(1);
}

/** The time in the format of the database, to the second. */
const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** A text literal in SQL; only quotes need escaping. */
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function uri(name: string, value: string | undefined): string {
  // A URI as in RFC 3986: a scheme, and no white space or quotes.
  if (!value || !/^[A-Za-z][A-Za-z0-9+.-]*:[^\s"<>\\^`{|}]+$/.test(value)) fail(`--${name} must be a URI`);
  return value;
}

/** The options that tell wrangler which database to use. */
function place({ remote, deployment, 'persist-to': folder }: Values): string[] {
  if (!remote) return ['--local', '--persist-to', folder ?? join(root, '.wrangler/state')];
  const file = deployment ? resolve(deployment) : DEFAULT_DEPLOYMENT;
  const known = readDeployment(file);
  if (!known.database?.id) fail(`${file} names no database: 'npm run deploy' makes one`);
  return ['--remote', '--config', writeConfiguration(file, known as Deployment)];
}

/** Runs a statement and returns its rows. Wrangler gets it in a file, so that it is not visible in process lists. */
async function execute(sql: string, values: Values): Promise<Row[]> {
  const where = place(values);
  const scratch = mkdtempSync(join(tmpdir(), 'epcis-keys-'));
  try {
    const file = join(scratch, 'keys.sql');
    writeFileSync(file, sql, { mode: 0o600 });
    // For a remote database, wrangler returns rows only for a command, not for a file. Queries contain no secret.
    const what = sql.startsWith('SELECT') ? ['--command', sql] : ['--file', file];
    const { status, stdout, stderr, error } = wrangler(['d1', 'execute', 'DB', ...where, '--json', '--yes', ...what]);
    if (error || status !== 0) {
      console.error(`wrangler could not read the database\n    what to do: apply the migrations first ('make serve' does), or see its message:\n`);
      console.error(error?.message ?? (stdout + stderr).trim());
      process.exit(1);
    }
    return JSON.parse(stdout.slice(stdout.indexOf('['))).flatMap(({ results }: { results?: object[] }) => results ?? []);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function create(values: Values): Promise<void> {
  const account = uri('account', values.account);
  const observer = uri('observer', values.observer);
  const rights = new Set((values.rights ?? 'capture,query').split(','));
  for (const right of rights) if (!['capture', 'query'].includes(right)) fail(`there is no right '${right}', expected capture or query`);
  const accounts = values.read === undefined ? [account] : values.read.split(',');
  const readable = values.read === '*' ? '*' : JSON.stringify(accounts.map((one) => uri('read', one)));
  const id = randomBytes(6).toString('hex');
  const key = `epcis_${id}_${randomBytes(32).toString('base64url')}`;
  const digest = createHash('sha256').update(key).digest('hex');
  const flags = ['capture', 'query'].map((right) => (rights.has(right) ? 1 : 0));
  const row = [text(id), text(digest), text(account), text(observer), ...flags, text(readable), text(values.note ?? '')];
  await execute(
    `INSERT INTO keys (id, digest, account, observer, can_capture, can_query, readable, note, created_at)
     VALUES (${row.join(', ')}, ${text(now())});`,
    values,
  );
  console.error(`The key ${id}, for the header 'Authorization: Bearer …'. It is shown only once:\n`);
  console.log(key);
}

async function list(values: Values): Promise<void> {
  const columns = 'id, account, observer, can_capture, can_query, readable, note, created_at, revoked_at';
  const rows = await execute(`SELECT ${columns} FROM keys ORDER BY created_at, id`, values);
  if (rows.length === 0) console.log('there are no keys');
  for (const row of rows) {
    const rights = [row.can_capture && 'capture', row.can_query && 'query'].filter(Boolean).join(',');
    const state = row.revoked_at ? `revoked ${row.revoked_at}` : 'in force';
    console.log(`${row.id}  ${state}  ${rights}\n  account   ${row.account}\n  observer  ${row.observer}\n  reads     ${row.readable}`);
    console.log(`  created   ${row.created_at}${row.note ? `\n  note      ${row.note}` : ''}`);
  }
}

async function revoke(values: Values, id = ''): Promise<void> {
  if (!/^[0-9a-f]{12}$/.test(id)) fail('the id of a key is 12 hexadecimal digits');
  const found = await execute(`SELECT revoked_at FROM keys WHERE id = ${text(id)}`, values);
  if (found.length === 0) fail(`there is no key ${id}`);
  await execute(`UPDATE keys SET revoked_at = ${text(now())} WHERE id = ${text(id)} AND revoked_at IS NULL;`, values);
  console.log(`the key ${id} is revoked`);
}

const option = { type: 'string' } as const;
const options = {
  account: option,
  observer: option,
  rights: option,
  read: option,
  note: option,
  'persist-to': option,
  deployment: option,
  database: option,
  remote: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const {
  values,
  positionals: [command, ...rest],
} = readOptions(() => parseArgs({ allowPositionals: true, options }), fail);
if (values.help) console.log(usage);
else if (command === 'create' && rest.length === 0) await create(values);
else if (command === 'list' && rest.length === 0) await list(values);
else if (command === 'revoke' && rest.length === 1) await revoke(values, rest[0]);
else fail('expected create, list or revoke');
