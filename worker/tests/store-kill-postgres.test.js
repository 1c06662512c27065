// The suite of store-kill.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./store-kill.test.js');
