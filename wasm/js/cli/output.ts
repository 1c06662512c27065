// The output of the command line: standard output, or a file that appears only when it is complete.
//
// Why is a file never opened under its final name?
// It would be empty if the command fails, and a planted symbolic link could make it overwrite another file. So it is written beside
// its place, under a fresh name that must not exist, and then renamed. Renaming replaces the link itself, not its target.
import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, lstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { codeOf, Usage } from './files.ts';
import { harmlessJson, harmlessPayload, hasColours, type Line, linesForPeople, type PayloadKind } from './harmless.ts';

/** The folders of devices and open files, which cannot be replaced. */
const DEVICES = /^\/(dev|proc)(\/|$)/;
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'it is not writable',
  EPERM: 'it is not writable',
  EROFS: 'it is not writable',
};

export function refused(file: string, error: unknown): Usage {
  const code = codeOf(error);
  return new Usage(`cannot write ${file}: ${WHY[code ?? ''] ?? code ?? (error as Error).message}`);
}

/** A file that gets its name, and replaces an older one, when it is complete. */
class WholeFile {
  readonly #file: string;
  #partial: string | undefined;
  #descriptor: number | undefined;

  /** @throws {Usage} if it cannot be written */
  constructor(file: string) {
    this.#file = file;
    try {
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Usage(`cannot write ${file}: it is a folder, expected a file`);
      const stats = lstatSync(file, { throwIfNoEntry: false });
      // A device or a pipe is written directly.
      if (DEVICES.test(resolve(file)) || (stats && !stats.isFile() && !stats.isSymbolicLink())) {
        this.#descriptor = openSync(file, 'w');
        return;
      }
      const partial = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomBytes(9).toString('hex')}.partial`);
      const descriptor = openSync(partial, 'wx');
      this.#descriptor = descriptor;
      this.#partial = partial;
      // Keep the permissions of the old file.
      if (stats?.isFile()) fchmodSync(descriptor, stats.mode & 0o777);
    } catch (error) {
      this.drop();
      throw error instanceof Usage ? error : refused(file, error);
    }
  }

  write(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new Error(`${this.#file} is closed`);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    } catch (error) {
      throw refused(this.#file, error);
    }
  }

  /** Gives the complete file its name. */
  keep(): void {
    this.#close();
    try {
      if (this.#partial) renameSync(this.#partial, this.#file);
    } catch (error) {
      this.drop();
      throw refused(this.#file, error);
    }
    this.#partial = undefined;
  }

  /** Discards the file. An older one stays unchanged. */
  drop(): void {
    this.#close();
    if (this.#partial) rmSync(this.#partial, { force: true });
    this.#partial = undefined;
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Writes a complete file, or leaves an existing one unchanged. @throws {Usage} if it cannot be written */
export function writeWhole(file: string, bytes: string | Uint8Array): void {
  const whole = new WholeFile(file);
  try {
    whole.write(bytes);
  } catch (error) {
    whole.drop();
    throw error;
  }
  whole.keep();
}

/** Writes a chunk to standard output, unchanged. */
const put = (chunk: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error && codeOf(error) !== 'EPIPE' ? reject(error) : resolve()));
  });

export class Output {
  readonly #file: WholeFile | undefined;
  #isEmpty = true;
  #isCut = false;
  readonly #decoder = new StringDecoder('utf8');

  /** @param file the name of the file; standard output if absent */
  constructor(file?: string) {
    // These names mean standard output, even if it is redirected to a file.
    const isStandard = file === undefined || file === '-' || file === '/dev/stdout' || file === '/dev/fd/1';
    if (!isStandard) this.#file = new WholeFile(file);
  }

  /** Whether the output goes to a terminal. */
  get isTerminal(): boolean {
    return this.#file === undefined && process.stdout.isTTY === true;
  }

  /** Writes a payload unchanged, or on a terminal with its control characters escaped. Waits for a slow reader. */
  write(chunk: string | Uint8Array, kind: PayloadKind = 'text'): Promise<void> {
    this.#isEmpty &&= chunk.length === 0;
    if (this.#file !== undefined) {
      this.#file.write(chunk);
      return Promise.resolve();
    }
    return put(this.isTerminal ? harmlessPayload(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk), kind) : chunk);
  }

  /** Writes a payload, ended by a line feed. */
  print(text: string, kind?: PayloadKind): Promise<void> {
    return this.write(text.endsWith('\n') ? text : `${text}\n`, kind);
  }

  /** Writes values as lines, unchanged. On a terminal each value stays on one line, with its line feeds escaped. */
  lines(values: readonly string[]): Promise<void> {
    return this.write(this.isTerminal ? linesForPeople(values) : values.map((value) => `${value}\n`).join(''));
  }

  /** Writes lines for people, in colours on a terminal. */
  say(...lines: readonly Line[]): Promise<void> {
    if (this.#file !== undefined) return this.write(linesForPeople(lines));
    this.#isEmpty &&= lines.length === 0;
    return put(linesForPeople(lines, hasColours(process.stdout)));
  }

  /** Writes a value as a line of JSON, with control characters escaped. */
  json(value: unknown): Promise<void> {
    return this.print(harmlessJson(JSON.stringify(value)));
  }

  /** Whether nothing was written. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Marks the output as incomplete, so that no file is kept. */
  cut(): void {
    this.#isCut = true;
  }

  /** Keeps the file. But if the command failed and wrote nothing or only a part, discards it, and an older file stays. */
  keep(hasFailed: boolean): void {
    if (hasFailed && (this.#isEmpty || this.#isCut)) this.drop();
    else this.#file?.keep();
  }

  /** Discards the file, if the output goes to one. */
  drop(): void {
    this.#file?.drop();
  }
}
