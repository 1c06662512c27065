// Random events with contexts that try to bind a name to the gateway's, or to unbind the gateway's own.
import { randomNumbers } from '../../bench/random.ts';

const EPCIS = 'https://ref.gs1.org/epcis/';
export const OFFICIAL_ADDRESS = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
export const EVENT_ID = 'urn:uuid:11111111-1111-4111-8111-111111111111';

/** Other addresses with an official context. */
const OTHER_EDITIONS = [
  'https://ref.gs1.org/standards/epcis/2.0.1/epcis-context.jsonld',
  'https://ref.gs1.org/standards/epcis/epcis-context.jsonld',
  'https://gs1.github.io/EPCIS/epcis-context.jsonld',
];

/** Similar addresses without a context. */
const NO_CONTEXTS = [
  'https://ref.gs1.org/standards/epcis/',
  'https://ref.gs1.org/standards/epcis/2.0.0/',
  'https://ref.gs1.org/standards/epcis/9.9.9/epcis-context.jsonld',
  'https://ref.gs1.org/standards/epcis/2.0.0/query-schema.json',
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld?x',
  'https://ref.gs1.org/standards/cbv/2.0.0/cbv-context.jsonld',
  'https://gs1.github.io/EPCIS/',
  'https://gs1.github.io/EPCIS/evil.jsonld',
];

/** Prefixes of names in events. */
const PREFIXES = ['a', 'b', 'c', 'd', 'who', 'capturedBy', 'rt', 'x', 'Thing', 'value', 'spine2'];

/** Terms that the official context protects, from every part of it. */
const PROTECTED = [
  'Collection',
  'baseURL',
  'bizTransactionList',
  'children',
  'creationDate',
  'ilmd',
  'instanceIdentifier',
  'masterData',
  'member',
  'quantity',
  'receiver',
  'sender',
  'sensorElementList',
  'vocabularyList',
];

/** The properties of every JavaScript object. */
const OF_JAVASCRIPT = Object.getOwnPropertyNames(Object.prototype);

/** Everything that looks like a keyword, and the official context's names for some of them. */
const KEYWORDS = [
  ...['@base', '@container', '@default', '@direction', '@embed', '@explicit', '@foo', '@graph', '@id', '@included', '@index', '@json', '@language'],
  ...['@list', '@nest', '@none', '@omitDefault', '@prefix', '@preserve', '@propagate', '@protected', '@requireAll', '@reverse', '@set', '@type'],
  ...['@value', '@version', '@vocab', 'id', 'type', 'eventID', 'baseURL', 'bizTransaction'],
];

/** Members for whose values the official context has a scoped context or a type. */
const OFFICIAL_MEMBERS = [
  ...['bizStep', 'disposition', 'persistentDisposition', 'sourceList', 'destinationList', 'bizTransactionList', 'sensorElementList', 'sensorReport'],
  ...['sensorMetadata', 'errorDeclaration', 'reason', 'exception', 'component', 'member', 'children', 'epcList', 'quantity', 'certificationInfo', 'readPoint'],
  ...['recordTime', 'masterData', 'vocabularyList', 'sender', 'value', 'time'],
];

/** Values of every shape. Readers refuse some of them for some keywords. */
const VALUES = [
  null,
  true,
  5,
  '',
  'text',
  '@foo',
  '@id',
  'en',
  'ltr',
  'urn:x:a',
  '@json',
  [],
  ['a', 'b'],
  [['a'], [['b']]],
  [5],
  [null],
  {},
  { 'a:b': 1 },
  { id: 5 },
  { '@id': 'urn:x:a' },
  { '@value': 'x' },
  { '@list': [1, ['2']] },
  [{ '@id': 'urn:x:a', 'a:b': [{ '@set': [1] }] }, 'x'],
];

/** An event with these members, under the official context and one prefix, or under another context. */
const eventWith = (members, context = [OFFICIAL_ADDRESS, { a: 'urn:a:' }]) => ({
  '@context': context,
  type: 'ObjectEvent',
  action: 'ADD',
  epcList: ['urn:epc:id:sscc:9521141.1234567890'],
  eventTime: '2026-01-01T00:00:00.000Z',
  eventTimeZoneOffset: '+00:00',
  ...members,
});

