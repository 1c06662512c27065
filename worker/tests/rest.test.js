// Every HTTP vector, over real HTTP against real workerd, or the server.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { isOnServer, send, start, vectorFile } from './gateway.js';
import { startSmall } from './small-engine.js';
import { assertMatches, bytesOf } from './vectors.js';

const SETTINGS = { BASE_URL: 'https://gateway.example', RESOLVER_URL: 'https://resolver.example/' };

let gateway;
/** A gateway that accepts one call per minute. */
let exhausted;
/** A gateway with less memory: the Worker's has a bound. */
let small;
before(async () => {
  gateway = await start(SETTINGS);
  const LIMITER = { namespace_id: '1001', simple: { limit: 1, period: 60 } };
  exhausted = await start({ ...SETTINGS, RATE_LIMIT: 'on' }, { ratelimits: { LIMITER } });
  if (!isOnServer()) small = await startSmall(SETTINGS);
});
/**
 * What `use` returns while nothing comes back of what a limit has counted: the Worker's begins anew with each minute, the server gives back
 * a twelfth every five seconds. It is used again if that happened meanwhile, since it called `begin`.
 */
async function inOneMinute(use) {
  const span = isOnServer() ? 5000 : 60_000;
  for (let tries = 0; tries < 10; tries += 1) {
    let before = Date.now();
    const begin = () => {
      before = Date.now();
    };
    const value = await use(begin);
    const after = Date.now();
    if (isOnServer() ? after - before < span : Math.floor(after / span) === Math.floor(before / span)) return value;
  }
  return assert.fail(`it takes longer than ${span / 1000} s`);
}
/** The answer to `ask` in a minute whose call is used up. */
async function whenExhausted(ask) {
  const headers = { 'content-type': 'application/json' };
  const use = () => send(exhausted.address, { method: 'POST', path: '/validate', headers }, Buffer.from('{}'));
  const { status, answer } = await inOneMinute(async () => {
    await use();
    const { status } = await use();
    return { status, answer: await ask() };
  });
  assert.equal(status, 429);
  return answer;
}
after(() => Promise.all([gateway?.dispose(), exhausted?.dispose(), small?.dispose()]));

const folder = new URL('../../tests/vectors/rest/', import.meta.url);

for (const file of readdirSync(folder)) {
  const name = file.replace('.json', '');
  const { request, response } = JSON.parse(vectorFile(`rest/${file}`));
  if (request.noMemory && isOnServer()) continue;
  test(name, async () => {
    const { address } = request.limited ? exhausted : request.noMemory ? small : gateway;
    const ask = () => send(address, request, bytesOf(request.body));
    const answer = request.limited ? await whenExhausted(ask) : await ask();
    assert.equal(answer.status, response.status, answer.body.toString('utf8').slice(0, 400));
    for (const [header, value] of Object.entries(response.headers)) assert.equal(answer.headers[header], value, header);
    for (const header of response.absentHeaders ?? []) assert.equal(answer.headers[header], undefined, header);
    if (request.method === 'HEAD') assert.equal(answer.body.length, 0);
    if (response.body !== undefined) assertMatches(JSON.parse(answer.body), response.body, '');
  });
}

test('a body that breaks off leaves the Worker working', async () => {
  const { hostname, port } = gateway.address;
  await new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => {
      socket.write('POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"type":');
      setTimeout(100).then(() => socket.destroy());
    });
    socket.on('close', resolve);
    socket.on('error', reject);
  });
  const answer = await send(gateway.address, { method: 'GET', path: '/pricing' });
  assert.equal(answer.status, 200);
});

test('a hundred bad bodies and good ones side by side get their own answers', async () => {
  const good = vectorFile('validate/valid-all-event-types/input.json');
  const headers = { 'content-type': 'application/json' };
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      send(gateway.address, { method: 'POST', path: '/validate', headers }, index % 2 ? good : good.subarray(0, index + 1)),
    ),
  );
  answers.forEach((answer, index) => {
    assert.equal(answer.status, index % 2 ? 200 : 400);
    if (index % 2) assert.equal(JSON.parse(answer.body).valid, true);
  });
});

