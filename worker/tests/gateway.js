// The built Worker in real workerd, configured by wrangler.toml.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { unstable_splitSqlQuery as splitSqlQuery } from 'wrangler';
import { oneOf } from '../../scripts/given.mjs';
import { startWorkerd } from '../../scripts/workerd.mjs';

/** Starts the Worker on a free loopback port. See `startWorkerd`. */
export const start = (bindings = {}, options = {}) => startWorkerd({ bindings, ...options });

/** The gateway's own database in D1, with all migrations applied. */
export async function database(gateway) {
  const { DB } = await gateway.getBindings('gateway');
  return await migrated(DB);
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

/** Whether this process tests the gateway over PostgreSQL. See `on-postgres.js`. */
export const isOnPostgres = () => oneOf(['postgres'], 'EPCIS_EDGE_STORE', process.env.EPCIS_EDGE_STORE) === 'postgres';

/** The table or view with the texts of all events. PostgreSQL stores most of them in blocks. */
export const texts = () => (isOnPostgres() ? 'event_texts' : 'event_parts');

/** The servers of this process, or those of its parent process. */
let servers;
export function postgresServers() {
  servers ??= serversOf();
  return servers;
}
async function serversOf() {
  if (process.env.EPCIS_EDGE_SERVERS) {
    const { direct, pooled } = JSON.parse(process.env.EPCIS_EDGE_SERVERS);
    return { direct: (name) => direct + name, pooled: (name) => pooled + name };
  }
  const { startPostgres } = await import('./postgres-server.js');
  const started = await startPostgres();
  process.env.EPCIS_EDGE_SERVERS = JSON.stringify({ direct: started.direct(''), pooled: started.pooled('') });
  return started;
}

/** A PostgreSQL database with all migrations applied: the one for a folder, or an empty one. */
export async function postgresDatabase(folder) {
  const { direct, pooled } = await postgresServers();
  const name = `epcis_${folder === undefined ? randomBytes(6).toString('hex') : createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const { connect, likeD1, migrate } = await import('../../scripts/postgres.mjs');
  const administrator = await connect(direct('postgres'));
  try {
    const { rows } = await administrator.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rows.length === 0) await administrator.query(`CREATE DATABASE ${name}`);
  } finally {
    await administrator.end();
  }
  const client = await connect(direct(name));
  await migrate(client);
  return { address: pooled(name), direct: direct(name), database: likeD1(client), end: () => client.end() };
}

/** Empty PostgreSQL databases that are further homes. See `postgresDatabase`. */
export async function furtherPostgresDatabases(count) {
  const { prepare } = await import('../../scripts/postgres.mjs');
  const homes = await Promise.all(Array.from({ length: count }, () => postgresDatabase()));
  for (const [at, { direct }] of homes.entries()) await prepare(direct, at + 1);
  return homes;
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
