// Lines of bytes, and documents that are lines of JSON (NDJSON), as `translate --ndjson` writes them.

const LINE_FEED = 10;
const isSpace = (byte) => byte === 32 || byte === 9 || byte === 13;
const isBlankByte = (byte) => isSpace(byte) || byte === LINE_FEED;
const [OPENING, CLOSING] = [...Buffer.from('{}')];

/** How much of a document is looked at to tell what it is: no event is longer. */
export const MAX_HEAD = 16 * 1024 * 1024;

/** In place of a line that was longer than the limit. */
export const TOO_LONG = Symbol('a line that was not kept');

export const isBlank = (line) => line.every(isSpace);

/**
 * Whether a document that begins so is JSON line by line: one object fills a line, and another begins behind it, which no JSON
 * document does. `undefined` where it takes more of the document to tell.
 */
export function isLines(head) {
  let start = 0;
  while (start < head.length && (isBlankByte(head[start]) || (start < 3 && head[start] >= 0x80))) start += 1;
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

/** Cuts chunks into lines; of a line that is longer than `limit` bytes only that it was. */
export class Lines {
  #pieces = [];
  #length = 0;
  #limit;

  constructor(limit) {
    this.#limit = limit;
  }

  /** The lines that a chunk ends. */
  *of(chunk) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      this.#keep(chunk.subarray(from, at));
      yield this.#whole();
      from = at + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The line that no line feed ends, if there is one. */
  *rest() {
    if (this.#length > 0) yield this.#whole();
  }

  #keep(piece) {
    this.#length += piece.length;
    if (this.#length > this.#limit) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #whole() {
    const line = this.#length > this.#limit ? TOO_LONG : this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/** The lines of chunks that are not blank, with their numbers, counted from 1: `[number, line, bytesSoFar]`. */
export function* numbered(chunks, limit) {
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
