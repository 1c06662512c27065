// Every snippet of docs/javascript, in the packed package: the named files of a page are written and its commands are run. Tools
// that must be installed first (webpack, jest, Next.js, Deno, Bun) are tested only if EPCIS_EDGE_GUIDES is 1.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import epcis2 from 'epcis2.js';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';
import { chromium } from 'playwright-core';
import { isOn } from '../../scripts/given.ts';
import { hash, validate, verify } from '../js/engine/node.ts';
import { open } from '../../worker/tests/store.js';
import { bin, makeProject } from './project.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = readdirSync(join(root, 'docs/javascript')).sort();
const withTools = isOn('EPCIS_EDGE_GUIDES') ? {} : { skip: 'EPCIS_EDGE_GUIDES is not 1' };
const EVENT_ID = /^true ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/;

let project;
let store;
let browser;
before(async () => {
  project = makeProject();
  store = await open();
});
after(async () => {
  await browser?.close();
  await store?.dispose();
  project?.remove();
});

/** The files named on a page, each before its code block, and its commands in order. */
function parts(page) {
  const text = readFileSync(join(root, 'docs/javascript', page), 'utf8');
  const fences = [...text.matchAll(/(?:`([\w./-]+\.\w+)`:\n\n)?```(\w+)\n([\s\S]*?)```/g)];
  return {
    files: Object.fromEntries(fences.filter(([, name]) => name !== undefined).map(([, name, , code]) => [name, code])),
    commands: fences.filter(([, , language]) => language === 'sh').flatMap(([, , , code]) => code.trim().split('\n')),
    unnamed: fences.filter(([, name, language]) => name === undefined && !['sh', 'text'].includes(language)),
    text: fences.filter(([, , language]) => language === 'text').map(([, , , code]) => code),
  };
}

/** A folder with the files of a page, next to the installed package. */
function folderOf(page, given = {}) {
  const folder = join(project.folder, page.replace('.md', ''));
  const { files, ...rest } = parts(page);
  for (const [name, code] of Object.entries({ 'package.json': '{"type": "module"}', ...files, ...given })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  return { folder, ...rest };
}

const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true', NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' };

