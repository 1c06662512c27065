// The store of the gateway with a million events: D1 and KV of real workerd, on disk, through the interfaces that callers use:
// `POST /mcp` and the REST binding.
//
//     node bench/store.ts [--only following] [number of events, default 1,000,000]
//
// With --only following the store is filled, then items are followed, and nothing else is asked.
//
// Documents of 10,000 events are captured, through the two interfaces in turn, until the number is reached. Then single queries
// are sent to both, and more documents are captured.
// Times are taken inside workerd, by a Worker next to the gateway and bound to it, so that neither this process nor a socket counts.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countOf, oneOf } from '../scripts/given.ts';
import { makeLogKey } from '../scripts/log-keys.ts';
import { open } from '../worker/tests/store.js';
import type { OpenStore } from './gateway.ts';
import { envelope, storyEvents } from './documents.ts';
import { following, withMasterData } from './following.ts';
import { machine, median, number, quantile } from './measure.ts';

const PER_DOCUMENT = 10_000;
const ROUNDS = 200;
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
});
oneOf(['following'], '--only', options.only);
const wanted = countOf(positionals[0] ?? '1000000', 'the number of events');
// At least one document for each interface.
const total = Math.max(2 * PER_DOCUMENT, Math.ceil(wanted / PER_DOCUMENT) * PER_DOCUMENT);
/** The targets: events per second, and the p50 of a query by one EPC in milliseconds. */
const [CAPTURED, ASKED] = [3000, 10];
const NOWHERE = 20;
const folder = fileURLToPath(new URL('../.wrangler/bench', import.meta.url));

/** Forwards requests and reports how many milliseconds the answer took. */
const CLOCK = `export default {
  async fetch(request, env) {
    const body = await request.arrayBuffer();
    const from = performance.now();
    const { method, headers } = request;
    const { pathname, search } = new URL(request.url);
    const answer = await env.GATEWAY.fetch('http://gateway' + pathname + search, { method, headers, body: method === 'GET' ? undefined : body });
    const text = await answer.arrayBuffer();
    const to = performance.now();
    const { status } = answer;
    return new Response(text, { status, headers: { 'x-milliseconds': String(to - from), location: answer.headers.get('location') ?? '' } });
  },
};`;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const LOG_KEY = makeLogKey('log', 'epcis.example.com/log').skey;
const clocked = (settings: { readonly bindings?: Readonly<Record<string, string>>; readonly persistTo: string }) =>
  open({ ...settings, others: [{ name: 'clock', script: CLOCK }] });

/** Waits until every event of a store has its leaf in the log. */
async function logged({ gateway, database }: OpenStore): Promise<void> {
  const worker = await gateway.getWorker('gateway');
  for (;;) {
    const left = await database
      .prepare('SELECT (SELECT coalesce(max(sequence), 0) FROM events) - (SELECT coalesce(max(sequence), 0) FROM log_leaves) AS n')
      .first('n');
    if (left === 0) return;
    await worker.scheduled({ cron: '* * * * *' });
    await setTimeout(20);
  }
}

/** The cost of the log for a capture: documents go into two empty stores in turn, of which one has a log. */
async function besideTheLog() {
  const rounds = 7;
  const stores = await Promise.all([{}, { LOG_KEY }].map((bindings, n) => clocked({ bindings, persistTo: join(folder, `log-${n}`) })));
  const sides = stores.map((one) => ({ one, answered: [] as number[], whole: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { one, answered, whole } of round % 2 ? sides.toReversed() : sides) {
      const worker = await one.gateway.getWorker('clock');
      const document = envelope(storyEvents(PER_DOCUMENT, round * PER_DOCUMENT));
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'capture', arguments: { document } } });
      const headers = { accept: 'application/json, text/event-stream', authorization: `Bearer ${one.key}`, 'content-type': 'application/json' };
      const from = performance.now();
      const answer = await worker.fetch('http://clock/mcp', { method: 'POST', headers, body });
      const text = await answer.text();
      if (!answer.ok || text.includes('"isError":true')) throw new Error(`refused: ${text.slice(0, 500)}`);
      answered.push(Number(answer.headers.get('x-milliseconds')));
      if (one === stores[1]) await logged(one);
      whole.push(performance.now() - from);
    }
  }
  await Promise.all(stores.map((one) => one.dispose()));
  // Skips the first of each, which starts the engine.
  const [without = NaN, withLog = NaN, before = NaN, behind = NaN] = [...sides.map(({ answered }) => answered), ...sides.map(({ whole }) => whole)].map(
    (times) => median(times.slice(1)),
  );
  const slower = (withLog / without - 1) * 100;
  console.log(`| capture of a document of ${number(PER_DOCUMENT, 0)} events | without the log, ms, median | with it | |\n|---|---|---|---|`);
  console.log(
    `| until it is answered | ${number(without, 0)} | ${number(withLog, 0)} | ${slower <= 15 ? 'reached' : 'MISSED'} (15 %): ${number(slower, 1)} % slower |`,
  );
  console.log(`| until every event has its leaf | ${number(before, 0)} | ${number(behind, 0)} | ${number(behind - withLog, 0)} ms behind the answer |\n`);
}
if (!options.only) await besideTheLog();

