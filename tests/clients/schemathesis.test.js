// schemathesis: requests made from our own OpenAPI description, right and wrong, against the gateway in workerd; a bounded number.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { documentOf, event, open } from '../../worker/tests/store.js';

const PACKAGE = 'schemathesis==4.32.5';
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const home = here('../../target/schemathesis/');
const run = promisify(execFile);

/** Its command, in an environment of its own; without a registry the test is skipped, unless EPCIS_EDGE_REQUIRE_PEERS is 1. */
async function schemathesis(t) {
  try {
    if (!existsSync(`${home}ready`)) {
      await run('python3', ['-m', 'venv', '--clear', home]);
      await run(`${home}bin/python`, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE]);
      await run('touch', [`${home}ready`]);
    }
    return `${home}bin/st`;
  } catch (error) {
    if (process.env.EPCIS_EDGE_REQUIRE_PEERS === '1') throw error;
    t.skip(`${PACKAGE} could not be installed: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}

let store;
before(async () => {
  store = await open();
  const events = Array.from({ length: 40 }, (_, n) => event(`urn:epc:id:sgtin:0614141.112345.${n}`, { bizStep: 'shipping' }));
  await store.ask('capture', { document: documentOf(events) });
});
after(() => store?.dispose());

// A 501 says that something is not served: a fault of the server to this tool.
const NOT_SERVED = ['subscribe', 'unsubscribe', 'releasePageToken'];
// These have an address of their own, without the prefix.
const ELSEWHERE = ['index', 'topLevelResources', 'optionsOfPrefix'];
const CHECKS = ['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_headers_conformance', 'response_schema_conformance'];

test('what it makes of the description is answered as the description says', async (t) => {
  const command = await schemathesis(t);
  if (!command) return;
  const scratch = mkdtempSync(join(tmpdir(), 'epcis-schemathesis-'));
  t.after(() => rmSync(scratch, { recursive: true }));
  const excluded = [...NOT_SERVED, ...ELSEWHERE].flatMap((id) => ['--exclude-operation-id', id]);
  const { code = 0, stdout } = await run(
    command,
    [
      'run',
      here('../../core/src/rest/openapi.json'),
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
      process.env.EPCIS_EDGE_EXAMPLES ?? '10',
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
