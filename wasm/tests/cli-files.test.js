// Files that the command line writes: whole or not at all, and never through a link that somebody planted.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const vector = (name) => here(`../../tests/vectors/${name}`);
const [good, bad] = [vector('validate/valid-bare-event/input.json'), vector('validate/cbv-word-misspelt/input.json')];
const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-files-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);
const text = (name) => readFileSync(at(name), 'utf8');
const leftovers = () => readdirSync(folder).filter((name) => name.includes('partial'));

function run(args, options = {}) {
  return spawnSync(process.execPath, [here('../js/cli.js'), ...args], { cwd: folder, encoding: 'utf8', ...options });
}

test('a link at the place of the output is replaced, and where it leads nothing is written', () => {
  writeFileSync(at('victim'), 'precious');
  symlinkSync('victim', at('planted'));
  symlinkSync('nowhere', at('dangling'));
  for (const name of ['planted', 'dangling']) {
    const { status, stderr } = run(['hash', good, '-o', name]);
    assert.equal(status, 0, stderr);
    assert.ok(lstatSync(at(name)).isFile(), name);
    assert.match(text(name), /^ni:/);
  }
  assert.equal(text('victim'), 'precious');
  assert.ok(!existsSync(at('nowhere')));
  assert.deepEqual(leftovers(), []);
});

test('names that were once used beside an output, planted as links, lead nowhere', async () => {
  writeFileSync(at('target'), 'precious');
  // The name of former versions had the process in it, which can be guessed.
  const child = spawn('bash', ['-c', `ln -s target "out.$$.partial"; exec "$0" "$@"`, process.execPath, here('../js/cli.js'), 'hash', good, '-o', 'out'], {
    cwd: folder,
  });
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
  assert.equal(text('target'), 'precious');
  assert.match(text('out'), /^ni:/);
  for (const name of leftovers()) rmSync(at(name));
});

test('what is there stays where the command fails, and stays as private as it was', () => {
  writeFileSync(at('kept'), 'as it was');
  chmodSync(at('kept'), 0o600);
  for (const args of [
    ['hash', '--profile', 'none', good],
    ['check', '--packs', 'none', good],
    ['hash', '--context', 'absent', good],
    ['hash', 'absent'],
    ['translate', good],
  ]) {
    assert.notEqual(run([...args, '-o', 'kept']).status, 0);
    assert.equal(text('kept'), 'as it was', args.join(' '));
  }
  assert.equal(run(['validate', bad, '-o', 'kept']).status, 4);
  assert.match(text('kept'), /: 2 errors\n/);
  assert.equal(statSync(at('kept')).mode & 0o777, 0o600);
  assert.deepEqual(leftovers(), []);
});

test('devices, pipes and standard output are written as they are', () => {
  assert.equal(run(['hash', good, '-o', '/dev/null']).status, 0);
  assert.ok(lstatSync('/dev/null').isCharacterDevice());
  assert.match(run(['hash', good, '-o', '/dev/stdout']).stdout, /^ni:/);
  const script = `mkfifo pipe; (cat pipe > from-pipe) & "$0" "$1" hash "$2" -o pipe; wait; test -p pipe`;
  assert.equal(spawnSync('bash', ['-c', script, process.execPath, here('../js/cli.js'), good], { cwd: folder }).status, 0);
  assert.match(text('from-pipe'), /^ni:/);
  mkdirSync(at('a-folder'));
  const refused = run(['hash', good, '-o', 'a-folder']);
  assert.deepEqual([refused.status, /it is a folder/.test(refused.stderr)], [2, true]);
});

test('the event beside a proof and the state of an audit are written in the same way', async () => {
  const [proof, event, policy] = ['event.tlog-proof', 'event.json', 'trusted.policy'].map((name) => readFileSync(vector(`log/${name}`), 'utf8'));
  let given = event;
  const server = http.createServer((request, response) => {
    if (request.url.startsWith('/log/proof')) response.end(proof);
    else if (request.url.startsWith('/events/')) response.end(given);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ask = (...args) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [here('../js/cli.js'), ...args], { cwd: folder, env: { ...process.env, EPCIS_EDGE_KEY: 'key' }, stdio: 'ignore' });
      child.on('close', resolve);
    });
  try {
    const address = `http://127.0.0.1:${server.address().port}`;
    writeFileSync(at('evidence'), 'precious');
    symlinkSync('evidence', at('event.json'));
    assert.equal(await ask('prove', address, 'urn:uuid:1', '--event', 'event.json', '-o', 'event.tlog-proof'), 0);
    assert.deepEqual([text('event.json'), text('evidence'), lstatSync(at('event.json')).isFile()], [event, 'precious', true]);
    given = '<p>an error page</p>';
    assert.equal(await ask('prove', address, 'urn:uuid:1', '--event', 'event.json', '-o', 'event.tlog-proof'), 4);
    assert.deepEqual([text('event.json'), text('event.tlog-proof')], [event, proof], 'what was there stays');
    writeFileSync(at('policy'), policy);
    symlinkSync('evidence', at('state.json'));
    assert.notEqual(await ask('audit', address, '--state', 'state.json', '--policy', 'policy'), 0);
    assert.equal(text('evidence'), 'precious');
  } finally {
    server.close();
    server.closeAllConnections();
  }
  assert.deepEqual(leftovers(), []);
});
