// Splits bytes into lines, and recognises NDJSON, as `translate --ndjson` writes it.

const LINE_FEED = 10;
const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13;
const isBlankByte = (byte: number | undefined): boolean => isSpace(byte) || byte === LINE_FEED;
const [OPENING, CLOSING] = [...Buffer.from('{}')];

/** The maximum number of bytes examined to recognise NDJSON. No event is longer. */
export const MAX_HEAD = 16 * 1024 * 1024;

/** Replaces a line that is longer than the limit. */
export const TOO_LONG: unique symbol = Symbol('a line that was not kept');

/** A line, or what stands for one that was not kept. */
export type Line = Uint8Array<ArrayBuffer> | typeof TOO_LONG;

export const isBlank = (line: Uint8Array): boolean => line.every(isSpace);

/**
 * Whether a document with this beginning is NDJSON: one object fills a line and another one follows, which is not possible in a JSON
 * document. `undefined` if more of the document is needed.
 */
export function isLines(head: Uint8Array): boolean | undefined {
  let start = 0;
  while (start < head.length && (isBlankByte(head[start]) || (start < 3 && (head[start] ?? 0) >= 0x80))) start += 1;
  if (start === head.length) return undefined;
  if (head[start] !== OPENING) return false;
  const end = head.indexOf(LINE_FEED, start);
  if (end < 0) return undefined;
  let last = end - 1;
  while (isSpace(head[last])) last -= 1;
  if (head[last] !== CLOSING) return false;
  let next = end;
  while (next < head.length && isBlankByte(head[next])) next += 1;
  return next === head.length ? undefined : head[next] === OPENING;
}

/** Splits chunks into lines. A line longer than `limit` bytes is replaced by `TOO_LONG`. */
export class Lines {
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that end in a chunk. */
  *of(chunk: Uint8Array<ArrayBuffer>): Generator<Line> {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      this.#keep(chunk.subarray(from, at));
      yield this.#whole();
      from = at + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The last line, if it has no line feed. */
  *rest(): Generator<Line> {
    if (this.#length > 0) yield this.#whole();
  }

  #keep(piece: Uint8Array<ArrayBuffer>): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #whole(): Line {
    const [first, ...others] = this.#pieces;
    const whole = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#pieces);
    const line = this.#length > this.#limit ? TOO_LONG : whole;
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/** The lines of chunks that are not blank, numbered from 1. */
export function* numbered(chunks: Iterable<Uint8Array<ArrayBuffer>>, limit: number): Generator<[number: number, line: Line, bytesSoFar: number]> {
  const lines = new Lines(limit);
  let number = 0;
  let done = 0;
  for (const chunk of chunks) {
    done += chunk.length;
    for (const line of lines.of(chunk)) {
      number += 1;
      if (line === TOO_LONG || !isBlank(line)) yield [number, line, done];
    }
  }
  for (const line of lines.rest()) if (line === TOO_LONG || !isBlank(line)) yield [number + 1, line, done];
}
