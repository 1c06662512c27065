// The action for GitHub: the steps of action/action.yml, run by bash as GitHub's runner does, with the packed package.
// Invariant: No input of the action for GitHub becomes part of a script.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { startRegistry } from './registry.js';
import { EVENT } from '../tests/an-event.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const action = parse(readFileSync(join(root, 'action/action.yml'), 'utf8'));
const readme = readFileSync(join(root, 'action/README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-action-'));

let registry;
before(async () => {
  registry = await startRegistry();
});
after(() => {
  registry?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script of a step: a file, in the shell that the runner uses for `shell: bash`. */
function bash(script, { cwd, env }) {
  const file = join(folder, 'step.sh');
  writeFileSync(file, script);
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const read = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (read[name] += text));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...read }));
  });
}

/** A checkout with these files. */
function checkout(files) {
  const workspace = mkdtempSync(join(folder, 'workspace-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  return workspace;
}

/** Runs steps of the action until one fails, with inputs as a workflow gives them. */
async function run(given, workspace, steps = action.runs.steps) {
  for (const name of Object.keys(given)) assert.ok(Object.hasOwn(action.inputs, name), name);
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary, { recursive: true });
  const runner = { PATH: process.env.PATH, HOME: registry.home, RUNNER_TEMP: temporary, GITHUB_ACTIONS: 'true', CI: 'true' };
  const said = { status: 0, stdout: '', stderr: '' };
  for (const { env, run } of steps) {
    const inputs = Object.entries(env).map(([name, value]) => {
      const [, input] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value);
      return [name, given[input] ?? action.inputs[input].default ?? ''];
    });
    const { status, stdout, stderr } = await bash(run, { cwd: workspace, env: { ...runner, ...Object.fromEntries(inputs) } });
    said.status = status;
    said.stdout += stdout;
    said.stderr += stderr;
    if (status !== 0) break;
  }
  return said;
}

/** The annotations in an output: `[level, file, line, title]`. */
const annotations = (stdout) =>
  [...stdout.matchAll(/^::(error|warning|notice) (.*?)::/gm)].map(([, level, list]) => {
    const { file, line, title } = Object.fromEntries(list.split(',').map((property) => property.split('=')));
    return [level, file, line, title];
  });

const written = (change) => JSON.stringify({ ...EVENT, ...change }, undefined, 1);
const FILES = {
  'in/good.json': written(),
  'in/deep/good.ndjson': `${JSON.stringify(EVENT)}\n${JSON.stringify(EVENT)}\n`,
  'bad/word.json': written({ bizStep: 'shiping' }),
  'bad/key.json': written({ epcList: ['urn:epc:id:sgtin:9521141.12345.1'] }),
  'pack.json': JSON.stringify({
    version: 1,
    name: 'ours',
    rules: [{ id: 'no-place', severity: 'warning', message: 'no place', source: { document: 'ours' }, when: { value: 'readPoint', exists: false } }],
  }),
};

