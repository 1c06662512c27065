// The programs of docs/rest.md, docs/capture.md, docs/queries.md and docs/feed.md, each run as its reader would, against the Worker in workerd.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeLogKey } from '../../scripts/log-keys.ts';
import { open } from '../../worker/tests/store.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = ['docs/rest.md', 'docs/capture.md', 'docs/queries.md', 'docs/feed.md'].map((name) => readFileSync(join(root, name), 'utf8')).join('\n');
const files = Object.fromEntries([...page.matchAll(/`([\w-]+\.(?:py|mjs))`[^\n]*:\n\n```\w+\n([\s\S]*?)```/g)].map(([, name, code]) => [name, code]));
const shells = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code);
const hasPython = spawnSync('python3', ['--version']).status === 0;
const withPython = { skip: hasPython ? false : 'there is no python3' };

let store;
let folder;
before(async () => {
  store = await open({ bindings: { LOG_KEY: makeLogKey('log', 'epcis.example.com/log').skey } });
  // In the repository, so that the package is found.
  mkdirSync(join(root, 'target'), { recursive: true });
  folder = mkdtempSync(join(root, 'target/rest-page-'));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
});
after(async () => {
  await store?.dispose();
  if (folder) rmSync(folder, { recursive: true });
});

const programOf = (name) => (name.endsWith('.py') ? 'python3' : process.execPath);
const environment = (more) => ({ ...process.env, GATEWAY: store.address.origin, KEY: store.key, PYTHONWARNINGS: 'error', ...more });

/** Runs a program to its end. The gateway is in this process, which must not block. */
function ran(program, args, more) {
  const child = spawn(program, args, { cwd: folder, env: environment(more) });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (out[name] += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...out })));
}

