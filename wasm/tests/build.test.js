// The builders make valid events and report invalid input. Their keys agree with the core.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash, identifiers, validate, verify } from 'epcis-edge';
import * as build from 'epcis-edge/build';
import { check } from 'epcis-edge/check';

const { BuildError, CONTEXT, aggregationEvent, checkDigit, declareError, epcisDocument, gdti, giai, gln, grai, gtin, objectEvent, partyGln, sscc } = build;
const { associationEvent, transactionEvent, transformationEvent, withCheckDigit, withHash } = build;
const time = '2026-03-04T11:00:30.000+01:00';
const epc = gtin('09521141012345', { serial: '1' });
const EVENTS = [
  [objectEvent, { action: 'ADD', epcList: [epc] }],
  [aggregationEvent, { action: 'ADD', parentID: sscc('195211412345678900'), childEPCs: [epc] }],
  [transactionEvent, { action: 'ADD', epcList: [epc], bizTransactionList: [{ type: 'po', bizTransaction: 'urn:x:1' }] }],
  [transformationEvent, { inputEPCList: [epc], outputEPCList: [gtin('09521141012345', { serial: '2' })] }],
  [associationEvent, { action: 'ADD', parentID: gln('9521141000007'), childEPCs: [giai('952114100S1')] }],
];

test('events of each type are valid alone and in a document, with their hash', () => {
  const events = EVENTS.map(([make, fields]) => make({ eventTime: time, ...fields }));
  for (const event of events) {
    assert.deepEqual(validate(event).errors, []);
    assert.equal(event.eventTimeZoneOffset, '+01:00');
    assert.equal(verify(withHash(event))[0].result, 'matches');
    assert.deepEqual(hash(event, { profile: 'CBV2.1' }), [withHash(event, { profile: 'CBV2.1' }).eventID]);
  }
  const document = epcisDocument(events.map((event) => withHash(event)));
  assert.ok(validate(document).valid);
  assert.equal(document['@context'], CONTEXT);
  assert.ok(document.epcisBody.eventList.every((event) => event['@context'] === undefined));
  assert.ok(verify(document).every(({ result }) => result === 'matches'));
});

test('contexts: what all events share moves to the document, what differs stays, and no hash changes', () => {
  const of = (namespace) => withHash(objectEvent({ '@context': { ex: namespace }, eventTime: time, action: 'ADD', epcList: [], 'ex:lot': 'A' }));
  const [one, other, plain] = [of('https://a.example/'), of('https://b.example/'), withHash(objectEvent({ eventTime: time, action: 'ADD', epcList: [] }))];
  assert.deepEqual(one['@context'], [CONTEXT, { ex: 'https://a.example/' }]);
  const shared = epcisDocument([one, one]);
  assert.deepEqual(shared['@context'], one['@context']);
  assert.equal(shared.epcisBody.eventList[0]['@context'], undefined);
  const mixed = epcisDocument([one, other, plain]);
  assert.equal(mixed['@context'], CONTEXT);
  assert.deepEqual(
    mixed.epcisBody.eventList.map((event) => event['@context']),
    [one['@context'], other['@context'], undefined],
  );
  for (const document of [shared, mixed]) assert.ok(verify(document).every(({ result }) => result === 'matches'));
  assert.deepEqual(epcisDocument([plain], { context: { ex: 'https://a.example/' } })['@context'], [CONTEXT, { ex: 'https://a.example/' }]);
  assert.equal(epcisDocument([]).epcisBody.eventList.length, 0);
});

test('dates become text, what is undefined is left out, and nothing that was passed is changed', () => {
  const fields = Object.freeze({ eventTime: new Date(0), eventTimeZoneOffset: '-05:00', action: 'ADD', epcList: Object.freeze([epc]), bizStep: undefined });
  const event = objectEvent(fields);
  assert.deepEqual(Object.keys(event), ['@context', 'type', 'eventTime', 'eventTimeZoneOffset', 'action', 'epcList']);
  assert.equal(event.eventTime, '1970-01-01T00:00:00.000Z');
  event.epcList.push('urn:x:2');
  assert.equal(fields.epcList.length, 1);
  assert.equal(objectEvent({ ...fields, eventTime: '2026-03-04T11:00:30Z', eventTimeZoneOffset: undefined }).eventTimeZoneOffset, '+00:00');
});

