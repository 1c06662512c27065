// The command that moves a store from D1 to objects: move-objects.ts. docs/moving.md says what the operator does before and after.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { DEFAULT_DEPLOYMENT, type Deployment, readDeployment, root, wrangler, writeConfiguration } from './deployment.ts';
import { readOptions } from './given.ts';
import { moveToObjects } from './move-objects.ts';
import type { Ask } from './move-tables.ts';
import type { Row } from './operator.ts';

const usage = `npm run move -- --from d1 --to objects --gateway <url> [--state <folder> | --remote]

Copies events, terms, jobs, master data and the log, numbers and bytes as they are. The gateway must be READ_ONLY
meanwhile. An interrupted move continues when you run it again. Documents as received stay where they are.

  --gateway   the address of the gateway, deployed with --store objects --moved; its secret is OPERATOR_KEY in the
              environment
  --progress  the file that remembers how far the move came; default: move-to-objects.json
  --state     the folder of a local D1, of 'make serve'; default: .wrangler/state
  --remote    the deployed D1, read through wrangler
  --deployment <file>  with --remote: another deployment than that of deployment.json
  --rows      the maximum number of rows in a page; default: 2000
  --pages     stop after this number of pages, with exit code 3; the next run continues`;

/** An error that the operator can fix. */
class Refusal extends Error {
  constructor(message: string, advice?: string) {
    super(advice === undefined ? message : `${message}\n    what to do: ${advice}`);
  }
}

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(1);
}

function number(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000) fail(`--${name} must be a number from 1 to 1000000`);
  return value;
}

function settings() {
  const option = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const read = () =>
    parseArgs({
      options: {
        from: option,
        to: option,
        gateway: option,
        progress: option,
        state: option,
        remote: flag,
        deployment: option,
        rows: option,
        pages: option,
        help: flag,
      },
    });
  const { values } = readOptions(read, fail);
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  if (values.from !== 'd1' || values.to !== 'objects') fail('expected --from d1 --to objects');
  if (values.gateway === undefined || !URL.canParse(values.gateway)) fail('--gateway must be the address of the gateway');
  if (!process.env.OPERATOR_KEY) fail('OPERATOR_KEY must be in the environment: the secret of the deployment of that name');
  if (values.remote && values.state !== undefined) fail('--remote and --state exclude each other');
  if (values.deployment !== undefined && !values.remote) fail('--deployment needs --remote');
  return {
    ...values,
    gateway: values.gateway,
    key: process.env.OPERATOR_KEY,
    rows: number('rows', values.rows, 2000),
    pages: number('pages', values.pages, Number.POSITIVE_INFINITY),
  };
}

/** The database of D1 in a folder of local state: the one with all tables. */
function local(folder: string): Ask {
  const where = join(folder, 'v3/d1/miniflare-D1DatabaseObject');
  const files = existsSync(where) ? readdirSync(where).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite') : [];
  const stores: DatabaseSync[] = [];
  for (const name of files) {
    const database = new DatabaseSync(join(where, name), { readOnly: true });
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'log_leaves'").get()) stores.push(database);
    else database.close();
  }
  const [database] = stores;
  if (database === undefined || stores.length !== 1) {
    throw new Refusal(
      `${folder} has ${stores.length} stores with all tables, expected one`,
      "name the folder of a gateway that this version has served: 'make serve' applies migrations",
    );
  }
  return async (statements) => statements.map((sql) => database.prepare(sql).all() as Row[]);
}

/** The database of D1 of a deployment, queried through wrangler. */
function remote(file: string): Ask {
  const known = readDeployment(file);
  if (!known.database?.id) throw new Refusal(`${file} names no database`, "'npm run deploy' makes one; --deployment names another file");
  const configuration = writeConfiguration(file, known as Deployment);
  return async (statements) => {
    const args = ['d1', 'execute', 'DB', '--remote', '--config', configuration, '--json', '--yes', '--command', statements.join(';\n')];
    const { status, stdout, stderr, error } = wrangler(args);
    if (error || status !== 0)
      throw new Refusal(
        `wrangler could not read the database: ${error?.message ?? (stdout + stderr).trim()}`,
        'fix the problem in its message, then move again: it continues',
      );
    const answers: { results?: Row[] }[] = JSON.parse(stdout.slice(stdout.indexOf('[')));
    if (answers.length !== statements.length) throw new Refusal(`wrangler returned ${answers.length} results for ${statements.length} statements`);
    return answers.map(({ results }) => results ?? []);
  };
}

/** Ends the copying after the requested number of pages. */
class Halt extends Error {}

function halt(): Halt {
  console.log('the requested number of pages is copied: the next run continues');
  process.exitCode = 3;
  return new Halt();
}

async function run({ rows, pages, ...options }: ReturnType<typeof settings>): Promise<void> {
  await moveToObjects({
    ask: options.remote
      ? remote(options.deployment ? resolve(options.deployment) : DEFAULT_DEPLOYMENT)
      : local(options.state ? resolve(options.state) : join(root, '.wrangler/state')),
    rows,
    gateway: options.gateway,
    key: options.key,
    progress: resolve(options.progress ?? 'move-to-objects.json'),
    budget: { pages, halt },
    fail: (message, advice) => new Refusal(message, advice),
  });
  console.log('\nThe store is moved. Switch READ_ONLY off now (docs/moving.md); the rows of events in D1 stay as they were, and are not used.');
}

await run(settings()).catch((error) => {
  if (error instanceof Halt) return;
  console.error(error instanceof Refusal ? error.message : (error.stack ?? error));
  process.exitCode = 1;
});
