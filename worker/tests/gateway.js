// The built Worker in real workerd, as wrangler.toml configures it.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Starts workerd on a free port of loopback; nothing outlives `dispose`, unless `persist` names a folder for D1 and KV.
 *
 * `others` are Workers beside it, each with the gateway as its service binding `GATEWAY`; `worker(name)` reaches them.
 */
export async function start(bindings = {}, { persist, others = [] } = {}) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(here('../wrangler.toml'));
  const gatewayOptions = {
    ...workerOptions,
    name: 'gateway',
    bindings: { ...workerOptions.bindings, ...bindings },
    modulesRoot: here('../build'),
    modules: [
      { type: 'ESModule', path: here('../build/index.js') },
      { type: 'CompiledWasm', path: here('../build/index_bg.wasm') },
    ],
  };
  const options = {
    workers: [gatewayOptions, ...others.map((other) => ({ modules: true, serviceBindings: { GATEWAY: 'gateway' }, ...other }))],
    host: '127.0.0.1',
    port: 0,
    ...(persist ? { resourcePersistencePath: persist } : {}),
  };
  const gateway = new Miniflare(convertV4MiniflareOptions(options));
  const address = await gateway.ready;
  return {
    address,
    /** Its D1 database, beside the Worker. */
    database: () => gateway.getD1Database('DB', 'gateway'),
    /** Its namespace of documents. */
    documents: () => gateway.getKVNamespace('DOCUMENTS', 'gateway'),
    worker: (name) => gateway.getWorker(name),
    dispose: () => gateway.dispose(),
  };
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
        // Time for an early answer to be read: writing on would lose it.
        if (at === 0 && body.length > size) await setTimeout(100);
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
