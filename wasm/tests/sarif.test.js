// Checks the output of `--format sarif` against the published schema of SARIF 2.1.0. The compiler checks it against types generated
// from that schema. Everything that types cannot express is checked here, by clause of the standard.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
// In the repository, so that the types are found.
const typed = fileURLToPath(new URL('../../target/sarif/', import.meta.url));

const event = (more) => ({ type: 'ObjectEvent', eventTime: '2026-01-01T00:00:00+01:00', eventTimeZoneOffset: '+01:00', ...more });
const document = (eventList) => ({ type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-01-01T00:00:00Z', epcisBody: { eventList } });

function logOf(args, input, cwd) {
  const { stdout, stderr } = spawnSync(process.execPath, [cli, 'check', '--format', 'sarif', ...args], { input, cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

/**
 * Logs with everything that the command reports: files by relative and absolute paths, XML, a repeated name, more findings than are
 * listed.
 */
function logs() {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-sarif-'));
  const save = (name, text) => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const twice = event({ eventID: 'urn:uuid:404d95fc-9457-4a51-bd6a-0bba133845a8', epcList: ['urn:epc:id:sgtin:9521141.12345.1', 'a'] });
  const names = [
    save('odd #1?: %.json', JSON.stringify(document([twice, twice]))),
    save('plain.xml', '<ObjectEvent>\n<epcList><epc>urn:epc:id:sgtin:9521141.12345.1</epc></epcList></ObjectEvent>'),
    save('a:b.json', JSON.stringify(twice)),
  ];
  const many = document(Array.from({ length: 40_000 }, () => event({ epcList: ['a'] })));
  return {
    'relative paths': logOf(names, '', folder),
    'absolute paths': logOf(
      names.map((name) => join(folder, name)),
      '',
      folder,
    ),
    'standard input, more than is listed': logOf(['-'], JSON.stringify(many), folder),
    'nothing found': logOf(['-'], JSON.stringify(document([])), folder),
  };
}

const made = logs();

/** The compiler's errors for a log. */
function complaints(log) {
  mkdirSync(typed, { recursive: true });
  const file = join(mkdtempSync(typed), 'log.ts');
  writeFileSync(file, `import type { Log } from 'sarif';\nexport const log: Log = ${JSON.stringify(log, undefined, 1)};\n`);
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2022', '--ignoreConfig'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, ...options, file], { encoding: 'utf8' });
  return status === 0 ? '' : stdout + stderr;
}

/** The same log with few results: enough for the compiler to check each kind of object. */
const short = (log) => ({ ...log, runs: log.runs.map((run) => ({ ...run, results: run.results.slice(0, 50) })) });

test('the types of the published schema take it', () => {
  for (const [name, log] of Object.entries(made)) assert.equal(complaints(short(log)), '', name);
  // The compiler would report errors.
  const broken = (change) => {
    const log = structuredClone(short(made['relative paths']));
    change(log.runs[0].results[0], log.runs[0]);
    return complaints(log);
  };
  assert.match(
    broken((result) => (result.level = 'hint')),
    /hint/,
  );
  assert.match(
    broken((result) => (result.severity = 'error')),
    /severity/,
  );
  assert.match(
    broken((_, run) => delete run.tool.driver.name),
    /name/,
  );
});

test('what the types cannot say holds, too', () => {
  let results = 0;
  for (const [name, { $schema, version, runs }] of Object.entries(made)) {
    assert.equal(version, '2.1.0', '3.13.2');
    assert.ok(URL.canParse($schema), '3.13.3');
    assert.equal(runs.length, 1, '3.13.4');
    const [{ tool, results: found, invocations }] = runs;
    const { rules } = tool.driver;
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length, '3.19.23: no rule twice');
    for (const rule of rules) assert.ok(rule.shortDescription.text.length > 0 && rule.help.text.length > 0, '3.12.4');
    for (const { ruleId, ruleIndex, message, locations, relatedLocations = [] } of found) {
      assert.equal(rules[ruleIndex]?.id, ruleId, '3.27.6');
      assert.ok(message.text.length > 0, '3.11.8');
      assert.equal(locations.length, 1, '3.27.12');
      for (const { physicalLocation } of [...locations, ...relatedLocations]) {
        const { uri } = physicalLocation.artifactLocation;
        // RFC 3986, without a fragment or a query. None of our paths has one.
        assert.match(uri, /^([\w.~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+$/, `3.4.3: ${uri}`);
        const { startLine, startColumn } = physicalLocation.region;
        assert.ok(Number.isInteger(startLine) && startLine > 0 && Number.isInteger(startColumn) && startColumn > 0, '3.30.5, 3.30.6');
      }
      results += 1;
    }
    const isCut = name.includes('more than is listed');
    assert.equal(invocations !== undefined, isCut, `3.20: ${name}`);
    if (isCut) assert.match(invocations[0].toolExecutionNotifications[0].message.text, /^\d+ more findings/, '3.58');
  }
  assert.ok(results > 1000);
  const uris = (name) => new Set(made[name].runs[0].results.map(({ locations }) => locations[0].physicalLocation.artifactLocation.uri));
  assert.deepEqual(uris('relative paths'), new Set(['./odd%20%231%3F:%20%25.json', 'plain.xml', './a:b.json']), '3.4.3');
  assert.ok(
    [...uris('absolute paths')].every((uri) => uri.startsWith('file:///')),
    '3.10.1',
  );
  assert.ok(
    made['relative paths'].runs[0].results.some(({ relatedLocations }) => relatedLocations?.length === 1),
    '3.27.22',
  );
});
