// The suite of worker/tests/store-kill.test.js, over the server with PostgreSQL.
import { onPostgres } from './on-server.js';

await onPostgres('store-kill');
