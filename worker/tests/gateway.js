// The built Worker in real workerd, as wrangler.toml configures it.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Starts workerd on a free port of loopback; `persistTo` names a folder for what shall outlive `dispose`, `ratelimits` sets other
 * limits than those of wrangler.toml.
 */
export async function start(bindings = {}, { persistTo, ratelimits } = {}) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(here('../wrangler.toml'));
  const options = {
    ...workerOptions,
    bindings: { ...workerOptions.bindings, ...bindings },
    ratelimits: ratelimits ?? workerOptions.ratelimits,
    modulesRoot: here('../build'),
    modules: [
      { type: 'ESModule', path: here('../build/index.js') },
      { type: 'CompiledWasm', path: here('../build/index_bg.wasm') },
    ],
    host: '127.0.0.1',
    port: 0,
    ...(persistTo === undefined ? {} : { defaultPersistRoot: persistTo }),
  };
  const gateway = new Miniflare(convertV4MiniflareOptions(options));
  const address = await gateway.ready;
  return { address, gateway, dispose: () => gateway.dispose() };
}

/** The gateway's own database, with all migrations applied. */
export async function database(gateway) {
  const { DB } = await gateway.getBindings();
  const folder = new URL('../migrations/', import.meta.url);
  for (const name of readdirSync(folder).sort()) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    await DB.batch(statements(text).map((statement) => DB.prepare(statement)));
  }
  return DB;
}

/** The statements of a migration: a trigger ends where its END does. */
function statements(text) {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('--'));
  const pieces = lines.join('\n').split(/;\s*\n(?!\s*END)/);
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** One exchange over a socket of its own; `contentLength: 'absent'` sends the body in chunks. */
export function send(address, { method, path, headers = {}, contentLength }, body) {
  return new Promise((resolve, reject) => {
    const announced = body !== undefined && contentLength !== 'absent' ? { 'content-length': contentLength ?? body.length } : {};
    let isAnswered = false;
    const request = http.request(
      { hostname: address.hostname, port: address.port, method, path, headers: { ...headers, ...announced }, agent: false },
      (response) => {
        isAnswered = true;
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
          request.destroy();
        });
      },
    );
    // A refusal may come, and the connection be closed, before the body was sent.
    request.on('error', (error) => (isAnswered ? undefined : reject(error)));
    const pieces = async () => {
      const size = 65_536;
      for (let at = 0; at < body.length && !isAnswered; at += size) {
        request.write(body.subarray(at, at + size));
        // Time for an early answer to be read, even from a busy machine: writing on would lose it.
        if (at === 0 && body.length > size) for (let wait = 0; wait < 20 && !isAnswered; wait += 1) await setTimeout(50);
      }
      if (!isAnswered) request.end();
    };
    if (body === undefined) request.end();
    else pieces().catch(reject);
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
