// The suite of documents.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./documents.test.js');
