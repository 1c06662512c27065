// Runs every example of the documentation: those of the declarations and those of the pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as main from 'epcis-edge';
import * as build from 'epcis-edge/build';
import * as cbv from 'epcis-edge/cbv';
import * as checks from 'epcis-edge/check';
import * as client from 'epcis-edge/client';
import * as following from 'epcis-edge/follow';
import * as proofs from 'epcis-edge/proof';
import * as reports from 'epcis-edge/report';
import * as workbooks from 'epcis-edge/xlsx';
import { open } from '../../worker/tests/store.js';
import { blocksOf } from './snippets.js';

const AsyncFunction = (async () => {}).constructor;
const entries = {
  '': main,
  '/build': build,
  '/cbv': cbv,
  '/check': checks,
  '/client': client,
  '/follow': following,
  '/proof': proofs,
  '/report': reports,
  '/xlsx': workbooks,
};
/** Functions that are shown in the example of another function. */
const KIN = [
  'sscc',
  'gln',
  'partyGln',
  'grai',
  'giai',
  'gdti',
  'cpi',
  'gsrn',
  'gsrnp',
  'ginc',
  'gsin',
  'sgcn',
  'withCheckDigit',
  ...Object.keys(main).filter((name) => /^is[A-Z]/.test(name)),
];
const declarations = ['engine', 'build', 'cbv', 'check', 'client', 'follow', 'proof', 'report', 'xlsx']
  .map((name) => readFileSync(new URL(`../js/${name}/index.ts`, import.meta.url), 'utf8'))
  .join('\n');

/** Runs an example. `epcis-edge` is the package, `assert` is Node's, `given` has any other variables that the example uses. */
async function run(code, given = {}) {
  const imports = [...code.matchAll(/^import \{ (.*) \} from 'epcis-edge(|\/[a-z]+)';$/gm)];
  assert.ok(imports.length > 0, code);
  const body = code.replace(/^import .*$/gm, '');
  const bound = imports.map(([, names, entry]) => `const { ${names} } = entries[${JSON.stringify(entry)}];`).join('\n');
  await new AsyncFunction('assert', 'entries', ...Object.keys(given), `{${bound}\n${body}}`)(assert, entries, ...Object.values(given));
}

/** Each documented declaration with the examples of its comment. */
const documented = [...declarations.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n\s*(?:export (?:declare )?function |)(\w+)(?:<[^(]*>)?\(/g)].map(
  ([, comment, name]) => ({
    name,
    examples: [...comment.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code.replace(/^ *\* ?/gm, '')),
  }),
);

test('every function has an example', () => {
  const functions = Object.values(entries)
    .flatMap((entry) => Object.entries(entry))
    .filter(([name]) => !/^[A-Z]/.test(name) && !KIN.includes(name))
    .flatMap(([name, value]) => (typeof value === 'function' ? [name] : name === 'identifiers' ? Object.keys(value) : []));
  const shown = documented.filter(({ name, examples }) => examples.length > 0 && !KIN.includes(name));
  // Two entries export `checkDigit`.
  assert.deepEqual([...new Set(shown.map(({ name }) => name))].sort(), [...new Set(functions)].sort());
});

for (const { name, examples } of documented) {
  for (const example of examples) {
    test(`the example of ${name}`, async () => {
      assert.match(example, /assert/, 'an example shows what comes out');
      await run(example);
    });
  }
}

test('the examples of the pages, against the Worker in workerd', async () => {
  const vector = (path) => new URL(`../../tests/vectors/${path}`, import.meta.url);
  const files = {
    'document.json': 'validate/cbv-word-misspelt/input.json',
    'document.xml': 'translate/extensions-lossy/input.xml',
    ...Object.fromEntries(['event.json', 'event.tlog-proof', 'trusted.policy'].map((name) => [name, `log/${name}`])),
  };
  const gateway = await open();
  const printed = [];
  const given = {
    readFile: async (name, encoding) => readFileSync(vector(files[name]), encoding),
    createReadStream: (name) => readFileSync(vector(files[name])),
    Readable: { toWeb: (bytes) => new Blob([bytes]).stream() },
    console: { log: (...values) => printed.push(...values) },
    bytes: readFileSync(vector(files['document.json'])),
    xml: readFileSync(vector(files['document.xml'])),
    url: new URL('/epcis', gateway.address).href,
    token: gateway.key,
    document: JSON.parse(readFileSync(new URL('../../docs/recall.json', import.meta.url))),
  };
  try {
    const blocks = ['wasm/README.md', 'README.md', 'docs/follow.md'].flatMap(blocksOf).filter(({ language }) => language === 'js');
    for (const { code: block } of blocks) await run(block.replace(/^import .* from 'node:.*$/gm, ''), given);
    assert.ok(
      printed.some((value) => /^ni:/.test(value)),
      'the event that was captured is found',
    );
  } finally {
    await gateway.dispose();
  }
});
