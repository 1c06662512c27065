// The suite of log.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./log.test.js');
