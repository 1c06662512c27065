// Audits of logs that fork, shrink, become stale or lie: what is kept, what is reported, and the exit code.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ALog, endless, gatewayOf, headOf, nodeOf, policyOf, rootOf, serving, witnessOf } from './a-log.js';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'epcis-audit-test-'));
after(() => rmSync(scratch, { recursive: true }));

let folders = 0;
/** A separate folder for each test. */
function folder() {
  folders += 1;
  const made = join(scratch, String(folders));
  mkdirSync(made);
  return made;
}

function run(cwd, ...args) {
  return runAt(undefined, cwd, ...args);
}

/** Runs an audit with a clock that stands still at a time, in seconds. */
function runAt(time, cwd, ...args) {
  const clock = time === undefined ? [] : ['--import', `data:text/javascript,Date.now=()=>${time * 1000}`];
  const child = spawn(process.execPath, [...clock, cli, 'audit', ...args], { cwd });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (out[name] += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...out })));
}

const now = () => Math.floor(Date.now() / 1000);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const evidenceIn = (cwd) => readdirSync(cwd).filter((name) => name.includes('evidence'));
const NAME = /^127\.0\.0\.1_\d+\.evidence-\d{8}T\d{6}Z\.json$/;
const partner = witnessOf('partner');

/** A gateway that was audited at a size, with the audit's folder and state. */
async function audited(log, { witnesses = [], quorum = 'none', size = log.size, cosigned = [], time } = {}) {
  const cwd = folder();
  const policy = policyOf(log.key, witnesses, quorum);
  writeFileSync(join(cwd, 'policy'), policy);
  const gateway = await gatewayOf({ head: log.head(size, cosigned), policy, parts: log.parts(size) });
  const audit = (...args) => runAt(time, cwd, gateway.address, '--policy', 'policy', '--state', 'state.json', ...args);
  const first = await audit();
  assert.equal(first.status, 0, first.stderr);
  const state = () => readFileSync(join(cwd, 'state.json'), 'utf8');
  const show = (other, at = other.size, more = []) => Object.assign(gateway.shown, { head: other.head(at, more), parts: other.parts(at) });
  return { cwd, policy, gateway, audit, state, show, first };
}

test('two heads of one size: both are kept, and what they prove is said', async () => {
  const log = new ALog().grow(300);
  const { cwd, policy, gateway, audit, state, show } = await audited(log, { witnesses: [partner, witnessOf('other')] });
  try {
    const before = state();
    const fork = new ALog(log.key).grow(300, 'b');
    show(fork);
    const start = Date.now();
    const { status, stdout, stderr } = await audit();
    assert.deepEqual([status, stdout], [4, '']);
    assert.equal(state(), before, 'the kept head stays');
    const [file, ...more] = evidenceIn(cwd);
    assert.match(file, NAME);
    assert.deepEqual(more, []);
    const evidence = read(join(cwd, file));
    assert.deepEqual([evidence.finding, evidence.gateway, evidence.origin, evidence.policy], ['fork', gateway.address, 'epcis.example.com/log', policy]);
    assert.deepEqual(
      evidence.heads.map(({ note }) => note),
      [log.head(), fork.head()],
      'both heads, byte for byte',
    );
    const [first, second] = evidence.heads.map(({ seen }) => Date.parse(seen));
    assert.ok(first <= start && second >= start - 1000 && second <= Date.now(), JSON.stringify(evidence.heads));
    assert.equal(evidence.heads[0].seen, JSON.parse(before).seen);
    assert.match(stderr, /epcis\.example\.com\/log has signed two different heads of 300 leaves/);
    assert.match(stderr, /This proves that the key of the log signed two histories/);
    assert.ok(stderr.includes(file) && stderr.includes('state.json'), stderr);
    assert.match(stderr, /Send .* to the witnesses of your policy \(partner, other\), to others who audit this log, and to the operator of http:\/\/127/);
    assert.equal(evidence.proves, stderr.split('\n')[1].trim(), 'the file says what it proves, too');
  } finally {
    await gateway.close();
  }
});

