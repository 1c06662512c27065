// The cron trigger reads the master data of captures from before the gateway kept it, from the documents as received.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isOnPostgres, send } from './gateway.js';
import { documentOf, event, open } from './store.js';

const CAPTURES = 130;
const TABLES = ['master_data', 'master_data_attributes', 'master_data_children'];

let store;
before(async () => {
  store = await open();
});
after(() => store?.dispose());

const gln = (n) => `urn:epc:id:sgln:9521141.${String(n).padStart(5, '0')}.0`;
const described = (n) => ({
  ...documentOf([event(`urn:epc:id:sgtin:0614141.112345.${n}`)]),
  epcisHeader: {
    epcisMasterData: {
      vocabularyList: [
        {
          type: 'urn:epcglobal:epcis:vtype:Location',
          vocabularyElementList: [{ id: gln(n), attributes: [{ id: 'cbvmda:name', attribute: `dock ${n}` }] }],
        },
      ],
    },
  },
});

/** Makes the database what it was before the gateway kept master data. */
async function forget(database) {
  if (isOnPostgres()) {
    for (const table of TABLES) {
      await database.prepare(`ALTER TABLE ${table} DISABLE TRIGGER USER`).run();
      await database.prepare(`DELETE FROM ${table}`).run();
      await database.prepare(`ALTER TABLE ${table} ENABLE TRIGGER USER`).run();
    }
    return;
  }
  const triggers = `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('${TABLES.join("', '")}')`;
  const { results } = await database.prepare(triggers).all();
  assert.ok(results.length >= 6);
  for (const { name } of results) await database.prepare(`DROP TRIGGER ${name}`).run();
  for (const table of TABLES) await database.prepare(`DELETE FROM ${table}`).run();
  for (const { sql } of results) await database.prepare(sql).run();
}

async function known(id) {
  const path = `/masterdata/Location/${encodeURIComponent(id)}`;
  const answer = await send(store.address, { method: 'GET', path, headers: { authorization: `Bearer ${store.key}` } });
  assert.equal(answer.status, 200);
  return JSON.parse(answer.body).elements?.[0].attributes[0].attribute;
}

test('older captures get their master data, 100 a minute', async () => {
  for (let n = 0; n < CAPTURES; n += 1) await store.ask('capture', { document: described(n) });
  await forget(store.database);
  assert.equal(await known(gln(0)), undefined);
  const worker = await store.gateway.getWorker('gateway');
  const trigger = () => worker.scheduled({ cron: '* * * * *' });
  await trigger();
  assert.equal(await known(gln(99)), 'dock 99');
  assert.equal(await known(gln(100)), undefined);
  await trigger();
  for (const n of [0, 57, 100, CAPTURES - 1]) assert.equal(await known(gln(n)), `dock ${n}`);
  const progress = async () => (await store.database.prepare('SELECT read, until FROM master_data_backlog').all()).results;
  const [{ read, until }] = await progress();
  assert.deepEqual([Number(read), Number(until)], [CAPTURES, CAPTURES]);
  // Later captures are not read again.
  await store.ask('capture', { document: described(CAPTURES) });
  await trigger();
  assert.equal(await known(gln(CAPTURES)), `dock ${CAPTURES}`);
  assert.deepEqual(await progress(), [{ read, until }]);
});
