// @ts-nocheck
// Web streams over the engine's incremental functions: each chunk in gives the complete results out, and nothing more is kept.
import { chunkOf } from './arguments.ts';
import { EpcisError } from './error.ts';
import { encoded } from './text.ts';

/** The maximum number of bytes given to the engine at once. */
const SLICE = 65_536;

/**
 * Turns the chunks of a document into bytes. Half of a surrogate pair at the end of a text chunk waits for the next chunk.
 *
 * @param marksText whether text at the very beginning gets a byte order mark, as XML needs
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

/** The slices of a chunk, without a copy. A text that cannot be encoded is passed on, and the engine refuses it. */
function* slices(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length <= SLICE) yield bytes;
  else for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/**
 * A pair of streams that waits for its reader, slice by slice, and fails only after the reader has read all good chunks.
 *
 * A TransformStream drops its queue when it fails. Here the readable side does not fill a queue ahead: `pull` means that a reader is
 * waiting and that everything was read, so it is also the moment to fail.
 *
 * @param judge `take(bytes)` and `end()` return `{out, error}`: the chunks that became ready, and an error after them. `drop(reason)` is
 *   called when no more is wanted
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
    // Reset this first: a second reader may be waiting, and `pull` is called while the first is served.
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
        // A write may be waiting for a reader.
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

/** A promise of a report, and the functions that settle it: `{report, keep, refuse}`. */
function reporting() {
  let keep;
  let refuse;
  const report = new Promise((resolve, reject) => {
    keep = resolve;
    refuse = reject;
  });
  // A caller that does not await the report gets the error from the stream.
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

/** The chunks of a Blob, in slices for the engine. */
async function* chunksOf(blob) {
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* slices(value);
    }
  } finally {
    // If the source failed, its error is thrown, not that of cancelling it.
    await reader.cancel().catch(() => {});
  }
}

/** The error of a file that changed after its Blob was made, which cannot be read. The engine reports the same change likewise. */
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
