// What `npm publish` would send: the files of each package, its provenance, one version everywhere.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (path) => readFileSync(join(root, path), 'utf8');
const json = (path) => JSON.parse(text(path));
const PACKAGES = ['wasm', 'wasm/mcp'];
const { version } = json('wasm/package.json');

/** What npm says that it would publish. Nothing answers at the registry, so nothing can be published by mistake. */
function dryRun(folder) {
  const args = ['publish', '--dry-run', '--json', '--registry', 'http://127.0.0.1:9/', '--fetch-retries=0'];
  const said = JSON.parse(execFileSync('npm', args, { cwd: join(root, folder), encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] }));
  // Since npm 11 the answer is by the name of the package.
  return said.files ? said : said[json(`${folder}/package.json`).name];
}

/** The files that a tree of exports, imports or programs names. */
const named = (tree) => (typeof tree === 'string' ? [tree.replace(/^\.\//, '')] : Object.values(tree ?? {}).flatMap(named));

/** The files of types that these files of types name. */
function typesFrom(folder, files) {
  const found = new Set(files);
  for (const file of found) {
    for (const [, path] of text(`${folder}/${file}`).matchAll(/\b(?:from|import\() ?'(\.{1,2}\/[^']+)\.ts'/g)) found.add(join(dirname(file), `${path}.d.ts`));
  }
  return [...found];
}

/** The scripts that are bundled from entry points in a folder, with what each imports: the `inputs` of esbuild's metafile. */
async function inputsOf(entryPoints, absWorkingDir, external) {
  const { metafile } = await esbuild.build({
    entryPoints,
    absWorkingDir,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'nowhere',
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external,
    logLevel: 'error',
    // As it is published: without the paths to sources.
    tsconfigRaw: {},
  });
  return metafile.inputs;
}

/** The files that a package must have and no others: what its entry points and programs name or import, and what npm always packs. */
async function needed(folder) {
  const manifest = json(`${folder}/package.json`);
  // Threads are started by their files, and the map and the charts of the component are loaded by their address.
  const byAddress = folder === 'wasm' ? ['lib/cli/aside-thread.js', 'lib/lsp/judge.js', 'dist/component-extras.js'] : [];
  const files = [...[manifest.exports, manifest.imports, manifest.bin].flatMap(named), ...byAddress];
  const inputs = await inputsOf([...new Set(files.filter((file) => file.endsWith('.js')))], join(root, folder), ['*.wasm', '#*']);
  const scripts = Object.keys(inputs);
  const engines = scripts.map((file) => file.replace(/epcis_edge\.js$/, 'epcis_edge_bg.wasm')).filter((file) => file.endsWith('.wasm'));
  const types = typesFrom(
    folder,
    files.filter((file) => file.endsWith('.d.ts')),
  );
  // What npm bundles of others comes with their licences.
  const licences = scripts.includes('dist/lsp/server.js') ? ['dist/lsp/LICENSES.txt'] : [];
  return [...new Set([...files, ...scripts, ...engines, ...types, ...licences, 'LICENSE', 'README.md', 'package.json'])].sort();
}

for (const folder of PACKAGES) {
  test(`${folder}: npm publish would send what the package needs, and nothing else`, async () => {
    const files = await needed(folder);
    for (const file of files) assert.ok(existsSync(join(root, folder, file)), `${folder}/${file} is missing`);
    const said = dryRun(folder);
    assert.deepEqual(said.files.map(({ path }) => path).sort(), files);
    assert.equal(said.id, `${json(`${folder}/package.json`).name}@${version}`);
  });

  test(`${folder}: published for everybody, with its provenance, which names this repository`, () => {
    const { publishConfig, repository, license, private: isPrivate } = json(`${folder}/package.json`);
    assert.deepEqual(publishConfig, { access: 'public', provenance: true });
    // The registry refuses a provenance of another repository.
    assert.deepEqual(repository, { type: 'git', url: 'git+https://github.com/epcis-edge/epcis-edge.git', directory: folder });
    assert.deepEqual([license, isPrivate], ['Apache-2.0', undefined]);
  });
}

test('no WebAssembly has a path of the machine that built it, so that two builds of one commit can be equal', () => {
  const programs = [...PACKAGES, 'worker/build'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => file.endsWith('.wasm') && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  );
  assert.ok(programs.length >= 8, programs.join());
  for (const file of programs) {
    const bytes = readFileSync(join(root, file));
    for (const path of [root, join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry')]) assert.ok(!bytes.includes(path), `${file}: ${path}`);
    assert.ok(bytes.includes('/rustc/'), `${file} has paths`);
  }
});

test('the version is the same in every file that has it', () => {
  const found = {
    'Cargo.toml': /^\[workspace\.package\]\nversion = "([^"]+)"/m.exec(text('Cargo.toml'))?.[1],
    'package.json': json('package.json').version,
    'package-lock.json': json('package-lock.json').version,
    'package-lock.json, the root': json('package-lock.json').packages[''].version,
    'package-lock.json, the package': json('package-lock.json').packages.wasm.version,
    'tests/package.json': json('tests/package.json').version,
    'wasm/mcp/package.json': json('wasm/mcp/package.json').version,
    'editors/vscode/package.json': json('editors/vscode/package.json').version,
    'wasm/mcp/package.json, its dependency': json('wasm/mcp/package.json').dependencies['epcis-edge'],
    'wasm/package.json, its peer': json('wasm/package.json').peerDependencies['epcis-edge-mcp'],
    'www/public/openapi.json': json('www/public/openapi.json').info.version,
    'server/chart/Chart.yaml': /^version: (.*)$/m.exec(text('server/chart/Chart.yaml'))?.[1],
    'server/chart/Chart.yaml, the program': /^appVersion: (.*)$/m.exec(text('server/chart/Chart.yaml'))?.[1],
    'server/chart/values.yaml': /^image: .*:(.*)$/m.exec(text('server/chart/values.yaml'))?.[1],
    'CHANGELOG.md': /^## (\d\S*) - \d{4}-\d{2}-\d{2}$/m.exec(text('CHANGELOG.md'))?.[1],
    'SECURITY.md': /^(\d+\.\d+)\.x gets security fixes/m.exec(text('SECURITY.md'))?.[1].concat(version.slice(version.lastIndexOf('.'))),
  };
  for (const lock of ['Cargo.lock', 'fuzz/programs/Cargo.lock', 'tests/peers/hash/Cargo.lock']) {
    for (const [, crate, locked] of text(lock).matchAll(/^name = "(epcis-edge-(?:core|fuzz|referee|schema|tests|wasm|worker))"\nversion = "([^"]+)"/gm)) {
      found[`${lock}, ${crate}`] = locked;
    }
  }
  assert.equal(Object.keys(found).length, 16 + 7 + 5 + 2);
  for (const [file, one] of Object.entries(found)) assert.equal(one, version, file);
});

/** The names of the packages from npm that scripts import, directly or through other scripts of this repository. */
async function imported(...entryPoints) {
  const inputs = await inputsOf(entryPoints, root, ['engine', 'migrations', 'cloudflare:*', 'vscode', '*.wasm']);
  const paths = Object.values(inputs).flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path));
  return paths
    .filter((path) => !/^(node:|\.|cloudflare:|engine$|migrations$|vscode$|epcis-edge)/.test(path))
    .map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)[0]);
}

test('what is shipped, deploys and serves is among the dependencies, and nothing else', async () => {
  const page = readdirSync(join(root, 'www/src'), { recursive: true })
    .filter((file) => /(?<!\.d)\.[jt]s$/.test(file))
    .map((file) => `www/src/${file}`);
  const programs = ['deploy', 'keys', 'move', 'serve'].map((name) => `scripts/${name}.ts`);
  const editors = ['wasm/lsp/server.ts', 'wasm/lsp/judge.ts', 'editors/vscode/src/extension.ts'];
  const packages = await imported('worker/js/index.ts', 'worker/js/objects.ts', 'www/src/component/index.ts', ...page, ...programs, ...editors);
  assert.deepEqual(Object.keys(json('package.json').dependencies), [...new Set(packages)].sort());
});
