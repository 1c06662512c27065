// The tables of a store in both databases: how a page of rows is read from either one, and written to PostgreSQL.
//
// A row is an array of numbers, texts, bytes as hexadecimal digits, and null, in column order. Rows are equal if their JSON is.
// Keys sort alike in both: numbers as numbers, texts by their bytes.

/** The most bytes of text in a page, unless a single row has more. */
const PAGE_BYTES = 8_000_000;
/** The factor by which the Worker numbers the pieces of events. */
export const PIECES = 1000;

const table = (name, key, columns, more = {}) => ({ name, key, columns: columns.map((column) => column.split(' ')), ...more });

/** The tables in the order in which they are moved. `keys` comes last, so that no key works on half a store. */
export const TABLES = [
  table('accounts', ['number'], ['number bigint', 'account text'], { numbered: 'number' }),
  table(
    'events',
    ['sequence'],
    [
      'sequence bigint',
      'event_key bigint',
      'content_key bigint',
      'position bigint',
      'bytes bigint',
      'declares_error bigint',
      'captured_by text',
      'event_id text',
      'content_hash text',
      'event_type text',
      'action text',
      'biz_step text',
      'disposition text',
      'event_time text',
      'record_time text',
      'document text',
      'who text',
    ],
  ),
  table('aliases', ['event_key', 'sequence'], ['event_key bigint', 'sequence bigint', 'event_id text', 'job bigint']),
  // PostgreSQL stores most texts in blocks (worker/postgres/0001_store.sql).
  table('event_parts', ['piece'], ['piece bigint', 'text text'], { heavy: 'text', there: 'event_pieces', isFolded: true }),
  table('terms', ['value', 'field', 'sequence'], ['value text', 'field bigint', 'sequence bigint']),
  // PostgreSQL finds EPCs through `terms`.
  table('listed', ['account', 'collection', 'value'], ['account bigint', 'collection bigint', 'value text'], {
    only: 'collection <> 2',
    there: 'listed_values',
  }),
  table(
    'capture_jobs',
    ['sequence'],
    [
      'sequence bigint',
      'account text',
      'number bigint',
      'time bigint',
      'proceeds bigint',
      'success bigint',
      'document text',
      'events bigint',
      'before bigint',
      'report text',
    ],
    { heavy: 'report', numbered: 'sequence' },
  ),
  table('capture_duplicates', ['job', 'position'], ['job bigint', 'position bigint', 'event_id text']),
  table(
    'master_data',
    ['number'],
    [
      'number bigint',
      'account bigint',
      'job bigint',
      'position bigint',
      'kind text',
      'id_key text',
      'id text',
      'spelling text',
      'attributes text',
      'children text',
      'digest text',
    ],
    { heavy: 'attributes', numbered: 'number' },
  ),
  table('master_data_attributes', ['account', 'name', 'value', 'number'], ['account bigint', 'name text', 'value text', 'number bigint']),
  table('master_data_children', ['number', 'child'], ['number bigint', 'child text']),
  table('named_queries', ['account', 'name'], ['account text', 'name text', 'query text'], { heavy: 'query' }),
  table('log_leaves', ['leaf'], ['leaf bigint', 'sequence bigint', 'salt bytea', 'commitment bytea']),
  // Written between the leaves: a head covers all leaves that exist when it is written.
  table('log_heads', ['size'], ['size bigint', 'root bytea', 'note text', 'previous bigint'], { isWrittenWith: 'log_leaves' }),
  table('log_tiles', ['level', 'number'], ['level bigint', 'number bigint', 'root bytea', 'hashes bytea'], { heavy: 'hashes' }),
  table('log_cosignatures', ['size', 'name'], ['size bigint', 'name text', 'line text', 'latest text']),
  table('log_halts', ['number'], ['number bigint', 'begun text', 'reason text', 'ended text']),
  table(
    'keys',
    ['id'],
    [
      'id text',
      'digest text',
      'account text',
      'observer text',
      'can_capture bigint',
      'can_query bigint',
      'readable text',
      'note text',
      'created_at text',
      'revoked_at text',
    ],
  ),
];

/** Puts the texts of events together from rows `[piece, text]` in their order. Each call returns the events that are whole by then. */
export function assembler() {
  let open;
  return (rows, isEnd) => {
    const whole = [];
    for (const [piece, text] of rows) {
      const sequence = Math.floor(piece / PIECES);
      if (open && open.sequence !== sequence) whole.push(open);
      if (open?.sequence === sequence) open.pieces.push(text);
      else open = { sequence, pieces: [text] };
    }
    if (isEnd && open) whole.push(open);
    if (isEnd) open = undefined;
    return whole;
  };
}

