// The bills of materials: valid by the schema of the CycloneDX version that they name, and complete.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import CycloneDX from '@cyclonedx/cyclonedx-library';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-sbom-'));
const FILES = ['crates.cdx.json', 'npm.cdx.json'];
const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const bom = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const { version } = json('package.json');

before(() => {
  execFileSync(join(root, 'scripts/sbom.sh'), [folder], { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'inherit'] });
});
after(() => rmSync(folder, { recursive: true }));

test('both are written, and are valid by the official schema of their version', async () => {
  assert.deepEqual(readdirSync(folder).sort(), FILES);
  for (const file of FILES) {
    const { specVersion } = bom(file);
    const validator = new CycloneDX.Validation.JsonStrictValidator(specVersion);
    assert.equal(await validator.validate(readFileSync(join(folder, file), 'utf8')), null, file);
    // The validator accepts no bill without what the standard requires.
    const { bomFormat, ...rest } = bom(file);
    assert.equal(bomFormat, 'CycloneDX');
    assert.notEqual(await validator.validate(JSON.stringify(rest)), null);
  }
});

test('both say what they are about, when they were made, and how everything is connected', () => {
  for (const file of FILES) {
    const { metadata, serialNumber, components, dependencies } = bom(file);
    assert.equal(metadata.component.version, version);
    assert.match(serialNumber, /^urn:uuid:/);
    assert.ok(Number.isFinite(Date.parse(metadata.timestamp)), file);
    const known = new Set([metadata.component, ...components].map((component) => component['bom-ref']));
    assert.equal(known.size, components.length + 1, 'each has a name of its own');
    const reached = new Set([metadata.component['bom-ref']]);
    const needs = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
    for (const ref of reached) for (const needed of needs.get(ref) ?? []) reached.add(needed);
    assert.deepEqual([...reached].sort(), [...known].sort(), `${file}: everything is there because something needs it`);
  }
});

test('the crates: what Cargo.toml of the product names and what that needs, as locked', () => {
  const { components } = bom('crates.cdx.json');
  const metadata = JSON.parse(execFileSync('cargo', ['metadata', '--locked', '--format-version=1'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }));
  const names = new Set(components.map(({ name }) => name));
  const macros = new Set(metadata.packages.filter(({ targets }) => targets.some(({ kind }) => kind.includes('proc-macro'))).map(({ name }) => name));
  let direct = 0;
  for (const name of ['epcis-edge-core', 'epcis-edge-wasm', 'epcis-edge-worker']) assert.ok(names.has(name), name);
  for (const name of [...names].filter((one) => one.startsWith('epcis-edge-'))) {
    for (const { name: needed, kind, optional, target } of metadata.packages.find((one) => one.name === name).dependencies) {
      // Procedural macros write code and are in no file.
      if (kind !== null || optional || target !== null || macros.has(needed)) continue;
      assert.ok(names.has(needed), `${name} needs ${needed}`);
      direct += 1;
    }
  }
  assert.ok(direct > 20, `${direct}`);
  for (const ofTests of ['proptest', 'rusqlite', 'epcis-edge-tests', 'thiserror-impl']) assert.ok(!names.has(ofTests), ofTests);
  const locked = readFileSync(join(root, 'Cargo.lock'), 'utf8');
  for (const { name, version: ofCrate, hashes: [hash] = [], licenses, purl, scope } of components) {
    assert.deepEqual([purl, scope], [`pkg:cargo/${name}@${ofCrate}`, 'required']);
    const [, entry] = locked.split(`name = "${name}"\nversion = "${ofCrate}"\n`);
    assert.ok(entry, `${name} ${ofCrate} is locked`);
    if (name.startsWith('epcis-edge-')) continue;
    assert.equal(hash.alg, 'SHA-256');
    assert.equal(hash.content, /^source = .*\nchecksum = "(.*)"/.exec(entry)[1]);
    assert.equal(licenses?.length, 1, `${name} has a licence`);
  }
});

test('the packages from npm: all that package-lock.json has, what only builds and tests marked', () => {
  const { components } = bom('npm.cdx.json');
  const isForDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === 'cdx:npm:package:development');
  const found = new Map(components.map((component) => [component.purl, component]));
  const packages = Object.entries(json('package-lock.json').packages).filter(([path, { link }]) => path !== '' && !link);
  const shipped = new Set();
  const wanted = new Set();
  for (const [path, { name = path.replace(/^.*node_modules\//, ''), version: ofPackage, dev = false }] of packages) {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${ofPackage}`;
    wanted.add(purl);
    if (!dev) shipped.add(purl);
    assert.ok(found.has(purl), purl);
  }
  assert.deepEqual([...found.keys()].sort(), [...wanted].sort());
  for (const [purl, component] of found) if (shipped.has(purl)) assert.ok(!isForDevelopment(component), purl);
  const { dependencies, devDependencies } = json('package.json');
  const versionsOf = (list) => Object.entries(list).map(([name, ofPackage]) => `pkg:npm/${name.replace('@', '%40')}@${ofPackage}`);
  for (const purl of versionsOf(dependencies)) assert.equal(found.get(purl).scope, 'required', purl);
  for (const purl of versionsOf(devDependencies)) if (!shipped.has(purl)) assert.ok(isForDevelopment(found.get(purl)), purl);
});
