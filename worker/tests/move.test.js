// `npm run move`: the store of a real gateway over D1 is moved to PostgreSQL with interruptions, and gives the same answers from
// there.
// Invariant: A store moved from D1 to PostgreSQL, with interruptions, gives the same answers as before, byte for byte.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeLogKey } from '../../scripts/log-keys.mjs';
import { connect, likeD1 } from '../../scripts/postgres.mjs';
import { postgresDatabase } from './gateway.js';
import { answer, answers, epc, grown } from './moved.js';
import { programs } from './postgres-server.js';
import { documentOf, event, open } from './store.js';

const { missing } = programs();
const skip = missing ?? false;

const root = fileURLToPath(new URL('../..', import.meta.url));
const state = mkdtempSync(join(tmpdir(), 'epcis-move-test-'));
after(() => rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const persistTo = join(state, 'v3');
const bindings = {
  LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey,
};
const events = (first, count, more) => documentOf(Array.from({ length: count }, (_, n) => event(epc(first + n), more)));

/** The arguments for moving that store into a database. */
const command = (database, more) => ['scripts/move.mjs', '--from', 'd1', '--to', 'postgres', '--state', state, '--database', database, ...more];
const move = (database, ...more) => spawnSync(process.execPath, command(database, more), { cwd: root, encoding: 'utf8' });

/** The answers of the gateway over D1, and the keys. */
let told;
before(async () => {
  if (missing) return;
  const gateway = await open({ persistTo, bindings });
  try {
    const long = event(epc(999), { 'https://ex.example/note': 'ü'.repeat(450_000) });
    const { events: captured } = await gateway.ask('capture', { document: events(0, 300) });
    await grown(gateway, 300);
    await gateway.ask('capture', { document: events(200, 250, { action: 'DELETE', bizStep: 'shipping' }) });
    // Known events, and one stored in several pieces.
    await gateway.ask('capture', { document: documentOf([...events(0, 3).epcisBody.eventList, long]) });
    const other = await gateway.makeKey({ account: 'https://example.com/accounts/2' });
    await gateway.ask('capture', { document: events(0, 10) }, other);
    await grown(gateway, 561);
    const headers = { 'content-type': 'application/json' };
    const named = await answer(gateway, 'queries', gateway.key, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'mine', query: { EQ_action: ['DELETE'] } }),
    });
    assert.equal(named.status, 201, named.text);
    const { eventID } = captured[4];
    told = { key: gateway.key, other, eventID, answers: await answers(gateway, gateway.key, eventID) };
  } finally {
    await gateway.dispose();
  }
});