/** A literal in a statement for SQLite; in texts only quotes need escaping. */
const literal = (value) => (typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`);
const tuple = (values) => `(${values.join(', ')})`;
const names = ({ columns }) => columns.map(([name]) => name);

/** A query for the columns of a table in SQLite, where `events` also contains the columns of the identity. */
function selected({ name, columns, owner }) {
  const read = columns.map(([column, kind]) => (kind === 'bytea' ? `CASE WHEN ${column} IS NOT NULL THEN lower(hex(${column})) END AS ${column}` : column));
  return `SELECT ${read.join(', ')}${name === 'events' && owner === undefined ? ', identity, identity_key' : ''}${owner === undefined ? '' : `, ${owner} AS owner`} FROM ${name}`;
}

/** The key of a row. */
export const keyOf = (of, row) => of.key.map((column) => row[names(of).indexOf(column)]);
/** A key as readable text, or the beginning of the table if there is none. */
export const placeOf = (of, key) =>
  key === undefined ? `the beginning of ${of.name}` : `${of.name}, ${of.key.map((name, n) => `${name} ${key[n]}`).join(', ')}`;

/** The store to move from. `ask(statements)` returns the rows of each statement, as objects. */
export class Source {
  constructor(ask) {
    this.ask = ask;
  }

  /** The number of rows of a table, up to a key if given. */
  async count(of, upTo) {
    const [[{ n }]] = await this.ask([`SELECT count(*) AS n FROM ${of.name}${this.where(of, undefined, upTo)}`]);
    return n;
  }

  /** The condition for the rows to move, after one key and up to another. */
  where(of, behind, upTo) {
    const all = [];
    if (of.only !== undefined) all.push(of.only);
    if (behind !== undefined) all.push(`${tuple(of.key)} > ${tuple(behind.map(literal))}`);
    if (upTo !== undefined) all.push(`${tuple(of.key)} <= ${tuple(upTo.map(literal))}`);
    return all.length ? ` WHERE ${all.join(' AND ')}` : '';
  }

  /** At most `limit` rows after one key and up to another. */
  async page(of, behind, limit, upTo) {
    const order = `ORDER BY ${of.key.join(', ')} LIMIT ${limit}`;
    let end = upTo;
    if (of.heavy) {
      const [weights] = await this.ask([
        `SELECT ${of.key.join(', ')}, length(CAST(${of.heavy} AS BLOB)) AS weight FROM ${of.name}${this.where(of, behind, upTo)} ${order}`,
      ]);
      let bytes = 0;
      const count = weights.findIndex(({ weight }) => (bytes += weight) > PAGE_BYTES);
      const last = weights[count === -1 ? weights.length - 1 : Math.max(count - 1, 0)];
      if (last === undefined) return [];
      end = of.key.map((name) => last[name]);
    }
    const [rows] = await this.ask([`${selected(of)}${this.where(of, behind, end)} ${order}`]);
    return rows;
  }

  /** The row with this key, as an array of one row or none. */
  async at(of, key) {
    const [rows] = await this.ask([`${selected(of)} WHERE ${tuple(of.key)} = ${tuple(key.map(literal))}`]);
    return rows;
  }
}

/** The store to move to, over a connection to PostgreSQL. */
export class Target {
  constructor(client) {
    this.client = client;
  }

  async count(of) {
    const { rows } = await this.client.query(`SELECT count(*) AS n FROM ${of.isFolded ? 'event_texts' : (of.there ?? of.name ?? of)}`);
    return rows[0].n;
  }

  /** The key of the last row. */
  async last(of) {
    if (of.isFolded) {
      // The last text may be a piece outside of a block: of an event after the last block, or of a long event at its end.
      const { rows } = await this.client.query('SELECT greatest((SELECT max(piece) FROM event_pieces), (SELECT max(last) * 1000 FROM event_blocks)) AS piece');
      return rows[0].piece === null ? undefined : [rows[0].piece];
    }
    const order = of.key.map((name) => `${name} DESC`).join(', ');
    const { rows } = await this.client.query(`SELECT ${of.key.join(', ')} FROM ${of.there ?? of.name} ORDER BY ${order} LIMIT 1`);
    return rows.length ? of.key.map((name) => rows[0][name]) : undefined;
  }

  /** At most `limit` rows after one key and up to another, as arrays. */
  async between(of, behind, upTo, limit) {
    const values = [...(behind ?? []), ...(upTo ?? [])];
    const placeholders = (from) => tuple(of.key.map((_, n) => `$${from + n + 1}`));
    const conditions = [];
    // Restricts the events to those of these pieces.
    if (of.isFolded && behind !== undefined) conditions.push(`sequence >= $1::bigint / ${PIECES}`);
    if (of.isFolded && upTo !== undefined) conditions.push(`sequence <= $${values.length}::bigint / ${PIECES}`);
    if (behind !== undefined) conditions.push(`${tuple(of.key)} > ${placeholders(0)}`);
    if (upTo !== undefined) conditions.push(`${tuple(of.key)} <= ${placeholders(behind?.length ?? 0)}`);
    const columns = of.columns.map(([name, kind]) => (kind === 'bytea' ? `encode(${name}, 'hex')` : name));
    const where = conditions.length ? ` WHERE ${conditions.join(' AND ')}` : '';
    const by = of.isFolded ? ['sequence', 'piece'] : of.key;
    const text = `SELECT ${columns.join(', ')} FROM ${of.isFolded ? 'event_texts' : (of.there ?? of.name)}${where} ORDER BY ${by.join(', ')} LIMIT ${limit}`;
    return (await this.client.query({ text, values, rowMode: 'array' })).rows;
  }

  /** The row with this key, as an array of one row or none. */
  async at(of, key) {
    if (of.isFolded) return await this.between(of, [key[0] - 1], key, 1);
    const columns = of.columns.map(([name, kind]) => (kind === 'bytea' ? `encode(${name}, 'hex')` : name));
    const text = `SELECT ${columns.join(', ')} FROM ${of.there ?? of.name} WHERE ${tuple(of.key)} = ${tuple(key.map((_, n) => `$${n + 1}`))}`;
    return (await this.client.query({ text, values: key, rowMode: 'array' })).rows;
  }

  /** The sequences of stored identities, in the given order; null if one is not stored. */
  async sequencesOf(identities) {
    const { rows } = await this.client.query(
      `SELECT i.sequence FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS g (key, identity, place)
       LEFT JOIN identities AS i ON i.identity_key = g.key AND i.identity = decode(g.identity, 'hex') ORDER BY g.place`,
      [identities.map(({ identity_key: key }) => key), identities.map(({ identity }) => identity)],
    );
    return rows.map(({ sequence }) => sequence);
  }

  async insert(of, rows) {
    if (rows.length === 0) return;
    const kinds = of.columns.map(([, kind], n) => `$${n + 1}::${kind === 'bytea' ? 'text' : kind}[]`);
    const read = of.columns.map(([name, kind]) => (kind === 'bytea' ? `decode(r.${name}, 'hex')` : `r.${name}`));
    const into = names(of);
    let from = `unnest(${kinds.join(', ')}) AS r ${tuple(names(of))}`;
    if (of.name === 'terms') {
      into.push('account');
      read.push('a.number');
      from += ' JOIN events AS e ON e.sequence = r.sequence JOIN accounts AS a ON a.account = e.captured_by';
    }
    await this.client.query(
      `INSERT INTO ${of.there ?? of.name} ${tuple(into)} SELECT ${read.join(', ')} FROM ${from}`,
      of.columns.map((_, n) => rows.map((row) => row[n])),
    );
    if (of.isFolded) {
      const [first, last] = [rows[0], rows.at(-1)].map(([piece]) => Math.floor(piece / PIECES));
      await this.client.query('SELECT fold_texts($1, $2)', [first, last]);
    }
  }

  /** Adds an index for reading terms in the order of D1 during the move; captures do not need it. */
  async orderTerms() {
    await this.client.query('CREATE UNIQUE INDEX IF NOT EXISTS terms_in_order ON terms (value, field, sequence)');
  }

  async forgetOrder() {
    await this.client.query('DROP INDEX IF EXISTS terms_in_order');
  }

  async insertIdentities(rows) {
    await this.client.query(
      `INSERT INTO identities (identity_key, identity, sequence)
       SELECT r.key, decode(r.identity, 'hex'), r.sequence FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS r (key, identity, sequence)`,
      [rows.map((row) => row.identity_key), rows.map((row) => row.identity), rows.map((row) => row.sequence)],
    );
  }

  /** Runs the work in one transaction. */
  async atOnce(work) {
    await this.client.query('BEGIN');
    try {
      await this.client.query('SELECT take_turn(1), take_turn(2)');
      await work();
      await this.client.query('COMMIT');
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  /** Creates partitions for events up to this sequence, and as many ahead as captures need. */
  async makeRoomFor(sequence) {
    for (;;) {
      const { rows } = await this.client.query('SELECT made_to > $1::bigint + width AS is_enough FROM partitioning', [sequence]);
      if (rows[0].is_enough) return;
      await this.client.query('SELECT make_partition()');
    }
  }

  /** Lets the numbers of events and captures continue after this event. */
  async continueNumbers(sequence) {
    await this.client.query('SELECT continue_numbers($1)', [sequence]);
  }

  /** Lets the database's own numbering continue after the last number; without rows it stays as it is. */
  async goOn(of) {
    const { name, numbered } = of;
    await this.client.query(`SELECT setval(pg_get_serial_sequence('${name}', '${numbered}'), max(${numbered})) FROM ${name} HAVING count(*) > 0`);
  }
}
