// The server over SQLite by itself: its start, large documents, calculators, memory. Captures of one event are in captures.ts.
//
//     cargo build --profile server -p epcis-edge-server --locked
//     EPCIS_EDGE_SERVER=target/server/epcis-edge-server node bench/server.ts [--seconds 5]
//
// Reports rates, the processor time of the server for each request, and its memory: resident, at its highest.
import http from 'node:http';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countOf } from '../scripts/given.ts';
import { open } from '../worker/tests/store.js';
import { envelope, storyEvents } from './documents.ts';
import { machine, number, worked } from './measure.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const seconds = countOf(options.seconds, '--seconds');
const IN_FLIGHT = 64;
process.env.EPCIS_EDGE_STORE = 'server';

const begun = performance.now();
const store = await open();
const started = performance.now() - begun;
const memory = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${store.process.pid}/status`, 'utf8'))?.[1]) / 1024;
const spent = () => Object.entries(worked()).reduce((sum, [name, time]) => sum + (name.startsWith('epcis-edge') ? time : 0), 0);

function post(agent: http.Agent, path: string, body: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${store.key}`, 'content-length': body.length, 'content-type': 'application/json' };
  const { hostname, port } = store.address;
  return new Promise<void>((resolve, reject) => {
    const request = http.request({ hostname, port, path, method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => ((response.statusCode ?? 500) < 300 ? resolve() : reject(new Error(`${path} answered ${response.statusCode}`))));
    });
    request.on('error', reject).end(body);
  });
}

/** Sends bodies for some seconds. Returns requests a second and the server's milliseconds for each. */
async function measured(path: string, inFlight: number, bodyOf: () => Buffer) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight });
  const [from, before] = [performance.now(), spent()];
  let count = 0;
  const send = async () => {
    while (performance.now() < from + seconds * 1000) {
      await post(agent, path, bodyOf());
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
  const took = (performance.now() - from) / 1000;
  agent.destroy();
  return { rate: count / took, each: ((spent() - before) / count) * 1000 };
}

let made = 0;
const documentOf = (count: number) => {
  const body = Buffer.from(JSON.stringify(envelope(storyEvents(count, (made += count)))));
  return body;
};

console.log(`## The server over SQLite\n\n${machine()}; ${seconds} s each.\n`);
console.log(`From the start of the program to its first answer, a key made: ${number(started, 0)} ms. At rest: ${number(memory('VmRSS'))} MB.\n`);
console.log('| | in flight | a second | processor each, ms | resident, MB |\n|---|---|---|---|---|');
const row = (what: string, inFlight: number, rate: number, each: number) =>
  console.log(`| ${what} | ${inFlight} | ${number(rate, 0)} | ${number(each, 2)} | ${number(memory('VmHWM'))} |`);
const one = documentOf(1);
for (const path of ['/validate', '/hash']) {
  const { rate, each } = await measured(path, IN_FLIGHT, () => one);
  row(`${path}, one event`, IN_FLIGHT, rate, each);
}
for (const inFlight of [1, 2]) {
  const bodies = Array.from({ length: 12 }, () => documentOf(10_000));
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight });
  const [from, before] = [performance.now(), spent()];
  const send = async () => {
    for (let body = bodies.pop(); body; body = bodies.pop()) await post(agent, '/capture', body);
  };
  await Promise.all(Array.from({ length: inFlight }, send));
  const took = (performance.now() - from) / 1000;
  agent.destroy();
  row('documents of 10,000 events: events', inFlight, 120_000 / took, ((spent() - before) / 120_000) * 1000);
}
const captures = await measured('/capture', IN_FLIGHT, () => documentOf(1));
row('captures of one event', IN_FLIGHT, captures.rate, captures.each);
await setTimeout(2000);
await store.dispose();
process.exit();
