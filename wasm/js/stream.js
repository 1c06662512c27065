// Web streams over the engine's incremental judges: one chunk in, what became whole out, nothing more is held.
import { chunkOf } from './check.js';
import { EpcisError } from './error.js';
import { encoded } from './text.js';

/** How much of a chunk the engine is given at once. */
const SLICE = 65_536;

/**
 * The chunks of a document as bytes: text is encoded, once it is known that no pair of surrogates is cut in two.
 *
 * @param marksText whether text at the very beginning is marked as decoded, as XML must be
 */
function encoding(marksText) {
  let half = '';
  let isFirst = marksText;
  const encode = (text) => {
    const bytes = encoded(text, isFirst);
    isFirst = false;
    return bytes;
  };
  return {
    of(chunk) {
      if (typeof chunkOf(chunk) !== 'string') {
        isFirst = false;
        return chunkOf(chunk);
      }
      const text = half + chunk;
      half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
      const whole = half === '' ? text : text.slice(0, -1);
      return whole === '' ? new Uint8Array() : encode(whole);
    },
    rest: () => (half === '' ? undefined : encode(half)),
  };
}

/** The parts of a chunk, without a copy; what is no text that can be encoded is handed on for the engine to refuse. */
function* slices(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length <= SLICE) yield bytes;
  else for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/**
 * A pair of streams that waits for its reader, slice by slice, and fails only when its reader has taken all that was good.
 *
 * A TransformStream drops what is queued when it fails. Here the readable side has no queue of its own accord: `pull` says that a
 * reader waits and that everything was taken; so it is also the moment to fail.
 *
 * @param judge `take(bytes)` and `end()` give `{out, error}`, the chunks that became ready and what went wrong behind them;
 *   `drop(reason)` is called when no more is wanted
 */
function pair(marksText, judge) {
  const chunks = encoding(marksText);
  let readable;
  let writable;
  let isWanted = false;
  let wake = () => {};
  let failure;
  let isOver = false;

  const give = (out) => {
    // Before, not after: a second reader may be waiting, and says so while the first is served.
    if (out.length > 0) isWanted = false;
    for (const chunk of out) readable.enqueue(chunk);
    if (readable.desiredSize < 0) isWanted = false;
  };
  const fail = (error) => {
    isOver = true;
    failure = { error };
    if (isWanted) readable.error(error);
  };
  const drop = (reason) => {
    if (isOver) return;
    isOver = true;
    judge.drop(reason);
    wake();
  };
  const step = ({ out, error }) => {
    give(out);
    if (error === undefined) return;
    fail(error);
    throw error;
  };
  const attempt = (work) => {
    try {
      return work();
    } catch (error) {
      if (!isOver) {
        judge.drop(error);
        fail(error);
      }
      throw error;
    }
  };

  return {
    readable: new ReadableStream(
      {
        start(controller) {
          readable = controller;
        },
        pull() {
          isWanted = true;
          if (failure) readable.error(failure.error);
          wake();
        },
        cancel(reason) {
          drop(reason);
          writable.error(reason ?? new Error('the stream was cancelled'));
        },
      },
      { highWaterMark: 0 },
    ),
    writable: new WritableStream({
      start(controller) {
        writable = controller;
        // What is written may be waiting for a reader.
        controller.signal.addEventListener('abort', () => {
          if (isOver) return;
          const { reason } = controller.signal;
          drop(reason);
          fail(reason);
        });
      },
      async write(chunk) {
        const bytes = attempt(() => chunks.of(chunk));
        for (const slice of slices(bytes)) {
          if (!isWanted && !isOver) await new Promise((resolve) => (wake = resolve));
          if (isOver) return;
          attempt(() => step(judge.take(slice)));
        }
      },
      close() {
        attempt(() => {
          const rest = chunks.rest();
          if (rest !== undefined) step(judge.take(rest));
          step(judge.end());
        });
        isOver = true;
        readable.close();
      },
    }),
  };
}

export function validateStream(load, verdictOf) {
  const judging = new (load().Judging)();
  return pair(false, {
    take(bytes) {
      try {
        judging.push(bytes);
      } catch (error) {
        judging.free();
        return { out: [], error: EpcisError.of(error) };
      }
      return { out: [] };
    },
    end() {
      try {
        return { out: [verdictOf(judging.finish())] };
      } catch (error) {
        return { out: [], error: EpcisError.of(error) };
      }
    },
    drop: () => judging.free(),
  });
}

/** A report that is promised, and what settles it. */
function reporting() {
  let keep;
  let refuse;
  const report = new Promise((resolve, reject) => {
    keep = resolve;
    refuse = reject;
  });
  // Whoever does not ask for the report sees the error at the stream.
  report.catch(() => {});
  return { report, keep, refuse };
}

export function translateStream(load, as) {
  const translating = new (load().Translating)();
  const { report, keep, refuse } = reporting();
  const listed = (events) => (events === undefined ? [] : as === 'ndjson' ? [events] : events);
  const answer = ({ events, error, report: found }) => {
    const refusal = error === undefined ? undefined : EpcisError.of(error);
    if (refusal !== undefined) refuse(refusal);
    if (found !== undefined) keep(found);
    return { out: listed(events), error: refusal };
  };
  const streams = pair(true, {
    take(bytes) {
      const answered = answer(translating.push(bytes, as));
      if (answered.error !== undefined) translating.free();
      return answered;
    },
    end: () => answer(translating.finish(as)),
    drop(reason) {
      translating.free();
      refuse(reason ?? new Error('the stream was cancelled'));
    },
  });
  return { ...streams, report };
}

/** The chunks of a Blob, each no longer than the engine is given at once. */
async function* chunksOf(blob) {
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* slices(value);
    }
  } finally {
    // Of a source that fails the failure is told, not that it cannot be given up.
    await reader.cancel().catch(() => {});
  }
}

/** A file that is another than when its Blob was made is read by nobody; the engine says the same where it sees it. */
function changed() {
  const detail = 'the document has changed while it was read';
  return new EpcisError(detail, { type: 'epcisException:ValidationException', title: 'Document changed', status: 400, detail });
}

export function toXmlStream(load, blob, version) {
  const { WritingXml } = load();
  const { report, keep, refuse } = reporting();
  async function* parts() {
    const writing = new WritingXml(version);
    try {
      for await (const chunk of chunksOf(blob)) writing.look(chunk);
      writing.looked();
      for await (const chunk of chunksOf(blob)) {
        const xml = writing.push(chunk);
        if (xml !== undefined) yield xml;
      }
      const { xml, ...end } = writing.finish();
      yield xml;
      keep(end);
    } catch (error) {
      const refusal = error.name === 'NotReadableError' ? changed() : EpcisError.of(error);
      refuse(refusal);
      throw refusal;
    } finally {
      writing.free();
    }
  }
  const chunks = parts();
  const readable = new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return();
        refuse(new Error('the stream was cancelled'));
      },
    },
    { highWaterMark: 0 },
  );
  return { readable, report };
}
