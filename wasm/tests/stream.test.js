// Streams: their output, backpressure, and that they hold no more than necessary.
// Invariant: A stream through the package takes a document of any length in bounded memory.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hash, toXml, toXmlStream, translate, translateStream, validate, validateStream } from '../js/engine/node.ts';
import { files, outcome, read } from './vectors.js';

const encode = (text) => new TextEncoder().encode(text);

function source(bytes, size) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}

/** All output chunks, or the problem, with the report if there is one. */
async function through(readable, stream) {
  const chunks = [];
  try {
    for await (const chunk of readable.pipeThrough(stream)) chunks.push(chunk);
  } catch (error) {
    if (error.name !== 'EpcisError') throw error;
    await assert.rejects(stream.report ?? Promise.reject(error), (same) => same === error);
    return { problem: error.problem, message: error.message };
  }
  return { chunks, report: await stream.report };
}

// Chunks of one byte cost a call each, so long files are cut less finely.
const sizes = (bytes) => (bytes.length < 20_000 ? [1, 7, 65_536] : [4_093, 65_536]);

test('every JSON vector has the verdict that it has as a whole', async () => {
  let count = 0;
  for (const file of files('.json')) {
    const bytes = read(file);
    const expected = outcome(() => validate(bytes));
    for (const size of sizes(bytes)) {
      const { chunks, report, ...refused } = await through(source(bytes, size), validateStream());
      assert.deepEqual(chunks === undefined ? refused : { answer: chunks[0] }, expected, `${file} by ${size}`);
      if (chunks !== undefined) assert.equal(chunks.length, 1);
    }
    count += 1;
  }
  assert.ok(count >= 40);
});

test('every XML vector has the events, the report, the verdict on the source and the errors that it has as a whole', async () => {
  let events = 0;
  for (const file of files('.xml')) {
    const bytes = read(file);
    const expected = outcome(() => translate(bytes));
    for (const size of sizes(bytes)) {
      const { chunks, report, ...refused } = await through(source(bytes, size), translateStream({ as: 'object' }));
      if (chunks === undefined) {
        assert.deepEqual(refused, expected, `${file} by ${size}`);
        continue;
      }
      const { document, ...rest } = expected.answer;
      const { document: frame, ...found } = report;
      assert.deepEqual(found, rest, `${file} by ${size}`);
      if (frame === undefined) {
        assert.deepEqual(chunks, [document], file);
        continue;
      }
      const list = (from) => (from.type === 'EPCISQueryDocument' ? from.epcisBody.queryResults.resultsBody : from.epcisBody);
      assert.deepEqual(list(frame).eventList, []);
      list(frame).eventList = chunks.map(({ '@context': context, ...event }) => event);
      assert.deepEqual(frame, document, `${file} by ${size}`);
      events += chunks.length;
    }
  }
  assert.ok(events >= 20);
});

const head = '<EPCISDocument schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z"><EPCISBody><EventList>';
const tail = '</EventList></EPCISBody></EPCISDocument>';
const event = (epc, note = '1.50') =>
  `<ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:epc:id:sgtin:9521141.012345.${epc}</epc></epcList><action>ADD</action><ex:n xmlns:ex="https://example.com/">${note}</ex:n></ObjectEvent>`;

test('lines of JSON text, texts or objects; every event stands alone', async () => {
  const xml = encode(`${head}${event('a')}${event('b', '\u00e9\u{1f600}')}${tail}`);
  const { chunks: lines, report } = await through(source(xml, 5), translateStream());
  const text = Buffer.concat(lines).toString('utf8');
  assert.equal(text.split('\n').length, 3);
  assert.equal(report.meteredEvents, 2);
  assert.equal(report.sourceSchemaVersion, '1.2');
  assert.deepEqual(report.document.epcisBody, { eventList: [] });
  const { chunks: texts } = await through(source(xml, 5), translateStream({ as: 'text' }));
  assert.equal(texts.map((line) => `${line}\n`).join(''), text);
  const { chunks: objects } = await through(source(xml, 5), translateStream({ as: 'object' }));
  assert.deepEqual(
    objects,
    texts.map((line) => JSON.parse(line)),
  );
  assert.deepEqual(
    texts.flatMap((line) => hash(line)),
    hash(translate(xml, { as: 'text' }).document),
  );
  assert.throws(() => translateStream({ as: 'lines' }), TypeError);
});