/** Documents for everything that a reader may refuse: each keyword with each value in each place, each term, each address. */
export function systematic() {
  const documents = [];
  const places = [
    (inner) => inner,
    (inner) => ({ 'a:b': inner }),
    (inner) => ({ 'a:b': [[inner]] }),
    (inner) => ({ ilmd: { 'a:b': inner } }),
    (inner) => ({ sensorElementList: [{ 'a:b': inner, sensorReport: [{ type: 'Temperature', value: 5, 'a:c': inner }] }] }),
    ...OFFICIAL_MEMBERS.map((name) => (inner) => ({ 'a:b': { [name]: inner } })),
    (inner) => ({ 'a:b': { bizTransactionList: [{ sensorElementList: [{ sensorReport: inner }] }] } }),
  ];
  // The event, a list in a list, sensor elements, and the business transactions of an extension.
  const FEW = new Set([0, 2, 4, 5 + OFFICIAL_MEMBERS.indexOf('bizTransactionList'), places.length - 1]);
  for (const place of places) {
    for (const keyword of KEYWORDS) {
      for (const value of VALUES) documents.push(eventWith(place({ [keyword]: value })));
    }
    // A local context, which may redefine terms that the official one protects.
    for (const name of ['value', 'time', 'source', 'shipping', 'type', 'foo']) {
      documents.push(eventWith(place({ '@context': { [name]: 'urn:own:' }, 'a:c': 1 })));
    }
    documents.push(eventWith(place({ '@context': OFFICIAL_ADDRESS, 'a:c': 1 })));
    // Two keywords, which readers accept only in some combinations. The rules are the same everywhere except where names mean
    // something else.
    if (!FEW.has(places.indexOf(place))) continue;
    for (const one of ['id', '@id', 'eventID', 'type', '@type', '@value', '@list', '@language', 'bizTransaction', 'a:c']) {
      for (const other of ['id', '@id', 'type', '@type', '@value', '@set', '@language', '@direction', '@index']) {
        const values = { '@list': ['x'], '@set': ['x'], '@language': 'en', '@direction': 'ltr', type: 'urn:t', '@type': 'urn:t' };
        const both = { [one]: values[one] ?? 'urn:x:a', [other]: values[other] ?? 'urn:x:b' };
        documents.push(eventWith(place(both)));
        for (const value of [5, null, '@json', 'relative', '_:b']) documents.push(eventWith(place({ ...both, [one]: value })));
      }
    }
  }
  const iris = [
    'urn:other:',
    'https://ref.gs1.org/epcis/',
    'https://gs1.org/voc/',
    'https://ref.gs1.org/voc/',
    'urn:epcglobal:cbv:mda',
    'urn:epcglobal:cbv:mda:',
    '@id',
    '@base',
  ];
  const terms = [...PROTECTED, ...OF_JAVASCRIPT, ...OFFICIAL_MEMBERS, 'gs1', 'cbv', 'cbvmda', 'epcis', 'rdfs', 'id', 'type', 'eventID', 'foo'];
  for (const edition of [OFFICIAL_ADDRESS, ...OTHER_EDITIONS]) {
    for (const name of terms) {
      for (const iri of iris) {
        for (const definition of [iri, { '@id': iri }, { '@id': iri, '@prefix': true }, { '@id': iri, '@protected': false }]) {
          // Parsed from text, so that names such as `__proto__` become own members.
          const own = (more) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(definition)}${more}}`);
          documents.push(eventWith({}, [edition, own('')]), eventWith({}, [own(',"@protected":true'), edition]));
          documents.push(eventWith({}, [edition, own(',"@protected":true'), own(',"@protected":false')]));
        }
      }
      documents.push(eventWith(JSON.parse(`{"a:b":{${JSON.stringify(name)}:{"a:c":1}}}`)));
    }
    for (const other of [OFFICIAL_ADDRESS, ...OTHER_EDITIONS, ...NO_CONTEXTS]) {
      documents.push(eventWith({}, [edition, other]), eventWith({ 'a:b': { '@context': other, 'a:c': 1 } }, [edition, { a: 'urn:a:' }]));
    }
  }
  for (const address of NO_CONTEXTS) documents.push(eventWith({}, address));
  return documents;
}

/** A document for a seed. */
export function generate(seed, namespace) {
  const random = randomNumbers(seed);
  const below = (count) => Math.floor(random() * count);
  const pick = (list) => list[below(list.length)];
  const chance = (percent) => random() * 100 < percent;

  const scheme = namespace.slice(0, namespace.indexOf(':'));
  const cut = below(namespace.length);
  const starts = [namespace, namespace.slice(0, cut), namespace.slice(0, namespace.lastIndexOf(namespace.at(-1), namespace.length - 2) + 1), `${namespace}w`];
  const TERMS = ['a', 'b', 'c', 'd', 'spine', 'spine', 'spine2', 'who', 'capturedBy', 'rt', 'https', 'x', 'Thing', 'value'];
  const ODD_TERMS = [
    'recordTime',
    'id',
    'type',
    'eventID',
    'epcis',
    'action',
    'spine:who',
    'spine2:who',
    'a:who',
    'a:',
    ':who',
    'spine:',
    namespace,
    `${namespace}who`,
    `${EPCIS}recordTime`,
    scheme,
    'urn',
    '',
    '@foo',
    '@type',
    '@id',
    'a/who',
    'http',
    'ObjectEvent',
    'xsd',
    'cbv',
    'gs1',
    'cbvmda',
    ...PROTECTED,
    ...OF_JAVASCRIPT,
  ];
  const IRIS = [
    ...starts,
    ...starts,
    'a:',
    'b:',
    'c:',
    'd:',
    'a:who',
    'b:who',
    'spine:',
    'spine:who',
    `a:${namespace.slice(cut)}`,
    `b:${namespace.slice(cut)}who`,
    `${namespace}who`,
    `${namespace}capturedBy`,
    'epcis:',
    'epcis:recordTime',
    EPCIS,
    `${EPCIS}record`,
    `${EPCIS}recordTime`,
    'urn:x:',
    'urn:y:who',
    'https://other.example/',
  ];
  const ODD_IRIS = [
    '',
    'who',
    'relative',
    '@id',
    '@type',
    '@nest',
    '@vocab',
    '@foo',
    'with blank',
    '_:b',
    `${scheme}:`,
    '//epcis.example.com/ns/spine/',
    'https',
    null,
    5,
  ];
  const term = () => (chance(93) ? pick(TERMS) : pick(ODD_TERMS));
  const iri = () => (chance(96) ? pick(IRIS) : pick(ODD_IRIS));

  const definition = () => {
    if (chance(55)) return iri();
    const made = chance(94) ? { '@id': iri() } : {};
    if (chance(45)) made['@prefix'] = chance(85);
    if (chance(12)) made['@type'] = pick(['@id', '@vocab', '@json', '@none', 'a:t', 'urn:t']);
    if (chance(8)) made['@protected'] = chance(70);
    if (chance(8)) made['@container'] = pick(['@set', '@list', '@index', '@language', '@id', '@type', '@graph', ['@set'], ['@graph', '@id']]);
    if (chance(3)) made['@language'] = pick(['en', null]);
    if (chance(2)) made['@context'] = { [term()]: iri() };
    if (chance(2)) made['@index'] = pick([`${namespace}who`, 'a:who']);
    if (chance(2)) made['@nest'] = pick(['@nest', 'a']);
    if (chance(2)) {
      delete made['@id'];
      made['@reverse'] = iri();
    }
    return made;
  };
  const object = () => {
    const made = {};
    if (chance(12)) made['@vocab'] = pick([...starts, '', 'who', 'spine/', 'a:', `${EPCIS}record`, null, 'urn:v:']);
    if (chance(10))
      made['@base'] = pick([namespace, `${namespace}here`, 'https://epcis.example.com/', 'https://epcis.example.com/ns/x#y', 'ns/', '/ns/spine/', null]);
    if (chance(6)) made['@version'] = chance(80) ? 1.1 : pick([1, '1.1']);
    if (chance(8)) made['@protected'] = true;
    if (chance(1)) made['@import'] = OFFICIAL_ADDRESS;
    if (chance(1)) made['@propagate'] = false;
    if (chance(1)) made['@context'] = { spine: 'urn:hidden:' };
    if (chance(3)) made['@language'] = 'en';
    for (let count = below(4); count >= 0; count--) made[term()] = definition();
    return made;
  };
  const address = () =>
    chance(90)
      ? chance(80)
        ? OFFICIAL_ADDRESS
        : pick(OTHER_EDITIONS)
      : pick([namespace, 'https://evil.example/context.jsonld', 'context.jsonld', `${OFFICIAL_ADDRESS}/../../evil`, ...NO_CONTEXTS]);
  const reused = [];
  const entry = () => {
    if (reused.length > 0 && chance(15)) return pick(reused);
    const made = chance(12) ? address() : chance(1) ? null : object();
    reused.push(made);
    return made;
  };
  const context = (isWhole) => {
    const entries = Array.from({ length: 1 + below(3) }, entry);
    // In most events, prefixes are declared. Inner contexts may declare them differently.
    if (isWhole && chance(85)) entries.unshift(Object.fromEntries(PREFIXES.map((prefix) => [prefix, `urn:declared:${prefix}:`])));
    const named = chance(85) ? OFFICIAL_ADDRESS : pick(OTHER_EDITIONS);
    if (isWhole && chance(92)) entries.splice(chance(75) ? 0 : below(entries.length + 1), 0, named);
    const different = entries.filter((one, at) => entries.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at);
    return different.length === 1 && chance(30) ? different[0] : different;
  };

  const local = () => pick(['who', 'capturedBy', 'recordTime', 'note', namespace.slice(cut), `${namespace.slice(cut)}who`, 'x']);
  const name = (isInner) => {
    const kind = below(isInner ? 10 : 7);
    if (kind < 4) return `${chance(90) ? (chance(97) ? pick([...PREFIXES, 'spine', 'spine']) : pick(TERMS)) : 'epcis'}:${local()}`;
    if (kind === 4) return `${pick(starts)}${pick(['who', 'capturedBy', 'ho'])}`;
    if (kind === 5) return pick([`${namespace}who`, 'epcis:recordTime', `${EPCIS}recordTime`, 'spine:who', 'spine2:who', 'spine3:capturedBy']);
    if (kind === 6) return isInner ? pick(['recordTime', '@xmlns:a']) : 'recordTime';
    return pick([...TERMS, 'who', 'capturedBy', 'Time', ':who', 'ho', 'w', '']);
  };
  const value = (depth) => {
    const kind = below(depth > 2 ? 3 : 8);
    if (kind < 3) return pick(['evil', 'urn:evil', '2001-01-01T00:00:00Z', 5, true]);
    if (kind === 3) return [value(depth + 1), value(depth + 1)];
    const made = {};
    if (chance(40)) made['@context'] = context(false);
    if (chance(40)) made[pick(['id', '@id'])] = EVENT_ID;
    if (chance(15)) made[pick(['type', '@type'])] = pick(['ObjectEvent', 'Thing', 'urn:t']);
    if (chance(3)) made[pick([...KEYWORDS, ...OFFICIAL_MEMBERS, ...OF_JAVASCRIPT])] = value(depth + 1);
    for (let count = below(3); count >= 0; count--) made[name(true)] = value(depth + 1);
    return made;
  };

  const event = (isWhole) => {
    const made = {
      type: 'ObjectEvent',
      action: 'OBSERVE',
      epcList: ['urn:epc:id:sscc:9521141.1234567890'],
      eventTime: '2026-01-01T00:00:00.000Z',
      eventTimeZoneOffset: '+00:00',
      eventID: EVENT_ID,
    };
    if (isWhole || chance(50)) made['@context'] = context(isWhole);
    for (let count = below(4); count >= 0; count--) made[name(false)] = value(0);
    if (chance(5)) made.sensorElementList = [{ sensorReport: [{ type: 'Temperature', value: 5, [name(false)]: value(1) }], [name(false)]: value(1) }];
    if (chance(5)) made.bizTransactionList = [{ type: 'po', bizTransaction: 'urn:x:1' }];
    if (chance(20)) made.ilmd = { [name(false)]: value(0), [name(false)]: value(1) };
    // `OBSERVE` allows no ilmd.
    if (made.ilmd) made.action = 'ADD';
    return made;
  };
  if (chance(50)) return event(true);
  const body = { eventList: [event(false)] };
  if (chance(30)) body['@context'] = context(false);
  return { '@context': context(true), type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-02-01T00:00:00Z', epcisBody: body };
}
