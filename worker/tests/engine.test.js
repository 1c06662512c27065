// An engine that runs out of memory: it has less than it needs, and everything else is as deployed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { send, vectorFile } from './gateway.js';
import { startSmall } from './small-engine.js';

let gateway;
before(async () => {
  gateway = await startSmall({ BASE_URL: 'http://127.0.0.1' });
});
after(() => gateway?.dispose());

const headers = { 'content-type': 'application/json' };
const validate = (body) => send(gateway.address, { method: 'POST', path: '/validate', headers }, body);
const good = vectorFile('validate/valid-all-event-types/input.json');

/** A list for which there is memory, but not for the values in it. */
const breaking = () => validate(Buffer.from(`[${'1,'.repeat(700_000)}1]`));

test('a body for which there is no memory is refused, may come again, and the engine goes on', async () => {
  const large = Buffer.from(`[${'1,'.repeat(4_000_000)}1]`);
  for (let round = 0; round < 3; round += 1) {
    const refused = await validate(large);
    const problem = JSON.parse(refused.body);
    assert.equal(refused.status, 503, problem.detail);
    assert.equal(refused.headers['content-type'], 'application/problem+json');
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(problem.type, 'epcisException:ImplementationException');
    const served = await validate(good);
    assert.equal(served.status, 200);
  }
});

test('memory that is not to be had is a typed answer, and the next request is served', async () => {
  for (let round = 0; round < 3; round += 1) {
    const broken = await breaking();
    assert.equal(broken.status, 500);
    assert.equal(broken.headers['content-type'], 'application/problem+json');
    const problem = JSON.parse(broken.body);
    assert.equal(problem.type, 'epcisException:ImplementationException');
    assert.equal(problem.status, 500);
    const served = await validate(good);
    assert.equal(served.status, 200);
    assert.equal(JSON.parse(served.body).valid, true);
  }
});

test('whoever is served by the same engine is answered, too', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => (index === 10 ? breaking() : validate(good))));
  assert.equal(answers[10].status, 500);
  for (const { status, body } of answers) {
    assert.ok(status === 200 || status === 500);
    assert.match(JSON.parse(body).type, /^(OK|epcisException:ImplementationException)$/);
  }
});
