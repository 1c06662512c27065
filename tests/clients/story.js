// One story told through a real client: events are captured, found in pages, traced, fetched, corrected and translated, and every
// refusal is provoked.
import assert from 'node:assert/strict';

const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
const URN = 'urn:epc:id:sgtin:9521141.012345.7';
const DIGITAL_LINK = 'https://example.com/some/path/01/09521141123454/21/7?query=ignored';

function event(minute, members = {}) {
  return {
    type: 'ObjectEvent',
    eventTime: `2026-03-04T11:${String(minute).padStart(2, '0')}:00.000+01:00`,
    eventTimeZoneOffset: '+01:00',
    epcList: [URN],
    action: 'OBSERVE',
    bizStep: 'shipping',
    ...members,
  };
}

const DOCUMENT = {
  '@context': [CONTEXT],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-04T12:00:00.000Z',
  epcisBody: { eventList: [event(1), event(2), event(3), event(4, { bizStep: 'receiving' }), event(5, { recordTime: '1999-01-01T00:00:00Z' })] },
};

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2" creationDate="2026-03-05T08:00:00Z">
  <EPCISBody><EventList><ObjectEvent>
    <eventTime>2026-03-05T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
    <epcList><epc>urn:epc:id:sscc:9521141.1234567890</epc></epcList>
    <action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:loading</bizStep>
  </ObjectEvent></EventList></EPCISBody>