const store = await clocked({ bindings: { LOG_KEY }, persistTo: folder });
const clock = await store.gateway.getWorker('clock');

/** Sends one request; returns the answer, and the time that it took inside workerd. */
async function request(method: string, path: string, body?: string) {
  const headers = {
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${store.key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await clock.fetch(`http://clock${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`refused: ${text.slice(0, 500)}`);
  return {
    value: text === '' ? undefined : path.startsWith('/log/') ? text : JSON.parse(text),
    location: answer.headers.get('location'),
    ms: Number(answer.headers.get('x-milliseconds')),
  };
}

/** Sends one message to the agent endpoint. */
async function ask(message: object) {
  const { value, ms } = await request('POST', '/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  if (!value.result || value.result.isError) throw new Error(`refused: ${JSON.stringify(value.result ?? value).slice(0, 500)}`);
  return { value: value.result.structuredContent, ms };
}
const tool = (name: string, args: object) => ask({ method: 'tools/call', params: { name, arguments: args } });
/** Sends a query to the REST binding. */
const get = (path: string, parameters: Readonly<Record<string, string | boolean>> = {}) =>
  request('GET', `${path}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`);

const eventsOf = (answer: any): readonly unknown[] => answer.epcisBody?.queryResults.resultsBody.eventList ?? [];

/** A captured event. */
interface Named {
  readonly contentHash: string;
  readonly duplicate: boolean;
}

type Door = 'MCP' | 'REST';
/** The doors, which take turns. */
const doorOf = (turn: number): Door => (turn % 2 === 0 ? 'MCP' : 'REST');

/** Captures one more document; returns the rate in events per second. */
async function capture(first: number, door: Door): Promise<{ readonly rate: number; readonly names?: readonly Named[] }> {
  const document = envelope(storyEvents(PER_DOCUMENT, first));
  if (door === 'REST') {
    const { location, ms } = await request('POST', '/capture', JSON.stringify(document));
    const { value: job } = await get(location ?? '');
    if (job['epcisEdge:eventCount'] !== PER_DOCUMENT || job['epcisEdge:duplicateCount'] > 0) throw new Error('every event should be new');
    return { rate: PER_DOCUMENT / (ms / 1000) };
  }
  const { value, ms } = await tool('capture', { document });
  if (value.events.length !== PER_DOCUMENT || value.events.some(({ duplicate }: Named) => duplicate)) throw new Error('every event should be new');
  return { rate: PER_DOCUMENT / (ms / 1000), names: value.events };
}

console.log(`## The store\n\n${machine()}; ${number(total, 0)} events of ${number(JSON.stringify(storyEvents(600)).length / 600, 0)} bytes.\n`);
const began = performance.now();
const DOORS: readonly Door[] = ['MCP', 'REST'];
const rates: Record<Door, number[]> = { MCP: [], REST: [] };
let names: readonly Named[] = [];
for (let first = 0; first < total; first += PER_DOCUMENT) {
  const door = doorOf(first / PER_DOCUMENT);
  const captured = await capture(first, door);
  rates[door].push(captured.rate);
  names = captured.names ?? names;
  if ((first / PER_DOCUMENT + 1) % 10 === 0)
    console.error(`${number(first + PER_DOCUMENT, 0)} events, ${number(captured.rate, 0)} events/s, ${number((performance.now() - began) / 1000, 0)} s`);
}
if (options.only) {
  await theFollowing(total);
  await store.dispose();
  process.exit();
}
const last: Record<Door, number[]> = { MCP: [], REST: [] };
for (let round = 0; round < 10; round += 1) {
  const door = doorOf(round);
  last[door].push((await capture(total + round * PER_DOCUMENT, door)).rate);
}
const row = (name: string, values: readonly number[], wanted: number) => {
  const found = median(values);
  console.log(`| ${name} | ${number(found, 0)} | ${found >= wanted ? 'reached' : 'MISSED'} (${number(wanted, 0)}) |`);
};
console.log('| capture of a document of 10,000 events | events/s, median | target |\n|---|---|---|');
for (const door of DOORS) row(`into an empty store, the first 5, by ${door}`, rates[door].slice(0, 5), CAPTURED);
for (const door of DOORS) row(`behind ${number(total, 0)} events, 5 more, by ${door}`, last[door], CAPTURED);
const stored = await store.database.prepare('SELECT count(*) AS n FROM events').first('n');
const bytes = readdirSync(join(folder, 'd1'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sqlite'))
  .reduce((sum, file) => sum + statSync(join(folder, 'd1', file)).size, 0);
console.log(`\n${number(stored, 0)} events take ${number(bytes / 2 ** 30, 2)} GiB of D1, ${number(bytes / stored, 0)} bytes an event.\n`);

/** An item of a random box, independent of the order in the store. */
let turn = 0;
const someBox = () => ((turn = (turn + 0.6180339887498949) % 1), Math.floor(turn * (total / 6 - 1)));
const someItem = () => {
  const box = someBox();
  return `https://id.gs1.org/01/${gtin14(`0952114${'1'}${String(box % 400).padStart(5, '0')}`)}/21/${Math.floor(box / 400) * 10 + 3}`;
};
function gtin14(thirteen: string) {
  const sum = [...thirteen].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 1 : 3), 0);
  return `${thirteen}${(10 - (sum % 10)) % 10}`;
}
const day = () => new Date(Date.UTC(2026, 0, 1) + Math.floor(someBox() * 6 * 20_000)).toISOString();

const dayOf = () => {
  const from = Date.parse(day());
  return { GE_eventTime: new Date(from).toISOString(), LT_eventTime: new Date(from + 86_400_000).toISOString() };
};

const someEvent = () => names[Math.floor(turn * names.length)]?.contentHash ?? '';
const product = () => `urn:epc:idpat:sgtin:9521141.0${String(someBox() % 400).padStart(5, '0')}.*`;
const ofTime = () => ({ GE_eventTime: day(), orderBy: 'eventTime', orderDirection: 'ASC' });
/** Parameters of a query. */
type Parameters = Readonly<Record<string, string | boolean>>;
/** Asks once. */
type Question = () => Promise<{ readonly value: any; readonly ms: number }>;

/** The same query through both interfaces. */
const both = (parameters: () => Parameters): [byTool: Question, byPath: Question] => [
  () => tool('query', { query: parameters() }),
  () => get('/events', parameters()),
];
// The name, the query by MCP and by REST, the minimum number of events found, and the limit for p50.
const questions: [name: string, byTool: Question | undefined, byPath: Question | undefined, least: number, wanted?: number][] = [
  ['ping, which asks no store', () => ask({ method: 'ping' }), undefined, 0],
  ['trace by one EPC', () => tool('trace', { epc: someItem() }), () => get(`/epcs/${encodeURIComponent(someItem())}/events`), 3, ASKED],
  ['query by one EPC (MATCH_epc)', ...both(() => ({ MATCH_epc: someItem() })), 1, ASKED],
  ['query by one EPC and business step', ...both(() => ({ MATCH_anyEPC: someItem(), EQ_bizStep: 'packing' })), 1, ASKED],
  ['one event by its content hash', () => tool('get_event', { eventID: someEvent() }), () => get(`/events/${encodeURIComponent(someEvent())}`), 1],
  ['query from a time on, 30 events by time', ...both(ofTime), 30],
  ['a pattern of one product, 30 events', ...both(() => ({ MATCH_anyEPC: product() })), 30],
  ['a pattern of a whole company, 30 events', ...both(() => ({ MATCH_anyEPC: 'urn:epc:idpat:sgtin:9521141.*.*' })), 30],
  ['a place where every hundredth event was, 30 events', ...both(() => ({ EQ_bizLocation: 'https://id.gs1.org/414/9521141000007' })), 30],
  ['query of a day, in the order of capture, 30 events', ...both(dayOf), 30],
  ['query of everything, 30 events', ...both(() => ({})), 30],
  // These have no index of their own; the zone map answers them.
  ['a disposition that is nowhere', ...both(() => ({ EQ_disposition: 'destroyed' })), 0, NOWHERE],
  ['a business step that is nowhere', ...both(() => ({ EQ_bizStep: 'decommissioning' })), 0, NOWHERE],
  ['error declarations, of which there are none', ...both(() => ({ EXISTS_errorDeclaration: true })), 0, NOWHERE],
  ['from a time on without an end, 30 events', ...both(() => ({ GE_eventTime: '2020-01-01T00:00:00Z' })), 30, NOWHERE],
  ['recorded from a time on without an end, 30 events', ...both(() => ({ GE_recordTime: '2020-01-01T00:00:00Z' })), 30, NOWHERE],
  ['before a time that is before all', ...both(() => ({ LT_eventTime: '2020-01-01T00:00:00Z' })), 0, NOWHERE],
  [
    'a place where every hundredth event was, newest first, 30 events',
    ...both(() => ({ EQ_bizLocation: 'https://id.gs1.org/414/9521141000007', orderBy: 'eventTime', orderDirection: 'DESC' })),
    30,
  ],
  ['the first EPCs, 30 values', undefined, () => get('/epcs'), 0],
  ['the newest capture jobs, 30', undefined, () => get('/capture'), 0],
];
await logged(store);
const { value: head } = await request('GET', '/log/checkpoint');
questions.push([
  `the proof of one event, of ${number(Number(head.split('\n')[1]), 0)} leaves`,
  () => tool('prove', { eventID: someEvent() }),
  () => get('/log/proof', { event: someEvent() }),
  0,
  15,
]);
console.log(`| question, ${ROUNDS} times | MCP p50 ms | p95 ms | REST p50 ms | p95 ms | target |\n|---|---|---|---|---|---|`);
for (const [name, byTool, byPath, least, wanted] of questions) {
  const cells: string[] = [];
  let isReached = true;
  for (const question of [byTool, byPath]) {
    if (!question) {
      cells.push('', '');
      continue;
    }
    const times: number[] = [];
    for (let round = 0; round < ROUNDS + 10; round += 1) {
      someBox();
      const { value, ms } = await question();
      if (eventsOf(value ?? {}).length < least) throw new Error(`${name}: ${eventsOf(value).length} events, at least ${least} expected`);
      if (round >= 10) times.push(ms);
    }
    times.sort((a, b) => a - b);
    isReached &&= wanted === undefined || quantile(times, 0.5) < wanted;
    cells.push(number(quantile(times, 0.5)), number(quantile(times, 0.95)));
  }
  const verdict = wanted === undefined ? '' : `${isReached ? 'reached' : 'MISSED'} (${wanted})`;
  console.log(`| ${name} | ${cells.join(' | ')} | ${verdict} |`);
}
await ofTheLog();
await theFollowing(total + 10 * PER_DOCUMENT);
await store.dispose();

/** Following, and master data, behind what the store has. `first` is the number of the next event. */
async function theFollowing(first: number) {
  await withMasterData(request, first);
  await following(request, [25, 500]);
}

/** The waiting times of operators and auditors with this many events: comparing the database with the log, and 10,000 proofs at once. */
async function ofTheLog() {
  const cli = fileURLToPath(new URL('../wasm/js/cli/cli.ts', import.meta.url));
  const environment = { ...process.env, EPCIS_EDGE_KEY: store.key, EPCIS_EDGE_LOG_KEY: LOG_KEY };
  const command = (name: string, ...rest: string[]) =>
    new Promise<void>((resolve, reject) => {
      const begun = performance.now();
      const child = spawn(process.execPath, [cli, ...rest], { cwd: folder, env: environment });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
      child.on('close', (status) => {
        if (status !== 0) return reject(new Error(`${rest[0]} ended with ${status}: ${text.slice(0, 2000)}`));
        console.log(`| ${name} | ${number((performance.now() - begun) / 1000, 1)} | ${text.trim().split('\n').at(-1)} |`);
        return resolve();
      });
    });
  writeFileSync(join(folder, 'policy'), (await get('/log/policy')).value);
  console.log('\n| the log, by command | s | what it says |\n|---|---|---|');
  await command('10,000 proofs, 200 a page', 'prove', store.address.href, '--query', 'orderBy=eventTime&eventCountLimit=10000&perPage=200', '-o', 'all.proofs');
  await command('the same, verified', 'verify-proofs', 'all.proofs', '--policy', 'policy');
  await command('database and log compared', 'fsck', store.address.href);
}
