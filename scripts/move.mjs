// Moves a store from D1 to objects (move-objects.mjs), or to PostgreSQL: page by page, each in a transaction, continuing after existing rows. At the end all rows
// are compared and every event is hashed again. docs/moving.md says what the operator does before and after.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { hash } from '../wasm/js/engine/node.ts';
import { DEFAULT_DEPLOYMENT, readDeployment, root, wrangler, writeConfiguration } from './deployment.mjs';
import { moveToObjects } from './move-objects.mjs';
import { Source, TABLES, Target, assembler, keyOf, placeOf } from './move-tables.mjs';
import { connect, migrate } from './postgres.mjs';

const usage = `npm run move -- --from d1 --to objects --gateway <url> [--state <folder> | --remote]
npm run move -- --from d1 --to postgres --database <url> [--state <folder> | --remote]

Copies events, terms, jobs, named queries, the log and keys, numbers and bytes as they are. The gateway must be READ_ONLY
meanwhile. An interrupted move continues when you run it again. Documents as received stay where they are.

  --gateway   with --to objects: the address of the gateway, deployed with --store objects --moved; its secret is OPERATOR_KEY in the
              environment
  --progress  with --to objects: the file that remembers how far the move came; default: move-to-objects.json
  --database  PostgreSQL itself, not a pooler; or set DATABASE_URL, which keeps the password out of the list of processes.
              The tables are created; the database must be empty, or hold the beginning of the same store
  --state     the folder of a local D1, of 'make serve'; default: .wrangler/state
  --remote    the deployed D1, read through wrangler
  --deployment <file>  with --remote: another deployment than that of deployment.json
  --rows      the maximum number of rows in a page; default: 2000
  --pages     stop after this number of pages, with exit code 3; the next run continues`;

/** An error that the operator can fix. */
class Refusal extends Error {
  constructor(message, advice) {
    super(advice === undefined ? message : `${message}\n    what to do: ${advice}`);
  }
}

const ANEW = 'move into an empty database: drop this one, or name another';
const GROWN = "is READ_ONLY on at the gateway, and is 'npm run keys' unused meanwhile? Then move again: it continues after the existing rows";

function fail(message) {
  console.error(`${message}\n\n${usage}`);
  process.exit(1);
}

function number(name, text, fallback) {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000) fail(`--${name} must be a number from 1 to 1000000`);
  return value;
}

function settings() {
  const option = { type: 'string' };
  const flag = { type: 'boolean' };
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        from: option,
        to: option,
        database: option,
        gateway: option,
        progress: option,
        state: option,
        remote: flag,
        deployment: option,
        rows: option,
        pages: option,
        help: flag,
      },
    }));
  } catch (error) {
    fail(error.message);
  }
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  if (values.from !== 'd1' || !['objects', 'postgres'].includes(values.to)) fail('expected --from d1 --to objects or --to postgres');
  const isToObjects = values.to === 'objects';
  const database = values.database ?? process.env.DATABASE_URL;
  if (!isToObjects && !/^postgres(ql)?:\/\//.test(database ?? '')) fail('--database must be an address that begins with postgres://');
  if (isToObjects && values.database !== undefined) fail('--database needs --to postgres');
  if (isToObjects && !URL.canParse(values.gateway)) fail('--gateway must be the address of the gateway');
  if (isToObjects && !process.env.OPERATOR_KEY) fail('OPERATOR_KEY must be in the environment: the secret of the deployment of that name');
  for (const name of ['gateway', 'progress']) if (!isToObjects && values[name] !== undefined) fail(`--${name} needs --to objects`);
  if (values.remote && values.state !== undefined) fail('--remote and --state exclude each other');
  if (values.deployment !== undefined && !values.remote) fail('--deployment needs --remote');
  return {
    ...values,
    database,
    rows: number('rows', values.rows, 2000),
    pages: number('pages', values.pages, Number.POSITIVE_INFINITY),
  };
}

