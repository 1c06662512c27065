// Costly named queries: for `POST /queries`, and for reading their events afterwards. A definition has at most 64 KiB.
import { type Bodies, filled, type Unit } from './text.ts';

const MAX_DEFINITION = 64 << 10;
let number = 0;

/** A definition with a name of its own. */
const named = (length: number, head: string, unit: Unit, tail: string) => {
  number += 1;
  const query = filled(Math.min(length, MAX_DEFINITION - 200), head, unit, tail);
  return `{"name":"q${number}","query":${query}}`;
};

const shapes: Bodies = {
  'many values': (length) => named(length, '{"MATCH_epc":[', (index) => `"urn:epc:id:sgtin:9521141.999999.${index}"`, ']}'),
  'many patterns': (length) => named(length, '{"MATCH_anyEPC":[', (index) => `"urn:epc:idpat:sgtin:9521141.${100_000 + index}.*"`, ']}'),
  'many words': (length) => named(length, '{"EQ_bizStep":[', (index) => `"https://ns.example/step/${index}"`, ']}'),
  'many parameters': (length) => named(length, '{', (index) => `"EQ_https://ns.example/#n${index}":["1"]`, '}'),
  'many comparisons': (length) => named(length, '{', (index) => `"GE_https://ns.example/#n${index}":${index}`, '}'),
  'nothing is narrowed': (length) => named(length, '{"eventType":[', () => '"ObjectEvent"', ']}'),
};

/** Name to the definition for a body length. It takes a 160th of that length, so that the longest is as long as allowed, or a part. */
export const namedQueries: Bodies = {
  ...Object.fromEntries(Object.entries(shapes).map(([name, make]) => [name, (length) => make(length / 160)])),
  ...Object.fromEntries(Object.entries(shapes).map(([name, make]) => [`${name}, as many as are served`, (length) => make(length / 5000)])),
  'a definition that is too long': (length) => `{"name":"long","query":{"MATCH_epc":["urn:x:${'a'.repeat(length - 100)}"]}}`,
};