test('what is not set follows from the address that is asked, where that is a local one', async () => {
  const plain = await start();
  try {
    const answer = await send(plain.address, { method: 'GET', path: '/family.json' });
    assert.equal(answer.headers['gs1-extensions'], `spine=${plain.address.origin}/ns/spine/`);
    assert.deepEqual(
      JSON.parse(answer.body).services.map((service) => service.url),
      [plain.address.origin],
    );
  } finally {
    await plain.dispose();
  }
});

test('elsewhere nothing is served until BASE_URL is set: the namespace of evidence must not follow an address', async () => {
  const wrong = ['epcis.example.com', 'urn:x', 'https://'];
  if (isOnServer()) {
    for (const BASE_URL of wrong) await assert.rejects(start({ BASE_URL }), /BASE_URL/);
    await assert.rejects(start({ LISTEN: '0.0.0.0:0' }), /BASE_URL/);
    return;
  }
  const ask = async (bindings) => {
    const gateway = await start(bindings);
    try {
      return await send(gateway.address, { method: 'GET', path: '/family.json', headers: { host: 'epcis.example.com' } });
    } finally {
      await gateway.dispose();
    }
  };
  for (const BASE_URL of ['', ...wrong]) assert.equal((await ask({ BASE_URL })).status, 500, BASE_URL);
  const answer = await ask({ BASE_URL: 'https://gateway.example' });
  assert.equal(answer.headers['gs1-extensions'], 'spine=https://gateway.example/ns/spine/');
});

test('MAX_BODY_BYTES sets the limit, EXTENSION_NAMESPACE the namespace, FAMILY the registry', async () => {
  const family = { self: 'a', services: [{ id: 'a', name: 'A', url: 'https://a.example', role: 'gateway' }], edges: [] };
  const set = await start({
    MAX_BODY_BYTES: '10',
    EXTENSION_NAMESPACE: 'https://ns.example/x#',
    FAMILY: JSON.stringify(family),
  });
  try {
    const headers = { 'content-type': 'application/json' };
    const ask = (text) => send(set.address, { method: 'POST', path: '/validate', headers }, Buffer.from(text));
    assert.equal((await ask('[        ]')).status, 200);
    assert.equal((await ask('[         ]')).status, 413);
    const answer = await send(set.address, { method: 'GET', path: '/family.json' });
    assert.equal(answer.headers['std-extensions'], 'spine=https://ns.example/x#');
    // The server always keeps a log.
    const { log, ...said } = JSON.parse(answer.body);
    assert.deepEqual([said, log !== undefined], [{ type: 'OK', ...family }, isOnServer()]);
  } finally {
    await set.dispose();
  }
});

test('ALLOWED_ORIGINS lets pages of other origins ask the agent door, and read its refusals', async () => {
  const open = await start({ ...SETTINGS, ALLOWED_ORIGINS: 'https://app.example, http://localhost:5173/' });
  try {
    const ask = (origin, method = 'POST', body = '{"jsonrpc":"2.0","id":1,"method":"ping"}') =>
      send(open.address, { method, path: '/mcp', headers: { origin, 'content-type': 'application/json' } }, Buffer.from(body));
    for (const origin of ['https://app.example', 'http://localhost:5173', 'https://gateway.example']) {
      const answer = await ask(origin);
      assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [200, origin]);
    }
    const refused = await ask('https://app.example', 'POST', '{');
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [400, 'https://app.example']);
    const foreign = await ask('http://localhost:5174');
    assert.deepEqual([foreign.status, foreign.headers['access-control-allow-origin']], [403, undefined]);
  } finally {
    await open.dispose();
  }
});

