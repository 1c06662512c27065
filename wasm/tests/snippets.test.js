// Every code block of every page: run here, run by the test that `snippets.js` names, or marked with the reason why it is not.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse as parseToml } from 'smol-toml';
import { transform } from 'esbuild';
import { parse as parseYaml } from 'yaml';
import { check } from '../js/check/node.ts';
import { elementsInFile } from '../js/cli/master-data.ts';
import { validate } from '../js/engine/node.ts';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { documentOf, event, open } from '../../worker/tests/store.js';
import { ELSEWHERE, blocksOf, pages, root } from './snippets.js';

const read = (file) => readFileSync(join(root, file), 'utf8');
const ofPage = Object.fromEntries(pages.map((page) => [page, blocksOf(page)]));
const elsewhere = Object.values(ELSEWHERE).flatMap((byPage) =>
  Object.entries(byPage).flatMap(([page, languages]) => languages.split(' ').map((one) => `${page} ${one}`)),
);
/** The blocks that are left to this file. */
const own = Object.values(ofPage)
  .flat()
  .filter(({ page, language, notRun }) => notRun === undefined && !elsewhere.includes(`${page} ${language}`));
const where = ({ page, line }) => `${page}:${line}`;

let folder;
let store;
let sent;
before(async () => {
  store = await open({ bindings: { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey } });
  const shipped = documentOf([{ ...event('urn:epc:id:sscc:9521141.1234567890'), bizStep: 'shipping' }]);
  for (const document of [JSON.parse(read('docs/recall.json')), shipped]) sent = (await store.ask('capture', { document })).events[0].eventID;
  mkdirSync(join(root, 'target'), { recursive: true });
  folder = mkdtempSync(join(root, 'target/snippets-'));
  for (const name of ['docs', 'tests', 'www', 'wasm']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, 'bin'));
  for (const name of PROGRAMS) {
    const found = spawnSync('bash', ['-c', `type -P ${name}`], { encoding: 'utf8' }).stdout.trim();
    if (found !== '') symlinkSync(found, join(folder, 'bin', name));
  }
  // What the pages suppose beside them.
  const [recall, xml, pack] = ['docs/recall.json', 'docs/profiles-dscsa.xml', 'docs/profiles-own-pack.json'];
  const files = { 'document.json': recall, 'report.xml': xml, 'ours.json': pack, 'in/a.json': recall, 'in/b/c.xml': xml, 'events/a.json': recall };
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, source), join(folder, name));
  }
  writeFileSync(join(folder, 'in/b/d.json'), JSON.stringify(shipped));
});
after(async () => {
  await store?.dispose();
  if (folder) rmSync(folder, { recursive: true });
});

/** All that a block may call: a page with another command needs a mark. */
const PROGRAMS = ['bash', 'cat', 'curl', 'jq', 'sed', 'tr'];
/** Found problems are an answer (4), and refusals of a gateway an error. */
const FUNCTIONS = `
  curl() { command curl --fail-with-body "$@"; }
  npx() { [ "$1" = epcis-edge ]; shift; local status=0; "$NODE" "$CLI" "$@" || status=$?; [ $status = 0 ] || [ $status = 4 ]; }
  make() { [ "$*" = build ]; } # it has been made
`;

