// Offsets in a text, and the lines and columns that they belong to.

/** Converts between offsets in a text and lines and columns, which count from 1. */
export class Lines {
  #starts;
  #text;

  constructor(text) {
    this.#text = text;
    this.#starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset) {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** The offset of a line and column. */
  offset(line, column) {
    const start = this.#starts[Math.min(line, this.#starts.length) - 1] ?? 0;
    return Math.min(start + column - 1, Math.max(this.#text.length - 1, 0));
  }

  /** The line and column of an offset. */
  placeOf(offset) {
    const line = this.at(offset);
    return { line, column: offset - this.#starts[line - 1] + 1 };
  }

  /** The range of the word at a line and column. */
  range(line, column) {
    const from = this.offset(line, column);
    const [word] = /^(?:<[^\s>]*>?|[\w.-]+|.|\n)?/s.exec(this.#text.slice(from, from + 200)) ?? [''];
    return { from, to: Math.min(from + Math.max(word.length, 1), this.#text.length) };
  }
}
