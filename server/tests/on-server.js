// Imported before a suite of the gateway, which then runs over the server.
import { test } from 'node:test';
import { programs as citus, startCitus } from './citus.js';
import { programs, startPostgres } from './postgres-server.js';

/** Runs a suite of `worker/tests`. */
export async function onServer(suite) {
  process.env.EPCIS_EDGE_STORE = 'server';
  await import(`../../worker/tests/${suite}.test.js`);
}

/** Runs a suite of `worker/tests` over PostgreSQL, if that is available. */
export async function onPostgres(suite) {
  const { missing } = programs();
  if (missing) return test('over PostgreSQL', { skip: missing }, () => {});
  process.env.EPCIS_EDGE_STORE = 'postgres';
  process.env.EPCIS_EDGE_POSTGRES = (await startPostgres()).address('');
  await import(`../../worker/tests/${suite}.test.js`);
}

/** Runs a suite of `worker/tests` over Citus, if that is available. */
export async function onCitus(suite) {
  const { missing } = citus();
  if (missing) return test('over Citus', { skip: missing }, () => {});
  process.env.EPCIS_EDGE_STORE = 'postgres';
  process.env.EPCIS_EDGE_POSTGRES = (await startCitus()).addresses().join(' ');
  await import(`../../worker/tests/${suite}.test.js`);
}
