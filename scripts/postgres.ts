// PostgreSQL for tests and benchmarks: a connection, and an interface like that of D1.
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import pg from 'pg';

/** Parses 64-bit integers as numbers: none of ours exceeds 2^53. */
const types: pg.CustomTypesConfig = { getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) };

/** Opens a connection, which the caller must end. */
export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, types, connectionTimeoutMillis: 10_000 });
  // Errors are reported by the failing query.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Does something over a connection of its own. */
async function at<Result>(address: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(address);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes a database on a PostgreSQL, whose address has no name of one, unless it is there. Returns whether it was not. */
export const makeDatabase = (postgres: string, name: string): Promise<boolean> =>
  at(`${postgres}postgres`, async (client) => {
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${name}`);
    return rows.length === 0;
  });

/** Makes a database with the extension of Citus on a coordinator and on workers, unless it is there; the coordinator then knows the workers. */
export async function distribute(coordinator: string, workers: readonly string[], name: string): Promise<void> {
  for (const node of [coordinator, ...workers]) {
    if (await makeDatabase(node, name)) await at(node + name, (client) => client.query('CREATE EXTENSION citus'));
  }
  const portOf = (node: string) => new URL(node).port;
  await at(coordinator + name, async (client) => {
    await client.query("SELECT citus_set_coordinator_host('127.0.0.1', $1)", [portOf(coordinator)]);
    for (const worker of workers) await client.query("SELECT citus_add_node('127.0.0.1', $1)", [portOf(worker)]);
  });
}

/** The part of D1's interface (`env.DB`) that tests use. */
export interface LikeD1 {
  prepare(sql: string): Prepared;
  exec?(sql: string): Promise<void>;
  close(): void | Promise<void>;
}

/** A row of a database. */
type StoredRow = Record<string, SQLOutputValue>;

export interface Prepared {
  bind(...values: readonly SQLInputValue[]): Prepared;
  all(): Promise<{ results: StoredRow[] }>;
  run(): Promise<unknown>;
  /** The first row, or what a column of it has. */
  first(column?: string): Promise<StoredRow | SQLOutputValue>;
}

/** As D1, over a PostgreSQL connection. One statement runs after the other. */
export function likeD1(client: pg.Client): LikeD1 {
  let last: unknown;
  const statement = (sql: string, values: readonly SQLInputValue[]): Prepared => {
    let next = 0;
    const text = sql.replaceAll(/\?(\d*)/g, (_, number) => `$${number || (next += 1)}`);
    const all = async () => {
      const rows = Promise.resolve(last).then(() => client.query(text, [...values]));
      last = rows.catch(() => {});
      return { results: (await rows).rows };
    };
    return {
      bind: (...bound) => statement(sql, bound),
      all,
      run: all,
      first: async (column) => {
        const [row = null] = (await all()).results;
        return column === undefined ? row : (row?.[column] ?? null);
      },
    };
  };
  return { prepare: (sql) => statement(sql, []), close: () => client.end() };
}
