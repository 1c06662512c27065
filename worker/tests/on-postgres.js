// Imported before a suite of the store: it then runs over PostgreSQL behind PgBouncer, where those are to be had.
import { test } from 'node:test';
import { postgresServers } from './gateway.js';
import { programs } from './postgres-server.js';

const { missing } = programs();
if (missing) test('the same over PostgreSQL', { skip: missing }, () => {});

/** Runs the suite of a file. */
export async function onPostgres(suite) {
  if (missing) return;
  process.env.EPCIS_EDGE_STORE = 'postgres';
  // Before it starts processes that use them, too.
  await postgresServers();
  await import(suite);
}
