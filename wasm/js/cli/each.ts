// Runs a command on its inputs, one after the other, and reports those that cannot be read or processed.
import tty from 'node:tty';
import { isMainThread } from 'node:worker_threads';
import { EpcisError } from '../engine/error.ts';
import type { Problem } from '../engine/index.ts';
import type { Options } from './command.ts';
import { Input, inputs, NotFound } from './files.ts';
import { type Colour, harmlessJson, paint, tell } from './harmless.ts';
import type { Output } from './output.ts';
import { TOO_LONG, numbered } from './lines.ts';
import { Progress, QUICK } from './progress.ts';

export const EXIT = { ok: 0, defect: 1, usage: 2, notFound: 3, invalid: 4 } as const;

/** The longest line of NDJSON, in bytes. An event has at most 16 MiB. */
const MAX_LINE = 64 * 1024 * 1024;

/** A document by the name of its file; a line of NDJSON is a document of its own. */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
}

/** A document of a command. */
export interface Label extends Place {
  readonly isOneOfMany: boolean;
  readonly troubles: Set<string>;
  readonly refused: Work<never>['refused'];
}

/** What a refusal says. */
export interface Refusal {
  readonly message: string;
  readonly problem: Problem;
}

/** Words with the colour in which they stand. */
export type Coloured = readonly [Colour, string];

/** How many inputs had a negative answer, could not be processed, could not be read. */
interface Counts {
  failed: number;
  refused: number;
  absent: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The functions of a command. */
export interface Work<Answer> {
  /** The file name endings of documents in a folder. */
  readonly endings?: readonly string[];
  /** Processes a document, or a line of NDJSON. */
  whole(bytes: Bytes): Answer;
  /** Prints an answer, and returns the exit code. */
  print(label: Label, answer: Answer): number | Promise<number>;
  /** Does both for a long document. */
  readonly stream?: ((label: Label, bytes: ReadableStream<Bytes>, progress: Progress | undefined) => Promise<number>) | undefined;
  /** Does both for a long document that must be read twice. */
  readonly twice?: ((label: Label, blob: Blob) => Promise<number>) | undefined;
  /** `whole` in another thread. */
  readonly aside?: ((bytes: Bytes) => Promise<Answer>) | undefined;
  /** Says from the start of a document that it cannot be streamed. */
  isWhole?(bytes: Uint8Array): boolean;
  /** `false` if the command reads no NDJSON. */
  readonly line?: false;
  /** Tells what accepts longer files. */
  readonly hint?: string;
  /** Tells what a refused document may be instead, or how to have it. */
  mistaken?(bytes: Uint8Array, error: EpcisError): string | false | undefined;
  /** Called for each input that could not be read or processed. */
  readonly refused?: ((label: Label, refusal: Refusal) => unknown) | undefined;
  /** The closing words about faults in several files. */
  readonly sum?: ((counts: Counts) => Coloured[]) | undefined;
  /** The closing words if there is none. */
  readonly fine?: string;
  /** Where the closing words go if it is not empty. */
  readonly output?: Output;
}

/**
 * Runs a command on its inputs. An input that cannot be read or processed is reported, and the others are still processed.
 *
 * @returns the exit code, the highest of all inputs
 */
export async function each<Answer>(names: readonly string[], options: Options, work: Work<Answer>): Promise<number> {
  const list = inputs(names, work.endings);
  const counts: Counts = { failed: 0, refused: 0, absent: 0 };
  let worst: number = EXIT.ok;
  for (const { file, error } of list) {
    const label: Label = { file, isOneOfMany: list.length > 1, troubles: new Set(), refused: work.refused };
    let code: number;
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
    const trouble = (['absent', 'refused'] as const).find((name) => label.troubles.has(name)) ?? (code === EXIT.invalid ? 'failed' : undefined);
    if (trouble) counts[trouble] += 1;
  }
  if (list.length > 1 && work.sum && !options.quiet && !options.json) await sumUp(list.length, work.sum(counts), counts, work);
  return worst;
}

const END_OF_INPUT = process.platform === 'win32' ? 'Ctrl-Z and Enter end it' : 'Ctrl-D ends it';

/** Writes the closing line of several files: after the answers, or to standard error if these are a payload. */
async function sumUp(length: number, sums: Coloured[], counts: Counts, { fine = '', output }: Pick<Work<never>, 'fine' | 'output'>): Promise<void> {
  if (counts.absent > 0) sums.push(['red', `${counts.absent} not read`]);
  const words = sums.length === 0 ? [', ', paint('green', fine)] : sums.flatMap(([colour, text]) => [', ', paint(colour, text)]);
  const line = [`${length} files`, ...words];
  // An output file never gets only the closing line: then it goes to standard error.
  if (output && !output.isEmpty) await output.say(line);
  else tell(line);
}

/** Makes the `sum` of a command: `failed` are the words for negative answers, `refused` for documents that could not be processed. */
export const summed =
  (failed: string, refused: string) =>
  (counts: Counts): Coloured[] => {
    if (failed === refused) return counts.failed + counts.refused > 0 ? [['red', `${counts.failed + counts.refused} ${failed}`]] : [];
    const both = [
      [counts.refused, refused],
      [counts.failed, failed],
    ] as const;
    return both.filter(([count]) => count > 0).map(([count, words]) => ['red', `${count} ${words}`]);
  };

/** Reports a refusal or a missing file, and returns the exit code. Throws any other error on. */
export async function told(error: unknown, label: Place & Partial<Label>, options: Options, hint?: string | false): Promise<number> {
  const isAbsent = error instanceof NotFound;
  if (!isAbsent && !(error instanceof EpcisError)) throw error;
  label.troubles?.add(isAbsent ? 'absent' : 'refused');
  complain(error, label, options.json, isAbsent ? undefined : hint);
  await label.refused?.(label as Label, placed(error, label.line) as Refusal);
  return isAbsent ? EXIT.notFound : EXIT.invalid;
}

async function one<Answer>(input: Input, label: Label, options: Options, work: Work<Answer>): Promise<number> {
  const progress = Progress.of(input.file, input.size, options.quiet);
  let bytes: Bytes | undefined;
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
    const aside = bytes.length > QUICK && isMainThread ? work.aside : undefined;
    const answer = progress && aside ? await progress.during(aside(bytes)) : work.whole(bytes);
    progress?.end();
    return await work.print(label, answer);
  } catch (error) {
    progress?.end();
    if (!(error instanceof EpcisError)) throw error;
    return await told(error, label, options, work.mistaken?.(bytes ?? new Uint8Array(), error));
  }
}

