// Proofs in the package and on the command line. Audits of a log that lies.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EpcisError, disclosable, disclose, verifyDisclosure, verifyProof } from 'epcis-edge/proof';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const vector = (name) => here(`../../tests/vectors/log/${name}`);
const text = (name) => readFileSync(vector(name), 'utf8');
const [event, proof, policy] = ['event.json', 'event.tlog-proof', 'trusted.policy'].map(text);
const scratch = mkdtempSync(join(tmpdir(), 'epcis-log-cli-test-'));
after(() => rmSync(scratch, { recursive: true }));

/** A time after the proof, independent of this machine's clock. */
const now = new Date('2026-11-22T00:00:00Z');

test('a proof holds, step by step', () => {
  for (const given of [event, new TextEncoder().encode(event), new TextEncoder().encode(event).buffer]) {
    const verdict = verifyProof(given, proof, policy, { now });
    assert.deepEqual(
      verdict.steps.map(({ step, holds }) => [step, holds]),
      ['proof', 'event', 'leaf', 'log', 'witnesses', 'inclusion'].map((step) => [step, true]),
    );
    assert.deepEqual(
      [verdict.valid, verdict.loggedBefore, verdict.index, verdict.size, verdict.origin],
      [true, '2026-11-21T10:00:01.000Z', 1, 3, 'epcis.example.com/log'],
    );
    assert.deepEqual(verdict.cosignatures, [{ name: 'W1', time: '2026-11-21T10:00:00.000Z' }]);
    assert.deepEqual(verdict.loggedBeforeBy, ['W1']);
    const epc = 'urn:epc:id:sscc:9521141.1234567890';
    assert.deepEqual(verdict.event, { path: '', type: 'ObjectEvent', eventID: 'urn:uuid:1', epc });
    // A witness that dates ahead is reported, and its date does not count.
    const early = verifyProof(given, proof, policy, { now: Date.parse('2026-11-21T09:00:00Z') });
    assert.deepEqual([early.valid, early.loggedBefore, early.loggedBeforeBy], [true, null, []]);
    assert.equal(early.cosignatures[0].doubt, 'after now');
    assert.throws(() => verifyProof(given, proof, policy, { then: 1 }), /verifyProof has no option "then"/);
    assert.throws(() => verifyProof(given, proof, policy, { now: 'today' }), /the option now of verifyProof is "today", expected a Date/);
    assert.throws(() => verifyProof(given, proof, policy, 5), /the fourth argument of verifyProof is 5/);
  }
});

test('what does not hold is told by its step', () => {
  const failed = (...given) =>
    verifyProof(...given)
      .steps.filter(({ holds }) => !holds)
      .map(({ step }) => step);
  assert.deepEqual(failed(event.replace('OBSERVE', 'DELETE'), proof, policy), ['event']);
  assert.deepEqual(failed(event, proof.replace('index 1', 'index 2'), policy), ['inclusion']);
  assert.deepEqual(failed(event, proof.replace('\n3\n', '\n4\n'), policy), ['log', 'witnesses']);
  assert.deepEqual(failed(event, proof.slice(1), policy), ['proof']);
  assert.deepEqual(failed(event, proof, policy.replace(/^log .*\n/, '')), ['log']);
  const verdict = verifyProof(event, '', policy);
  assert.deepEqual([verdict.valid, verdict.origin, verdict.index, verdict.loggedBefore], [false, null, null, null]);
});

test('what is no policy, no event or no text is refused', () => {
  assert.throws(
    () => verifyProof(event, proof, ''),
    (error) => error instanceof EpcisError && error.problem.status === 400,
  );
  assert.throws(() => verifyProof('{', proof, policy), EpcisError);
  assert.throws(() => verifyProof(JSON.parse(event), proof, policy), /the event is an Object, expected its exact text as the gateway sent it/);
  assert.throws(() => verifyProof(event, 5, policy), /the proof is 5, expected a string/);
  assert.throws(() => verifyProof(event, proof), /the policy is undefined/);
});

/** Runs the command line in a separate process, so that this one can answer it. */
function run(...args) {
  const child = spawn(process.execPath, [here('../js/cli/cli.ts'), ...args], { env: { ...process.env, EPCIS_EDGE_KEY: 'epcis_key' } });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (out[name] += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...out })));
}

