// The inputs of the command line: files, patterns and standard input, read chunk by chunk, so that the first ones tell the format.
import {
  closeSync,
  type Dirent,
  fstatSync,
  mkdtempSync,
  openAsBlob,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, matchesGlob, relative, sep } from 'node:path';
import { ReadableStream as StreamOfNode } from 'node:stream/web';
import { EpcisError } from '../engine/error.ts';
import type { Problem } from '../engine/index.ts';
import { MAX_HEAD, isLines } from './lines.ts';

/** The error of a wrong call. */
export class Usage extends Error {}

/** The error of a file that cannot be read. Its problem document is like that of a gateway for a missing resource. */
export class NotFound extends Error {
  readonly problem: Problem;

  constructor(detail: string) {
    super(detail);
    this.problem = { type: 'epcisException:NoSuchResourceException', title: 'No such file', status: 404, detail };
  }
}

/** Files longer than this are streamed if the command can stream, in bytes. */
export const LONG = 8 * 1024 * 1024;

/** The longest document that is read as a whole, in bytes: the limit of the engine. */
const MAX_WHOLE = 2 ** 28 - 1;
const CHUNK = 65_536;

const JSON_FILES = ['.json', '.jsonld', '.ndjson', '.jsonl'];
const XML_FILES = ['.xml'];
/** The file name endings of documents in a folder. */
export const ENDINGS = { json: JSON_FILES, xml: XML_FILES, both: [...JSON_FILES, ...XML_FILES] };

/** An input: a file, or why there is none. */
export interface Named {
  readonly file: string;
  readonly error?: NotFound;
}

/**
 * The inputs that the arguments name, in order: files, the documents in folders, the files that match patterns, and standard input for
 * `-` or without arguments. A missing file is an entry with an `error`, so that the others are still processed.
 */
export function inputs(names: readonly string[], endings: readonly string[] = ENDINGS.both): Named[] {
  return (names.length === 0 ? ['-'] : names).flatMap((name): Named[] => {
    if (name === '-') return [{ file: '-' }];
    try {
      return expand(name, endings).map((file) => ({ file }));
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return [{ file: name, error }];
    }
  });
}

/** Whether a name after `-o` is that of a folder, which need not be there yet. */
export const isFolder = (name: string | undefined): name is `${string}${'/' | typeof sep}` => name !== undefined && (name.endsWith('/') || name.endsWith(sep));

type Chunk = Buffer<ArrayBuffer>;

/** One open input. */
export class Input {
  /** The name of the file, or `-`. */
  readonly file: string;
  /** The size in bytes, if known. */
  readonly size: number | undefined;
  #descriptor: number;
  #head: Chunk[] = [];
  #headLength = 0;
  #isAtEnd = false;
  /** A temporary folder that holds a copy of standard input. */
  #kept: string | undefined;

