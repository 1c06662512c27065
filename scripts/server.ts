// Runs the server for tests and benchmarks: the program of `server/` over SQLite in a folder, or over PostgreSQL, with the shape of
// workerd.ts.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { connect, distribute, type LikeD1, likeD1 as overPostgres, makeDatabase, type Prepared } from './postgres.ts';

/** The program: that of `make test`, unless EPCIS_EDGE_SERVER names another. */
export const PROGRAM = process.env.EPCIS_EDGE_SERVER ?? fileURLToPath(new URL('../target/once/epcis-edge-server', import.meta.url));

/** A database of SQLite with the methods of D1 that tests use. */
function likeD1(file: string): LikeD1 {
  const database = new DatabaseSync(file, { timeout: 20_000 });
  const statement = (text: string, values: readonly SQLInputValue[]): Prepared => {
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
function likeKV(folder: string, database: LikeD1) {
  const place = (name: string): string => join(folder, /^[0-9a-f]{64}$/.test(name) ? name.slice(0, 2) : '', name);
  return {
    async get(name: string, kind?: string) {
      const short = await database.prepare('SELECT bytes FROM documents WHERE digest = ?').bind(name).first('bytes');
      if (short === null && !existsSync(place(name))) return null;
      const bytes = Buffer.from(short instanceof Uint8Array ? short : readFileSync(place(name)));
      return kind === 'arrayBuffer' ? bytes : bytes.toString('utf8');
    },
    async put(name: string, text: string) {
      mkdirSync(dirname(place(name)), { recursive: true });
      writeFileSync(place(name), text);
    },
  };
}

interface Start {
  /** Its settings. */
  readonly bindings?: Readonly<Record<string, string>>;
  /** The folder of its data. */
  readonly persistTo?: string;
  /** 0 is a free port. */
  readonly port?: number;
  /** Those of workerd.ts. */
  readonly ratelimits?: { readonly LIMITER: { readonly simple: { readonly limit: number } } };
  /** Receives each line of its log. */
  readonly onMessage?: (line: string) => void;
  /** Arguments of `prlimit`, such as `--fsize=1000000`. */
  readonly limits?: readonly string[];
}

/** Starts the server on loopback. Returns its address, the process, what it printed, and `end(signal)`, which returns its exit code. */
export async function startServer({ bindings = {}, persistTo, port = 0, ratelimits, onMessage, limits }: Start) {
  const data = persistTo ?? mkdtempSync(join(tmpdir(), 'epcis-server-'));
  const units = ratelimits?.LIMITER.simple.limit;
  const env = { PATH: process.env.PATH, LISTEN: `127.0.0.1:${port}`, DATA: data, ...(units ? { RATE_UNITS: String(units) } : {}), ...bindings };
  const [command, ...args]: [string, ...string[]] = limits === undefined ? [PROGRAM] : ['prlimit', ...limits, PROGRAM];
  const server = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
  const address = new Promise<string>((resolve) =>
    printed.on('line', (line) => {
      const found = /^epcis-edge is at (\S+):/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    }),
  );
  const found = await Promise.race([address, closed.then((code) => Promise.reject(new Error(`the server ended with ${code}: ${said}`)))]);
  const end = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    server.kill(signal);
    return closed;
  };
  return { address: new URL(found), data, process: server, said: () => said, end };
}

/** Makes a database on the nodes of a Citus, the coordinator first, with the accounts distributed, unless it is there. Returns its address. */
export async function distributed([coordinator = '', ...workers]: string[], name: string): Promise<string> {
  await distribute(coordinator, workers, name);
  const DATABASE = coordinator + name;
  execFileSync(PROGRAM, ['migrate', '--citus'], { env: { DATABASE }, stdio: ['ignore', 'ignore', 'inherit'] });
  return DATABASE;
}

/** The address of a database of a PostgreSQL, or of a Citus: the one for a folder, or a new one. */
async function databaseIn(postgres: string, folder: string | undefined): Promise<string> {
  const name = `epcis_${folder === undefined ? randomBytes(8).toString('hex') : createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const nodes = postgres.split(' ');
  if (nodes.length > 1) return distributed(nodes, name);
  await makeDatabase(postgres, name);
  return postgres + name;
}

/**
 * As `startWorkerd`, over the server; with `postgres`, the address of a PostgreSQL without the name of a database, over one of its own there.
 * With Citus these are the addresses of the coordinator and its workers, with blanks between them.
 */
export async function startLikeWorkerd({ postgres, ...options }: Start & { readonly postgres?: string }) {
  const DATABASE = options.bindings?.DATABASE ?? (postgres && (await databaseIn(postgres, options.persistTo)));
  const server = await startServer({ ...options, bindings: { ...(DATABASE ? { DATABASE } : {}), ...options.bindings } });
  let database: LikeD1 | undefined;
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