/** The database of D1 in a folder of local state: the one with all tables. */
function local(folder) {
  const where = join(folder, 'v3/d1/miniflare-D1DatabaseObject');
  const files = existsSync(where) ? readdirSync(where).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite') : [];
  const stores = [];
  for (const name of files) {
    const database = new DatabaseSync(join(where, name), { readOnly: true });
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'log_leaves'").get()) stores.push(database);
    else database.close();
  }
  const [database] = stores;
  if (stores.length !== 1) {
    throw new Refusal(
      `${folder} has ${stores.length} stores with all tables, expected one`,
      "name the folder of a gateway that this version has served: 'make serve' applies migrations",
    );
  }
  return async (statements) => statements.map((sql) => database.prepare(sql).all());
}

/** The database of D1 of a deployment, queried through wrangler. */
function remote(file) {
  const known = readDeployment(file);
  if (!known.database?.id) throw new Refusal(`${file} names no database`, "'npm run deploy' makes one; --deployment names another file");
  const configuration = writeConfiguration(file, known);
  return async (statements) => {
    const args = ['d1', 'execute', 'DB', '--remote', '--config', configuration, '--json', '--yes', '--command', statements.join(';\n')];
    const { status, stdout, stderr, error } = wrangler(args);
    if (error || status !== 0)
      throw new Refusal(
        `wrangler could not read the database: ${error?.message ?? (stdout + stderr).trim()}`,
        'fix the problem in its message, then move again: it continues',
      );
    const answers = JSON.parse(stdout.slice(stdout.indexOf('[')));
    if (answers.length !== statements.length) throw new Refusal(`wrangler returned ${answers.length} results for ${statements.length} statements`);
    return answers.map(({ results }) => results ?? []);
  };
}

const sha256 = (text) => createHash('sha256').update(text).digest();

/** The rows of a page in the form to store. */
const rowsOf = (of, page) => page.map((row) => of.columns.map(([name]) => row[name]));

/** Compares both stores from the beginning up to a key and refuses the first difference. Returns the number of rows. */
async function compare({ source, target, rows: limit }, of, upTo, advice, seen = async () => {}) {
  let behind;
  let count = 0;
  for (;;) {
    const page = await source.page(of, behind, limit, upTo);
    const here = rowsOf(of, page);
    const end = here.length ? keyOf(of, here.at(-1)) : upTo;
    const there = await target.between(of, behind, end, here.length + 1);
    for (let n = 0; n < Math.max(here.length, there.length); n += 1) {
      if (JSON.stringify(here[n]) !== JSON.stringify(there[n])) {
        const place = placeOf(of, keyOf(of, there[n] ?? here[n]));
        const what = here[n] === undefined ? 'is only in PostgreSQL' : there[n] === undefined ? 'is only in D1' : 'is different';
        throw new Refusal(`PostgreSQL and D1 differ: ${place} ${what}`, there[n] === undefined ? advice : ANEW);
      }
    }
    if (of.name === 'events' && page.length) {
      const sequences = await target.sequencesOf(page);
      const wrong = page.find((row, n) => row.sequence !== sequences[n]);
      if (wrong) throw new Refusal(`PostgreSQL does not have the identity of the event ${wrong.sequence} under its number`, advice);
    }
    await seen(there);
    count += here.length;
    if (here.length === 0) return count;
    behind = keyOf(of, here.at(-1));
  }
}

/** Requires that the target table is empty or a beginning of the source, judged by counts and by its first and last row. Returns its last key. Otherwise refuses with the first difference. */
async function requireBeginning(move, of) {
  const { source, target } = move;
  const last = await target.last(of);
  if (last === undefined) return undefined;
  const [count, expected] = [await target.count(of), await source.count(of, last)];
  const ends = async () => {
    const here = [await source.page(of, undefined, 1), await source.at(of, last)];
    const there = [await target.between(of, undefined, undefined, 1), await target.at(of, last)];
    return JSON.stringify(rowsOf(of, here.flat())) === JSON.stringify(there.flat());
  };
  if (count !== expected || !(await ends())) {
    await compare(move, of, last, ANEW);
    throw new Refusal(`${of.name}: PostgreSQL has ${count} rows, and D1 has ${expected} up to the last of them`, ANEW);
  }
  return last;
}

