// Where a finding stands in the text: line and column, both from 1, the column in the code units of UTF-16, as editors count them.
import { isUtf8 } from 'node:buffer';

const LINE_FEED = 10;

/**
 * The same with columns in characters, of places that have them in bytes; of a text in another encoding than UTF-8 as they are.
 *
 * @param chunks of the text
 */
export function inCharacters(places, chunks) {
  const wanted = new Map();
  for (const [number, { line, column }] of places.entries()) {
    if (!wanted.has(line)) wanted.set(line, []);
    wanted.get(line).push({ number, column });
  }
  // The next one is the last.
  for (const those of wanted.values()) those.sort((one, other) => other.column - one.column);
  const columns = new Map();
  const counter = { line: 1, column: 1, characters: 1, rest: wanted.get(1) };
  for (const chunk of chunks) {
    // What is cut within a character is counted all the same: by the bytes that begin one.
    if (Array.isArray(chunks) && !isUtf8(chunk)) return places;
    count(chunk, counter, wanted, columns);
  }
  finish(counter, columns);
  return places.map((place, number) => (columns.has(number) ? { ...place, column: columns.get(number) } : place));
}

/** Counts on, and notes the columns of those that are reached. */
function count(chunk, counter, wanted, columns) {
  for (let at = 0; at < chunk.length; ) {
    if (counter.rest === undefined) {
      // Nobody asks for this line.
      const end = chunk.indexOf(LINE_FEED, at);
      if (end < 0) return;
      at = end;
    }
    while (at < chunk.length && chunk[at] !== LINE_FEED && counter.rest !== undefined) {
      finish(counter, columns);
      const byte = chunk[at];
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

/** Notes those that stand here. */
function finish(counter, columns) {
  while (counter.rest?.at(-1)?.column <= counter.column) {
    columns.set(counter.rest.pop().number, counter.characters);
    if (counter.rest.length === 0) counter.rest = undefined;
  }
}

/** A place as terminals and editors open it, `file:line:column`; a line of NDJSON is a document of its own. */
export const placeOf = (label, { line, column }) => `${label.file}:${label.line ?? line}:${column}`;
