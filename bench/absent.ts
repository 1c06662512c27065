// Whether the work for an answer tells what is absent from what belongs to another account: processor time of the gateway and its
// database for a job and an event that nobody has, and for those of another account, in turn.
//
//     node bench/absent.ts
//
// Fails if they differ by more than a half and two milliseconds, three times. Needs Linux, which tells the processor time.
import { send } from '../worker/tests/gateway.js';
import { documentOf, event, open } from '../worker/tests/store.js';
import { machine, median, number, worked } from './measure.ts';

const ROUNDS = 5;
/** Requests measured at once, because Linux counts in steps of ten milliseconds. */
const CALLS = 20;

/** The processor time of the gateway and its database so far, in milliseconds. */
const work = () => Object.entries(worked()).reduce((sum, [name, seconds]) => (name === 'this process' ? sum : sum + seconds * 1000), 0);

const store = await open();
const other = await store.makeKey({ account: 'https://example.com/accounts/2' });
const ask = async (key: string, method: string, path: string, document?: object) => {
  const headers = { authorization: `Bearer ${key}`, ...(document ? { 'content-type': 'application/json' } : {}) };
  return await send(store.address, { method, path, headers }, document && Buffer.from(JSON.stringify(document)));
};
await ask(store.key, 'POST', '/capture', documentOf([event('urn:x:own')]));
const captured = await ask(other, 'POST', '/capture', documentOf([event('urn:x:1', { eventID: 'urn:uuid:theirs' })]));
const foreign = new URL(captured.headers.location ?? '', store.address).pathname;

async function measured(path: string) {
  const before = work();
  for (let call = 0; call < CALLS; call += 1) {
    const { status } = await ask(store.key, 'GET', path);
    if (status !== 404) throw new Error(`${path} was answered with ${status}`);
  }
  return (work() - before) / CALLS;
}

/** Two paths, or the times of both. */
type Pair<One> = readonly [others: One, absent: One];

async function compared(paths: Pair<string>): Promise<Pair<number>> {
  const works: Pair<number[]> = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) for (const [n, path] of paths.entries()) works[n]?.push(await measured(path));
  return [median(works[0]), median(works[1])];
}

const isNear = ([a, b]: Pair<number>) => Math.abs(a - b) < Math.max(2, a / 2);
console.log(`## What is absent, and what is another's\n\n${machine()}.\n\n| asked for | another's, ms | absent, ms | |\n|---|---|---|---|`);
let failures = 0;
const questions: readonly (readonly [name: string, paths: Pair<string>])[] = [
  ['a capture job', [foreign, foreign.replace(/.{8}$/, '00000000')]],
  ['an event', ['/events/urn:uuid:theirs', '/events/urn:uuid:nobodys']],
];
for (const [name, paths] of questions) {
  let found = await compared(paths);
  // A real difference shows each time.
  for (let again = 0; again < 2 && !isNear(found); again += 1) found = await compared(paths);
  if (!isNear(found)) failures += 1;
  console.log(`| ${name} | ${found.map((ms: number) => number(ms)).join(' | ')} | ${isNear(found) ? 'the same' : 'FAILED: they differ'} |`);
}
await store.dispose();
process.exit(failures > 0 ? 1 : 0);
