// `npm run move -- --to objects`, `export` and `restore`: the store of a real gateway over D1 is moved to an object for each account, with
// breaks, and gives the same answers from there.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { openDoor } from '../../scripts/operator.ts';
import { answer, answers, epc, grown } from './moved.js';
import { documentOf, event, open } from './store.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const state = mkdtempSync(join(tmpdir(), 'epcis-move-objects-test-'));
after(() => rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const persistTo = join(state, 'v3');
const OPERATOR_KEY = 'the key of an operator, of more than 32 letters';
const bindings = { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey };
const overObjects = { persistTo, store: 'objects' };
const events = (first, count, more) => documentOf(Array.from({ length: count }, (_, n) => event(epc(first + n), more)));

const started = [];
after(() => Promise.all(started.map((gateway) => gateway.dispose())));
async function opened(options) {
  const gateway = await open(options);
  started.push(gateway);
  return gateway;
}

const script = (name, gateway, more) => [`scripts/${name}.ts`, '--gateway', gateway.address.href, ...more];
const moving = (gateway, more, from = ['--state', state]) =>
  script('move', gateway, ['--from', 'd1', '--to', 'objects', ...from, '--progress', join(state, 'progress.json'), ...more]);
// Not at once: the gateway is in this process.
async function run(args, env = {}) {
  const program = spawn(process.execPath, args, { cwd: root, env: { ...process.env, OPERATOR_KEY, ...env } });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) program[name].on('data', (chunk) => (said[name] += chunk));
  const [status] = await once(program, 'close');
  return { status, ...said };
}

/** The events of all pages from an address on, and the feed cursor after them. */
async function walked(gateway, key, path) {
  const found = [];
  let feed;
  for (let next = path; next; ) {
    const { status, link, feed: cursor, text } = await answer(gateway, next, key);
    assert.ok(status === 200 || status === 204, `${next}: ${text}`);
    found.push(...(text === '' ? [] : JSON.parse(text).epcisBody.queryResults.resultsBody.eventList));
    feed = cursor ?? feed;
    const target = /<([^>]*)>; *rel="?next/.exec(link ?? '')?.[1];
    next = target && new URL(target, gateway.address).href.replace(/^.*\/events/, 'events');
  }
  return { found, feed };
}

/** The real wrangler, with the deployed database replaced by the local one. Returns what names the deployment, and the environment. */
function deployed(t) {
  const real = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');
  const WRANGLER = join(state, 'wrangler.mjs');
  writeFileSync(
    WRANGLER,
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
  return [['--remote', '--deployment', deployment], { WRANGLER }];
}

/** The answers of the gateway over D1, and the keys. */
let told;
before(async () => {
  const gateway = await open({ persistTo, bindings });
  try {
    const long = event(epc(999), { 'https://ex.example/note': 'ü'.repeat(450_000) });
    const { events: captured } = await gateway.ask('capture', { document: events(0, 300) });
    await grown(gateway, 300);
    const other = await gateway.makeKey({ account: 'https://example.com/accounts/2' });
    await gateway.ask('capture', { document: events(0, 10) }, other);
    const reader = await gateway.makeKey({ account: 'https://example.com/accounts/3', readable: '*' });
    const first = await walked(gateway, reader, 'events?orderBy=recordTime&orderDirection=ASC&perPage=100');
    const begun = await answer(gateway, 'events?orderBy=recordTime&orderDirection=ASC&perPage=100', reader);
    await gateway.ask('capture', { document: events(200, 250, { action: 'DELETE', bizStep: 'shipping' }) });
    await gateway.ask('capture', { document: documentOf([...events(0, 3).epcisBody.eventList, long]) });
    await gateway.ask('capture', { document: events(10, 10) }, other);
    await grown(gateway, 571);
    const named = await answer(gateway, 'queries', gateway.key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'mine', query: { EQ_action: ['DELETE'] } }),
    });
    assert.equal(named.status, 201, named.text);
    const { eventID } = captured[4];
    const rest = /<([^>]*)>; *rel="?next/.exec(begun.link)[1].replace(/^.*\/?events/, 'events');
    told = {
      key: gateway.key,
      other,
      reader,
      eventID,
      feed: first.feed,
      rest,
      later: (await walked(gateway, reader, rest)).found.map((event) => event.eventID),
      answers: await answers(gateway, gateway.key, eventID),
    };
    assert.equal(told.later.length, 210);
  } finally {
    await gateway.dispose();
  }
});

