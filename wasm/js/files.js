// What the command line reads: files, patterns and standard input, a chunk at a time, so that it can be told what they are.
import { closeSync, fstatSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import path, { dirname, join, relative, sep } from 'node:path';
import { EpcisError } from './error.js';
import { MAX_HEAD, isLines } from './lines.js';

/** A mistake in the call: the sentence, and where to read on. */
export class Usage extends Error {}

/** A file that cannot be read; its problem is that of the gateway for what is not there. */
export class NotFound extends Error {
  constructor(detail) {
    super(detail);
    this.problem = { type: 'epcisException:NoSuchResourceException', title: 'No such file', status: 404, detail };
  }
}

/** Files longer than this go through a stream, where the command has one. */
export const LONG = 8 * 1024 * 1024;

/** The longest document that is read as a whole, in bytes: what the engine takes. */
const MAX_WHOLE = 2 ** 28 - 1;
const CHUNK = 65_536;

/**
 * The inputs that the arguments name, in their order: standard input for none and for `-`, files, what patterns match.
 * What is not there is an entry too, with its `error`: the others get their turn.
 */
export function inputs(names) {
  return (names.length === 0 ? ['-'] : names).flatMap((name) => {
    if (name === '-') return [{ file: '-' }];
    try {
      return expand(name).map((file) => ({ file }));
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return [{ file: name, error }];
    }
  });
}

/** One input that is open. */
export class Input {
  #descriptor;
  #head = [];
  #headLength = 0;
  #isAtEnd = false;

  constructor(file) {
    this.file = file;
    this.#descriptor = file === '-' ? 0 : guarded(file, () => openSync(file, 'r'));
    const stats = fstatSync(this.#descriptor);
    if (stats.isDirectory()) {
      this.close();
      throw new NotFound(`cannot read ${file}: ${FOLDER}`);
    }
    /** In bytes, where it is known. */
    this.size = stats.isFile() ? stats.size : undefined;
  }

  close() {
    if (this.#descriptor > 2) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }

  #next() {
    if (this.#isAtEnd || this.#descriptor < 0) return undefined;
    const chunk = readChunk(this.#descriptor, this.file);
    this.#isAtEnd = chunk === undefined;
    return chunk;
  }

  /** Reads ahead. */
  #more() {
    const chunk = this.#next();
    if (chunk === undefined) return false;
    this.#head.push(chunk);
    this.#headLength += chunk.length;
    return true;
  }

  /** Whether this is JSON line by line, which its first two lines tell. */
  isLines() {
    for (;;) {
      const verdict = isLines(this.#head.length === 1 ? this.#head[0] : Buffer.concat(this.#head));
      if (verdict !== undefined) return verdict;
      // Twice as much each time: a long first line is looked at a few times only.
      const until = Math.max(CHUNK, 2 * this.#headLength);
      if (this.#headLength > MAX_HEAD || !this.#more()) return false;
      while (this.#headLength < until && this.#more());
    }
  }

  /** The first chunk. */
  start() {
    if (this.#head.length === 0) this.#more();
    return this.#head[0] ?? new Uint8Array();
  }

  /** Whether there is more than what is read as a whole where there is a stream, or may be. */
  isLong() {
    if (this.size !== undefined) return this.size > LONG;
    while (this.#headLength <= LONG) if (!this.#more()) return false;
    return true;
  }

  /** The chunks, once. */
  *chunks() {
    yield* this.#head.splice(0);
    for (let chunk = this.#next(); chunk !== undefined; chunk = this.#next()) yield chunk;
  }

  stream() {
    return ReadableStream.from(this.chunks());
  }

  /** All of it, if that is not too much; `hint` says what takes longer ones. */
  whole(hint) {
    const tooLong = () => {
      const detail = `${this.file === '-' ? 'standard input' : this.file} is longer than 256 MiB, the most that is read as a whole; ${hint}`;
      return new EpcisError(detail, { type: 'epcisException:CaptureLimitExceededException', title: 'Payload exceeds the limit', status: 413, detail });
    };
    if (this.size > MAX_WHOLE) throw tooLong();
    const read = [];
    let length = 0;
    for (const chunk of this.chunks()) {
      read.push(chunk);
      length += chunk.length;
      if (length > MAX_WHOLE) throw tooLong();
    }
    return Buffer.concat(read);
  }
}

function readChunk(descriptor, file) {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    try {
      const length = readSync(descriptor, buffer);
      return length === 0 ? undefined : buffer.subarray(0, length);
    } catch (error) {
      // A terminal or pipe that has nothing just now, and the way in which Windows tells the end of a pipe.
      if (error.code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      else if (error.code === 'EOF') return undefined;
      else if (error.code in WHY) throw new NotFound(`cannot read ${file}: ${WHY[error.code]}`);
      else throw error;
    }
  }
}

const FOLDER = "it is a folder: name the files in it, such as 'folder/**/*.json' in quotes";
const WHY = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: FOLDER,
  EACCES: 'it is not readable',
  EPERM: 'it is not readable',
  ELOOP: 'its links go in a circle',
  ENAMETOOLONG: 'there is no such file',
};

export function guarded(file, work) {
  try {
    return work();
  } catch (error) {
    if (error.code in WHY) throw new NotFound(`cannot read ${file}: ${WHY[error.code]}`);
    throw error;
  }
}

/** A name as it is, or the files that a pattern names, sorted. */
function expand(name) {
  if (!/[*?[{]/.test(name) || statSync(name, { throwIfNoEntry: false })) return [name];
  if (path.matchesGlob === undefined) throw new Usage(`the pattern ${name} must be expanded by the shell: this Node.js cannot`);
  const fixed = name.slice(0, name.search(/[*?[{]/));
  const folder = fixed.endsWith('/') ? fixed : dirname(fixed === '' ? '.' : `${fixed}x`);
  const pattern = relative('.', name) || name;
  let entries = [];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    // No such folder: no such file.
  }
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative('.', join(entry.parentPath, entry.name)))
    .filter((file) => path.matchesGlob(file.split(sep).join('/'), pattern));
  if (files.length === 0) throw new NotFound(`no file matches ${name}`);
  return files.sort();
}
