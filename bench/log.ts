// The proof of one event in a large log: real D1 in real workerd, on disk, requested through `GET /log/proof`.
//
//     node bench/log.ts [number of leaves, default 1,000,000]
//
// The first 2,000 leaves belong to captured events. The others are inserted into the database with random commitments, and their
// tiles and the head are computed here: a proof reads the same data. `make bench-store` captures that many events instead.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { countOf } from '../scripts/given.ts';
import { makeLogKey } from '../scripts/log-keys.ts';
import { open } from '../worker/tests/store.js';
import { envelope, storyEvents } from './documents.ts';
import { machine, number, quantile } from './measure.ts';

const REAL = 2000;
const ROUNDS = 200;
const ORIGIN = 'epcis.example.com/log';
const total = Math.max(REAL + 1, countOf(process.argv[2] ?? '1000000', 'the number of leaves'));
const folder = fileURLToPath(new URL('../.wrangler/bench-log', import.meta.url));
const CLOCK = `export default {
  async fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    const from = performance.now();
    const answer = await env.GATEWAY.fetch('http://gateway' + pathname + search, { headers: request.headers });
    const text = await answer.text();
    return new Response(text, { status: answer.status, headers: { 'x-milliseconds': String(performance.now() - from) } });
  },
};`;

const { skey } = makeLogKey('log', ORIGIN);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const store = await open({ persistTo: folder, bindings: { LOG_KEY: skey }, others: [{ name: 'clock', script: CLOCK }] });
const { events } = await store.ask('capture', { document: envelope(storyEvents(REAL)) });
const worker = await store.gateway.getWorker('gateway');
while ((await store.database.prepare('SELECT count(*) AS n FROM log_leaves').first('n')) < REAL) {
  await worker.scheduled({ cron: '* * * * *' });
  await setTimeout(50);
}

/** Repeats a query once if its connection was closed while this process was hashing. */
const twice = async <Given>(ask: () => Promise<Given>): Promise<Given> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'fetch failed') throw error;
    return ask();
  }
};
const sha = (...parts: (Buffer | string)[]): Buffer => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const node = (left: Buffer, right: Buffer) => sha(Buffer.of(1), left, right);
const rootOf = (hashes: readonly Buffer[]): Buffer => {
  const pairs: Buffer[] = [];
  for (let n = 0; n < hashes.length; n += 2) {
    const [left, right] = [hashes[n]!, hashes[n + 1]];
    pairs.push(right === undefined ? left : node(left, right));
  }
  return pairs.length > 1 ? rootOf(pairs) : pairs[0]!;
};

for (let from = REAL; from < total; from += 50_000) {
  await store.database
    .prepare(`INSERT INTO log_leaves (leaf, sequence, salt, commitment)
      WITH RECURSIVE n (leaf) AS (SELECT ?1 UNION ALL SELECT leaf + 1 FROM n WHERE leaf + 1 < ?2)
      SELECT leaf, leaf + 1, randomblob(32), randomblob(32) FROM n`)
    .bind(from, Math.min(total, from + 50_000))
    .run();
}
let level: Buffer[] = [];
for (let from = 0; from < total; from += 20_000) {
  const { results } = await twice(() =>
    store.database
      .prepare('SELECT hex(commitment) AS c FROM log_leaves WHERE leaf >= ?1 AND leaf < ?2 ORDER BY leaf')
      .bind(from, from + 20_000)
      .all(),
  );
  for (const { c } of results) level.push(sha(Buffer.of(0), 'epcis-edge/leaf/v1\n', Buffer.from(String(c), 'hex')));
}
const root = rootOf(level);
for (let number = 0; level.length >= 256; number += 1) {
  const above: Buffer[] = [];
  const rows: (number | string)[][] = [];
  for (let at = 0; at + 256 <= level.length; at += 256) {
    const hashes = level.slice(at, at + 256);
    const top = rootOf(hashes);
    above.push(top);
    rows.push([number, at / 256, top.toString('hex'), Buffer.concat(hashes).toString('hex')]);
  }
  for (let at = 0; at < rows.length; at += 50) {
    await twice(() =>
      store.database
        .prepare(`INSERT INTO log_tiles (level, number, root, hashes) SELECT value ->> 0, value ->> 1, unhex(value ->> 2), unhex(value ->> 3)
        FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM log_tiles AS t WHERE t.level = value ->> 0 AND t.number = value ->> 1)`)
        .bind(JSON.stringify(rows.slice(at, at + 50)))
        .run(),
    );
  }
  level = above;
}
// The format is PRIVATE+KEY+name+id+base64; base64 may itself contain a plus.
const [, id = '', encoded = ''] = /^PRIVATE\+KEY\+[^+]+\+([0-9a-f]{8})\+(.+)$/.exec(skey) ?? [];
const seed = Buffer.from(encoded, 'base64').subarray(1);
const key = createPrivateKey({ key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]), format: 'der', type: 'pkcs8' });
const text = `${ORIGIN}\n${total}\n${root.toString('base64')}\n`;
const note = `${text}\n— ${ORIGIN} ${Buffer.concat([Buffer.from(id, 'hex'), sign(null, Buffer.from(text), key)]).toString('base64')}\n`;
await twice(() =>
  store.database
    .prepare('INSERT INTO log_heads (size, root, note, previous) VALUES (?1, unhex(?2), ?3, (SELECT max(size) FROM log_heads))')
    .bind(total, root.toString('hex'), note)
    .run(),
);

const clock = await store.gateway.getWorker('clock');
const { verifyProof } = await import('../wasm/js/proof/node.ts');
const policy = await (await fetch(new URL('log/policy', store.address))).text();
const times: number[] = [];
for (let round = 0; round < ROUNDS + 10; round += 1) {
  const { eventID } = events[(round * 37) % events.length];
  const answer = await clock.fetch(`http://clock/log/proof?event=${encodeURIComponent(eventID)}`, { headers: { authorization: `Bearer ${store.key}` } });
  const proof = await answer.text();
  if (!answer.ok) throw new Error(proof);
  if (round === 0) {
    const event = await fetch(new URL(`events/${encodeURIComponent(eventID)}`, store.address), { headers: { authorization: `Bearer ${store.key}` } });
    const { valid, size, steps } = verifyProof(new Uint8Array(await event.arrayBuffer()), proof, policy);
    if (!valid || size !== total) throw new Error(`the proof does not hold: ${JSON.stringify(steps)}`);
  }
  if (round >= 10) times.push(Number(answer.headers.get('x-milliseconds')));
}
times.sort((a, b) => a - b);
const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
console.log(`${machine()}\n\n| the proof of one event, of ${number(total, 0)} leaves, ${ROUNDS} times | p50 ms | p95 ms | target |\n|---|---|---|---|`);
console.log(`| GET /log/proof | ${number(p50)} | ${number(p95)} | ${p50 < 15 ? 'reached' : 'MISSED'} (15) |`);
await store.dispose();