test('what the schema does not accept is named, and what no builder takes is a TypeError', () => {
  const good = { eventTime: time, action: 'ADD', epcList: [] };
  assert.throws(
    () => objectEvent({ ...good, bizStep: 'shiping', dispositon: 'active' }),
    (error) => error instanceof BuildError && error.errors.length === 2 && /^the ObjectEvent is not valid: .* and 1 more$/.test(error.message),
  );
  assert.throws(() => aggregationEvent({ eventTime: time, action: 'ADD' }), BuildError);
  assert.throws(
    () => epcisDocument([{ ...objectEvent(good), action: 'LOOK' }]),
    (error) => error.errors.some(({ path }) => path === '/epcisBody/eventList/0/action'),
  );
  assert.throws(() => objectEvent({ ...good, eventTime: new Date(0) }), /eventTimeZoneOffset is missing/);
  assert.throws(() => objectEvent({ action: 'ADD' }), /eventTime is missing/);
  assert.throws(() => objectEvent({ ...good, type: 'AggregationEvent' }), TypeError);
  assert.throws(() => objectEvent({ ...good, 'ex:value': Number.NaN }), TypeError);
  assert.throws(() => objectEvent([]), TypeError);
  assert.throws(() => epcisDocument({}), TypeError);
  assert.throws(() => epcisDocument([], { senders: 'x' }), /no option "senders"/);
  assert.throws(() => withHash(epcisDocument([objectEvent(good)])), TypeError);
  assert.throws(() => withHash({ ...objectEvent(good), eventID: 'urn:x:1' }), /has an eventID already/);
  assert.throws(() => declareError(objectEvent(good)), /has no eventID/);
});

test('an error declaration has name and hash of its event', () => {
  const event = withHash(objectEvent({ eventTime: time, action: 'ADD', epcList: [] }));
  const wrong = declareError({ ...event, recordTime: time }, { reason: 'incorrect_data', correctiveEventIDs: ['urn:x:2'], declarationTime: new Date(0) });
  assert.ok(validate(wrong).valid);
  assert.deepEqual([wrong.eventID, hash(wrong)[0], wrong.recordTime], [event.eventID, event.eventID, undefined]);
  assert.deepEqual(wrong.errorDeclaration, { declarationTime: '1970-01-01T00:00:00.000Z', reason: 'incorrect_data', correctiveEventIDs: ['urn:x:2'] });
});

test('keys agree with the core, both ways', () => {
  const PAIRS = [
    [
      gtin('09521141012345', { serial: 'A/1' }),
      'urn:epc:id:sgtin:9521141.001234.A%2F1',
      (n) => gtin('09521141012345', { serial: 'A/1', companyPrefixLength: n }),
    ],
    [gtin('09521141012345', { lot: 'L' }), 'urn:epc:class:lgtin:9521141.001234.L', (n) => gtin('09521141012345', { lot: 'L', companyPrefixLength: n })],
    [gtin('9521141012345'), 'urn:epc:idpat:sgtin:9521141.001234.*', (n) => gtin('9521141012345', { companyPrefixLength: n })],
    [sscc('195211412345678900'), 'urn:epc:id:sscc:9521141.1234567890', (n) => sscc('195211412345678900', { companyPrefixLength: n })],
    [gln('9521141000007', { extension: '1' }), 'urn:epc:id:sgln:9521141.00000.1', (n) => gln('9521141000007', { extension: '1', companyPrefixLength: n })],
    [partyGln('9521141000007'), 'urn:epc:id:pgln:9521141.00000', (n) => partyGln('9521141000007', { companyPrefixLength: n })],
    [grai('9521141123454', { serial: '9' }), 'urn:epc:id:grai:9521141.12345.9', (n) => grai('9521141123454', { serial: '9', companyPrefixLength: n })],
    [giai('952114100S1'), 'urn:epc:id:giai:9521141.00S1', (n) => giai('952114100S1', { companyPrefixLength: n })],
    [gdti('9521141123454', { serial: '9' }), 'urn:epc:id:gdti:9521141.12345.9', (n) => gdti('9521141123454', { serial: '9', companyPrefixLength: n })],
  ];
  // GSRN and ITIP are examples of the Tag Data Standard.
  for (const [make, key, own, urn] of [
    ['cpi', '952114150PQ7/Z43', { serial: '12345' }, 'urn:epc:id:cpi:9521141.50PQ7%2FZ43.12345'],
    ['cpi', '061414150PQ7#Z-43', { serial: '123456789012' }, 'urn:epc:id:cpi:0614141.50PQ7%23Z-43.123456789012'],
    ['cpi', '061414150PQ', {}, 'urn:epc:idpat:cpi:0614141.50PQ.*'],
    ['gsrn', '061414112345678902', {}, 'urn:epc:id:gsrn:0614141.1234567890'],
    ['gsrnp', '061414112345678902', {}, 'urn:epc:id:gsrnp:0614141.1234567890'],
    ['ginc', '061414199xyz47/11', {}, 'urn:epc:id:ginc:0614141.99xyz47%2F11'],
    ['gsin', '06141411234567890', {}, 'urn:epc:id:gsin:0614141.123456789'],
    ['itip', '04012345123456', { piece: 1, total: 2, serial: '987' }, 'urn:epc:id:itip:4012345.012345.01.02.987'],
    ['itip', '4012345123456', { piece: 10, total: 12 }, 'urn:epc:idpat:itip:4012345.012345.10.12.*'],
    ['sgcn', '4012345678901', { serial: '04711' }, 'urn:epc:id:sgcn:4012345.67890.04711'],
    ['sgcn', '4012345678901', {}, 'urn:epc:idpat:sgcn:4012345.67890.*'],
  ])
    PAIRS.push([build[make](key, own), urn, (n) => build[make](key, { ...own, companyPrefixLength: n })]);
  for (const [link, urn, spelt] of PAIRS) {
    assert.equal(identifiers.toDigitalLink(urn), link, 'the check digit is that of the core');
    assert.equal(spelt(7), urn);
    assert.equal(identifiers.toDigitalLink(spelt(9)), link);
  }
});

