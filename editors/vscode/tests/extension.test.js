// The extension as it is built. Its server is run as VS Code runs it; its client is only loaded, with a stand-in for VS Code's module.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PACKS } from '../../../wasm/js/engine/answers.ts';
import { settingsOf } from '../../../wasm/lsp/settings.ts';
import { Client, textIn } from '../../../wasm/tests/lsp-client.js';

const folder = fileURLToPath(new URL('../', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const misspelt = readFileSync(join(root, 'tests/vectors/validate/cbv-word-misspelt/input.json'), 'utf8');

/** The extension as it is installed: the files that are packaged, in a folder without the repository. */
const installed = mkdtempSync(join(tmpdir(), 'epcis-edge-vscode-'));
after(() => rmSync(installed, { recursive: true, force: true }));
for (const name of ['package.json', 'dist']) cpSync(join(folder, name), join(installed, name), { recursive: true });

test('package.json: the files are there, and the version is that of the package', () => {
  assert.ok(existsSync(join(folder, manifest.main)), 'run `make build`');
  assert.equal(manifest.version, JSON.parse(readFileSync(join(root, 'wasm/package.json'), 'utf8')).version);
  // Everything is bundled, as `vsce package --no-dependencies` demands.
  assert.deepEqual([manifest.dependencies, manifest.devDependencies, manifest.scripts], [undefined, undefined, undefined]);
  const { engines } = JSON.parse(readFileSync(join(root, 'node_modules/vscode-languageclient/package.json'), 'utf8'));
  assert.equal(manifest.engines.vscode, engines.vscode);
});

test('package.json: it starts with the languages whose documents the server gets', () => {
  const source = readFileSync(join(folder, 'src/extension.ts'), 'utf8');
  const [, languages] = /const DOCUMENTS = \[([^\]]*)\]/.exec(source);
  assert.deepEqual(
    manifest.activationEvents,
    languages.split(', ').map((language) => `onLanguage:${language.slice(1, -1)}`),
  );
});

test('package.json: the settings are those of the server', () => {
  const { properties } = manifest.contributes.configuration;
  assert.deepEqual(Object.keys(properties), ['epcisEdge.packs']);
  const { default: usual, anyOf } = properties['epcisEdge.packs'];
  assert.deepEqual(settingsOf({ packs: usual }), settingsOf(undefined));
  assert.deepEqual(anyOf[1].items.enum, PACKS);
  assert.deepEqual(settingsOf({ packs: anyOf[0].const }), { packs: 'auto' });
});

test('the bundled server judges JSON and XML, away from the repository', async () => {
  const client = new Client([process.execPath, join(installed, 'dist/server.mjs'), '--stdio', `--clientProcessId=${process.pid}`]);
  try {
    const { serverInfo } = await client.initialize({ epcisEdge: { packs: 'auto' } });
    assert.deepEqual(serverInfo, { name: 'epcis-edge', version: manifest.version });
    const found = await client.judged('file:///a.json', misspelt);
    assert.deepEqual(
      found.slice(0, 3).map(({ code, range }) => [code, textIn(misspelt, range)]),
      [
        ['anyOf', '"shiping"'],
        ['anyOf', '"in_transitt"'],
        ['identifiers/check-digit', '"https://id.gs1.org/01/09521141001231/21/A1"'],
      ],
    );
    const xml = readFileSync(join(root, 'docs/profiles-dscsa.xml'), 'utf8').replace('<action>ADD<', '<action>WATCH<');
    const codes = (await client.judged('file:///a.xml', xml, 'xml')).map(({ code }) => code);
    assert.ok(codes.includes('cvc-enumeration-valid'), codes.join());
    assert.equal(await client.end(), 0);
  } finally {
    client.stop();
  }
});

test('the client loads, and has the two functions of an extension', () => {
  // Any member of the stand-in is a class whose members are such, too: nothing is started with it.
  const anything = () => new Proxy(class {}, { get: (target, name) => (Object.hasOwn(target, name) || name === 'prototype' ? target[name] : anything()) });
  const require = createRequire(import.meta.url);
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? anything() : load(name, ...rest));
  try {
    const { activate, deactivate } = require(join(installed, manifest.main));
    assert.deepEqual([typeof activate, typeof deactivate], ['function', 'function']);
    assert.equal(deactivate(), undefined);
  } finally {
    Module._load = load;
  }
});

test('the licences of what is bundled are with it', () => {
  const licences = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
  for (const name of ['vscode-languageclient', 'vscode-languageserver', 'vscode-jsonrpc', '@lezer/json', 'semver', 'minimatch'])
    assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, `, 'm'));
});
