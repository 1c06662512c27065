// Faults under load, over two gateways: nothing acknowledged is lost, nothing is stored in part, a feed has each event once, and the store
// moves to another PostgreSQL while captures go on. bench/kills.js says what it does; by hand it does more of it.
// Invariant: Nothing acknowledged is lost, and nothing is half stored, whatever ends meanwhile: two gateways over PostgreSQL.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { programs } from './postgres-server.js';

const bench = fileURLToPath(new URL('../../bench/kills.js', import.meta.url));

test('two gateways keep what they acknowledged through kills, silence and moves', { skip: programs().missing ?? false }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bench, '--rounds', '2', '--gateways', '2']);
  for (const row of ['of them lost | 0', 'half there | 0', 'leaves missing or twice | 0', 'missing in the feed | 0', 'twice in the feed | 0']) {
    assert.ok(stdout.includes(`| ${row} |`), stdout);
  }
});