test('text is taken too, a pair of surrogates cut in two as well', async () => {
  const text = `${head}${event('a', '\u{1f600}')}${tail}`;
  const at = text.indexOf('\u{1f600}') + 1;
  const parts = () => ReadableStream.from([text.slice(0, at), text.slice(at)]);
  const { chunks } = await through(parts(), translateStream({ as: 'object' }));
  assert.equal(chunks[0]['ex:n'], '\u{1f600}');
  const json = JSON.stringify(chunks[0]);
  const half = json.indexOf('\u{1f600}') + 1;
  const { chunks: verdicts } = await through(ReadableStream.from([json.slice(0, half), json.slice(half)]), validateStream());
  assert.deepEqual(verdicts[0], validate(json));
  const lone = await through(ReadableStream.from(['{"a":"\ud83d']), validateStream());
  assert.equal(lone.problem.type, 'epcisException:ValidationException');
});

test('what is wrong errors the stream with a problem, and events before it came out', async () => {
  for (const [xml, expected] of [
    [`${head}${event('a')}<ObjectEvent></ObjectEvnt>`, /end tag/],
    [`${head}${event('a')}`, /ends too early/],
    [`${head}${event('a')}${'<x>'.repeat(101)}`, /deeper than 100/],
    [`${head}<ObjectEvent>${'<x/>'.repeat(400_001)}`, /more than 400000 elements/],
    [`<!DOCTYPE a [<!ENTITY b "c">]>${head}`, /document type/],
  ]) {
    const { problem, message } = await through(source(encode(xml), 3), translateStream());
    assert.match(message, expected);
    assert.equal(problem.type, 'epcisException:ValidationException');
    assert.ok(problem.location.line >= 1);
  }
  const cut = Buffer.concat([encode(`${head}${event('a')}<ObjectEvent><epcList><epc>`), Buffer.from([0xc3])]);
  const bad = Buffer.concat([cut, encode(`</epc></epcList></ObjectEvent>${tail}`)]);
  const came = [];
  const stream = translateStream({ as: 'object' });
  await assert.rejects(async () => {
    for await (const one of source(bad, bad.indexOf(0xc3) + 1).pipeThrough(stream)) came.push(one);
  }, /not UTF-8/);
  assert.equal(came.length, 1, 'what came before the fault was read before it');
  const long = encode(`${head}<ObjectEvent><epcList>${`<epc>${'x'.repeat(100_000)}</epc>`.repeat(170)}`);
  const { problem } = await through(source(long, 65_536), translateStream());
  assert.equal(problem.type, 'epcisException:CaptureLimitExceededException');
  assert.equal(problem.status, 413);
  const { problem: json } = await through(source(encode(`{"epcisBody":{"eventList":[{"a":"${'x'.repeat(17_000_000)}`), 65_536), validateStream());
  assert.equal(json.type, 'epcisException:CaptureLimitExceededException');
});

test('an event that the schema refuses is held back, and the end says where it stands', async () => {
  const xml = encode(`${head}${event('a')}\n${event('b').replace('ADD', 'ADDED')}${event('c')}${tail}`);
  const came = [];
  const stream = translateStream({ as: 'object' });
  await assert.rejects(
    async () => {
      for await (const one of source(xml, 100).pipeThrough(stream)) came.push(one.epcList[0].at(-1));
    },
    (error) => {
      assert.deepEqual(
        { problem: error.problem, message: error.message },
        outcome(() => translate(xml)),
      );
      assert.equal(error.problem.errors[0].source.line, 2);
      return true;
    },
  );
  assert.deepEqual(came, ['a', 'c']);
});

