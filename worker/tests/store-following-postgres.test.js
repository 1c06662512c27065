// The suite of store-following.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./store-following.test.js');