</epcis:EPCISDocument>`;

const CASE = 'urn:epc:id:sscc:9521141.1234567899';

// One of the items is packed; master data names the place.
const PACKED = {
  ...DOCUMENT,
  epcisHeader: {
    epcisMasterData: {
      vocabularyList: [
        {
          type: 'urn:epcglobal:epcis:vtype:Location',
          vocabularyElementList: [{ id: 'urn:epc:id:sgln:9521141.00100.0', attributes: [{ id: 'cbvmda:name', attribute: 'Hill Orchard' }] }],
        },
      ],
    },
  },
  epcisBody: {
    eventList: [
      {
        type: 'AggregationEvent',
        eventTime: '2026-03-04T11:30:00.000+01:00',
        eventTimeZoneOffset: '+01:00',
        parentID: CASE,
        childEPCs: [URN],
        action: 'ADD',
        bizLocation: { id: 'urn:epc:id:sgln:9521141.00100.0' },
      },
      event(40, { epcList: [CASE] }),
    ],
  },
};

const listOf = (page) => page.epcisBody.queryResults.resultsBody.eventList;

/** Runs the story. `call(name, arguments)` returns a tool result, or throws an error with a `code`. */
export async function tell({ call, trace, isRemote, account, observer }) {
  const ask = async (name, args) => {
    const result = await call(name, args);
    assert.notEqual(result.isError, true, result.content?.[0]?.text);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return result.structuredContent;
  };
  const refuse = async (name, args, type, status) => {
    const result = await call(name, args);
    assert.equal(result.isError, true, `${name} ${JSON.stringify(args)}`);
    const problem = result.structuredContent;
    assert.equal(problem.type, `epcisException:${type}`);
    assert.equal(problem.status, status);
    assert.deepEqual(JSON.parse(result.content[0].text), problem);
    return problem;
  };

  // Nothing is there yet.
  assert.equal((await ask('follow', { items: [URN] })).type, 'EMPTY');
  assert.equal((await ask('report', { report: 'recall', items: [URN] })).type, 'EMPTY');
  assert.equal((await ask('master_data', {})).type, 'EMPTY');

  // A dry run reports everything and stores nothing.
  const dry = await ask('capture', { document: DOCUMENT, dryRun: true });
  assert.equal(dry.dryRun, true);
  assert.equal((await ask('query', {})).type, 'EMPTY');

  // A document is captured.
  const captured = await ask('capture', { document: DOCUMENT });
  assert.equal(captured.type, 'OK');
  assert.deepEqual(
    captured.events.map(({ duplicate }) => duplicate),
    [false, false, false, false, false],
  );
  assert.deepEqual(captured.events[4].stripped, ['/recordTime']);
  const names = captured.events.map(({ eventID }) => eventID);
  assert.deepEqual(
    captured.events.map(({ contentHash }) => contentHash),
    dry.events.map(({ contentHash }) => contentHash),
  );

  // It is found in pages of two.
  const pages = [];
  let nextPageToken;
  do {
    const page = await ask('query', { query: { EQ_action: 'OBSERVE' }, perPage: 2, ...(nextPageToken === undefined ? {} : { nextPageToken }) });
    assert.equal(page.type, 'EPCISQueryDocument');
    pages.push(listOf(page));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken !== undefined);
  assert.deepEqual(
    pages.map((page) => page.length),
    [2, 2, 1],
  );
  assert.deepEqual(
    pages.flat().map(({ eventID }) => eventID),
    names,
  );
  for (const stored of pages.flat()) {
    assert.equal(stored['spine:who'], observer);
    assert.equal(stored['spine:capturedBy'], account);
    assert.equal(stored.recordTime, captured.recordTime);
  }

  // Its item is traced by another spelling.
  const traced = await ask(trace, { epc: DIGITAL_LINK, perPage: 3 });
  assert.equal(listOf(traced).length, 3);
  const rest = await ask(trace, { epc: DIGITAL_LINK, perPage: 3, nextPageToken: traced.nextPageToken });
  assert.equal(listOf(rest).length, 2);
  assert.equal(rest.nextPageToken, undefined);
  assert.equal((await ask(trace, { epc: 'urn:epc:id:sgtin:9521141.012345.8' })).type, 'EMPTY');

  // One event is fetched by its eventID and by its content hash.
  const [first] = captured.events;
  for (const eventID of [first.eventID, first.contentHash]) {
    const page = await ask('get_event', { eventID });
    assert.deepEqual(
      listOf(page).map((found) => found.eventID),
      [first.eventID],
    );
  }

  // It is proved if there is a log: the local process has one, this gateway does not.
  if (isRemote) await refuse('prove', { eventID: first.eventID }, 'NoSuchResourceException', 404);
  else {
    const proven = await ask('prove', { eventID: first.contentHash });
    assert.deepEqual([proven.eventID, proven.index, proven.size], [first.eventID, 0, 5]);
    assert.match(proven.proof, /^c2sp\.org\/tlog-proof@v1\nextra /);
    assert.match(proven.policy, /^log local\.epcis-edge\/log\+/);
    await refuse('prove', { eventID: 'urn:uuid:00000000-0000-4000-8000-000000000000' }, 'NoSuchResourceException', 404);
  }

  // Captured again, it is a duplicate, and nothing is stored.
  const again = await ask('capture', { document: DOCUMENT });
  assert.deepEqual(
    again.events.map(({ duplicate }) => duplicate),
    [true, true, true, true, true],
  );
  assert.deepEqual(
    again.events.map(({ eventID }) => eventID),
    names,
  );
  assert.equal(listOf(await ask('query', {})).length, 5);

  // It was wrong: captured again with a declaration, it gets the same eventID, and both events are returned for it.
  const errorDeclaration = { declarationTime: '2026-03-05T00:00:00Z', reason: 'incorrect_data' };
  const declaration = { '@context': CONTEXT, ...event(1), errorDeclaration };
  // With `verify`, an eventID in hash form must be the hash of the event as sent. This one is the hash of the event as stored.
  const named = { document: { '@context': CONTEXT, ...event(1), eventID: first.eventID } };
  const mismatch = await refuse('capture', { ...named, eventIDs: 'verify' }, 'ValidationException', 400);
  assert.equal(mismatch.errors[0].path, '/eventID');
  const same = await ask('capture', named);
  assert.deepEqual([same.events[0].duplicate, same.events[0].eventID, same.unverified], [true, first.eventID, undefined]);
  const declared = await ask('capture', { document: declaration });
  assert.equal(declared.events[0].duplicate, false);
  assert.equal(declared.events[0].eventID, first.eventID);
  assert.equal((await ask('capture', { document: declaration })).events[0].duplicate, true);
  for (const eventID of [first.eventID, first.contentHash]) {
    const both = listOf(await ask('get_event', { eventID }));
    assert.deepEqual(
      both.map((found) => 'errorDeclaration' in found),
      [false, true],
    );
  }
  // The same with the returned event, whose stamps are stripped and made again.
  const answered = { ...listOf(await ask('get_event', { eventID: names[1] }))[0], errorDeclaration };
  const second = await ask('capture', { document: answered });
  assert.deepEqual([second.events[0].duplicate, second.events[0].eventID], [false, names[1]]);
  assert.equal(listOf(await ask('get_event', { eventID: names[1] })).length, 2);
  assert.equal(listOf(await ask('query', { query: { EXISTS_errorDeclaration: true } })).length, 2);

  // XML is translated, and the result is captured.
  const translated = await ask('translate', { xml: XML });
  assert.equal(translated.fidelityReport.roundTripClean, true);
  assert.equal(translated.sourceSchemaVersion, '1.2');
  const loaded = await ask('capture', { document: translated.document });
  assert.equal(loaded.events.length, 1);
  const sscc = await ask('query', { query: { EQ_bizStep: ['loading'], MATCH_epc: ['urn:epc:id:sscc:9521141.1234567890'] } });
  assert.deepEqual(
    listOf(sscc).map(({ eventID }) => eventID),
    [loaded.events[0].eventID],
  );

  // Refusals.
  const invalid = structuredClone(DOCUMENT);
  invalid.epcisBody.eventList[2].bizStep = 'shippping';
  const refused = await refuse('capture', { document: invalid }, 'ValidationException', 400);
  assert.equal(refused.errors[0].path, '/epcisBody/eventList/2/bizStep');
  await refuse('capture', {}, 'ValidationException', 400);
  await refuse('translate', { xml: '<EPCISDocument' }, 'ValidationException', 400);
  await refuse('query', { query: { 'EQ_ext:batch': '7' } }, 'QueryParameterException', 400);
  await refuse('query', { query: { EQ_action: 'EAT' } }, 'QueryParameterException', 400);
  await refuse('query', { query: { maxEventCount: 1 } }, 'QueryTooLargeException', 413);
  await refuse('get_event', { eventID: 'urn:uuid:00000000-0000-4000-8000-000000000000' }, 'NoSuchResourceException', 404);
  const { nextPageToken: token } = await ask('query', { perPage: 1 });
  await refuse('query', { query: { EQ_action: 'ADD' }, nextPageToken: token }, 'QueryParameterException', 400);
  await refuse('query', { nextPageToken: `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}` }, 'QueryParameterException', 400);
  if (isRemote) {
    assert.equal((await refuse('resolve', { identifier: DIGITAL_LINK }, 'ImplementationException', 501)).title, 'resolve is not served on this door');
    await refuse('subscribe', { query: {} }, 'ImplementationException', 501);
  }
  const others = isRemote ? ['trace_epc', 'Query'] : ['trace', 'resolve', 'subscribe'];
  for (const name of others) await assert.rejects(call(name, {}), (error) => error.code === -32602, name);

  // The item is followed into its case, and the place has a name.
  await ask('capture', { document: PACKED });
  const followed = await ask('follow', { items: [DIGITAL_LINK] });
  assert.deepEqual(
    followed.events.slice(-2).map(({ presences }) => presences.map(({ how }) => how)),
    [['named'], ['inside']],
  );
  const [last] = followed.events.slice(-1)[0].presences;
  assert.deepEqual([last.certain, last.through.length], [true, 1]);
  const { sheets, gaps } = await ask('report', { report: 'passport', items: [DIGITAL_LINK] });
  assert.deepEqual([sheets[0].name, sheets[0].rows.length, gaps], ['Life', followed.events.filter(({ withdrawn }) => !withdrawn).length, []]);
  await refuse('report', { items: [URN] }, 'ValidationException', 400);
  await refuse('report', { report: 'passport', items: [URN, DIGITAL_LINK] }, 'ValidationException', 400);
  await refuse('report', { report: 'recall', items: [URN], rows: 1 }, 'ValidationException', 400);
  await refuse('follow', {}, 'ValidationException', 400);
  await refuse('follow', { items: [URN], depth: 0 }, 'ValidationException', 400);
  await refuse('follow', { items: [URN], how: 'far' }, 'ValidationException', 400);
  const place = await ask('master_data', { ids: ['https://id.gs1.org/414/9521141001004'], type: 'Location' });
  assert.deepEqual(
    place.elements.map(({ spelling, attributes }) => [spelling, attributes]),
    [['urn:epc:id:sgln:9521141.00100.0', [{ id: 'urn:epcglobal:cbv:mda:name', attribute: 'Hill Orchard' }]]],
  );
  await refuse('master_data', { at: 'yesterday' }, 'QueryParameterException', 400);
  await refuse('master_data', { ids: CASE }, 'ValidationException', 400);
}
