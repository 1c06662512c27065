// A gateway with its own empty store in real workerd: real D1 (or objects), KV and R2; or the server over SQLite or PostgreSQL. Includes
// calls of its tools.
import { database as databaseOf, door, isOnObjects, makeKey, objectsDatabase, send, start } from './gateway.js';

export const ACCOUNT = 'https://example.com/accounts/1';
export const OBSERVER = 'https://id.gs1.org/417/9521141000009';
export const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
export const BASE_URL = 'https://epcis.example.com';

/** Creates a key of the account and observer above, unless given others. */
const keyOf = (database, options) => makeKey(database, { account: ACCOUNT, observer: OBSERVER, ...options });

/**
 * A gateway over a store. It is empty unless `persistTo` names a folder with one.
 *
 * `call(tool, arguments, key)` calls a tool over HTTP. Returns `value`, the structured content, and `isRefused`.
 */
export async function open({ bindings = {}, ...options } = {}) {
  // Tests exceed the rate limit for callers.
  const store = options.store ?? (isOnObjects() ? 'objects' : undefined);
  const gateway = await start(
    { BASE_URL, RATE_LIMIT: 'off', ...bindings },
    { ...options, ...(store === 'objects' ? { store, others: [door, ...(options.others ?? [])] } : {}) },
  );
  const database = await (store === 'objects' ? objectsDatabase : databaseOf)(gateway.gateway);
  const { DOCUMENTS_KV: documents, DOCUMENTS_BUCKET: bucket } = await gateway.gateway.getBindings('gateway');
  const defaultKey = await keyOf(database);
  const call = async (name, args, key = defaultKey) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    return post(gateway.address, Buffer.from(text), key);
  };
  return {
    ...gateway,
    database,
    documents,
    bucket,
    key: defaultKey,
    makeKey: (options) => keyOf(database, options),
    call,
    /** The structured content of a call that must succeed. */
    ask: async (name, args, key) => {
      const { value, isRefused } = await call(name, args, key);
      if (isRefused) throw new Error(`${name} was refused: ${JSON.stringify(value).slice(0, 2000)}`);
      return value;
    },
    post: (body, key = defaultKey) => post(gateway.address, body, key),
  };
}

async function post(address, body, key) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const answer = await send(address, { method: 'POST', path: '/mcp', headers }, body);
  const text = answer.body.toString('utf8');
  if (answer.status !== 200) throw new Error(`POST /mcp answered ${answer.status}: ${text.slice(0, 500)}`);
  const { result, error } = JSON.parse(text);
  if (error) throw new Error(`POST /mcp: ${JSON.stringify(error)}`);
  return { value: result.structuredContent, isRefused: result.isError === true };
}

/** The events of an answer. */
export const eventsOf = (answer) => answer.epcisBody?.queryResults.resultsBody.eventList ?? [];

/** All events of a query, page by page. */
export async function walk(store, query, key, more = {}) {
  const all = [];
  let nextPageToken;
  do {
    const answer = await store.ask('query', { query, ...more, ...(nextPageToken ? { nextPageToken } : {}) }, key);
    all.push(...eventsOf(answer));
    ({ nextPageToken } = answer);
  } while (nextPageToken);
  return all;
}

export const event = (epc, more = {}) => ({
  '@context': [CONTEXT],
  type: 'ObjectEvent',
  action: 'OBSERVE',
  epcList: [epc],
  eventTime: '2026-01-01T00:00:00.000Z',
  eventTimeZoneOffset: '+00:00',
  ...more,
});

export const documentOf = (eventList) => ({
  '@context': [CONTEXT],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-02-01T00:00:00Z',
  epcisBody: { eventList },
});
