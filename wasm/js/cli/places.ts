// Converts the columns of places from bytes to UTF-16 code units, as editors count them. Lines and columns count from 1.
import { isUtf8 } from 'node:buffer';

const LINE_FEED = 10;

/** A place as programs count it. */
interface Counted {
  readonly line?: number;
  readonly column?: number;
}

/** The places that are wanted in a line: their numbers and columns, the next one last. */
type Wanted = { readonly number: number; readonly column: number }[];

/** Where the counting is. */
interface Counter {
  line: number;
  column: number;
  characters: number;
  rest: Wanted | undefined;
}

/**
 * The same places with columns in characters instead of bytes. If the text is not UTF-8, they stay unchanged.
 *
 * @param chunks of the text
 */
export function inCharacters<Place extends Counted>(places: readonly Place[], chunks: Iterable<Uint8Array>): readonly Place[] {
  const wanted = new Map<number, Wanted>();
  for (const [number, { line, column }] of places.entries()) {
    if (line === undefined || column === undefined) continue;
    const those = wanted.get(line) ?? [];
    wanted.set(line, those);
    those.push({ number, column });
  }
  // The next place of a line is the last entry, so that it can be popped.
  for (const those of wanted.values()) those.sort((one, other) => other.column - one.column);
  const columns = new Map<number, number>();
  const counter: Counter = { line: 1, column: 1, characters: 1, rest: wanted.get(1) };
  for (const chunk of chunks) {
    // Only an array holds whole texts. Chunks may be cut within a character, which is counted by its first byte.
    if (Array.isArray(chunks) && !isUtf8(chunk)) return places;
    count(chunk, counter, wanted, columns);
  }
  finish(counter, columns);
  return places.map((place, number) => (columns.has(number) ? { ...place, column: columns.get(number) } : place));
}

/** Counts through a chunk, and records the columns of the places that it reaches. */
function count(chunk: Uint8Array, counter: Counter, wanted: ReadonlyMap<number, Wanted>, columns: Map<number, number>): void {
  for (let at = 0; at < chunk.length; ) {
    if (counter.rest === undefined) {
      // No place is left in this line.
      const end = chunk.indexOf(LINE_FEED, at);
      if (end < 0) return;
      at = end;
    }
    while (at < chunk.length && chunk[at] !== LINE_FEED && counter.rest !== undefined) {
      finish(counter, columns);
      const byte = chunk[at] ?? 0;
      if (byte < 0x80 || byte >= 0xc0) counter.characters += byte >= 0xf0 ? 2 : 1;
      counter.column += 1;
      at += 1;
    }
    if (chunk[at] !== LINE_FEED) continue;
    finish(counter, columns);
    at += 1;
    Object.assign(counter, { line: counter.line + 1, column: 1, characters: 1, rest: wanted.get(counter.line + 1) });
  }
}

/** Records the places at or before the current column. */
function finish(counter: Counter, columns: Map<number, number>): void {
  for (let next = counter.rest?.at(-1); next !== undefined && next.column <= counter.column; next = counter.rest?.at(-1)) {
    columns.set(next.number, counter.characters);
    counter.rest?.pop();
    if (counter.rest?.length === 0) counter.rest = undefined;
  }
}

/** The line of a place in the file. For NDJSON it is the line of the document. */
export const lineOf = (label: { readonly line?: number | undefined }, place: Counted): number | undefined => label.line ?? place.line;

/** A place as `file:line:column`, which terminals and editors can open. */
export const placeOf = (label: { readonly file: string; readonly line?: number | undefined }, place: Counted): string =>
  `${label.file}:${lineOf(label, place)}:${place.column}`;
