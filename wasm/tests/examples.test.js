// Every example of the documentation runs: those of the declarations, and those of the README.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as main from 'epcis-edge';
import * as checks from 'epcis-edge/check';
import * as proofs from 'epcis-edge/proof';

const AsyncFunction = (async () => {}).constructor;
// Each entry with an engine of its own has an `init`: the examples are those of the first one.
const epcis = { ...proofs, ...main, ...checks };
const declarations = ['index', 'checks', 'proof'].map((name) => readFileSync(new URL(`../js/${name}.d.ts`, import.meta.url), 'utf8')).join('\n');
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Runs an example: `epcis-edge` is the package, `assert` that of Node, `given` whatever else its reader has. */
async function run(code, given = {}) {
  const names = [...code.matchAll(/^import \{ (.*) \} from 'epcis-edge(?:\/(?:check|proof))?';$/gm)].map(([, list]) => list);
  assert.equal(names.length, 1, code);
  const body = code.replace(/^import .*$/gm, '');
  await new AsyncFunction('assert', 'epcis', ...Object.keys(given), `const { ${names[0]} } = epcis;\n${body}`)(assert, epcis, ...Object.values(given));
}

/** Comments with the declaration that each stands before. */
const documented = [...declarations.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n\s*(?:export function |)(\w+)\(/g)].map(([, comment, name]) => ({
  name,
  examples: [...comment.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code.replace(/^ *\* ?/gm, '')),
}));

test('every function has an example', () => {
  const functions = Object.entries(epcis)
    .filter(([name]) => name !== 'EpcisError')
    .flatMap(([name, value]) => (typeof value === 'function' ? [name] : Object.keys(value)));
  assert.deepEqual(
    documented
      .filter(({ examples }) => examples.length > 0)
      .map(({ name }) => name)
      .sort(),
    functions.sort(),
  );
});

for (const { name, examples } of documented) {
  for (const example of examples) {
    test(`the example of ${name}`, async () => {
      assert.match(example, /assert/, 'an example shows what comes out');
      await run(example);
    });
  }
}

const blocks = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);

test('the examples of the README', async () => {
  assert.ok(blocks.length >= 3);
  const vector = (path) => new URL(`../../tests/vectors/${path}`, import.meta.url);
  const files = {
    'document.json': 'validate/cbv-word-misspelt/input.json',
    'document.xml': 'translate/extensions-lossy/input.xml',
    ...Object.fromEntries(['event.json', 'event.tlog-proof', 'trusted.policy'].map((name) => [name, `log/${name}`])),
  };
  const given = {
    readFile: async (name, encoding) => readFileSync(vector(files[name]), encoding),
    createReadStream: (name) => readFileSync(vector(files[name])),
    Readable: { toWeb: (bytes) => new Blob([bytes]).stream() },
    console: { log() {} },
  };
  for (const block of blocks) await run(block.replace(/^import .* from 'node:.*$/gm, ''), given);
});
