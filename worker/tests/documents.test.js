// Received documents in R2: Miniflare's real R2 with faults, and documents in KV from before.
// Invariant: If R2 fails, or has other content under the name of a document, a capture is whole or absent.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { documentOf, event, open, walk } from './store.js';

const scratch = mkdtempSync(join(tmpdir(), 'epcis-documents-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const R2 = { DOCUMENTS: 'r2' };
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const textOf = async (object) => (object === null ? null : object.text());
const documentWith = (...epcs) => documentOf(epcs.map((epc) => event(epc)));
const capture = (store, document, key) => store.call('capture', { document }, key);

/** Asserts the answer to a capture during a fault: type and status, without internal details. */
function assertFault({ value, isRefused }, status) {
  assert.deepEqual([isRefused, value.type, value.status], [true, 'epcisException:ImplementationException', status], JSON.stringify(value));
  assert.doesNotMatch(JSON.stringify(value), /bucket|blob|R2|KV|sqlite/i);
}

async function using(options, use) {
  const store = await open(options);
  try {
    return await use(store);
  } finally {
    await store.dispose();
  }
}

test('a document is kept in R2 under its SHA-256, once, and outlives the gateway', async () => {
  const persistTo = join(scratch, 'kept');
  const document = documentWith('urn:x:1', 'urn:x:2');
  const text = JSON.stringify(document);
  await using({ persistTo, bindings: R2 }, async (store) => {
    const answer = await store.ask('capture', { document });
    assert.equal(answer.document, sha256(text));
    assert.equal(await textOf(await store.bucket.get(answer.document)), text);
    assert.equal(await store.documents.get(answer.document), null, 'KV has none');
    // Through the REST binding.
    const headers = { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' };
    const bare = JSON.stringify(event('urn:x:3'));
    const captured = await fetch(new URL('events', store.address), { method: 'POST', headers, body: bare });
    assert.equal(captured.status, 201, await captured.text());
    assert.equal(await textOf(await store.bucket.get(sha256(bare))), bare);
  });
  await using({ persistTo, bindings: R2 }, async (store) => {
    const first = await store.bucket.head(sha256(text));
    const again = await store.ask('capture', { document });
    assert.deepEqual(
      again.events.map(({ duplicate }) => duplicate),
      [true, true],
    );
    const { version, checksums } = await store.bucket.head(sha256(text));
    assert.equal(version, first.version, 'not written again');
    assert.equal(Buffer.from(checksums.sha256).toString('hex'), sha256(text), 'R2 holds the bytes against their name');
    assert.equal((await walk(store, {})).length, 3);
  });
});

test('the same document at once is kept once, and each answer is true', async () => {
  await using({ bindings: R2 }, async (store) => {
    const document = documentWith('urn:x:1', 'urn:x:2', 'urn:x:3');
    const answers = await Promise.all(Array.from({ length: 8 }, () => store.ask('capture', { document })));
    const news = answers.filter(({ events }) => !events[0].duplicate);
    assert.equal(news.length, 1);
    const { objects } = await store.bucket.list();
    assert.deepEqual(
      objects.map(({ key }) => key),
      [sha256(JSON.stringify(document))],
    );
  });
});

test('a large document is kept whole', async () => {
  await using({ bindings: R2 }, async (store) => {
    const document = documentOf(Array.from({ length: 5000 }, (_, n) => event(`urn:x:${n}`, { 'https://example.com/ns/note': 'n'.repeat(1000) })));
    const text = JSON.stringify(document);
    assert.ok(text.length > 5_000_000);
    const answer = await store.ask('capture', { document });
    assert.equal(sha256(Buffer.from(await (await store.bucket.get(answer.document)).arrayBuffer())), sha256(text));
  });
});

test('what lies under the name of a document and is another is told, and nothing is stored', async () => {
  await using({ bindings: R2 }, async (store) => {
    const [other, shorter, same] = ['urn:x:1', 'urn:x:2', 'urn:x:3'].map((epc) => documentWith(epc));
    const put = (document, text, options) => store.bucket.put(sha256(JSON.stringify(document)), text, options);
    const forged = JSON.stringify(other).replace('urn:x:1', 'urn:x:9');
    await put(other, forged, { sha256: sha256(forged) });
    await put(shorter, 'oops');
    // Copied into the bucket by hand, without a checksum.
    await put(same, JSON.stringify(same));
    assertFault(await capture(store, other), 500);
    assertFault(await capture(store, shorter), 500);
    assert.equal((await walk(store, {})).length, 0);
    assert.equal((await capture(store, same)).isRefused, false);
    assert.equal((await walk(store, {})).length, 1);
  });
});

/** Breaks Miniflare's R2 by replacing its folder with a file. Returns a function that repairs it. */
function breakBucket(persistTo) {
  const bucket = join(persistTo, 'r2', 'epcis-edge-documents');
  const blobs = join(bucket, 'blobs');
  if (existsSync(blobs)) renameSync(blobs, `${blobs}-away`);
  writeFileSync(blobs, '');
  return () => {
    rmSync(blobs);
    if (existsSync(`${blobs}-away`)) renameSync(`${blobs}-away`, blobs);
  };
}

test('a bucket that fails: callers are told to come back, nothing is half stored, and what KV has counts as kept', async () => {
  const persistTo = join(scratch, 'fails');
  const before = documentWith('urn:x:1');
  const during = documentWith('urn:x:2', 'urn:x:3');
  await using({ persistTo }, async (store) => {
    await store.ask('capture', { document: before });
    assert.equal(await store.documents.get(sha256(JSON.stringify(before))), JSON.stringify(before));
    assert.equal((await store.bucket.list()).objects.length, 0);
  });
  // workerd's own messages about the fault are ignored.
  await using({ persistTo, bindings: R2, onMessage() {} }, async (store) => {
    await store.ask('capture', { document: documentWith('urn:x:4') });
    const mend = breakBucket(persistTo);
    assertFault(await capture(store, during), 503);
    const headers = { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' };
    const response = await fetch(new URL('capture', store.address), { method: 'POST', headers, body: JSON.stringify(during) });
    assert.deepEqual([response.status, response.headers.get('content-type')], [503, 'application/problem+json']);
    assert.match(response.headers.get('retry-after'), /^[1-9]\d*$/);
    assert.equal((await walk(store, {})).length, 2, 'questions are answered, and nothing of the document is there');
    const jobs = await fetch(new URL('capture', store.address), { headers });
    assert.equal((await jobs.json()).length, 2, 'no job');
    // A document from before R2 was chosen.
    const [{ duplicate }] = (await store.ask('capture', { document: before })).events;
    assert.equal(duplicate, true);
    mend();
    const answer = await store.ask('capture', { document: during });
    assert.deepEqual(
      answer.events.map(({ duplicate }) => duplicate),
      [false, false],
    );
    assert.equal(await textOf(await store.bucket.get(answer.document)), JSON.stringify(during));
  });
  // Back to KV: documents in R2 stay there, new ones go to KV.
  await using({ persistTo, bindings: { DOCUMENTS: 'kv' } }, async (store) => {
    const { document } = await store.ask('capture', { document: documentWith('urn:x:5') });
    assert.notEqual(await store.documents.get(document), null);
    assert.equal(await store.bucket.get(document), null);
    assert.notEqual(await store.bucket.get(sha256(JSON.stringify(during))), null);
  });
});

test('a choice that cannot be served is refused, at every door, and told in the log alone', async () => {
  for (const [options, sentence] of [
    [{ bindings: R2, hasBucket: false }, 'the variable DOCUMENTS is r2: the deployment must have the bucket DOCUMENTS_BUCKET'],
    [{ bindings: { DOCUMENTS: 's3' } }, 'the variable DOCUMENTS must be kv, r2 or empty'],
    [{ bindings: { STORE: 'objects' }, store: 'd1' }, 'the variable STORE is objects, and the binding ACCOUNTS is missing'],
    [{ bindings: { STORE: 's3' } }, 'the variable STORE must be d1, objects or empty'],
  ]) {
    const said = [];
    await using({ ...options, onMessage: (message) => said.push(message) }, async (store) => {
      const headers = { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' };
      for (const [path, init] of [
        ['capture', { method: 'POST', headers, body: JSON.stringify(documentWith('urn:x:1')) }],
        ['events', { headers }],
        ['pricing', {}],
      ]) {
        const response = await fetch(new URL(path, store.address), init);
        const text = await response.text();
        assert.deepEqual([response.status, response.headers.get('content-type')], [500, 'application/problem+json'], text);
        assert.doesNotMatch(text, /DOCUMENTS|STORE/);
      }
      const { n } = await store.database.prepare('SELECT count(*) AS n FROM events').first();
      assert.equal(n, 0);
      assert.ok(
        said.some((message) => message.includes(sentence)),
        said.join('\n'),
      );
    });
  }
  // Without a bucket, if none is configured.
  await using({ hasBucket: false }, async (store) => {
    assert.equal((await capture(store, documentWith('urn:x:1'))).isRefused, false);
  });
});
