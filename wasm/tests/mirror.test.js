// Mirrors of logs: what is fetched, what is checked before it is stored, and what remains after an interrupted run.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isOn } from '../../scripts/given.mjs';
import { ALog, filesOf, gatewayOf, policyOf, witnessOf } from './a-log.js';

const cli = fileURLToPath(new URL('../js/cli.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'epcis-mirror-test-'));
after(() => rmSync(scratch, { recursive: true }));

let folders = 0;
function folder() {
  folders += 1;
  const made = join(scratch, String(folders));
  mkdirSync(made);
  return made;
}

function start(cwd, ...args) {
  const child = spawn(process.execPath, [cli, 'audit', ...args], { cwd });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (out[name] += chunk));
  return { child, ended: new Promise((resolve) => child.on('close', (status) => resolve({ status, ...out }))) };
}

/** All files of a folder, by path. */
function filesIn(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort()
      .map((name) => [name, readFileSync(join(root, name))]),
  );
}

const isPart = (name) => name.startsWith('tile/');
/** Asserts that all parts in a mirror are the log's. Returns their names. */
function assertTrue(mirror, ...logs) {
  const files = [...filesIn(mirror)].filter(([name]) => isPart(name));
  for (const [name, bytes] of files)
    assert.ok(
      logs.some((log) => [...log].some(([path, part]) => path === name && part.equals(bytes))),
      `${name} is wrong`,
    );
  return files.map(([name]) => name);
}
/** Asserts that a mirror has all parts of a log. */
function assertWhole(mirror, log, size = log.size) {
  const files = filesIn(mirror);
  for (const [name, bytes] of log.parts(size)) assert.ok(files.get(name)?.equals(bytes), `${name} of ${size} leaves`);
  assert.equal(readFileSync(join(mirror, 'checkpoint'), 'utf8'), log.head(size));
  assert.equal(readFileSync(join(mirror, `heads/${size}.note`), 'utf8'), log.head(size));
}

/** A gateway that publishes a log, and commands that mirror it. */
async function mirrored(log) {
  const cwd = folder();
  const policy = policyOf(log.key);
  writeFileSync(join(cwd, 'policy'), policy);
  const gateway = await gatewayOf({ head: log.head(), policy, parts: log.parts() });
  const begin = (...args) => start(cwd, gateway.address, '--policy', 'policy', '--state', 'state.json', '--mirror', 'mirror', ...args);
  return {
    cwd,
    gateway,
    mirror: join(cwd, 'mirror'),
    begin,
    take: (...args) => begin(...args).ended,
    show: (other, size = other.size) => Object.assign(gateway.shown, { head: other.head(size), parts: other.parts(size), instead: undefined }),
  };
}

test('a log in a folder, at every size where tiles begin and end; only what is new is fetched', async () => {
  const log = new ALog();
  const { gateway, mirror, take, show, cwd } = await mirrored(log);
  try {
    for (const size of [0, 1, 255, 256, 257, 600, 600, 65_536, 66_001]) {
      log.grow(size - log.size);
      const before = existsSync(mirror) ? new Set(filesIn(mirror).keys()) : new Set();
      show(log);
      gateway.asked.length = 0;
      const { status, stdout, stderr } = await take('--json');
      assert.deepEqual([status, stderr], [0, ''], `${size}: ${stderr}`);
      assertWhole(mirror, log);
      const missing = [...log.parts().keys()].filter((name) => !before.has(name));
      assert.deepEqual(JSON.parse(stdout).mirror, { folder: 'mirror', fetched: missing.length });
      // After the audit's own requests, each missing part is requested once, and nothing else.
      const audit = JSON.parse(stdout).tiles;
      const asked = gateway.asked.filter((path) => path !== '/log/checkpoint').slice(audit);
      assert.deepEqual(asked.map((path) => path.replace('/log/', '')).sort(), missing.sort(), `${size} leaves`);
    }
    assert.deepEqual(
      readdirSync(join(mirror, 'heads')).sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10)),
      [0, 1, 255, 256, 257, 600, 65_536, 66_001].map((size) => `${size}.note`),
    );
    assert.deepEqual(readdirSync(mirror).sort(), ['.partial', 'checkpoint', 'heads', 'tile']);
    assert.deepEqual(readdirSync(join(mirror, '.partial')), []);
    // A file server over a mirror is a log: the same command audits and mirrors it.
    const files = await filesOf(mirror);
    try {
      const { status, stdout, stderr } = await start(cwd, files.address, '--policy', 'policy', '--state', 'second.json', '--mirror', 'second').ended;
      assert.equal(status, 0, stderr);
      assert.match(stdout, /66001 leaves, seen for the first time; 0 cosignatures; kept in second\.json; mirrored in second, 519 files fetched/);
      assertWhole(join(cwd, 'second'), log);
      assert.deepEqual([...filesIn(join(cwd, 'second')).keys()].filter(isPart), [...log.parts().keys()].sort());
    } finally {
      await files.close();
    }
  } finally {
    await gateway.close();
  }
});

