// The query plans of PostgreSQL for requests: which index is used, and no sorting or reading of the whole store. Correct statements
// that read 100,000 rows to return thirty would pass every other suite.
// Invariant: PostgreSQL finds a page by an index, without sorting the store.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../scripts/postgres.mjs';
import { send } from './gateway.js';
import { programs, serveFromPostgres } from './postgres-server.js';
import { ACCOUNT, documentOf, event, open } from './store.js';

const { missing } = programs();
const skip = missing ?? false;
const EVENTS = 100_000;
const OTHER = 'https://example.com/accounts/other';

let servers;
let store;
/** The log of the first capture, before any table had statistics. */
let captured;
before(async () => {
  if (missing) return;
  servers = await serveFromPostgres({
    settings: {
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_analyze': 'on',
      // A capture runs in a function.
      'auto_explain.log_nested_statements': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_parameter_max_length': '0',
      // Everything that can be compiled or run in parallel is, so that a missing setting shows.
      jit_above_cost: '0',
      parallel_setup_cost: '0',
      parallel_tuple_cost: '0',
      min_parallel_table_scan_size: '0',
      min_parallel_index_scan_size: '0',
    },
  });
  captured = await plansOfACapture();
  store = await open();
  const client = await connect(servers.direct(new URL(store.hyperdrive).pathname.slice(1)));
  try {
    // Rows as captures make them: every hundredth event belongs to another account, an item has two events, a place has half of
    // them.
    await client.query(
      `INSERT INTO events SELECT n, n::bigint * 7919, n::bigint * 104729, 0, 41 + length(n::text), 0,
        CASE n % 100 WHEN 0 THEN $2 ELSE $1 END, 'urn:x:' || n, 'ni:///sha-256;' || n, 'ObjectEvent', 'OBSERVE',
        'https://ref.gs1.org/cbv/BizStep-packing', NULL, to_char(timestamp '2026-01-01' + n * interval '20 seconds', 'YYYY-MM-DD"T"HH24:MI:SS".000000000Z"'),
        to_char(timestamp '2026-06-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000000000Z"'), 'd', 'https://example.com/o'
        FROM generate_series(1, ${EVENTS}) AS n`,
      [ACCOUNT, OTHER],
    );
    await client.query(
      `INSERT INTO event_pieces SELECT n::bigint * 1000, '{"type":"ObjectEvent","eventID":"urn:x:' || n || '"}' FROM generate_series(1, ${EVENTS}) AS n`,
    );
    await client.query(
      `INSERT INTO terms SELECT n, 1 + (n % 100 = 0)::integer, f, 'urn:x:' || CASE f WHEN 1 THEN 'item:' || lpad((n / 2)::text, 7, '0') ELSE 'place:' || n % 2 END
        FROM generate_series(1, ${EVENTS}) AS n CROSS JOIN (VALUES (1), (13)) AS fields (f)`,
    );
    // Every second event is about one product.
    await client.query(
      `INSERT INTO terms SELECT n, 1 + (n % 100 = 0)::integer, 1, 'https://id.gs1.org/01/09521141000007/21/' || n FROM generate_series(2, ${EVENTS}, 2) AS n`,
    );
    await client.query('INSERT INTO accounts (number, account) VALUES (1, $1), (2, $2)', [ACCOUNT, OTHER]);
    await client.query('SELECT continue_numbers($1)', [EVENTS]);
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
});
after(async () => store?.dispose());

let asked = 0;
/** What PostgreSQL has logged since a place in its log. It logs a plan before it answers, and so before it logs a later one. */
async function saidSince(from) {
  const end = `the end of ${(asked += 1)}`;
  const client = await connect(servers.direct('postgres'));
  await client.query(`SELECT '${end}'`);
  await client.end();
  for (let n = 0; n < 6000; n += 1) {
    const said = readFileSync(servers.log).subarray(from).toString();
    if (said.includes(end)) return said;
    await setTimeout(50);
  }
  throw new Error('PostgreSQL logs no plans');
}

async function plansOfACapture() {
  const empty = await open();
  const from = readFileSync(servers.log).length;
  await empty.ask('capture', { document: documentOf(Array.from({ length: 20 }, (_, n) => event(`urn:x:first:${n}`))) });
  await empty.dispose();
  const said = await saidSince(from);
  // The last statements of a capture. Later ones are the gateway's own, after its answer.
  const last = ['WITH brought AS MATERIALIZED', 'INSERT INTO listed_values'].map((statement) => said.indexOf(statement));
  assert.ok(
    last.every((at) => at >= 0),
    'not all plans of a capture were told',
  );
  const end = said.indexOf('LOG:  duration', Math.max(...last));
  return said.slice(0, end < 0 ? undefined : end);
}

/** The parts of a plan that show compilation or parallel processes. */
const HELP = /^\s*(JIT:|-> {2}Gather|Workers Planned)/m;

test('a first capture is compiled nowhere, and shared with no process', { skip }, () => {
  for (const insert of ['INSERT INTO events', 'INSERT INTO event_pieces', 'INSERT INTO terms', 'INSERT INTO listed_values'])
    assert.ok(captured.includes(insert), insert);
  // It would take PostgreSQL half a second each time.
  assert.doesNotMatch(captured, HELP);
});

/** The plans of a query: the new entries of the log. */
async function plansOf(query) {
  const from = readFileSync(servers.log).length;
  await store.ask('query', { query });
  const said = await saidSince(from);
  const plans = said.split(/^\d{4}-\d\d-\d\d .*LOG: +duration: /m).filter((plan) => plan.includes('candidate'));
  assert.ok(plans.length > 0 && /CTE Scan on (candidate|page)/.test(plans[0]), `no plan was told: ${said.slice(0, 2000)}`);
  return plans.join('\n');
}

/** The part of a plan that finds the candidates of a page, below its CTE. */
function candidates(plan) {
  const lines = plan.split('\n');
  const from = lines.findIndex((line) => /CTE candidate/.test(line));
  assert.ok(from >= 0, plan);
  const depth = (line) => line.match(/^\s*/)[0].length;
  const behind = lines.slice(from + 1);
  const to = behind.findIndex((line) => line.trim() !== '' && depth(line) <= depth(lines[from]));
  return behind.slice(0, to < 0 ? undefined : to).join('\n');
}

for (const [name, query, index] of [
  ['an EPC is found by its terms', { MATCH_epc: 'urn:x:item:0000123' }, /terms_from_1_value_field_account_idx/],
  [
    'and so is one beside conditions that find much',
    { MATCH_epc: 'urn:x:item:0000123', EQ_bizStep: 'packing', GE_eventTime: '2026-01-01T00:00:00Z' },
    /terms_from_1_value_field_account_idx/,
  ],
  ['a name is found by its number', { EQ_eventID: ['urn:x:1', 'urn:x:2'] }, /events_from_1_event_key_idx/],
  ['the order of capture has an index', {}, /events_from_1_(pkey|captured_by_sequence_idx)/],
  ['the order of time has an index', { orderBy: 'eventTime' }, /events_from_1_(captured_by_)?event_time_sequence_idx/],
  [
    'and that of recording',
    { orderBy: 'recordTime', orderDirection: 'ASC', GE_recordTime: '2026-06-01T12:00:00Z' },
    /events_from_1_(captured_by_)?record_time_sequence_idx/,
  ],
]) {
  test(name, { skip }, async () => {
    const whole = await plansOf(query);
    assert.doesNotMatch(whole, HELP);
    const plan = candidates(whole);
    assert.match(plan, index);
    // The next partition is empty and may be read whole.
    assert.doesNotMatch(plan, /Seq Scan on (events|terms|event_pieces)_from_1 /, plan);
    // No step touches more rows than a page, or than a period of time begins with.
    const touched = [...plan.matchAll(/rows=(\d+) loops=(\d+)\)/g)].map(([, rows, loops]) => Number(rows) * Number(loops));
    assert.ok(Math.max(...touched) < 1000, plan);
  });
}

