// The pages of the repository: their links lead somewhere, the files that they name exist, and what is drawn in them is so.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { anchors } from '../../scripts/anchors.mjs';
import { invariants } from '../../scripts/invariants.mjs';
import { pictured } from '../../scripts/picture.mjs';
import { figures, references } from '../../scripts/reference.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const listed = (...patterns) => execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' });
const pages = listed('*.md')
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(root, page)));
const read = (page) => readFileSync(join(root, page), 'utf8');
const withoutCode = (text) => text.replace(/^(```+)[^`]*?^\1$/gms, '').replace(/`[^`\n]*`/g, '');

/** The anchors of a page. */
function anchorsOf(page) {
  const anchorOf = anchors();
  const text = read(page).replace(/^```.*?^```$/gms, '');
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title)));
}

test('every link of a page leads to a file, and to a heading of it', () => {
  const broken = [];
  for (const page of pages) {
    for (const [, link] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path, anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, file))) broken.push(`${page}: ${link}`);
      else if (anchor && file.endsWith('.md') && !anchorsOf(file).has(anchor)) broken.push(`${page}: ${link}`);
      else if (!anchor && statSync(join(root, file)).isDirectory() && !existsSync(join(root, file, 'README.md'))) broken.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('the files that the pages for developers name are there', () => {
  const files = listed().split('\n');
  const missing = [];
  for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/performance.md']) {
    for (const [, name] of read(page).matchAll(/`(?:node |cargo )?([\w./-]+\.(?:rs|js|ts|mjs|sh|json|sql|txt|yml|md))`/g)) {
      if (!name.startsWith('target/') && !files.some((file) => file === name || file.endsWith(`/${name}`))) missing.push(`${page}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('the functions that the walks of ARCHITECTURE.md name are there', () => {
  const [, walks] = /^## Five walks\n(.*?)^## /ms.exec(read('ARCHITECTURE.md'));
  const names = new Set([...walks.matchAll(/`(?:\w+::)?([a-z_]{4,})`/g)].map(([, name]) => name));
  const rust = new Set(execFileSync('git', ['grep', '-hoE', 'fn [a-z_]+', '--', '*.rs'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n'));
  assert.ok(names.size >= 40, `${names.size}`);
  assert.deepEqual(
    [...names].filter((name) => !rust.has(`fn ${name}`)),
    ['schemas', 'stamped_hash'],
  );
});

test('the picture of the crates is that of cargo', () => {
  const [found, made] = pictured();
  assert.ok(made.includes('core/gateway --> core/log'));
  assert.equal(found, made, 'node scripts/picture.mjs draws it anew');
});

test('the reference tables are those of the code', () => {
  for (const { path, found, made } of references()) {
    assert.ok(found.includes('made by node scripts/reference.mjs'), path);
    assert.equal(found, made, `${path}: node scripts/reference.mjs makes it anew`);
  }
  const kept = execFileSync('git', ['grep', '-hoE', '(counter|gauge|histogram)!\\("[a-z_]+"', '--', 'server/src'], { cwd: root, encoding: 'utf8' });
  const names = new Set([...kept.matchAll(/"(.*)"/g)].map(([, name]) => name));
  assert.deepEqual([...names].sort(), figures.map(([name]) => name).sort(), 'FIGURES in server/src/metrics.rs');
});

test('every invariant is a sentence in the file of a test or of a lint', () => {
  const found = invariants();
  assert.ok(found.length >= 50, `${found.length}`);
  for (const { file, text } of found) {
    assert.match(text, /^[`\p{Lu}].*\.$/su, file);
    assert.match(file, /tests?\b|bench|clippy\.toml|Cargo\.toml|build\.rs/, text);
  }
});
