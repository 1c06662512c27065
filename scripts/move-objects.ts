// `npm run move -- --from d1 --to objects`: moves a store from D1 to an object for each account. The same D1 stays the directory.
//
// Pages of D1 go to the objects of their accounts, each as one transaction that leaves out what is there already. So an interrupted move
// may begin anywhere before its end; a file remembers where. At the end all rows are compared, and every event is hashed again.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hash } from '../wasm/js/engine/node.ts';
import { type Ask, PIECES, type Pieces, Source, TABLES, type Table, assembler, keyOf, placeOf } from './move-tables.ts';
import { accountsOf, each, numberIn, openDoor, type Row, type Statement, textIn, type Value } from './operator.ts';

/** How many numbers an account has: NUMBERS_OF_AN_ACCOUNT of the core. */
const NUMBERS = 1_000_000_000;

const ofEvent = (column: string): string => `(SELECT e.captured_by FROM events AS e WHERE e.sequence = ${column})`;
const ofNumber = (column: string): string => `(SELECT a.account FROM accounts AS a WHERE a.number = ${column})`;

/** The account that a row of a table belongs to. */
const OWNERS: Readonly<Record<string, string>> = {
  events: 'captured_by',
  aliases: ofEvent('aliases.sequence'),
  event_parts: ofEvent(`event_parts.piece / ${PIECES}`),
  terms: ofEvent('terms.sequence'),
  listed: ofNumber('listed.account'),
  capture_jobs: 'account',
  capture_duplicates: '(SELECT j.account FROM capture_jobs AS j WHERE j.sequence = capture_duplicates.job)',
  master_data: ofNumber('master_data.account'),
  master_data_attributes: ofNumber('master_data_attributes.account'),
  master_data_children: '(SELECT a.account FROM master_data AS m JOIN accounts AS a ON a.number = m.account WHERE m.number = master_data_children.number)',
};

/** The columns with numbers of events, each with what a number is multiplied by there. */
const NUMBERED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  events: { sequence: 1 },
  aliases: { sequence: 1 },
  event_parts: { piece: PIECES },
  terms: { sequence: 1 },
  capture_jobs: { before: 1 },
};

/** The tables of accounts, and those of the log, in the order in which they are moved. */
const moved = ({ name, key, columns, heavy }: Table): Table => ({
  name,
  key,
  heavy,
  columns: name === 'events' ? [...columns, ['identity', 'text'], ['identity_key', 'bigint']] : columns,
  owner: OWNERS[name],
});
const OF_ACCOUNTS = TABLES.filter(({ name }) => name in OWNERS).map(moved);
const OF_LOG = TABLES.filter(({ name }) => name.startsWith('log_')).map((table) => ({ ...moved(table), isWrittenWith: table.isWrittenWith }));

/** What a number of an event is more in an object. As an integer: a number of JavaScript would be a fraction in SQLite. */
const more = (factor: number): string => `CAST(?2 AS INTEGER) * ${NUMBERS * factor}`;
const shift = ({ name }: Table, column: string): number | undefined => NUMBERED[name]?.[column];

/** A statement that stores rows, arrays in the order of the columns, unless they are there. */
function stored(of: Table, number: number, rows: readonly Value[][]): Statement {
  const value = ([column, kind]: readonly [string, string], n: number): string => {
    const text = `j.value ->> ${n}`;
    if (kind === 'bytea') return `unhex(${text})`;
    const factor = shift(of, column);
    return factor ? `(${text}) + ${more(factor)}` : text;
  };
  const values = of.columns.map(value);
  const names = of.columns.map(([name]) => name);
  const isThere = of.key.map((column) => `t.${column} = ${values[names.indexOf(column)]}`).join(' AND ');
  return [
    `INSERT INTO ${of.name} (${names.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?1) AS j
     WHERE ?2 > 0 AND NOT EXISTS (SELECT 1 FROM ${of.name} AS t WHERE ${isThere}) ORDER BY j.key`,
    [JSON.stringify(rows), number],
  ];
}

