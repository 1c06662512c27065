// For any contexts of an event, a JSON-LD reader finds each of the gateway's stamps exactly once in the stored event, as the
// gateway wrote it. The reader is the `jsonld` package. `EPCIS_EDGE_CONTEXTS` sets the number of events, 3000 by default.
// Invariant: A stored event states once who captured it and when, to JSON-LD readers too, and they can expand all of it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { countIn } from '../../scripts/given.ts';
import jsonld from 'jsonld';
import { generate, systematic } from './generate.js';
import { OFFICIAL } from './official.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EVENTS = countIn('EPCIS_EDGE_CONTEXTS', 3000);
/** What `recordTime` expands to in the editions of the official context. A stored event has one of them, once. */
const RECORD_TIMES = ['https://ref.gs1.org/epcis/recordTime', 'https://gs1.github.io/EPCIS/recordTime'];
const NAMESPACES = ['https://epcis.example.com/ns/spine/', 'urn:epcis-edge:local:spine:'];

/** Captures documents with the code of the gateway. Returns the stored events or the refusal of each. */
function capture(documents, namespace) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const args = ['run', '--quiet', '--profile', 'once', '--locked', '-p', 'epcis-edge-tests', '--example', 'capture', '--', namespace];
  const child = execFile('cargo', args, { cwd: ROOT, maxBuffer: 1 << 29 }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  child.stdin.end(documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  return promise.then((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

const documentLoader = async (documentUrl) => {
  const document = OFFICIAL.get(documentUrl);
  if (!document) throw new Error(`there is no context at ${documentUrl}`);
  return { documentUrl, document };
};

/** Every value of a property at any depth, those of the outermost node first. */
function valuesOf(expanded, property) {
  const found = [];
  const look = (value) => {
    if (value === null || typeof value !== 'object') return;
    if (!Array.isArray(value) && Object.hasOwn(value, property)) found.push(...[value[property]].flat());
    Object.values(value).forEach(look);
  };
  look(expanded);
  return found.map((value) => value['@value'] ?? value);
}

/** The faults of a stored event, as a JSON-LD reader sees it. */
async function faults(stored, namespace) {
  let expanded;
  try {
    // The base address is below the namespace, so relative references would lead into the namespace.
    expanded = await jsonld.expand(stored, { documentLoader, base: `${namespace}x` });
  } catch (error) {
    return [`no JSON-LD: ${error.message} ${error.details?.code ?? error.cause?.message ?? ''} ${error.details?.term ?? ''}`];
  }
  if (expanded.length !== 1) return [`${expanded.length} nodes`];
  const expected = [
    [[`${namespace}who`], 'urn:the-observer'],
    [[`${namespace}capturedBy`], 'urn:the-account'],
    [RECORD_TIMES, '2026-02-01T00:00:00.000Z'],
  ];
  return expected.flatMap(([properties, value]) => {
    const own = properties.flatMap((property) => [expanded[0][property] ?? []].flat().map((found) => found['@value']));
    const all = properties.flatMap((property) => valuesOf(expanded, property));
    const isRight = own.length === 1 && own[0] === value && all.length === 1;
    return isRight ? [] : [`${properties}: ${JSON.stringify(own)} on the event, ${JSON.stringify(all)} in all`];
  });
}

for (const namespace of NAMESPACES) {
  test(`random contexts leave the stamps in ${namespace} alone`, async () => {
    const seeds = Array.from({ length: EVENTS }, (_, at) => at + 1);
    const documents = seeds.map((seed) => generate(seed, namespace));
    const answers = await capture(documents, namespace);
    assert.equal(answers.length, documents.length);
    const wrong = [];
    let stored = 0;
    let stripped = 0;
    for (const [at, answer] of answers.entries()) {
      for (const event of answer.stored ?? []) {
        stored += 1;
        stripped += answer.stripped.flat().length > 0;
        for (const fault of await faults(event, namespace)) wrong.push(`seed ${seeds[at]}: ${fault}\n${JSON.stringify(event)}`);
      }
    }
    assert.equal(wrong.length, 0, `${wrong.length} wrong\n${wrong.slice(0, 5).join('\n')}`);
    // The test would be meaningless if too few events were stored.
    assert.ok(stored > EVENTS / 10 && stripped > stored / 5, `${stored} of ${EVENTS} stored, ${stripped} of them stripped`);
  });
}

test('what a reader cannot expand is not stored', async () => {
  const [namespace] = NAMESPACES;
  const documents = systematic();
  const answers = await capture(documents, namespace);
  assert.equal(answers.length, documents.length);
  const wrong = [];
  let stored = 0;
  for (const [at, answer] of answers.entries()) {
    for (const event of answer.stored ?? []) {
      stored += 1;
      for (const fault of await faults(event, namespace)) wrong.push(`${fault}\n${JSON.stringify(documents[at])}`);
    }
    // Refusals name the place.
    const judged = (answer.refused?.errors ?? []).filter(({ keyword }) => keyword === '@context' || keyword === 'jsonLd');
    for (const error of judged) assert.ok(error.path.startsWith('/'), JSON.stringify([error, documents[at]]));
  }
  assert.equal(wrong.length, 0, `${wrong.length} wrong\n${wrong.slice(0, 20).join('\n')}`);
  assert.ok(stored > documents.length / 20, `${stored} of ${documents.length} stored`);
});

test('what the vectors store says who and when', async () => {
  const [namespace] = NAMESPACES;
  const folder = new URL('../vectors/capture/', import.meta.url);
  const names = readdirSync(folder).sort();
  const documents = names.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')).document);
  const answers = await capture(documents, namespace);
  for (const [at, answer] of answers.entries()) {
    for (const event of answer.stored ?? []) assert.deepEqual(await faults(event, namespace), [], names[at]);
  }
});
