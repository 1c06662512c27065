// Imported before a suite of the gateway, which then runs over the server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programs as citus, startCitus } from './citus.js';
import { KEPT, tasks } from './citus-tasks.js';
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

/** Runs a suite of `worker/tests` over Citus, if that is available: and no statement that the servers sent is for more than one node. */
export async function onCitus(suite) {
  const { missing } = citus();
  if (missing) return test('over Citus', { skip: missing }, () => {});
  const { coordinator, addresses } = await startCitus({ settings: KEPT });
  process.env.EPCIS_EDGE_STORE = 'postgres';
  process.env.EPCIS_EDGE_POSTGRES = addresses().join(' ');
  await import(`../../worker/tests/${suite}.test.js`);
  test('each statement is one task, or of the coordinator alone', async (t) => {
    const { 0: alone, 1: one, 'Citus INSERT ... SELECT': pulled = [], ...others } = await tasks(coordinator);
    assert.deepEqual(others, {});
    // The coordinator numbers new accounts.
    assert.deepEqual(
      pulled.filter((text) => !text.startsWith('INSERT INTO accounts ')),
      [],
    );
    t.diagnostic(`${one.length} different statements are one task, ${alone.length} of the coordinator alone`);
  });
}