test('RATE_LIMIT: off counts nobody, and a local gateway counts nobody where nothing is said', async () => {
  const LIMITER = { namespace_id: '1001', simple: { limit: 1, period: 60 } };
  for (const settings of [{ ...SETTINGS, RATE_LIMIT: 'off' }, { BASE_URL: 'http://127.0.0.1' }]) {
    const free = await start(settings, { ratelimits: { LIMITER } });
    try {
      const headers = { 'content-type': 'application/json' };
      for (let count = 0; count < 3; count += 1) {
        const answer = await send(free.address, { method: 'POST', path: '/validate', headers }, Buffer.from('{}'));
        assert.equal(answer.status, 200);
      }
    } finally {
      await free.dispose();
    }
  }
});

test('the limit counts work: a large body and a costly pack use up what many small calls would', async () => {
  const LIMITER = { namespace_id: '1001', simple: { limit: 12, period: 60 } };
  const headers = { 'content-type': 'application/json' };
  const event = '{"type":"ObjectEvent","epcList":["urn:x:1"]}';
  const large = Buffer.from(event.padEnd(2 << 20));
  const contains = Array.from({ length: 16 }, (_, number) => `${'a'.repeat(395)}${number}`);
  const rule = (number) => ({ id: `r${number}`, severity: 'hint', message: 'm', source: { document: 'd' }, at: 'epcList', when: { contains } });
  const pack = { version: 1, name: 'own', rules: Array.from({ length: 8 }, (_, number) => rule(number)) };
  const document = { type: 'ObjectEvent', epcList: Array(200).fill('a'.repeat(1000)) };
  const costly = Buffer.from(JSON.stringify({ document, pack }));
  // The limit is 12 units. A large body or a costly pack uses many of them, a small call one.
  for (const [path, bodies, statuses] of [
    ['/validate', [large, large, Buffer.from(event), Buffer.from(event)], [200, 429, 429, 429]],
    ['/check', Array(9).fill(Buffer.from(event)), Array(9).fill(200)],
    ['/check', Array(9).fill(costly), [200, 200, 200, 200, 200, 200, 429, 429, 429]],
  ]) {
    // Each try has a gateway that has not counted yet.
    const answers = await inOneMinute(async (begin) => {
      const counted = await start({ ...SETTINGS, RATE_LIMIT: 'on' }, { ratelimits: { LIMITER } });
      try {
        const answers = [];
        begin();
        for (const body of bodies) answers.push(await send(counted.address, { method: 'POST', path, headers }, body));
        return answers;
      } finally {
        await counted.dispose();
      }
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses,
      path,
    );
    for (const { status, headers, body } of answers) {
      if (status !== 429) continue;
      assert.equal(headers['retry-after'], '60');
      assert.equal(JSON.parse(body).type, 'epcisException:ImplementationException');
    }
  }
});

for (const [name, value] of [
  ['MAX_BODY_BYTES', 'many'],
  ['RATE_LIMIT', 'perhaps'],
  ['ALLOWED_ORIGINS', 'app.example'],
  ['ALLOWED_ORIGINS', 'https://app.example/path'],
  ['EXTENSION_NAMESPACE', 'https://ns.example/x'],
  ['EXTENSION_NAMESPACE', 'spine:'],
  ['FAMILY', 'no family'],
]) {
  test(`a variable that cannot be read is a 500 without internals, or no start: ${name}=${value}`, async () => {
    if (isOnServer()) return assert.rejects(start({ [name]: value }), new RegExp(name));
    const broken = await start({ [name]: value });
    try {
      const answer = await send(broken.address, { method: 'GET', path: '/pricing' });
      assert.equal(answer.status, 500);
      const problem = JSON.parse(answer.body);
      assert.equal(problem.type, 'epcisException:ImplementationException');
      assert.ok(!answer.body.includes(name) && !answer.body.includes(value));
    } finally {
      await broken.dispose();
    }
  });
}
