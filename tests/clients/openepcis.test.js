// OpenEPCIS: its test documents, sent to the gateway in workerd; its client's reading of `Link`; and many captures at once, counted
// by walking pages, as public checkers of capture interfaces do.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isOn } from '../../scripts/given.ts';
import { send } from '../../worker/tests/gateway.js';
import { documentOf, event, open } from '../../worker/tests/store.js';

const vectors = process.env.EPCIS_EDGE_VECTORS ?? fileURLToPath(new URL('../../../shared/vectors', import.meta.url));

let store;
before(async () => {
  // Some documents have eventIDs in hash form that match no hash, which the default settings accept.
  store = await open();
});
after(() => store?.dispose());

let accounts = 0;
async function caller() {
  const key = await store.makeKey({ account: `https://example.com/accounts/openepcis-${(accounts += 1)}` });
  return (method, path, body, type = 'application/ld+json') => {
    const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) };
    return send(store.address, { method, path, headers }, body);
  };
}

const eventsOf = (answer) => {
  assert.equal(answer.status, 200, answer.body.toString());
  return JSON.parse(answer.body).epcisBody.queryResults.resultsBody.eventList;
};

/** The documents of OpenEPCIS: path and type. */
function* documents() {
  for (const name of readdirSync(join(vectors, 'validate'))) {
    if (/^[iv]-openepcis-/.test(name)) yield { name: `validate/${name}`, isXml: false };
  }
  for (const folder of readdirSync(join(vectors, 'translate')).filter((name) => name.startsWith('openepcis-'))) {
    for (const name of readdirSync(join(vectors, 'translate', folder))) {
      if (/\.(xml|published\.json)$/.test(name)) yield { name: `translate/${folder}/${name}`, isXml: name.endsWith('.xml') };
    }
  }
}

/**
 * Valid documents that are refused nevertheless, each with the reason: a capture checks more than the schema, because stored events
 * are evidence.
 */
const REFUSED = new Map([
  ['validate/v-openepcis-transformationevent-all-possible-fields.json', 'binds a prefix anew that the official context protects: no JSON-LD reader takes it'],
]);

test('every document of its test resources: valid is 202 and found again by its EPCs, invalid is 400 with places', async (t) => {
  if (!existsSync(vectors)) {
    if (isOn('EPCIS_EDGE_REQUIRE_VECTORS')) assert.fail(`${vectors} is not there`);
    return t.skip(`${vectors} is not there`);
  }
  const counts = { taken: 0, refused: 0, found: 0, exceptions: 0 };
  const wrong = [];
  for (const { name, isXml } of documents()) {
    const body = readFileSync(join(vectors, name));
    const ask = await caller();
    const judged = await ask('POST', isXml ? '/translate' : '/validate', body, isXml ? 'application/xml' : 'application/ld+json');
    const isValid = judged.status === 200 && (isXml || JSON.parse(judged.body).valid);
    const answer = await ask('POST', '/capture', body, isXml ? 'application/xml' : 'application/ld+json');
    if (answer.status === 202) {
      counts.taken += 1;
      if (!isValid) wrong.push(`${name}: taken, though it is invalid`);
      if (REFUSED.has(name)) wrong.push(`${name}: taken, though it is listed as refused`);
      for (const stored of eventsOf(await ask('GET', '/events?perPage=1000'))) {
        const { epcList = [], childEPCs = [], parentID, inputEPCList = [], outputEPCList = [] } = stored;
        for (const epc of [...epcList, ...childEPCs, ...inputEPCList, ...outputEPCList, ...(parentID ? [parentID] : [])]) {
          const found = eventsOf(await ask('GET', `/epcs/${encodeURIComponent(epc)}/events?perPage=1000`));
          if (!found.some(({ eventID }) => eventID === stored.eventID)) wrong.push(`${name}: ${epc} does not find its event`);
          counts.found += 1;
        }
      }
    } else {
      counts.refused += 1;
      const problem = JSON.parse(answer.body);
      if (answer.status !== 400 || problem.type !== 'epcisException:ValidationException') wrong.push(`${name}: ${answer.body}`);
      if (isValid && !REFUSED.has(name)) wrong.push(`${name}: valid, and refused: ${answer.body.toString().slice(0, 300)}`);
      if (isValid) counts.exceptions += 1;
      else if (!isXml && !(problem.errors?.length > 0 || problem.location)) wrong.push(`${name}: refused without a place`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(counts.taken >= 80 && counts.refused >= 25 && counts.found >= 300, JSON.stringify(counts));
  t.diagnostic(JSON.stringify(counts));
});

test('its queries: the valid one is kept and run, the invalid ones are refused', async (t) => {
  const folder = join(vectors, 'rest/openepcis-queries');
  if (!existsSync(folder)) return t.skip(`${folder} is not there`);
  const ask = await caller();
  for (const name of readdirSync(folder)) {
    const query = JSON.parse(readFileSync(join(folder, name)));
    const answer = await ask('POST', '/queries', Buffer.from(JSON.stringify({ name, query })), 'application/json');
    if (name === 'SimpleEventQuery.json') {
      assert.equal(answer.status, 201, answer.body.toString());
      assert.deepEqual(eventsOf(await ask('GET', `/queries/${name}/events`)), []);
    } else {
      assert.deepEqual([answer.status, JSON.parse(answer.body).type], [400, 'epcisException:QueryParameterException'], name);
    }
  }
});

/**
 * How the OpenEPCIS client continues: it stops only without `Link`, takes the text in brackets without `/events?`, and splits it at
 * `=`.
 */
function nextOfOpenEpcis(headers) {
  const { link } = headers;
  if (link === undefined) return undefined;
  const inside = link.slice(link.indexOf('<') + 1, link.indexOf('>')).replace('/events?', '');
  const parts = inside.split('=');
  assert.equal(parts.length, 2, link);
  return `/events?${parts[0]}=${parts[1]}`;
}

for (const inFlight of [16, 64]) {
  test(`1,000 captures, ${inFlight} at a time, are all there, counted by walking pages`, async () => {
    const ask = await caller();
    const text = (n) => Buffer.from(JSON.stringify(documentOf([event(`urn:epc:id:sgtin:0614141.${inFlight}1234.${n}`)])));
    let next = 0;
    const locations = new Set();
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (next < 1000) {
          const n = next;
          next += 1;
          const answer = await ask('POST', '/capture', text(n), 'application/json');
          assert.equal(answer.status, 202, answer.body.toString());
          locations.add(answer.headers.location);
        }
      }),
    );
    assert.equal(locations.size, 1000);
    const found = new Set();
    let count = 0;
    for (let path = '/events?perPage=73'; path; ) {
      const page = await ask('GET', path);
      for (const { epcList } of eventsOf(page)) {
        found.add(epcList[0]);
        count += 1;
      }
      path = nextOfOpenEpcis(page.headers);
    }
    assert.deepEqual([count, found.size], [1000, 1000]);
    for (const location of [...locations].filter((_, n) => n % 100 === 0)) {
      assert.equal(JSON.parse((await ask('GET', location)).body).success, true);
    }
  });
}
