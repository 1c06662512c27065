// Costly packs of custom rules, each with a document to check: bodies of `POST /check`.
import { type Bodies, type Body, filled, type Unit } from './text.ts';

const EVENT = '{"type":"ObjectEvent","action":"ADD",';

/** A pack of this many rules, each with the given members. */
function pack(rules: number, rule: (number: number) => object) {
  const named = (number: number) => ({ id: `r${number}`, severity: 'hint', message: 'm', source: { document: 'd' }, ...rule(number) });
  return JSON.stringify({ version: 1, name: 'own', rules: Array.from({ length: rules }, (_, number) => named(number)) });
}

const ofEpcs = (rules: number, when: (number: number) => object) => pack(rules, (number: number) => ({ at: 'epcList', when: when(number) }));
const several = <One>(count: number, make: (number: number) => One): One[] => Array.from({ length: count }, (_, number) => make(number));

/** A text of 400 bytes. All such texts begin alike, and like the texts that are searched for them. */
const long = (number: number) => `${'a'.repeat(395)}${String(number).padStart(5, '0')}`;
const longs = (rule: number) => several(16, (one: number) => long(rule * 16 + one));

/** A body of a pack and a list of such entries, together about as long as requested. */
const asked =
  (text: string, open: string, unit: Unit): Body =>
  (length) =>
    filled(Math.max(length, text.length + 1000), `{"pack":${text},"document":[${EVENT}${open}[`, unit, ']}]}');

const epcs = '"epcList":';
const epc = (index: number) => `"urn:epc:id:sgtin:9521141.012345.${index}"`;
const step = `"bizStep":"${'a'.repeat(2000)}",`;
const inAnotherField = ofEpcs(128, (rule) => ({ any: several(31, (one: number) => ({ value: 'bizStep', contains: long(rule * 32 + one) })) }));
const marks = ['wrong-check-digit', 'wrong-key-length', 'wrong-characters', 'unassigned-prefix', 'unknown-scheme'];

/** A body of conditions about a member of one quantity, which stands behind many such members. */
const inOneQuantity =
  (unit: Unit): Body =>
  (length) => {
    const text = pack(100, () => ({ at: 'quantityList', when: { any: several(30, () => ({ value: '.quantity', above: 1000 })) } }));
    return filled(Math.max(length, text.length + 1000), `{"pack":${text},"document":[${EVENT}"quantityList":[{`, unit, ',"quantity":1}]}]}');
  };

/** Name to the body for a length. */
export const packs: Bodies = {
  'long texts in another field, for each EPC': asked(inAnotherField, step + epcs, epc),
  'long texts in long EPCs': asked(
    ofEpcs(200, (rule) => ({ contains: longs(rule) })),
    epcs,
    (index) => `"${'a'.repeat(2000)}${index}"`,
  ),
  'few long texts in long EPCs': asked(
    ofEpcs(1, (rule) => ({ contains: longs(rule).slice(0, 8) })),
    epcs,
    (index) => `"${'a'.repeat(2000)}${index}"`,
  ),
  'short texts in EPCs': asked(
    ofEpcs(20, (rule) => ({ contains: several(16, (one) => `${rule}.${one}x`) })),
    epcs,
    epc,
  ),
  'starts and ends': asked(
    ofEpcs(100, (rule) => ({ any: [{ startsWith: longs(rule) }, { endsWith: longs(rule) }] })),
    epcs,
    () => `"${'a'.repeat(400)}"`,
  ),
  'many rules': asked(
    ofEpcs(200, () => ({ longerThan: 1000 })),
    epcs,
    epc,
  ),
  'few rules': asked(
    ofEpcs(8, () => ({ all: [{ longerThan: 10 }, { is: 'sgtin' }, { value: 'action', in: 'ADD' }] })),
    epcs,
    epc,
  ),
  'deep conditions': asked(
    ofEpcs(200, () => several(7, () => 0).reduce<object>((inner) => ({ not: inner }), { longerThan: 1000 })),
    epcs,
    () => '"a"',
  ),
  'marks of identifiers': asked(
    pack(200, (number) => ({ when: { any: several(30, () => ({ value: 'epcList', is: marks[number % marks.length] })) } })),
    epcs,
    epc,
  ),
  'everything is found': asked(
    ofEpcs(200, () => ({ value: '.', exists: true })),
    epcs,
    () => '"a"',
  ),
  'everything is found by a few': asked(
    ofEpcs(5, () => ({ value: '.', exists: true })),
    epcs,
    () => '"a"',
  ),
  'what only the document tells': asked(
    ofEpcs(200, () => ({ all: [{ is: ['repeated', 'two-forms'] }, { any: several(28, () => ({ longerThan: 1000 })) }] })),
    epcs,
    () => epc(1),
  ),
  'members of quantities': asked(
    pack(100, () => ({ at: 'quantityList', when: { any: several(30, () => ({ value: '.quantity', above: 1000 })) } })),
    '"quantityList":',
    (index) => `{"epcClass":"urn:epc:class:lgtin:9521141.012345.L${index}","quantity":${index}.5}`,
  ),
  'names that are repeated': inOneQuantity(() => '"a":1'),
  'short names with escapes': inOneQuantity((index) => `"\\u0061${index}":1`),
  'times beside another time': (length) => {
    const text = pack(100, () => ({ at: 'sensorElementList.sensorReport', when: { any: several(30, () => ({ value: '.time', after: 'eventTime' })) } }));
    const time = `2026-01-01T00:00:00.${'0'.repeat(2000)}Z`;
    return filled(
      Math.max(length, text.length + 10_000),
      `{"pack":${text},"document":[${EVENT}"eventTime":"${time}","sensorElementList":[{"sensorReport":[`,
      () => '{"time":"2026-01-01T00:00:00Z"}',
      ']}]}]}',
    );
  },
  'another field with escapes': (length) => {
    const text = pack(100, () => ({ at: 'sensorElementList.sensorReport.time', when: { any: several(30, () => ({ after: 'eventTime' })) } }));
    const time = '\\u0061'.repeat(length / 16);
    return filled(
      Math.max(length, text.length + time.length + 1000),
      `{"pack":${text},"document":[${EVENT}"eventTime":"${time}","sensorElementList":[{"sensorReport":[`,
      () => '{"time":"2026-01-01T00:00:00Z"}',
      ']}]}]}',
    );
  },
  'a pack and XML': (length) => {
    const text = ofEpcs(128, (rule) => ({ any: several(31, (one) => ({ value: 'bizStep', contains: long(rule * 32 + one) })) }));
    const head = `<e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:2" schemaVersion="2.0" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList><ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList>`;
    const tail = `</epcList><action>ADD</action><bizStep>${'a'.repeat(2000)}</bizStep></ObjectEvent></EventList></EPCISBody></e:EPCISDocument>`;
    const xml = filled(Math.max(length - text.length - 1000, 10_000), head, (index) => `<epc>urn:epc:id:sgtin:9521141.012345.${index}</epc>`, tail, '');
    return `{"pack":${text},"document":${JSON.stringify(xml)}}`;
  },
};
