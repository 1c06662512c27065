// A PostgreSQL behind PgBouncer for the suites in Rust: prints its addresses as a line of JSON, and ends with its standard input, so
// that no server outlives the tests. Its database `template_epcis` has the gateway's tables.
import { connect, migrate } from '../scripts/postgres.mjs';
import { programs, startPostgres } from '../worker/tests/postgres-server.js';

const { missing } = programs();
if (missing) {
  console.log(JSON.stringify({ missing }));
} else {
  // As the migrations set it, which databases that are made from others do not take over.
  const { direct, pooled } = await startPostgres({ settings: { jit: 'off' } });
  const administrator = await connect(direct('postgres'));
  await administrator.query('CREATE DATABASE template_epcis');
  await administrator.end();
  const template = await connect(direct('template_epcis'));
  await migrate(template);
  await template.end();
  console.log(JSON.stringify({ direct: direct(''), pooled: pooled('') }));
  process.stdin.on('end', () => process.exit()).resume();
}