test('verify-proof says of each step whether it holds', async () => {
  const good = await run('verify-proof', vector('event.json'), vector('event.tlog-proof'), '--policy', vector('trusted.policy'));
  assert.equal(good.status, 0, good.stderr);
  assert.match(
    good.stdout,
    /ObjectEvent urn:epc:id:sscc:9521141\.1234567890: logged before 2026-11-21T10:00:01\.000Z \(W1\), at index 1 of 3 leaves, epcis\.example\.com\/log\n {2}holds {2}proof/,
  );
  const quiet = await run('verify-proof', vector('event.json'), vector('event.tlog-proof'), '--policy', vector('trusted.policy'), '--quiet');
  assert.deepEqual([quiet.status, quiet.stdout], [0, '']);
  const broken = join(scratch, 'broken.tlog-proof');
  writeFileSync(broken, proof.replace('index 1', 'index 0'));
  const bad = await run('verify-proof', vector('event.json'), broken, '--policy', vector('trusted.policy'), '--json');
  assert.equal(bad.status, 4);
  assert.deepEqual(
    JSON.parse(bad.stdout)
      .steps.filter(({ holds }) => !holds)
      .map(({ step }) => step),
    ['inclusion'],
  );
  assert.equal((await run('verify-proof', vector('event.json'), broken)).status, 2);
  assert.equal((await run('verify-proof', vector('event.json'), join(scratch, 'absent'), '--policy', vector('trusted.policy'))).status, 3);
  assert.equal((await run('verify-proof', vector('event.json'), vector('event.tlog-proof'), '--policy', vector('event.json'))).status, 4);
});

const [keyed, keyedProof, disclosure] = ['keyed.json', 'keyed.tlog-proof', 'keyed.disclosure.json'].map(text);

test('chosen fields are shown and proved, the others are withheld', () => {
  const fields = disclosable(keyed, keyedProof);
  assert.deepEqual(
    fields.map(({ name }) => name),
    Object.keys(JSON.parse(keyed)),
  );
  assert.deepEqual(
    fields.find(({ name }) => name === 'epcList'),
    { name: 'epcList', pointer: '/epcList', count: 3, canBeShown: true },
  );
  assert.deepEqual(
    fields.filter(({ canBeShown }) => !canBeShown).map(({ name }) => name),
    ['eventID'],
  );
  const made = disclose(keyed, keyedProof, ['epcList', 'eventTime', 'bizStep', '/ex:weight']);
  assert.equal(made, disclosure);
  for (const given of [made, new TextEncoder().encode(made)]) {
    const verdict = verifyDisclosure(given, policy, { now });
    assert.deepEqual(
      verdict.steps.map(({ step, holds }) => [step, holds]),
      ['disclosure', 'fields', 'leaf', 'log', 'witnesses', 'inclusion'].map((step) => [step, true]),
    );
    assert.deepEqual(
      [verdict.valid, verdict.withheld, verdict.loggedBefore, verdict.index, verdict.size, verdict.recordTime],
      [true, 12, '2026-11-21T10:00:01.000Z', 1, 3, '2026-11-21T10:00:01.000Z'],
    );
    assert.deepEqual(verdict.fields.at(-1), { pointer: '/ex:weight', value: '12.50' });
  }
  assert.ok(verifyProof(keyed, keyedProof, policy).valid);
});

test('what cannot be disclosed, and what is no disclosure', () => {
  const problemOf = (call) => {
    try {
      call();
    } catch (error) {
      assert.ok(error instanceof EpcisError, error);
      return error.problem.title;
    }
    return assert.fail('it was done');
  };
  assert.equal(
    problemOf(() => disclose(keyed, keyedProof, ['bizstep'])),
    'No such field',
  );
  assert.throws(() => disclose(keyed, keyedProof, ['bizstep']), /expected some of @context, type, eventTime/);
  assert.equal(
    problemOf(() => disclose(keyed, keyedProof, ['eventID'])),
    'Field not disclosable',
  );
  // An event with the proof of another.
  for (const call of [() => disclose(event, keyedProof, ['action']), () => disclosable(event, keyedProof)]) assert.equal(problemOf(call), 'Proof refused');
  assert.throws(() => disclose(keyed, keyedProof, 'action'), /the list of fields to show is "action", expected a list of strings/);
  assert.throws(() => disclose(keyed, keyedProof, [5]), TypeError);
  assert.throws(() => disclose(JSON.parse(keyed), keyedProof, ['action']), TypeError);
  assert.throws(() => verifyDisclosure(JSON.parse(disclosure), policy), /the disclosure is an Object, expected its exact text/);
  assert.throws(() => verifyDisclosure(disclosure, ''), EpcisError);
  for (const broken of [disclosure.replace('12.50', '12.5'), disclosure.replace('shipping', 'receiving'), '', keyed]) {
    const { valid, fields, withheld, recordTime } = verifyDisclosure(broken, policy);
    assert.deepEqual([valid, fields, withheld, recordTime], [false, [], null, null]);
  }
});

