// Concurrent captures of one event each, as they occur in practice, into the gateway in real workerd.
//
//     node bench/captures.js [--seconds 6] [--only d1,objects,server,postgres,far,two,mcp]
//
// `d1`, `objects` (one account) and `postgres` are the stores in workerd; `server` is the server over SQLite, of the profile `server`. `far` adds 2 ms between the gateway and PgBouncer. `two` runs two gateways over one
// PostgreSQL. `mcp` repeats d1 and postgres through the tool. PostgreSQL syncs to disk and is behind PgBouncer, as in a deployment; the gateways have a log.
// Reports captures per second, response times, the processor time of each program per capture, and what the connections of
// PostgreSQL wait for.
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeLogKey } from '../scripts/log-keys.mjs';
import { connect } from '../scripts/postgres.mjs';
import { countOf, oneOf } from '../scripts/given.mjs';
import { listenBetween } from '../worker/tests/between.js';
import { postgresDatabase } from '../worker/tests/gateway.js';
import { serveFromPostgres } from '../worker/tests/postgres-server.js';
import { open } from '../worker/tests/store.js';
import { envelope, storyEvents } from './documents.js';
import { machine, number, worked } from './measure.js';

const IN_FLIGHT = [1, 16, 64];
const BETWEEN_MS = 2;
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '6' }, only: { type: 'string', default: 'd1,objects,server,postgres,far,two,mcp' } },
});
const seconds = countOf(options.seconds, '--seconds');
const wanted = new Set(options.only.split(',').map((name) => oneOf(['d1', 'objects', 'server', 'postgres', 'far', 'two', 'mcp'], '--only', name)));
let made = 0;
/** A document of one event that was not sent before. */
function oneEvent() {
  made += 1;
  return envelope(storyEvents(1, made));
}

const doors = {
  REST: () => ['/capture', oneEvent(), (status) => status === 202],
  MCP: () => [
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'capture', arguments: { document: oneEvent() } } },
    (status, text) => status === 200 && !text.includes('"isError":true'),
  ],
};

function post(store, agent, [path, value, isDone]) {
  const body = Buffer.from(JSON.stringify(value));
  const headers = {
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${store.key}`,
    'content-length': body.length,
    'content-type': 'application/json',
  };
  return new Promise((resolve, reject) => {
    const { hostname, port } = store.address;
    const request = http.request({ hostname, port, path, method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => (text += part));
      response.on('end', () => {
        if (isDone(response.statusCode, text)) resolve();
        else reject(new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 300)}`));
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

/** Runs this many senders; each sends its next document when the one before is answered. */
async function measured(stores, door, inFlight, time) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight });
  const times = [];
  const before = worked();
  const began = performance.now();
  const end = began + time * 1000;
  await Promise.all(
    Array.from({ length: inFlight }, async (_, sender) => {
      const store = stores[sender % stores.length];
      while (performance.now() < end) {
        const from = performance.now();
        await post(store, agent, doors[door]());
        times.push(performance.now() - from);
      }
    }),
  );
  const took = (performance.now() - began) / 1000;
  agent.destroy();
  const after = worked();
  const programs = Object.entries(after).filter(([name]) => name !== 'this process');
  const used = programs.map(([name, spent]) => [name, ((spent - (before[name] ?? 0)) / times.length) * 1000]);
  times.sort((a, b) => a - b);
  return { rate: times.length / took, p50: quantile(times, 0.5), p99: quantile(times, 0.99), used: used.filter(([, spent]) => spent > 0.05) };
}

const LOG_KEY = makeLogKey('log', 'epcis.example.com/log').skey;
/** Samples the wait events of a database's connections every 15 ms. Returns a function that stops it and gives the average of each. */
function watch(address) {
  const seen = new Map();
  let looks = 0;
  let isOver = false;
  const looking = (async () => {
    const client = await connect(address);
    while (!isOver) {
      const { rows } = await client.query(
        `SELECT CASE WHEN state = 'active' THEN coalesce(wait_event_type || ' ' || wait_event, 'the processor') ELSE state END AS what, count(*) AS n
         FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IS NOT NULL GROUP BY 1`,
      );
      looks += 1;
      for (const { what, n } of rows) seen.set(what, (seen.get(what) ?? 0) + n);
      await setTimeout(15);
    }
    await client.end();
  })();
  return async () => {
    isOver = true;
    await looking;
    const all = [...seen].map(([what, n]) => [what, n / looks]).sort((a, b) => b[1] - a[1]);
    return all.filter(([, n]) => n >= 0.05).map(([what, n]) => `${what} ${number(n, 2)}`);
  };
}

const opened = (settings) => open({ ...settings, bindings: { LOG_KEY } });

/** The wait events of each run, printed at the end. */
const waiting = [];
console.log(`## Captures of one event\n\n${machine()}; ${seconds} s each.\n`);
console.log('| store | door | in flight | captures/s | p50, ms | p99, ms | processor a capture, ms |\n|---|---|---|---|---|---|---|');
async function rows(name, stores, door, address) {
  // Warms up, until hot code is compiled.
  await measured(stores, door, 16, 6);
  for (const inFlight of IN_FLIGHT) {
    const waits = address && watch(address);
    const { rate, p50, p99, used } = await measured(stores, door, inFlight, seconds);
    if (waits) waiting.push(`${name}, ${inFlight} in flight: ${(await waits()).join(', ')}`);
    const spent = used.map(([program, spent]) => `${program} ${number(spent)}`).join(', ');
    console.log(`| ${name} | ${door} | ${inFlight} | ${number(rate, 0)} | ${number(p50)} | ${number(p99)} | ${spent} |`);
  }
}

if (wanted.has('d1')) {
  const store = await opened({});
  await rows('D1', [store], 'REST');
  if (wanted.has('mcp')) await rows('D1', [store], 'MCP');
  await store.dispose();
}
if (wanted.has('objects')) {
  const store = await opened({ store: 'objects' });
  await rows('objects', [store], 'REST');
  await store.dispose();
}
if (wanted.has('server')) {
  const store = await opened({ store: 'server' });
  await rows('server, SQLite', [store], 'REST');
  await store.dispose();
}
if (['postgres', 'far', 'two'].some((name) => wanted.has(name))) {
  await serveFromPostgres({ isDurable: true, settings: { shared_buffers: '1GB', max_wal_size: '8GB' } });
  const over = async (work) => {
    const database = await postgresDatabase();
    const gateway = (address = database.address) => opened({ hyperdrive: address, database: database.database });
    await work(gateway, database);
    await database.end();
  };
  if (wanted.has('postgres')) {
    await over(async (gateway, { direct }) => {
      const store = await gateway();
      await rows('PostgreSQL', [store], 'REST', direct);
      if (wanted.has('mcp')) await rows('PostgreSQL', [store], 'MCP');
      await store.dispose();
    });
  }
  if (wanted.has('far')) {
    await over(async (gateway, { address, direct }) => {
      const between = await listenBetween(new URL(address), BETWEEN_MS);
      const store = await gateway(between.address);
      await rows(`PostgreSQL, ${BETWEEN_MS} ms away`, [store], 'REST', direct);
      await store.dispose();
      between.close();
    });
  }
  if (wanted.has('two')) {
    await over(async (gateway, { direct }) => {
      const stores = [await gateway(), await gateway()];
      await rows('PostgreSQL, two gateways', stores, 'REST', direct);
      for (const store of stores) await store.dispose();
    });
  }
}
if (waiting.length > 0) console.log(`\nConnections of PostgreSQL, on average:\n\n- ${waiting.join('\n- ')}`);
process.exit();
