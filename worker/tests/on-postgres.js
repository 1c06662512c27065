// Imported before a suite of the store, which then runs over PostgreSQL behind PgBouncer, if these are available.
import { test } from 'node:test';
import { postgresServers } from './gateway.js';
import { programs } from './postgres-server.js';

const { missing } = programs();
if (missing) test('the same over PostgreSQL', { skip: missing }, () => {});

/** Runs the suite of a file. */
export async function onPostgres(suite) {
  if (missing) return;
  process.env.EPCIS_EDGE_STORE = 'postgres';
  // Started first, because the suite may start processes that use them.
  await postgresServers();
  await import(suite);
}
