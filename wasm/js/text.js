// Text on its way to the engine, as UTF-8.
const encoder = new TextEncoder();

// Without the method, which is newer than the oldest browsers.
const isWellFormed = String.prototype.isWellFormed ? (text) => text.isWellFormed() : (text) => !/\p{Surrogate}/u.test(text);

/** XML that is text was decoded already, whatever its declaration says: the mark wins over that (XML 1.0, 4.3.3). */
const MARK = new Uint8Array([0xef, 0xbb, 0xbf]);
const isMarked = (text) => text.charCodeAt(0) === 0xfeff;

/** Whatever is left of a text is given room for so many bytes a unit, or for any text where that is little. */
const ROOM = 1.5;
const LITTLE = 65_536;

/** A part of a document; with half of a surrogate pair as it is, which the engine refuses by name: the encoder replaces it. */
export function encoded(text, isXmlStart) {
  if (!isWellFormed(text)) return text;
  return encoder.encode(isXmlStart && !isMarked(text) ? `\ufeff${text}` : text);
}

/**
 * A document as the engine takes it: bytes as they are; text is written into the memory of the engine, and `undefined` says so.
 *
 * @param document `Uint8Array`, or `{text, isXml}`
 */
export function handed(engine, document) {
  if (document instanceof Uint8Array) return document;
  const { text, isXml } = document;
  const mark = isXml && !isMarked(text) ? MARK : MARK.subarray(0, 0);
  let at = engine.roomForText(mark.length + text.length);
  const view = (from, length) => new Uint8Array(engine.memoryOfEngine().buffer, at + from, length);
  view(0, mark.length).set(mark);
  let { read, written } = encoder.encodeInto(text, view(mark.length, text.length));
  while (read < text.length) {
    const rest = text.slice(read);
    const room = rest.length < LITTLE ? rest.length * 3 : Math.ceil(rest.length * ROOM);
    at = engine.roomForText(mark.length + written + room);
    const more = encoder.encodeInto(rest, view(mark.length + written, room));
    read += more.read;
    written += more.written;
  }
  // Only what was replaced, or reads like it, needs a second look, and nothing was in ASCII.
  const isSuspect = written > text.length && view(mark.length, written).includes(0xef);
  if (isSuspect && !isWellFormed(text)) {
    engine.endOfText(0);
    return text;
  }
  engine.endOfText(mark.length + written);
  return undefined;
}
