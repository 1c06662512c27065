// What the page's thread does, counted: it leaves work that grows with the document to another thread. How long its tasks take is
// measured by bench/tasks.ts.
import { Session } from 'node:inspector';

const COUNTED = { callCount: true, detailed: true };

/** The piece of code that ran most often, such as the body of a loop: `{count, where}`. */
function busiest(result, isOurs) {
  let most = { count: 0 };
  for (const { url, functions } of result.filter(isOurs))
    for (const { functionName, ranges } of functions)
      for (const { count, startOffset, endOffset } of ranges)
        if (count > most.count) most = { count, where: `${functionName} ${url}:${startOffset}-${endOffset}` };
  if (most.count === 0) throw new Error('nothing was counted');
  return most;
}

/** The piece of code that runs most often in a call: `{count, where}`. Code of Node is not counted. */
export function stepsOfCall(call) {
  const session = new Session();
  session.connect();
  let counted;
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', COUNTED);
  call();
  session.post('Profiler.takePreciseCoverage', (fault, found) => {
    if (fault) throw fault;
    counted = found;
  });
  session.disconnect();
  return busiest(counted.result, ({ url }) => url.startsWith('file:'));
}

/**
 * Does `work` with a page. Returns what the page's thread did meanwhile:
 *
 * - `most`: the piece of its code that ran most often, `{count, where}`;
 * - `text`: the length of the longest text that was parsed, written or decoded at once;
 * - `values`: the number of values in the longest message from another thread.
 */
export async function stepsOf(page, work) {
  await page.evaluate(watch);
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', COUNTED);
  await work();
  const { result } = await session.send('Profiler.takePreciseCoverage');
  await session.detach();
  // Scripts of this program have no address.
  return { most: busiest(result, ({ url }) => url !== ''), ...(await page.evaluate(() => globalThis.counted)) };
}

/** Runs in the page: begins to count what its loops do not show. */
function watch() {
  const isWatched = globalThis.counted !== undefined;
  globalThis.counted = { text: 0, values: 0 };
  if (isWatched) return;
  const note = (name, number) => {
    globalThis.counted[name] = Math.max(globalThis.counted[name], number ?? 0);
  };
  const { parse, stringify } = JSON;
  JSON.parse = (text, ...more) => {
    note('text', String(text).length);
    return parse(text, ...more);
  };
  JSON.stringify = (...values) => {
    const text = stringify(...values);
    note('text', text?.length);
    return text;
  };
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function (bytes, ...more) {
    note('text', bytes?.byteLength);
    return decode.call(this, bytes, ...more);
  };
  const valuesIn = (value) => {
    if (value === null || typeof value !== 'object' || value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return 1;
    const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
    return parts.reduce((sum, part) => sum + valuesIn(part), 1);
  };
  const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  Object.defineProperty(MessageEvent.prototype, 'data', {
    get() {
      const data = get.call(this);
      note('values', valuesIn(data));
      return data;
    },
  });
}