/** Copies the rows after a key. */
async function copy(move, of, from, heads) {
  const { source, target } = move;
  let behind = from;
  let newestHead = heads;
  const total = await source.count(of);
  let count = from === undefined ? 0 : await source.count(of, from);
  if (count < total || of.name === 'log_leaves') console.log(`${of.name}: ${count} of ${total}`);
  for (;;) {
    const page = await source.page(of, behind, move.rows);
    const rows = rowsOf(of, page);
    const headsOf = TABLES.find(({ isWrittenWith }) => isWrittenWith === of.name);
    const above = rows.length ? keyOf(of, rows.at(-1))[0] + 1 : (behind?.[0] ?? -1) + 1;
    const signed = headsOf ? rowsOf(headsOf, await source.page(headsOf, newestHead, 1_000_000, [above])) : [];
    if (rows.length === 0 && signed.length === 0) return;
    if (move.budget.pages === 0) throw halt();
    move.budget.pages -= 1;
    try {
      await target.atOnce(async () => {
        let rest = rows;
        // A head covers the leaves that exist when it is written.
        for (const head of signed) {
          const [size] = keyOf(headsOf, head);
          await target.insert(
            of,
            rest.filter((row) => keyOf(of, row)[0] < size),
          );
          rest = rest.filter((row) => keyOf(of, row)[0] >= size);
          await target.insert(headsOf, [head]);
        }
        if (of.name === 'events') await target.insertIdentities(page);
        await target.insert(of, rest);
      });
    } catch (error) {
      throw new Refusal(
        `after ${placeOf(of, behind)}: PostgreSQL refused a page: ${error.message}`,
        'nothing of this page was stored; fix the problem in the message, then move again: it continues',
      );
    }
    if (signed.length) newestHead = keyOf(headsOf, signed.at(-1));
    if (rows.length) behind = keyOf(of, rows.at(-1));
    count += rows.length;
    console.log(`${of.name}: ${count} of ${total}`);
    if (rows.length === 0) return;
  }
}

/** Ends the copying after the requested number of pages. */
class Halt extends Error {}

function halt() {
  console.log('the requested number of pages is copied: the next run continues');
  process.exitCode = 3;
  return new Halt();
}

/** The numeric key by which the Worker looks a name up: 52 bits of its SHA-256. */
const nameKey = (name) => Number(sha256(name).readBigUInt64BE() >> 12n);

/** Hashes events again from their texts in the target, and compares the hashes with the stored identities. */
function rehasher({ target }) {
  const assemble = assembler();
  let count = 0;
  let declarations = 0;
  const events = TABLES.find(({ name }) => name === 'events');
  const names = events.columns.map(([name]) => name);
  const judge = async (texts) => {
    if (texts.length === 0) return;
    const found = await target.between(events, [texts[0].sequence - 1], [texts.at(-1).sequence], texts.length + 1);
    const rows = found.map((row) => Object.fromEntries(row.map((value, n) => [names[n], value])));
    const identities = texts.map(({ sequence, pieces }, n) => {
      const row = rows[n];
      if (row?.sequence !== sequence) throw new Refusal(`the event after ${texts[n - 1]?.sequence ?? sequence - 1} has no text`, ANEW);
      const text = pieces.join('');
      if (Buffer.byteLength(text) !== row.bytes) throw new Refusal(`the text of the event ${sequence} is not the one that was stored`, ANEW);
      const [uri] = hash(text, { profile: 'CBV2.0', undeclared: 'keep' });
      const whole = `${uri} false ${Buffer.byteLength(row.captured_by)} ${row.captured_by} ${row.who}`;
      const identity = sha256(whole).toString('hex');
      return { identity, identity_key: nameKey(identity), isDeclaration: row.declares_error === 1 };
    });
    const sequences = await target.sequencesOf(identities);
    // The identity of an error declaration also covers the declaration, so its hash alone does not find it.
    declarations += identities.filter(({ isDeclaration }) => isDeclaration).length;
    const wrong = texts.findIndex(({ sequence }, n) => sequences[n] !== sequence && !identities[n].isDeclaration);
    if (wrong !== -1)
      throw new Refusal(
        `the event ${texts[wrong].sequence} does not have the hash under which it was stored`,
        'compare it with the event in D1, and report it to the project',
      );
    count += texts.length;
  };
  return {
    take: (rows) => judge(assemble(rows, rows.length === 0)),
    count: () => count,
    declarations: () => declarations,
  };
}

