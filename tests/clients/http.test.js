// The official clients over HTTP, with the gateway in workerd.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { send } from '../../worker/tests/gateway.js';
import { startGateway } from './gateway.js';
import { bytes, check, messages } from './messages.js';
import { python } from './python.js';
import { tell } from './story.js';

const TOOLS = ['capture', 'query', 'get_event', 'trace', 'translate', 'resolve', 'subscribe', 'prove', 'follow', 'report', 'master_data'];
const INFO = { name: 'epcis-edge-tests', version: '1' };
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

let gateway;
const scratch = mkdtempSync(join(tmpdir(), 'epcis-clients-'));
before(async () => {
  gateway = await startGateway();
});
after(async () => {
  await gateway?.dispose();
  rmSync(scratch, { recursive: true });
});

const authorised = (key) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } });

/** Runs a program to its end. Returns its exit code and output. */
function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

for (const [index, message] of messages.entries()) {
  if (!message.http) continue;
  test(`message ${index}: ${message.note}`, async () => {
    const headers = { 'content-type': 'application/json', ...message.headers };
    const answer = await send(gateway.address, { method: 'POST', path: '/mcp', headers }, bytes(message));
    const text = answer.body.toString('utf8');
    assert.equal(answer.status, message.http.status, text);
    for (const [name, value] of Object.entries(message.http.headers ?? {})) assert.equal(answer.headers[name] ?? null, value, name);
    check(message, message.http, text === '' ? undefined : text);
  });
}

test('the story, through the TypeScript client', async () => {
  const { key, ...owner } = await gateway.newOwner();
  const client = new Client(INFO);
  const transport = new StreamableHTTPClientTransport(gateway.url, authorised(key));
  await client.connect(transport);
  assert.equal(transport.protocolVersion, '2025-06-18');
  assert.equal(client.getServerVersion().name, 'epcis-edge');
  await client.ping();
  // A client checks results against the output schemas only after it has requested the list.
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    TOOLS,
  );
  const call = (name, args) => client.callTool({ name, arguments: args });
  await tell({ call, trace: 'trace', isRemote: true, ...owner });
  await client.close();
});

test('without a key: the list is the same, keyed tools refuse, the others answer', async () => {
  const client = new Client(INFO);
  await client.connect(new StreamableHTTPClientTransport(gateway.url));
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    TOOLS,
  );
  for (const name of ['capture', 'query', 'get_event', 'trace', 'follow', 'report', 'master_data']) {
    const { isError, structuredContent } = await client.callTool({ name, arguments: {} });
    assert.equal(isError, true);
    assert.deepEqual(
      [structuredContent.type, structuredContent.title, structuredContent.status],
      ['epcisException:SecurityException', 'Unauthorised request', 401],
    );
  }
  const { structuredContent } = await client.callTool({ name: 'translate', arguments: { xml: '<a/>' } });
  assert.equal(structuredContent.status, 400);
  await client.close();
});

for (const [mode, expected] of [
  ['legacy', '2025-06-18'],
  ['auto', '2026-07-28'],
  [{ pin: '2026-07-28' }, '2026-07-28'],
]) {
  test(`the story, through the second TypeScript client: ${JSON.stringify(mode)}`, async () => {
    const { key, ...owner } = await gateway.newOwner();
    const client = new ModernClient(INFO, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(gateway.url, authorised(key)));
    assert.equal(client.getNegotiatedProtocolVersion(), expected);
    if (mode === 'legacy') await client.ping();
    else await assert.rejects(client.ping());
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      TOOLS,
    );
    const call = (name, args) => client.callTool({ name, arguments: args });
    await tell({ call, trace: 'trace', isRemote: true, ...owner });
    await client.close();
  });
}

test('the Python client', async (t) => {
  const interpreter = await python(t);
  if (!interpreter) return;
  for (const [mode, version] of [
    ['auto', '2026-07-28'],
    ['legacy', '2025-06-18'],
  ]) {
    const { key } = await gateway.newOwner();
    const { code, stdout, stderr } = await run(interpreter, [here('client.py'), 'http', mode, gateway.url.href, key]);
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(JSON.parse(stdout), { version, tools: TOOLS, refused: 'epcisException:QueryParameterException', empty: 'EMPTY' });
  }
});

const inspector = join(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json'), '../clients/launcher/build/index.js');

/** Runs the Inspector's command line on the gateway. */
async function inspect(...args) {
  const all = [inspector, '--cli', gateway.url.href, '--transport', 'http', ...args, '--format', 'json'];
  return run(process.execPath, all, { HOME: scratch });
}

test('the Inspector finds nothing wrong with the tools, in either era', async () => {
  for (const era of [[], ['--protocol-era', 'modern']]) {
    const { code, stdout, stderr } = await inspect('--method', 'tools/list', '--strict', ...era);
    assert.equal(code, 0, stdout + stderr);
    for (const name of TOOLS) assert.ok(stdout.includes(`"${name}"`), name);
  }
  assert.equal((await inspect('--method', 'initialize')).code, 0);
});

test('the Inspector calls: refused without a key, answered with one', async () => {
  const args = ['--method', 'tools/call', '--tool-name', 'trace', '--tool-args-json', '{"epc":"urn:epc:id:sgtin:9521141.012345.7"}'];
  const refused = await inspect(...args);
  assert.equal(refused.code, 5, refused.stdout + refused.stderr);
  assert.match(refused.stdout, /epcisException:SecurityException/);
  const { key } = await gateway.newOwner();
  const answered = await inspect('--header', `Authorization: Bearer ${key}`, ...args);
  assert.equal(answered.code, 0, answered.stdout + answered.stderr);
  assert.match(answered.stdout, /EMPTY/);
});

for (const version of ['2025-06-18', '2025-11-25', '2026-07-28']) {
  test(`the conformance suite, ${version}`, async () => {
    const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
    const args = [join(suite, '../dist/index.js'), 'server', '--url', gateway.url.href, '--suite', 'all', '--spec-version', version];
    const expected = ['--expected-failures', here('conformance-baseline.yml'), '-o', join(scratch, version)];
    const { code, stdout, stderr } = await run(process.execPath, [...args, ...expected]);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Baseline check passed/);
  });
}
