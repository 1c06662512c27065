// The commands of the server, and its figures.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { PROGRAM, startServer } from '../../scripts/server.ts';
import { freePort } from '../../worker/tests/port.js';
import { documentOf, event, open, walk } from '../../worker/tests/store.js';
import { figures } from './figures.js';

process.env.EPCIS_EDGE_STORE = 'server';
const scratch = mkdtempSync(join(tmpdir(), 'epcis-server-commands-'));
const METRICS = `127.0.0.1:${await freePort()}`;
let store;
before(async () => {
  store = await open({ persistTo: join(scratch, 'data'), bindings: { METRICS } });
  await store.ask('capture', { document: documentOf(Array.from({ length: 40 }, (_, n) => event(`urn:x:${n}`))) });
});
after(async () => {
  await store?.dispose();
  rmSync(scratch, { recursive: true });
});

/** Runs a command over a folder. Returns the status and what it printed. */
function run(args, { data = store.data, env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(PROGRAM, args, { encoding: 'utf8', cwd: scratch, env: { DATA: data, ...env } });
  return { status, out: stdout.trim(), err: stderr.trim() };
}
function works(...args) {
  const { status, out, err } = run(args);
  assert.equal(status, 0, err);
  return out;
}

test('keys are made, listed and revoked while the server runs', async () => {
  const account = 'https://example.com/accounts/made';
  const key = works('keys', 'create', '--account', account, '--observer', 'urn:x:me', '--rights', 'query', '--read', '*', '--note', 'a reader');
  const [, id] = /^epcis_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/.exec(key);
  assert.equal((await walk(store, {}, key)).length, 40);
  assert.match(works('keys', 'list'), new RegExp(`${id} {2}in force {2}query\\n {2}account {3}${account}\\n {2}observer {2}urn:x:me\\n {2}reads {5}\\*\\n`));
  assert.equal(works('keys', 'revoke', id), `the key ${id} is revoked`);
  assert.match(works('keys', 'list'), new RegExp(`${id} {2}revoked 20`));
  await assert.rejects(walk(store, {}, key));
  for (const [args, told] of [
    [['create', '--account', 'x', '--observer', 'urn:x:me'], /--account must be a URI/],
    [['create', '--account', account], /--observer/],
    [['create', '--account', account, '--observer', 'urn:x:me', '--rights', 'write'], /there is no right 'write', expected capture or query/],
    [['revoke', 'x'], /the id of a key is 12 hexadecimal digits/],
    [['revoke', '000000000000'], /there is no key 000000000000/],
  ]) {
    const { status, err } = run(['keys', ...args]);
    assert.notEqual(status, 0);
    assert.match(err, told);
  }
  assert.match(run(['keys', 'list'], { data: join(scratch, 'none') }).err, /is not there: start the server once, or name its folder with --data/);
});

test('an export has every row, and its check finds a changed, a missing and a cut line', () => {
  const file = join(scratch, 'all.ndjson');
  const [, rows] = /^(\d+) rows are in /.exec(works('export', '--to', file));
  assert.equal(works('export', '--check', file), `${rows} rows, all as they were written`);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, Number(rows) + 2);
  assert.equal(lines.filter((line) => JSON.parse(line).table === 'events').length, 40);
  assert.equal(lines.filter((line) => JSON.parse(line).table === 'documents').length, 1);
  // The command of objects reads it, too.
  const other = spawnSync(process.execPath, ['scripts/export.ts', '--check', file], { encoding: 'utf8', cwd: new URL('../..', import.meta.url) });
  assert.equal(other.stdout.trim(), `${rows} rows, all as they were written`);
  for (const broken of [lines.with(5, lines[5].replace('"row":{', '"row":{"x":1,')), lines.toSpliced(7, 1), lines.slice(0, -1)]) {
    writeFileSync(join(scratch, 'broken.ndjson'), `${broken.join('\n')}\n`);
    assert.match(run(['export', '--check', join(scratch, 'broken.ndjson')]).err, /does not fit|the last line is missing/);
  }
  assert.match(run(['export', '--to', file]).err, /is there already/);
  assert.match(run(['export']).err, /--to|--check/);
});

test('a backup of a running server is a store', async () => {
  const data = join(scratch, 'restored');
  mkdirSync(data);
  works('backup', join(data, 'store.sqlite'));
  cpSync(join(store.data, 'documents'), join(data, 'documents'), { recursive: true });
  cpSync(join(store.data, 'log.key'), join(data, 'log.key'));
  assert.match(run(['backup', join(data, 'store.sqlite')]).err, /is there already/);
  const restored = await open({ persistTo: data });
  try {
    assert.deepEqual(
      (await walk(restored, {}, store.key)).map(({ eventID }) => eventID),
      (await walk(store, {})).map(({ eventID }) => eventID),
    );
  } finally {
    await restored.dispose();
  }
});

test('migrate makes the tables, refuses a folder in use, and a database of a later version', () => {
  const data = join(scratch, 'new');
  assert.match(run(['migrate'], { data }).out, /store\.sqlite has the version 1$/);
  assert.equal(run(['keys', 'list'], { data }).out, 'there are no keys');
  assert.match(run(['migrate']).err, /is used by another server/);
  const script = "const { DatabaseSync } = require('node:sqlite'); new DatabaseSync(process.argv[1]).exec('PRAGMA user_version = 99')";
  spawnSync(process.execPath, ['-e', script, join(data, 'store.sqlite')]);
  assert.match(run(['migrate'], { data }).err, /the database has the version 99, and this program knows 1: it needs a later program/);
  appendFileSync(join(scratch, 'text'), 'no database');
  mkdirSync(join(scratch, 'wrong'));
  cpSync(join(scratch, 'text'), join(scratch, 'wrong/store.sqlite'));
  assert.equal(run(['migrate'], { data: join(scratch, 'wrong') }).status, 1);
});

