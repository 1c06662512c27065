// How Citus runs the statements that servers have sent: for which nodes.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect } from '../../scripts/postgres.ts';

/** The settings of a coordinator that keeps each statement. */
export const KEPT = { logging_collector: 'on', log_destination: 'jsonlog', log_filename: 'statements', log_statement: 'all', log_rotation_size: 0 };

/** The different statements that servers have sent to a coordinator, each once: its text, its values and its database. */
async function sent({ address }) {
  const client = await connect(address('postgres'));
  const folder = (await client.query('SHOW data_directory')).rows[0].data_directory;
  await client.end();
  const all = new Map();
  for await (const line of createInterface(createReadStream(join(folder, 'log/statements.json')))) {
    const { application_name, dbname, message, detail = '' } = JSON.parse(line);
    const text = /^execute [^:]*: (.*)$/s.exec(message)?.[1];
    if (application_name !== 'epcis-edge-server' || text === undefined || all.has(text)) continue;
    const values = [...detail.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g)].map(([, value]) => value?.replaceAll("''", "'") ?? null);
    all.set(text, { dbname, text, values });
  }
  return [...all.values()];
}

/** How many tasks a plan has in all, or what is in it that is no task. */
function tasksOf(plan) {
  const job = plan['Distributed Query'];
  const provider = plan['Custom Plan Provider'];
  if (provider !== undefined && provider !== 'Citus Adaptive') return provider;
  if (job?.Subplans) return 'a plan below another';
  const below = (plan.Plans ?? []).map(tasksOf);
  return below.find((one) => typeof one === 'string') ?? below.reduce((sum, one) => sum + one, job?.Job['Task Count'] ?? 0);
}

/** The statements that servers have sent to a coordinator by their numbers of tasks, each with one as an example. */
export async function tasks(coordinator) {
  const found = {};
  const clients = new Map();
  try {
    for (const { dbname, text, values } of await sent(coordinator)) {
      if (/^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/.test(text)) continue;
      if (!clients.has(dbname)) clients.set(dbname, await connect(coordinator.address(dbname)));
      const client = clients.get(dbname);
      const given = values.map((value) => (value === null ? 'NULL' : client.escapeLiteral(value)));
      const explain = async (what) => (await client.query(`EXPLAIN (COSTS OFF, FORMAT JSON) ${what}`)).rows[0]['QUERY PLAN'][0].Plan;
      await client.query(`PREPARE one AS ${text}`);
      // With values apart, Citus cannot explain what the coordinator inserts.
      const plan = await explain(`EXECUTE one ${given.length > 0 ? `(${given})` : ''}`).catch((error) => {
        if (!text.startsWith('INSERT INTO accounts ')) throw new Error(`${error.message}: ${text}`);
        return explain(text.replaceAll(/\$(\d+)/g, (_, number) => given[number - 1]));
      });
      await client.query('DEALLOCATE one');
      (found[tasksOf(plan)] ??= []).push(text);
    }
  } finally {
    for (const client of clients.values()) await client.end();
  }
  return found;
}
