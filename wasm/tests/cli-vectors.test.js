// The command line on every vector file: it never crashes, and prints what the library returns.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as epcis from '../js/engine/node.ts';
import { files, outcome, read } from './vectors.js';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args]);
    const out = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (text) => (out[stream] += text));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...out }));
  });
}

const lines = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** All vector files, by folder. */
const folders = Map.groupBy(files('.json', '.xml'), dirname);

/** How each command is called, and what it must print for a file. */
const COMMANDS = {
  validate: { args: [], ask: (bytes) => epcis.validate(bytes), isBad: ({ valid }) => !valid },
  hash: { args: ['--prehash', '--profile', 'CBV2.1'], ask: (bytes) => both(epcis.preHash(bytes, { profile: 'CBV2.1' })), isBad: () => false },
  verify: { args: [], ask: (bytes) => ({ events: epcis.verify(bytes) }), isBad: ({ events }) => events.some(({ result }) => result === 'matches-none') },
  translate: { args: ['--strict'], ask: translated, isBad: ({ fidelityReport }) => !fidelityReport.roundTripClean },
  'to-xml': { args: ['--strict', '--xml-version', '1.2'], ask: (bytes) => epcis.toXml(bytes, { version: '1.2' }), isBad: ({ report }) => !report.clean },
};
// As on the command line: a number keeps its digits until it is parsed.
function translated(bytes) {
  const { document, ...rest } = epcis.translate(bytes, { as: 'text' });
  return { document: JSON.parse(document), ...rest };
}
const both = (events) => ({ profile: 'CBV2.1', hashes: events.map(({ hash }) => hash), preHashStrings: events.map(({ preHash }) => preHash) });

for (const [name, { args, ask, isBad }] of Object.entries(COMMANDS)) {
  test(`${name} on every folder of the vectors`, async () => {
    let answered = 0;
    let refused = 0;
    // Folders with one small case each are combined in one call.
    const groups = Object.values(Object.groupBy([...folders.keys()], (folder) => dirname(folder))).map((group) =>
      group.flatMap((folder) => folders.get(folder)),
    );
    for (const group of groups) {
      const { status, stdout, stderr } = await run([name, '--json', ...args, ...group]);
      const answers = new Map(lines(stdout).map(({ file, ...answer }) => [file, answer]));
      const problems = new Map(lines(stderr).map(({ file, ...problem }) => [file, problem]));
      let worst = 0;
      for (const file of group) {
        const expected = outcome(() => ask(read(file)));
        if (expected.problem) {
          assert.deepEqual(problems.get(file), expected.problem, file);
          assert.ok(!answers.has(file), file);
          refused += 1;
          worst = 4;
        } else {
          assert.deepEqual(answers.get(file), expected.answer, file);
          assert.ok(!problems.has(file), file);
          answered += 1;
          if (isBad(expected.answer)) worst = 4;
        }
      }
      assert.equal(status, worst, basename(dirname(group[0])));
      assert.equal(answers.size + problems.size, group.length);
    }
    // `validate` has a verdict on everything that is JSON or XML.
    assert.ok(answered >= 10 && (name === 'validate' || refused >= 10), `${answered} answered, ${refused} refused`);
  });
}