test('move says what it takes, and where a line of an export has another form', () => {
  const from = (text) => {
    const file = join(scratch, 'from');
    writeFileSync(file, text);
    return run(['move', '--from', file], { data: join(scratch, 'moved') }).err;
  };
  assert.match(from('sequence,event\n1,x\n'), /from is neither an export nor a database of SQLite$/);
  assert.match(from('{"objects"\n'), /from: line 1 does not fit the form of a row, \{"object":…,"table":…,"row":\{…\}\}, or of a sum$/);
});

test('keys of the log are made and shown', async () => {
  const [skey, vkey] = works('log', 'new-key', 'epcis.example.com/log').split('\n');
  const made = makeLogKey('log', 'epcis.example.com/log');
  assert.deepEqual(
    [skey, vkey].map((text) => text.length),
    [made.skey, made.vkey].map((text) => text.length),
  );
  assert.equal(run(['log', 'keys'], { env: { LOG_KEY: `${made.skey} ${skey}` } }).out, `${made.vkey}\n${vkey}`);
  assert.match(
    works('log', 'new-key', 'w.example.com/w', '--witness'),
    /^PRIVATE\+KEY\+w\.example\.com\/w\+[0-9a-f]{8}\+B[^\n]*\nw\.example\.com\/w\+[0-9a-f]{8}\+B/,
  );
  const policy = await (await fetch(new URL('log/policy', store.address))).text();
  assert.ok(policy.startsWith(`log ${works('log', 'keys')} `), policy);
  assert.match(run(['log', 'new-key', 'a b']).err, /the name of a key is a b/);
});

test('the log has the name of the gateway, and a start that is refused makes no key', async () => {
  const data = join(scratch, 'named');
  assert.match(run([], { data, env: { LISTEN: '127.0.0.1:0', BASE_URL: 'epcis.example.com' } }).err, /BASE_URL must be the address/);
  await (await startServer({ persistTo: data, bindings: { BASE_URL: 'https://epcis.example.com/' } })).end();
  assert.match(run(['log', 'keys'], { data }).out, /^epcis\.example\.com\/log\+/);
});

test('healthy asks the server that runs', async () => {
  const LISTEN = store.address.host;
  assert.deepEqual(run(['healthy'], { env: { LISTEN } }), { status: 0, out: 'ready', err: '' });
  assert.equal(run(['healthy'], { env: { LISTEN: `127.0.0.1:${await freePort()}` } }).status, 1);
});

test('TLS is spoken with the files that are given, and healthy speaks it, too', async (t) => {
  const [TLS_KEY, TLS_CERTIFICATE] = ['key.pem', 'certificate.pem'].map((name) => join(scratch, name));
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject, '-keyout', TLS_KEY, '-out', TLS_CERTIFICATE];
  if (spawnSync('openssl', made).status !== 0) return t.skip('needs openssl');
  const server = await startServer({ bindings: { TLS_CERTIFICATE, TLS_KEY } });
  try {
    const answer = await new Promise((resolve, reject) => {
      https.get(server.address, { ca: readFileSync(TLS_CERTIFICATE) }, resolve).on('error', reject);
    });
    answer.resume();
    assert.deepEqual([server.address.protocol, answer.statusCode], ['https:', 200]);
    const env = { LISTEN: server.address.host, TLS_CERTIFICATE, TLS_KEY };
    assert.deepEqual(run(['healthy'], { env }), { status: 0, out: 'ready', err: '' });
    assert.equal(run(['healthy'], { env: { LISTEN: server.address.host } }).status, 1);
  } finally {
    await server.end();
  }
});

test('the first start makes a demo key and shows it, once', async () => {
  const data = join(scratch, 'demo');
  const first = spawnSync('timeout', ['-s', 'INT', '2', PROGRAM], { encoding: 'utf8', env: { PATH: process.env.PATH, DATA: data, LISTEN: '127.0.0.1:0' } });
  assert.match(first.stdout, /\n {2}export KEY=epcis_[0-9a-f]{12}_/);
  const second = await startServer({ persistTo: data });
  await second.end();
  assert.match(run(['keys', 'list'], { data }).out, /made by the first start/);
});

test('every figure of the dashboard is there', async () => {
  const text = await figures(METRICS, (name) => !name.includes('connections'));
  assert.match(text, /^epcis_edge_requests_total\{door="mcp",status="200"\} [1-9]/m);
  assert.match(text, /^epcis_edge_captured_events_total 40$/m);
  assert.equal((await fetch(`http://${METRICS}/`)).status, 404);
});

test('behind a proxy each caller has a limit of its own, and a header that nobody named says nothing', async () => {
  const statuses = async (bindings) => {
    const server = await startServer({ bindings: { RATE_LIMIT: 'on', RATE_UNITS: '1', ...bindings } });
    const ask = async (from) => {
      const headers = { 'content-type': 'application/json', 'x-real-ip': from };
      return (await fetch(new URL('validate', server.address), { method: 'POST', headers, body: '{}' })).status;
    };
    const found = [];
    for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '2001:db8::1', '2001:db8::2']) found.push(await ask(from));
    await server.end();
    return found;
  };
  assert.deepEqual(await statuses({ ADDRESS_HEADER: 'x-real-ip' }), [200, 200, 429, 200, 429]);
  assert.deepEqual(await statuses({}), [200, 429, 429, 429, 429]);
});