test('a larger head that does not begin with the kept one: the tiles that show it are evidence, too', async () => {
  const log = new ALog().grow(200);
  const { cwd, gateway, audit, state, show } = await audited(log);
  try {
    const before = state();
    const fork = new ALog(log.key).grow(250, 'b');
    show(fork);
    const { status, stderr } = await audit('--json');
    const problem = JSON.parse(stderr);
    const [file] = evidenceIn(cwd);
    assert.deepEqual([status, state(), problem.finding, problem.evidence], [4, before, 'fork', file]);
    assert.match(problem.detail, /signed a head of 250 leaves that does not begin with the kept one of 200/);
    const { heads, tiles } = read(join(cwd, file));
    assert.deepEqual(
      heads.map(({ note }) => note),
      [log.head(), fork.head()],
    );
    // Anyone with the file can verify it without our tools: the tile gives the root of one head and not of the other.
    assert.deepEqual(
      tiles.map(({ path }) => path),
      ['tile/0/000.p/250'],
    );
    const bytes = Buffer.from(tiles[0].base64, 'base64');
    const hashes = Array.from({ length: 250 }, (_, n) => bytes.subarray(n * 32, n * 32 + 32));
    const [kept, shown] = heads.map(({ note }) => note.split('\n')[2]);
    assert.equal(rootOf(hashes).toString('base64'), shown);
    assert.notEqual(rootOf(hashes, 0, 200).toString('base64'), kept);
  } finally {
    await gateway.close();
  }
});

test('a smaller head: told apart by the tiles of the kept one', async () => {
  const log = new ALog().grow(300);
  const fork = new ALog(log.key).grow(120, 'b');
  const cases = [
    // An old head, for example from a cache. The tiles of the kept head are available.
    [log.head(120), log.parts(), 'smaller', /This is not a fork: the smaller head is the beginning of the kept one/],
    // Another history. The tiles of the kept head are available.
    [fork.head(), log.parts(), 'fork', /This proves that the key of the log signed two histories/],
    // Only the smaller tree is available, so nothing can be proved.
    [log.head(120), log.parts(120), 'smaller', /do not prove a fork/],
    [fork.head(), fork.parts(), 'smaller', /do not prove a fork/],
  ];
  for (const [head, parts, finding, words] of cases) {
    const { cwd, gateway, audit, state } = await audited(log);
    try {
      const before = state();
      Object.assign(gateway.shown, { head, parts });
      const { status, stderr } = await audit();
      assert.deepEqual([status, state()], [4, before], stderr);
      assert.match(stderr, words);
      assert.match(stderr, finding === 'fork' ? /is not the beginning of the kept one of 300/ : /now has 120 leaves, but the kept head has 300/);
      // Only a proof is called one.
      if (finding !== 'fork') assert.doesNotMatch(stderr, /This proves/);
      const evidence = read(join(cwd, evidenceIn(cwd)[0]));
      assert.deepEqual([evidence.finding, evidence.heads.map(({ note }) => note)], [finding, [log.head(), head]]);
      assert.equal(evidence.tiles !== undefined, finding === 'fork');
      if (words.source.includes('do not prove')) assert.match(stderr, /a cache, .*a copy that lags behind/);
    } finally {
      await gateway.close();
    }
  }
});

