// PostgreSQL from Node: a connection, the migrations of worker/postgres, and an interface like that of D1.
import { readFileSync, readdirSync } from 'node:fs';
import pg from 'pg';

const folder = new URL('../worker/postgres/', import.meta.url);
/** The advisory lock that lets only one migration run at a time. */
const MIGRATING = 1_162_889_556;
/** Parses 64-bit integers as numbers: none of ours exceeds 2^53. */
const types = { getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) };

/** Opens a connection, which the caller must end. */
export async function connect(connectionString) {
  const client = new pg.Client({ connectionString, types, connectionTimeoutMillis: 10_000 });
  // Errors are reported by the failing query.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Applies the missing migrations, each in one transaction. Returns their names. */
export async function migrate(client) {
  await client.query(`SELECT pg_advisory_lock(${MIGRATING})`);
  try {
    await client.query('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())');
    const { rows } = await client.query('SELECT name FROM migrations');
    const known = new Set(rows.map(({ name }) => name));
    const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && !known.has(name));
    for (const name of names.sort()) {
      await client.query('BEGIN');
      try {
        await client.query(readFileSync(new URL(name, folder), 'utf8'));
        await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw new Error(`the migration ${name} failed: ${error.message}`, { cause: error });
      }
    }
    return names;
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${MIGRATING})`);
  }
}

/**
 * Migrates a database. Returns the names of the migrations that were missing.
 *
 * @throws {Error} with a message for people that says what to do
 */
export async function prepare(address) {
  const advised = (said, error, advice) => new Error(`PostgreSQL could not be ${said}: ${error.message}\n    what to do: ${advice}`);
  const client = await connect(address).catch((error) => {
    throw advised('reached', error, 'is it running at this address, and may this user create tables?');
  });
  try {
    return await migrate(client);
  } catch (error) {
    throw advised('prepared', error, 'may this user create tables?');
  } finally {
    await client.end();
  }
}

/** The part of D1's interface (`env.DB`) that scripts and tests use, over a PostgreSQL connection. */
export function likeD1(client) {
  const prepare = (sql, values = []) => {
    let next = 0;
    const text = sql.replaceAll(/\?(\d*)/g, (_, number) => `$${number || (next += 1)}`);
    const all = async () => ({ results: (await client.query(text, values)).rows });
    return {
      bind: (...bound) => prepare(sql, bound),
      all,
      run: all,
      first: async (column) => {
        const [row] = (await all()).results;
        return column === undefined ? (row ?? null) : (row?.[column] ?? null);
      },
    };
  };
  return {
    prepare: (sql) => prepare(sql),
    async batch(statements) {
      await client.query('BEGIN');
      try {
        const all = [];
        for (const statement of statements) all.push(await statement.all());
        await client.query('COMMIT');
        return all;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    },
  };
}
