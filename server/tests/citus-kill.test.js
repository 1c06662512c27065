// Nodes of a Citus, killed under senders, added, and shards moved: see killed.js. And what a node that is away means for callers.
// Invariant: Whatever happens to a node of Citus, a capture is whole or absent, each event has one leaf, and the other nodes go on.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { countIn } from '../../scripts/given.ts';
import { connect } from '../../scripts/postgres.ts';
import { PROGRAM, distributed } from '../../scripts/server.ts';
import { documentOf, event, open } from '../../worker/tests/store.js';
import { programs, startCitus } from './citus.js';
import { underKills } from './killed.js';

process.env.EPCIS_EDGE_STORE = 'postgres';
const options = { timeout: 1_800_000, skip: programs().missing };

test('a worker and the coordinator killed under senders, a worker added, shards moved: nothing is lost, nothing is half there', options, async (t) => {
  const { coordinator, workers, addresses, addWorker } = await startCitus({ isDurable: true });
  const DATABASE = await distributed(addresses(), 'gateway');
  const again = async (node) => {
    await node.kill();
    await setTimeout(1000);
    await node.start();
  };
  await underKills(t, DATABASE, countIn('EPCIS_EDGE_KILLS', 4), async (n) => {
    if (n % 4 === 0) return again(workers[(n / 4) % workers.length]);
    if (n % 4 === 1) return again(coordinator);
    if (workers.length === 3) await addWorker('gateway');
    const client = await connect(DATABASE);
    try {
      await client.query("SELECT replicate_reference_tables('block_writes')");
      await client.query(
        `SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport) FROM (
           SELECT * FROM citus_shards WHERE table_name = 'events'::regclass AND shardid = get_shard_id_for_distribution_column('events', 1 + $1::integer % 9)
         ) AS s CROSS JOIN LATERAL (
           SELECT * FROM pg_dist_node AS n WHERE n.shouldhaveshards AND n.nodeport <> s.nodeport ORDER BY n.nodeid DESC LIMIT 1
         ) AS n`,
        [n],
      );
    } finally {
      await client.end();
    }
  });
});

test('a node that is away is a 503 for its accounts, and the others go on, with the log', options, async () => {
  const { workers, addresses } = await startCitus();
  const DATABASE = await distributed(addresses(), 'gateway');
  const [LOG_KEY] = execFileSync(PROGRAM, ['log', 'new-key', 'epcis.example.com/log'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n');
  const store = await open({ bindings: { DATABASE, LOG_KEY } });
  const client = await connect(DATABASE);
  try {
    const keys = new Map();
    for (let n = 0; n < 9; n += 1) keys.set(`https://example.com/accounts/k${n}`, await store.makeKey({ account: `https://example.com/accounts/k${n}` }));
    let made = 0;
    /** Captures for each account and asks for it: the statuses. */
    const all = async () => {
      const found = {};
      for (const [account, key] of keys) {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
        const body = JSON.stringify(documentOf([event(`urn:epc:id:sgtin:0614141.112345.${(made += 1)}`)]));
        const captured = await fetch(new URL('capture', store.address), { method: 'POST', headers, body });
        const asked = await fetch(new URL('events', store.address), { headers });
        if (captured.status === 503) assert.match(captured.headers.get('retry-after'), /^[1-9]/);
        found[account] = [captured.status, asked.status];
      }
      return found;
    };
    const each = (statusOf) => Object.fromEntries([...keys.keys()].map((account) => [account, statusOf(account)]));
    assert.deepEqual(
      await all(),
      each(() => [202, 200]),
    );
    const leavesAre = async (count) => {
      for (let tries = 0; (await client.query('SELECT count(*) AS n FROM log_leaves')).rows[0].n !== count; tries += 1) {
        assert.ok(tries < 600, `${count} leaves`);
        await setTimeout(100);
      }
    };
    await leavesAre(keys.size);
    const { rows } = await client.query(
      `SELECT a.account, s.nodeport FROM accounts AS a JOIN citus_shards AS s ON s.shardid = get_shard_id_for_distribution_column('events', a.number)`,
    );
    const portOf = new Map(rows.map(({ account, nodeport }) => [account, nodeport]));
    const away = workers.find(({ address }) => Number(new URL(address('')).port) === rows[0].nodeport);
    await away.kill();
    const isAway = (account) => portOf.get(account) === rows[0].nodeport;
    assert.deepEqual(
      await all(),
      each((account) => (isAway(account) ? [503, 503] : [202, 200])),
    );
    const others = [...keys.keys()].filter((account) => !isAway(account)).length;
    assert.ok(others > 0 && others < keys.size, `${others} accounts are elsewhere`);
    await leavesAre(keys.size + others);
    await away.start();
    assert.deepEqual(
      await all(),
      each(() => [202, 200]),
    );
    await leavesAre(2 * keys.size + others);
  } finally {
    await client.end();
    await store.dispose();
  }
});
