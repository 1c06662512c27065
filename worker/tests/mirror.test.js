// A mirror of a real gateway's log during captures, and Go's reader on a file server over the mirror.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isOn } from '../../scripts/given.mjs';
import { makeLogKey } from '../../scripts/log-keys.mjs';
import { filesOf } from '../../wasm/tests/a-log.js';
import { documentOf, event, open } from './store.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'epcis-mirror-gateway-test-'));
after(() => rmSync(scratch, { recursive: true }));
const log = makeLogKey('log', 'epcis.example.com/log');
const events = (first, count) => documentOf(Array.from({ length: count }, (_, n) => event(`urn:epc:id:sgtin:0614141.112345.${first + n}`)));

let store;
before(async () => {
  store = await open({ bindings: { LOG_KEY: log.skey } });
  writeFileSync(join(scratch, 'policy'), `log ${log.vkey}\nquorum none\n`);
});
after(() => store?.dispose());

/** Runs a program in a separate process, so that this one can answer it. */
function ran(command, args, options) {
  const child = spawn(command, args, options);
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (out[name] += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...out })));
}

async function audit(address, folder) {
  const args = ['audit', address, '--policy', 'policy', '--state', `${folder}.json`, '--mirror', folder, '--json'];
  const { status, stdout, stderr } = await ran(process.execPath, [join(root, 'wasm/js/cli.js'), ...args], { cwd: scratch });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

async function grown(size) {
  for (let n = 0; n < 6000; n += 1) {
    const response = await fetch(new URL('log/checkpoint', store.address));
    if (response.ok && Number((await response.text()).split('\n')[1]) >= size) return;
    await setTimeout(50);
  }
  assert.fail(`the log has not grown to ${size}`);
}

test('a gateway is mirrored while it captures, and its mirror is a log to others', async (t) => {
  let isOver = false;
  await store.ask('capture', { document: events(0, 700) });
  await grown(700);
  const captures = (async () => {
    for (let n = 1; !isOver; n += 1) await store.ask('capture', { document: events(n * 1000, 40) });
  })();
  const seen = [];
  try {
    for (let n = 0; n < 3; n += 1) {
      seen.push(await audit(store.address.href, 'mirror'));
      await grown(seen.at(-1).size + 1);
    }
  } finally {
    isOver = true;
    await captures;
  }
  const sizes = seen.map(({ size }) => size);
  assert.ok(sizes.at(-1) > sizes[0], sizes.join(', '));
  assert.deepEqual(readdirSync(join(scratch, 'mirror/heads')).sort(), [...new Set(sizes)].map((size) => `${size}.note`).sort(), 'each head that was seen');
  const files = await filesOf(join(scratch, 'mirror'));
  try {
    const copy = await audit(files.address, 'copy');
    assert.equal(copy.size, sizes.at(-1));
    // The mirror does not fetch complete tiles and entries again. A new copy fetches more.
    assert.ok(seen.at(-1).mirror.fetched < copy.mirror.fetched, JSON.stringify([...seen, copy]));
    for (const name of ['checkpoint', 'tile/0/001', 'tile/entries/001'])
      assert.deepEqual(readFileSync(join(scratch, 'copy', name)), readFileSync(join(scratch, 'mirror', name)), name);
    if (spawnSync('go', ['version']).error) {
      assert.ok(!isOn('EPCIS_EDGE_REQUIRE_PEERS'), 'Go is required: scripts/go.sh installs it');
      t.diagnostic('there is no Go here: its readers were not asked');
      return;
    }
    const reader = await ran('go', ['run', '.', `${files.address}/log/`, log.vkey], {
      cwd: join(root, 'tests/peers/go-tlog'),
      env: { ...process.env, GOFLAGS: '-mod=mod' },
    });
    assert.equal(reader.status, 0, reader.stderr);
    assert.match(reader.stdout, new RegExp(`verified \\d+ leaves of ${sizes.at(-1)}\n`));
    t.diagnostic(`seen at ${sizes.join(', ')} leaves; Go: ${reader.stdout.trim()}`);
  } finally {
    await files.close();
  }
});