test('check digits of many keys are those that the core computes', () => {
  for (let n = 0; n < 2000; n += 1) {
    const digits = String((n * 7919 + 12345) % 10 ** 9).padStart(9, '0');
    const link = identifiers.toDigitalLink(`urn:epc:id:sscc:9521141.1${digits}`);
    assert.equal(link, sscc(withCheckDigit(`19521141${digits}`)));
  }
});

test('a key of another length, a wrong check digit, a sign that GS1 does not allow', () => {
  assert.equal(checkDigit('0'), '0');
  assert.throws(() => checkDigit('12a'), TypeError);
  assert.throws(() => gtin('952114101234'), /has the check digit 4, expected/);
  assert.throws(() => gtin('95211410123'), /expected a string of 8, 12, 13 or 14 digits/);
  assert.throws(() => gtin(9521141012345), TypeError);
  assert.throws(() => sscc('195211412345678901'), /expected 0/);
  for (const serial of ['', 'a b', 'ä', '123456789012345678901', 5]) assert.throws(() => gtin('9521141012345', { serial }), TypeError);
  assert.throws(() => gtin('9521141012345', { serial: '1', lot: '2' }), /not both/);
  assert.throws(() => gln('9521141000007', { serial: '1' }), /no option "serial"/);
  assert.throws(() => gtin('9521141012345', { companyPrefixLength: 3 }), { name: 'EpcisError' });
});

