// The hooks for pre-commit: their commands with the names of files, and pre-commit itself over the configurations of our pages.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { isOn } from '../../scripts/given.ts';
import { startRegistry } from './registry.js';
import { EVENT } from '../tests/an-event.js';

const PACKAGE = 'pre-commit==4.7.0';
const root = fileURLToPath(new URL('../../', import.meta.url));
const HOOKS = '.pre-commit-hooks.yaml';
const hooks = parse(readFileSync(join(root, HOOKS), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-pre-commit-'));

let registry;
before(async () => {
  registry = await startRegistry();
});
after(() => {
  registry?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program as it would run on the machine of a user, and returns its exit status and output. */
async function run(program, args, cwd, env = {}) {
  const user = { PATH: process.env.PATH, HOME: registry.home, GIT_CONFIG_NOSYSTEM: '1', ...env };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env: user, encoding: 'utf8', maxBuffer: 1 << 26 });
    return { status: 0, stdout, stderr };
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return { status: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

const written = (change) => JSON.stringify({ ...EVENT, ...change }, undefined, 1);
const WRONG_KEY = written({ epcList: ['urn:epc:id:sgtin:9521141.12345.1'] });

/** A folder with these files. */
function made(files) {
  const place = mkdtempSync(join(folder, 'made-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  return place;
}

/** A repository of git with these files, all of them committed. Returns its folder and the commit. */
async function repository(files) {
  const place = made(files);
  await run('git', ['init', '--quiet'], place);
  await run('git', ['add', '--all'], place);
  const author = ['-c', 'user.name=user', '-c', 'user.email=user@example.com'];
  assert.equal((await run('git', [...author, 'commit', '--quiet', '--no-verify', '--message', 'files'], place)).status, 0);
  return { place, commit: (await run('git', ['rev-parse', 'HEAD'], place)).stdout.trim() };
}

/** The configurations of pre-commit on our pages. */
const configurations = [...readFileSync(join(root, 'docs/pipelines.md'), 'utf8').matchAll(/```yaml\n(repos:\n[\s\S]*?)```/g)].map(
  ([, text]) => parse(text).repos,
);

test('each hook runs the version of this checkout', () => {
  assert.deepEqual(
    hooks.map(({ id }) => id),
    ['epcis-edge-validate', 'epcis-edge-check'],
  );
  for (const { entry, language, pass_filenames: passed = true } of hooks) {
    assert.deepEqual(entry.split(' ').slice(0, 3), ['npx', '--yes', `epcis-edge@${registry.version}`]);
    assert.deepEqual([language, passed], ['system', true]);
  }
  assert.equal(configurations.length, 2);
  for (const [{ repo, rev, hooks: configured }] of configurations) {
    if (repo === 'local') assert.deepEqual(configured[0].additional_dependencies, [`epcis-edge@${registry.version}`]);
    else assert.deepEqual([repo, rev], ['https://github.com/epcis-edge/epcis-edge', `v${registry.version}`]);
  }
});

test('documents are passed, and no path that would be an option', () => {
  for (const { files } of hooks) {
    for (const path of ['a.json', 'in/a.jsonld', 'in/-a.xml', 'a b/$(c).json']) assert.match(path, new RegExp(files));
    for (const path of ['-o.json', '--output=x.json', '-in/a.json', 'a.json.txt', 'README.md', 'json']) assert.doesNotMatch(path, new RegExp(files));
  }
});

test('the command of a hook takes names of files', async () => {
  const odd = 'in/$(touch pwned) `touch pwned`;.json';
  const place = made({ 'good.json': written(), 'key.json': WRONG_KEY, 'word.json': written({ bizStep: 'shiping' }), [odd]: written() });
  for (const { id, entry } of hooks) {
    const [program, ...args] = entry.split(' ');
    const good = await run(program, [...args, 'good.json', odd], place);
    assert.deepEqual([good.status, good.stdout], [0, ''], good.stderr);
    const bad = await run(program, [...args, 'good.json', 'key.json', 'word.json'], place);
    assert.equal(bad.status, 4);
    assert.doesNotMatch(bad.stdout, /good\.json/);
    assert.match(bad.stdout, /^ {2}word\.json:10:\d+ /m);
    // The schema says nothing of the length of a key.
    assert.equal(bad.stdout.includes('key.json:8:'), id === 'epcis-edge-check');
  }
  assert.ok(!readdirSync(place).includes('pwned'));
});

/** The path of pre-commit, in a separate environment. Without Python the test is skipped, unless EPCIS_EDGE_REQUIRE_PEERS is 1. */
async function preCommit(t) {
  const home = join(root, 'target/pre-commit');
  const ready = join(home, PACKAGE);
  const must = async (program, args) => {
    const { status, stderr } = await run(program, args, root, { HOME: process.env.HOME, ...process.env });
    if (status !== 0) throw new Error(stderr);
  };
  try {
    if (!existsSync(ready)) {
      await must('python3', ['-m', 'venv', '--clear', home]);
      await must(join(home, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE]);
      writeFileSync(ready, '');
    }
    return join(home, 'bin/pre-commit');
  } catch (error) {
    if (isOn('EPCIS_EDGE_REQUIRE_PEERS')) throw error;
    t.skip(`${PACKAGE} could not be installed: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}

const DOCUMENTS = { 'events/good.json': written(), 'events/sub/good.jsonld': written(), 'events/README.md': '# no document', 'package.json': '{}' };

test('pre-commit runs them, as our pages configure it', async (t) => {
  const program = await preCommit(t);
  if (!program) return;
  assert.equal((await run(program, ['validate-manifest', HOOKS], root)).status, 0);
  // pre-commit clones the repository, and uses nothing of it but the hooks.
  const ours = await repository({ [HOOKS]: readFileSync(join(root, HOOKS), 'utf8') });
  for (const repos of configurations) {
    const config = repos.map((repo) => (repo.repo === 'local' ? repo : { ...repo, repo: ours.place, rev: ours.commit }));
    const { place } = await repository({ ...DOCUMENTS, '.pre-commit-config.yaml': stringify({ repos: config }) });
    const env = { PRE_COMMIT_HOME: join(folder, 'pre-commit') };
    const good = await run(program, ['run', '--all-files'], place, env);
    assert.equal(good.status, 0, good.stdout + good.stderr);
    const ids = config.flatMap((repo) => repo.hooks.map(({ id }) => id));
    assert.equal(good.stdout.match(/\.Passed$/gm).length, ids.length, good.stdout);
    assert.doesNotMatch(good.stdout + good.stderr, /warning/i);

    writeFileSync(join(place, 'events/key.json'), WRONG_KEY);
    await run('git', ['add', '--all'], place);
    const bad = await run(program, ['run'], place, env);
    assert.equal(bad.status, 1, bad.stdout + bad.stderr);
    assert.match(bad.stdout, /^- hook id: epcis-edge-check\n- exit code: 4\n\n?events\/key\.json: 1 error\n/m);
    if (ids.includes('epcis-edge-validate')) assert.match(bad.stdout, /official schemas\.*Passed$/m);
  }
});