test("Go's reader takes a mirror from a server of files", async (t) => {
  if (spawnSync('go', ['version']).error) {
    assert.ok(!isOn('EPCIS_EDGE_REQUIRE_PEERS'), 'Go is required: scripts/go.sh installs it');
    t.skip('there is no Go here: its readers were not asked');
    return;
  }
  const log = new ALog().grow(66_001);
  const { gateway, mirror, take } = await mirrored(log);
  const files = await filesOf(mirror);
  try {
    assert.equal((await take()).status, 0);
    const reader = spawn('go', ['run', '.', `${files.address}/log/`, log.key.vkey], {
      cwd: fileURLToPath(new URL('../../tests/peers/go-tlog', import.meta.url)),
      env: { ...process.env, GOFLAGS: '-mod=mod' },
    });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) reader[name].on('data', (chunk) => (out[name] += chunk));
    assert.equal(await new Promise((resolve) => reader.on('close', resolve)), 0, out.stderr);
    assert.match(out.stdout, /verified \d+ leaves of 66001/);
    t.diagnostic(out.stdout.trim());
  } finally {
    await Promise.all([gateway.close(), files.close()]);
  }
});

test('no byte is kept of what is not of the log', async () => {
  const log = new ALog().grow(66_001);
  const whole = log.parts();
  const swapped = (bytes) => Buffer.concat([bytes.subarray(bytes.length / 2), bytes.subarray(0, bytes.length / 2)]);
  const bit = (bytes) => {
    const copy = Buffer.from(bytes);
    copy[copy.length - 1] ^= 1;
    return copy;
  };
  const refusals = [
    ['tile/2/000.p/1', bit],
    ['tile/1/001.p/1', bit],
    ['tile/1/000', bit],
    ['tile/1/000', swapped],
    ['tile/0/000', bit],
    ['tile/0/130', swapped],
    ['tile/0/255', (bytes) => bytes.subarray(1)],
    ['tile/0/007', (bytes) => Buffer.concat([bytes, bytes])],
    ['tile/0/257.p/209', bit],
    ['tile/entries/000', bit],
    ['tile/entries/099', (bytes) => bytes.subarray(0, -1)],
    ['tile/entries/099', (bytes) => Buffer.concat([bytes, Buffer.from([0, 0])])],
    ['tile/entries/099', () => whole.get('tile/entries/098')],
    ['tile/entries/099', () => Buffer.alloc(0)],
    ['tile/entries/257.p/209', (bytes) => bytes.subarray(53)],
  ];
  const { gateway, mirror, take } = await mirrored(log);
  try {
    for (const [path, lie] of refusals) {
      // Parts checked by an earlier run are not requested again.
      rmSync(join(mirror, path), { force: true });
      gateway.shown.instead = (asked) => (asked === path ? [200, lie(whole.get(path))] : undefined);
      const { status, stderr } = await take();
      assert.equal(status, 4, `${path}: ${stderr}`);
      assert.match(stderr, /does not match the log, expected|do not lead to the signed root|answered more than \d+ bytes/, path);
      assertTrue(mirror, whole);
      assert.deepEqual([existsSync(join(mirror, path)), existsSync(join(mirror, 'checkpoint'))], [false, false], path);
    }
    // A missing part is reported too.
    rmSync(join(mirror, 'tile/entries/200'), { force: true });
    gateway.shown.instead = (asked) => (asked === 'tile/entries/200' ? [404, ''] : undefined);
    const { status, stderr } = await take();
    assert.deepEqual([status, /entries\/200 answered 404/.test(stderr), existsSync(join(mirror, 'checkpoint'))], [3, true, false]);
    gateway.shown.instead = undefined;
    assert.equal((await take()).status, 0);
    assertWhole(mirror, log);
  } finally {
    await gateway.close();
  }
});