/** Verifies that both stores have the same rows, and that every event matches its hash. */
async function verify(move) {
  const { source, target } = move;
  const rehash = rehasher(move);
  for (const of of TABLES) {
    const count = await compare(move, of, undefined, GROWN, of.name === 'event_parts' ? (rows) => rehash.take(rows) : undefined);
    const [here, there] = [await source.count(of), await target.count(of)];
    if (here !== count || there !== count) throw new Refusal(`${of.name}: ${here} rows in D1, ${there} in PostgreSQL, ${count} compared`, GROWN);
    console.log(`${of.name}: ${count} rows are the same`);
  }
  const [events, identities] = [await target.count('events'), await target.count('identities')];
  if (identities !== events) throw new Refusal(`PostgreSQL has ${identities} identities for ${events} events`, ANEW);
  if (rehash.count() !== events) throw new Refusal(`${rehash.count()} of ${events} events have a text`, ANEW);
  console.log(`${events - rehash.declarations()} events hashed again: every hash matches the stored one`);
  if (rehash.declarations() > 0)
    console.log(`${rehash.declarations()} error declarations are only compared: their texts are the same in both stores, and have the stored length`);
}

async function run(options) {
  const { database, rows, pages } = options;
  const ask = options.remote
    ? remote(options.deployment ? resolve(options.deployment) : DEFAULT_DEPLOYMENT)
    : local(options.state ? resolve(options.state) : join(root, '.wrangler/state'));
  if (options.to === 'objects') {
    await moveToObjects({
      ask,
      rows,
      gateway: options.gateway,
      key: process.env.OPERATOR_KEY,
      progress: resolve(options.progress ?? 'move-to-objects.json'),
      budget: { pages, halt },
      fail: (message, advice) => new Refusal(message, advice),
    });
    console.log('\nThe store is moved. Switch READ_ONLY off now (docs/moving.md); the rows of events in D1 stay as they were, and are not used.');
    return;
  }
  const source = new Source(ask);
  const client = await connect(database).catch((error) => {
    throw new Refusal(`PostgreSQL could not be reached: ${error.message}`, 'is it running at this address, and may this user create tables?');
  });
  try {
    await migrate(client);
    const { rows: locks } = await client.query('SELECT pg_try_advisory_lock(1162889557) AS is_ours');
    if (!locks[0].is_ours) throw new Refusal('another move into this database is under way', 'wait for it, or end it');
    const target = new Target(client);
    const move = { source, target, rows, budget: { pages } };
    await target.orderTerms();
    console.log('==> existing rows');
    const beginnings = new Map();
    for (const of of TABLES) beginnings.set(of.name, await requireBeginning(move, of));
    console.log('==> copied');
    const [[{ newest }]] = await source.ask(['SELECT coalesce(max(sequence), 0) AS newest FROM events']);
    await target.makeRoomFor(newest);
    await target.continueNumbers(newest);
    for (const of of TABLES) {
      if (of.isWrittenWith === undefined) await copy(move, of, beginnings.get(of.name), beginnings.get('log_heads'));
      if (of.numbered) await target.goOn(of);
    }
    await target.continueNumbers(newest);
    await client.query('SELECT tidy_up()');
    await client.query('ANALYZE');
    console.log('==> compared');
    await verify(move);
    await target.forgetOrder();
  } finally {
    await client.end();
  }
  console.log('\nThe store is moved. Serve it from PostgreSQL now (docs/moving.md); the store in D1 is unchanged.');
}

await run(settings()).catch((error) => {
  if (error instanceof Halt) return;
  console.error(error instanceof Refusal ? error.message : (error.stack ?? error));
  process.exitCode = 1;
});