test('of the events of a pattern those of the page are looked up, and no more', { skip }, async () => {
  const whole = await plansOf({ MATCH_epc: 'urn:epc:idpat:sgtin:9521141.000000.*' });
  assert.doesNotMatch(whole, HELP);
  const plan = candidates(whole);
  assert.match(plan, /terms_from_1_value_field_account_idx/);
  const lookedUp = [...plan.matchAll(/ on events_from_1 .*rows=\d+ loops=(\d+)\)/g)].map(([, loops]) => Number(loops));
  assert.ok(lookedUp.length > 0 && Math.max(...lookedUp) < 100, plan);
});

for (const [name, query, isScanned] of [
  ['a word that is nowhere', { EQ_disposition: 'destroyed' }, false],
  ['an error declaration where there is none', { EXISTS_errorDeclaration: true }, false],
  ['a time before all', { LT_eventTime: '2020-01-01T00:00:00Z' }, false],
  ['a time without an end', { GE_recordTime: '2020-01-01T00:00:00Z' }, true],
]) {
  test(`${name} is answered by the map of the store`, { skip }, async () => {
    const from = readFileSync(servers.log).length;
    await store.ask('query', { query });
    const said = await saidSince(from);
    assert.match(said, /Scan.* on zones/);
    assert.equal(said.includes('CTE candidate'), isScanned, said);
    const touched = [...said.matchAll(/rows=(\d+) loops=(\d+)\)/g)].map(([, rows, loops]) => Number(rows) * Number(loops));
    assert.ok(Math.max(...touched) < 1000, said);
  });
}

test('the EPCs of an account that has few are listed, a page after so much work as a page may take', { skip }, async () => {
  const key = await store.makeKey({ account: OTHER, readable: [OTHER] });
  const found = [];
  let pages = 0;
  let path = '/epcs?perPage=1000';
  while (path) {
    const answer = await send(store.address, { method: 'GET', path, headers: { authorization: `Bearer ${key}` } });
    assert.equal(answer.status, 200);
    found.push(...JSON.parse(answer.body).member);
    pages += 1;
    const [, next] = /<([^>]+)>; *rel="next"/.exec(answer.headers.link ?? '') ?? [];
    const url = next && new URL(next, store.address);
    path = url && url.pathname + url.search;
  }
  // An item and a product serial for each hundredth event, among 150,000 values.
  assert.equal(found.length, EVENTS / 50);
  assert.deepEqual(found, [...new Set(found)].sort());
  assert.ok(pages > 3, `${pages} pages`);
});