test('killed again and again it goes on where it was, and the checkpoint comes last', async (t) => {
  const log = new ALog().grow(20_000);
  const whole = log.parts();
  const { gateway, mirror, begin, take } = await mirrored(log);
  try {
    let served = 0;
    let until = Infinity;
    let kill;
    gateway.shown.instead = (path, response) => {
      if (!path.startsWith('tile/') || !whole.has(path)) return undefined;
      served += 1;
      assert.ok(!existsSync(join(mirror, 'checkpoint')), 'no checkpoint before its parts');
      // In two pieces; between those of one the process is killed.
      const part = whole.get(path);
      response.writeHead(200).write(part.subarray(0, part.length / 2));
      if (served === until) kill();
      else setImmediate().then(() => response.end(part.subarray(part.length / 2)));
      return 'answered';
    };
    const counts = [];
    for (let n = 0; n < 8; n += 1) {
      const { child, ended } = begin();
      until = served + 12 + n;
      kill = () => child.kill('SIGKILL');
      await ended;
      counts.push(assertTrue(mirror, whole).length);
    }
    assert.ok(counts.at(-1) > counts[0] && counts.at(-1) < whole.size, counts.join(', '));
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => one - other),
    );
    // A leftover file is not a part, and is removed when it is old.
    const leftover = join(mirror, '.partial/old');
    writeFileSync(leftover, 'half');
    utimesSync(leftover, 1, 1);
    served = 0;
    until = Infinity;
    const { status, stderr } = await take();
    assert.equal(status, 0, stderr);
    assertWhole(mirror, log);
    assert.ok(served < whole.size - counts.at(-1) + 10, `${served} parts were asked for`);
    assert.ok(!existsSync(leftover));
    t.diagnostic(`${counts.join(', ')} of ${whole.size} parts after each kill, ${served} asked for at last`);
  } finally {
    await gateway.close();
  }
});

test('a few parts at once, and no more', async () => {
  const log = new ALog().grow(10_000);
  const whole = log.parts();
  const { gateway, mirror, take } = await mirrored(log);
  try {
    let [open, most] = [0, 0];
    gateway.shown.instead = (path, response) => {
      if (!whole.has(path)) return undefined;
      open += 1;
      most = Math.max(most, open);
      // The first entries wait until as many are open as may be.
      const full = async () => {
        for (let n = 0; path.startsWith('tile/entries/') && most < 8 && n < 6000; n += 1) await setTimeout(50);
        await setTimeout(5);
      };
      full().then(() => {
        open -= 1;
        response.writeHead(200).end(whole.get(path));
      });
      return 'answered';
    };
    assert.equal((await take()).status, 0);
    assert.equal(most, 8);
    assertWhole(mirror, log);
  } finally {
    await gateway.close();
  }
});

