// Sizes of a deployment and a first visit, and the time to the first answer of a freshly started Worker.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { send, start, vectorFile } from '../worker/tests/gateway.js';
import { machine, number, target } from './measure.js';

const file = (path) => readFileSync(new URL(`../${path}`, import.meta.url));
const kilobytes = (length) => number(length / 1000);
const row = (name, content, wanted) => {
  const gzip = gzipSync(content, { level: 9 }).length;
  console.log(
    `| ${name} | ${kilobytes(content.length)} | ${kilobytes(gzip)} | ${kilobytes(brotliCompressSync(content).length)} | ${wanted ? target(wanted, gzip / 1000).replace(/\(.*\)/, `(${wanted})`) : ''} |`,
  );
};

console.log(`## Size and start\n\n${machine()}.\n\n| file | kB | gzip kB | brotli kB | target, gzip |\n|---|---|---|---|---|`);
row('Worker, wasm and script', Buffer.concat([file('worker/build/index_bg.wasm'), file('worker/build/index.js')]));
row('browser wasm', file('wasm/dist/epcis_edge_bg.wasm'), 900);

const body = vectorFile('validate/valid-all-event-types/input.json');
const faulty = vectorFile('validate/cbv-word-misspelt/input.json');
const request = { method: 'POST', path: '/validate', headers: { 'content-type': 'application/json' } };
const rounds = [];
for (let round = 0; round < 5; round += 1) {
  const began = performance.now();
  const gateway = await start();
  const ready = performance.now();
  await send(gateway.address, { method: 'GET', path: '/pricing' });
  const first = performance.now();
  await send(gateway.address, request, body);
  const valid = performance.now();
  await send(gateway.address, request, faulty);
  const invalid = performance.now();
  await send(gateway.address, request, faulty);
  const again = performance.now();
  rounds.push([ready - began, first - ready, valid - first, invalid - valid, again - invalid]);
  await gateway.dispose();
}
const median = (index) => number(rounds.map((round) => round[index]).toSorted((a, b) => a - b)[2]);
console.log(`
| from | milliseconds, median of 5 |
|---|---|
| workerd started, Worker loaded and compiled | ${median(0)} |
| first answer (GET /pricing) | ${median(1)} |
| first verdict on a valid document | ${median(2)} |
| first verdict on an invalid document | ${median(3)} |
| the same again | ${median(4)} |
`);