/** Types the lines of a block into a shell. The gateway is in this process, which must not block. */
function typed(code) {
  const here = code
    .replaceAll(/http:\/\/127\.0\.0\.1:8787|https:\/\/epcis\.example\.com(?= )/g, store.address.origin)
    .replaceAll('ni:///sha-256;…?ver=CBV2.0', sent)
    .replaceAll('=…', '=$KEY');
  const env = { PATH: join(folder, 'bin'), KEY: store.key, NODE: process.execPath, CLI: join(root, 'wasm/js/cli/cli.ts') };
  const child = spawn(join(folder, 'bin/bash'), ['-euo', 'pipefail', '-c', `${FUNCTIONS}\n${here}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (out[name] += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...out })));
}

async function shell({ page, code, answer }, context) {
  if (/\bjq /.test(code) && !existsSync(join(folder, 'bin/jq'))) return context.skip('there is no jq');
  if (code.includes('epcis-edge prove ')) await proved();
  const { status, stdout, stderr } = await typed(code);
  assert.equal(status, 0, `${stdout}${stderr}`);
  if (answer !== undefined) assert.equal(stdout.replaceAll('\r\n', '\n'), answer);
  if (page === 'docs/agents.md') assert.doesNotMatch(stdout, /"isError":true/);
}

/** Waits until the log has the event, and keeps the keys of the log as what a reader trusts. */
async function proved() {
  for (let n = 0; ; n += 1) {
    const { value, isRefused } = await store.call('prove', { eventID: sent });
    if (!isRefused) return writeFileSync(join(folder, 'trusted.policy'), value.policy);
    assert.ok(n < 1500, JSON.stringify(value));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function json({ code }) {
  const value = JSON.parse(code);
  if (value.type?.endsWith('Event') || value.type === 'EPCISDocument') {
    const expected = code.includes('shiping') ? 1 : 0;
    assert.equal(validate(code).errors.length, expected);
  } else if (value.rules && value.version) check(read('docs/recall.json'), { pack: value });
}

/** The types of a program, as its reader's compiler has them; one in JavaScript as an editor has them. */
function types({ code, language }) {
  const file = `snippet.${language}`;
  writeFileSync(join(folder, file), code);
  const isStrict = language === 'ts';
  const compilerOptions = { allowJs: true, checkJs: true, strict: isStrict, exactOptionalPropertyTypes: isStrict };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../wasm/tests/tsconfig.dom.json', compilerOptions, files: [file] }));
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}

/** Whether `--master-data` takes each row. */
function csv({ code }) {
  const file = join(folder, 'snippet.csv');
  writeFileSync(file, code);
  assert.ok([...elementsInFile(file)].length > 1);
}

/** Whether Neovim can read it. */
function lua({ code }, context) {
  const file = join(folder, 'snippet.lua');
  writeFileSync(file, code);
  const { error, status, stderr } = spawnSync(process.env.NVIM ?? 'nvim', ['--headless', '--clean', '-c', `lua assert(loadfile('${file}'))`, '-c', 'quit'], {
    encoding: 'utf8',
  });
  if (error) return context.skip('there is no Neovim');
  assert.deepEqual([status, stderr], [0, '']);
}

const HERE = {
  sh: shell,
  json,
  lua,
  js: types,
  ts: types,
  yaml: ({ code }) => assert.ok(parseYaml(code)),
  toml: ({ code }) => assert.ok(parseToml(code)),
  csv,
  css: async ({ code }) => assert.deepEqual((await transform(code, { loader: 'css' })).warnings, []),
  ini: ({ code }) => {
    for (const line of code.trim().split('\n')) assert.match(line, /^$|^\[[A-Z]\w+\]$|^[A-Z]\w+=\S/);
  },
  // What a program prints: compared by the block before it, if that is run.
  text: () => {},
};

test('every block is run, or says why not', () => {
  for (const block of own) assert.ok(block.language in HERE, `${where(block)}: mark it with <!-- not run: why -->, or run it`);
  for (const { notRun, ...block } of Object.values(ofPage).flat()) assert.ok(notRun === undefined || notRun.length > 10, where(block));
});

test('the tests that are named run as many blocks as the pages have', () => {
  for (const [file, byPage] of Object.entries(ELSEWHERE)) {
    const code = read(file);
    for (const [page, languages] of Object.entries(byPage)) {
      const name = page.split('/').at(-1);
      assert.ok(code.includes(name) || code.includes(dirname(page)), `${file} does not read ${page}`);
      const wanted = languages.split(' ');
      const found = ofPage[page].filter(({ language, notRun }) => notRun === undefined && wanted.includes(language));
      assert.deepEqual(
        found.map(({ language }) => language),
        wanted,
        `${page}: does ${file} run its new block?`,
      );
    }
  }
});

for (const block of own.filter(({ language }) => language !== 'text'))
  test(`${where(block)}, ${block.language}`, (context) => HERE[block.language](block, context));

test('npx finds the program that make build makes', () => {
  const { status, stdout, error } = spawnSync(join(root, 'node_modules/.bin/epcis-edge'), ['--version'], { encoding: 'utf8' });
  assert.equal(error, undefined);
  assert.deepEqual([status, stdout.trim()], [0, JSON.parse(read('wasm/package.json')).version]);
});

test('what blocks call of this repository is there', () => {
  const targets = new Set([...read('Makefile').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name));
  const { scripts } = JSON.parse(read('package.json'));
  for (const block of Object.values(ofPage).flat()) {
    if (!['sh', 'ini'].includes(block.language)) continue;
    const called = (pattern) => [...block.code.matchAll(pattern)].map(([, name]) => name);
    for (const name of called(/^(?:\w+=\S+ )*make ([a-z-]+)/gm)) assert.ok(targets.has(name), `${where(block)}: make ${name}`);
    for (const name of called(/^npm run ([\w:]+)/gm)) assert.ok(name in scripts, `${where(block)}: npm run ${name}`);
    for (const name of called(/node (scripts\/[\w-]+\.ts)/g)) read(name);
  }
});
