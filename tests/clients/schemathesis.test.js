// schemathesis sends a bounded number of valid and invalid requests, generated from an OpenAPI description, to the gateway in
// workerd. First from our own description, which must match, then from the official one of the standard. official-openapi.json
// lists the differences from that one.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { countIn, isOn } from '../../scripts/given.ts';
import { documentOf, event, open } from '../../worker/tests/store.js';

// Pins the packages that generate requests and check answers too, so that new versions change nothing.
const PACKAGES = ['schemathesis==4.32.5', 'hypothesis==6.170.15', 'jsonschema_rs==0.60.3'];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const home = here('../../target/schemathesis/');
const run = promisify(execFile);

/**
 * The path of the command, in a separate environment. Without a registry the test is skipped, unless EPCIS_EDGE_REQUIRE_PEERS is 1.
 */
async function schemathesis(t) {
  try {
    const ready = `${home}${PACKAGES.join(',')}`;
    if (!existsSync(ready)) {
      await run('python3', ['-m', 'venv', '--clear', home]);
      await run(`${home}bin/python`, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]);
      await run('touch', [ready]);
    }
    return `${home}bin/st`;
  } catch (error) {
    if (isOn('EPCIS_EDGE_REQUIRE_PEERS')) throw error;
    t.skip(`${PACKAGES[0]} could not be installed: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}

/** A separate gateway for each description, so that neither sees the other's captures. */
async function gateway(t) {
  const store = await open();
  t.after(() => store.dispose());
  const events = Array.from({ length: 40 }, (_, n) => event(`urn:epc:id:sgtin:0614141.112345.${n}`, { bizStep: 'shipping' }));
  await store.ask('capture', { document: documentOf(events) });
  return store;
}

// They answer 501 because they are not implemented, which this tool takes for a server fault.
const NOT_SERVED = ['subscribe', 'unsubscribe', 'releasePageToken'];
// These are served without the prefix.
const ELSEWHERE = ['index', 'topLevelResources', 'optionsOfPrefix'];
const CHECKS = ['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_headers_conformance', 'response_schema_conformance'];

test('what it makes of the description is answered as the description says', async (t) => {
  const command = await schemathesis(t);
  if (!command) return;
  const store = await gateway(t);
  const scratch = mkdtempSync(join(tmpdir(), 'epcis-schemathesis-'));
  t.after(() => rmSync(scratch, { recursive: true }));
  const excluded = [...NOT_SERVED, ...ELSEWHERE].flatMap((id) => ['--exclude-operation-id', id]);
  const { code = 0, stdout } = await run(
    command,
    [
      'run',
      here('../../www/public/openapi.json'),
      '--url',
      new URL('/epcis', store.address).href,
      '-H',
      `Authorization: Bearer ${store.key}`,
      '--include-tag',
      'EPCIS 2.0 REST binding',
      ...excluded,
      '-c',
      CHECKS.join(','),
      '-n',
      String(countIn('EPCIS_EDGE_EXAMPLES', 10)),
      '--seed',
      '1',
      '--phases',
      'examples,coverage,fuzzing',
      '--continue-on-failure',
      '--warnings',
      'off',
    ],
    { cwd: scratch, maxBuffer: 1 << 26 },
  ).catch((error) => error);
  assert.equal(code, 0, stdout?.slice(-6000));
  const [, cases] = stdout.match(/(\d+) generated/) ?? assert.fail(stdout.slice(-3000));
  assert.ok(Number(cases) > 1000, `only ${cases} requests`);
  t.diagnostic(`${cases} requests`);
});

const vectors = process.env.EPCIS_EDGE_VECTORS ?? here('../../../shared/vectors');
const official = join(vectors, '../official/rest/openapi.json');

// The phase `coverage` generates every case of a description: thousands for whole documents, the same for each of seven lists of
// events, and the same for all OPTIONS. For these, only the examples and random cases of the other phases are used.
const FEWER = `
[[operations]]
include-method = "OPTIONS"
phases.coverage.enabled = false

[[operations]]
include-path-regex = "^/(eventTypes|epcs|bizSteps|bizLocations|readPoints|dispositions)/.*/events$"
phases.coverage.enabled = false

[[operations]]
include-name = ["POST /capture", "POST /events"]
phases.coverage.enabled = false
`;

/** The differences between the official description and our answers: `[{ operation, check, status, says }]`, each once. */
function differencesIn(report) {
  const found = new Map();
  let cases = 0;
  for (const line of report.trimEnd().split('\n')) {
    const recorder = JSON.parse(line).ScenarioFinished?.recorder;
    if (!recorder) continue;
    cases += Object.keys(recorder.cases ?? {}).length;
    for (const [id, checks] of Object.entries(recorder.checks ?? {})) {
      for (const { name: check, status: outcome, failure_info: info } of checks) {
        if (outcome === 'success') continue;
        const status = recorder.interactions[id]?.response?.status_code;
        const difference = { operation: recorder.label, check, status, says: info.failure.message.split('\n')[0] };
        found.set(JSON.stringify([difference.operation, check, status, difference.says]), difference);
      }
    }
  }
  return { cases, found: [...found.values()] };
}

test('the official description is answered as it says, but for the differences that are listed', async (t) => {
  if (!existsSync(official)) {
    if (isOn('EPCIS_EDGE_REQUIRE_VECTORS')) assert.fail(`${official} is not there`);
    t.skip(`${official} is not there`);
    return;
  }
  const command = await schemathesis(t);
  if (!command) return;
  const { adaptations, differences } = JSON.parse(readFileSync(here('official-openapi.json'), 'utf8'));
  const description = JSON.parse(readFileSync(official, 'utf8'));
  for (const { schema, without } of adaptations) {
    const adapted = description.components.schemas[schema];
    assert.ok(without in adapted, `${schema} has no ${without} any more: its adaptation is to go`);
    delete adapted[without];
  }
  // It has no references to other documents.
  const references = JSON.stringify(description).match(/"\$ref":"[^"]*"/g);
  assert.deepEqual(
    references.filter((reference) => !reference.startsWith('"$ref":"#/')),
    [],
  );
  const store = await gateway(t);
  const scratch = mkdtempSync(join(tmpdir(), 'epcis-official-'));
  t.after(() => rmSync(scratch, { recursive: true }));
  writeFileSync(join(scratch, 'official.json'), JSON.stringify(description));
  writeFileSync(join(scratch, 'schemathesis.toml'), FEWER);
  const options = [
    '--seed',
    '1',
    '--generation-deterministic',
    '--suppress-health-check',
    'all',
    '--continue-on-failure',
    '--warnings',
    'off',
    '--report',
    'ndjson',
    '--report-ndjson-path',
    'report.ndjson',
  ];
  const address = ['--url', new URL('/epcis', store.address).href, '-H', `Authorization: Bearer ${store.key}`];
  const bounds = ['-c', CHECKS.join(','), '-n', '2', '--phases', 'examples,coverage,fuzzing'];
  // The command fails, because there are differences.
  const { code, stdout } = await run(command, ['run', 'official.json', ...address, ...bounds, ...options], { cwd: scratch, maxBuffer: 1 << 26 }).catch(
    (error) => error,
  );
  assert.ok(existsSync(join(scratch, 'report.ndjson')), `${code}: ${stdout?.slice(-3000)}`);
  const { cases, found } = differencesIn(readFileSync(join(scratch, 'report.ndjson'), 'utf8'));
  t.diagnostic(`${cases} requests, ${found.length} answers in other words than the official description's`);
  assert.ok(cases > 2000, `only ${cases} requests: ${stdout?.slice(-3000)}`);
  const isOf = (difference, one) => difference.check === one.check && difference.status === one.status && new RegExp(difference.says).test(one.says);
  const covers = (listed, operation) => (listed.endsWith('*') ? operation.startsWith(listed.slice(0, -1)) : listed === operation);
  const isNew = (one) => !differences.some((difference) => isOf(difference, one) && difference.operations.some((listed) => covers(listed, one.operation)));
  assert.deepEqual(found.filter(isNew), [], 'differences that are not listed');
  const isGone = (difference) => (listed) => !found.some((one) => isOf(difference, one) && covers(listed, one.operation));
  const gone = differences.flatMap((difference) => difference.operations.filter(isGone(difference)).map((listed) => [listed, difference.because]));
  assert.deepEqual(gone, [], 'differences that are listed, and are no more');
});
