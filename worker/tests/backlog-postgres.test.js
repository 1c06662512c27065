// The suite of backlog.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./backlog.test.js');
