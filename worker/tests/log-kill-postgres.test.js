// The suite of log-kill.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./log-kill.test.js');
