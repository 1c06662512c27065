// `make serve` after its build, from the first start, and the calls of README.md as a reader would type them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from './port.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const checkout = mkdtempSync(join(tmpdir(), 'epcis-serve-test-'));
after(() => rmSync(checkout, { recursive: true }));
mkdirSync(join(checkout, 'worker'));
for (const folder of ['scripts', 'worker/migrations']) cpSync(join(root, folder), join(checkout, folder), { recursive: true });
copyFileSync(join(root, 'worker/wrangler.toml'), join(checkout, 'worker/wrangler.toml'));
for (const link of ['node_modules', 'worker/build', 'tests', 'www', 'docs']) symlinkSync(join(root, link), join(checkout, link));

const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, CI: 'true', WRANGLER_SEND_METRICS: 'false' };

/** Ends a process and those it started. It may have ended already. */
function interrupt(pid) {
  try {
    process.kill(-pid, 'SIGINT');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Starts it, calls `use` with its address and its output, and stops it as Ctrl-C does. `more` are environment variables. */
async function serve(use, more = {}) {
  const port = await freePort();
  // A process group of its own, so that Ctrl-C reaches all of it.
  const served = spawn(process.execPath, ['scripts/serve.ts'], { cwd: checkout, env: { ...env, ...more, PORT: String(port) }, detached: true });
  const ended = once(served, 'exit');
  let printed = '';
  let errors = '';
  served.stderr.on('data', (chunk) => (errors += chunk));
  try {
    for await (const chunk of served.stdout) {
      printed += chunk;
      // The last line of its output.
      if (/"tools\/call".*\n\s*\n$/s.test(printed)) break;
    }
    assert.match(printed, /epcis-edge is at/, errors);
    return await use(`http://127.0.0.1:${port}`, printed);
  } finally {
    interrupt(served.pid);
    await ended;
  }
}

/** The blocks of README.md that use a key. */
const calls = readFileSync(join(root, 'README.md'), 'utf8')
  .matchAll(/```sh\n(.*?)```/gs)
  .map(([, text]) => text)
  .filter((text) => text.includes('$KEY'))
  .toArray();

/** The blocks of docs/recall.md. */
const recall = [...readFileSync(join(root, 'docs/recall.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text);

const [, ofBinding] = readFileSync(join(root, 'docs/rest.md'), 'utf8').match(/```sh\n(.*?)```/s);

function type(text, address, key) {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', text.replaceAll('http://127.0.0.1:8787', address)], {
    cwd: checkout,
    encoding: 'utf8',
    env: { ...env, KEY: key },
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('the first start shows a key, the calls of README.md work with it, and what is stored stays', async () => {
  assert.equal(calls.length, 2);
  const key = await serve((address, printed) => {
    const [, shown] = /export KEY=(epcis_[0-9a-f]{12}_[\w-]{43})\n/.exec(printed) ?? assert.fail(printed);
    assert.match(printed, /It is shown only once/);
    const captured = type(calls[0], address, shown);
    assert.match(captured, /^HTTP\/1\.1 202 /);
    const [, job] = /^location: (\/capture\/c-[0-9a-f]{32})\r$/im.exec(captured);
    const [event] = JSON.parse(type(calls[1], address, shown)).epcisBody.queryResults.resultsBody.eventList;
    const asked = type(`curl -s http://127.0.0.1:8787${job} -H "Authorization: Bearer $KEY"`, address, shown);
    assert.deepEqual(JSON.parse(asked)['epcisEdge:eventIDs'], [event.eventID]);
    // The calls of the page about the binding work too.
    const told = type(ofBinding, address, shown);
    assert.match(told, /^HTTP\/1\.1 202 [^]*"captureID"[^]*"EPCISQueryDocument"[^]*"EPCISQueryDocument"/);
    // The recall is as it is told.
    const [capture, ...questions] = recall;
    type(capture, address, shown);
    const [forth, places, pallet, kin] = questions.map((text) => JSON.parse(type(text, address, shown)));
    assert.deepEqual([forth.events.length, forth.incomplete, kin.events.length], [15, [], 15]);
    const ofEach = new Map(forth.things.map(({ id, at }) => [id.split('/').at(-1), at?.certain]));
    assert.deepEqual([ofEach.get('Y-1'), ofEach.get('Y-2'), ofEach.has('Y-9')], [false, true, false]);
    const names = places.elements.map(({ attributes: [{ attribute }] }) => attribute);
    assert.deepEqual(names, ['Corner Shop, Durham', 'Corner Shop, Lincoln']);
    assert.deepEqual(
      pallet.contents.map(({ quantity, to }) => [quantity?.quantity, to !== undefined]),
      [
        [undefined, false],
        [undefined, true],
        [240, false],
        [240, true],
      ],
    );
    // The call that it prints finds the event too.
    const own = printed.slice(printed.lastIndexOf('curl'));
    assert.equal(JSON.parse(type(own, address, shown)).result.structuredContent.type, 'EPCISQueryDocument');
    return shown;
  });
  await serve((address, printed) => {
    assert.match(printed, /export KEY=…\n.*npm run keys -- create/s);
    assert.ok(printed.includes(key.slice(6, 18)), 'the key is listed');
    assert.ok(!printed.includes(key), 'and not shown');
    const traced = JSON.parse(type(calls[1], address, key));
    assert.equal(traced.epcisBody.queryResults.resultsBody.eventList.length, 1);
  });
});

test('variables of the environment reach the Worker, and one that it cannot read is told at the start', async () => {
  await serve(
    async (address, printed) => {
      assert.match(printed, /MAX_CAPTURE_EVENTS is 7, from the environment\n/);
      const { headers } = await fetch(`${address}/capture`, { method: 'OPTIONS' });
      assert.equal(headers.get('gs1-epcis-capture-limit'), '7');
      // Requests go through the front.
      const odd = await new Promise((resolve, reject) => {
        const socket = connect(new URL(address).port, '127.0.0.1', () => socket.write('GET * HTTP/1.1\r\nHost: a\r\n\r\n'));
        socket.on('data', (chunk) => (socket.destroy(), resolve(String(chunk))));
        socket.on('error', reject);
      });
      assert.match(odd, /^HTTP\/1\.1 400 [^]*epcisException:ValidationException/);
    },
    { MAX_CAPTURE_EVENTS: '7', READ_ONLY: '' },
  );
  for (const [name, value] of [
    ['HASH_EVENT_IDS', 'perhaps'],
    ['DOCUMENTS', 'tape'],
  ]) {
    const port = String(await freePort());
    const { status, stderr } = spawnSync(process.execPath, ['scripts/serve.ts'], {
      cwd: checkout,
      encoding: 'utf8',
      env: { ...env, [name]: value, PORT: port },
    });
    assert.deepEqual([status, new RegExp(`the variable ${name} must be `).test(stderr)], [1, true], `${name}: ${stderr}`);
    assert.doesNotMatch(stderr, /\n {4}at /, stderr);
  }
});

test('STORE=objects keeps each account in an object, and a store does not change', async () => {
  /** The errors of a start that is refused. */
  const refused = async (STORE) => {
    const more = { STORE, PORT: String(await freePort()) };
    const { status, stderr } = spawnSync(process.execPath, ['scripts/serve.ts'], { cwd: checkout, encoding: 'utf8', env: { ...env, ...more } });
    assert.notEqual(status, 0);
    return stderr;
  };
  assert.match(await refused('postgres'), /STORE is postgres\n {4}what to do: choose one of d1, moving, objects/);
  assert.match(await refused('moving'), /nothing may be stored while the store is moved\n {4}what to do: READ_ONLY=on STORE=moving/);
  assert.match(await refused('objects'), /are kept in d1\n {4}what to do: leave STORE out/);
  rmSync(join(checkout, '.wrangler/state'), { recursive: true });
  const key = await serve(
    (address, printed) => {
      const [, shown] = /export KEY=(epcis_[0-9a-f]{12}_[\w-]{43})\n/.exec(printed);
      assert.match(type(calls[0], address, shown), /^HTTP\/1\.1 202 /);
      return shown;
    },
    { STORE: 'objects' },
  );
  assert.match(await refused('d1'), /are kept in objects/);
  await serve((address) => {
    const traced = JSON.parse(type(calls[1], address, key));
    assert.equal(traced.epcisBody.queryResults.resultsBody.eventList.length, 1);
  });
});
