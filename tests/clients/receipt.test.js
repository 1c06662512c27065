// The log's COSE receipts, verified by Go's go-cose: independent code for CBOR, COSE and the root.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isOn } from '../../scripts/given.ts';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const vectors = here('../vectors/log/receipt.json');
const folder = here('../peers/go-cose');
const scratch = mkdtempSync(join(tmpdir(), 'epcis-receipt-test-'));
after(() => rmSync(scratch, { recursive: true }));

const go = (...args) => spawnSync('go', args, { cwd: folder, encoding: 'utf8' });

/** Whether Go and its modules are available. Without them the test is skipped, unless EPCIS_EDGE_REQUIRE_PEERS is 1. */
function isThere(t) {
  const download = go('mod', 'download');
  if (!download.error && download.status === 0) return true;
  const reason = download.error ? 'there is no Go here' : download.stderr.split('\n')[0];
  assert.ok(!isOn('EPCIS_EDGE_REQUIRE_PEERS'), `Go is required: scripts/go.sh installs it; ${reason}`);
  t.skip(`go-cose was not asked: ${reason}`);
  return false;
}

test('go-cose verifies the receipts and refuses changed ones', (t) => {
  if (!isThere(t)) return;
  const { status, stdout, stderr } = go('run', '.', vectors);
  assert.equal(status, 0, stderr);
  t.diagnostic(stdout.trim().split('\n').at(-1));
  assert.match(stdout, /verified 4 receipts, refused \d+ changed ones/);
  // With another key, the receipt must be refused.
  const changed = JSON.parse(readFileSync(vectors, 'utf8'));
  changed.publicKey = '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29';
  const file = join(scratch, 'receipt.json');
  writeFileSync(file, JSON.stringify(changed));
  const refused = go('run', '.', file);
  assert.equal(refused.status, 1, refused.stdout);
  assert.match(refused.stderr, /event\.json: verification error/);
});
