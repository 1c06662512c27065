// Applies the missing migrations to a PostgreSQL: before a deployment that needs them, run by a user who may create tables.
import { parseArgs } from 'node:util';
import { prepare } from './postgres.mjs';

const usage = `npm run migrate -- --database <url> [--home <number>]

  --database  PostgreSQL itself, not a pooler; or set DATABASE_URL
  --home      makes an empty database this further home of a gateway, 1 to 63`;

function fail(message) {
  console.error(`${message}\n\n${usage}`);
  process.exit(1);
}

let values;
try {
  ({ values } = parseArgs({ options: { database: { type: 'string' }, home: { type: 'string' } } }));
} catch (error) {
  fail(error.message);
}
const address = values.database ?? process.env.DATABASE_URL;
if (!/^postgres(ql)?:\/\//.test(address ?? '')) fail('--database must be an address that begins with postgres://');
const home = values.home === undefined ? undefined : Number(values.home);
if (home !== undefined && !(Number.isInteger(home) && home >= 1 && home <= 63)) fail(`--home must be a number from 1 to 63, not ${values.home}`);
const applied = await prepare(address, home).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(applied.length ? applied.join('\n') : 'no new migrations');
if (home !== undefined) console.log(`the database is home ${home}`);
