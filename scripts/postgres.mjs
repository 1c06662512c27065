// PostgreSQL for tests and benchmarks: a connection, and an interface like that of D1.
import pg from 'pg';

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

/** The part of D1's interface (`env.DB`) that tests use, over a PostgreSQL connection. */
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
