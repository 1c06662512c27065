// What may happen to a server: a folder or a file in use, a full disk, slow callers, many idle ones, its end, a clock that goes back.
// Invariant: A full disk, a locked file, thousands of idle and slow callers, its end and a clock that goes back leave the server's
// store whole.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { PROGRAM, startServer } from '../../scripts/server.ts';
import { documentOf, event, open, walk } from '../../worker/tests/store.js';

process.env.EPCIS_EDGE_STORE = 'server';
const scratch = mkdtempSync(join(tmpdir(), 'epcis-server-faults-'));
after(() => rmSync(scratch, { recursive: true }));

const documentWith = (name, count = 1) => documentOf(Array.from({ length: count }, (_, n) => event(`urn:x:${name}:${n}`)));

/** Captures a document over a connection of its own. */
async function capture({ address, key }, document, options = {}) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(new URL('capture', address), { method: 'POST', headers, body: JSON.stringify(document), ...options });
  return { status: answer.status, retry: answer.headers.get('retry-after'), text: await answer.text() };
}

function assertAway({ status, retry, text }) {
  assert.equal(status, 503, text);
  assert.match(retry, /^[1-9]\d*$/);
  assert.doesNotMatch(text, /sqlite|disk|lock|SQL|tmp/i);
}

/** Uses a gateway with a store of its own. */
async function using(options, use) {
  const store = await open({ persistTo: mkdtempSync(join(scratch, 'data-')), ...options });
  try {
    await use(store);
  } finally {
    await store.dispose();
  }
}

test('a folder has one server, and the other one is told', async () => {
  await using({}, async (store) => {
    await assert.rejects(startServer({ persistTo: store.data }), /is used by another server: end it, or name another folder with --data/);
    assert.equal((await capture(store, documentWith('one'))).status, 202);
  });
});

test('settings that are none are refused, with what is expected', () => {
  const run = (args, env = {}) => spawnSync(PROGRAM, args, { encoding: 'utf8', cwd: scratch, env: { LISTEN: '127.0.0.1:0', ...env } });
  const file = join(scratch, 'settings.toml');
  for (const [args, env, told] of [
    [['--bass-url', 'https://x.example'], {}, /unexpected argument '--bass-url'/],
    [['serve'], {}, /unrecognized subcommand/],
    [['--workers', '0'], {}, /WORKERS is 0, expected a number from 1 to 256/],
    [[], { RATE_UNITS: 'x' }, /RATE_UNITS is x, expected a number from 1 to/],
    [[], { RATE_LIMIT: 'perhaps' }, /RATE_LIMIT/],
    [[], { TLS_KEY: 'x' }, /TLS_CERTIFICATE and TLS_KEY are given together/],
    [[], { LISTEN: 'here' }, /^epcis-edge-server: here: /],
  ]) {
    const { status, stderr } = run(args, env);
    assert.notEqual(status, 0);
    assert.match(stderr, told);
  }
  for (const [text, told] of [
    ['BASS_URL = "x"', /settings\.toml: there is no setting BASS_URL, expected one of .*BASE_URL/],
    ['WORKERS = true', /settings\.toml: WORKERS is true, expected a text or a number/],
    ['BASE_URL', /settings\.toml: TOML parse error/],
  ]) {
    writeFileSync(file, text);
    const { status, stderr } = run(['--settings', file]);
    assert.equal(status, 1);
    assert.match(stderr, told);
  }
});

test('a database that another program has locked: 503, questions go on, and captures when it is free', async () => {
  await using({}, async (store) => {
    assert.equal((await capture(store, documentWith('before'))).status, 202);
    // The log may be writing its leaf.
    const other = new DatabaseSync(join(store.data, 'store.sqlite'), { timeout: 20_000 });
    other.exec('BEGIN IMMEDIATE');
    const waiting = Promise.all([capture(store, documentWith('a')), capture(store, documentWith('b'))]);
    assert.equal((await walk(store, {})).length, 1);
    for (const answer of await waiting) assertAway(answer);
    const later = capture(store, documentWith('c'));
    await setTimeout(500);
    other.exec('ROLLBACK');
    other.close();
    assert.equal((await later).status, 202, 'it had waited');
    assert.equal((await capture(store, documentWith('a'))).status, 202);
    assert.equal((await walk(store, {})).length, 3);
  });
});

