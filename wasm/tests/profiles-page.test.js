// docs/profile-*.md and docs/own-pack.md: their documents and rules are so, and the pack that is built is the one beside them. Their commands: snippets.test.js.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { check } from '../js/check/node.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const read = (name) => readFileSync(`${root}docs/${name}`, 'utf8');
const page = ['profile-dscsa', 'profile-fsma204', 'profile-gdst', 'own-pack'].map((name) => read(`${name}.md`)).join('\n');
const pack = JSON.parse(read('profiles-own-pack.json'));

function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args.split(' ')], { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('each document is valid, and has no mistakes but those of its pack', () => {
  const names = ['profiles-dscsa.xml', 'profiles-fsma204.json', 'profiles-gdst.json', 'profiles-own.json', 'profiles-own-wrong.json'];
  const { status, stdout } = run(['validate', ...names.map((name) => `docs/${name}`)].join(' '));
  assert.equal(status, 0, stdout);
  for (const name of names) assert.deepEqual(check(read(name)).findings, [], name);
});

test('the page of an industry tells what to do about each mistake of its document', () => {
  for (const [name, file] of [
    ['dscsa', 'profiles-dscsa.xml'],
    ['fsma204', 'profiles-fsma204.json'],
    ['gdst', 'profiles-gdst.json'],
  ]) {
    const rules = new Set(check(read(file), { packs: [name] }).findings.map(({ rule }) => rule.split('/')[1]));
    assert.ok(rules.size >= 3, name);
    for (const rule of rules) assert.ok(read(`profile-${name}.md`).includes(`\`${rule}\``), rule);
  }
});

test('what the page shows of the pack is so in the pack beside it', () => {
  const shown = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text));
  assert.ok(shown.length > 0);
  const { rules } = pack;
  for (const rule of shown)
    assert.deepEqual(
      rule,
      rules.find(({ id }) => id === rule.id),
    );
});

test('each rule of the pack finds its mistake, and nothing in the right document', () => {
  const found = (name) => check(read(name), { pack }).findings.map(({ rule }) => rule);
  assert.deepEqual(found('profiles-own.json'), []);
  const wanted = [...pack.rules.map(({ id }) => `aldoria/${id}`), 'serialised-medicine/order-incomplete'];
  assert.deepEqual(found('profiles-own-wrong.json').sort(), wanted.sort());
  const { findings, notApplicable } = check(read('profiles-fsma204.json'), { pack });
  assert.deepEqual([findings, notApplicable.map((one) => one.pack)], [[], ['aldoria']]);
  // Without the version of the guide in the header it is a document of release 1.
  const { epcisHeader, ...rest } = JSON.parse(read('profiles-own-wrong.json'));
  const { releases, rules } = check({ ...rest, epcisHeader: { ...epcisHeader, 'ald:guideVersion': undefined } }, { pack });
  assert.deepEqual(releases, [{ pack: 'aldoria', release: '1' }]);
  assert.ok(!rules.some(({ rule }) => rule === 'aldoria/permit-missing'));
});

test('the page names only rules that there are', () => {
  const sections = [...page.matchAll(/All rules(?: of FSMA 204)?: (.*)/g)].flatMap(([, text]) => [...text.matchAll(/checks\/([\w-]+\.md)/g)]);
  const ids = new Set(sections.flatMap(([, file]) => [...read(`checks/${file}`).matchAll(/^## (.*)$/gm)].map(([, id]) => id)));
  const [findings] = page.split('# Your own pack');
  const named = [...findings.matchAll(/^\| (`[a-z-]+`.*?) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, id]) => id));
  assert.ok(named.length >= 12);
  for (const id of named) assert.ok(ids.has(id), id);
});
