// Web streams over the engine's incremental judges: one chunk in, what became whole out, nothing more is held.

/** How much of a chunk the engine is given at once. */
const SLICE = 65_536;

/** The parts of a chunk: bytes are cut, without a copy; text is given as it is. */
function* slices(chunk) {
  const bytes = chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk;
  if (!(bytes instanceof Uint8Array) || bytes.length <= SLICE) {
    yield bytes;
    return;
  }
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/** Text whose last character may be half of a pair that the next chunk ends. */
function textJoiner() {
  let half = '';
  return {
    join(chunk) {
      if (typeof chunk !== 'string') return chunk;
      const text = half + chunk;
      half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
      return half === '' ? text : text.slice(0, -1);
    },
    rest: () => half,
  };
}

export function validateStream(load, verdictOf) {
  const judging = new (load().Judging)();
  const joiner = textJoiner();
  return new TransformStream({
    transform(chunk) {
      try {
        for (const slice of slices(joiner.join(chunk))) judging.push(slice);
      } catch (error) {
        judging.free();
        throw error;
      }
    },
    flush(controller) {
      if (joiner.rest() !== '') judging.push(joiner.rest());
      controller.enqueue(verdictOf(judging.finish()));
    },
    cancel() {
      judging.free();
    },
  });
}

export function translateStream(load, { as = 'ndjson' } = {}) {
  if (!['ndjson', 'text', 'object'].includes(as)) throw new TypeError(`as is ${String(as)}, expected 'ndjson', 'text' or 'object'`);
  const translating = new (load().Translating)();
  const joiner = textJoiner();
  let keep;
  let refuse;
  const report = new Promise((resolve, reject) => {
    keep = resolve;
    refuse = reject;
  });
  // Whoever does not ask for the report sees the error at the stream.
  report.catch(() => {});
  const give = (events, controller) => {
    if (events === undefined) return;
    if (as === 'ndjson') controller.enqueue(events);
    else for (const event of events) controller.enqueue(event);
  };
  const stream = new TransformStream({
    transform(chunk, controller) {
      try {
        for (const slice of slices(joiner.join(chunk))) give(translating.push(slice, as), controller);
      } catch (error) {
        refuse(error);
        translating.free();
        throw error;
      }
    },
    flush(controller) {
      try {
        if (joiner.rest() !== '') give(translating.push(joiner.rest(), as), controller);
        const end = translating.finish(as);
        give(end.events, controller);
        keep(end.report);
      } catch (error) {
        refuse(error);
        throw error;
      }
    },
    cancel(reason) {
      translating.free();
      refuse(reason ?? new Error('the stream was cancelled'));
    },
  });
  return Object.defineProperty(stream, 'report', { value: report, enumerable: true });
}