test('the page has these programs, and none besides', () => {
  assert.deepEqual(Object.keys(files).sort(), ['ask.py', 'capture.py', 'follow.mjs', 'follow.py']);
  assert.equal([...page.matchAll(/```(python|js)\n/g)].length, 4);
  assert.equal(shells.length, 5);
});

test('capture.py captures and finds', withPython, async () => {
  const key = await store.makeKey({ account: 'https://example.com/accounts/capture.py' });
  const { status, stdout, stderr } = await ran('python3', ['capture.py'], { KEY: key });
  assert.equal(status, 0, stderr);
  assert.match(stdout.toLowerCase(), /^captured: true\nni:\/\/\/sha-256;[0-9a-f]{64}\?ver=cbv2\.0\n$/);
});

test('a refusal is told in words, not in a traceback', withPython, async () => {
  const lost = await ran('python3', ['capture.py', 'lost']);
  assert.deepEqual([lost.status, lost.stdout], [1, '']);
  assert.match(lost.stderr, /^POST \/capture: 400 \{.*"epcisException:ValidationException".*`lost`.*"\/epcisBody\/eventList\/0\/bizStep".*\}\n$/s);
  for (const name of Object.keys(files).filter((one) => one !== 'ask.py')) {
    const { status, stdout, stderr } = await ran(programOf(name), [name], { KEY: 'epcis_0_0' });
    assert.deepEqual([status, stdout], [1, ''], name);
    assert.match(stderr, /\b401\b.*\n$/, name);
    assert.doesNotMatch(stderr, /Traceback|\n {4}at /, name);
  }
  const { status, stderr } = await ran('python3', ['capture.py'], { GATEWAY: 'http://127.0.0.1:9' });
  assert.deepEqual([status, /^POST \/capture: .*refused/.test(stderr)], [1, true], stderr);
});

/** The output of a block of calls. */
async function typed(code) {
  const { status, stdout, stderr } = await ran('bash', ['-euo', 'pipefail', '-c', code.replaceAll('http://127.0.0.1:8787', store.address.origin)]);
  assert.equal(status, 0, stderr);
  return stdout;
}

test('the calls with curl answer what the page says below them', async () => {
  const [first, xml, proceed, own, named] = shells;
  assert.match(await typed(first), /^HTTP\/1\.1 202 [^]*"captureID"[^]*"EPCISQueryDocument"[^]*"EPCISQueryDocument"/);
  const translated = await typed(xml);
  assert.match(translated, /^HTTP\/1\.1 202 [^]*HTTP\/1\.1 200 /);
  assert.match(translated, /content-type: application\/xml; charset=utf-8\r\n/i);
  assert.match(translated, /spine-translation-fidelity: (round-trip-clean|lossy)\r\n/i);
  assert.match(translated, /<epcisq:EPCISQueryDocument [^]*urn:epc:id:sscc:9521141\.1234567891/);
  const job = JSON.parse(await typed(proceed));
  assert.deepEqual([job.running, job.success, job.captureErrorBehaviour, job.errors.length, job['epcisEdge:eventIDs'].length], [false, false, 'proceed', 1, 1]);
  assert.equal(job.errors[0].type, 'epcisException:ValidationException');
  const [found] = JSON.parse(await typed(own)).epcisBody.queryResults.resultsBody.eventList;
  assert.equal(found['ex:batch'], 'B7');
  const answers = await typed(named);
  assert.match(answers, /^HTTP\/1\.1 201 [^]*location: \/queries\/departures\r\n/i);
  assert.match(answers, /"name":"departures"[^]*"eventList":\[\{[^]*HTTP\/1\.1 204 /);
});

for (const name of ['follow.py', 'follow.mjs'])
  test(`${name} tells what is there, what comes, and goes on where it was`, name.endsWith('.py') ? withPython : {}, async () => {
    const KEY = await store.makeKey({ account: `https://example.com/accounts/${name}` });
    const capture = async (n) => {
      const event = { type: 'ObjectEvent', action: 'OBSERVE', bizStep: 'shipping', eventTime: '2026-03-04T11:00:30Z', eventTimeZoneOffset: '+01:00' };
      const body = JSON.stringify({
        '@context': 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
        ...event,
        epcList: [`urn:epc:id:sscc:9521141.123456${n}`],
      });
      const answer = await fetch(new URL('/events', store.address), {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body,
      });
      assert.equal(answer.status, 201, await answer.clone().text());
      return (await answer.json()).eventID;
    };
    /** Whether it has stored the cursor after the last event. It does so after printing. */
    const isStored = async () => {
      const cursor = existsSync(join(folder, 'feed.cursor')) ? readFileSync(join(folder, 'feed.cursor'), 'utf8') : '';
      const answer = await fetch(new URL(`/events?feedCursor=${cursor}`, store.address), { headers: { authorization: `Bearer ${KEY}` } });
      return answer.ok && (await answer.json()).epcisBody.queryResults.resultsBody.eventList.length === 0;
    };
    /** Runs it until it has printed this many events, and stored their cursor. `more` is called once, when it has printed some. */
    const followed = (count, more) =>
      new Promise((resolve, reject) => {
        const child = spawn(programOf(name), [name], { cwd: folder, env: environment({ KEY }) });
        let [out, said] = ['', ''];
        const timer = setTimeout(() => child.kill(), 300_000);
        child.stderr.on('data', (chunk) => (said += chunk));
        const ended = async () => {
          while (!child.killed && !(await isStored())) await new Promise((resume) => setTimeout(resume, 50));
          child.kill();
        };
        child.stdout.on('data', (chunk) => {
          out += chunk;
          more?.();
          more = undefined;
          if (out.trim().split('\n').length >= count) ended().catch(reject);
        });
        child.on('close', () => (clearTimeout(timer), said === '' ? resolve(out.trim().split('\n')) : reject(new Error(said))));
      });
    const names = [await capture(1000), await capture(1001)];
    let later;
    const printed = await followed(3, () => (later = capture(1002)));
    assert.deepEqual(printed, [...names, await later]);
    const fourth = await capture(1003);
    assert.deepEqual(await followed(1), [fourth], 'it goes on with the cursor that it kept');
    rmSync(join(folder, 'feed.cursor'));
  });