test('a store is moved with breaks, and served as it was', { skip, timeout: 600_000 }, async (t) => {
  const { verifyProof } = await import('../../wasm/js/proof/node.ts');
  const { direct, address, end } = await postgresDatabase();
  t.after(end);
  // The first run stops in the middle of the events. The second is killed in the middle of their texts, or stops after 80 pages if
  // this process is too slow to kill it.
  const begun = move(direct, '--rows', '40', '--pages', '5');
  assert.equal(begun.status, 3, begun.stderr);
  const killed = spawn(process.execPath, command(direct, ['--rows', '10', '--pages', '80']), { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of killed.stdout) {
    said += chunk;
    if (said.includes('event_parts: 20 of')) break;
  }
  killed.kill('SIGKILL');
  if (killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit');
  const half = await connect(direct);
  t.after(() => half.end());
  const { rows } = await half.query(
    'SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM event_texts) AS parts, (SELECT count(*) FROM keys) AS keys',
  );
  assert.equal(rows[0].events, 561);
  assert.ok(rows[0].parts >= 20 && rows[0].parts < 561, `${rows[0].parts} texts`);
  assert.equal(rows[0].keys, 0, 'nobody is served from half a store');
  const again = move(direct, '--rows', '100');
  assert.equal(again.status, 0, again.stderr);
  assert.match(again.stdout, /^events: 561 rows are the same$/m);
  assert.match(again.stdout, /^561 events hashed again/m);
  // A further run finds nothing to do.
  const idle = move(direct);
  assert.equal(idle.status, 0, idle.stderr);

  const hold = { persistTo, hyperdrive: address, database: likeD1(half) };
  const held = await open({ ...hold, bindings: { ...bindings, READ_ONLY: 'on' } });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(event(epc(5000)));
  try {
    assert.deepEqual(await answers(held, told.key, told.eventID), told.answers);
    const refused = await answer(held, 'events', told.key, { method: 'POST', headers, body });
    assert.equal(refused.status, 503, refused.text);
    assert.ok(Number(refused.retryAfter) > 0);
    assert.equal((await answer(held, 'events?perPage=1', told.other)).status, 200);
    const stored = (await answer(held, `events/${encodeURIComponent(told.eventID)}`, told.key)).text;
    const verdict = verifyProof(
      new TextEncoder().encode(stored),
      (await answer(held, `log/proof?event=${encodeURIComponent(told.eventID)}`, told.key)).text,
      (await answer(held, 'log/policy')).text,
    );
    assert.equal(verdict.valid, true, JSON.stringify(verdict.steps));
  } finally {
    await held.dispose();
  }
  const gateway = await open({ ...hold, bindings });
  try {
    const audit = () =>
      spawnSync(process.execPath, ['wasm/js/cli/cli.ts', 'audit', gateway.address.href, '--state', join(state, 'audit.json'), '--json'], {
        cwd: root,
        encoding: 'utf8',
      });
    const first = audit();
    assert.equal(first.status, 0, first.stderr);
    // Known events stay known, and a new one gets a later number.
    const known = await gateway.ask('capture', { document: events(0, 1) }, told.key);
    assert.equal(known.events[0].duplicate, true, JSON.stringify(known));
    const captured = await answer(gateway, 'events', told.key, { method: 'POST', headers, body });
    assert.equal(captured.status, 201, captured.text);
    const numbers = await half.query('SELECT max(sequence) AS newest, (SELECT max(sequence) FROM capture_jobs) AS job FROM events');
    // The capture of a known event was sent twice, because it found more than it expected. The first attempt also took a number for
    // the event, and one for the job.
    assert.deepEqual(numbers.rows, [{ newest: 563, job: 7 }]);
    await grown(gateway, 562);
    const grownFrom = audit();
    assert.equal(grownFrom.status, 0, grownFrom.stderr);
    assert.deepEqual([JSON.parse(grownFrom.stdout).oldSize, JSON.parse(grownFrom.stdout).size], [561, 562]);
  } finally {
    await gateway.dispose();
  }
  // The store in PostgreSQL has grown, so the store in D1 is no longer its continuation.
  const late = move(direct);
  assert.equal(late.status, 1);
  assert.match(late.stderr, /events, sequence 563 is only in PostgreSQL[\s\S]*what to do: move into an empty database/);
});

test('a database that has something else is refused, with the place', { skip, timeout: 300_000 }, async (t) => {
  const { direct, database, end } = await postgresDatabase();
  t.after(end);
  await database.prepare("INSERT INTO accounts (number, account) VALUES (1, 'https://example.com/accounts/9')").run();
  const { status, stderr } = move(direct);
  assert.equal(status, 1);
  assert.match(stderr, /accounts, number 1 is different[\s\S]*what to do: /);
  assert.equal(await database.prepare('SELECT count(*) AS n FROM events').first('n'), 0);
});

test('a row that was changed is found by comparing, and by hashing', { skip, timeout: 300_000 }, async (t) => {
  const { direct, database, end } = await postgresDatabase();
  t.after(end);
  assert.equal(move(direct).status, 0);
  await database.prepare('ALTER TABLE event_blocks DISABLE TRIGGER USER').run();
  await database.prepare("UPDATE event_blocks SET texts[2] = replace(texts[2], 'OBSERVE', 'DELETE') WHERE last = 31").run();
  const { status, stderr } = move(direct);
  assert.equal(status, 1);
  assert.match(stderr, /event_parts, piece 17000 is different/);
});

test('a deployed store is asked through wrangler', { skip, timeout: 600_000 }, async (t) => {
  const { direct, database, end } = await postgresDatabase();
  t.after(end);
  // The real wrangler, with the deployed database replaced by the local one.
  const real = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');
  const standIn = join(state, 'wrangler.mjs');
  writeFileSync(
    standIn,
    `#!${process.execPath}
import { spawnSync } from 'node:child_process';
const args = process.argv.slice(2);
const at = args.indexOf('--remote');
if (args[at + 1] !== '--config') throw new Error(args.join(' '));
args.splice(at, 3, '--local', '--persist-to', ${JSON.stringify(state)});
process.exitCode = spawnSync(process.execPath, [${JSON.stringify(real)}, ...args], { stdio: 'inherit' }).status;
`,
    { mode: 0o755 },
  );
  const deployment = join(state, 'move-test.json');
  t.after(() => rmSync(join(root, 'worker/move-test.wrangler.json'), { force: true }));
  writeFileSync(deployment, JSON.stringify({ name: 'epcis-edge', database: { name: 'epcis-edge', id: 'd-0' }, documents: { name: 'documents', id: 'n-0' } }));
  const args = ['scripts/move.mjs', '--from', 'd1', '--to', 'postgres', '--database', direct, '--remote', '--deployment', deployment, '--pages', '3'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { ...process.env, WRANGLER: standIn } });
  assert.equal(status, 3, stderr);
  const counts = await database.prepare('SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM event_texts) AS parts').first();
  // One event has three pieces.
  assert.deepEqual(counts, { events: 561, parts: 563 });
  // The rows that came through wrangler are the right ones.
  const rest = move(direct);
  assert.equal(rest.status, 0, rest.stderr);
});

test('a text that is no longer that of its event is found, though both stores have it', { skip, timeout: 300_000 }, async (t) => {
  const { direct, database, end } = await postgresDatabase();
  t.after(end);
  const folder = join(persistTo, 'd1/miniflare-D1DatabaseObject');
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite');
  const d1 = new DatabaseSync(join(folder, file));
  t.after(() => d1.close());
  d1.exec('DROP TRIGGER event_parts_never_change');
  const { text } = d1.prepare('SELECT text FROM event_parts WHERE piece = 17000').get();
  const other = text.replace('"OBSERVE"', '"DELETE"');
  d1.prepare('UPDATE event_parts SET text = ? WHERE piece = 17000').run(other);
  const spoilt = move(direct);
  assert.equal(spoilt.status, 1);
  assert.match(spoilt.stderr, /the text of the event 17 is not the one that was stored/);
  // If its length is adapted everywhere, its event hash reveals the change.
  d1.exec('DROP TRIGGER events_never_change');
  d1.prepare('UPDATE events SET bytes = ? WHERE sequence = 17').run(Buffer.byteLength(other));
  await database.prepare('ALTER TABLE events DISABLE TRIGGER USER').run();
  await database.prepare('UPDATE events SET bytes = ? WHERE sequence = 17').bind(Buffer.byteLength(other)).run();
  const mended = move(direct);
  assert.equal(mended.status, 1);
  assert.match(mended.stderr, /the event 17 does not have the hash under which it was stored/);
});

test('what cannot be moved is refused, with what to do', () => {
  for (const [args, sentence] of [
    [[], /--from d1 --to postgres/],
    [['--from', 'postgres', '--to', 'd1'], /expected --from d1 --to objects or --to postgres/],
    [['--from', 'd1', '--to', 'objects'], /--gateway must be the address/],
    [['--from', 'd1', '--to', 'postgres', '--database', 'postgres://x/y', '--gateway', 'https://x'], /--gateway needs --to objects/],
    [['--from', 'd1', '--to', 'postgres', '--database', 'mysql://x'], /must be an address that begins with postgres/],
    [['--from', 'd1', '--to', 'postgres', '--database', 'postgres://x/y', '--rows', '0'], /--rows must be a number/],
    [['--from', 'd1', '--to', 'postgres', '--database', 'postgres://x/y', '--remote', '--state', 'x'], /exclude each other/],
    [['--from', 'd1', '--to', 'postgres', '--database', 'postgres://x/y', '--state', join(state, 'none')], /what to do: name the folder/],
    [['--no-such-option'], /Unknown option/],
  ]) {
    const env = { ...process.env, DATABASE_URL: '' };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/move.mjs', ...args], { cwd: root, encoding: 'utf8', env });
    assert.deepEqual([status, stdout], [1, ''], args.join(' '));
    assert.match(stderr, sentence);
  }
  const { status, stdout } = spawnSync(process.execPath, ['scripts/move.mjs', '--help'], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stdout, /^npm run move -- --from d1 --to objects/);
});