test('disclose shows what is named, verify-disclosure says what is shown', async () => {
  const file = join(scratch, 'event.disclosure.json');
  const made = await run('disclose', vector('keyed.json'), vector('keyed.tlog-proof'), '--show', 'epcList,eventTime,bizStep,/ex:weight', '-o', file);
  assert.deepEqual([made.status, made.stdout], [0, ''], made.stderr);
  assert.equal(readFileSync(file, 'utf8'), disclosure);
  const piped = await run('disclose', vector('keyed.json'), vector('keyed.tlog-proof'), '--show', 'epcList,eventTime,bizStep,/ex:weight');
  assert.equal(piped.stdout, disclosure);
  const verified = await run('verify-disclosure', file, '--policy', vector('trusted.policy'));
  assert.equal(verified.status, 0, verified.stderr);
  for (const words of [
    /part of an event that was logged before 2026-11-21T10:00:01\.000Z \(W1\), at index 1 of 3 leaves, epcis\.example\.com\/log/,
    /\n {2}shows {2}\/epcList\/2 "urn:epc:id:sscc:9521141\.1234567892"\n/,
    /\n {2}shows {2}\/ex:weight 12\.50\n {2}12 other fields are withheld\n/,
    /recorded at 2026-11-21T10:00:01\.000Z by https:\/\/example\.com\/accounts\/1, observed by https:\/\/id\.gs1\.org\/417\/9521141000009/,
    /\n {2}holds {2}fields /,
  ])
    assert.match(verified.stdout, words);
  const asJson = JSON.parse((await run('verify-disclosure', file, '--policy', vector('trusted.policy'), '--json')).stdout);
  assert.deepEqual([asJson.file, asJson.valid, asJson.withheld, asJson.fields.length], [file, true, 12, 6]);
  assert.equal((await run('verify-disclosure', file, '--policy', vector('trusted.policy'), '--quiet')).stdout, '');
  const broken = join(scratch, 'broken.disclosure.json');
  writeFileSync(broken, disclosure.replace('shipping', 'receiving'));
  const bad = await run('verify-disclosure', broken, '--policy', vector('trusted.policy'));
  assert.deepEqual([bad.status, /NOT proved/.test(bad.stdout), /receiving/.test(bad.stdout)], [4, true, false]);
  for (const [args, status, words] of [
    [[vector('keyed.json'), vector('keyed.tlog-proof')], 2, /--show is missing/],
    [[vector('keyed.json'), vector('keyed.tlog-proof'), '--show', 'bizstep'], 2, /no field `bizstep`, expected some of @context, type/],
    [[vector('keyed.json'), vector('keyed.tlog-proof'), '--show', 'action,'], 2, /no field ``/],
    [[vector('keyed.json'), vector('keyed.tlog-proof'), '--show', 'eventID'], 2, /anyone could use it to test guesses/],
    [[vector('event.json'), vector('keyed.tlog-proof'), '--show', 'action'], 4, /keyed digest/],
    [[vector('keyed.json'), join(scratch, 'absent'), '--show', 'action'], 3, /cannot read/],
    [[vector('keyed.json'), '--show', 'action'], 2, /name a file/],
  ]) {
    const refused = await run('disclose', ...args);
    assert.deepEqual([refused.status, refused.stdout], [status, ''], `${args}: ${refused.stderr}`);
    assert.match(refused.stderr, words);
  }
  assert.equal((await run('verify-disclosure', file)).status, 2);
  assert.equal((await run('verify-disclosure', file, '--policy', vector('event.json'))).status, 4);
});

/** A server that answers as a gateway might, or might not. */
async function pretend(answers) {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push({ path: request.url, key: request.headers.authorization });
    const [status, body] = answers(request.url) ?? [404, '<p>nothing</p>'];
    response.writeHead(status).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)));
  return { address: `http://127.0.0.1:${server.address().port}`, asked, close };
}

test('prove fetches a proof with a key, and the event beside it', async () => {
  const problem = JSON.stringify({ type: 'epcisException:NoSuchResourceException', title: 'No such event', status: 404, detail: 'there is no such event' });
  const gateway = await pretend((path) =>
    path.includes('absent')
      ? [404, problem]
      : path.startsWith('/log/proof?event=urn%3Auuid%3A1')
        ? [200, proof]
        : path === '/events/urn%3Auuid%3A1'
          ? [200, event]
          : undefined,
  );
  try {
    const [proofFile, eventFile] = [join(scratch, 'got.tlog-proof'), join(scratch, 'got.json')];
    const got = await run('prove', `${gateway.address}/`, 'urn:uuid:1', '--event', eventFile, '-o', proofFile);
    assert.equal(got.status, 0, got.stderr);
    assert.ok(gateway.asked.every(({ key }) => key === 'Bearer epcis_key'));
    const verified = await run('verify-proof', eventFile, proofFile, '--policy', vector('trusted.policy'));
    assert.equal(verified.status, 0, verified.stdout);
    const absent = await run('prove', gateway.address, 'absent');
    assert.deepEqual([absent.status, /there is no such event/.test(absent.stderr)], [3, true]);
    assert.equal((await run('prove', gateway.address, 'urn:uuid:2')).status, 3);
    assert.equal((await run('prove', 'no address', 'urn:uuid:1')).status, 2);
    assert.equal((await run('prove', gateway.address, 'urn:uuid:1', '--declaration', '0')).status, 2);
  } finally {
    await gateway.close();
  }
});

