// Pages of answers over one account, over eight and over 64, from a store of all accounts and from an object for each, in real workerd.
//
//     node bench/pages.ts [--rounds 60] [--events 40]
//
// Both stores have the same events, `--events` of them in each of 64 accounts. Each round asks both one after the other, so that what slows
// the machine slows both. Reports the median time of a page of 30 events, and how many times that of D1 objects take.
import { parseArgs } from 'node:util';
import { countOf } from '../scripts/given.ts';
import { send } from '../worker/tests/gateway.js';
import { open } from '../worker/tests/store.js';
import { envelope, storyEvents } from './documents.ts';
import { machine, median, number } from './measure.ts';

const ACCOUNTS = 64;
const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '60' }, events: { type: 'string', default: '40' } } });
const rounds = countOf(options.rounds, '--rounds');
const events = countOf(options.events, '--events');

const accountOf = (n: number) => `https://example.com/accounts/pages-${n}`;
const sizes = [1, 8, ACCOUNTS];

/** A store with its events, and a key that reads so many accounts for each of the sizes. */
async function filled(name: string, settings: { readonly store?: string }) {
  const store = await open(settings);
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const key = await store.makeKey({ account: accountOf(n) });
    const { isRefused, value } = await store.call('capture', { document: envelope(storyEvents(events, n * events)) }, key);
    if (isRefused) throw new Error(`account ${n} was not filled: ${JSON.stringify(value)}`);
  }
  const readers: string[] = [];
  for (const size of sizes) {
    const readable = Array.from({ length: size }, (_, n) => accountOf(n));
    readers.push(await store.makeKey({ account: accountOf(0), readable }));
  }
  return { name, store, readers };
}

/** The paths asked: a page of all events, newest last, and one of an EPC's field. */
const PATHS = ['/events?perPage=30', '/events?perPage=30&EQ_bizStep=shipping', '/events?perPage=30&orderBy=eventTime&orderDirection=DESC'];

const stores = [await filled('D1', {}), await filled('objects', { store: 'objects' })];
console.log(`## Pages over accounts\n\n${machine()}; ${ACCOUNTS} accounts of ${events} events, ${rounds} rounds.\n`);
console.log(`| page | accounts | D1, ms | objects, ms | times |\n|---|---|---|---|---|`);
for (const path of PATHS) {
  for (const [at, size] of sizes.entries()) {
    const times: [number[], number[]] = [[], []];
    const answers = new Set();
    for (let round = -5; round < rounds; round += 1) {
      for (const [which, { store, readers }] of stores.entries()) {
        const from = performance.now();
        const answer = await send(store.address, { method: 'GET', path, headers: { authorization: `Bearer ${readers[at]}` } });
        const took = performance.now() - from;
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
        answers.add(JSON.parse(answer.body.toString()).epcisBody.queryResults.resultsBody.eventList.length);
        if (round >= 0) times[which]?.push(took);
      }
    }
    if (answers.size !== 1 || answers.has(0)) throw new Error(`${path} over ${size} accounts: pages of ${[...answers].join(' and ')} events`);
    const [d1, objects] = [median(times[0]), median(times[1])];
    console.log(`| ${path} | ${size} | ${number(d1)} | ${number(objects)} | ${number(objects / d1, 2)} |`);
  }
}
process.exit();
