// The built Worker in real workerd, configured by wrangler.toml, or the server.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { unstable_splitSqlQuery as splitSqlQuery } from 'wrangler';
import { oneOf } from '../../scripts/given.ts';
import { startLikeWorkerd } from '../../scripts/server.ts';
import { startWorkerd } from '../../scripts/workerd.ts';

/** Starts the Worker, or the server, on a free loopback port. See `startWorkerd`. */
export function start(bindings = {}, options = {}) {
  const store = options.store ?? storeOf();
  if (store === 'postgres') return startLikeWorkerd({ bindings, postgres: process.env.EPCIS_EDGE_POSTGRES, ...options });
  return (store === 'server' ? startLikeWorkerd : startWorkerd)({ bindings, ...options });
}

/** The gateway's own database in D1, with all migrations applied. */
export async function database(gateway) {
  const { DB } = await gateway.getBindings('gateway');
  return isOnServer() ? DB : await migrated(DB);
}

/** A database in D1 with all migrations applied. */
async function migrated(DB) {
  const tables = await DB.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'events'").first('n');
  if (tables > 0) return DB;
  const folder = new URL('../migrations/', import.meta.url);
  for (const name of readdirSync(folder).sort()) {
    const statements = splitSqlQuery(readFileSync(new URL(name, folder), 'utf8'));
    await DB.batch(statements.map((statement) => DB.prepare(statement)));
  }
  return DB;
}

/** The store over which this process tests the gateway, if it is not D1: see `on-objects.js` and `server/tests/on-server.js`. */
const storeOf = () => oneOf(['objects', 'server', 'postgres'], 'EPCIS_EDGE_STORE', process.env.EPCIS_EDGE_STORE);
export const isOnObjects = () => storeOf() === 'objects';
export const isOnPostgres = () => storeOf() === 'postgres';
export const isOnServer = () => storeOf() === 'server' || isOnPostgres();

/** A Worker through which tests call methods of the objects of a gateway. */
export const door = {
  name: 'door',
  compatibilityDate: '2026-10-20',
  durableObjects: { ACCOUNTS: { className: 'Account', scriptName: 'gateway', useSQLite: true } },
  script: `export default { async fetch(request, env) {
    const [name, method, given] = await request.json();
    return Response.json(await env.ACCOUNTS.getByName(name)[method](...given).then((value) => ({ value }), ({ message }) => ({ message })));
  } };`,
};

/** Calls a method of an object. */
export async function callObject(gateway, name, method, ...given) {
  const worker = await gateway.getWorker('door');
  const { value, message } = await (await worker.fetch('http://door', { method: 'POST', body: JSON.stringify([name, method, given]) })).json();
  if (message !== undefined) throw new Error(message);
  return value;
}

/** Runs a statement in an object. Returns its rows. */
export const inObject = async (gateway, name, text, values = []) => JSON.parse(await callObject(gateway, name, 'run', [[text, values]]))[0];

/**
 * The directory and all objects of a gateway as if they were one database in D1. What is of keys or accounts is asked of the directory, all
 * else of every object: numbers that each returns once are added up.
 */
export async function objectsDatabase(gateway) {
  const DB = await database(gateway);
  const rows = async (text, values) => {
    if (/\b(keys|accounts|named_queries)\b/.test(text))
      return (
        await DB.prepare(text)
          .bind(...values)
          .all()
      ).results;
    const count = await DB.prepare('SELECT count(*) AS n FROM accounts').first('n');
    const names = ['log', ...Array.from({ length: Math.max(count, 1) }, (_, n) => `a${n + 1}`)];
    const all = await Promise.all(names.map((name) => inObject(gateway, name, text, values)));
    const isSum = all.every((rows) => rows.length === 1 && Object.values(rows[0]).every((value) => value === null || typeof value === 'number'));
    if (!isSum) return all.flat();
    return [Object.fromEntries(Object.keys(all[0][0]).map((name) => [name, all.reduce((sum, [row]) => sum + row[name], 0)]))];
  };
  const statement = (text, values) => ({
    bind: (...values) => statement(text, values),
    all: async () => ({ results: await rows(text, values) }),
    run: () => rows(text, values),
    first: async (column) => {
      const [row = null] = await rows(text, values);
      return column === undefined ? row : (row?.[column] ?? null);
    },
  });
  return { prepare: (text) => statement(text, []), exec: (text) => rows(text, []) };
}

/** One exchange over a new socket. `contentLength: 'absent'` sends the body in chunks. */
export function send(address, { method, path, headers = {}, contentLength }, body) {
  return new Promise((resolve, reject) => {
    const announced = body !== undefined && contentLength !== 'absent' ? { 'content-length': contentLength ?? body.length } : {};
    const request = http.request(
      { hostname: address.hostname, port: address.port, method, path, headers: { ...headers, ...announced }, agent: false },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
          request.destroy();
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Reads a vector file. */
export function vectorFile(path) {
  return readFileSync(new URL(`../../tests/vectors/${path}`, import.meta.url));
}

/** Creates a capture key in the same way as `npm run keys`, and returns it. */
export async function makeKey(DB, { account, observer, rights = ['capture', 'query'], readable = [account] }) {
  const id = randomBytes(6).toString('hex');
  const key = `epcis_${id}_${randomBytes(32).toString('base64url')}`;
  const digest = createHash('sha256').update(key).digest('hex');
  const flags = ['capture', 'query'].map((right) => (rights.includes(right) ? 1 : 0));
  const accounts = readable === '*' ? '*' : JSON.stringify(readable);
  await DB.prepare(
    `INSERT INTO keys (id, digest, account, observer, can_capture, can_query, readable, note, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, '', '2026-01-01T00:00:00Z')`,
  )
    .bind(id, digest, account, observer, ...flags, accounts)
    .run();
  return key;
}
