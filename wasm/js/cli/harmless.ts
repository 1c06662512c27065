// Escapes text from documents, file names and servers before it is printed to a terminal.
//
// Why is a line the unit?
// Output for people consists of our lines, with foreign values in them. A line feed in a value would begin a line that looks like
// one of ours, or like a command to GitHub's runner. So line feeds in values are escaped too, and only our own lines end in a real
// one.
import { styleText } from 'node:util';

/**
 * Control characters (C0, DEL, C1), and characters that change the order or the lines of the text around them: bidirectional marks,
 * overrides and isolates, line and paragraph separators; also tag characters, which are invisible.
 */
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
/** Those of these characters that JSON does not escape itself, and that XML allows. */
const IN_DOCUMENTS = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hex = (character: string, length: number): string => (character.codePointAt(0) ?? 0).toString(16).padStart(length, '0');
const shown = (character: string): string => NAMED[character] ?? (character < '\u0100' ? `\\x${hex(character, 2)}` : `\\u{${hex(character, 4)}}`);

/** A value for use in a line. Characters that a terminal would obey are shown as escapes. */
export const harmless = (value: unknown): string => String(value).replace(UNSAFE, shown);

/** What `harmless` leaves and XML 1.0 does not allow: half a surrogate pair, and two that are no characters. */
const NOT_IN_XML = /[\p{Surrogate}\ufffe\uffff]/gu;
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * A value for use in XML, in a text or between double quotes. Characters that XML does not allow or a terminal would obey are shown as
 * escapes, and a command of a runner begins with a reference.
 */
export const harmlessInXml = (value: unknown): string =>
  harmless(value)
    .replace(NOT_IN_XML, shown)
    .replace(/[&<>"]/g, (character) => REFERENCES[character] ?? character)
    .replaceAll('##[', '#&#35;[');

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** A coloured part of a line. */
export interface Painted {
  readonly colour: Colour;
  readonly text: string;
}
export type Part = string | Painted;
/** A line for people. */
export type Line = Part | readonly Part[];

export const paint = (colour: Colour, text: string): Painted => ({ colour, text });

/** Whether output to a stream should have colours, by the same rules as Node's own. */
export function hasColours(stream: { readonly isTTY?: boolean }, env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (env.FORCE_COLOR !== undefined) return ['', '1', 'true', '2', '3'].includes(env.FORCE_COLOR);
  return stream.isTTY === true && !env.NO_COLOR && !env.NODE_DISABLE_COLORS && env.TERM !== 'dumb';
}

function partOf(part: Part, isColoured: boolean): string {
  if (typeof part !== 'object') return harmless(part);
  const text = harmless(part.text);
  return isColoured ? styleText(part.colour, text, { validateStream: false }) : text;
}

/**
 * The text of lines for people, each ended by a line feed. `::` at the start of a line and `##[` anywhere get a backslash, since GitHub's
 * runner would read them as commands.
 */
export const linesForPeople = (lines: readonly Line[], isColoured = false): string =>
  lines
    .map((line) => {
      const text = [line].flat().map((part) => partOf(part, isColoured));
      return `${text
        .join('')
        .replace(/^((?:\s|\x1b\[\d+m)*)::/, '$1\\::')
        .replaceAll('##[', '##\\[')}\n`;
    })
    .join('');

/** JSON with the same values, in which these characters and commands of a runner are escaped. */
export const harmlessJson = (json: string): string => json.replace(IN_DOCUMENTS, (character) => `\\u${hex(character, 4)}`).replaceAll('##[', '#\\u0023[');

/** XML with the same content, in which these characters are references. U+061C stays: it may be in a name, where no reference can be. */
const harmlessXml = (xml: string): string => xml.replace(IN_DOCUMENTS, (character) => (character === '\u061c' ? character : `&#x${hex(character, 2)};`));

/** Any text with its unsafe characters escaped, but not its line feeds and tabs. */
const harmlessText = (text: string): string => text.replace(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : shown(character)));

/** The format of a payload. */
export type PayloadKind = 'json' | 'xml' | 'csv' | 'text';

/** A payload that is safe to show on a terminal. A JSON or XML document stays the same document. */
export function harmlessPayload(text: string, kind: PayloadKind): string {
  if (kind === 'json') return harmlessJson(text);
  // Lines of CSV end in CR LF.
  if (kind === 'csv') return harmlessText(text.replaceAll('\r\n', '\n'));
  return kind === 'xml' ? harmlessXml(text) : harmlessText(text);
}

/** Writes lines for people to standard error. */
export function tell(...lines: readonly Line[]): void {
  process.stderr.write(linesForPeople(lines, hasColours(process.stderr)));
}
