// Where the payload of the command line goes: standard output, or a file that is there when it is whole.
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { Usage } from './files.js';

export class Output {
  #file;
  #partial;
  #descriptor;

  /** @param file standard output where there is none */
  constructor(file) {
    this.#file = file;
    if (file === undefined || file === '-') return;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new Usage(`cannot write ${file}: it is a folder, expected a file after --output`);
    // A device or a pipe is written as it is: it cannot be replaced.
    if (stats === undefined || stats.isFile()) this.#partial = `${file}.${process.pid}.partial`;
    try {
      this.#descriptor = openSync(this.#partial ?? file, 'w');
    } catch (error) {
      throw new Usage(`cannot write ${file}: ${error.code === 'ENOENT' ? 'there is no such folder' : error.message}`);
    }
  }

  /** Waits for a reader that is slower than we are. */
  write(chunk) {
    if (this.#descriptor !== undefined) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error && error.code !== 'EPIPE' ? reject(error) : resolve()));
    });
  }

  /** A text, in a line of its own. */
  print(text) {
    return this.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  json(value) {
    return this.print(JSON.stringify(value));
  }

  /** The file is there now, as a whole. */
  keep() {
    this.#close(() => this.#partial && renameSync(this.#partial, this.#file));
  }

  /** As if nothing had been written to a file. */
  drop() {
    this.#close(() => this.#partial && rmSync(this.#partial, { force: true }));
  }

  #close(then) {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    then();
  }
}
