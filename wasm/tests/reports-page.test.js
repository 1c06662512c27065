// docs/reports.md and docs/received.md: their commands answer as they show, their JavaScript runs, and what they say of the reports is so.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REPORTS } from '../js/engine/answers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = ['reports', 'received'].map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8')).join('\n');
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-reports-'));
after(() => rmSync(folder, { recursive: true }));

function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the commands answer as the page shows', () => {
  const blocks = [...page.matchAll(/```sh\n([^`]*)```(?:\n\n```text\n([^`]*)```)?/g)].flatMap(([, text, answer]) =>
    text
      .trim()
      .split('\n')
      .map((line) => ({ line, answer })),
  );
  const commands = blocks.filter(({ line }) => line.startsWith('npx epcis-edge '));
  assert.equal(commands.length, 8);
  const written = [];
  for (const { line, answer } of commands) {
    const args = line
      .replace('npx epcis-edge ', '')
      .replace(/ -o (\S+)/, (_, name) => {
        written.push(name);
        return ` -o ${folder}/${name}`;
      })
      .split(' ');
    const { status, stdout, stderr } = run([join(root, 'wasm/js/cli/cli.ts'), ...args]);
    assert.equal(status, 0, `${line}: ${stderr}`);
    if (answer !== undefined) assert.equal(stdout.replaceAll('\r\n', '\n'), answer);
    else assert.equal(stdout === '', line.includes(' -o '), line);
  }
  assert.deepEqual(readdirSync(folder).sort(), written.map((name) => name.replace('/', '')).sort());
  assert.ok(readdirSync(join(folder, 'tables')).includes('shipping.csv'));
  // The command for a gateway is tested with a gateway; here only its options.
  const [{ line }] = blocks.filter((block) => !commands.includes(block));
  assert.match(line, /^EPCIS_EDGE_KEY=\$KEY npx epcis-edge report recall --gateway http:\/\/127\.0\.0\.1:8787 --item \S+ -o recall\.xlsx$/);
});

test('the JavaScript runs', () => {
  const [, code] = /```js\n([^`]*)```/.exec(page);
  const files = ['recall.xlsx', 'recall.html', 'consignees.csv'];
  const moved = code.replaceAll(/writeFile\('([^']+)'/g, (_, name) => `writeFile(${JSON.stringify(join(folder, name))}`);
  assert.deepEqual(run(['--input-type=module', '-e', moved]), { status: 0, stdout: '', stderr: '' });
  const begins = files.map((name) => readFileSync(join(folder, name), 'latin1').slice(0, 9));
  assert.deepEqual(begins.slice(1), ['<!doctype', 'Consignee']);
  assert.equal(begins[0].slice(0, 4), 'PK\x03\x04');
});

test('every report is on the page', () => {
  const listed = [...page.matchAll(/^\| `([a-z0-9]+)` \| [^|]+ \|$/gm)].map(([, name]) => name);
  assert.deepEqual(listed, [...REPORTS, 'exceptions', 'verdict']);
});
