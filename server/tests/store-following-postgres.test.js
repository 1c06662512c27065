// The suite of worker/tests/store-following.test.js, over the server with PostgreSQL.
import { onPostgres } from './on-server.js';

await onPostgres('store-following');
