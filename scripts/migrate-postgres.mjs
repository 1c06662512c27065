// Applies the missing migrations to a PostgreSQL: before a deployment that needs them, run by a user who may create tables.
import { parseArgs } from 'node:util';
import { prepare } from './postgres.mjs';

const usage = `npm run migrate -- --database <url>

  --database  PostgreSQL itself, not a pooler; or set DATABASE_URL`;

function fail(message) {
  console.error(`${message}\n\n${usage}`);
  process.exit(1);
}

let values;
try {
  ({ values } = parseArgs({ options: { database: { type: 'string' } } }));
} catch (error) {
  fail(error.message);
}
const address = values.database ?? process.env.DATABASE_URL;
if (!/^postgres(ql)?:\/\//.test(address ?? '')) fail('--database must be an address that begins with postgres://');
const applied = await prepare(address).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(applied.length ? applied.join('\n') : 'no new migrations');
