// Answers of following in a form in which those of the engine, of the referee and of vectors can be compared: lists without an order.
import { followSlowly } from './follow-slow.js';

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
export const sorted = (list) => list.map((entry) => JSON.stringify(entry)).sort(byText);

/** The slow answer with events by name and time, as the engine has them, and without an order. */
export function slowAnswer(events, request) {
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

/** An answer of the engine in the same form. */
export function formOf(found) {
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
