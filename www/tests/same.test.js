// When are two of them the same? The rooms of the page answer the questions of tests/vectors/same.json as the engine does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import questions from '../../tests/vectors/same.json' with { type: 'json' };
import { compare } from '../src/tools/compare/compare.ts';
import { mapOf } from '../src/events/document-map.ts';
import { readingsOf } from '../src/events/document-readings.ts';
import { flowOf, rowsOf, SINGLE_EVENTS, walk } from '../src/flow/flow.ts';
import { canonicalOf, eventName, inputOf } from './history.js';

const names = { canonicalOf, eventName, nameFor: () => undefined, nameOf: () => undefined, attributesOf: () => undefined };
const THING = 'urn:epc:id:sscc:9521141.1234567890';
const PALLET = 'urn:epc:id:sscc:9521141.1234567891';

const event = (own) => ({ type: 'ObjectEvent', eventTime: '2026-03-04T10:00:00Z', eventTimeZoneOffset: '+00:00', action: 'OBSERVE', epcList: [THING], ...own });
const later = (own) => event({ eventTime: '2026-03-04T11:00:00Z', ...own });
const documentOf = (events) => inputOf(events, { names });
const packed = (parentID, childEPCs, action = 'ADD') => ({ ...event({ type: 'AggregationEvent', parentID, childEPCs, action }), epcList: undefined });
function picture(events) {
  const input = documentOf(events);
  return flowOf(rowsOf(input), { ...names, history: input.history });
}
const reading = (own, deviceID = THING) =>
  event({ sensorElementList: [{ sensorMetadata: { deviceID }, sensorReport: [{ type: 'Temperature', value: 5, uom: 'CEL' }] }], ...own });

/** The answers of all rooms about a pair. */
const ROOMS = {
  event(one, other) {
    const declaration = later({ eventID: other, errorDeclaration: { declarationTime: '2026-03-05T10:00:00Z' } });
    const corrected = later({ eventID: 'urn:x:2', errorDeclaration: { declarationTime: '2026-03-05T10:00:00Z', correctiveEventIDs: [other] } });
    const labels = (events) => picture(events).edges.map(({ correction }) => correction);
    const series = readingsOf(documentOf([reading({ eventID: one }), reading({ eventID: one }), declaration])).series;
    return {
      withdrawn: rowsOf(documentOf([event({ eventID: one }), declaration])).rows[0].isWrong,
      'picture, declared': labels([event({ eventID: one }), declaration]).includes('declared in error'),
      'picture, corrected': labels([event({ eventID: one }), corrected]).includes('corrected by'),
      readings: series.length === 0,
      compare:
        compare([{ event: event({ eventID: one }), hash: 'a?' }], [{ event: later({ eventID: other }), hash: 'b?' }], eventName).pairs[0].by === 'eventID',
    };
  },
  thing(one, other) {
    const { packing } = walk(rowsOf(documentOf([packed(PALLET, [one]), { ...packed(PALLET, [other], 'DELETE'), eventTime: '2026-03-04T11:00:00Z' }])).rows, {});
    const { edges } = picture([event({ epcList: [one] }), later({ epcList: [other] })]);
    return { picture: edges.length === 1, inside: packing.contentsOf(canonicalOf(PALLET)).size === 0 };
  },
  place(one, other) {
    const many = Array.from({ length: SINGLE_EVENTS + 1 }, (_, at) => event({ bizLocation: { id: at % 2 ? one : other } }));
    const attributesOf = () => ['latitude', 'longitude'].map((id) => ({ id, attribute: '1' }));
    const { places } = mapOf({ ...documentOf(many.slice(0, 2)), names: { ...names, attributesOf } });
    return { picture: picture(many).boxes.length === 1, map: places.length === 1 };
  },
  time(one, other) {
    const { rows } = rowsOf(documentOf([event({ eventTime: one }), event({ eventTime: other })]));
    return { picture: rows[0].time === rows[1].time };
  },
  unit(one, other) {
    const of = (text) => ({ quantity: Number(text.split(' ')[0]), uom: text.split(' ')[1] });
    const lot = 'urn:epc:class:lgtin:9521141.012345.L1';
    const held = (action, amount, eventTime) => ({
      ...event({ type: 'AggregationEvent', parentID: PALLET, childQuantityList: [{ epcClass: lot, ...amount }], action, eventTime }),
      epcList: undefined,
    });
    const { packing } = walk(rowsOf(documentOf([held('ADD', of(one), '2026-03-04T10:00:00Z'), held('DELETE', of(other), '2026-03-04T11:00:00Z')])).rows, {});
    return { inside: packing.contentsOf(canonicalOf(PALLET)).size === 0 };
  },
};

test('every room of the page gives the answer of the engine', () => {
  const faults = [];
  for (const { question, kind, one, other, same } of questions)
    for (const [room, answer] of Object.entries(ROOMS[kind](one, other))) if (answer !== same) faults.push(`${question}: ${room} says ${answer}`);
  assert.deepEqual(faults, []);
});
