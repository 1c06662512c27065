// A store becomes one over Citus, with what it has; what is missing for it is said before anything is done.
// Invariant: No node of Citus lets a stored event be changed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { connect, distribute, makeDatabase } from '../../scripts/postgres.ts';
import { PROGRAM } from '../../scripts/server.ts';
import { documentOf, event, open, walk } from '../../worker/tests/store.js';
import { programs, startCitus } from './citus.js';

process.env.EPCIS_EDGE_STORE = 'postgres';

test('a store is distributed with its events, once, and its shards refuse changes', { timeout: 300_000, skip: programs().missing }, async () => {
  const { coordinator, workers, addresses } = await startCitus();
  const DATABASE = coordinator.address('gateway');
  const migrate = (...env) => {
    const { status, stdout, stderr } = spawnSync(PROGRAM, ['migrate', '--citus'], { encoding: 'utf8', env: Object.fromEntries(env) });
    return `${status} ${stdout}${stderr}`;
  };
  const given = ['DATABASE', DATABASE];
  const on = async (node, text) => {
    const client = await connect(node.address('gateway'));
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const [LOG_KEY] = spawnSync(PROGRAM, ['log', 'new-key', 'epcis.example.com/log'], { encoding: 'utf8' }).stdout.split('\n');
  const captures = async (first) => {
    const store = await open({ bindings: { DATABASE, LOG_KEY } });
    try {
      const accounts = [0, 1, 2, 3, 4].map((n) => `https://example.com/accounts/m${n}`);
      for (const account of accounts) {
        const key = await store.makeKey({ account });
        const events = Array.from({ length: 20 }, (_, n) => event(`urn:epc:id:sgtin:0614141.112345.${first + n}`));
        await store.ask('capture', { document: documentOf(events) }, key);
        assert.equal((await walk(store, {}, key)).length, first + 20);
      }
    } finally {
      await store.dispose();
    }
  };
  assert.match(migrate(), /^1 .*--citus is for a PostgreSQL/s);
  await makeDatabase(coordinator.address(''), 'gateway');
  assert.match(migrate(given), /^1 .*does not have the extension citus/s);
  await on(coordinator, 'CREATE EXTENSION citus');
  await distribute(addresses()[0], addresses().slice(1), 'gateway');
  const alone = 'SET citus.enable_ddl_propagation = off; ALTER DATABASE gateway';
  await on(workers[1], `${alone} SET citus.enable_unsafe_triggers = off`);
  assert.match(migrate(given), /^1 .*set citus.enable_unsafe_triggers = on at each node/s);
  await on(workers[1], `${alone} RESET citus.enable_unsafe_triggers`);
  await captures(0);
  assert.match(migrate(given), /^0 the accounts are distributed over the nodes/);
  assert.match(migrate(given), /^0 the database has the tables of this version/);
  await captures(20);
  const shards = await on(coordinator, "SELECT nodeport, shard_name FROM citus_shards WHERE table_name = 'events'::regclass");
  assert.equal(shards.length, 32);
  let changed = 0;
  for (const worker of workers) {
    const port = Number(new URL(worker.address('')).port);
    const tables = shards.filter(({ nodeport }) => nodeport === port).map(({ shard_name }) => shard_name);
    for (const table of ['events', ...tables]) {
      if ((await on(worker, `SELECT 1 FROM ${table} LIMIT 1`)).length === 0) continue;
      for (const change of [`TRUNCATE ${table}`, `UPDATE ${table} SET who = ''`, `DELETE FROM ${table}`])
        await assert.rejects(on(worker, `SET citus.enable_manual_changes_to_shards = on; ${change}`), /append-only/);
      changed += 1;
    }
  }
  assert.ok(changed > workers.length, 'there were events in shards');
});
