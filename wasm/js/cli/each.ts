// @ts-nocheck
// Runs a command on its inputs, one after the other, and reports those that cannot be read or processed.
import tty from 'node:tty';
import { isMainThread } from 'node:worker_threads';
import { EpcisError } from '../engine/error.ts';
import { Input, NotFound, inputs } from './files.ts';
import { harmlessJson, paint, tell } from './harmless.ts';
import { TOO_LONG, numbered } from './lines.ts';
import { Progress, QUICK } from './progress.ts';

export const EXIT = { ok: 0, defect: 1, usage: 2, notFound: 3, invalid: 4 };

/** The longest line of NDJSON, in bytes. An event has at most 16 MiB. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Runs a command on its inputs. An input that cannot be read or processed is reported, and the others are still processed.
 *
 * @param work the functions of the command. `whole(bytes)` processes a document and returns the answer, `print(label, answer)` prints it
 *   and returns the exit code. `stream(label, stream, progress)` does both for a long document, `twice(label, blob)` for a long one that
 *   must be read twice, and `aside(bytes)` is `whole` in another thread. `isWhole(bytes)` says from the start of a document that it
 *   cannot be streamed; `line: false` says that the command reads no NDJSON. `hint` tells what accepts longer files,
 *   `mistaken(bytes, error)` what a refused document may be instead, or how to have it. `refused(label, {message, problem})` is called for each input that could not be read or
 *   processed. `endings` are the file name endings of documents in a folder. `sum(counts)` gives the closing words about faults in
 *   several files, `fine` those if there is none; they go to `output` if it is given and not empty
 * @returns the exit code, the highest of all inputs
 */
export async function each(names, options, work) {
  const list = inputs(names, work.endings);
  const counts = { failed: 0, refused: 0, absent: 0 };
  let worst = EXIT.ok;
  for (const { file, error } of list) {
    const label = { file, isOneOfMany: list.length > 1, troubles: new Set(), refused: work.refused };
    let code;
    try {
      if (error) throw error;
      if (file === '-' && !options.quiet && tty.isatty(0)) tell(`reading standard input: ${END_OF_INPUT}; or name a file`);
      const input = new Input(file);
      try {
        code = await one(input, label, options, work);
      } finally {
        input.close();
      }
    } catch (error) {
      code = await told(error, label, options);
    }
    worst = Math.max(worst, code);
    const trouble = ['absent', 'refused'].find((name) => label.troubles.has(name)) ?? (code === EXIT.invalid ? 'failed' : undefined);
    if (trouble) counts[trouble] += 1;
  }
  if (list.length > 1 && work.sum && !options.quiet && !options.json) await sumUp(list.length, counts, work);
  return worst;
}

const END_OF_INPUT = process.platform === 'win32' ? 'Ctrl-Z and Enter end it' : 'Ctrl-D ends it';

/** Writes the closing line of several files: after the answers, or to standard error if these are a payload. */
async function sumUp(length, counts, { sum, fine, output }) {
  const sums = sum(counts);
  if (counts.absent > 0) sums.push(['red', `${counts.absent} not read`]);
  const words = sums.length === 0 ? [', ', paint('green', fine)] : sums.flatMap(([colour, text]) => [', ', paint(colour, text)]);
  const line = [`${length} files`, ...words];
  // An output file never gets only the closing line: then it goes to standard error.
  if (output && !output.isEmpty) await output.say(line);
  else tell(line);
}

/** Makes the `sum` of a command: `failed` are the words for negative answers, `refused` for documents that could not be processed. */
export const summed = (failed, refused) => (counts) => {
  if (failed === refused) return counts.failed + counts.refused > 0 ? [['red', `${counts.failed + counts.refused} ${failed}`]] : [];
  const both = [
    ['red', counts.refused, refused],
    ['red', counts.failed, failed],
  ];
  return both.filter(([, count]) => count > 0).map(([colour, count, words]) => [colour, `${count} ${words}`]);
};

