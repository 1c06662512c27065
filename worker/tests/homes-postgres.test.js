// The suite of homes.test.js, over PostgreSQL; and a home that is away.
import { onPostgres } from './on-postgres.js';

await onPostgres('./homes.test.js');
