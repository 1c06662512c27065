// The suite of worker/tests/log.test.js, over the server with PostgreSQL.
import { onPostgres } from './on-server.js';

await onPostgres('log');
