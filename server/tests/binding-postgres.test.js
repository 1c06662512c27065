// The suite of worker/tests/binding.test.js, over the server with PostgreSQL.
import { onPostgres } from './on-server.js';

await onPostgres('binding');
