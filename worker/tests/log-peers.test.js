// The log as third-party programs read it: Go's readers of notes and tiles, torchwood's reader of logs, and litewitness, which
// cosigns it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isOn } from '../../scripts/given.ts';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { documentOf, event, open } from './store.js';
import { freePort } from './port.js';

const ORIGIN = 'epcis.example.com/log';
const events = (first, count) => documentOf(Array.from({ length: count }, (_, n) => event(`urn:epc:id:sgtin:0614141.112345.${first + n}`)));
const scratch = mkdtempSync(join(tmpdir(), 'epcis-log-peers-'));
after(() => rmSync(scratch, { recursive: true }));

const noGo = spawnSync('go', ['version']).error !== undefined;
if (noGo) assert.ok(!isOn('EPCIS_EDGE_REQUIRE_PEERS'), 'Go is required: scripts/go.sh installs it');
const skip = noGo && 'there is no Go here: its programs were not asked';

/** Runs a program to its end. Returns its output. */
function run(program, args, cwd = scratch) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
    child.on('error', reject).on('close', (status) => (status === 0 ? resolve(text) : reject(new Error(`${program} ended with ${status}: ${text}`))));
  });
}

const peer = (name) => fileURLToPath(new URL(`../../tests/peers/${name}`, import.meta.url));

/** The newest head, once it has this many leaves and a signature line of `name`. */
async function headOf(store, size, name) {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const response = await fetch(new URL('log/checkpoint', store.address));
    const note = await response.text();
    if (response.ok && Number(note.split('\n')[1]) >= size && note.includes(`\n— ${name} `)) return note;
    assert.ok(Date.now() < deadline, note);
    await setTimeout(50);
  }
}

test("Go's readers of tiles and notes take the log as it is served", { skip }, async (t) => {
  const log = makeLogKey('log', ORIGIN);
  const store = await open({ bindings: { LOG_KEY: log.skey } });
  try {
    await store.ask('capture', { document: events(0, 1000) });
    await headOf(store, 1000, ORIGIN);
    const text = await run('go', ['run', '.', new URL('log/', store.address).href, log.vkey], peer('go-tlog'));
    t.diagnostic(text.trim());
    assert.match(text, /verified/);
  } finally {
    await store.dispose();
  }
});

test('litewitness cosigns the log as it grows, and torchwood verifies log and proof by the policy', { skip }, async (t) => {
  await run('go', ['build', '-o', scratch, '.', 'filippo.io/torchwood/cmd/litewitness'], peer('go-torchwood'));
  const begun = Date.now();
  const log = makeLogKey('log', ORIGIN);
  const port = await freePort();
  const program = join(scratch, 'go-torchwood');
  // The witness ends when its standard input ends.
  const witness = spawn(program, ['witness', scratch, ORIGIN, log.vkey, `127.0.0.1:${port}`], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  witness.stderr.setEncoding('utf8').on('data', (part) => (said += part));
  let store;
  try {
    const vkey = await new Promise((resolve, reject) => {
      witness.stdout.setEncoding('utf8').once('data', (line) => resolve(line.trim()));
      witness.once('close', () => reject(new Error(said)));
    });
    store = await open({ bindings: { LOG_KEY: log.skey, LOG_POLICY: `witness L ${vkey} http://127.0.0.1:${port}; quorum L` } });
    let captured;
    // The log grows from nothing, within a tile, past the end of a tile, and by many tiles.
    for (const [first, count] of [
      [0, 3],
      [3, 200],
      [203, 60],
      [263, 3000],
    ]) {
      ({ events: captured } = await store.ask('capture', { document: events(first, count) }));
      await headOf(store, first + count, 'litewitness.example.com');
    }
    const get = async (path) => {
      const response = await fetch(new URL(path, store.address), { headers: { authorization: `Bearer ${store.key}` } });
      assert.equal(response.status, 200, path);
      return Buffer.from(await response.arrayBuffer());
    };
    const { eventID } = captured[1234];
    const proof = await get(`log/proof?event=${encodeURIComponent(eventID)}`);
    const policy = await get('log/policy');
    const index = Number(/^index (\d+)$/m.exec(proof.toString())[1]);
    // Each entry follows its length in two bytes.
    const entries = await get(`log/tile/entries/${String(Math.floor(index / 256)).padStart(3, '0')}`);
    const entry = entries.subarray((index % 256) * 53 + 2, (index % 256) * 53 + 53);
    for (const [name, bytes] of Object.entries({ policy, proof, entry })) writeFileSync(join(scratch, name), bytes);
    const text = await run(program, ['read', new URL('log/', store.address).href, 'policy', 'proof', 'entry']);
    t.diagnostic(text.trim());
    assert.match(text, /^verified 3263 entries of epcis\.example\.com\/log, and the proof of one\n$/);
    const { verifyProof } = await import('../../wasm/js/proof/node.ts');
    const verdict = verifyProof(await get(`events/${encodeURIComponent(eventID)}`), proof.toString(), policy.toString());
    assert.equal(verdict.valid, true, JSON.stringify(verdict.steps));
    assert.deepEqual(verdict.loggedBeforeBy, ['L']);
    const logged = Date.parse(verdict.loggedBefore);
    // Witnesses sign whole seconds.
    assert.ok(logged >= begun - 1000 && logged <= Date.now() + 1000, verdict.loggedBefore);
    // With another entry, and with another policy.
    writeFileSync(join(scratch, 'other'), entries.subarray(2, 53));
    await assert.rejects(run(program, ['read', new URL('log/', store.address).href, 'policy', 'proof', 'other']));
    const stranger = makeLogKey('witness', 'litewitness.example.com');
    writeFileSync(join(scratch, 'stranger'), policy.toString().replace(vkey, stranger.vkey));
    await assert.rejects(run(program, ['read', new URL('log/', store.address).href, 'stranger', 'proof', 'entry']));
  } finally {
    witness.stdin.end();
    await store?.dispose();
  }
});