/** Runs the commands of a page with the tools of this repository, or with those in `tools`. */
function runAll(commands, folder, tools = join(root, 'node_modules/.bin')) {
  return commands.map((command) => {
    const [program, ...args] = command.split(' ');
    if (program === 'npm') return project.run('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    if (program === 'node') {
      const own = args.map((arg) => arg.replace(/^node_modules/, join(project.folder, 'node_modules')));
      return project.run(process.execPath, own, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    }
    if (program === 'cp') return execFileSync('cp', [args[0].replace(/^node_modules/, join(project.folder, 'node_modules')), args[1]], { cwd: folder });
    assert.equal(program, 'npx', command);
    return project.run(join(tools, args[0]), args.slice(1), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  });
}

/** The text of the page's `output` in Chromium. Requests to other servers are errors. */
async function shownAt(origin, path = '/index.html') {
  browser ??= await chromium.launch({
    executablePath: execFileSync(join(root, 'scripts/chromium.sh'), { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const tab = await browser.newPage();
  const wrong = [];
  tab.on('pageerror', (error) => wrong.push(error.message));
  await tab.route(/./, (route) => (route.request().url().startsWith(origin) ? route.continue() : (wrong.push(route.request().url()), route.abort())));
  await tab.goto(`${origin}${path}`);
  try {
    await tab.waitForFunction(() => globalThis.document.querySelector('output')?.textContent, undefined, { timeout: 300_000 });
  } catch (error) {
    assert.fail(`${error.message}: ${wrong.join(' ')}`);
  }
  const text = await tab.locator('output').textContent();
  await tab.close();
  assert.deepEqual(wrong, []);
  return text;
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** The output of the page in a folder of static files. */
async function shownIn(folder) {
  const server = http.createServer((request, response) => {
    const file = join(folder, new URL(request.url, 'http://x').pathname);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await shownAt(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const link = (name) => {
  const to = join(project.folder, 'node_modules', name);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), to, 'dir');
};

test('every snippet of every page has a name, or is a command', () => {
  for (const page of pages) assert.deepEqual(parts(page).unnamed, [], page);
  assert.equal(pages.length, 10);
});

const settings = async (name) => {
  const account = `https://example.com/accounts/${name}`;
  return `export const url = '${new URL('/epcis', store.address).href}';\nexport const token = '${await store.makeKey({ account })}';\n`;
};

test('a fresh strict TypeScript project builds, validates, hashes, captures and queries in 25 lines', async () => {
  const { folder, text } = folderOf('README.md', { 'settings.ts': await settings('fresh') });
  const program = readFileSync(join(folder, 'program.ts'), 'utf8');
  assert.ok(program.trimEnd().split('\n').length <= 25, 'it has 25 lines');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])
    project.run(bin('tsc'), [...strict, '--module', module, '--moduleResolution', resolution, '--outDir', join(folder, 'dist'), join(folder, 'program.ts')]);
  for (const node of [project.node22, process.execPath]) {
    // The gateway is in this process, which must not block.
    const out = await ran(node, ['dist/program.js'], folder);
    assert.equal(out, text[0]);
  }
});

/** Runs a program without blocking this process. Returns its output. */
const ran = (program, args, cwd) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`${program} ended with ${code}: ${out}`))));
  });

test('the page for those who come from epcis2.js', async () => {
  const { folder } = folderOf('from-epcis2js.md', { 'settings.js': await settings('moved') });
  assert.equal(await ran(process.execPath, ['moved.js'], folder), 'captured: true\n');
  link('epcis2.js');
  const event = JSON.parse(await ran(process.execPath, ['before.js'], folder));
  const [eventID] = hash(event, { context: { ex: 'https://ex.example/' } });
  const { n } = await store.database.prepare('SELECT count(*) AS n FROM events WHERE event_id = ?').bind(eventID).first();
  assert.equal(n, 1, 'both are the same event');
  // The functions named on the page exist.
  const named = readFileSync(join(root, 'docs/javascript/from-epcis2js.md'), 'utf8').matchAll(/`((?:build|validate|eventTo)[A-Z]\w+)/g);
  for (const [, name] of named) assert.ok(name in epcis2 || name in epcis2.ObjectEvent.prototype, name);
});

test('Vite', async () => {
  const { folder } = folderOf('vite.md');
  link('vite');
  runAll(['npx vite build --logLevel error'], folder);
  assert.match(await shownIn(join(folder, 'dist')), EVENT_ID);
});

test('bundles for Node, moved away from the package', () => {
  const { folder, commands } = folderOf('node-bundles.md');
  link('@rollup/plugin-node-resolve');
  assert.equal(commands.length, 4);
  runAll(commands, folder);
  const elsewhere = join(project.folder, '..', `${project.folder.split('/').at(-1)}-bundles`);
  execFileSync('cp', ['-R', join(folder, 'dist'), elsewhere]);
  try {
    for (const bundle of ['inline.mjs', 'rolled.mjs', 'beside.mjs'])
      assert.match(project.run(project.node22, [join(elsewhere, bundle)], { cwd: elsewhere }).trim(), EVENT_ID, bundle);
  } finally {
    execFileSync('rm', ['-r', elsewhere]);
  }
});

test('Workers', async () => {
  const { folder, commands } = folderOf('workers.md');
  runAll(commands, folder);
  const dist = join(folder, 'dist');
  const wasm = readdirSync(dist).filter((file) => file.endsWith('.wasm'));
  assert.equal(wasm.length, 1);
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: dist,
      modules: [
        { type: 'ESModule', path: join(dist, 'index.js') },
        { type: 'CompiledWasm', path: join(dist, wasm[0]) },
      ],
      compatibilityDate: '2026-10-20',
    }),
  );
  try {
    const event = await (await worker.dispatchFetch('http://worker.example/')).json();
    assert.ok(validate(event).valid);
    assert.equal(verify(event)[0].result, 'matches');
    const verdict = await worker.dispatchFetch('http://worker.example/', { method: 'POST', body: JSON.stringify(event) });
    assert.equal((await verdict.json()).valid, true);
    assert.equal((await worker.dispatchFetch('http://worker.example/', { method: 'POST', body: '{' })).status, 400);
  } finally {
    await worker.dispose();
  }
});

/** Installs pinned tools next to the package, with the scripts that download their programs. Returns their folder. */
function installed(...packages) {
  const file = join(project.folder, 'package.json');
  const allowScripts = Object.fromEntries(packages.map((name) => [name.replace(/@[^@]+$/, ''), true]));
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), allowScripts }));
  project.run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages]);
  return join(project.folder, 'node_modules/.bin');
}

/** The package.json that `npm init -y` of npm 11 writes. */
const FRESH = { 'package.json': '{"name": "fresh", "version": "1.0.0", "type": "commonjs"}' };

test('webpack', withTools, async () => {
  const { folder, commands } = folderOf('webpack.md', FRESH);
  runAll(commands, folder, installed('webpack@5.112.2', 'webpack-cli@7.3.1'));
  assert.match(await shownIn(join(folder, 'dist')), EVENT_ID);
});

test('jest', withTools, () => {
  const { folder, commands } = folderOf('jest.md', FRESH);
  installed('jest@30.5.2');
  assert.equal(commands.length, 2);
  // jest reports on standard error, and fails if a test fails or none is found.
  runAll(commands, folder);
  writeFileSync(join(folder, 'event.test.js'), readFileSync(join(folder, 'event.test.js'), 'utf8').replace("'matches'", "'matches-none'"));
  assert.throws(() => runAll(commands, folder), /matches-none/);
});

test('Deno and Bun', withTools, () => {
  const { folder, commands } = folderOf('deno-bun.md');
  assert.equal(commands.length, 2);
  for (const out of runAll(commands, folder, installed('deno@2.9.6', 'bun@1.4.5'))) assert.match(out.trim(), EVENT_ID);
});

test('Next.js', withTools, async () => {
  const { folder, commands } = folderOf('nextjs.md', FRESH);
  assert.equal(commands.length, 1);
  const tools = installed('next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1');
  runAll([...commands, 'npx next build'], folder, tools);
  const server = spawn(join(tools, 'next'), ['start', '--hostname', '127.0.0.1', '--port', '0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const origin = await new Promise((resolve, reject) => {
      let said = '';
      server.stdout.on('data', (chunk) => {
        said += chunk;
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
        if (address && said.includes('Ready')) resolve(address);
      });
      server.on('close', () => reject(new Error(said)));
    });
    const verdict = await fetch(`${origin}/api/validate`, { method: 'POST', body: '{"type": "ObjectEvent"}' });
    assert.equal((await verdict.json()).valid, false);
    assert.match(`true ${await shownAt(origin, '/')}`, EVENT_ID);
  } finally {
    server.kill();
  }
});
