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

/** The part of D1's interface (`env.DB`) that tests use, over a PostgreSQL connection. One statement runs after the other. */
export function likeD1(client) {
  let last;
  const statement = (sql, values) => {
    let next = 0;
    const text = sql.replaceAll(/\?(\d*)/g, (_, number) => `$${number || (next += 1)}`);
    const all = async () => {
      const rows = Promise.resolve(last).then(() => client.query(text, values));
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
