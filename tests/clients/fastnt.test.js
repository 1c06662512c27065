// The requests that FasTnT's own REST tests check, as a table, with the gateway in workerd: two tenants, the same events.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { send } from '../../worker/tests/gateway.js';
import { documentOf, event, open } from '../../worker/tests/store.js';

let store;
let own;
let other;
before(async () => {
  store = await open();
  own = await store.makeKey({ account: 'https://example.com/tenants/1' });
  other = await store.makeKey({ account: 'https://example.com/tenants/2' });
});
after(() => store?.dispose());

const basic = (key) => ({ authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}` });
const ask = async (method, path, key, body) => {
  const headers = { ...(key ? basic(key) : {}), ...(body ? { 'content-type': 'application/json' } : {}) };
  const answer = await send(store.address, { method, path, headers }, body && Buffer.from(JSON.stringify(body)));
  return { ...answer, value: answer.body.length > 0 ? JSON.parse(answer.body) : undefined };
};

const PLACES = { readPoint: { id: 'urn:epc:id:sgln:0614141.07346.1' }, bizLocation: { id: 'urn:epc:id:sgln:0614141.07346.2' } };
const EPC = 'urn:epc:id:sgtin:0614141.107346.2018';

const SUBRESOURCES = [
  ['eventTypes', 'ObjectEvent', 2],
  ['eventTypes', 'AggregationEvent', 0],
  ['epcs', EPC, 1],
  ['epcs', 'urn:epc:id:sgtin:0614141.107346.9999', 0],
  ['bizSteps', 'receiving', 1],
  ['bizSteps', 'shipping', 1],
  ['bizLocations', PLACES.bizLocation.id, 1],
  ['readPoints', PLACES.readPoint.id, 1],
  ['dispositions', 'in_progress', 1],
  ['dispositions', 'in_transit', 0],
];

test('a tenant captures', async () => {
  const events = [
    event(EPC, { bizStep: 'receiving', disposition: 'in_progress', ...PLACES }),
    event('urn:epc:id:sgtin:0614141.107346.2019', { bizStep: 'shipping' }),
  ];
  assert.equal((await ask('POST', '/capture', own, documentOf(events))).status, 202);
  const jobs = (await ask('GET', '/capture', own)).value;
  assert.deepEqual(
    jobs.map(({ running, success }) => [running, success]),
    [[false, true]],
  );
  assert.deepEqual((await ask('GET', '/capture', other)).value, []);
});

for (const path of ['/epcs', '/eventTypes', '/bizSteps', '/bizLocations', '/readPoints', '/dispositions', '/capture', '/queries']) {
  test(`${path}: 401 without a key, a list with one`, async () => {
    assert.equal((await ask('GET', path)).status, 401);
    const { status, value } = await ask('GET', path, own);
    assert.equal(status, 200);
    if (Array.isArray(value)) return;
    assert.equal(value.type, 'Collection');
    assert.ok(value['@context'] && Array.isArray(value.member));
    assert.equal(new Set(value.member).size, value.member.length);
  });
}

for (const path of [
  '/',
  '/capture',
  '/capture/1',
  '/events',
  '/eventTypes',
  '/epcs',
  '/bizSteps',
  '/bizLocations',
  '/readPoints',
  '/dispositions',
  '/queries',
]) {
  test(`OPTIONS ${path}`, async () => {
    const { status, headers } = await ask('OPTIONS', path);
    assert.equal(status, 204);
    for (const name of [
      'allow',
      'gs1-epcis-version',
      'gs1-epcis-min',
      'gs1-epcis-max',
      'gs1-cbv-version',
      'gs1-cbv-min',
      'gs1-cbv-max',
      'gs1-vendor-version',
      'gs1-epcis-capture-limit',
      'gs1-epcis-capture-file-size-limit',
    ]) {
      assert.ok(headers[name], name);
    }
  });
}

for (const [collection, value, count] of SUBRESOURCES) {
  test(`${collection}/${value}/events: ${count}, and none of another tenant`, async () => {
    for (const [key, expected] of [
      [own, count],
      [other, 0],
    ]) {
      for (const written of [value, encodeURIComponent(value)]) {
        const { status, value: document } = await ask('GET', `/${collection}/${written}/events`, key);
        assert.equal(status, 200);
        assert.ok(Array.isArray(document['@context']));
        assert.equal(document.type, 'EPCISQueryDocument');
        const { queryName, resultsBody } = document.epcisBody.queryResults;
        assert.deepEqual([queryName, resultsBody.eventList.length], ['SimpleEventQuery', expected]);
      }
    }
  });
}

test('pages, by the token that is added to the address', async () => {
  const first = await ask('GET', '/events?perPage=1', own);
  const token = first.headers.link.match(/nextPageToken=([^>&;]+)>;\s*rel="next"/)[1];
  const second = await ask('GET', `/events?perPage=1&nextPageToken=${token}`, own);
  assert.equal(second.headers.link, undefined);
  const names = [first, second].map(({ value }) => value.epcisBody.queryResults.resultsBody.eventList[0].eventID);
  assert.equal(new Set(names).size, 2);
  assert.equal((await ask('GET', `/events?perPage=1&nextPageToken=${token}`, other)).status, 400);
});