test('a store is moved to objects with breaks, and served as it was', { timeout: 600_000 }, async (t) => {
  const reading = { ...bindings, OPERATOR_KEY, READ_ONLY: 'on' };
  // Meanwhile the store in D1 is served.
  const moved = await opened({ ...overObjects, bindings: { ...reading, STORE: 'd1' } });
  const [remote, env] = deployed(t);
  const begun = await run(moving(moved, ['--pages', '1'], remote), env);
  assert.equal(begun.status, 3, begun.stderr);
  const program = spawn(process.execPath, moving(moved, ['--rows', '10', '--pages', '80']), {
    cwd: root,
    env: { ...process.env, OPERATOR_KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of program.stdout) {
    said += chunk;
    if (said.includes('event_parts: ')) break;
  }
  program.kill('SIGKILL');
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
  assert.deepEqual(await answers(moved, told.key, told.eventID), told.answers);
  // What was copied is copied once more, as if the file of the progress were lost.
  rmSync(join(state, 'progress.json'));
  const again = await run(moving(moved, ['--rows', '100']));
  assert.equal(again.status, 0, again.stderr);
  assert.match(again.stdout, /^events: 571 rows are the same$/m);
  assert.match(again.stdout, /^log_leaves: 571 rows are the same$/m);
  assert.match(again.stdout, /^571 events hashed again/m);
  const idle = await run(moving(moved, []));
  assert.equal(idle.status, 0, idle.stderr);
  await moved.dispose();

  const hold = await opened({ ...overObjects, bindings: reading });
  assert.deepEqual(await answers(hold, told.key, told.eventID), told.answers);
  // A page token and a feed cursor of D1 go on: nothing is missed, nothing comes twice.
  const rest = await walked(hold, told.reader, told.rest);
  assert.deepEqual(rest.found.map((event) => event.eventID).sort(), told.later.sort());
  const feed = `events?orderBy=recordTime&orderDirection=ASC&feedCursor=${encodeURIComponent(told.feed)}&perPage=50`;
  const since = await walked(hold, told.reader, feed);
  assert.equal(since.found.length, 261);
  await hold.dispose();

  const gateway = await opened({ ...overObjects, bindings: { ...bindings, OPERATOR_KEY } });
  // Known events stay known, and new ones get later numbers than any that was moved.
  const known = await gateway.ask('capture', { document: events(0, 1) }, told.key);
  assert.equal(known.events[0].duplicate, true, JSON.stringify(known));
  for (const [key, count] of [
    [told.other, 20],
    [await gateway.makeKey({ account: 'https://example.com/accounts/4' }), 5],
  ])
    await gateway.ask('capture', { document: events(5000, count) }, key);
  await grown(gateway, 596);
  const door = openDoor(gateway.address, OPERATOR_KEY);
  const [[two]] = await door.run('a2', ['SELECT min(sequence) AS first, max(sequence) AS newest FROM events WHERE sequence > 2000000571']);
  assert.deepEqual(two, { first: 2_000_000_572, newest: 2_000_000_591 });
  const more = await walked(gateway, told.reader, `events?orderBy=recordTime&orderDirection=ASC&feedCursor=${encodeURIComponent(since.feed)}`);
  assert.equal(more.found.length, 25);
  const audit = await run(['wasm/js/cli/cli.ts', 'audit', gateway.address.href, '--state', join(state, 'audit.json'), '--json']);
  assert.equal(audit.status, 0, audit.stdout + audit.stderr);
});

test('what cannot be moved is refused, with what to do', () => {
  const known = ['--from', 'd1', '--to', 'objects', '--gateway', 'https://x'];
  for (const [args, sentence] of [
    [[], /expected --from d1 --to objects/],
    [['--from', 'objects', '--to', 'd1'], /expected --from d1 --to objects/],
    [known.slice(0, 4), /--gateway must be the address/],
    [[...known, '--rows', '0'], /--rows must be a number/],
    [[...known, '--remote', '--state', 'x'], /exclude each other/],
    [[...known, '--deployment', 'x'], /--deployment needs --remote/],
    [[...known, '--state', join(state, 'none')], /what to do: name the folder/],
    [['--no-such-option'], /Unknown option/],
  ]) {
    const env = { ...process.env, OPERATOR_KEY };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/move.ts', ...args], { cwd: root, encoding: 'utf8', env });
    assert.deepEqual([status, stdout], [1, ''], args.join(' '));
    assert.match(stderr, sentence);
  }
});

test('what changed between the stores is found', { timeout: 300_000 }, async () => {
  const gateway = await opened({ ...overObjects, bindings: { ...bindings, OPERATOR_KEY, READ_ONLY: 'on' } });
  const more = await run(moving(gateway, []));
  assert.equal(more.status, 1);
  assert.match(more.stderr, /aliases|events: 571 rows in D1, 596 in the objects/);
  const door = openDoor(gateway.address, OPERATOR_KEY);
  await door.run('a1', [
    'DROP TRIGGER event_parts_never_change',
    "UPDATE event_parts SET text = replace(text, 'OBSERVE', 'DELETE') WHERE piece = 1000000017000",
  ]);
});

test('all objects are exported, and a changed file is found', { timeout: 300_000 }, async () => {
  const gateway = await opened({ ...overObjects, bindings: { ...bindings, OPERATOR_KEY } });
  const file = join(state, 'export.ndjson');
  const exported = await run(script('export', gateway, ['--to', file]));
  assert.equal(exported.status, 0, exported.stderr);
  assert.match(exported.stdout, /rows of 4 objects are in /);
  assert.match(exported.stdout, /^the largest, a1, has 0\.00\d GB of 10$/m);
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const count = (table) => lines.filter((line) => line.table === table).length;
  assert.deepEqual([count('events'), count('log_leaves'), count('keys')], [596, 596, 0]);
  const check = () => spawnSync(process.execPath, ['scripts/export.ts', '--check', file], { cwd: root, encoding: 'utf8' });
  assert.equal(check().status, 0);
  const text = readFileSync(file, 'utf8');
  for (const spoilt of [text.replace('"OBSERVE"', '"DELETE"'), text.slice(0, -1), text.replace(/\n[^\n]*\n$/, '\n'), text.replace(/^[^\n]*\n/, '')]) {
    writeFileSync(file, spoilt);
    assert.equal(check().status, 1, spoilt.slice(-200));
  }
  writeFileSync(file, text);
  appendFileSync(file, `${text.slice(0, text.indexOf('\n') + 1)}`);
  assert.equal(check().status, 1);
});

test('the operator’s door is closed without its key, and refuses what it does not know', { timeout: 300_000 }, async () => {
  const closed = await opened({ bindings, store: 'objects' });
  const ask = (gateway, body, key = OPERATOR_KEY, method = 'POST') =>
    answer(gateway, 'operator', key, { method, ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }) });
  assert.equal((await ask(closed, { object: 'log', statements: [] })).status, 404);
  const short = await opened({ bindings: { ...bindings, OPERATOR_KEY: 'short' }, store: 'objects' });
  assert.equal((await ask(short, { object: 'log', statements: [] }, 'short')).status, 500);
  const gateway = await opened({ bindings: { ...bindings, OPERATOR_KEY }, store: 'objects' });
  for (const [body, key, status] of [
    [{ object: 'log', statements: [['SELECT 1 AS one', []]] }, OPERATOR_KEY, 200],
    [{ object: 'log', statements: [['SELECT 1 AS one', []]] }, `${OPERATOR_KEY}x`, 401],
    [{ object: 'log', statements: [['SELECT 1 AS one', []]] }, undefined, 401],
    [{ object: 'a0', statements: [] }, OPERATOR_KEY, 400],
    [{ object: 'log', statements: [], more: 1 }, OPERATOR_KEY, 400],
    [{ object: 'log' }, OPERATOR_KEY, 400],
    [{ object: 'directory', restore: 'x' }, OPERATOR_KEY, 400],
    [{ object: 'log', size: true }, OPERATOR_KEY, 200],
    [{}, OPERATOR_KEY, 400],
    [{ object: 'a1', restore: 'no bookmark' }, OPERATOR_KEY, 400],
    [{ object: 'log', statements: [['DELETE FROM nothing', []]] }, OPERATOR_KEY, 400],
    ['{', OPERATOR_KEY, 400],
  ]) {
    const found = await ask(gateway, body, key === undefined ? '' : key);
    assert.equal(found.status, status, `${JSON.stringify(body)}: ${found.text}`);
  }
  assert.match((await ask(gateway, { object: 'log' })).text, /one of statements, restore and size/);
  assert.equal((await ask(gateway, undefined, OPERATOR_KEY, 'GET')).status, 405);
  assert.equal((await ask(gateway, 'x'.repeat(25 << 20))).status, 413);
});
