// Concurrent captures of one event each, as they occur in practice, into the gateway in real workerd.
//
//     node bench/captures.ts [--seconds 6] [--only d1,objects,server,postgres,mcp] [--accounts 1]
//
// `d1` and `objects` are the stores in workerd; `server` and `postgres` are the server over SQLite and over PostgreSQL: set
// EPCIS_EDGE_SERVER to target/server/epcis-edge-server for the program of a release. `mcp` repeats d1 through the tool. PostgreSQL syncs to
// disk; the gateways have a log. Reports captures per second, response times, and the processor time of each program per capture.
import http from 'node:http';
import { parseArgs } from 'node:util';
import { makeLogKey } from '../scripts/log-keys.ts';
import { countOf, oneOf } from '../scripts/given.ts';
import { startPostgres } from '../server/tests/postgres-server.js';
import { open } from '../worker/tests/store.js';
import type { OpenStore } from './gateway.ts';
import { envelope, storyEvents } from './documents.ts';
import { machine, number, quantile, worked } from './measure.ts';

const IN_FLIGHT = [1, 16, 64];
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    accounts: { type: 'string', default: '1' },
    only: { type: 'string', default: 'd1,objects,server,postgres,mcp' },
  },
});
const seconds = countOf(options.seconds, '--seconds');
const accounts = countOf(options.accounts, '--accounts');
const wanted = new Set(options.only.split(',').map((name) => oneOf(['d1', 'objects', 'server', 'postgres', 'mcp'], '--only', name)));
let made = 0;
/** A document of one event that was not sent before. */
function oneEvent() {
  made += 1;
  return envelope(storyEvents(1, made));
}

/** What is sent: a path and a body, and whether an answer says that it is captured. */
type Sent = readonly [path: string, value: object, isDone: (status: number | undefined, text: string) => boolean];
type Door = 'REST' | 'MCP';
/** A store with its keys, which take turns. */
type Filled = OpenStore & { readonly keys: readonly string[] };

const doors: Readonly<Record<Door, () => Sent>> = {
  REST: () => ['/capture', oneEvent(), (status) => status === 202],
  MCP: () => [
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'capture', arguments: { document: oneEvent() } } },
    (status, text) => status === 200 && !text.includes('"isError":true'),
  ],
};

function post(store: Filled, agent: http.Agent, [path, value, isDone]: Sent): Promise<void> {
  const body = Buffer.from(JSON.stringify(value));
  const headers = {
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${store.keys[made % store.keys.length]}`,
    'content-length': body.length,
    'content-type': 'application/json',
  };
  return new Promise<void>((resolve, reject) => {
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

/** Runs this many senders; each sends its next document when the one before is answered. */
async function measured(store: Filled, door: Door, inFlight: number, time: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight });
  const times: number[] = [];
  const before = worked();
  const began = performance.now();
  const end = began + time * 1000;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
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
  const used = programs.map(([name, spent]): [name: string, spent: number] => [name, ((spent - (before[name] ?? 0)) / times.length) * 1000]);
  times.sort((a, b) => a - b);
  return { rate: times.length / took, p50: quantile(times, 0.5), p99: quantile(times, 0.99), used: used.filter(([, spent]) => spent > 0.05) };
}

const LOG_KEY = makeLogKey('log', 'epcis.example.com/log').skey;
async function opened(settings: { readonly store?: string }): Promise<Filled> {
  const store = await open({ ...settings, bindings: { LOG_KEY } });
  const keys = await Promise.all(Array.from({ length: accounts }, (_, n) => store.makeKey({ account: `https://example.com/accounts/${n}` })));
  return { ...store, keys };
}

console.log(`## Captures of one event\n\n${machine()}; accounts: ${accounts}; ${seconds} s each.\n`);
console.log('| store | door | in flight | captures/s | p50, ms | p99, ms | processor a capture, ms |\n|---|---|---|---|---|---|---|');
async function rows(name: string, store: Filled, door: Door) {
  // Warms up, until hot code is compiled.
  await measured(store, door, 16, 6);
  for (const inFlight of IN_FLIGHT) {
    const { rate, p50, p99, used } = await measured(store, door, inFlight, seconds);
    const spent = used.map(([program, spent]) => `${program} ${number(spent)}`).join(', ');
    console.log(`| ${name} | ${door} | ${inFlight} | ${number(rate, 0)} | ${number(p50)} | ${number(p99)} | ${spent} |`);
  }
}

if (wanted.has('d1')) {
  const store = await opened({});
  await rows('D1', store, 'REST');
  if (wanted.has('mcp')) await rows('D1', store, 'MCP');
  await store.dispose();
}
if (wanted.has('objects')) {
  const store = await opened({ store: 'objects' });
  await rows('objects', store, 'REST');
  await store.dispose();
}
if (wanted.has('server')) {
  const store = await opened({ store: 'server' });
  await rows('server, SQLite', store, 'REST');
  await store.dispose();
}
if (wanted.has('postgres')) {
  const postgres = await startPostgres({ isDurable: true, settings: { shared_buffers: '1GB', max_wal_size: '8GB' } });
  process.env.EPCIS_EDGE_STORE = 'postgres';
  process.env.EPCIS_EDGE_POSTGRES = postgres.address('');
  const store = await opened({});
  await rows('server, PostgreSQL', store, 'REST');
  await store.dispose();
}
process.exit();
