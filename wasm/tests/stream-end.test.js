// How streams end: all valid output comes before the error, for any reader speed and any chunks.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EpcisError, translateStream, validateStream } from '../js/engine/node.ts';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));
const encode = (text) => new TextEncoder().encode(text);
const head = '<EPCISDocument schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList>\n';
const tail = '</EventList></EPCISBody></EPCISDocument>';
const event = (n, time = '2026-01-01T00:00:00Z') =>
  `<ObjectEvent><eventTime>${time}</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sgtin:9521141.012345.${n}</epc></epcList><action>ADD</action></ObjectEvent>\n`;
const COUNT = 1_000;
const events = (bad) => Array.from({ length: COUNT }, (_, n) => event(n, bad.includes(n) ? 'yesterday' : undefined)).join('');

const DOCUMENTS = {
  'one bad event': { xml: `${head}${events([700])}${tail}`, good: COUNT - 1, sentence: /does not accept what the document says, 1 error/ },
  'a bad event at the end': { xml: `${head}${events([COUNT - 1])}${tail}`, good: COUNT - 1, sentence: /1 error/ },
  'an end too early': { xml: `${head}${events([])}`, good: COUNT, sentence: /ends too early/ },
  'an end inside of an event': { xml: `${head}${events([])}<ObjectEvent><epcList>`, good: COUNT, sentence: /ends too early/ },
  'a wrong end tag': { xml: `${head}${events([])}<ObjectEvent></ObjectEvnt>${tail}`, good: COUNT, sentence: /end tag/ },
};

const cut = (bytes, size) => {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The output to a slow reader, and the error that ends it. */
async function taken(readable, stream, pause) {
  const out = [];
  try {
    for await (const one of readable.pipeThrough(stream)) {
      out.push(one);
      await pause(out.length);
    }
  } catch (error) {
    assert.ok(error instanceof EpcisError, String(error));
    return { out, error };
  }
  return { out };
}

const count = (out, as) => (as === 'ndjson' ? Buffer.concat(out).toString('utf8').split('\n').length - 1 : out.length);

for (const [name, { xml, good, sentence }] of Object.entries(DOCUMENTS)) {
  test(`${name}: every good line, then the error`, async () => {
    const bytes = encode(xml);
    for (const size of [997, 65_536, bytes.length]) {
      for (const as of ['ndjson', 'object', 'text']) {
        for (const pause of [() => {}, (n) => (n % 50 === 1 ? turn() : undefined)]) {
          const stream = translateStream({ as });
          const { out, error } = await taken(cut(bytes, size), stream, pause);
          assert.equal(count(out, as), good, `${as} by ${size}`);
          assert.match(error.message, sentence);
          await assert.rejects(stream.report, (same) => same === error);
        }
      }
    }
  });

  test(`${name}: on the command line`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'translate', '--ndjson'], { input: xml, encoding: 'utf8', maxBuffer: 1 << 28 });
    assert.equal(status, 4);
    assert.equal(stdout.split('\n').length - 1, good);
    assert.match(stderr, sentence);
  });
}

test('readers that ask ahead get every line, too', async () => {
  const bytes = encode(DOCUMENTS['one bad event'].xml);
  for (const ahead of [2, 3, 10, 2_000]) {
    const reader = cut(bytes, 65_536)
      .pipeThrough(translateStream({ as: 'text' }))
      .getReader();
    let good = 0;
    let error;
    while (error === undefined) {
      const reads = Array.from({ length: ahead }, () => reader.read());
      for (const one of await Promise.allSettled(reads)) {
        if (one.status === 'fulfilled' && !one.value.done) good += 1;
        else error ??= one.reason;
      }
    }
    assert.equal(good, COUNT - 1, `${ahead} at once`);
    assert.ok(error instanceof EpcisError);
  }
});

test('a source that fails fails the stream behind what came before', async () => {
  const broken = new Error('the disk is gone');
  const bytes = encode(`${head}${events([])}`);
  let at = 0;
  const source = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.error(broken);
      controller.enqueue(bytes.subarray(at, (at += 65_536)));
    },
  });
  const stream = translateStream({ as: 'text' });
  const out = [];
  await assert.rejects(
    async () => {
      for await (const one of source.pipeThrough(stream)) {
        out.push(one);
        if (out.length % 100 === 0) await turn();
      }
    },
    (error) => error === broken,
  );
  assert.ok(out.length >= COUNT - 1, String(out.length));
  await assert.rejects(stream.report, (error) => error === broken);
});

test('what a bad event holds back is not what it follows: the line count is that of the good ones in order', async () => {
  const { out } = await taken(cut(encode(DOCUMENTS['one bad event'].xml), 4_093), translateStream({ as: 'object' }), turn);
  const numbers = out.map(({ epcList: [epc] }) => Number(epc.split('.').at(-1)));
  assert.deepEqual(
    numbers,
    Array.from({ length: COUNT }, (_, n) => n).filter((n) => n !== 700),
  );
});

test('a reader that stops lets go of everything at once, also while a writer waits', async () => {
  for (const stop of ['cancel', 'abort']) {
    const stream = translateStream({ as: 'text' });
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    // Without a reader, the writer waits.
    const written = writer.write(encode(head + events([]))).then(
      () => 'written',
      (error) => error,
    );
    writer.closed.catch(() => {});
    await turn();
    const reason = new Error('enough');
    if (stop === 'cancel') await reader.cancel(reason);
    else {
      const aborted = writer.abort(reason);
      await assert.rejects(reader.read(), (error) => error === reason);
      await aborted;
    }
    await written;
    await assert.rejects(writer.write('x'), (error) => error === reason);
    await assert.rejects(stream.report, (error) => error === reason);
  }
});

test('a large chunk is taken slice by slice, as its reader goes', async () => {
  const stream = translateStream({ as: 'text' });
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  let isWritten = false;
  const written = writer.write(encode(head + events([]) + events([]) + events([]) + events([]))).then(() => (isWritten = true));
  for (let read = 0; read < 1_500; read += 1) await reader.read();
  await turn();
  assert.equal(isWritten, false);
  for (let read = 1_500; read < 3_999; read += 1) await reader.read();
  reader.read();
  await written;
});

test('a verdict stream fails where its document does', async () => {
  for (const [text, sentence] of [
    ['{"type":"EPCISDocument","epcisBody":{"eventList":[{"type":"ObjectEvent"},', /./],
    ['{]', /./],
    ['', /./],
  ]) {
    const { out, error } = await taken(cut(encode(text), 7), validateStream(), turn);
    assert.deepEqual(out, []);
    assert.match(error.message, sentence);
  }
});