test('the rows of a long capture wait in a file without a name, and all of them are stored as they came', async () => {
  await using({}, async (store) => {
    const note = 'é"\\\n'.repeat(250);
    const long = documentOf(Array.from({ length: 4000 }, (_, n) => event(`urn:x:long:${n}`, { 'ex:note': `${n} ${note}` })));
    long['@context'].push({ ex: 'https://ex.example/' });
    for (const one of long.epcisBody.eventList) delete one['@context'];
    const before = readdirSync(store.data);
    const answer = capture(store, long);
    const files = new Set();
    while ((await Promise.race([answer, setTimeout(20)])) === undefined) for (const name of readdirSync(store.data)) files.add(name);
    assert.equal((await answer).status, 202);
    assert.deepEqual([...files].sort(), before.sort());
    const found = await walk(store, {}, undefined, { perPage: 1000 });
    assert.deepEqual(
      found.map((one) => [one.epcList, one['ex:note']]),
      long.epcisBody.eventList.map((one) => [one.epcList, one['ex:note']]),
    );
  });
});

/** A file system of some megabytes, if one can be mounted. */
function smallDisk(megabytes) {
  const folder = mkdtempSync(join(scratch, 'disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder]);
  return status === 0 ? folder : undefined;
}

test('a full disk: 503, nothing is half stored, and captures again when there is room', async (t) => {
  const disk = smallDisk(24);
  if (disk === undefined) return t.skip('no file system can be mounted here');
  try {
    await using({ persistTo: join(disk, 'data') }, async (store) => {
      writeFileSync(join(disk, 'filler'), Buffer.alloc(8 << 20));
      const taken = new Map();
      const refused = [];
      // Several at once, so that they share transactions.
      for (let n = 0; refused.length < 12; n += 1) {
        assert.ok(n < 200, 'the disk gets full');
        const names = Array.from({ length: 6 }, (_, k) => `${n}-${k}`);
        const answers = await Promise.all(names.map((name, k) => capture(store, documentWith(name, k === 0 ? 100 : 5))));
        answers.forEach((answer, k) => {
          if (answer.status === 202) return taken.set(names[k], k === 0 ? 100 : 5);
          assertAway(answer);
          refused.push([names[k], k === 0 ? 100 : 5]);
        });
      }
      const counted = () =>
        store.database
          .prepare(
            'SELECT count(*) AS events, (SELECT coalesce(sum(events), 0) FROM capture_jobs) AS jobs, (SELECT count(*) FROM event_parts) AS parts FROM events',
          )
          .first();
      const sum = [...taken.values()].reduce((sum, count) => sum + count, 0);
      assert.ok(sum > 0);
      assert.deepEqual({ ...(await counted()) }, { events: sum, jobs: sum, parts: sum });
      assert.equal((await walk(store, {}, undefined, { perPage: 1000 })).length, sum, 'questions are answered');
      rmSync(join(disk, 'filler'));
      for (const [name, count] of refused) {
        assert.equal((await capture(store, documentWith(name, count))).status, 202);
        taken.set(name, count);
      }
      const all = [...taken.values()].reduce((sum, count) => sum + count, 0);
      assert.deepEqual({ ...(await counted()) }, { events: all, jobs: all, parts: all });
      for (let n = 0; ; n += 1) {
        const { left } = await store.database.prepare('SELECT (SELECT count(*) FROM events) - (SELECT count(*) FROM log_leaves) AS left').first();
        if (left === 0) break;
        assert.ok(n < 300, `${left} events without a leaf`);
        await setTimeout(100);
      }
    });
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

test('what is in flight at the end is answered, what comes then is a 503, and the process ends with 0', async () => {
  await using({}, async (store) => {
    const { hostname, port } = store.address;
    // A capture whose second half comes after the end was asked for, and a connection without a request.
    const body = Buffer.from(JSON.stringify(documentWith('slow')));
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${store.key}`, 'content-length': body.length };
    const slow = http.request({ hostname, port, path: '/capture', method: 'POST', headers, agent: false });
    const answered = once(slow, 'response');
    slow.write(body.subarray(0, 50));
    await setTimeout(200);
    const ended = once(store.process, 'exit');
    store.process.kill('SIGTERM');
    await setTimeout(200);
    assertAway(await capture(store, documentWith('new')));
    assert.equal((await fetch(new URL('readyz', store.address))).status, 503);
    assert.equal((await fetch(new URL('healthz', store.address))).status, 200);
    assert.equal(store.process.exitCode, null);
    slow.end(body.subarray(50));
    const [{ statusCode }] = await answered;
    assert.equal(statusCode, 202);
    assert.deepEqual(await ended, [0, null]);
    assert.equal(await store.database.prepare('SELECT count(*) AS n FROM events').first('n'), 1);
  });
});

describe('many callers', () => {
  let store;
  before(async () => {
    store = await open();
  });
  after(() => store.dispose());
  const connect = async () => {
    const socket = net.connect(Number(store.address.port), store.address.hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const megabytes = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${store.process.pid}/status`, 'utf8'))[1]) / 1024;

  test('10,000 idle connections, senders that stop in their bodies and readers that do not read: others are answered', async (t) => {
    const idle = [];
    for (let n = 0; n < 100; n += 1) idle.push(...(await Promise.all(Array.from({ length: 100 }, connect))));
    const closed = idle.map((socket) => once(socket.resume(), 'close'));
    // Half of a long document, and half of a short one.
    const head = (length) =>
      `POST /capture HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const stopped = await Promise.all(
      [9 << 20, 9 << 20, 9 << 20, ...Array(200).fill(2000)].map(async (length) => {
        const socket = await connect();
        socket.write(head(length) + ' '.repeat(length / 2));
        return socket;
      }),
    );
    const texts = stopped.map(async (socket) => {
      let text = '';
      socket.on('data', (part) => (text += part));
      await once(socket, 'close');
      return text;
    });
    // Readers who ask for much and take nothing.
    await capture(store, documentWith('large', 2000));
    const unread = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = await connect();
        socket.pause();
        socket.write(`GET /events?perPage=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\n\r\n`.repeat(10));
        return socket;
      }),
    );
    let slowest = 0;
    for (let n = 0; n < 50; n += 1) {
      const begun = performance.now();
      assert.equal((await capture(store, documentWith(`between-${n}`))).status, 202);
      slowest = Math.max(slowest, performance.now() - begun);
    }
    const most = megabytes();
    assert.ok(most < 300, `${most} MB`);
    t.diagnostic(`${idle.length} idle connections: ${Math.round(most)} MB; the slowest of 50 captures took ${Math.round(slowest)} ms`);
    // Nobody may wait for ever.
    for (const text of await Promise.all(texts)) assert.match(text, /^HTTP\/1\.1 [45]|^$/);
    await Promise.all(closed);
    for (const socket of unread) socket.destroy();
    assert.equal((await capture(store, documentWith('after'))).status, 202);
  });
});

/** Shifts the clock of a process by the seconds in a file. */
const SHIFTED = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int done = real(id, time);
  long shift = 0;
  FILE *file = id == CLOCK_REALTIME ? fopen(getenv("CLOCK_SHIFT"), "r") : NULL;
  if (file) { if (fscanf(file, "%ld", &shift) == 1) time->tv_sec += shift; fclose(file); }
  return done;
}
`;

test('a clock that goes back an hour: recordTime does not, and readers by time and by feed miss nothing', async (t) => {
  writeFileSync(join(scratch, 'shifted.c'), SHIFTED);
  const library = join(scratch, 'shifted.so');
  if (spawnSync('cc', ['-shared', '-fPIC', '-o', library, join(scratch, 'shifted.c'), '-ldl']).status !== 0) return t.skip('there is no C compiler');
  const shift = join(scratch, 'shift');
  writeFileSync(shift, '0');
  const persistTo = join(scratch, 'clock');
  mkdirSync(persistTo);
  await using({ persistTo, bindings: { LD_PRELOAD: library, CLOCK_SHIFT: shift } }, async (store) => {
    const times = [];
    const ask = async (path) => {
      const answer = await fetch(new URL(path, store.address), { headers: { authorization: `Bearer ${store.key}` } });
      return { answer, list: (await answer.json()).epcisBody.queryResults.resultsBody.eventList };
    };
    let cursor;
    for (const seconds of [0, -3600, -7200, 60]) {
      writeFileSync(shift, String(seconds));
      assert.equal((await capture(store, documentWith(`at${seconds}`))).status, 202);
      const path = `/events?orderBy=recordTime&orderDirection=ASC${cursor ? `&feedCursor=${cursor}` : ''}`;
      const { answer, list } = await ask(path);
      assert.equal(list.length, 1, 'the feed has the new event');
      cursor = answer.headers.get('spine-feed-cursor');
      const [{ recordTime }] = list;
      if (times.length > 0) assert.ok((await ask(`/events?GE_recordTime=${times.at(-1)}`)).list.some((one) => one.recordTime === recordTime));
      times.push(recordTime);
    }
    assert.deepEqual(times, times.toSorted());
    assert.ok(Date.parse(times[3]) > Date.now() + 30_000, 'the clock was shifted');
  });
});
