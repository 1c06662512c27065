// How commands go through their inputs, one after the other, and what is said of those that cannot be judged.
import tty from 'node:tty';
import { isMainThread } from 'node:worker_threads';
import { EpcisError } from './error.js';
import { Input, NotFound, inputs } from './files.js';
import { harmlessJson, paint, tell } from './harmless.js';
import { TOO_LONG, numbered } from './lines.js';
import { Progress, QUICK } from './progress.js';

export const EXIT = { ok: 0, defect: 1, usage: 2, notFound: 3, invalid: 4 };

/** The longest line of NDJSON, in bytes; an event has 16 MiB at most. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Runs a command over its inputs: what cannot be read or judged is said, and the next one gets its turn.
 *
 * @param work `whole(label, bytes)` judges a document, and gives what prints the answer and tells the exit code; `stream(label,
 *   bytes, progress)` does so for a long one where there is one, `twice(label, blob)` for one that must be read twice; `aside(bytes)` is `whole` for long ones that may take their time.
 *   `hint` says what takes files that are too long, `mistaken(bytes)` what a refused document may be instead; `endings` are those of
 *   the documents in a folder; `sum(counts)` says what is wrong with several files, `fine` that nothing is, `output` takes it if any
 */
export async function each(names, options, work) {
  const list = inputs(names, work.endings);
  const counts = { failed: 0, refused: 0, absent: 0 };
  let worst = EXIT.ok;
  for (const { file, error } of list) {
    const label = { file, isOneOfMany: list.length > 1, troubles: new Set() };
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
      code = told(error, label, options);
    }
    worst = Math.max(worst, code);
    const trouble = ['absent', 'refused'].find((name) => label.troubles.has(name)) ?? (code === EXIT.invalid ? 'failed' : undefined);
    if (trouble) counts[trouble] += 1;
  }
  if (list.length > 1 && work.sum && !options.quiet && !options.json) await sumUp(list.length, counts, work);
  return worst;
}

const END_OF_INPUT = process.platform === 'win32' ? 'Ctrl-Z and Enter end it' : 'Ctrl-D ends it';

/** The closing line of several files: where the answers are, or on standard error where these are a payload. */
async function sumUp(length, counts, { sum, fine, output }) {
  const sums = sum(counts);
  if (counts.absent > 0) sums.push(['red', `${counts.absent} not read`]);
  const words = sums.length === 0 ? [', ', paint('green', fine)] : sums.flatMap(([colour, text]) => [', ', paint(colour, text)]);
  const line = [`${length} files`, ...words];
  // Alone it is no answer that a file should have.
  if (output && !output.isEmpty) await output.say(line);
  else tell(line);
}

/** The sum of a command whose refusals, and whose answers that say no, are called so. */
export const summed = (failed, refused) => (counts) => {
  if (failed === refused) return counts.failed + counts.refused > 0 ? [['red', `${counts.failed + counts.refused} ${failed}`]] : [];
  const both = [
    ['red', counts.refused, refused],
    ['red', counts.failed, failed],
  ];
  return both.filter(([, count]) => count > 0).map(([colour, count, words]) => [colour, `${count} ${words}`]);
};

/** A refusal is said; whatever else is thrown is thrown. */
export function told(error, label, options, hint) {
  if (error instanceof NotFound) {
    label.troubles?.add('absent');
    complain(error, label, options.json);
    return EXIT.notFound;
  }
  if (!(error instanceof EpcisError)) throw error;
  label.troubles?.add('refused');
  complain(error, label, options.json, hint);
  return EXIT.invalid;
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
    return told(error, label, options, bytes && work.mistaken?.(bytes));
  }
}

/** Line by line, each a document of its own. */
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
      code = told(error, here, options);
    }
    worst = Math.max(worst, code);
  }
  progress?.end();
  return worst;
}

export const nameOf = ({ file, line }) => (line === undefined ? file : `${file}:${line}`);
export const membersOf = ({ file, line }) => (line === undefined ? { file } : { file, line });

/** Of a line of NDJSON every place is in that line, not in the first. */
function placed(error, line) {
  const { message, problem } = error;
  if (line === undefined || problem?.location === undefined) return { message, problem };
  const said = `at line ${problem.location.line} column`;
  const at = message.lastIndexOf(said);
  const moved = at < 0 ? message : `${message.slice(0, at)}at line ${line} column${message.slice(at + said.length)}`;
  return { message: moved, problem: { ...problem, detail: moved, location: { ...problem.location, line } } };
}

/** Says on standard error what was refused; `hint`, a line or several, is for people. */
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
