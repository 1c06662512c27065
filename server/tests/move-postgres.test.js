// `move`: stores of D1, of objects and of the server are moved to PostgreSQL and to SQLite, with breaks, and give the same answers there.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { connect } from '../../scripts/postgres.ts';
import { PROGRAM, startServer } from '../../scripts/server.ts';
import { answer, answers, epc, grown } from '../../worker/tests/moved.js';
import { documentOf, event, open } from '../../worker/tests/store.js';
import { programs, startPostgres } from './postgres-server.js';

const { missing } = programs();
const options = { skip: missing ?? false, timeout: 600_000 };
const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'epcis-server-move-'));
after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const OPERATOR_KEY = 'the key of an operator, of more than 32 letters';
const BASE_URL = 'https://epcis.example.com';
const bindings = { BASE_URL, RATE_LIMIT: 'off', LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey };
const events = (first, count, more) => documentOf(Array.from({ length: count }, (_, n) => event(epc(first + n), more)));
const feedOf = 'events?orderBy=recordTime&orderDirection=ASC&perPage=2000';

let postgres;
before(async () => {
  if (!missing) postgres = await startPostgres();
});
let databases = 0;
/** The settings of a new database. */
async function database() {
  const client = await connect(postgres.address('postgres'));
  databases += 1;
  await client.query(`CREATE DATABASE moved_${databases}`);
  await client.end();
  return { DATABASE: postgres.address(`moved_${databases}`), DATA: join(scratch, `postgres-${databases}`) };
}
const folder = () => ({ DATA: mkdtempSync(join(scratch, 'sqlite-')) });

function run(env, ...args) {
  const { status, stdout, stderr } = spawnSync(PROGRAM, args, { encoding: 'utf8', cwd: scratch, env });
  return { status, out: stdout.trim(), err: stderr.trim() };
}
/** Moves, and is killed again and again: each time it goes on where it was. Returns how often it was. */
async function moved(env, ...args) {
  for (let breaks = 0; ; breaks += 1) {
    const mover = spawn(PROGRAM, ['move', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const name of ['stdout', 'stderr']) mover[name].on('data', (chunk) => (said += chunk));
    const closed = once(mover, 'close');
    const [status, signal] = await Promise.race([closed, setTimeout(300 + 200 * breaks).then(() => mover.kill('SIGKILL') && closed)]);
    if (signal === 'SIGKILL') continue;
    // It may have been killed behind its end.
    if (breaks > 0 && said.includes('the database has accounts')) return breaks;
    assert.equal(status, 0, said);
    assert.match(said, /^\d+ rows are moved and compared$/m);
    return breaks;
  }
}
/** The rows of an export, without those that follow from others. */
function exported(env) {
  const to = join(scratch, `${Math.random()}.ndjson`);
  const { status, err } = run(env, 'export', '--to', to);
  assert.equal(status, 0, err);
  const lines = readFileSync(to, 'utf8').trim().split('\n').slice(0, -2);
  return { to, rows: lines.filter((line) => !/"table":"(account_heads|grown)"/.test(line)) };
}
function assertRows(found, expected) {
  const at = expected.findIndex((row, n) => row !== found[n]);
  assert.deepEqual([found.length, found[at]?.slice(0, 500)], [expected.length, expected[at]?.slice(0, 500)]);
}
async function inServer(env, use) {
  const server = await startServer({ persistTo: env.DATA, bindings: { ...bindings, ...(env.DATABASE ? { DATABASE: env.DATABASE } : {}) } });
  const capture = (document, key) =>
    answer(server, 'capture', key, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) });
  try {
    return await use({ ...server, capture });
  } finally {
    await server.end();
  }
}
const listed = ({ text }) => (text === '' ? [] : JSON.parse(text).epcisBody.queryResults.resultsBody.eventList.map(({ eventID }) => eventID));

