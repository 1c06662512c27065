// Events with contexts made at random, out of everything that could bind a name to the gateway's, or take the gateway's own away.

/** Random numbers that are the same for the same seed (mulberry32). */
function randomness(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const EPCIS = 'https://ref.gs1.org/epcis/';
export const OFFICIAL_ADDRESS = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
export const EVENT_ID = 'urn:uuid:11111111-1111-4111-8111-111111111111';

/** A document for a seed. */
export function generate(seed, namespace) {
  const random = randomness(seed);
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
      ? pick([OFFICIAL_ADDRESS, 'https://gs1.github.io/EPCIS/epcis-context.jsonld'])
      : pick([namespace, 'https://evil.example/context.jsonld', 'context.jsonld', `${OFFICIAL_ADDRESS}/../../evil`]);
  const reused = [];
  const entry = () => {
    if (reused.length > 0 && chance(15)) return pick(reused);
    const made = chance(12) ? address() : chance(1) ? null : object();
    reused.push(made);
    return made;
  };
  const context = (isWhole) => {
    const entries = Array.from({ length: 1 + below(3) }, entry);
    if (isWhole && chance(92)) entries.splice(chance(75) ? 0 : below(entries.length + 1), 0, OFFICIAL_ADDRESS);
    const different = entries.filter((one, at) => entries.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at);
    return different.length === 1 && chance(30) ? different[0] : different;
  };

  const local = () => pick(['who', 'capturedBy', 'recordTime', 'note', namespace.slice(cut), `${namespace.slice(cut)}who`, 'x']);
  const name = (isInner) => {
    const kind = below(isInner ? 10 : 7);
    if (kind < 4) return `${chance(90) ? pick(TERMS) : 'epcis'}:${local()}`;
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
    if (chance(20)) made.ilmd = { [name(false)]: value(0), [name(false)]: value(1) };
    // `observe` has no ilmd; what is written into the event replaces nothing of it.
    if (made.ilmd) made.action = 'ADD';
    return made;
  };
  if (chance(50)) return event(true);
  const body = { eventList: [event(false)] };
  if (chance(30)) body['@context'] = context(false);
  return { '@context': context(true), type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-02-01T00:00:00Z', epcisBody: body };
}