test('tiles that do not give the root: no proof against the key, and both heads are kept', async () => {
  const log = new ALog().grow(100);
  for (const wrong of [(tile) => Buffer.concat([tile.subarray(32), tile.subarray(0, 32)]), (tile) => tile.subarray(1), (tile) => Buffer.concat([tile, tile])]) {
    const { cwd, gateway, audit, state, show } = await audited(log);
    try {
      const before = state();
      const grown = log.copy().grow(50);
      show(grown);
      gateway.shown.instead = (path) => (path.startsWith('tile/0') ? [200, wrong(grown.parts().get(path))] : undefined);
      const { status, stderr } = await audit();
      assert.deepEqual([status, state()], [4, before], stderr);
      assert.match(stderr, /The heads are signed, the tiles are not, so this does not prove that the key of the log signed two histories/);
      const evidence = read(join(cwd, evidenceIn(cwd)[0]));
      assert.deepEqual([evidence.finding, evidence.heads.map(({ note }) => note)], ['tiles', [log.head(), grown.head()]]);
      // After a temporary fault, the next audit succeeds.
      gateway.shown.instead = undefined;
      assert.equal((await audit()).status, 0);
    } finally {
      await gateway.close();
    }
  }
});

test('a head that the log did not sign is no evidence, and is not called so', async () => {
  const log = new ALog().grow(100);
  const { cwd, gateway, audit, state } = await audited(log);
  try {
    const before = state();
    const fork = new ALog().grow(100, 'b');
    const heads = [
      // Signed by an untrusted key of the same name, changed after signing, and with the signature of another head.
      fork.head(),
      log.head().replace(/\n100\n/, '\n101\n'),
      headOf(log.key, 100, fork.root()).replace(/\n— .*\n/, log.head().match(/\n— .*\n/)[0]),
    ];
    for (const head of heads) {
      gateway.shown.head = head;
      const { status, stderr } = await audit();
      assert.deepEqual([status, state(), evidenceIn(cwd)], [4, before, []], stderr);
      assert.match(stderr, /no evidence against it/);
      assert.doesNotMatch(stderr, /This proves|Send/);
    }
    // A head of a log that is not in the policy.
    gateway.shown.head = log.head().replaceAll('epcis.example.com', 'elsewhere.example.com');
    const { status, stderr } = await audit();
    assert.deepEqual([status, state(), evidenceIn(cwd)], [4, before, []]);
    assert.match(stderr, /of the log `elsewhere\.example\.com\/log`, expected `epcis\.example\.com\/log`/);
    assert.doesNotMatch(stderr, /this witness/);
  } finally {
    await gateway.close();
  }
});

test('a fork without its witnesses is a fork: that they did not cosign is the lesser news', async () => {
  const log = new ALog().grow(30);
  const { cwd, gateway, audit, show } = await audited(log, { witnesses: [partner], quorum: 'partner', cosigned: [[partner, now()]] });
  try {
    for (const fork of [new ALog(log.key).grow(30, 'b'), new ALog(log.key).grow(40, 'b')]) {
      show(fork);
      const { status, stderr } = await audit();
      assert.deepEqual([status, /This proves that the key of the log signed two histories/.test(stderr)], [4, true], stderr);
    }
    assert.equal(evidenceIn(cwd).length, 2);
    // An honest head without its quorum is refused as before, and is no evidence.
    show(log.copy().grow(10));
    const { status, stderr } = await audit();
    assert.deepEqual([status, /too few for the quorum/.test(stderr), evidenceIn(cwd).length], [4, true, 2]);
  } finally {
    await gateway.close();
  }
});

test('evidence is never written over anything, and never lost', async () => {
  const log = new ALog().grow(10);
  const { cwd, gateway, audit, show } = await audited(log);
  try {
    const fork = new ALog(log.key).grow(10, 'b');
    show(fork);
    writeFileSync(join(cwd, 'mine.json'), 'precious');
    symlinkSync('precious', join(cwd, 'mine-2.json'));
    const { status, stderr } = await audit('--evidence', 'mine.json');
    assert.deepEqual([status, readFileSync(join(cwd, 'mine.json'), 'utf8'), existsSync(join(cwd, 'precious'))], [4, 'precious', false]);
    assert.match(stderr, /mine-3\.json/);
    assert.equal(read(join(cwd, 'mine-3.json')).heads.length, 2);
    // If no file can be written, the heads are printed.
    const nowhere = await audit('--evidence', 'mine.json/evidence.json');
    assert.equal(nowhere.status, 4, nowhere.stderr);
    assert.match(nowhere.stderr, /cannot write mine\.json\/evidence\.json/);
    for (const line of [log.head(), fork.head()].join('').trim().split('\n')) assert.ok(nowhere.stderr.includes(line), line);
    const json = JSON.parse((await audit('--evidence', 'mine.json/evidence.json', '--json')).stderr);
    assert.deepEqual([json.evidence, json.heads.map(({ note }) => note)], [undefined, [log.head(), fork.head()]]);
    assert.equal((await audit('--evidence', '')).status, 2);
  } finally {
    await gateway.close();
  }
});