test('a gateway that asks for patience gets it', async () => {
  const log = new ALog().grow(600);
  const problem = JSON.stringify({ type: 'epcisException:SecurityException', title: 'Too many requests', status: 429, detail: 'x'.repeat(9000) });
  const { gateway, mirror, take } = await mirrored(log);
  try {
    const refused = new Set();
    gateway.shown.instead = (path) => {
      if (!path.startsWith('tile/entries/') || refused.has(path)) return undefined;
      refused.add(path);
      return [429, problem, { 'retry-after': '1' }];
    };
    const { status, stderr } = await take();
    assert.equal(status, 0, stderr);
    assertWhole(mirror, log);
    assert.equal(refused.size, 3);
    // After a refusal for another reason there is no retry.
    log.grow(300);
    Object.assign(gateway.shown, { head: log.head(), parts: log.parts() });
    let count = 0;
    gateway.shown.instead = (path) => {
      if (path !== 'tile/entries/002') return undefined;
      count += 1;
      return [403, problem];
    };
    assert.deepEqual([(await take()).status, count], [4, 1]);
  } finally {
    await gateway.close();
  }
});

test('what became wrong in the folder: tiles above the leaves are checked each time, and mended', async () => {
  const log = new ALog().grow(66_001);
  const { gateway, mirror, take } = await mirrored(log);
  try {
    assert.equal((await take()).status, 0);
    for (const path of ['tile/1/000', 'tile/1/001.p/1', 'tile/2/000.p/1', 'tile/0/257.p/209']) {
      const file = join(mirror, path);
      writeFileSync(file, Buffer.alloc(statSync(file).size, 7));
    }
    // Shorter than possible: half written by another program.
    writeFileSync(join(mirror, 'tile/0/003'), log.parts().get('tile/0/003').subarray(0, 100));
    writeFileSync(join(mirror, 'tile/entries/004'), '');
    const { status, stderr } = await take();
    assert.equal(status, 0, stderr);
    assertWhole(mirror, log);
  } finally {
    await gateway.close();
  }
});

test('a folder has one history: what was fetched under a head that is not gone on from is evidence', async () => {
  const log = new ALog().grow(1000);
  const fork = new ALog(log.key).grow(1500, 'b');
  const { cwd, gateway, mirror, take, show } = await mirrored(log);
  try {
    // Interrupted after some parts. Then the state is lost, and the gateway publishes another history.
    gateway.shown.instead = (path) => (path === 'tile/entries/002' ? [404, ''] : undefined);
    assert.equal((await take()).status, 3);
    assert.ok(assertTrue(mirror, log.parts()).length > 3);
    rmSync(join(cwd, 'state.json'));
    show(fork);
    const { status, stderr } = await take();
    assert.equal(status, 4, stderr);
    assert.match(stderr, /signed a head of 1500 leaves that does not begin with the kept one of 1000/);
    assert.match(stderr, /mirror\/heads\/1000\.note still has the head of 1000 leaves/);
    const [file] = readdirSync(cwd).filter((name) => name.includes('.evidence-'));
    assert.deepEqual(
      JSON.parse(readFileSync(join(cwd, file), 'utf8')).heads.map(({ note }) => note),
      [log.head(), fork.head()],
    );
    assert.ok(!existsSync(join(cwd, 'state.json')));
    assertTrue(mirror, log.parts());
    // The true log continues.
    show(log.grow(600));
    assert.equal((await take()).status, 0);
    assertWhole(mirror, log);
    // A smaller head does not shrink a mirror.
    rmSync(join(cwd, 'state.json'));
    show(log, 700);
    assert.equal((await take()).status, 4);
    assertWhole(mirror, log, 1600);
  } finally {
    await gateway.close();
  }
});

test('a mirror outlives the key that signed its heads', async () => {
  const log = new ALog().grow(300);
  const { cwd, gateway, mirror, take } = await mirrored(log);
  try {
    assert.equal((await take()).status, 0);
    // The same leaves under another key of the same name, which is now the only trusted one.
    const next = new ALog();
    next.entries = log.entries;
    const renewed = Object.assign(log.copy(), { key: next.key }).grow(300);
    writeFileSync(join(cwd, 'policy'), policyOf(renewed.key));
    Object.assign(gateway.shown, { head: renewed.head(), parts: renewed.parts() });
    assert.equal((await take()).status, 0);
    assertWhole(mirror, renewed);
  } finally {
    await gateway.close();
  }
});

