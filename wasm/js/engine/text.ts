// Encodes text as UTF-8 for the engine.
import type { Handed, TextEngine } from './engines.ts';

const encoder = new TextEncoder();

// A fallback for browsers without the method.
const isWellFormed = (text: string): boolean => text.isWellFormed?.() ?? !/\p{Surrogate}/u.test(text);

/** The byte order mark. XML text is already decoded, whatever its declaration says, and the mark overrides that (XML 1.0, 4.3.3). */
const MARK = new Uint8Array([0xef, 0xbb, 0xbf]);
const isMarked = (text: string): boolean => text.charCodeAt(0) === 0xfeff;

/**
 * The room for the rest of a text: `ROOM` bytes per UTF-16 unit. A rest shorter than `LITTLE` units gets 3, which is enough for any text.
 */
const ROOM = 1.5;
const LITTLE = 65_536;

/** A document that is a text, and not encoded yet. */
export interface Text {
  readonly text: string;
  readonly isXml: boolean;
}

/** Encodes a part of a document. A text with half a surrogate pair stays a string, which the engine refuses: encoding would hide it. */
export function encoded(text: string, isXmlStart = false): Uint8Array | string {
  if (!isWellFormed(text)) return text;
  return encoder.encode(isXmlStart && !isMarked(text) ? `\ufeff${text}` : text);
}

/**
 * Passes a document to the engine: returns bytes unchanged, or writes text into the engine's memory and returns `undefined`. A text with
 * half a surrogate pair is returned as a string, which the engine refuses.
 */
export function handed(engine: TextEngine, document: Uint8Array | Text): Handed {
  if (document instanceof Uint8Array) return document;
  const { text, isXml } = document;
  const mark = isXml && !isMarked(text) ? MARK : MARK.subarray(0, 0);
  let at = engine.roomForText(mark.length + text.length);
  const view = (from: number, length: number) => new Uint8Array(engine.memoryOfEngine().buffer, at + from, length);
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
  // Check for half surrogate pairs only if the bytes may hold their replacement (U+FFFD, which begins with 0xEF).
  const isSuspect = written > text.length && view(mark.length, written).includes(0xef);
  if (isSuspect && !isWellFormed(text)) {
    engine.endOfText(0);
    return text;
  }
  engine.endOfText(mark.length + written);
  return undefined;
}