test('the state: when the head was seen, states of before, states that are broken', async () => {
  const begun = Date.now();
  const log = new ALog().grow(20);
  const { cwd, gateway, audit, state, show } = await audited(log);
  const put = (value) => writeFileSync(join(cwd, 'state.json'), typeof value === 'string' ? value : JSON.stringify(value));
  try {
    const kept = JSON.parse(state());
    assert.ok(Date.parse(kept.seen) >= begun - 1000 && Date.parse(kept.seen) <= Date.now(), kept.seen);
    const { seen: _, ...old } = kept;
    put(old);
    show(log.copy().grow(5));
    assert.equal((await audit()).status, 0);
    assert.ok(JSON.parse(state()).seen);
    // The old state does not have the time at which its head was seen, and the evidence says so.
    put(old);
    show(new ALog(log.key).grow(20, 'b'));
    assert.equal((await audit()).status, 4);
    assert.equal(read(join(cwd, evidenceIn(cwd)[0])).heads[0].seen, null);
    const other = new ALog().grow(20);
    for (const broken of [
      '',
      '{',
      'null',
      '[]',
      { ...kept, head: 5 },
      { ...kept, seen: 5 },
      { ...kept, head: 'x' },
      { ...kept, head: other.head() },
      { ...kept, policy: 'x' },
    ]) {
      put(broken);
      const before = state();
      const { status, stderr } = await audit();
      assert.deepEqual([status, state()], [2, before], `${JSON.stringify(broken)}: ${stderr}`);
      assert.match(stderr, /state\.json is not a state file of an audit/);
    }
  } finally {
    await gateway.close();
  }
});

test('the same head with newer cosignatures takes the place of the kept one', async () => {
  const log = new ALog().grow(20);
  const now = Date.UTC(2026, 10, 29, 12) / 1000;
  const cosigned = [[partner, now - 4000]];
  const { gateway, audit, state, show } = await audited(log, { witnesses: [partner], cosigned, time: now });
  try {
    assert.equal(JSON.parse(state()).head, log.head(20, cosigned));
    show(log, 20, [[partner, now - 300]]);
    const { status, stdout } = await audit();
    assert.equal(status, 0);
    assert.match(stdout, /unchanged; 1 cosignature; last cosigned 2026-11-29T11:55:00Z, 5 minutes ago, by partner;/);
    assert.equal(JSON.parse(state()).head, log.head(20, [[partner, now - 300]]));
  } finally {
    await gateway.close();
  }
});