test('folders that are no place for a mirror are left as they are', async () => {
  const log = new ALog().grow(300);
  const { cwd, gateway, mirror, take } = await mirrored(log);
  const says = async (words, ...args) => {
    const { status, stderr } = await take(...args);
    assert.deepEqual([status, words.test(stderr)], [2, true], stderr);
  };
  try {
    writeFileSync(mirror, 'a file');
    await says(/cannot write mirror: there is a file, expected a folder/);
    assert.deepEqual([readFileSync(mirror, 'utf8'), gateway.asked], ['a file', []]);
    rmSync(mirror);
    await says(/cannot write policy\/below/, '--mirror', 'policy/below');
    await says(/--mirror is empty/, '--mirror', '');
    if (process.getuid?.() !== 0) {
      mkdirSync(mirror, { mode: 0o500 });
      await says(/cannot write mirror: it is not writable/);
      chmodSync(mirror, 0o700);
      rmSync(mirror, { recursive: true });
    }
    // Tiles without heads belong to something else.
    mkdirSync(join(mirror, 'tile/0'), { recursive: true });
    writeFileSync(join(mirror, 'tile/0/000'), Buffer.alloc(8192));
    await says(/mirror has parts of a log but no heads/);
    rmSync(mirror, { recursive: true });
    // The head of another log, text that is not a head, and a head that cannot be read.
    const other = new ALog().grow(200, 'b');
    for (const head of [other.head(), '', 'x\n200\n', log.head().replaceAll('epcis.example.com', 'elsewhere.example.com')]) {
      mkdirSync(join(mirror, 'heads'), { recursive: true });
      writeFileSync(join(mirror, 'heads/200.note'), head);
      await says(/heads\/200\.note is not a head of this log/);
      assert.deepEqual([...filesIn(mirror).keys()], ['heads/200.note']);
    }
    rmSync(join(mirror, 'heads/200.note'));
    mkdirSync(join(mirror, 'heads/200.note'));
    await says(/cannot read mirror\/heads\/200\.note/);
    assert.equal(readdirSync(cwd).filter((name) => name.includes('.evidence-')).length, 0);
    rmSync(mirror, { recursive: true });
    // A folder in the place of a part.
    mkdirSync(join(mirror, 'tile/entries/000'), { recursive: true });
    mkdirSync(join(mirror, 'heads'));
    writeFileSync(join(mirror, 'heads/0.note'), new ALog(log.key).head());
    await says(/cannot write mirror\/tile\/entries\/000/);
    rmSync(mirror, { recursive: true });
    // A planted link is replaced, not followed.
    mkdirSync(join(mirror, 'tile/0'), { recursive: true });
    mkdirSync(join(mirror, 'heads'));
    writeFileSync(join(mirror, 'heads/0.note'), new ALog(log.key).head());
    writeFileSync(join(cwd, 'precious'), 'precious');
    symlinkSync(join(cwd, 'precious'), join(mirror, 'tile/0/000'));
    symlinkSync(join(cwd, 'precious'), join(mirror, 'checkpoint'));
    assert.equal((await take()).status, 0);
    assertWhole(mirror, log);
    assert.equal(readFileSync(join(cwd, 'precious'), 'utf8'), 'precious');
  } finally {
    await gateway.close();
  }
});

test('heads are kept with their cosignatures as they were seen last', async () => {
  const log = new ALog().grow(10);
  const witness = witnessOf('partner');
  const { gateway, mirror, take } = await mirrored(log);
  try {
    assert.equal((await take()).status, 0);
    gateway.shown.head = log.head(10, [[witness, 1_800_000_000]]);
    assert.equal((await take()).status, 0);
    for (const name of ['checkpoint', 'heads/10.note']) assert.equal(readFileSync(join(mirror, name), 'utf8'), gateway.shown.head);
  } finally {
    await gateway.close();
  }
});