/** Reports a refusal or a missing file, and returns the exit code. Throws any other error on. */
export async function told(error, label, options, hint) {
  const isAbsent = error instanceof NotFound;
  if (!isAbsent && !(error instanceof EpcisError)) throw error;
  label.troubles?.add(isAbsent ? 'absent' : 'refused');
  complain(error, label, options.json, isAbsent ? undefined : hint);
  await label.refused?.(label, placed(error, label.line));
  return isAbsent ? EXIT.notFound : EXIT.invalid;
}

async function one(input, label, options, work) {
  const progress = Progress.of(input.file, input.size, options.quiet);
  let bytes;
  try {
    if (work.line !== false && input.isLines()) return await lines(input, label, options, work, progress);
    if (work.stream && input.isLong() && !work.isWhole?.(input.start())) {
      const stream = input.stream();
      return await work.stream(label, progress ? stream.pipeThrough(progress.counting()) : stream, progress);
    }
    if (work.twice && input.isLong()) {
      bytes = input.start();
      const written = work.twice(label, await input.blob());
      return await (progress ? progress.during(written) : written);
    }
    bytes = input.whole(work.hint);
    const isSlow = progress && work.aside && bytes.length > QUICK && isMainThread;
    const answer = isSlow ? await progress.during(work.aside(bytes)) : work.whole(bytes);
    progress?.end();
    return await work.print(label, answer);
  } catch (error) {
    progress?.end();
    if (!(error instanceof EpcisError)) throw error;
    return await told(error, label, options, work.mistaken?.(bytes ?? new Uint8Array(), error));
  }
}

/** Processes NDJSON line by line. Each line is a document of its own. */
async function lines(input, label, options, work, progress) {
  let worst = EXIT.ok;
  for (const [line, bytes, done] of numbered(input.chunks(), MAX_LINE)) {
    const here = { ...label, line };
    let code;
    try {
      if (bytes === TOO_LONG) {
        const detail = `the line is longer than ${MAX_LINE} bytes`;
        throw new EpcisError(detail, { type: 'epcisException:CaptureLimitExceededException', title: 'Payload exceeds the limit', status: 413, detail });
      }
      const answer = work.whole(bytes);
      progress?.reached(done);
      code = await work.print(here, answer);
    } catch (error) {
      progress?.end();
      code = await told(error, here, options);
    }
    worst = Math.max(worst, code);
  }
  progress?.end();
  return worst;
}

export const nameOf = ({ file, line }) => (line === undefined ? file : `${file}:${line}`);
export const membersOf = ({ file, line }) => (line === undefined ? { file } : { file, line });

/** Corrects the line number in an error about a line of NDJSON: the engine saw only that line, as line 1. */
function placed(error, line) {
  const { message, problem } = error;
  if (line === undefined || problem?.location === undefined) return { message, problem };
  const said = `at line ${problem.location.line} column`;
  const at = message.lastIndexOf(said);
  const moved = at < 0 ? message : `${message.slice(0, at)}at line ${line} column${message.slice(at + said.length)}`;
  return { message: moved, problem: { ...problem, detail: moved, location: { ...problem.location, line } } };
}

/** Reports a refusal on standard error. `hint`, one or several lines, is not part of JSON output. */
export function complain(error, label, asJson, hint) {
  const { message, problem } = placed(error, label?.line);
  if (asJson) {
    process.stderr.write(`${harmlessJson(JSON.stringify({ ...(label ? membersOf(label) : {}), ...problem }))}\n`);
    return;
  }
  tell([paint('bold', label ? nameOf(label) : 'epcis-edge'), ': ', paint('red', message)]);
  for (const { path: pointer, message, source } of problem?.errors ?? []) {
    const place = source === undefined ? '' : `${source.path} (line ${source.line}), `;
    tell(`  ${place}${pointer || 'the document'}: ${message}`);
  }
  tell(...[hint || []].flat().map((line) => `  ${line}`));
}
