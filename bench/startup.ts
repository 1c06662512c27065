// The time to the first answer of a freshly started Worker.
import { send, start, vectorFile } from '../worker/tests/gateway.js';
import { machine, median, number } from './measure.ts';

console.log(`## Start\n\n${machine()}.\n`);
const body = vectorFile('validate/valid-all-event-types/input.json');
const faulty = vectorFile('validate/cbv-word-misspelt/input.json');
const request = { method: 'POST', path: '/validate', headers: { 'content-type': 'application/json' } };
const rounds: number[][] = [];
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
const middle = (index: number) => number(median(rounds.map((round) => round[index] ?? NaN)));
console.log(`
| from | milliseconds, median of 5 |
|---|---|
| workerd started, Worker loaded and compiled | ${middle(0)} |
| first answer (GET /pricing) | ${middle(1)} |
| first verdict on a valid document | ${middle(2)} |
| first verdict on an invalid document | ${middle(3)} |
| the same again | ${middle(4)} |
`);
