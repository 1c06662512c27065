// Applies the missing migrations to a PostgreSQL: before a deployment that needs them, run by a user who may create tables.
import { connect, migrate } from './postgres.mjs';

const [flag, address = process.env.DATABASE_URL] = process.argv.slice(2);
if ((flag !== undefined && flag !== '--database') || !/^postgres(ql)?:\/\//.test(address ?? '')) {
  console.error('npm run migrate -- --database <url>\n\n  --database  PostgreSQL itself, not a pooler; or set DATABASE_URL');
  process.exit(1);
}
try {
  const client = await connect(address);
  try {
    const applied = await migrate(client);
    console.log(applied.length ? applied.join('\n') : 'no new migrations');
  } finally {
    await client.end();
  }
} catch (error) {
  console.error(`PostgreSQL could not be reached: ${error.message}\n    what to do: is it running at this address, and may this user create tables?`);
  process.exit(1);
}
