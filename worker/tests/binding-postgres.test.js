// The suite of binding.test.js, over PostgreSQL.
import { onPostgres } from './on-postgres.js';

await onPostgres('./binding.test.js');