test('neither stream runs ahead of its reader', async () => {
  const chunk = encode(event('a').repeat(200));
  let pulled = 0;
  const endless = new ReadableStream(
    {
      pull(controller) {
        pulled += 1;
        // A stream that reads ahead is stopped, so that the test ends.
        if (pulled > 500) return controller.close();
        controller.enqueue(pulled === 1 ? encode(head) : chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const reader = endless.pipeThrough(translateStream()).getReader();
  for (let read = 1; read <= 20; read += 1) {
    await reader.read();
    // Turns in which it could read ahead.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(pulled <= read + 4, `${pulled} chunks taken for ${read} read`);
  }
  await reader.cancel();
  const writer = translateStream().writable.getWriter();
  const before = writer.desiredSize;
  writer.write(encode(head)).catch(() => {});
  assert.ok(before <= 1 && writer.desiredSize < before);
});

test('cancelled or failed streams leave the engine as it was', async () => {
  const stream = translateStream();
  const reader = source(encode(`${head}${event('a')}${event('b')}`), 50)
    .pipeThrough(stream)
    .getReader();
  await reader.read();
  await reader.cancel(new Error('enough'));
  await assert.rejects(stream.report, /enough/);
  assert.equal(validate('{}').valid, false);
});

const sorted = (report) => ({
  ...report,
  lossyPointers: report.lossyPointers.toSorted(),
  noteList: report.noteList.map((note) => JSON.stringify(note)).toSorted(),
});

test('every JSON vector becomes the XML that it becomes as a whole', async () => {
  let written = 0;
  for (const file of files('.json')) {
    const bytes = read(file);
    for (const version of ['2.0', '1.2']) {
      const expected = outcome(() => toXml(bytes, { version }));
      const { readable, report } = toXmlStream(new Blob([bytes]), { version });
      const found = await outcomeOf(async () => ({ document: await new Response(readable).text(), ...(await report) }));
      if (expected.answer) {
        expected.answer.report = sorted(expected.answer.report);
        found.answer.report = sorted(found.answer.report);
        written += 1;
      } else await assert.rejects(report, { name: 'EpcisError' });
      assert.deepEqual(found, expected, `${file} to ${version}`);
    }
  }
  assert.ok(written >= 40);
});

/** Like `outcome`, for an asynchronous call. */
async function outcomeOf(call) {
  try {
    return { answer: await call() };
  } catch (error) {
    if (error.name !== 'EpcisError') throw error;
    return { problem: error.problem, message: error.message };
  }
}

test('XML that nobody reads on is given up, and a source that fails is told', async () => {
  const given = toXmlStream(new Blob(['{"type":"ObjectEvent"}']));
  await given.readable.cancel();
  await assert.rejects(given.report, /cancelled/);
  const blob = new Blob(['x']);
  blob.stream = () => new ReadableStream({ pull: (controller) => controller.error(new Error('the disk is gone')) });
  const failing = toXmlStream(blob);
  await assert.rejects(new Response(failing.readable).text(), /the disk is gone/);
  await assert.rejects(failing.report, /the disk is gone/);
  let readings = 0;
  const changing = new Blob(['x']);
  changing.stream = () => new Blob([`{"type":"EPCISDocument","epcisBody":{"eventList":[${'{},'.repeat(readings++)}{}]}}`]).stream();
  const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-stream-'));
  const file = join(folder, 'changing.json');
  writeFileSync(file, '{"type":"ObjectEvent"}');
  const ofFile = await openAsBlob(file);
  writeFileSync(file, '{"type":"TransactionEvent"}');
  for (const blob of [changing, ofFile]) {
    const changed = toXmlStream(blob);
    const problem = {
      type: 'epcisException:ValidationException',
      title: 'Document changed',
      status: 400,
      detail: 'the document has changed while it was read',
    };
    await assert.rejects(new Response(changed.readable).text(), { name: 'EpcisError', message: problem.detail, problem });
  }
  rmSync(folder, { recursive: true });
});

test('memory does not grow with the file', () => {
  const bench = fileURLToPath(new URL('../../bench/stream.ts', import.meta.url));
  const lines = execFileSync(process.execPath, [bench, '100', '--json'], { encoding: 'utf8' }).trim().split('\n');
  for (const line of lines) {
    const { name, ok, rss, linear } = JSON.parse(line);
    assert.ok(ok, name);
    assert.ok(linear < 10, `${name}: ${linear} MB of WebAssembly memory`);
    // Far below the 100 MB that were streamed. Node with the engine and garbage takes the rest.
    assert.ok(rss < 220, `${name}: ${rss} MB resident`);
  }
  assert.equal(lines.length, 3);
});