test('audit keeps the head, and tells a log whose tiles are not its own', async () => {
  const head = proof.slice(proof.indexOf('\n\n') + 2);
  let tile = Buffer.alloc(96);
  const gateway = await pretend((path) =>
    path === '/log/checkpoint' ? [200, head] : path === '/log/policy' ? [200, policy] : path === '/log/tile/0/000.p/3' ? [200, tile] : undefined,
  );
  try {
    const state = join(scratch, 'audit.json');
    const wrong = await run('audit', gateway.address, '--state', state);
    assert.deepEqual([wrong.status, /do not lead to the signed root/.test(wrong.stderr)], [4, true], wrong.stderr);
    tile = tile.subarray(1);
    assert.equal((await run('audit', gateway.address, '--state', state)).status, 4);
    assert.equal((await run('audit', gateway.address, '--state', vector('event.json'))).status, 2);
    assert.equal((await run('audit', gateway.address, '--policy', vector('event.json'), '--state', state)).status, 4);
  } finally {
    await gateway.close();
  }
  assert.equal((await run('audit', gateway.address, '--state', join(scratch, 'none.json'))).status, 3);
});

test('whatever a gateway answers, prove and audit end with a sentence about it', async () => {
  const typed = (more) => JSON.stringify({ type: 'epcisException:SecurityException', ...more });
  let answer;
  const server = http.createServer((_, response) => {
    const [status, body, headers] = answer;
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  // The answer, the exit code of `prove` and `audit`, their message.
  const table = [
    [[200, '<html><p>Welcome</p></html>'], 4, /answered `<html>/],
    [[200, ''], 4, /answered nothing/],
    [[200, 'null'], 4, /`null`/],
    [[404, '<p>not here</p>'], 3, /answered 404 without a problem document: `<p>not here<\/p>`/],
    [[500, ''], 3, /answered 500 without a problem document: nothing/],
    [[403, 'null'], 3, /answered 403 without a problem document: `null`/],
    [[403, '[]'], 3, /answered 403/],
    [[403, '"text"'], 3, /answered 403/],
    [[403, typed({})], 4, /A refusal without a title/],
    [[403, typed({ title: 5, detail: { a: 1 }, status: 'x' })], 4, /A refusal without a title/],
    [[403, typed({ title: 'Forbidden', detail: null, errors: 'none' })], 4, /Forbidden/],
    [[403, typed({ title: 'Forbidden', errors: [null, 5, {}, { path: '/a', message: 'wrong', source: 5 }] })], 4, /Forbidden\n {2}\/a: wrong/],
    [[404, typed({ title: 'Nothing', status: 200 })], 3, /Nothing/],
    [[403, JSON.stringify({ type: {}, title: 'x' })], 3, /answered 403/],
    [[302, '', { location: 'http://elsewhere.example/' }], 3, /answered 302 and leads to http:\/\/elsewhere\.example\/: redirects are not followed/],
    [[304, ''], 3, /answered 304/],
    [[200, '\xff\xfe\x00'], 4, /answered/],
  ];
  try {
    for (const [given, code, said] of table) {
      answer = given;
      for (const args of [
        ['prove', address, 'urn:uuid:1', '--event', join(scratch, 'never.json')],
        ['audit', address, '--state', join(scratch, 'never.state')],
      ]) {
        const what = `${args[0]} of ${JSON.stringify(given)}`;
        const { status, stdout, stderr } = await run(...args);
        assert.equal(status, code, `${what}: ${stderr}`);
        assert.equal(stdout, '', what);
        assert.doesNotMatch(stderr, /\n {4}at |TypeError|defect/, `${what}: ${stderr}`);
        // For an unreadable policy the engine has its own message.
        if (args[0] === 'prove' || code === 3) assert.match(stderr, said, what);
        const json = await run(...args, '--json');
        const problem = JSON.parse(json.stderr);
        assert.deepEqual([json.status, typeof problem.type, typeof problem.title, typeof problem.status], [code, 'string', 'string', 'number'], what);
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const strange = await run('prove', 'http://user:secret@127.0.0.1:9', 'urn:uuid:1');
  assert.deepEqual([strange.status, /secret/.test(strange.stderr)], [2, false]);
  assert.equal((await run('audit', 'http://127.0.0.1:9/?a=1')).status, 2);
});
