// Invalid documents of 10 MB that are made to cost much: milliseconds to the verdict, and the memory of the process after it.
import { validate } from '../wasm/js/node.js';
import { number } from './measure.js';

const head = '{"@context":[],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":[';
const event = '"type":"ObjectEvent","eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00","action":"ADD"';
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join(',');
const documents = {
  'five million numbers as events': () => many(5_000_000, () => '1'),
  'three million events without type': () => many(3_000_000, () => '{}'),
  'one event with 600,000 faulty EPCs': () => `{${event},"epcList":[${many(600_000, (index) => `"no uri ${index}"`)}]}`,
  'one event with 600,000 faulty names': () => `{${event},"epcList":[],${many(600_000, (index) => `"n${index}":1`)}}`,
};

console.log('| document | milliseconds | MB in use after it |\n|---|---|---|');
for (const [name, events] of Object.entries(documents)) {
  const bytes = new TextEncoder().encode(`${head}${events()}]}}`);
  const began = performance.now();
  if (validate(bytes).valid) throw new Error('the document must not be valid');
  console.log(`| ${name} | ${number(performance.now() - began, 0)} | ${number(process.memoryUsage().rss / 1e6, 0)} |`);
}
