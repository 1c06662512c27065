// A server over PostgreSQL as its operator sees it: whether it is ready, its figures, the key of the log, and TLS to the database.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { connect } from '../../scripts/postgres.ts';
import { startServer } from '../../scripts/server.ts';
import { freePort } from '../../worker/tests/port.js';
import { documentOf, event, open } from '../../worker/tests/store.js';
import { figures } from './figures.js';
import { owner, programs, startPostgres } from './postgres-server.js';

process.env.EPCIS_EDGE_STORE = 'postgres';
const { missing } = programs();
const options = { skip: missing ?? false };
const scratch = mkdtempSync(join(tmpdir(), 'epcis-server-operated-'));
after(() => rmSync(scratch, { recursive: true }));

test('a server is ready while its database answers, and has every figure of the dashboard', options, async () => {
  const postgres = await startPostgres();
  process.env.EPCIS_EDGE_POSTGRES = postgres.address('');
  const METRICS = `127.0.0.1:${await freePort()}`;
  const store = await open({ bindings: { METRICS } });
  const ready = async () => (await fetch(new URL('readyz', store.address))).status;
  try {
    await store.ask('capture', { document: documentOf([event('urn:x:1'), event('urn:x:2')]) });
    const text = await figures(METRICS);
    assert.match(text, /^epcis_edge_captured_events_total 2$/m);
    assert.match(text, /^epcis_edge_queue 0$/m);
    assert.match(text, /^epcis_edge_commit_seconds_count [1-9]/m);
    assert.match(text, /^epcis_edge_connections\{pool="capture"\} 0$/m);
    assert.equal(await ready(), 200);
    await postgres.kill();
    assert.equal(await ready(), 503);
    assert.equal((await fetch(new URL('healthz', store.address))).status, 200);
    await postgres.start();
    for (let n = 0; (await ready()) !== 200; n += 1) {
      assert.ok(n < 100);
      await setTimeout(100);
    }
    await store.ask('capture', { document: documentOf([event('urn:x:3')]) });
  } finally {
    await store.dispose();
    await postgres.kill();
  }
});

test('a server with another key of the log than its database is refused, unless it says whose place the key takes', options, async () => {
  const postgres = await startPostgres();
  const DATABASE = postgres.address('postgres');
  const [one, other] = [1, 2].map(() => makeLogKey('log', 'epcis.example.com/log'));
  const serve = async (bindings) => (await startServer({ bindings: { DATABASE, ...bindings } })).end();
  try {
    const first = await startServer({ bindings: { DATABASE, LOG_KEY: one.skey } });
    await assert.rejects(serve({ LOG_KEY: other.skey }), /the log in the database is signed by another key than LOG_KEY, epcis\.example\.com\/log\+/);
    await assert.rejects(serve({ LOG_KEY: makeLogKey('log', 'other.example.com/log').skey }), /the store has the log .*epcis\.example\.com\/log/);
    // The key that a folder makes.
    await assert.rejects(serve({}), /the store has the log .*epcis\.example\.com\/log/);
    await serve({ LOG_KEY: one.skey });
    await serve({ LOG_KEY: `${one.skey} ${other.skey}` });
    await first.end();
    await serve({ LOG_KEY: other.skey, LOG_KEY_BEFORE: one.vkey });
    // Of two that begin at once over an empty database, one is refused.
    const administrator = await connect(DATABASE);
    await administrator.query('CREATE DATABASE empty');
    await administrator.end();
    const both = [one, other].map(({ skey }) => serve({ DATABASE: postgres.address('empty'), LOG_KEY: skey }));
    const statuses = (await Promise.allSettled(both)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), ['fulfilled', 'rejected']);
  } finally {
    await postgres.kill();
  }
});

test('TLS to the database is verified, by the name and by who vouches for it', options, async (t) => {
  const file = (name) => join(scratch, name);
  const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (spawnSync('openssl', ['version']).status !== 0) return t.skip('needs openssl');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-subj', '/CN=authority', '-keyout', file('authority.key'), '-out', file('authority.pem'));
  const of = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE'];
  const by = ['-CA', file('authority.pem'), '-CAkey', file('authority.key')];
  openssl('req', '-x509', ...key, ...by, '-subj', '/CN=database', ...of, '-keyout', file('server.key'), '-out', file('server.pem'));
  chmodSync(scratch, 0o755);
  chmodSync(file('server.key'), 0o600);
  const { uid, gid } = owner();
  if (uid !== undefined) chownSync(file('server.key'), uid, gid);
  const postgres = await startPostgres({ settings: { ssl: 'on', ssl_cert_file: file('server.pem'), ssl_key_file: file('server.key') } });
  const DATABASE_CERTIFICATES = file('authority.pem');
  const LOG_KEY = makeLogKey('log', 'epcis.example.com/log').skey;
  const start = (mode, { host = '127.0.0.1', ...bindings } = {}) =>
    startServer({ bindings: { DATABASE: `${postgres.address('postgres').replace('127.0.0.1', host)}${mode}`, LOG_KEY, ...bindings } });
  try {
    const client = await connect(postgres.address('postgres'));
    const isEncrypted = async () => {
      const { rows } = await client.query(
        "SELECT DISTINCT s.ssl FROM pg_stat_ssl AS s JOIN pg_stat_activity AS a USING (pid) WHERE a.application_name = 'epcis-edge-server'",
      );
      return rows.map(({ ssl }) => ssl);
    };
    for (const [mode, expected] of [
      ['?sslmode=require', true],
      ['?sslmode=verify-full', true],
      ['', true],
      ['?sslmode=disable', false],
    ]) {
      const server = await start(mode, { DATABASE_CERTIFICATES });
      assert.deepEqual(await isEncrypted(), [expected], mode);
      await server.end();
    }
    await client.end();
    for (const mode of ['?sslmode=require', '?sslmode=verify-full', '']) await assert.rejects(start(mode), /UnknownIssuer/);
    await assert.rejects(start('?sslmode=require', { host: 'localhost', DATABASE_CERTIFICATES }), /NotValidForName/);
    await assert.rejects(start('?sslmode=require', { DATABASE_CERTIFICATES: file('server.key') }), /server\.key: no certificate/);
    await assert.rejects(start('?sslmode=require', { DATABASE_CERTIFICATES: file('none.pem') }), /none\.pem/);
  } finally {
    await postgres.kill();
  }
});