test('the limits of the rarer keys are those of the standards', () => {
  const { cpi, gid, ginc, gsin, gsrn, gsrnp, itip, sgcn } = build;
  const piece = { piece: 1, total: 2 };
  for (const [call, message] of [
    [() => cpi('0614141a'), /the CPI is "0614141a", expected 1 to 30 digits, capital letters, #, - or \//],
    [() => cpi(`0614141${'A'.repeat(24)}`), /expected 1 to 30/],
    [() => cpi('ABC'), /the CPI is "ABC", expected the digits of a company prefix at its beginning/],
    [() => cpi('0614141A', { serial: '01' }), /the serial is "01", expected 1 to 12 digits without a leading zero/],
    [() => cpi('0614141A', { serial: '1234567890123' }), /expected 1 to 12 digits/],
    [() => cpi('0614141A', { lot: '1' }), /cpi has no option "lot", expected serial, companyPrefixLength/],
    [() => gsrn('061414112345678901'), /the GSRN 061414112345678901 has the check digit 1, expected 2/],
    [() => gsrn('06141411234567890'), /expected a string of 18 digits/],
    [() => gsrnp(614141), /the GSRN is 614141, expected a string/],
    [() => ginc('abc'), /the GINC is "abc", expected the digits of a company prefix/],
    [() => ginc(`0614141${'x'.repeat(24)}`), /expected 1 to 30/],
    [() => ginc('0614141 x'), /expected 1 to 30/],
    [() => gsin('06141411234567892'), /the GSIN 06141411234567892 has the check digit 2, expected 0/],
    [() => itip('04012345123456'), /the piece is undefined, expected a whole number from 1 to 99/],
    [() => itip('04012345123456', { piece: 0, total: 2 }), /the piece is 0/],
    [() => itip('04012345123456', { piece: 1, total: 100 }), /the total is 100/],
    [() => itip('04012345123456', { piece: 3, total: 2 }), /the piece is 3 of 2, expected at most 2/],
    [() => itip('04012345123456', { ...piece, piece: '1' }), /the piece is "1"/],
    [() => itip('04012345123456', { ...piece, serial: 'x'.repeat(21) }), /expected 1 to 20/],
    [() => itip('04012345123457', piece), /the GTIN 04012345123457 has the check digit 7, expected 6/],
    [() => sgcn('4012345678901', { serial: '1A' }), /the serial is "1A", expected 1 to 12 digits/],
    [() => sgcn('4012345678901', { serial: '1234567890123' }), /expected 1 to 12 digits/],
    [() => sgcn('4012345678902'), /the GCN 4012345678902 has the check digit 2, expected 1/],
    [() => gid('95100000'), /the object class is undefined, expected a number up to 16777215 as a string of digits/],
    [() => gid('268435456', '1'), /the general manager number is "268435456", expected a number up to 268435455/],
    [() => gid('1', '16777216'), /up to 16777215/],
    [() => gid('1', '2', { serial: '68719476736' }), /up to 68719476735/],
    [() => gid('01', '2'), /the general manager number is "01"/],
    [() => gid(1, '2'), /the general manager number is 1,/],
    [() => gid('1', '2', { companyPrefixLength: 7 }), /gid has no option "companyPrefixLength", expected serial/],
  ])
    assert.throws(call, (error) => error instanceof TypeError && (assert.match(error.message, message), true), String(call));
  assert.equal(gid('95100000', '12345', { serial: '400' }), 'urn:epc:id:gid:95100000.12345.400');
  assert.equal(gid('268435455', '16777215', { serial: '68719476735' }), 'urn:epc:id:gid:268435455.16777215.68719476735');
  assert.equal(gid('0', '0'), 'urn:epc:idpat:gid:0.0.*');
});

test('no pack of checks finds anything in what the builders of keys give', () => {
  const { cpi, event, gid, ginc, gsin, gsrn, gsrnp, itip, sgcn } = build;
  for (const companyPrefixLength of [undefined, 7]) {
    const n = { companyPrefixLength };
    const epcs = [
      cpi('952114112PQ', { serial: '1', ...n }),
      itip('09521141012345', { piece: 1, total: 2, serial: '9', ...n }),
      sgcn('9521141123454', { serial: '01', ...n }),
      gsrn('952114112345678906', n),
      gsrnp('952114112345678906', n),
      ...(companyPrefixLength ? [gid('95100000', '12345', { serial: '400' })] : []),
    ];
    const transactions = [ginc('9521141xyz', n), gsin('95211411234567892', n)];
    const built = event({
      type: 'ObjectEvent',
      eventTime: time,
      action: 'OBSERVE',
      epcList: epcs,
      bizTransactionList: transactions.map((id) => ({ bizTransaction: id })),
    });
    assert.deepEqual(
      check(built, { packs: ['identifiers'], now: new Date('2026-11-20') }).findings.filter(({ severity }) => severity === 'error'),
      [],
    );
  }
});

test('event picks the builder by the type', () => {
  for (const [make, fields] of EVENTS) {
    const built = make({ eventTime: time, ...fields });
    assert.deepEqual(build.event({ type: built.type, eventTime: time, ...fields }), built);
    // A built event can be built again.
    assert.deepEqual(build.event(built), built);
  }
  const good = { eventTime: time, action: 'ADD', epcList: [] };
  assert.throws(() => build.event({ ...good, type: 'ObjectEvent', bizStep: 'shiping' }), BuildError);
  for (const [given, found] of [
    [good, 'undefined'],
    [{ ...good, type: 'objectEvent' }, '"objectEvent"'],
    [{ ...good, type: 'toString' }, '"toString"'],
    [{ ...good, type: ['ObjectEvent'] }, 'an array'],
    [epcisDocument([]), '"EPCISDocument"'],
  ])
    assert.throws(() => build.event(given), {
      name: 'TypeError',
      message: `the type is ${found}, expected ObjectEvent, AggregationEvent, TransactionEvent, TransformationEvent or AssociationEvent`,
    });
  assert.throws(() => build.event('x'), TypeError);
  assert.throws(() => build.event([]), TypeError);
});