  constructor(file: string) {
    this.file = file;
    this.#descriptor = file === '-' ? 0 : guarded(file, () => openSync(file, 'r'));
    const stats = fstatSync(this.#descriptor);
    if (stats.isDirectory()) {
      this.close();
      throw new NotFound(`cannot read ${file}: ${FOLDER}`);
    }
    this.size = stats.isFile() ? stats.size : undefined;
  }

  close(): void {
    if (this.#descriptor > 2) closeSync(this.#descriptor);
    this.#descriptor = -1;
    if (this.#kept) rmSync(this.#kept, { recursive: true, force: true });
    this.#kept = undefined;
  }

  #next(): Chunk | undefined {
    if (this.#isAtEnd || this.#descriptor < 0) return undefined;
    const chunk = readChunk(this.#descriptor, this.file);
    this.#isAtEnd = chunk === undefined;
    return chunk;
  }

  /** Reads one chunk ahead. Returns false at the end. */
  #more(): boolean {
    const chunk = this.#next();
    if (chunk === undefined) return false;
    this.#head.push(chunk);
    this.#headLength += chunk.length;
    return true;
  }

  /** Whether the input is NDJSON, judged by its first two lines. */
  isLines(): boolean {
    for (;;) {
      const [first, ...others] = this.#head;
      const verdict = isLines(first !== undefined && others.length === 0 ? first : Buffer.concat(this.#head));
      if (verdict !== undefined) return verdict;
      // Read twice as much each time, so that a long first line is examined only a few times.
      const until = Math.max(CHUNK, 2 * this.#headLength);
      if (this.#headLength > MAX_HEAD || !this.#more()) return false;
      while (this.#headLength < until && this.#more());
    }
  }

  /** The first chunk. */
  start(): Uint8Array<ArrayBuffer> {
    if (this.#head.length === 0) this.#more();
    return this.#head[0] ?? new Uint8Array();
  }

  /** Whether the input is longer than `LONG`, so that it should be streamed. */
  isLong(): boolean {
    if (this.size !== undefined) return this.size > LONG;
    while (this.#headLength <= LONG) if (!this.#more()) return false;
    return true;
  }

  /** The chunks of the input. They can be read only once. */
  *chunks(): Generator<Chunk> {
    yield* this.#head.splice(0);
    for (let chunk = this.#next(); chunk !== undefined; chunk = this.#next()) yield chunk;
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return StreamOfNode.from(this.chunks()) as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  /** The input as a Blob, which can be read more than once. Standard input is copied to a temporary file until `close`. */
  async blob(): Promise<Blob> {
    if (this.file !== '-' && this.size !== undefined) return openAsBlob(this.file);
    this.#kept = mkdtempSync(join(tmpdir(), 'epcis-edge-'));
    const file = join(this.#kept, 'input');
    const kept = openSync(file, 'wx', 0o600);
    try {
      for (const chunk of this.chunks()) for (let at = 0; at < chunk.length; ) at += writeSync(kept, chunk, at);
    } finally {
      closeSync(kept);
    }
    return openAsBlob(file);
  }

  /** The whole input as bytes. @throws {EpcisError} if it is too long; `hint` tells what accepts longer ones */
  whole(hint: string | undefined): Chunk {
    const tooLong = () => {
      const detail = `${this.file === '-' ? 'standard input' : this.file} is longer than 256 MiB, the limit for a document read as a whole; ${hint}`;
      return new EpcisError(detail, { type: 'epcisException:CaptureLimitExceededException', title: 'Payload exceeds the limit', status: 413, detail });
    };
    if (this.size !== undefined && this.size > MAX_WHOLE) throw tooLong();
    const read: Chunk[] = [];
    let length = 0;
    for (const chunk of this.chunks()) {
      read.push(chunk);
      length += chunk.length;
      if (length > MAX_WHOLE) throw tooLong();
    }
    return Buffer.concat(read);
  }
}

/** The chunks of a file. */
export function* chunksOf(file: string): Generator<Chunk> {
  const input = new Input(file);
  try {
    yield* input.chunks();
  } finally {
    input.close();
  }
}

function readChunk(descriptor: number, file: string): Chunk | undefined {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    try {
      const length = readSync(descriptor, buffer);
      return length === 0 ? undefined : buffer.subarray(0, length);
    } catch (error) {
      // EAGAIN: a terminal or pipe has no data yet. EOF: Windows reports the end of a pipe this way.
      const code = codeOf(error);
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      else if (code === 'EOF') return undefined;
      else throw refusedReading(file, error);
    }
  }
}

const FOLDER = 'it is a folder, expected a file';
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: FOLDER,
  EACCES: 'it is not readable',
  EPERM: 'it is not readable',
  ELOOP: 'its links go in a circle',
  ENAMETOOLONG: 'there is no such file',
};

/** The text of a file in which a command keeps its state; undefined if there is none. */
export function stateIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new NotFound(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** The code of an error of the system, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined => (error as Partial<NodeJS.ErrnoException> | null)?.code;

/** The error of a file that the system does not let be read; any other error as it is. */
function refusedReading(file: string, error: unknown): unknown {
  const why = WHY[codeOf(error) ?? ''];
  return why === undefined ? error : new NotFound(`cannot read ${file}: ${why}`);
}

export function guarded<Answer>(file: string, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    throw refusedReading(file, error);
  }
}

/** The files that an argument names: itself, the documents in a folder, or the matches of a pattern, sorted. */
function expand(name: string, endings: readonly string[]): string[] {
  const stats = statSync(name, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return documentsIn(name, endings);
  return stats || !/[*?[{]/.test(name) ? [name] : matching(name);
}

const isFile = (entry: Dirent, file: string): boolean =>
  entry.isFile() || (entry.isSymbolicLink() && statSync(file, { throwIfNoEntry: false })?.isFile() === true);

/** The files below a folder. */
const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    return isFile(entry, file) ? [file] : [];
  });

/** The files in a folder with one of the endings, apart from hidden folders and `node_modules`. */
function documentsIn(folder: string, endings: readonly string[]): string[] {
  const isApart = (part: string) => part.startsWith('.') || part === 'node_modules';
  const files = guarded(folder, () => below(folder)).filter(
    (file) => endings.includes(extname(file).toLowerCase()) && !relative(folder, file).split(sep).some(isApart),
  );
  if (files.length === 0) throw new NotFound(`no file in ${folder} ends in ${endings.join(' or ')}`);
  return files.sort();
}

function matching(name: string): string[] {
  const fixed = name.slice(0, name.search(/[*?[{]/));
  const folder = fixed.endsWith('/') ? fixed : dirname(fixed === '' ? '.' : `${fixed}x`);
  const pattern = (relative('.', name) || name).split(sep).join('/');
  let files: string[] = [];
  try {
    files = below(folder);
  } catch {
    // Without the folder, no file matches.
  }
  const found = files.map((file) => relative('.', file)).filter((file) => matchesGlob(file, pattern));
  if (found.length === 0) throw new NotFound(`no file matches ${name}`);
  return found.sort();
}
