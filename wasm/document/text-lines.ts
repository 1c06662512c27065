// Offsets in a text, and the lines and columns that they belong to.

/** A part of a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A place in a text, counted from 1, the column in UTF-8 bytes. */
export interface Spot {
  readonly line: number;
  readonly column: number;
}

/** The number of UTF-8 bytes of a character, given its code point. */
const bytesOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);

/** Where a search in a line has come to. */
interface Reached {
  readonly line: number;
  readonly at: number;
  readonly column: number;
}

/** Converts between offsets in a text, in UTF-16 units, and lines and columns, which count from 1. Columns are UTF-8 bytes, as in the engine. */
export class Lines {
  readonly #starts: number[];
  readonly #text: string;
  /** Where the last search ended: the next place is often in the same long line. */
  #last: Reached = { line: 0, at: 0, column: 1 };

  constructor(text: string) {
    this.#text = text;
    this.#starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The line of an offset. */
  at(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Goes through a line until `isThere(at, column)`, or to the end of the text; from the last place, if `isBefore` it. */
  #seek(line: number, isBefore: (last: Reached) => boolean, isThere: (at: number, column: number) => boolean): Reached {
    let { at, column } = this.#last.line === line && isBefore(this.#last) ? this.#last : { at: this.#starts[line - 1] ?? 0, column: 1 };
    while (at < this.#text.length && !isThere(at, column)) {
      const point = this.#text.codePointAt(at) ?? 0;
      column += bytesOf(point);
      at += point > 0xffff ? 2 : 1;
    }
    this.#last = { line, at, column };
    return this.#last;
  }

  /** The offset of a line and column, at most that of the last character. */
  offset(line: number, column: number): number {
    const own = Math.min(line, this.#starts.length);
    const { at } = this.#seek(
      own,
      (last) => last.column <= column,
      (_, reached) => reached >= column,
    );
    return Math.min(at, Math.max(this.#text.length - 1, 0));
  }

  /** The line and column of an offset. */
  placeOf(offset: number): Spot {
    const line = this.at(offset);
    const { column } = this.#seek(
      line,
      (last) => last.at <= offset,
      (at) => at >= offset,
    );
    return { line, column };
  }

  /** The range of the word at a line and column. */
  range(line: number, column: number): Range {
    const from = this.offset(line, column);
    const [word = ''] = /^(?:<[^\s>]*>?|[\w.-]+|.|\n)?/su.exec(this.#text.slice(from, from + 200)) ?? [];
    return { from, to: Math.min(from + Math.max(word.length, 1), this.#text.length) };
  }
}