test('--max-age: how old the newest cosignature may be', async () => {
  const log = new ALog().grow(20);
  const [one, two] = [witnessOf('one'), witnessOf('two')];
  const stranger = witnessOf('stranger');
  const time = Date.UTC(2026, 10, 29, 12) / 1000;
  const { gateway, audit, state, show } = await audited(log, { witnesses: [one, two], time });
  const minutes = (count) => time - 60 * count;
  try {
    // The cosignatures with their times, the required age, the exit code, the output.
    for (const [cosigned, age, code, words] of [
      [[[one, minutes(10)]], '10m', 0, /last cosigned 2026-11-29T11:50:00Z, 10 minutes ago, by one/],
      [[[one, minutes(10)]], '599s', 4, /the newest cosignature is 10 minutes old \(\S+Z, by one\), older than --max-age 599s/],
      // The newest cosignature counts, whichever witness made it.
      [
        [
          [one, minutes(300)],
          [two, minutes(100)],
        ],
        '2h',
        0,
        /2 cosignatures; last cosigned \S+Z, 1 hour 40 minutes ago, by two/,
      ],
      [[[one, minutes(60 * 49)]], '2d', 4, /is 2 days 1 hour old/],
      [[[one, minutes(60 * 49)]], '3d', 0, /2 days 1 hour ago/],
      [[], '3d', 4, /no trusted witness has cosigned this head, and --max-age 3d asks for a cosignature/],
      [[[stranger, minutes(0)]], '3d', 4, /no trusted witness has cosigned/],
      // Clocks may differ a little.
      [[[one, time + 30]], '90s', 0, /last cosigned \S+Z, 0 seconds ago, by one/],
      [[[one, time + 7200]], '3d', 4, /the cosignature of one is dated \S+Z, 2 hours ahead of this clock: it does not count as fresh/],
      [
        [
          [one, time + 7200],
          [two, minutes(1)],
        ],
        '3d',
        0,
        /last cosigned \S+Z, 1 minute ago, by two/,
      ],
      [[[one, 2n ** 63n - 1n]], '3d', 4, /the cosignature of one is dated after the year 9999: it does not count as fresh/],
      [[[one, 253402300800n]], '3d', 4, /after the year 9999/],
      [[[one, 253402300799n]], '3d', 4, /dated 9999-12-31T23:59:59Z, \d+ days( \d+ hours?)? ahead of this clock/],
      [[[one, 0]], '999999d', 0, /last cosigned 1970-01-01T00:00:00Z/],
      [[[one, 0]], '3d', 4, /days( \d+ hours?)? old \(1970-01-01T00:00:00Z, by one\)/],
    ]) {
      show(log, 20, cosigned);
      const what = `${JSON.stringify(cosigned.map(([{ name }, at]) => [name, String(at)]))} ${age}`;
      const { status, stdout, stderr } = await audit('--max-age', age);
      assert.equal(status, code, `${what}: ${stderr}`);
      assert.match(code === 0 ? stdout : stderr, words, what);
      // The head is signed and consistent with the kept one, so it is kept even if old.
      assert.equal(JSON.parse(state()).head, gateway.shown.head);
    }
    for (const [cosigned, code, words] of [
      [[[one, minutes(10)]], 4, ''],
      [[[one, minutes(1)]], 0, ''],
      [
        [
          [one, minutes(1)],
          [two, time + 7200],
        ],
        0,
        'ahead of this clock',
      ],
    ]) {
      show(log, 20, cosigned);
      const quiet = await audit('--max-age', '5m', '--quiet');
      assert.deepEqual([quiet.status, quiet.stdout, quiet.stderr === '', quiet.stderr.includes(words)], [code, '', code === 0 && words === '', true]);
      // Without `--max-age` nothing fails, but the time is still shown.
      const without = await audit();
      assert.equal(without.status, 0);
      assert.match(without.stdout, /; last cosigned \S+Z, 10? minutes? ago, by one;/);
    }
    show(log, 20, [
      [one, minutes(10)],
      [two, 2n ** 63n - 1n],
    ]);
    const { status, stdout, stderr } = await audit('--json', '--max-age', '5m');
    const given = JSON.parse(stdout);
    assert.equal(status, 4);
    assert.deepEqual(
      given.cosignatures.map(({ name, inFuture }) => [name, inFuture]),
      [
        ['one', undefined],
        ['two', true],
      ],
    );
    assert.equal(given.cosignatures[0].time, '2026-11-29T11:50:00.000Z');
    assert.equal(given.lastCosigned, given.cosignatures[0].time);
    assert.match(JSON.parse(stderr).detail, /older than --max-age 5m/);
    // Larger numbers are not a time, so the cosignature is invalid.
    show(log, 20, [[one, 2n ** 64n - 1n]]);
    const beyond = await audit();
    assert.deepEqual([beyond.status, /the signature of `one\.example\.com\/witness` is not valid/.test(beyond.stderr)], [4, true], beyond.stderr);
    // An invalid duration is reported before any request.
    const asked = gateway.asked.length;
    for (const wrong of ['', '15', 'm', '-1m', '1.5h', '15 m', '0s', '1w', '1h30m', '1234567d', '١m', '1M']) {
      const { status, stderr } = await audit(`--max-age=${wrong}`);
      assert.deepEqual([status, /--max-age .*expected a number and s, m, h or d/.test(stderr)], [2, true], `${wrong}: ${stderr}`);
    }
    assert.equal(gateway.asked.length, asked);
  } finally {
    await gateway.close();
  }
});

