// The packed package in every environment: the same vectors give the same answers, byte for byte.
// Invariant: The package gives the same answers, byte for byte, in Node 22 and 24, Chromium (Vite, esbuild, no bundler) and workerd.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, createReadStream, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import { basename, extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { chromium } from 'playwright-core';
import { rollup } from 'rollup';
import { build as viteBuild } from 'vite';
import * as epcis from '../js/engine/node.ts';
import { Client } from '../tests/lsp-client.js';
import { answers, digest } from './answers.js';
import { bin, here, makeProject, vectors } from './project.js';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm' };

let project;
let expected;
let expectedDigest;
let server;
let origin;
let browser;
let input;

before(async () => {
  project = makeProject();
  input = JSON.stringify(vectors());
  assert.ok(JSON.parse(input).length >= 60);
  expected = await answers(epcis, JSON.parse(input));
  expectedDigest = await digest(expected);
  project.write('vectors.json', input);
  project.write(
    'program.js',
    `import { readFileSync } from 'node:fs';
import * as epcis from 'epcis-edge';
import { answers } from './answers.js';
process.stdout.write(await answers(epcis, JSON.parse(readFileSync('vectors.json', 'utf8'))));
`,
  );
  project.write(
    'page.js',
    `import * as epcis from 'epcis-edge';
import { answers } from './answers.js';
globalThis.run = async () => {
  await epcis.init(globalThis.source);
  return answers(epcis, await (await fetch('/vectors.json')).json());
};
`,
  );
  server = http.createServer((request, response) => {
    const file = join(project.folder, decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});

after(async () => {
  await browser?.close();
  server?.close();
  project?.remove();
});

function same(found, where) {
  if (found === expected) return;
  const [ours, theirs] = [found.split('\n'), expected.split('\n')];
  const line = ours.findIndex((text, index) => text !== theirs[index]);
  assert.fail(`${where} answers otherwise, line ${line}: ${ours[line]?.slice(0, 300)} instead of ${theirs[line]?.slice(0, 300)}`);
}

/** Runs a page in real Chromium and returns its answers. Requests to other servers are errors. */
async function inBrowser(page) {
  browser ??= await chromium.launch({
    executablePath: execFileSync(fileURLToPath(new URL('../../scripts/chromium.sh', import.meta.url)), { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const tab = await browser.newPage();
  const wrong = [];
  tab.on('pageerror', (error) => wrong.push(error.message));
  tab.on('request', (request) => {
    if (!request.url().startsWith(origin)) wrong.push(request.url());
  });
  tab.on('response', (response) => {
    if (response.status() !== 200 && !response.url().endsWith('/favicon.ico')) wrong.push(`${response.status()} ${response.url()}`);
  });
  await tab.goto(`${origin}${page}`);
  await tab.waitForFunction(() => globalThis.run, undefined, { timeout: 300_000 });
  const answer = await tab.evaluate(() => globalThis.run());
  await tab.close();
  assert.deepEqual(wrong, []);
  return answer;
}

test('Node 22 and this Node', () => {
  assert.match(project.run(project.node22, ['--version']), /^v22\./);
  same(project.run(project.node22, ['program.js']), 'Node 22');
  same(project.run(process.execPath, ['program.js']), process.version);
});

test('the command line of the package, under Node 22 as well', () => {
  const cli = join(project.folder, 'node_modules/.bin/epcis-edge');
  for (const node of [project.node22, process.execPath]) {
    assert.match(project.run(node, [cli, '--version']), /^\d+\.\d+\.\d+\n$/);
    assert.match(project.run(node, [cli, 'hash'], { input: '{"type":"ObjectEvent"}' }), /^ni:\/\/\/sha-256;7aa6d154/);
    assert.match(
      project.run(node, [cli, 'translate', '--ndjson'], {
        input: '<EPCISDocument creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList/></EPCISBody></EPCISDocument>',
        stdio: ['pipe', 'pipe', 'ignore'],
      }),
      /^$/,
    );
  }
});

test('a Vite bundle in Chromium', async () => {
  project.write('index.html', '<!doctype html><title>vite</title><script type="module" src="/page.js"></script>');
  await viteBuild({ root: project.folder, base: '/vite/', logLevel: 'error', build: { outDir: 'vite', emptyOutDir: true, target: 'es2022' } });
  const built = readdirSync(join(project.folder, 'vite/assets'));
  assert.equal(built.filter((file) => file.endsWith('.wasm')).length, 1, built.join(' '));
  same(await inBrowser('/vite/index.html'), 'Vite');
});

test('an esbuild bundle in Chromium', async () => {
  project.write('esbuild.js', "import wasm from 'epcis-edge/epcis_edge_bg.wasm';\nglobalThis.source = wasm;\nawait import('./page.js');\n");
  await esbuild.build({
    entryPoints: [join(project.folder, 'esbuild.js')],
    bundle: true,
    format: 'esm',
    splitting: true,
    outdir: join(project.folder, 'esbuild'),
    publicPath: '/esbuild/',
    loader: { '.wasm': 'file' },
    logLevel: 'error',
  });
  project.write('esbuild/index.html', '<!doctype html><title>esbuild</title><script type="module" src="/esbuild/esbuild.js"></script>');
  same(await inBrowser('/esbuild/index.html'), 'esbuild');
});

test('a page without any bundler in Chromium', async () => {
  project.write(
    'plain.html',
    '<!doctype html><title>plain</title><script type="importmap">{"imports": {"epcis-edge": "/node_modules/epcis-edge/lib/engine/browser.js"}}</script><script type="module" src="/page.js"></script>',
  );
  same(await inBrowser('/plain.html'), 'a plain page');
});

// Bundles for Node are moved away from the package, as in a deployment.
const ENTRIES = {
  'the WebAssembly inside': "import * as epcis from 'epcis-edge/inline';",
  'bytes for init': "import * as epcis from 'epcis-edge';\nawait epcis.init(readFileSync('engine.wasm'));",
};
const programOf = (entry) => `import { readFileSync } from 'node:fs';
import { answers } from './answers.js';
${entry}
process.stdout.write(await answers(epcis, JSON.parse(readFileSync('vectors.json', 'utf8'))));
`;

/** A folder without the package, for a bundle. */
function deployed(name) {
  const folder = join(project.folder, '..', `${basename(project.folder)}-${name}`);
  mkdirSync(folder, { recursive: true });
  after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(project.folder, 'vectors.json'), join(folder, 'vectors.json'));
  cpSync(join(project.folder, 'node_modules/epcis-edge/dist/epcis_edge_bg.wasm'), join(folder, 'engine.wasm'));
  return folder;
}

for (const [index, [what, entry]] of Object.entries(ENTRIES).entries()) {
  test(`an esbuild bundle for Node, with ${what}`, async () => {
    project.write(`node-${index}.js`, programOf(entry));
    const folder = deployed(`esbuild-${index}`);
    await esbuild.build({
      entryPoints: [join(project.folder, `node-${index}.js`)],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(folder, 'bundle.mjs'),
      logLevel: 'error',
    });
    same(project.run(project.node22, ['bundle.mjs'], { cwd: folder }), 'esbuild for Node 22');
  });

  test(`a Rollup bundle for Node, with ${what}`, async () => {
    project.write(`node-${index}.js`, programOf(entry));
    const folder = deployed(`rollup-${index}`);
    const bundle = await rollup({
      input: join(project.folder, `node-${index}.js`),
      plugins: [nodeResolve({ exportConditions: ['node'], preferBuiltins: true })],
      external: [/^node:/],
      onwarn: (warning) => assert.fail(warning.message),
    });
    await bundle.write({ file: join(folder, 'bundle.mjs'), format: 'esm' });
    await bundle.close();
    same(project.run(process.execPath, ['bundle.mjs'], { cwd: folder }), 'Rollup');
  });
}

test('an esbuild bundle for Node as CommonJS, with the WebAssembly inside', async () => {
  project.write('common.js', 'import { hash } from \'epcis-edge/inline\';\nconsole.log(hash(\'{"type":"ObjectEvent"}\')[0].slice(0, 24));\n');
  const folder = deployed('common');
  await esbuild.build({
    entryPoints: [join(project.folder, 'common.js')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: join(folder, 'bundle.cjs'),
    logLevel: 'error',
  });
  assert.equal(project.run(project.node22, ['bundle.cjs'], { cwd: folder }), 'ni:///sha-256;7aa6d15415\n');
});

test('a bundle that left the file behind says what to do', async () => {
  project.write('lost.js', "import { hash } from 'epcis-edge';\ntry { hash('{}'); } catch (error) { console.log(error.message); }\n");
  for (const format of ['esm', 'cjs']) {
    const folder = deployed(`lost-${format}`);
    const outfile = join(folder, format === 'esm' ? 'bundle.mjs' : 'bundle.cjs');
    await esbuild.build({ entryPoints: [join(project.folder, 'lost.js')], bundle: true, platform: 'node', format, outfile, logLevel: 'silent' });
    assert.match(project.run(process.execPath, [outfile], { cwd: folder }), /import 'epcis-edge\/inline' instead/);
  }
});

test('checks, following, reports and proofs in Node 22, in a Vite bundle and in a page without any bundler', async () => {
  const files = ['event.json', 'event.tlog-proof', 'trusted.policy'];
  for (const file of files) cpSync(new URL(`../../tests/vectors/log/${file}`, import.meta.url), join(project.folder, file));
  const item = 'https://id.gs1.org/01/04012345111119/21/9876';
  const faulty = '{"type":"ObjectEvent","epcList":["https://id.gs1.org/01/04012345111119/21/9876"]}';
  project.write(
    'proof.js',
    `import { readFileSync } from 'node:fs';
import { check } from 'epcis-edge/check';
import { follow } from 'epcis-edge/follow';
import { verifyProof } from 'epcis-edge/proof';
import { report, toCsv } from 'epcis-edge/report';
import { toXlsx } from 'epcis-edge/xlsx';
const life = report('${faulty}', 'passport', { items: '${item}' });
console.log(check('${faulty}').findings[0].rule, follow('${faulty}', { items: '${item}' }).events.length, verifyProof(...${JSON.stringify(files)}.map((file) => readFileSync(file, 'utf8'))).valid);
console.log(life.type, toCsv(life).slice(0, 6), toXlsx(life)[0]);
`,
  );
  assert.equal(project.run(project.node22, ['proof.js']), 'identifiers/check-digit 1 true\nOK Sheet, 80\n');
  project.write(
    'proof-page.js',
    `import { check, init as initCheck } from 'epcis-edge/check';
import { follow, init as initFollow } from 'epcis-edge/follow';
import { init, verifyProof } from 'epcis-edge/proof';
import { init as initReport, report, toCsv } from 'epcis-edge/report';
import { init as initXlsx, toXlsx } from 'epcis-edge/xlsx';
globalThis.run = async () => {
  await Promise.all([init(), initCheck(), initFollow(), initReport(), initXlsx()]);
  const life = report('${faulty}', 'passport', { items: '${item}' });
  const files = ${JSON.stringify(files)}.map(async (file) => (await fetch('/' + file)).text());
  return [check('${faulty}').findings[0].rule, follow('${faulty}', { items: '${item}' }).events.length, verifyProof(...(await Promise.all(files))).valid, life.type, toCsv(life).slice(0, 6), toXlsx(life)[0]];
};
`,
  );
  const page = (script, map = '') => `<!doctype html><title>proof</title>${map}<script type="module" src="${script}"></script>`;
  const entries = Object.fromEntries(
    ['check', 'follow', 'proof', 'report', 'xlsx'].map((entry) => [`epcis-edge/${entry}`, `/node_modules/epcis-edge/lib/${entry}/browser.js`]),
  );
  const map = `<script type="importmap">${JSON.stringify({ imports: entries })}</script>`;
  const expectedThere = ['identifiers/check-digit', 1, true, 'OK', 'Sheet,', 80];
  project.write('proof.html', page('/proof-page.js', map));
  assert.deepEqual(await inBrowser('/proof.html'), expectedThere);
  project.write('proof-vite.html', page('/proof-page.js'));
  const build = { outDir: 'proof-vite', emptyOutDir: true, target: 'es2022', rollupOptions: { input: join(project.folder, 'proof-vite.html') } };
  await viteBuild({ root: project.folder, base: '/proof-vite/', logLevel: 'error', build });
  assert.deepEqual(await inBrowser('/proof-vite/proof-vite.html'), expectedThere);
});

test('the inline entry in a page', async () => {
  project.write(
    'inline.js',
    "import * as epcis from 'epcis-edge/inline';\nimport { answers } from './answers.js';\nglobalThis.run = async () => answers(epcis, await (await fetch('/vectors.json')).json());\n",
  );
  project.write('inline.html', '<!doctype html><title>inline</title><script type="module" src="/inline-bundle.js"></script>');
  await esbuild.build({
    entryPoints: [join(project.folder, 'inline.js')],
    bundle: true,
    format: 'esm',
    outfile: join(project.folder, 'inline-bundle.js'),
    logLevel: 'error',
  });
  same(await inBrowser('/inline.html'), 'the inline entry in a page');
});

test('the web component in a Vite bundle and in a page without any bundler; in Node it can be imported', async () => {
  project.write('shown.json', '{"type":"ObjectEvent"}');
  project.write(
    'component-page.js',
    `import 'epcis-edge/component';
globalThis.run = () =>
  new Promise((resolve) => {
    const element = document.createElement('epcis-events');
    element.addEventListener('epcis-load', ({ detail }) => resolve([detail.valid, detail.events, element.shadowRoot.querySelectorAll('.card').length]));
    element.addEventListener('error', ({ detail }) => resolve(detail));
    element.src = '/shown.json';
    document.body.append(element);
  });
`,
  );
  const page = (script, map = '') => `<!doctype html><title>component</title><body>${map}<script type="module" src="${script}"></script></body>`;
  const map = '<script type="importmap">{"imports": {"epcis-edge/component": "/node_modules/epcis-edge/dist/component.js"}}</script>';
  project.write('component.html', page('/component-page.js', map));
  assert.deepEqual(await inBrowser('/component.html'), [false, 1, 1]);
  project.write('component-vite.html', page('/component-page.js'));
  const build = { outDir: 'component-vite', emptyOutDir: true, target: 'es2022', rollupOptions: { input: join(project.folder, 'component-vite.html') } };
  await viteBuild({ root: project.folder, base: '/component-vite/', logLevel: 'error', build });
  // Only the file for the map and the charts is copied beside the script.
  assert.deepEqual(
    readdirSync(join(project.folder, 'component-vite/assets'), 'utf8')
      .map((file) => file.replace(/-[\w-]{8}\.js$/, '.js'))
      .sort(),
    ['component-extras.js', 'component-vite.js'],
  );
  assert.deepEqual(await inBrowser('/component-vite/component-vite.html'), [false, 1, 1]);
  project.write('component-node.js', "import { EpcisEvents } from 'epcis-edge/component';\nconsole.log(typeof EpcisEvents);\n");
  assert.equal(project.run(project.node22, ['component-node.js']), 'function\n');
});

test('a Worker in workerd', async () => {
  project.write(
    'worker.js',
    `import * as epcis from 'epcis-edge';
import { answers } from './answers.js';
export default { fetch: async (request) => new Response(await answers(epcis, await request.json())) };
`,
  );
  const outdir = join(project.folder, 'workerd');
  await esbuild.build({
    entryPoints: [join(project.folder, 'worker.js')],
    bundle: true,
    format: 'esm',
    conditions: ['workerd'],
    loader: { '.wasm': 'copy' },
    outdir,
    logLevel: 'error',
  });
  const wasm = readdirSync(outdir).find((file) => file.endsWith('.wasm'));
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: outdir,
      modules: [
        { type: 'ESModule', path: join(outdir, 'worker.js') },
        { type: 'CompiledWasm', path: join(outdir, wasm) },
      ],
      compatibilityDate: '2026-10-20',
    }),
  );
  try {
    await worker.ready;
    const response = await worker.dispatchFetch('http://worker.example/', { method: 'POST', body: input });
    assert.equal(response.status, 200);
    same(await response.text(), 'workerd');
  } finally {
    await worker.dispose();
  }
  assert.equal(await digest(expected), expectedDigest);
});

test('a strict TypeScript project compiles', () => {
  cpSync(fileURLToPath(new URL('../tests/types.ts', import.meta.url)), join(project.folder, 'types.ts'));
  cpSync(fileURLToPath(new URL('../tests/types-dom.ts', import.meta.url)), join(project.folder, 'types-dom.ts'));
  project.write('wasm.ts', "import { init } from 'epcis-edge';\nimport wasm from 'epcis-edge/epcis_edge_bg.wasm';\nawait init(wasm);\n");
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022', '--types', ''];
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compile = (lib, ...files) => project.run(bin('tsc'), [...strict, '--lib', lib, '--module', module, '--moduleResolution', resolution, ...files]);
    compile('es2022', 'types.ts');
    compile('es2022,dom,dom.iterable', 'types.ts', 'types-dom.ts', 'wasm.ts');
  }
});

test('publint and attw have nothing to say', () => {
  project.run(bin('publint'), ['run', project.tarball, '--strict'], { env: { ...process.env, NO_COLOR: '1' } });
  project.run(bin('attw'), [project.tarball, '--profile', 'esm-only', '--no-emoji']);
});

test('the package holds what it says, without a dependency or a script', () => {
  const folder = join(project.folder, 'node_modules/epcis-edge');
  const { dependencies, scripts, bin: programs } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  assert.deepEqual([dependencies, scripts], [undefined, undefined]);
  assert.deepEqual(programs, { 'epcis-edge': 'lib/cli/cli.js' });
  for (const file of [
    'LICENSE',
    'README.md',
    'lib/engine/index.d.ts',
    'lib/engine/inline.js',
    'lib/component/index.d.ts',
    'dist/epcis_edge_bg.wasm',
    'dist/inline.js',
    'dist/component.js',
    'dist/component-extras.js',
  ])
    assert.ok(statSync(join(folder, file)).isFile(), file);
  assert.ok(!readdirSync(join(folder, 'dist')).includes('agent'), 'the engine of the agent process is a package of its own');
  assert.ok(!readdirSync(join(folder, 'dist')).includes('page'), 'the engine without streams is for the playground and the component');
});

test('the language server of the installed package', async () => {
  const cli = join(project.folder, 'node_modules/epcis-edge/lib/cli/cli.js');
  const text = readFileSync(new URL('../../tests/vectors/validate/cbv-word-misspelt/input.json', import.meta.url), 'utf8');
  for (const node of [project.node22, process.execPath]) {
    const client = new Client([node, cli, 'lsp', '--stdio']);
    try {
      await client.initialize();
      assert.equal((await client.judged('file:///a.json', text)).length, 6);
      assert.equal(await client.end(), 0);
    } finally {
      client.stop();
    }
  }
  assert.match(readFileSync(join(project.folder, 'node_modules/epcis-edge/dist/lsp/LICENSES.txt'), 'utf8'), /^vscode-languageserver \d/m);
});

test('without epcis-edge-mcp its commands say what to install; with it they work, also under its own name', () => {
  const cli = join(project.folder, 'node_modules/.bin/epcis-edge');
  const attempt = (program, args, input) => spawnSync(program, args, { cwd: project.folder, encoding: 'utf8', input });
  const event = '{"type":"ObjectEvent"}';
  for (const node of [project.node22, process.execPath]) {
    for (const [command, ...more] of [['mcp'], ['validate', '--engine', 'jsonschema']]) {
      const { status, stderr } = attempt(node, [cli, command, ...more], event);
      assert.equal(status, 3, stderr);
      assert.equal(stderr, `epcis-edge ${command}: this needs the package epcis-edge-mcp, which is installed separately: npm i epcis-edge-mcp\n`);
    }
  }
  const [{ filename, files }] = JSON.parse(project.run('npm', ['pack', '--json', '--pack-destination', project.folder], { cwd: join(here, '../mcp') }));
  assert.deepEqual(
    files.map(({ path }) => path).sort(),
    ['LICENSE', 'README.md', 'dist/epcis_edge.js', 'dist/epcis_edge_bg.wasm', 'lib/bin.js', 'lib/engine.js', 'package.json'].sort(),
  );
  const versions = ['../package.json', '../mcp/package.json'].map((path) => JSON.parse(readFileSync(join(here, path), 'utf8')));
  assert.deepEqual(
    [versions[1].version, versions[1].dependencies['epcis-edge'], versions[0].peerDependencies['epcis-edge-mcp']],
    Array(3).fill(versions[0].version),
  );
  project.run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', join(project.folder, filename)]);
  for (const node of [project.node22, process.execPath]) {
    assert.match(attempt(node, [cli, 'validate', '--engine', 'jsonschema'], event).stdout, /"eventTime" is a required property/);
    const said = attempt(node, [join(project.folder, 'node_modules/.bin/epcis-edge-mcp')], '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    assert.deepEqual(JSON.parse(said.stdout), { jsonrpc: '2.0', id: 1, result: {} });
  }
});
