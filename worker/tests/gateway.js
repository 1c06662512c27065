// The built Worker in real workerd, as wrangler.toml configures it.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { unstable_splitSqlQuery as splitSqlQuery } from 'wrangler';
import { startWorkerd } from '../../scripts/workerd.mjs';

/** Starts it on a free port of loopback: see `startWorkerd`. */
export const start = (bindings = {}, options = {}) => startWorkerd({ bindings, ...options });

/** The gateway's own database, with all migrations applied. */
export async function database(gateway) {
  const { DB } = await gateway.getBindings('gateway');
  const tables = await DB.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'events'").first('n');
  if (tables > 0) return DB;
  const folder = new URL('../migrations/', import.meta.url);
  for (const name of readdirSync(folder).sort()) {
    const statements = splitSqlQuery(readFileSync(new URL(name, folder), 'utf8'));
    await DB.batch(statements.map((statement) => DB.prepare(statement)));
  }
  return DB;
}

/** One exchange over a socket of its own; `contentLength: 'absent'` sends the body in chunks. */
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

/** The vectors of an area that are one file each. */
export function vectorFile(path) {
  return readFileSync(new URL(`../../tests/vectors/${path}`, import.meta.url));
}

/** Makes a capture key as `npm run keys` does, and answers it. */
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
