// The store of the gateway at a million events: D1 and KV of real workerd, on disk, through the same door that callers use.
//
//     node bench/store.js [how many events; default 1,000,000]
//
// Documents of 10,000 events are captured until so many are stored; then single questions are asked, and a document more is captured.
// A clock inside workerd takes the time: a Worker beside the gateway, bound to it, so that neither this process nor a socket counts.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '../worker/tests/store.js';
import { envelope, storyEvents } from './documents.js';
import { machine, number } from './measure.js';

const PER_DOCUMENT = 10_000;
const ROUNDS = 200;
const total = Math.max(PER_DOCUMENT, Math.ceil(Number((process.argv[2] ?? '1000000').replaceAll(/[_,]/g, '')) / PER_DOCUMENT) * PER_DOCUMENT);
const folder = fileURLToPath(new URL('../.wrangler/bench', import.meta.url));

/** Forwards its requests, and says how many milliseconds the answer took. */
const CLOCK = `export default {
  async fetch(request, env) {
    const body = await request.arrayBuffer();
    const from = performance.now();
    const answer = await env.GATEWAY.fetch('http://gateway/mcp', { method: 'POST', headers: request.headers, body });
    const text = await answer.arrayBuffer();
    const to = performance.now();
    return new Response(text, { status: answer.status, headers: { 'x-milliseconds': String(to - from) } });
  },
};`;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const store = await open({ persistTo: folder, others: [{ name: 'clock', script: CLOCK }] });
const clock = await store.gateway.getWorker('clock');

/** One message to the door: what it answered, and how long it took inside workerd. */
async function ask(message) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${store.key}` };
  const answer = await clock.fetch('http://clock/', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) });
  const { result } = await answer.json();
  if (!result || result.isError) throw new Error(`refused: ${JSON.stringify(result ?? answer.status).slice(0, 500)}`);
  return { value: result.structuredContent, ms: Number(answer.headers.get('x-milliseconds')) };
}
const tool = (name, args) => ask({ method: 'tools/call', params: { name, arguments: args } });

const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
const eventsOf = (answer) => answer.epcisBody?.queryResults.resultsBody.eventList ?? [];

/** Captures one more document; events a second. */
async function capture(first) {
  const { value, ms } = await tool('capture', { document: envelope(storyEvents(PER_DOCUMENT, first)) });
  if (value.events.length !== PER_DOCUMENT || value.events.some((event) => event.duplicate)) throw new Error('every event should be new');
  return { rate: PER_DOCUMENT / (ms / 1000), names: value.events };
}

console.log(`## The store\n\n${machine()}; ${number(total, 0)} events of ${number(JSON.stringify(storyEvents(600)).length / 600, 0)} bytes.\n`);
const began = performance.now();
const rates = [];
let names;
for (let first = 0; first < total; first += PER_DOCUMENT) {
  const captured = await capture(first);
  rates.push(captured.rate);
  names = captured.names;
  if ((first / PER_DOCUMENT + 1) % 10 === 0) console.error(`${number(first + PER_DOCUMENT, 0)} events, ${number(captured.rate, 0)} events/s, ${number((performance.now() - began) / 1000, 0)} s`);
}
const last = [];
for (let round = 0; round < 5; round += 1) last.push((await capture(total + round * PER_DOCUMENT)).rate);
const row = (name, values, wanted) => {
  const sorted = values.toSorted((a, b) => a - b);
  const found = quantile(sorted, 0.5);
  console.log(`| ${name} | ${number(found, 0)} | ${found >= wanted ? 'reached' : 'MISSED'} (${number(wanted, 0)}) |`);
};
console.log('| capture of a document of 10,000 events | events/s, median | target |\n|---|---|---|');
row('into an empty store, the first 5', rates.slice(0, 5), 3000);
row(`behind ${number(total, 0)} events, 5 more`, last, 3000);
const stored = await store.database.prepare('SELECT count(*) AS n FROM events').first('n');
const bytes = readdirSync(join(folder, 'd1'), { recursive: true })
  .filter((file) => file.endsWith('.sqlite'))
  .reduce((sum, file) => sum + statSync(join(folder, 'd1', file)).size, 0);
console.log(`\n${number(stored, 0)} events take ${number(bytes / 2 ** 30, 2)} GiB of D1, ${number(bytes / stored, 0)} bytes an event.\n`);

/** An item of any box, as a stranger to the order of the store would ask for it. */
let turn = 0;
const someBox = () => (turn = (turn + 0.6180339887498949) % 1, Math.floor(turn * (total / 6 - 1)));
const someItem = () => {
  const box = someBox();
  return `https://id.gs1.org/01/${gtin14(`0952114${'1'}${String(box % 400).padStart(5, '0')}`)}/21/${Math.floor(box / 400) * 10 + 3}`;
};
function gtin14(thirteen) {
  const sum = [...thirteen].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 1 : 3), 0);
  return `${thirteen}${(10 - (sum % 10)) % 10}`;
}
const day = () => new Date(Date.UTC(2026, 0, 1) + Math.floor(someBox() * 6 * 20_000)).toISOString();

const dayOf = () => {
  const from = Date.parse(day());
  return { GE_eventTime: new Date(from).toISOString(), LT_eventTime: new Date(from + 86_400_000).toISOString() };
};

const questions = [
  ['ping, which asks no store', () => ask({ method: 'ping' }), 0],
  ['trace by one EPC', () => tool('trace', { epc: someItem() }), 3, 10],
  ['query by one EPC (MATCH_epc)', () => tool('query', { query: { MATCH_epc: someItem() } }), 1, 10],
  ['query by one EPC and business step', () => tool('query', { query: { MATCH_anyEPC: someItem(), EQ_bizStep: 'packing' } }), 1, 10],
  ['get_event by a content hash', () => tool('get_event', { eventID: names[Math.floor(turn * names.length)].contentHash }), 1],
  ['query from a time on, 30 events by time', () => tool('query', { query: { GE_eventTime: day(), orderBy: 'eventTime', orderDirection: 'ASC' } }), 30],
  ['trace by a pattern of one product, 30 events', () => tool('trace', { epc: `urn:epc:idpat:sgtin:9521141.0${String(someBox() % 400).padStart(5, '0')}.*` }), 30],
  ['trace by a pattern of a whole company, 30 events', () => tool('trace', { epc: 'urn:epc:idpat:sgtin:9521141.*.*' }), 30],
  ['query by a place where every hundredth event was, 30 events', () => tool('query', { query: { EQ_bizLocation: 'https://id.gs1.org/414/9521141000007' } }), 30],
  ['query of a day, in the order of capture, 30 events', () => tool('query', { query: dayOf() }), 30],
  ['query of everything, 30 events', () => tool('query', { query: {} }), 30],
];
console.log(`| question, ${ROUNDS} times | p50 ms | p95 ms | target |\n|---|---|---|---|`);
for (const [name, question, least, wanted] of questions) {
  const times = [];
  for (let round = 0; round < ROUNDS + 10; round += 1) {
    someBox();
    const { value, ms } = await question();
    if (eventsOf(value ?? {}).length < least) throw new Error(`${name}: ${eventsOf(value).length} events, at least ${least} expected`);
    if (round >= 10) times.push(ms);
  }
  times.sort((a, b) => a - b);
  const p50 = quantile(times, 0.5);
  const verdict = wanted === undefined ? '' : `${p50 < wanted ? 'reached' : 'MISSED'} (${wanted})`;
  console.log(`| ${name} | ${number(p50)} | ${number(quantile(times, 0.95))} | ${verdict} |`);
}
await store.dispose();
