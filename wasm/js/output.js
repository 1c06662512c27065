// Where the payload of the command line goes: standard output, or a file that is there when it is whole.
//
// Why is a file never opened where it is to be?
// Opened there, it would be empty when the command fails, and a symbolic link that somebody planted would say which file is
// overwritten. So it is written beside its place, under a fresh name that must not exist, and renamed: that replaces the link itself.
import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, lstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { Usage } from './files.js';
import { harmlessJson, harmlessPayload, hasColours, linesForPeople } from './harmless.js';

/** Where systems show devices and open files; what is there cannot be replaced. */
const DEVICES = /^\/(dev|proc)(\/|$)/;
const WHY = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'it is not writable',
  EPERM: 'it is not writable',
  EROFS: 'it is not writable',
};

export const refused = (file, error) => new Usage(`cannot write ${file}: ${WHY[error.code] ?? error.code ?? error.message}`);

/** A file that takes the place of the one of its name when it is whole. */
class WholeFile {
  #file;
  #partial;
  #descriptor;

  /** @throws {Usage} where it cannot be written */
  constructor(file) {
    this.#file = file;
    try {
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Usage(`cannot write ${file}: it is a folder, expected a file`);
      const stats = lstatSync(file, { throwIfNoEntry: false });
      // A device or a pipe is written as it is.
      if (DEVICES.test(resolve(file)) || (stats && !stats.isFile() && !stats.isSymbolicLink())) {
        this.#descriptor = openSync(file, 'w');
        return;
      }
      const partial = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomBytes(9).toString('hex')}.partial`);
      this.#descriptor = openSync(partial, 'wx');
      this.#partial = partial;
      // Who could not read the old one shall not read the new one.
      if (stats?.isFile()) fchmodSync(this.#descriptor, stats.mode & 0o777);
    } catch (error) {
      this.drop();
      throw error instanceof Usage ? error : refused(file, error);
    }
  }

  write(chunk) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    } catch (error) {
      throw refused(this.#file, error);
    }
  }

  /** The file is there now, as a whole. */
  keep() {
    this.#close();
    try {
      if (this.#partial) renameSync(this.#partial, this.#file);
    } catch (error) {
      this.drop();
      throw refused(this.#file, error);
    }
    this.#partial = undefined;
  }

  /** As if nothing had been written to it. */
  drop() {
    this.#close();
    if (this.#partial) rmSync(this.#partial, { force: true });
    this.#partial = undefined;
  }

  #close() {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Writes a file as a whole, or leaves what is there as it is. @throws {Usage} where it cannot be written */
export function writeWhole(file, bytes) {
  const whole = new WholeFile(file);
  try {
    whole.write(bytes);
  } catch (error) {
    whole.drop();
    throw error;
  }
  whole.keep();
}

/** Writes to standard output, as it is. */
const put = (chunk) =>
  new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error && error.code !== 'EPIPE' ? reject(error) : resolve()));
  });

export class Output {
  #file;
  #isEmpty = true;
  #isCut = false;
  #decoder = new StringDecoder('utf8');

  /** @param file standard output where there is none */
  constructor(file) {
    // Its links lead to the same place, which may be a file.
    const isStandard = file === undefined || file === '-' || file === '/dev/stdout' || file === '/dev/fd/1';
    if (!isStandard) this.#file = new WholeFile(file);
  }

  /**
   * A payload as it is; on a terminal without what that would obey. Waits for a reader that is slower than we are.
   *
   * @param kind of the payload, where it is a document: `json` or `xml`
   */
  write(chunk, kind = 'text') {
    this.#isEmpty &&= chunk.length === 0;
    if (this.#file !== undefined) {
      this.#file.write(chunk);
      return Promise.resolve();
    }
    return put(process.stdout.isTTY ? harmlessPayload(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk), kind) : chunk);
  }

  /** A payload, in a line of its own. */
  print(text, kind) {
    return this.write(text.endsWith('\n') ? text : `${text}\n`, kind);
  }

  /** A payload of lines, each value as it is; on a terminal a value is one line, whatever is in it. */
  lines(values) {
    const isShown = this.#file === undefined && process.stdout.isTTY;
    return this.write(isShown ? linesForPeople(values) : values.map((value) => `${value}\n`).join(''));
  }

  /** Lines for people, in colours where they are shown. */
  say(...lines) {
    if (this.#file !== undefined) return this.write(linesForPeople(lines));
    this.#isEmpty &&= lines.length === 0;
    return put(linesForPeople(lines, hasColours(process.stdout)));
  }

  /** A value in a line of JSON, which escapes what a terminal would obey. */
  json(value) {
    return this.print(harmlessJson(JSON.stringify(value)));
  }

  /** Whether nothing was written. */
  get isEmpty() {
    return this.#isEmpty;
  }

  /** What was written is part of something: no file shall have it. */
  cut() {
    this.#isCut = true;
  }

  /** The file is there now, as a whole; what was there before stays where a command has failed and said nothing, or a part. */
  keep(hasFailed) {
    if (hasFailed && (this.#isEmpty || this.#isCut)) this.drop();
    else this.#file?.keep();
  }

  /** As if nothing had been written to a file. */
  drop() {
    this.#file?.drop();
  }
}
