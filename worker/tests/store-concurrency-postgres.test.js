// The suite of store-concurrency.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./store-concurrency.test.js');
