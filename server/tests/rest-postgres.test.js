// The suite of worker/tests/rest.test.js, over the server with PostgreSQL.
import { onPostgres } from './on-server.js';

await onPostgres('rest');
