// A PostgreSQL for the suites in Rust: prints its address, without the name of a database, as a line of JSON, and ends with its standard
// input, so that no server outlives the tests.
import { programs, startPostgres } from '../server/tests/postgres-server.js';

const { missing } = programs();
if (missing) {
  console.log(JSON.stringify({ missing }));
} else {
  const { address } = await startPostgres();
  console.log(JSON.stringify({ address: address('') }));
  process.stdin.on('end', () => process.exit()).resume();
}
