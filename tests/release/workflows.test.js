// The workflows at GitHub: pinned actions, few permissions, and a release that is tested before it is published.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = '.github/workflows';
const workflows = new Map(readdirSync(join(root, folder)).map((file) => [file, parse(readFileSync(join(root, folder, file), 'utf8'))]));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const steps = [...workflows].flatMap(([file, { jobs }]) => Object.values(jobs).flatMap((job) => (job.steps ?? []).map((step) => ({ file, step }))));

test('actions are pinned by commit, and keep no credentials', () => {
  assert.deepEqual([...workflows.keys()].sort(), ['ci.yml', 'release.yml']);
  const used = steps.filter(({ step }) => step.uses !== undefined);
  assert.equal(used.length, 2);
  for (const { file, step } of used) {
    assert.match(step.uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, file);
    if (step.uses.startsWith('actions/checkout@')) assert.equal(step.with['persist-credentials'], false, file);
  }
});

test('scripts of steps have no expressions, which would run what a tag or a pull request is named', () => {
  for (const { file, step } of steps) assert.doesNotMatch(step.run ?? '', /\$\{\{/, file);
});

test('a workflow may read; only the job that publishes may do more', () => {
  for (const [file, { permissions, jobs }] of workflows) {
    assert.deepEqual(permissions, { contents: 'read' }, file);
    for (const [name, job] of Object.entries(jobs)) {
      const isPublishing = file === 'release.yml' && name === 'publish';
      assert.deepEqual(job.permissions, isPublishing ? { contents: 'write', 'id-token': 'write' } : undefined, `${file}, ${name}`);
    }
  }
});

test('a release follows a tag, after everything that CI tests, and publishes last', () => {
  const { on, jobs } = workflows.get('release.yml');
  assert.deepEqual(on, { push: { tags: ['v*'] } });
  assert.equal(jobs.test.uses, './.github/workflows/ci.yml');
  const ci = workflows.get('ci.yml');
  assert.ok('workflow_call' in ci.on);
  assert.ok(Object.values(ci.jobs).some((job) => job.steps.some(({ run }) => run === 'make test-all')));
  assert.deepEqual([jobs.publish.needs, jobs.publish.environment], ['test', 'release']);
  const scripts = jobs.publish.steps.map(({ run }) => run ?? '');
  const at = (part) => {
    const found = scripts.findIndex((script) => script.includes(part));
    assert.ok(found >= 0, part);
    return found;
  };
  const order = ['release-notes.sh', 'make build', 'sbom.sh', 'tests/release/', 'publish', 'gh release upload'].map(at);
  assert.deepEqual(
    order,
    [...order].sort((one, other) => one - other),
  );
  assert.equal(new Set(order).size, order.length);
  assert.match(scripts[at('gh release upload')], /target\/sbom\/\*\.cdx\.json/);
  for (const script of scripts.flatMap((script) => script.match(/scripts\/[\w.-]+/g) ?? [])) assert.ok(existsSync(join(root, script)), script);
  for (const [, packages] of scripts[at('publish')].matchAll(/^for folder in (.*); do$/gm)) {
    for (const one of packages.split(' ')) assert.ok(existsSync(join(root, one, 'package.json')), one);
  }
});

test('the notes of a release are the section of its version; another tag is refused', () => {
  const notes = (...args) => spawnSync(join(root, 'scripts/release-notes.sh'), args, { encoding: 'utf8' });
  const { status, stdout, stderr } = notes(`v${version}`);
  assert.equal(status, 0, stderr);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version} - `));
  assert.equal(stdout.trim(), section.slice(section.indexOf('\n')).trim());
  for (const args of [['v0.0.1'], [version], []]) {
    const refused = notes(...args);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, new RegExp(`expected v${version.replaceAll('.', '\\.')}\\n`));
  }
});
