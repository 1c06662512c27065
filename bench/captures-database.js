// Captures in PostgreSQL alone, without a gateway: what the functions of worker/postgres take when called with rows as a gateway sends
// them.
//
//     node bench/captures-database.js [--seconds 5]
//
// Each sender has a connection of its own. Documents have new events of four accounts.
import { createHash, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { countOf } from '../scripts/given.mjs';
import { connect, migrate } from '../scripts/postgres.mjs';
import { startPostgres } from '../worker/tests/postgres-server.js';
import { machine, number, worked } from './measure.js';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const milliseconds = countOf(options.seconds, '--seconds') * 1000;

const servers = await startPostgres({ isDurable: true, settings: { shared_buffers: '1GB', max_wal_size: '8GB' } });
const address = servers.direct('postgres');
const administrator = await connect(address);
await migrate(administrator);

let made = 0;
const key = (digest) => Number(BigInt(`0x${digest.slice(0, 13)}`));
/** The arguments of a capture of so many new events. */
function capture(count) {
  const lists = { events: [], parts: [], terms: [], values: [['9', 'https://ref.gs1.org/cbv/BizStep-shipping']] };
  const account = `https://example.com/accounts/${made % 4}`;
  for (let position = 0; position < count; position += 1) {
    made += 1;
    const digest = createHash('sha256').update(String(made)).digest('hex');
    const name = `ni:///sha-256;${digest}?ver=CBV2.0`;
    const [epc, time] = [`https://id.gs1.org/01/09521141000007/21/${made}`, '2026-06-01T10:00:00.000000000Z'];
    const text = `{"type":"ObjectEvent","eventID":"${name}","action":"OBSERVE","epcList":["${epc}"],"recordTime":"`;
    const rest = `","bizStep":"shipping","padding":"${digest.repeat(8)}"}`;
    lists.events.push([
      ...[key(digest), position, digest, 0, account, name, key(digest), key(digest), name, 'ObjectEvent', 'OBSERVE'],
      'shipping',
      null,
      time,
      (text + rest).length + 24,
      account,
      0,
    ]);
    lists.parts.push([key(digest), position, 0, text, 1, 24, rest]);
    lists.terms.push([
      key(digest),
      position,
      [
        [1, epc],
        [13, `https://id.gs1.org/414/952114100000${made % 10}`],
        [14, 'https://id.gs1.org/414/9521141000009'],
      ],
    ]);
  }
  const job = [account, 1_780_000_000_000, 0, 1, randomUUID(), count, '{}', 0, 0];
  return [randomUUID(), JSON.stringify(job), JSON.stringify(Object.entries(lists))];
}

async function send(client, values) {
  client.query('SELECT capture_beside($1, $2, $3)', values).catch(() => {});
  return (await client.query('SELECT * FROM capture_settled($1)', values.slice(0, 1))).rows;
}

async function measured(inFlight, count) {
  const times = [];
  const clients = await Promise.all(Array.from({ length: inFlight }, () => connect(address)));
  const before = worked();
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < began + milliseconds) {
        const values = capture(count);
        const from = performance.now();
        const [row] = await send(client, values);
        if (!row?.job) throw new Error(`not stored: ${JSON.stringify(row)}`);
        times.push(performance.now() - from);
      }
    }),
  );
  const took = (performance.now() - began) / 1000;
  const after = worked();
  await Promise.all(clients.map((client) => client.end()));
  times.sort((a, b) => a - b);
  const spent = (((after.postgres ?? 0) - (before.postgres ?? 0)) / times.length) * 1000;
  return { rate: times.length / took, p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)], spent };
}

console.log(`## Captures in PostgreSQL alone\n\n${machine()}; ${options.seconds} s each.\n`);
console.log('| events a document | in flight | captures/s | p50, ms | p99, ms | processor a capture, ms |\n|---|---|---|---|---|---|');
await measured(8, 1);
for (const [inFlight, count] of [
  [1, 1],
  [16, 1],
  [64, 1],
  [1, 1000],
  [4, 1000],
]) {
  const { rate, p50, p99, spent } = await measured(inFlight, count);
  console.log(`| ${number(count, 0)} | ${inFlight} | ${number(rate)} | ${number(p50)} | ${number(p99)} | ${number(spent)} |`);
}
process.exit();
