// Following: the engine against a second implementation, which is slow and written as definitions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countIn } from '../../scripts/given.ts';
import { follow, followEach } from 'epcis-edge/follow';
import { formOf, slowAnswer } from './follow-forms.js';
import { randomCase } from './follow-random.js';

/** How many random chains are compared. */
const CASES = countIn('EPCIS_EDGE_CHAINS', 2000);

test(`the engine agrees with the definitions on ${CASES} random chains`, () => {
  for (let seed = 1; seed <= CASES; seed += 1) {
    const { events, request } = randomCase(seed);
    assert.deepEqual(formOf(follow(events, request)), slowAnswer(events, request), `seed ${seed}: ${JSON.stringify({ events, request })}`);
  }
});

test('requests over one document are answered as each by itself', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const { events, request } = randomCase(seed);
    const others = [{ ...request, through: ['association', 'packing'] }, { items: 'urn:x:nobody' }];
    const requests = [request, ...others, request];
    assert.deepEqual(
      [...followEach(events, requests)],
      requests.map((one) => follow(events, one)),
      `seed ${seed}`,
    );
  }
  const event = { type: 'ObjectEvent', action: 'OBSERVE', eventTime: '2026-03-04T11:00:00Z', epcList: ['urn:x:1'] };
  // The second request is not read if nobody takes its answer.
  for (const { type } of followEach(event, [{ items: 'urn:x:1' }, { items: 7 }])) {
    assert.equal(type, 'OK');
    break;
  }
  const answers = followEach(event, [{ items: 'urn:x:1' }, { items: [] }]);
  assert.equal(answers.next().value.events.length, 1);
  assert.throws(() => answers.next(), { name: 'EpcisError' });
  assert.throws(() => followEach('{', [{ items: 'urn:x:1' }]).next(), { name: 'EpcisError' });
  assert.throws(() => followEach(event, 'urn:x:1').next(), /second argument of followEach is "urn:x:1", expected an iterable of requests/);
  assert.throws(() => followEach(event, [{ item: 'urn:x:1' }]).next(), /followEach has no option "item"/);
});
