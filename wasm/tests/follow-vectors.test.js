// Following: vectors written by hand, against the engine and against the referee.
//
// Each folder of tests/vectors/follow has a document (`input.json`), a question (`question.json`), and the answer without the events
// themselves (`expected.json`), or the problem with which the question is refused (`problem.json`).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { follow } from 'epcis-edge/follow';
import * as engine from '../dist/follow/epcis_edge.js';
import { formOf, slowAnswer, sorted } from './follow-forms.js';

const folder = new URL('../../tests/vectors/follow/', import.meta.url);
const read = (name, file) => JSON.parse(readFileSync(new URL(`${name}/${file}`, folder), 'utf8'));
const names = readdirSync(folder).sort();
const refused = names.filter((name) => readdirSync(new URL(name, folder)).includes('problem.json'));
const answered = names.filter((name) => !refused.includes(name));

/** The vectors that the referee cannot answer, with the reason. */
const BEYOND_THE_REFEREE = {
  'two-spellings': 'it compares identifiers as they are written',
  'max-events-reached': 'it has no bounds',
};

/** An answer without the events themselves. Lists in which the order means nothing are sorted; events stay in their order. */
function compared({ events, contents, ties, things, incomplete, ...rest }) {
  return {
    ...rest,
    events: events.map(({ event, presences, ...more }) => ({ ...more, presences: sorted(presences) })),
    contents: sorted(contents),
    ties: sorted(ties),
    things: sorted(things),
    incomplete: sorted(incomplete),
  };
}

test('the engine gives the answers that were worked out by hand', () => {
  assert.ok(answered.length > 40, `${answered.length} vectors`);
  for (const name of answered) {
    assert.deepEqual(compared(follow(read(name, 'input.json'), read(name, 'question.json'))), compared(read(name, 'expected.json')), name);
  }
});

test('the referee gives them, too', () => {
  for (const name of answered.filter((name) => !Object.hasOwn(BEYOND_THE_REFEREE, name))) {
    const expected = formOf(read(name, 'expected.json'));
    const { items } = read(name, 'expected.json');
    assert.deepEqual(slowAnswer(read(name, 'input.json'), { ...read(name, 'question.json'), items }), expected, name);
  }
});

test('questions that are not accepted are refused', () => {
  for (const name of refused) {
    const [input, question] = [read(name, 'input.json'), read(name, 'question.json')];
    assert.throws(() => follow(input, question), /.+/, name);
    // The package refuses an unknown member itself, with a TypeError; other callers have the answer of the engine.
    const bytes = new TextEncoder().encode(JSON.stringify(input));
    assert.throws(
      () => engine.follow(bytes, JSON.stringify(question)),
      (error) => {
        assert.deepEqual(error.problem, read(name, 'problem.json'), name);
        return true;
      },
    );
  }
});