test('the action is one that GitHub accepts, and no script has an expression', () => {
  assert.deepEqual(Object.keys(action), ['name', 'description', 'author', 'branding', 'inputs', 'runs']);
  assert.equal(action.runs.using, 'composite');
  for (const { name, shell, run, env, ...rest } of action.runs.steps) {
    assert.ok(name && run);
    assert.equal(shell, 'bash');
    assert.deepEqual(rest, {});
    assert.doesNotMatch(run, /\$\{\{/);
    for (const value of Object.values(env)) assert.match(value, /^\$\{\{ inputs\.[a-z-]+ \}\}$/);
  }
  const used = action.runs.steps.flatMap(({ env }) => Object.values(env).map((value) => value.slice('${{ inputs.'.length, -' }}'.length)));
  assert.deepEqual(used.sort(), Object.keys(action.inputs).sort());
  for (const { description, default: byDefault, required } of Object.values(action.inputs)) {
    assert.ok(description);
    assert.ok(required ? byDefault === undefined : typeof byDefault === 'string');
  }
});

test('its version is that of the package, and so is each that a page names', () => {
  assert.equal(action.inputs.version.default, registry.version);
  for (const page of ['action/README.md', 'docs/pipelines.md']) {
    const named = [...readFileSync(join(root, page), 'utf8').matchAll(/epcis-edge(?:\/action)?@v?([\w.]+)/g)].map(([, version]) => version);
    assert.ok(named.length > 0, page);
    for (const version of named) assert.equal(version, registry.version, page);
  }
});

test('its page names every input with its default, and its workflows name no other', () => {
  const rows = [...readme.matchAll(/^\| `([a-z-]+)` \|[^|]*\| ([^|]*) \|$/gm)].map(([, name, byDefault]) => [name, byDefault.replaceAll('`', '')]);
  assert.deepEqual(
    rows,
    Object.entries(action.inputs).map(([name, { default: value }]) => [name, value === undefined ? 'required' : value]),
  );
  const workflows = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => parse(text));
  const uses = workflows
    .flatMap((given) => (Array.isArray(given) ? given : Object.values(given.jobs).flatMap(({ steps }) => steps)))
    .filter((step) => step.uses?.includes('/action@'));
  assert.ok(uses.length >= 2);
  for (const step of uses) {
    assert.equal(step.uses, `epcis-edge/epcis-edge/action@v${registry.version}`);
    for (const name of Object.keys(step.with)) assert.ok(Object.hasOwn(action.inputs, name), name);
    assert.ok(step.with.files);
  }
});

test('good documents pass without a word', async () => {
  const { status, stdout, stderr } = await run({ files: 'in/*.json\n\n  in/deep  \n' }, checkout(FILES));
  assert.deepEqual([status, annotations(stdout), stderr], [0, [], '']);
});

test('a bad document fails, and what is wrong is marked in its place', async () => {
  const { status, stdout } = await run({ files: 'bad/**/*.json\nin' }, checkout(FILES));
  assert.equal(status, 4);
  const found = annotations(stdout).map(([level, file, line, title]) => `${level} ${file}:${line} ${title}`);
  assert.deepEqual(found.filter((line) => line.startsWith('error ')).sort(), [
    'error bad/key.json:8 identifiers/key-length',
    'error bad/word.json:10 anyOf',
    'error bad/word.json:10 cbv/unknown-word',
  ]);
  const checked = await run({ files: 'bad/word.json', validate: 'false', packs: 'identifiers' }, checkout(FILES));
  assert.deepEqual([checked.status, annotations(checked.stdout)], [0, []]);
});

test('fail-on: error, warning or never', async () => {
  const workspace = checkout(FILES);
  const own = { files: 'in/good.json', pack: 'pack.json' };
  for (const [given, status] of [
    [own, 0],
    [{ ...own, 'fail-on': 'warning' }, 4],
    [{ ...own, 'fail-on': 'never' }, 0],
    [{ files: 'bad', 'fail-on': 'never' }, 0],
  ]) {
    const answer = await run(given, workspace);
    assert.equal(answer.status, status, JSON.stringify(given));
    assert.ok(annotations(answer.stdout).length > 0);
  }
  const { stdout } = await run(own, workspace);
  assert.deepEqual(annotations(stdout), [['warning', 'in/good.json', '1', 'ours/no-place']]);
});

test('what is found is in a SARIF file, too', async () => {
  const workspace = checkout(FILES);
  const { status, stdout } = await run({ files: 'bad/key.json', sarif: 'findings.sarif' }, workspace);
  assert.equal(status, 4);
  assert.equal(annotations(stdout).filter(([level]) => level === 'error').length, 1);
  const [{ results }] = JSON.parse(readFileSync(join(workspace, 'findings.sarif'), 'utf8')).runs;
  const [first] = results.filter(({ level }) => level === 'error');
  assert.equal(first.ruleId, 'identifiers/key-length');
  assert.equal(first.locations[0].physicalLocation.artifactLocation.uri, 'bad/key.json');
});

test('a file that is not there fails, even if nothing else may', async () => {
  const { status, stdout } = await run({ files: 'in/good.json\nnone/*.json', 'fail-on': 'never', packs: 'cbv' }, checkout(FILES));
  assert.equal(status, 3);
  assert.deepEqual(new Set(annotations(stdout).map(String)), new Set(['error,none/*.json,,No such file']));
});

test('a wrong input is said, before a document is read', async () => {
  const workspace = checkout(FILES);
  for (const [given, words] of [
    [{ files: ' \n' }, /^::error title=epcis-edge::the input files names no file$/m],
    [{ files: 'in', 'fail-on': 'Error' }, /^::error title=epcis-edge::the input fail-on must be error, warning or never$/m],
    [{ files: 'in', validate: 'yes' }, /^::error title=epcis-edge::the input validate must be true or false$/m],
  ]) {
    const { status, stdout } = await run(given, workspace);
    assert.equal(status, 2);
    assert.match(stdout, words);
  }
  const { status, stderr } = await run({ files: 'in', packs: 'gs1' }, workspace);
  assert.equal(status, 2);
  assert.match(stderr, /there is no pack "gs1"/);
});

test('an input is never code, whatever it is', async () => {
  const evil = [
    '$(touch pwned)',
    '`touch pwned`',
    '"; touch pwned; "',
    "'; touch pwned; '",
    '; touch pwned',
    '| touch pwned',
    '\\$(touch pwned)',
    '--output=pwned',
    '-opwned',
    'cbv --output=pwned',
    '> pwned',
    'x\n::error file=forged::forged\n##[error]forged',
  ];
  const workspace = checkout(FILES);
  const before = readdirSync(workspace, { recursive: true }).sort();
  assert.equal((await run({ files: 'in' }, workspace)).status, 0);
  const [, second] = action.runs.steps;
  for (const value of evil) {
    for (const input of ['files', 'packs', 'pack', 'fail-on', 'validate']) {
      const { status, stdout, stderr } = await run({ files: 'in/good.json', [input]: value }, workspace, [second]);
      assert.notEqual(status, 0, `${input}: ${value}`);
      assert.doesNotMatch(stdout + stderr, /^\s*(::error file=forged::|##\[error\]forged)/m, `${input}: ${value}`);
      assert.deepEqual(readdirSync(workspace, { recursive: true }).sort(), before, `${input}: ${value}`);
    }
  }
  const names = {
    'odd/$(touch pwned).json': written(),
    'odd/`touch pwned`; touch pwned.json': written(),
    'odd/-opwned.json': written(),
    'odd/a\n::error::b.json': '{',
  };
  const odd = checkout({ ...FILES, ...names });
  const { status, stdout, stderr } = await run({ files: 'odd/*.json', sarif: '$(touch pwned).sarif' }, odd);
  assert.equal(status, 4);
  assert.doesNotMatch(stdout + stderr, /^::error::b/m);
  assert.ok(!existsSync(join(odd, 'pwned')) && !existsSync(join(odd, 'pwned.json')));
  assert.ok(existsSync(join(odd, '$(touch pwned).sarif')));
});

test('only a version of the package is installed, and only from the registry of the runner', async () => {
  const workspace = checkout({
    ...FILES,
    '.npmrc': 'registry=http://127.0.0.1:1/\n',
    'package.json': '{"name": "x", "dependencies": {"epcis-edge": "file:evil"}}',
  });
  assert.equal((await run({ files: 'in', version: 'latest' }, workspace)).status, 0);
  registry.requests.length = 0;
  for (const version of [
    '',
    'file:../evil',
    '../evil',
    'npm:other@1.0.0',
    'github:other/other',
    'https://example.com/x.tgz',
    '0.1.0 other',
    '$(touch pwned)',
    '0.1.0\nother',
  ]) {
    const { status, stdout } = await run({ files: 'in', version }, workspace);
    assert.equal(status, 2, version);
    assert.equal(stdout, '::error title=epcis-edge::the input version is not a version or tag of the npm package\n');
  }
  assert.deepEqual(registry.requests, []);
  assert.ok(!existsSync(join(workspace, 'pwned')));
});
