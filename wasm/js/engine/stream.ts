// Web streams over the engine's incremental functions: each chunk in gives the complete results out, and nothing more is kept.
import type { Form, StreamEngine, Translated } from './engines.ts';
import { chunkOf } from './arguments.ts';
import type { VerdictOf } from './document-api.ts';
import { EpcisError } from './error.ts';
import type { BlobInput, Piped, StreamReport, TranslateStream, Verdict, XmlInput, XmlStream } from './index.ts';
import { encoded } from './text.ts';

/** The maximum number of bytes given to the engine at once. */
const SLICE = 65_536;

/**
 * Turns the chunks of a document into bytes. Half of a surrogate pair at the end of a text chunk waits for the next chunk.
 *
 * @param marksText whether text at the very beginning gets a byte order mark, as XML needs
 */
function encoding(marksText: boolean) {
  let half = '';
  let isFirst = marksText;
  const encode = (text: string) => {
    const bytes = encoded(text, isFirst);
    isFirst = false;
    return bytes;
  };
  return {
    of(chunk: unknown) {
      const given = chunkOf(chunk);
      if (typeof given !== 'string') {
        isFirst = false;
        return given;
      }
      const text = half + given;
      half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
      const whole = half === '' ? text : text.slice(0, -1);
      return whole === '' ? new Uint8Array() : encode(whole);
    },
    rest: () => (half === '' ? undefined : encode(half)),
  };
}

/** The slices of a chunk, without a copy. A text that cannot be encoded is passed on, and the engine refuses it. */
function* slices<Chunk extends Uint8Array | string>(bytes: Chunk): Generator<Chunk | Uint8Array> {
  if (!(bytes instanceof Uint8Array) || bytes.length <= SLICE) yield bytes;
  else for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/** The chunks that became ready, and an error after them. */
interface Step<Out> {
  readonly out: readonly Out[];
  readonly error?: unknown;
}

/** What is made of the bytes of a stream. */
interface Judge<Out> {
  take(bytes: Uint8Array | string): Step<Out>;
  end(): Step<Out>;
  /** Called when no more is wanted. */
  drop(reason: unknown): void;
}

/**
 * A pair of streams that waits for its reader, slice by slice, and fails only after the reader has read all good chunks.
 *
 * A TransformStream drops its queue when it fails. Here the readable side does not fill a queue ahead: `pull` means that a reader is
 * waiting and that everything was read, so it is also the moment to fail.
 */
function pair<In, Out>(marksText: boolean, judge: Judge<Out>): Piped<In, Out> {
  const chunks = encoding(marksText);
  let readable: ReadableStreamDefaultController<Out>;
  let writable: WritableStreamDefaultController;
  let isWanted = false;
  let wake: (value?: unknown) => void = () => {};
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;

  const give = (out: readonly Out[]) => {
    // Reset this first: a second reader may be waiting, and `pull` is called while the first is served.
    if (out.length > 0) isWanted = false;
    for (const chunk of out) readable.enqueue(chunk);
    if ((readable.desiredSize ?? 0) < 0) isWanted = false;
  };
  const fail = (error: unknown) => {
    isOver = true;
    failure = { error };
    if (isWanted) readable.error(error);
  };
  const drop = (reason: unknown) => {
    if (isOver) return;
    isOver = true;
    judge.drop(reason);
    wake();
  };
  const step = ({ out, error }: Step<Out>) => {
    give(out);
    if (error === undefined) return;
    fail(error);
    throw error;
  };
  const attempt = <Answer>(work: () => Answer): Answer => {
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

export function validateStream(load: () => StreamEngine, verdictOf: VerdictOf): Piped<Uint8Array | ArrayBuffer | string, Verdict> {
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
        return { out: [verdictOf(judging.finish()) as Verdict] };
      } catch (error) {
        return { out: [], error: EpcisError.of(error) };
      }
    },
    drop: () => judging.free(),
  });
}

/** A promise of a report, and the functions that settle it. */
function reporting<Report>() {
  let keep!: (report: Report) => void;
  let refuse!: (reason: unknown) => void;
  const report = new Promise<Report>((resolve, reject) => {
    keep = resolve;
    refuse = reject;
  });
  // A caller that does not await the report gets the error from the stream.
  report.catch(() => {});
  return { report, keep, refuse };
}

export function translateStream(load: () => StreamEngine, as: Form): TranslateStream<unknown> {
  const translating = new (load().Translating)();
  const { report, keep, refuse } = reporting<StreamReport>();
  const listed = (events: Translated['events']) => (events === undefined ? [] : events instanceof Uint8Array ? [events] : events);
  const answer = ({ events, error, report: found }: Translated): Step<unknown> => {
    const refusal = error === undefined ? undefined : EpcisError.of(error);
    if (refusal !== undefined) refuse(refusal);
    if (found !== undefined) keep(found);
    return { out: listed(events), error: refusal };
  };
  const streams = pair<XmlInput, unknown>(true, {
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
async function* chunksOf(blob: BlobInput): AsyncGenerator<Uint8Array> {
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
function changed(): EpcisError {
  const detail = 'the document has changed while it was read';
  return new EpcisError(detail, { type: 'epcisException:ValidationException', title: 'Document changed', status: 400, detail });
}

export function toXmlStream(load: () => StreamEngine, blob: BlobInput, version: string | undefined): XmlStream {
  const { WritingXml } = load();
  const { report, keep, refuse } = reporting<Awaited<XmlStream['report']>>();
  async function* parts(): AsyncGenerator<Uint8Array, void> {
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
      const refusal = error instanceof Error && error.name === 'NotReadableError' ? changed() : EpcisError.of(error);
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
