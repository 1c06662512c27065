// Servers and PostgreSQL, killed under senders: see killed.js.
import { test } from 'node:test';
import { countIn } from '../../scripts/given.ts';
import { makeDatabase } from '../../scripts/postgres.ts';
import { underKills } from './killed.js';
import { programs, startPostgres } from './postgres-server.js';

test('servers and PostgreSQL killed under senders: nothing is lost, nothing is half there, each event has one leaf', {
  timeout: 1_800_000,
  skip: programs().missing,
}, async (t) => {
  const postgres = await startPostgres({ isDurable: true });
  await makeDatabase(postgres.address(''), 'gateway');
  await underKills(t, postgres.address('gateway'), countIn('EPCIS_EDGE_KILLS', 6), async (n, restart) => {
    if (n % 3 < 2) return restart(n % 3);
    await postgres.kill();
    await postgres.start();
  });
});
