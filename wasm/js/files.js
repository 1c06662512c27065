// What the command line reads: files, patterns and standard input, a chunk at a time, so that it can be told what they are.
import { closeSync, fstatSync, mkdtempSync, openAsBlob, openSync, readSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, sep } from 'node:path';
import { EpcisError } from './error.js';
import { MAX_HEAD, isLines } from './lines.js';
import { isPattern, matcherOf } from './patterns.js';

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

const JSON_FILES = ['.json', '.jsonld', '.ndjson', '.jsonl'];
const XML_FILES = ['.xml'];
/** Which files of a folder are documents. */
export const ENDINGS = { json: JSON_FILES, xml: XML_FILES, both: [...JSON_FILES, ...XML_FILES] };

/**
 * The inputs that the arguments name, in their order: standard input for none and for `-`, files, the documents of folders, what
 * patterns match. What is not there is an entry too, with its `error`: the others get their turn.
 */
export function inputs(names, endings = ENDINGS.both) {
  return (names.length === 0 ? ['-'] : names).flatMap((name) => {
    if (name === '-') return [{ file: '-' }];
    try {
      return expand(name, endings).map((file) => ({ file }));
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
  /** A folder with what came through a pipe. */
  #kept;

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
    if (this.#kept) rmSync(this.#kept, { recursive: true, force: true });
    this.#kept = undefined;
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

  /** All of it, to be read more than once; what has no name is kept in a file until this is closed. */
  async blob() {
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

/** The chunks of a file. */
export function* chunksOf(file) {
  const input = new Input(file);
  try {
    yield* input.chunks();
  } finally {
    input.close();
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

const FOLDER = 'it is a folder, expected a file';
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

/** A name as it is, the documents of a folder, or the files that a pattern names, sorted. */
function expand(name, endings) {
  const stats = statSync(name, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return documentsIn(name, endings);
  return stats || !isPattern(name) ? [name] : matching(name);
}

const isFile = (entry, file) => entry.isFile() || (entry.isSymbolicLink() && statSync(file, { throwIfNoEntry: false })?.isFile() === true);

/** The files below a folder. */
const below = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    return isFile(entry, file) ? [file] : [];
  });

/** Documents by the ends of their names; hidden folders and installed packages have none. */
function documentsIn(folder, endings) {
  const isApart = (part) => part.startsWith('.') || part === 'node_modules';
  const files = guarded(folder, () => below(folder)).filter(
    (file) => endings.includes(extname(file).toLowerCase()) && !relative(folder, file).split(sep).some(isApart),
  );
  if (files.length === 0) throw new NotFound(`no file in ${folder} ends in ${endings.join(' or ')}`);
  return files.sort();
}

function matching(name) {
  const fixed = name.slice(0, name.search(/[*?[{]/));
  const folder = fixed.endsWith('/') ? fixed : dirname(fixed === '' ? '.' : `${fixed}x`);
  const pattern = (relative('.', name) || name).split(sep).join('/');
  let isMatch;
  try {
    isMatch = matcherOf(pattern);
  } catch (error) {
    throw new Usage(error.message);
  }
  let files = [];
  try {
    files = below(folder);
  } catch {
    // No such folder: no such file.
  }
  const found = files.map((file) => relative('.', file)).filter((file) => isMatch(file.split(sep).join('/')));
  if (found.length === 0) throw new NotFound(`no file matches ${name}`);
  return found.sort();
}
