// The store of an older build, migrated: its tables equal those that current captures make, and every answer is the same, byte for
// byte.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { connect, likeD1, migrate } from '../../scripts/postgres.mjs';
import { postgresServers, send } from './gateway.js';
import { programs } from './postgres-server.js';
import { ACCOUNT, documentOf, event, open } from './store.js';

const { missing } = programs();
const folder = new URL('../postgres/', import.meta.url);
/** The last migration of the build that stored each text separately. */
const LAST = '0007';
const OTHER = 'https://example.com/accounts/2';

/** A database with only the first migrations. */
async function olderDatabase() {
  const { direct, pooled } = await postgresServers();
  const administrator = await connect(direct('postgres'));
  await administrator.query('CREATE DATABASE older');
  await administrator.end();
  const client = await connect(direct('older'));
  await client.query('CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())');
  for (const name of readdirSync(folder).sort()) {
    if (name.slice(0, 4) > LAST) continue;
    await client.query(readFileSync(new URL(name, folder), 'utf8'));
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
  }
  return { client, address: pooled('older') };
}

/** The tables of the older build, in the order in which they may be filled, and the rows of a current store to fill them with. */
const TABLES = {
  accounts: 'accounts',
  identities: 'identities',
  events: 'events',
  event_parts: 'event_texts',
  terms: 'terms',
  aliases: 'aliases',
  capture_jobs: 'capture_jobs',
  capture_duplicates: 'capture_duplicates',
  // Includes the EPCs, which are now found among the terms.
  listed: `(SELECT * FROM listed_values UNION SELECT account, 2, value FROM terms WHERE field BETWEEN 1 AND 5 AND octet_length(value) <= 253)`,
};
/** The tables that must be equal after the migration. */
const ALIKE = [
  ...['events', 'identities', 'event_texts', 'event_blocks', 'event_pieces', 'terms', 'aliases', 'accounts', 'capture_jobs', 'capture_duplicates'],
  ...['listed_values', 'zones', 'zone_words', 'partitioning'],
];

/** An answer without its time. */
const undated = ({ body }) => body.toString().replace(/"creationDate":"[^"]+"/, '');
const rowsOf = async (query, table) => (await query(`SELECT row_to_json(t)::text AS row FROM ${table} AS t ORDER BY 1`)).map(({ row }) => row);

test('a store of an older build answers as it did', { skip: missing ?? false, timeout: 600_000 }, async (t) => {
  process.env.EPCIS_EDGE_STORE = 'postgres';
  const today = await open();
  t.after(() => today.dispose());
  const other = await today.makeKey({ account: OTHER, readable: [OTHER, ACCOUNT] });
  const item = (n) => `urn:epc:id:sgtin:0614141.112345.${n}`;
  const many = Array.from({ length: 300 }, (_, n) => event(item(n % 90), { bizStep: n % 2 ? 'packing' : 'shipping', disposition: 'in_transit' }));
  many.forEach((one, n) => (one.eventTime = new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString()));
  const long = (length) => event(item(1000 + length), { 'example:text': 'ü'.repeat(length), '@context': [{ example: 'https://ns.example.com/' }] });
  await today.ask('capture', { document: documentOf(many) });
  for (let n = 0; n < 7; n += 1) await today.ask('capture', { document: documentOf([event(item(2000 + n))]) }, other);
  await today.ask('capture', { document: documentOf([long(1900), long(2100), long(450_000), event(item(5), { action: 'ADD' })]) });
  // Some events again, one with an eventID.
  const named = { ...many[2], eventID: 'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8' };
  await today.ask('capture', { document: documentOf([...many.slice(0, 2), named, event(item(3000))]) });

  // Captures leave this to later ones.
  await today.database.prepare('SELECT tidy_up()').run();

  const older = await olderDatabase();
  const query = async (text) => (await today.database.prepare(text).all()).results;
  try {
    await older.client.query('SELECT take_turn(1)');
    for (const [table, rows] of Object.entries(TABLES)) {
      const from = await rowsOf(query, rows);
      await older.client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [`[${from.join(',')}]`]);
    }
    assert.ok((await migrate(older.client)).length >= 3);
    const migrated = likeD1(older.client);
    const there = async (text) => (await migrated.prepare(text).all()).results;
    for (const table of ALIKE) {
      const [expected, found] = [await rowsOf(query, table), await rowsOf(there, table)];
      assert.ok(expected.length > 0, table);
      assert.deepEqual(found, expected, table);
    }
    // Queries of the older build's gateway fail instead of finding only half.
    for (const table of ['event_parts', 'listed']) await assert.rejects(older.client.query(`SELECT * FROM ${table}`), /does not exist/);
    const gateway = await open({ hyperdrive: older.address, database: migrated });
    t.after(() => gateway.dispose());
    const key = await gateway.makeKey({ account: OTHER, readable: [OTHER, ACCOUNT] });
    for (const path of [
      '/events?perPage=1000',
      '/events?perPage=1000&orderBy=eventTime&orderDirection=ASC',
      '/events?EQ_bizStep=packing&perPage=1000',
      '/events?EQ_disposition=destroyed',
      '/events?GE_eventTime=2026-01-05T00:00:00Z&perPage=1000',
      `/events?MATCH_epc=${item(5)}`,
      '/events?MATCH_epc=urn:epc:idpat:sgtin:0614141.112345.*&perPage=1000',
      '/epcs?perPage=1000',
      '/bizSteps',
      '/bizLocations',
      '/capture?perPage=100',
    ]) {
      for (const keys of [
        [today.key, gateway.key],
        [other, key],
      ]) {
        const ask = ({ address }, key) => send(address, { method: 'GET', path, headers: { authorization: `Bearer ${key}` } });
        const [expected, found] = [await ask(today, keys[0]), await ask(gateway, keys[1])];
        assert.equal(expected.status, 200, path);
        assert.ok(undated(found) === undated(expected), `${path}: ${undated(found).slice(0, 1000)}`);
      }
    }
  } finally {
    await older.client.end();
  }
});