/** A statement that finds rows by their keys, in the order of the keys, with the numbers of D1. */
function found(of: Table, number: number, rows: readonly Value[][]): Statement {
  const names = of.columns.map(([name]) => name);
  const read = of.columns.map(([column, kind]) => {
    if (kind === 'bytea') return `CASE WHEN t.${column} IS NOT NULL THEN lower(hex(t.${column})) END AS ${column}`;
    const factor = shift(of, column);
    return factor ? `t.${column} - ${more(factor)} AS ${column}` : `t.${column}`;
  });
  const places = of.key.map((column) => names.indexOf(column));
  const on = of.key.map((column, n) => {
    const factor = shift(of, column);
    return `t.${column} = (j.value ->> ${n})${factor ? ` + ${more(factor)}` : ''}`;
  });
  return [
    `SELECT ${read.join(', ')} FROM json_each(?1) AS j CROSS JOIN ${of.name} AS t ON ${on.join(' AND ')} WHERE ?2 > 0 ORDER BY j.key`,
    [JSON.stringify(rows.map((row) => places.map((place) => row[place] ?? null))), number],
  ];
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Move {
  /** Asks D1. */
  readonly ask: Ask;
  readonly gateway: string;
  readonly key: string;
  readonly progress: string;
  readonly rows: number;
  readonly budget: { pages: number; halt(): Error };
  /** Makes the error that ends the move. */
  fail(message: string, advice?: string): Error;
}

/** Moves a store. */
export async function moveToObjects({ ask, gateway, key, progress, rows: limit, budget, fail }: Move): Promise<void> {
  const source = new Source(ask);
  const door = openDoor(gateway, key);
  const rowsOf = (of: Table, page: readonly Row[]): Value[][] => page.map((row) => of.columns.map(([name]) => row[name] ?? null));
  const lastKey = (of: Table, page: readonly Row[]): Value[] => keyOf(of, rowsOf(of, page.slice(-1))[0] ?? []);
  const done: Record<string, Value[]> = existsSync(progress) ? JSON.parse(readFileSync(progress, 'utf8')) : {};
  const remember = () => {
    writeFileSync(`${progress}.new`, JSON.stringify(done));
    renameSync(`${progress}.new`, progress);
  };
  const accounts = await accountsOf(door);
  const numberOf = new Map(accounts.map(({ account, number }) => [account, number]));
  const [here = []] = await ask(['SELECT account, number FROM accounts ORDER BY number']);
  if (JSON.stringify(here.map(({ account, number }) => [account, number])) !== JSON.stringify([...numberOf]))
    throw fail(
      `the directory of ${gateway} is not the database that is moved`,
      'deploy this gateway over its own D1: npm run deploy -- --store objects --moved',
    );
  const [[events] = []] = await ask(['SELECT coalesce(max(sequence), 0) AS newest FROM events']);
  const newest = numberIn(events, 'newest');
  if (newest >= NUMBERS) throw fail(`the store has events numbered up to ${newest}, more than an object can have`);

  /** The rows of a page by the numbers of their accounts. */
  function byAccount(of: Table, page: readonly Row[]): [number, Row[]][] {
    const parts = new Map<number, Row[]>();
    for (const row of page) {
      const number = numberOf.get(String(row.owner));
      if (number === undefined) throw fail(`a row belongs to no account: ${placeOf(of, lastKey(of, [row]))}`, 'report it to the project');
      const part = parts.get(number);
      if (part === undefined) parts.set(number, [row]);
      else part.push(row);
    }
    return [...parts];
  }
  /** Walks over the pages of a table, from where the last run ended. */
  async function walk(of: Table, from: Value[] | undefined, work: (page: Row[]) => Promise<unknown>): Promise<number> {
    let behind = from;
    let count = 0;
    for (;;) {
      const page = await source.page(of, behind, limit);
      if (page.length === 0) return count;
      await work(page);
      count += page.length;
      behind = lastKey(of, page);
    }
  }
  const copy = (of: Table, work: (page: Row[]) => Promise<unknown>): Promise<number> =>
    walk(of, done[of.name], async (page) => {
      if (budget.pages === 0) throw budget.halt();
      budget.pages -= 1;
      await work(page);
      const place = lastKey(of, page);
      done[of.name] = place;
      remember();
      console.log(`${of.name}: up to ${place.join(', ').slice(0, 80)}`);
    });

  console.log('==> accounts');
  await each(accounts, ({ account, number }) => {
    const insert = 'INSERT INTO accounts (number, account) SELECT CAST(?1 AS INTEGER), ?2 WHERE NOT EXISTS (SELECT 1 FROM accounts)';
    return door.run(`a${number}`, [
      [insert, [number, account]],
      // The next event of the account is behind all that were moved.
      [
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'events', ?1 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')",
        [number * NUMBERS],
      ],
    ]);
  });
  console.log('==> copied');
  for (const of of OF_ACCOUNTS) {
    await copy(of, (page) => each(byAccount(of, page), ([number, part]) => door.run(`a${number}`, [stored(of, number, rowsOf(of, part))])));
  }
  const [leaves, heads] = ['log_leaves', 'log_heads'].map((name) => OF_LOG.find((of) => of.name === name)) as [Table, Table];
  /** The leaves as the log has them over objects: the number of an event tells its account. */
  const renumbered = async (page: Row[]): Promise<Row[]> => {
    const text = `SELECT l.leaf, l.sequence + ${NUMBERS} * a.number AS sequence FROM log_leaves AS l JOIN events AS e ON e.sequence = l.sequence
      JOIN accounts AS a ON a.account = e.captured_by WHERE l.leaf >= ${page[0]?.leaf} AND l.leaf <= ${page.at(-1)?.leaf} ORDER BY l.leaf`;
    const [numbers = []] = await ask([text]);
    if (numbers.length !== page.length) throw fail(`a leaf from ${page[0]?.leaf} to ${page.at(-1)?.leaf} has no event`, 'report it to the project');
    return page.map((row, n) => ({ ...row, sequence: numberIn(numbers[n], 'sequence') }));
  };
  await copy(leaves, async (page) => {
    // A head covers the leaves that exist when it is written.
    const rows = rowsOf(leaves, await renumbered(page));
    const [leaf, next] = [numberIn(page[0], 'leaf'), numberIn(page.at(-1), 'leaf') + 1];
    const first = leaf === 0 ? 0 : leaf + 1;
    const [signed = []] = await ask([
      `SELECT size, lower(hex(root)) AS root, note, previous FROM log_heads WHERE size >= ${first} AND size <= ${next} ORDER BY size`,
    ]);
    const statements: Statement[] = [];
    let rest = rows;
    for (const head of signed) {
      const size = numberIn(head, 'size');
      statements.push(
        stored(
          leaves,
          1,
          rest.filter(([leaf]) => Number(leaf) < size),
        ),
        stored(heads, 1, rowsOf(heads, [head])),
      );
      rest = rest.filter(([leaf]) => Number(leaf) >= size);
    }
    await door.run('log', [...statements, stored(leaves, 1, rest)]);
  });
  for (const of of OF_LOG) if (of !== leaves && of !== heads) await copy(of, (page) => door.run('log', [stored(of, 1, rowsOf(of, page))]));
  // A head of an empty log.
  await copy(heads, (page) => door.run('log', [stored(heads, 1, rowsOf(heads, page))]));

  console.log('==> maps and numbers');
  await each(accounts, ({ number }) =>
    door.run(`a${number}`, [...ZONES, ["UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = 'events'", [number * NUMBERS + newest]]]),
  );
  await door.run('directory', [['UPDATE accounts SET begins = ?1 WHERE begins < ?1', [newest]]]);

  console.log('==> compared');
  const differs = (of: Table, row: readonly Value[]): Error =>
    fail(`the objects and D1 differ: ${placeOf(of, keyOf(of, row))}`, 'is READ_ONLY on at the gateway? Remove the file of the progress, and move again');
  const sums = new Map<string, number>();
  let hashed = 0;
  let declarations = 0;
  const assemble = assembler();
  const judge = async (texts: readonly Pieces[]): Promise<void> => {
    if (texts.length === 0) return;
    const list = JSON.stringify(texts.map(({ sequence }) => sequence));
    const [rows = []] = await ask([
      `SELECT e.sequence, e.identity, e.captured_by, e.who, e.bytes, e.declares_error FROM json_each('${list}') AS j CROSS JOIN events AS e ON e.sequence = j.value ORDER BY j.key`,
    ]);
    for (const [n, { sequence, pieces }] of texts.entries()) {
      const row = rows[n];
      const text = pieces.join('');
      if (Buffer.byteLength(text) !== row?.bytes) throw fail(`the text of the event ${sequence} is not the one that was stored`, 'report it to the project');
      hashed += 1;
      declarations += numberIn(row, 'declares_error');
      if (row.declares_error) continue;
      const account = textIn(row, 'captured_by');
      const [uri] = hash(text, { profile: 'CBV2.0', undeclared: 'keep' });
      if (sha256(`${uri} false ${Buffer.byteLength(account)} ${account} ${row.who}`) !== row.identity)
        throw fail(`the event ${sequence} does not have the hash under which it was stored`, 'compare it with the event in D1, and report it to the project');
    }
  };
  const takeTexts = (rows: readonly (readonly [number, string])[], isEnd = false): Promise<void> => judge(assemble(rows, isEnd));
  for (const of of [...OF_ACCOUNTS, ...OF_LOG]) {
    const count = await walk(of, undefined, async (page) => {
      const isOfLog = of.owner === undefined;
      const parts: [number, Row[]][] = isOfLog ? [[1, of === leaves ? await renumbered(page) : page]] : byAccount(of, page);
      const texts = new Map<Value, [number, string]>();
      await each(parts, async ([number, part]) => {
        const expected = rowsOf(of, part);
        const [rows = []] = await door.run(isOfLog ? 'log' : `a${number}`, [found(of, number, expected)]);
        const there = rowsOf(of, rows);
        const wrong = expected.find((row, n) => JSON.stringify(row) !== JSON.stringify(there[n]));
        if (wrong !== undefined) throw differs(of, wrong);
        if (of.name === 'event_parts') for (const row of there as [number, string][]) texts.set(row[0], row);
      });
      // In the order of D1: one event after the other.
      if (of.name === 'event_parts') await takeTexts(page.map((row) => texts.get(row.piece ?? null) ?? [numberIn(row, 'piece'), '']));
    });
    sums.set(of.name, count);
    const counts = await each(of.owner === undefined ? ['log'] : accounts.map(({ number }) => `a${number}`), async (object) => {
      const [[counted] = []] = await door.run(object, [`SELECT count(*) AS n FROM ${of.name}`]);
      return numberIn(counted, 'n');
    });
    const sum = counts.reduce((all, one) => all + one, 0);
    if (sum !== count)
      throw fail(`${of.name}: ${count} rows in D1, ${sum} in the objects`, 'the objects must be empty, or hold the beginning of the same store');
    console.log(`${of.name}: ${count} rows are the same`);
  }
  await takeTexts([], true);
  if (hashed !== sums.get('events')) throw fail(`${hashed} of ${sums.get('events')} events have a text`, 'report it to the project');
  console.log(`${hashed - declarations} events hashed again: every hash matches the stored one`);
  if (declarations > 0) console.log(`${declarations} error declarations are only compared: their texts are the same, and have the stored length`);
}

/** The statements that draw the map of an account's events anew, as the triggers of captures do. */
const ZONES = [
  'DELETE FROM zones',
  'DELETE FROM zone_words',
  `INSERT INTO zones (captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
   SELECT captured_by, sequence / 10000, min(event_time), max(event_time), min(record_time), max(record_time) FROM events GROUP BY 1, 2`,
  `INSERT OR IGNORE INTO zone_words (captured_by, field, value, zone)
   SELECT DISTINCT captured_by, 1, event_type, sequence / 10000 FROM events WHERE event_type IS NOT NULL
   UNION SELECT captured_by, 2, action, sequence / 10000 FROM events WHERE action IS NOT NULL
   UNION SELECT captured_by, 3, biz_step, sequence / 10000 FROM events WHERE biz_step IS NOT NULL
   UNION SELECT captured_by, 4, disposition, sequence / 10000 FROM events WHERE disposition IS NOT NULL
   UNION SELECT captured_by, 5, '1', sequence / 10000 FROM events WHERE declares_error = 1`,
];
