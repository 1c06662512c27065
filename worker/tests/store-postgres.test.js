// The suite of store.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./store.test.js');
