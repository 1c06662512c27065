// The suite of worker/tests/store-concurrency.test.js, over the server with PostgreSQL.
import { onPostgres } from './on-server.js';

await onPostgres('store-concurrency');
