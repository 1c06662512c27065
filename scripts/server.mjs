// Runs the server for tests and benchmarks: the program of `server/` over SQLite in a folder, or over PostgreSQL, with the shape of
// workerd.mjs.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { connect, distribute, likeD1 as overPostgres, makeDatabase } from './postgres.mjs';

/** The program: that of `make test`, unless EPCIS_EDGE_SERVER names another. */
export const PROGRAM = process.env.EPCIS_EDGE_SERVER ?? fileURLToPath(new URL('../target/once/epcis-edge-server', import.meta.url));

/** A database of SQLite with the methods of D1 that tests use. */
function likeD1(file) {
  const database = new DatabaseSync(file, { timeout: 20_000 });
  const statement = (text, values) => {
    const prepared = () => database.prepare(text);
    return {
      bind: (...values) => statement(text, values),
      all: async () => ({ results: prepared().all(...values) }),
      run: async () => prepared().run(...values),
      first: async (column) => {
        const row = prepared().get(...values) ?? null;
        return column === undefined ? row : (row?.[column] ?? null);
      },
    };
  };
  return { prepare: (text) => statement(text, []), exec: async (text) => database.exec(text), close: () => database.close() };
}

/** The documents of a server, with the methods of KV that tests use: short ones in its database, others in its folder. */
function likeKV(folder, database) {
  const place = (name) => join(folder, /^[0-9a-f]{64}$/.test(name) ? name.slice(0, 2) : '', name);
  return {
    async get(name, kind) {
      const short = await database.prepare('SELECT bytes FROM documents WHERE digest = ?').bind(name).first('bytes');
      if (short === null && !existsSync(place(name))) return null;
      const bytes = Buffer.from(short ?? readFileSync(place(name)));
      return kind === 'arrayBuffer' ? bytes : bytes.toString('utf8');
    },
    async put(name, text) {
      mkdirSync(dirname(place(name)), { recursive: true });
      writeFileSync(place(name), text);
    },
  };
}

/**
 * Starts the server on loopback. `bindings` are its settings, `persistTo` the folder of its data, `port` 0 a free port; `ratelimits` those of
 * workerd.mjs; `onMessage` receives each line of its log. `limits` are arguments of `prlimit`, such as `--fsize=1000000`.
 *
 * @returns its address, the process, what it printed, and `end(signal)`, which returns its exit code
 */
export async function startServer({ bindings = {}, persistTo, port = 0, ratelimits, onMessage, limits }) {
  const data = persistTo ?? mkdtempSync(join(tmpdir(), 'epcis-server-'));
  const units = ratelimits?.LIMITER.simple.limit;
  const env = { PATH: process.env.PATH, LISTEN: `127.0.0.1:${port}`, DATA: data, ...(units ? { RATE_UNITS: String(units) } : {}), ...bindings };
  const command = limits === undefined ? [PROGRAM] : ['prlimit', ...limits, PROGRAM];
  const server = spawn(command[0], command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  createInterface(server.stderr).on('line', (line) => {
    said = `${said}${line}\n`.slice(-4000);
    onMessage?.(line);
  });
  const kill = () => server.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  const closed = once(server, 'close').then(([code]) => {
    process.removeListener('exit', kill);
    if (persistTo === undefined) rmSync(data, { recursive: true, force: true });
    return code;
  });
  const printed = createInterface(server.stdout);
  const address = new Promise((resolve) => printed.on('line', (line) => line.startsWith('epcis-edge is at ') && resolve(/ at (\S+):/.exec(line)[1])));
  const found = await Promise.race([address, closed.then((code) => Promise.reject(new Error(`the server ended with ${code}: ${said}`)))]);
  const end = async (signal = 'SIGTERM') => {
    server.kill(signal);
    return closed;
  };
  return { address: new URL(found), data, process: server, said: () => said, end };
}

/** The address of a database of a PostgreSQL, or of a Citus with the accounts distributed: the one for a folder, or a new one. */
async function databaseIn(postgres, folder) {
  const name = `epcis_${folder === undefined ? randomBytes(8).toString('hex') : createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const [coordinator, ...workers] = postgres.split(' ');
  await (workers.length === 0 ? makeDatabase(coordinator, name) : distribute([coordinator, ...workers], name));
  const DATABASE = coordinator + name;
  if (workers.length > 0) execFileSync(PROGRAM, ['migrate', '--citus'], { env: { DATABASE }, stdio: ['ignore', 'ignore', 'inherit'] });
  return DATABASE;
}

/**
 * As `startWorkerd`, over the server; with `postgres`, the address of a PostgreSQL without the name of a database, over one of its own there.
 * With Citus these are the addresses of the coordinator and its workers, with blanks between them.
 */
export async function startLikeWorkerd({ postgres, ...options }) {
  const DATABASE = options.bindings?.DATABASE ?? (postgres && (await databaseIn(postgres, options.persistTo)));
  const server = await startServer({ ...options, bindings: { ...(DATABASE ? { DATABASE } : {}), ...options.bindings } });
  let database;
  const dispose = async () => {
    await database?.close();
    await server.end();
  };
  const gateway = {
    async getBindings() {
      database ??= DATABASE ? overPostgres(await connect(DATABASE)) : likeD1(join(server.data, 'store.sqlite'));
      return { DB: database, DOCUMENTS_KV: likeKV(join(server.data, 'documents'), database) };
    },
    // It wakes itself.
    getWorker: async () => ({ scheduled: async () => undefined }),
  };
  return { ...server, postgres: DATABASE, gateway, dispose };
}
