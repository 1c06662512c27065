// Following: the engine against a second implementation, which is slow and written as definitions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow } from 'epcis-edge/follow';
import { randomCase } from './follow-random.js';
import { followSlowly } from './follow-slow.js';

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const sorted = (list) => list.map((entry) => JSON.stringify(entry)).sort(byText);

/** The slow answer with events by name and time, as the engine has them, and without an order. */
function expectedOf(events, request) {
  const slow = followSlowly(events, request);
  const named = (index) => {
    const { eventID, eventTime } = events[index];
    return { ...(eventID === undefined ? {} : { eventID }), ...(eventTime === undefined ? {} : { at: eventTime }) };
  };
  return {
    type: slow.type,
    direction: slow.direction,
    events: slow.events.map(({ index, withdrawn, presences }) => ({ index, withdrawn, presences: sorted(presences.map(normal)) })),
    contents: sorted(
      slow.contents.map(({ container, item, through = [], from, to, observed, implied, certain }) => ({
        container,
        item,
        through,
        from: { ...named(from), ...(observed ? { observed } : {}) },
        ...(to === undefined ? {} : { to: { ...named(to), ...(implied ? { implied } : {}) } }),
        certain,
      })),
    ),
    ties: sorted(slow.ties.map(({ from, to, kind, index, quantity }) => ({ from, to, kind, ...named(index), ...(quantity ? { quantity } : {}) }))),
    things: sorted(
      slow.things.map(({ id, began, ended }) => ({
        id,
        ...(began === undefined ? {} : { began: named(began) }),
        ...(ended === undefined ? {} : { ended: named(ended) }),
      })),
    ),
    incomplete: sorted(slow.incomplete),
  };
}

/** A presence with its members in one order. */
const normal = ({ item, how, role, through, certain, afterEnd }) => ({ item, how, role, through, certain, afterEnd });

/** The engine's answer in the same form. */
function answerOf(events, request) {
  const found = follow(events, request);
  return {
    type: found.type,
    direction: found.direction,
    events: found.events.map(({ index, withdrawn, presences }) => ({ index, withdrawn, presences: sorted(presences.map(normal)) })),
    contents: sorted(found.contents.map(({ quantity, ...row }) => row)),
    ties: sorted(found.ties),
    things: sorted(found.things.map(({ id, began, ended }) => ({ id, ...(began && { began }), ...(ended && { ended }) }))),
    incomplete: sorted(found.incomplete),
  };
}

/** How many random chains are compared. */
const CASES = Number(process.env.EPCIS_EDGE_CHAINS ?? 2000);

test(`the engine agrees with the definitions on ${CASES} random chains`, () => {
  for (let seed = 1; seed <= CASES; seed += 1) {
    const { events, request } = randomCase(seed);
    assert.deepEqual(answerOf(events, request), expectedOf(events, request), `seed ${seed}: ${JSON.stringify({ events, request })}`);
  }
});