/** Processes NDJSON line by line. Each line is a document of its own. */
async function lines<Answer>(input: Input, label: Label, options: Options, work: Work<Answer>, progress: Progress | undefined): Promise<number> {
  let worst: number = EXIT.ok;
  for (const [line, bytes, done] of numbered(input.chunks(), MAX_LINE)) {
    const here = { ...label, line };
    let code: number;
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

export const nameOf = ({ file, line }: Place): string => (line === undefined ? file : `${file}:${line}`);
export const membersOf = ({ file, line }: Place): Place => (line === undefined ? { file } : { file, line });

/** What is told of an error. */
interface Told {
  readonly message: string;
  readonly problem?: Partial<Problem> | undefined;
}

/** Corrects the line number in an error about a line of NDJSON: the engine saw only that line, as line 1. */
function placed(error: Told, line: number | undefined): Told {
  const { message, problem } = error;
  if (line === undefined || problem?.location === undefined) return { message, problem };
  const said = `at line ${problem.location.line} column`;
  const at = message.lastIndexOf(said);
  const moved = at < 0 ? message : `${message.slice(0, at)}at line ${line} column${message.slice(at + said.length)}`;
  return { message: moved, problem: { ...problem, detail: moved, location: { ...problem.location, line } } };
}

/** Reports a refusal on standard error. `hint`, one or several lines, is not part of JSON output. */
export function complain(error: Told, label: Place | undefined, asJson?: boolean, hint?: string | readonly string[] | false): void {
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
