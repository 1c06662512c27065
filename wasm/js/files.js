// What the command line reads: files, patterns and standard input, as bytes or, where they are long, as streams.
import { closeSync, createReadStream, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import path, { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';

/** A mistake in the call: the sentence, and where to read on. */
export class Usage extends Error {}
/** A file that cannot be read. */
export class NotFound extends Error {}

/** Files longer than this go through a stream, where the command has one. */
export const LONG = 8 * 1024 * 1024;

/**
 * The files that the arguments name, one at a time: `{file, size, bytes()}`, or `{file, size, stream()}` where `streams` and it is
 * long; of standard input the size is not known.
 */
export function* inputs(names, streams) {
  if (names.length === 0) names = ['-'];
  for (const name of names) {
    if (name === '-') yield standardInput(streams);
    else for (const file of expand(name)) yield input(file, streams);
  }
}

function input(file, streams) {
  const size = guarded(file, () => {
    closeSync(openSync(file, 'r'));
    const { size } = statSync(file);
    return size;
  });
  const isLong = streams && size > LONG;
  return {
    file,
    size,
    ...(isLong ? { stream: () => Readable.toWeb(createReadStream(file, { highWaterMark: 65_536 })) } : { bytes: () => guarded(file, () => readFileSync(file)) }),
  };
}

/** Standard input is read until it ends or is long. */
function standardInput(streams) {
  if (!streams) return { file: '-', bytes: () => readFileSync(0) };
  const read = [];
  let length = 0;
  for (const chunk of chunksOf(0)) {
    read.push(chunk);
    length += chunk.length;
    if (length > LONG) return { file: '-', stream: () => ReadableStream.from(rest(read)) };
  }
  return { file: '-', bytes: () => Buffer.concat(read) };
}

function* rest(read) {
  yield* read.splice(0);
  yield* chunksOf(0);
}

function* chunksOf(descriptor) {
  for (;;) {
    const buffer = Buffer.allocUnsafe(65_536);
    let length;
    try {
      length = readSync(descriptor, buffer);
    } catch (error) {
      // A terminal or pipe that has nothing just now, and the way in which Windows tells the end of a pipe.
      if (error.code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        continue;
      }
      if (error.code === 'EOF') return;
      throw error;
    }
    if (length === 0) return;
    yield buffer.subarray(0, length);
  }
}

const WHY = { ENOENT: 'there is no such file', ENOTDIR: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'it is not readable' };

function guarded(file, work) {
  try {
    if (statSync(file).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
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