/** A store of D1 or of objects with some of everything, its documents in a folder, and what it answered. */
async function filled(name, options) {
  const persistTo = join(scratch, name, 'v3');
  const gateway = await open({ persistTo, bindings: { ...bindings, OPERATOR_KEY }, ...options });
  try {
    const long = event(epc(999), { 'https://ex.example/note': 'ü'.repeat(450_000) });
    const place = { id: 'https://id.gs1.org/414/9521141000009', attributes: [{ id: 'urn:x:name', attribute: 'A place' }], children: ['urn:x:child'] };
    const masterData = {
      epcisHeader: { epcisMasterData: { vocabularyList: [{ type: 'urn:epcglobal:epcis:vtype:BusinessLocation', vocabularyElementList: [place] }] } },
    };
    const { events: captured } = await gateway.ask('capture', { document: { ...events(0, 300), ...masterData } });
    const other = await gateway.makeKey({ account: 'https://example.com/accounts/2' });
    await gateway.ask('capture', { document: events(0, 10) }, other);
    await grown(gateway, 310);
    const reader = await gateway.makeKey({ account: 'https://example.com/accounts/3', readable: '*' });
    const { feed } = await answer(gateway, feedOf, reader);
    await gateway.ask('capture', { document: events(200, 250, { action: 'DELETE', bizStep: 'shipping' }) });
    await gateway.ask('capture', { document: documentOf([...events(0, 3).epcisBody.eventList, { ...event(epc(4)), eventID: 'urn:x:again' }, long]) });
    await gateway.ask('capture', { document: events(10, 10) }, other);
    await grown(gateway, 571);
    const query = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: 'mine', query: { EQ_action: ['DELETE'] } }) };
    assert.equal((await answer(gateway, 'queries', gateway.key, query)).status, 201);
    const later = listed(await answer(gateway, `${feedOf}&feedCursor=${encodeURIComponent(feed)}`, reader));
    const { eventID } = captured[4];
    const documents = join(scratch, name, 'documents');
    mkdirSync(documents);
    const { results } = await gateway.database.prepare('SELECT DISTINCT document FROM events').all();
    for (const { document } of results) writeFileSync(join(documents, document), Buffer.from(await gateway.documents.get(document, 'arrayBuffer')));
    const told = { keys: [gateway.key, other, reader], eventID, feed, later: later.sort(), answers: await answers(gateway, gateway.key, eventID) };
    const objects = join(scratch, name, 'objects.ndjson');
    if (options.store === 'objects') {
      const program = spawn(process.execPath, ['scripts/export.ts', '--gateway', gateway.address.href, '--to', objects], {
        cwd: root,
        env: { ...process.env, OPERATOR_KEY },
        stdio: 'ignore',
      });
      assert.deepEqual(await once(program, 'close'), [0, null]);
    }
    return { ...told, documents, objects, where: join(persistTo, 'd1/miniflare-D1DatabaseObject') };
  } finally {
    await gateway.dispose();
  }
}
const sqliteIn = (where) =>
  join(
    where,
    readdirSync(where).find((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite'),
  );

/** Checks that a server answers what the store answered before, and goes on from there. */
async function assertSame(env, told) {
  const [key, other, reader] = told.keys;
  await inServer(env, async (server) => {
    assert.deepEqual(await answers(server, key, told.eventID), told.answers);
    // A feed goes on: nothing is missed, nothing comes twice.
    const since = await answer(server, `${feedOf}&feedCursor=${encodeURIComponent(told.feed)}`, reader);
    assert.deepEqual(listed(since).sort(), told.later);
    assert.equal((await server.capture(events(0, 10), other)).status, 202);
    assert.equal((await server.capture(events(5000, 20), other)).status, 202);
    await grown(server, 591);
    for (const from of [since.feed, told.feed]) {
      const more = listed(await answer(server, `${feedOf}&feedCursor=${encodeURIComponent(from)}`, reader));
      assert.equal(more.length, 20 + (from === told.feed ? told.later.length : 0));
    }
    const state = join(scratch, `${Math.random()}.json`);
    const audit = spawn(process.execPath, ['wasm/js/cli/cli.ts', 'audit', server.address.href, '--state', state, '--json'], { cwd: root });
    let said = '';
    for (const name of ['stdout', 'stderr']) audit[name].on('data', (chunk) => (said += chunk));
    assert.deepEqual(await once(audit, 'close'), [0, null], said);
  });
}

test('a store of D1 is moved to PostgreSQL and to SQLite, and from server to server', options, async () => {
  const told = await filled('d1', {});
  const from = ['--from', sqliteIn(told.where)];
  const over = await database();
  const lost = run(over, 'move', ...from);
  assert.deepEqual([lost.status, /documents are missing, such as [0-9a-f]{64}/.test(lost.err)], [1, true], lost.err);
  assert.match(run({ ...over, ...bindings, LISTEN: '127.0.0.1:0' }).err, /a store is being moved into the database/);
  assert.match(run(over, 'move', '--from', exported(over).to).err, /another store is being moved|no place for the table moving/);
  await moved(over, ...from, '--documents', told.documents);
  const first = exported(over).rows;
  assert.match(run(over, 'move', ...from).err, /the database has accounts: a store is moved into an empty one/);

  const inFolder = folder();
  const breaks = await moved(inFolder, ...from, '--documents', told.documents);
  const again = await database();
  const more = await moved(again, '--from', exported(inFolder).to);
  assertRows(exported(again).rows, first);
  const third = await database();
  const last = await moved(third, '--from', exported(over).to);
  assertRows(exported(third).rows, first);
  assert.ok(breaks + more + last > 3, `broken off ${[breaks, more, last]} times`);
  assert.match(run(folder(), 'move', '--from', exported(over).to).err, /2 accounts with numbers of their own/);

  await assertSame(third, told);
  await assertSame(inFolder, told);
});

test('a store of objects is moved to PostgreSQL', options, async () => {
  const told = await filled('objects', { store: 'objects' });
  const over = await database();
  assert.match(run(over, 'move', '--from', told.objects).err, /the database with the keys of the objects is missing/);
  await moved(over, '--from', told.objects, '--from', sqliteIn(told.where), '--documents', told.documents);
  await assertSame(over, told);
});

test('the store of one account goes from PostgreSQL to SQLite and back, as it was', options, async () => {
  const over = await database();
  await inServer(over, async ({ capture }) => {
    const create = ['keys', 'create', '--account', 'https://example.com/accounts/1', '--observer', 'urn:x:me'];
    const key = run(over, ...create).out;
    assert.equal((await capture(events(0, 30), key)).status, 202);
    assert.equal((await capture(events(20, 20), key)).status, 202);
  });
  const before = exported(over);
  const inFolder = folder();
  await moved(inFolder, '--from', before.to);
  const back = await database();
  await moved(back, '--from', exported(inFolder).to);
  assertRows(exported(back).rows, before.rows);
});

test('an export over PostgreSQL is of one moment while captures go on', options, async () => {
  const over = await database();
  await inServer(over, async ({ capture }) => {
    const key = run(over, 'keys', 'create', '--account', 'https://example.com/accounts/1', '--observer', 'urn:x:me').out;
    let isOver = false;
    const captures = Array.from({ length: 8 }, async (_, sender) => {
      for (let n = 0; !isOver; n += 1) assert.equal((await capture(events(10_000 * sender + 10 * n, 10), key)).status, 202);
    });
    await setTimeout(300);
    const to = join(scratch, 'meanwhile.ndjson');
    const program = spawn(PROGRAM, ['export', '--to', to], { env: over, stdio: 'ignore' });
    assert.deepEqual(await once(program, 'close'), [0, null]);
    isOver = true;
    await Promise.all(captures);
    assert.match(run(over, 'export', '--check', to).out, /^\d+ rows, all as they were written$/);
    const count = (table) => readFileSync(to, 'utf8').match(new RegExp(`"table":"${table}"`, 'g'))?.length ?? 0;
    const [jobs, stored, parts] = ['capture_jobs', 'events', 'event_parts'].map(count);
    assert.ok(jobs > 0);
    assert.deepEqual([stored, parts], [10 * jobs, 10 * jobs]);
  });
});
