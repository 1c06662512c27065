// The official clients over standard input and output, with `epcis-edge mcp`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { bytes, check, messages } from './messages.js';
import { python } from './python.js';
import { tell } from './story.js';

const TOOLS = [
  'capture',
  'query',
  'get_event',
  'trace_epc',
  'translate',
  'prove',
  'follow',
  'report',
  'master_data',
  'validate',
  'check',
  'hash',
  'verify',
  'to_xml',
  'identifier',
];
const INFO = { name: 'epcis-edge-tests', version: '1' };
const cli = fileURLToPath(new URL('../../wasm/js/cli/cli.ts', import.meta.url));
const OWNER = { account: 'https://example.com/accounts/1', observer: 'https://id.gs1.org/417/9521141000009' };
const ENVIRONMENT = { ...process.env, EPCIS_EDGE_ACCOUNT: OWNER.account, EPCIS_EDGE_OBSERVER: OWNER.observer };
const COMMAND = { command: process.execPath, args: [cli, 'mcp'], env: ENVIRONMENT };

/** Runs the process with this input. Resolves to its output, its log and its exit code. */
function converse(input, env = ENVIRONMENT) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, 'mcp'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const out = [];
    let log = '';
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (text) => (log += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: Buffer.concat(out).toString('utf8').split('\n').slice(0, -1), log }));
    child.stdin.end(input);
  });
}

for (const [index, message] of messages.entries()) {
  if (!message.stdio) continue;
  test(`message ${index}: ${message.note}`, async () => {
    const line = bytes(message);
    assert.ok(!line.includes(10), 'one line');
    const { code, lines, log } = await converse(Buffer.concat([line, Buffer.from('\n')]));
    assert.equal(code, 0, log);
    assert.equal(log, '');
    assert.ok(lines.length <= 1);
    check(message, message.stdio, lines[0]);
  });
}

test('all messages in one process: answers in order, and it stays alive after each bad one', async () => {
  const served = messages.filter(({ stdio }) => stdio);
  const input = served.flatMap((message, index) => [bytes(message), Buffer.from(index % 2 ? '\n' : '\r\n\n  \n')]);
  const { code, lines } = await converse(Buffer.concat(input));
  assert.equal(code, 0);
  const answered = served.filter(({ stdio }) => stdio.text !== undefined || stdio.reply !== null);
  assert.equal(lines.length, answered.length);
  answered.forEach((message, index) => check(message, message.stdio, lines[index]));
});

test('a last line without its end is answered too; no input ends at once', async () => {
  const { lines } = await converse('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  assert.deepEqual(lines, ['{"jsonrpc":"2.0","id":1,"result":{}}']);
  const nothing = await converse('');
  assert.deepEqual([nothing.code, nothing.lines, nothing.log], [0, [], '']);
});

test('a line that is too long is refused, and the next one answered', async () => {
  const { lines } = await converse(`${' '.repeat(64 * 1024 * 1024)}x\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
  assert.equal(JSON.parse(lines[0]).error.code, -32600);
  assert.equal(lines[1], '{"jsonrpc":"2.0","id":1,"result":{}}');
});

test('a variable that is no URI is wrong usage', async () => {
  const { code, lines, log } = await converse('', { ...ENVIRONMENT, EPCIS_EDGE_OBSERVER: 'me' });
  assert.deepEqual([code, lines], [2, []]);
  assert.match(log, /EPCIS_EDGE_OBSERVER must be a URI, not me/);
  const namespace = await converse('', { ...ENVIRONMENT, EPCIS_EDGE_NAMESPACE: 'https://a.example/x' });
  assert.equal(namespace.code, 2);
  assert.match(namespace.log, /must end in/);
});

test('the story, through the TypeScript client', async () => {
  const client = new Client(INFO);
  await client.connect(new StdioClientTransport(COMMAND));
  assert.equal(client.getServerVersion().name, 'epcis-edge');
  await client.ping();
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    TOOLS,
  );
  const call = (name, args) => client.callTool({ name, arguments: args });
  await tell({ call, trace: 'trace_epc', isRemote: false, ...OWNER });
  await client.close();
});

for (const [mode, expected] of [
  ['legacy', '2025-06-18'],
  ['auto', '2026-07-28'],
  [{ pin: '2026-07-28' }, '2026-07-28'],
]) {
  test(`the story, through the second TypeScript client: ${JSON.stringify(mode)}`, async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(COMMAND));
    assert.equal(client.getNegotiatedProtocolVersion(), expected);
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      TOOLS,
    );
    const call = (name, args) => client.callTool({ name, arguments: args });
    await tell({ call, trace: 'trace_epc', isRemote: false, ...OWNER });
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
    const answer = await new Promise((resolve, reject) => {
      const script = fileURLToPath(new URL('client.py', import.meta.url));
      const child = spawn(interpreter, [script, 'stdio', mode, process.execPath, cli], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
      let stdout = '';
      child.stdout.on('data', (text) => (stdout += text));
      child.on('error', reject);
      child.on('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`exit code ${code}: ${stdout}`))));
    });
    assert.deepEqual(JSON.parse(answer), { version, tools: TOOLS, refused: 'epcisException:QueryParameterException', empty: 'EMPTY' });
  }
});