test('no request of an audit follows a redirect', async () => {
  const log = new ALog().grow(20);
  const elsewhere = await gatewayOf({ head: log.head(), policy: policyOf(log.key), parts: log.parts() });
  const gateway = await gatewayOf({ head: log.head(), policy: policyOf(log.key), parts: log.parts() });
  try {
    for (const path of ['policy', 'checkpoint', 'tile/0/000.p/20']) {
      for (const code of [302, 308]) {
        gateway.shown.instead = (asked) => (asked === path ? [code, '', { location: `${elsewhere.address}/log/${path}` }] : undefined);
        const cwd = folder();
        const { status, stderr } = await run(cwd, gateway.address, '--state', join(cwd, 'state.json'));
        assert.deepEqual([status, /redirects are not followed/.test(stderr)], [3, true], `${path} ${code}: ${stderr}`);
        assert.ok(!existsSync(join(cwd, 'state.json')));
      }
    }
    assert.deepEqual(elsewhere.asked, []);
  } finally {
    await Promise.all([gateway.close(), elsewhere.close()]);
  }
});

test('answers without an end, and a log of more leaves than numbers have', async () => {
  const log = new ALog().grow(20);
  const policy = policyOf(log.key);
  const gateway = await gatewayOf({ head: log.head(), policy, parts: log.parts() });
  try {
    for (const path of ['policy', 'checkpoint', 'tile/0/000.p/20']) {
      let socket;
      gateway.shown.instead = (asked, response) => {
        if (asked !== path) return undefined;
        ({ socket } = response);
        return endless(response);
      };
      const cwd = folder();
      const { status, stderr } = await run(cwd, gateway.address, '--state', join(cwd, 'state.json'));
      assert.deepEqual([status, /more than \d+ bytes/.test(stderr)], [4, true], `${path}: ${stderr}`);
      assert.ok(socket.bytesWritten < 64e6, `${path}: ${socket.bytesWritten} bytes`);
      assert.ok(!existsSync(join(cwd, 'state.json')));
    }
    // 2^60 equal leaves: all hashes of a level are equal, and so are those of a tile.
    let [hash, size] = [Buffer.alloc(32, 1), 2n ** 60n];
    for (let n = 0; n < 60; n += 1) hash = nodeOf(hash, hash);
    const server = await serving((url) => (url === '/log/checkpoint' ? [200, headOf(log.key, size, hash)] : url === '/log/policy' ? [200, policy] : [404, '']));
    try {
      for (size of [2n ** 60n, 2n ** 53n, 2n ** 64n - 1n]) {
        const { status, stderr } = await run(folder(), server.address, '--state', 'state.json');
        assert.deepEqual([status, /not a checkpoint, expected/.test(stderr)], [4, true], stderr);
      }
      size = 2n ** 64n;
      assert.equal((await run(folder(), server.address, '--state', 'state.json')).status, 4);
    } finally {
      await server.close();
    }
  } finally {
    await gateway.close();
  }
});
