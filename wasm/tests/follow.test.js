// Following: the engine against a second implementation, which is slow and written as definitions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow } from 'epcis-edge/follow';
import { formOf, slowAnswer } from './follow-forms.js';
import { randomCase } from './follow-random.js';

/** How many random chains are compared. */
const CASES = Number(process.env.EPCIS_EDGE_CHAINS ?? 2000);

test(`the engine agrees with the definitions on ${CASES} random chains`, () => {
  for (let seed = 1; seed <= CASES; seed += 1) {
    const { events, request } = randomCase(seed);
    assert.deepEqual(formOf(follow(events, request)), slowAnswer(events, request), `seed ${seed}: ${JSON.stringify({ events, request })}`);
  }
});
