// The tables of a store, and how a page of rows is read from D1.
//
// A row is an array of numbers, texts, bytes as hexadecimal digits, and null, in column order. Rows are equal if their JSON is.

import type { Row, Value } from './operator.ts';

/** The most bytes of text in a page, unless a single row has more. */
const PAGE_BYTES = 8_000_000;
/** The factor by which the Worker numbers the pieces of events. */
export const PIECES = 1000;

/** A table, or the part of it that belongs to an account. */
export interface Table {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly (readonly [name: string, kind: string])[];
  /** The column with long texts. */
  readonly heavy?: string | undefined;
  /** The table among whose rows its rows are written. */
  readonly isWrittenWith?: string | undefined;
  /** The account of a row, in SQL. */
  readonly owner?: string | undefined;
}

const table = (name: string, key: string[], columns: string[], more: Partial<Table> = {}): Table => ({
  name,
  key,
  columns: columns.map((column) => column.split(' ') as [string, string]),
  ...more,
});

/** The tables in the order in which they are moved. */
export const TABLES: readonly Table[] = [
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
  table('event_parts', ['piece'], ['piece bigint', 'text text'], { heavy: 'text' }),
  table('terms', ['value', 'field', 'sequence'], ['value text', 'field bigint', 'sequence bigint']),
  table('listed', ['account', 'collection', 'value'], ['account bigint', 'collection bigint', 'value text']),
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
    { heavy: 'report' },
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
    { heavy: 'attributes' },
  ),
  table('master_data_attributes', ['account', 'name', 'value', 'number'], ['account bigint', 'name text', 'value text', 'number bigint']),
  table('master_data_children', ['number', 'child'], ['number bigint', 'child text']),
  table('log_leaves', ['leaf'], ['leaf bigint', 'sequence bigint', 'salt bytea', 'commitment bytea']),
  // Written between the leaves: a head covers all leaves that exist when it is written.
  table('log_heads', ['size'], ['size bigint', 'root bytea', 'note text', 'previous bigint'], { isWrittenWith: 'log_leaves' }),
  table('log_tiles', ['level', 'number'], ['level bigint', 'number bigint', 'root bytea', 'hashes bytea'], { heavy: 'hashes' }),
  table('log_cosignatures', ['size', 'name'], ['size bigint', 'name text', 'line text', 'latest text']),
  table('log_halts', ['number'], ['number bigint', 'begun text', 'reason text', 'ended text']),
];

/** The text of an event, in pieces. */
export interface Pieces {
  readonly sequence: number;
  readonly pieces: string[];
}

/** Puts the texts of events together from rows `[piece, text]` in their order. Each call returns the events that are whole by then. */
export function assembler(): (rows: readonly (readonly [piece: number, text: string])[], isEnd: boolean) => Pieces[] {
  let open: Pieces | undefined;
  return (rows, isEnd) => {
    const whole: Pieces[] = [];
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
const literal = (value: Value): string => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value));
const tuple = (values: readonly string[]): string => `(${values.join(', ')})`;
const names = ({ columns }: Table): string[] => columns.map(([name]) => name);

/** A query for the columns of a table in SQLite, where `events` also contains the columns of the identity. */
function selected({ name, columns, owner }: Table): string {
  const read = columns.map(([column, kind]) => (kind === 'bytea' ? `CASE WHEN ${column} IS NOT NULL THEN lower(hex(${column})) END AS ${column}` : column));
  return `SELECT ${read.join(', ')}${name === 'events' && owner === undefined ? ', identity, identity_key' : ''}${owner === undefined ? '' : `, ${owner} AS owner`} FROM ${name}`;
}

/** The key of a row. */
export const keyOf = (of: Table, row: readonly Value[]): Value[] => of.key.map((column) => row[names(of).indexOf(column)] ?? null);
/** A key as readable text, or the beginning of the table if there is none. */
export const placeOf = (of: Table, key: readonly Value[] | undefined): string =>
  key === undefined ? `the beginning of ${of.name}` : `${of.name}, ${of.key.map((name, n) => `${name} ${key[n]}`).join(', ')}`;

/** Returns the rows of each statement. */
export type Ask = (statements: readonly string[]) => Promise<Row[][]>;

/** The store to move from. */
export class Source {
  readonly ask: Ask;

  constructor(ask: Ask) {
    this.ask = ask;
  }

  /** The condition for the rows to move, after one key and up to another. */
  where(of: Table, behind: readonly Value[] | undefined, upTo: readonly Value[] | undefined): string {
    const all: string[] = [];
    if (behind !== undefined) all.push(`${tuple(of.key)} > ${tuple(behind.map(literal))}`);
    if (upTo !== undefined) all.push(`${tuple(of.key)} <= ${tuple(upTo.map(literal))}`);
    return all.length ? ` WHERE ${all.join(' AND ')}` : '';
  }

  /** At most `limit` rows after one key and up to another. */
  async page(of: Table, behind: readonly Value[] | undefined, limit: number, upTo?: readonly Value[]): Promise<Row[]> {
    const order = `ORDER BY ${of.key.join(', ')} LIMIT ${limit}`;
    let end = upTo;
    if (of.heavy) {
      const [weights = []] = await this.ask([
        `SELECT ${of.key.join(', ')}, length(CAST(${of.heavy} AS BLOB)) AS weight FROM ${of.name}${this.where(of, behind, upTo)} ${order}`,
      ]);
      let bytes = 0;
      const count = weights.findIndex(({ weight }) => (bytes += Number(weight)) > PAGE_BYTES);
      const last = weights[count === -1 ? weights.length - 1 : Math.max(count - 1, 0)];
      if (last === undefined) return [];
      end = of.key.map((name) => last[name] ?? null);
    }
    const [rows = []] = await this.ask([`${selected(of)}${this.where(of, behind, end)} ${order}`]);
    return rows;
  }
}
