// Valid and nearly valid documents in Node, from bytes: this package, JSON.parse alone, and JSON.parse with ajv standalone code.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from '../wasm/js/engine/node.ts';
import { bytes, envelope, mixedEvents } from './documents.ts';
import { compare, machine, number, target } from './measure.ts';

const require = createRequire(import.meta.url);
const Ajv = require('ajv');
const addFormats = require('ajv-formats');
const standalone = require('ajv/dist/standalone').default;

/** The embedded schema compiled to code by ajv, as a JavaScript user would do ahead of time. */
function ajvOfSchema() {
  const text = readFileSync(new URL('../target/epcis-json-schema.json', import.meta.url), 'utf8');
  const ajv = new Ajv({ allErrors: true, strict: false, code: { source: true } });
  addFormats(ajv);
  const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-'));
  const file = join(folder, 'validate.cjs');
  writeFileSync(
    file,
    standalone(ajv, ajv.compile(JSON.parse(text))).replaceAll('require("ajv', `require("${new URL('../node_modules/ajv', import.meta.url).pathname}`),
  );
  const compiled = require(file);
  rmSync(folder, { recursive: true });
  return compiled;
}

const check = ajvOfSchema();
const decoder = new TextDecoder();
type Found = Readonly<Record<'parse' | 'ours', { readonly ratio: number }>>;
const row = (name: string, found: Found, wanted: number) =>
  console.log(
    `| ${name} | ${number(found.parse.ratio)} | 1 | ${number(found.ours.ratio)} | ${target(found.ours.ratio, wanted)} | ${target(found.ours.ratio / found.parse.ratio, 1)} |`,
  );

console.log(`## Validate, in wasm\n\n${machine()}; how many times faster than JSON.parse with ajv standalone code, from bytes.\n`);
console.log('| document | JSON.parse alone | with ajv | epcis-edge | target | faster than JSON.parse |\n|---|---|---|---|---|---|');
for (const [count, ...targets] of [
  [1, 6, 6],
  [100, 12, 10],
  [10_000, 12, 10],
] as const) {
  for (const indent of [undefined, 2]) {
    const wanted = targets[indent ? 1 : 0];
    const text = bytes(envelope(mixedEvents(count)), indent);
    if (!validate(text).valid || !check(JSON.parse(decoder.decode(text)))) throw new Error('the document must be valid');
    const found = compare(
      { baseline: () => check(JSON.parse(decoder.decode(text))), parse: () => JSON.parse(decoder.decode(text)), ours: () => validate(text) },
      { rounds: count > 1000 ? 7 : 15 },
    );
    row(`${count} events, ${indent ? 'indented' : 'minified'}, ${number(text.length / 1000)} kB`, found, wanted);
  }
}
const compareFaulty = (name: string, events: readonly object[], errors: number, wanted: number) => {
  const text = bytes(envelope(events));
  if (validate(text).errors.length !== errors) throw new Error(`${errors} errors expected`);
  const contenders = { baseline: () => check(JSON.parse(decoder.decode(text))), parse: () => JSON.parse(decoder.decode(text)), ours: () => validate(text) };
  row(name, compare(contenders, { rounds: 7 }), wanted);
};
const events = mixedEvents(10_000);
events[5000]!.bizStep = 'shiping';
compareFaulty('10,000 events, one with a misspelt bizStep', events, 1, 10);
for (const event of events) event.bizStep = 'shiping';
compareFaulty('10,000 events, each with a misspelt bizStep', events, 1000, 5);
