// `npm run export`: everything that a gateway over objects has stored, as lines of JSON with hashes, read through the operator's door while
// the gateway serves. The directory is D1, which `wrangler d1 export` reads; documents are in KV or R2.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readOptions } from './given.ts';
import { accountsOf, type Door, each, numberIn, openDoor, type Row, textIn, type Value } from './operator.ts';

const usage = `npm run export -- --gateway <url> --to <file>
npm run export -- --check <file>

Writes a line for each row of each object: {"object", "table", "row"}, bytes as hexadecimal digits. After the rows of an object a line has
their number and the SHA-256 of their lines; the last line has that of all lines. OPERATOR_KEY must be in the environment: the secret of the
deployment of that name.

  --gateway   the address of the gateway
  --to        the file to write; it must not be there
  --check     reads a file again: are all lines there, and unchanged?`;

/** The most rows of a page, and the most bytes, unless one row has more: an object has its answer in memory as a whole. */
const ROWS = 1000;
const BYTES = 4_000_000;

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(1);
}

const sha256 = () => createHash('sha256');

/** Checks the hashes of an export. Returns the number of its rows. */
function check(file: string): number {
  const lines = readFileSync(file, 'utf8').split('\n');
  if (lines.pop() !== '') fail(`${file}: the last line is not whole`);
  const all = sha256();
  let [own, count, rows] = [sha256(), 0, 0];
  for (const [at, line] of lines.entries()) {
    const { object, table, row, ...end } = JSON.parse(line);
    if (end.objects !== undefined) {
      if (at !== lines.length - 1 || end.sha256 !== all.digest('hex')) fail(`${file}: line ${at + 1} does not fit the lines before it`);
      return rows;
    }
    all.update(`${line}\n`);
    if (row === undefined) {
      if (end.rows !== count || end.sha256 !== own.digest('hex')) fail(`${file}: line ${at + 1} does not fit the rows of ${object}`);
      [own, count] = [sha256(), 0];
    } else {
      own.update(`${line}\n`);
      count += 1;
      rows += 1;
    }
  }
  return fail(`${file}: the last line is missing`);
}

/** The tables of an object, each with its key, what to read, and the bytes of a row. */
async function tablesOf(door: Door, object: string) {
  const [columns = []] = await door.run(object, [
    `SELECT m.name AS "table", c.name AS "column", c.type, c.pk FROM sqlite_master AS m CROSS JOIN pragma_table_info(m.name) AS c
     WHERE m.type = 'table' AND m.name NOT GLOB 'sqlite_*' AND m.name NOT GLOB '_cf_*' ORDER BY m.name, c.cid`,
  ]);
  const read = ({ column, type }: Row): string =>
    type === 'BLOB' ? `CASE WHEN "${column}" IS NOT NULL THEN lower(hex("${column}")) END AS "${column}"` : `"${column}"`;
  return [...Map.groupBy(columns, (row) => textIn(row, 'table'))].map(([name, columns]) => ({
    name,
    key: columns
      .filter((row) => numberIn(row, 'pk') > 0)
      .sort((one, other) => numberIn(one, 'pk') - numberIn(other, 'pk'))
      .map((row) => textIn(row, 'column')),
    read: columns.map(read).join(', '),
    weight: columns.map(({ column, type }) => `${type === 'BLOB' ? 2 : 1} * coalesce(octet_length("${column}"), 0)`).join(' + '),
  }));
}

/** Calls `take(table, row)` for each row of an object. What is stored meanwhile may be in it or not. */
async function rowsOf(door: Door, object: string, take: (table: string, row: Row) => void): Promise<void> {
  for (const { name, key, read, weight } of await tablesOf(door, object)) {
    const order = key.map((column) => `"${column}"`).join(', ');
    const places = key.map((_, n) => `?${n + 1}`).join(', ');
    for (let behind: Value[] | undefined; ; ) {
      const from = `FROM "${name}" ${behind === undefined ? '' : `WHERE (${order}) > (${places})`} ORDER BY ${order} LIMIT`;
      const [weights = []] = await door.run(object, [[`SELECT ${weight} AS bytes ${from} ${ROWS}`, behind ?? []]]);
      if (weights.length === 0) break;
      let bytes = 0;
      const tooMany = weights.findIndex((row) => (bytes += numberIn(row, 'bytes')) > BYTES);
      const [page = []] = await door.run(object, [[`SELECT ${read} ${from} ${tooMany === -1 ? ROWS : Math.max(tooMany, 1)}`, behind ?? []]]);
      for (const row of page) take(name, row);
      behind = key.map((column) => page.at(-1)?.[column] ?? null);
    }
  }
}

async function write(gateway: string, file: string, key: string): Promise<void> {
  const door = openDoor(gateway, key);
  const objects = ['log', ...(await accountsOf(door)).map(({ number }) => `a${number}`)];
  const out = openSync(`${file}.part`, 'w', 0o600);
  const all = sha256();
  const line = (value: object): string => {
    const text = `${JSON.stringify(value)}\n`;
    writeSync(out, text);
    return text;
  };
  let total = 0;
  for (const object of objects) {
    const own = sha256();
    let rows = 0;
    await rowsOf(door, object, (table, row) => {
      const text = line({ object, table, row });
      own.update(text);
      all.update(text);
      rows += 1;
    });
    all.update(line({ object, rows, sha256: own.digest('hex') }));
    total += rows;
  }
  line({ objects: objects.length, sha256: all.digest('hex') });
  closeSync(out);
  renameSync(`${file}.part`, file);
  const sizes = await each(objects, async (object) => ({ object, bytes: await door.size(object) }));
  const largest = sizes.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  console.log(`${total} rows of ${objects.length} objects are in ${file}`);
  console.log(`the largest, ${largest.object}, has ${(largest.bytes / 1e9).toFixed(3)} GB of 10`);
}

const option = { type: 'string' } as const;
const { values } = readOptions(() => parseArgs({ options: { gateway: option, to: option, check: option, help: { type: 'boolean' } } }), fail);
if (values.help) console.log(usage);
else if (values.check !== undefined) {
  if (values.gateway !== undefined || values.to !== undefined) fail('--check stands alone');
  console.log(`${check(resolve(values.check))} rows, all as they were written`);
} else {
  if (values.gateway === undefined || !URL.canParse(values.gateway)) fail('--gateway must be the address of the gateway');
  if (values.to === undefined) fail('--to must be a file');
  if (existsSync(values.to)) fail(`${values.to} is there already`);
  if (!process.env.OPERATOR_KEY) fail('OPERATOR_KEY must be in the environment: the secret of the deployment of that name');
  await write(values.gateway, resolve(values.to), process.env.OPERATOR_KEY).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
