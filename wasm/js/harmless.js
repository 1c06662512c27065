// What documents, file names and servers bring, made harmless before a person's terminal shows it.
//
// Why is a line the unit?
// Text for people is made of lines of ours, with values of others in them. A line feed inside of a value would begin a line that
// looks like one of ours, or like a command to GitHub's runner. So every line feed of a value is shown, too, and only the end of
// a line that we wrote is one.

/**
 * Control characters (C0, DEL, C1), and what changes the order or the lines of the text around it: bidirectional marks,
 * overrides and isolates, the separators of lines and paragraphs; tags, which nobody sees.
 */
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
/** What of these JSON does not escape by itself, and XML lets stand. */
const IN_DOCUMENTS = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const NAMED = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hex = (character, length) => character.codePointAt(0).toString(16).padStart(length, '0');
const shown = (character) => NAMED[character] ?? (character < '\u0100' ? `\\x${hex(character, 2)}` : `\\u{${hex(character, 4)}}`);

/** A value as part of a line: whatever a terminal would obey is shown as its escape. */
export const harmless = (value) => String(value).replace(UNSAFE, shown);

const COLOURS = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] };

/** Part of a line in a colour; a line with such parts is an array. */
export const paint = (colour, text) => ({ colour, text });

/** Whether what is written there is shown in colours, as Node decides for itself. */
export function hasColours(stream, env = process.env) {
  if (env.FORCE_COLOR !== undefined) return ['', '1', 'true', '2', '3'].includes(env.FORCE_COLOR);
  return stream.isTTY === true && !env.NO_COLOR && !env.NODE_DISABLE_COLORS && env.TERM !== 'dumb';
}

function partOf(part, isColoured) {
  if (typeof part !== 'object') return harmless(part);
  const [begin, end] = COLOURS[part.colour];
  return isColoured ? `\x1b[${begin}m${harmless(part.text)}\x1b[${end}m` : harmless(part.text);
}

/**
 * Lines for people, each ended by a line feed. What GitHub's runner would take for a command, `::` at the start of a line and
 * `##[` anywhere, is broken by a backslash.
 */
export const linesForPeople = (lines, isColoured = false) =>
  lines
    .map((line) => {
      const text = [line].flat().map((part) => partOf(part, isColoured));
      return `${text
        .join('')
        .replace(/^((?:\s|\x1b\[\d+m)*)::/, '$1\\::')
        .replaceAll('##[', '##\\[')}\n`;
    })
    .join('');

/** JSON with the same values, in which no such character, and no command of a runner, stands as it is. */
export const harmlessJson = (json) => json.replace(IN_DOCUMENTS, (character) => `\\u${hex(character, 4)}`).replaceAll('##[', '#\\u0023[');

/** XML that says the same; U+061C may stand in a name, where no reference can. */
const harmlessXml = (xml) => xml.replace(IN_DOCUMENTS, (character) => (character === '\u061c' ? character : `&#x${hex(character, 2)};`));

/** Any text, its lines as they are. */
const harmlessText = (text) => text.replace(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : shown(character)));

/**
 * A payload as it is shown on a terminal, the same document where it is one.
 *
 * @param kind `json`, `xml` or `text`
 */
export function harmlessPayload(text, kind) {
  if (kind === 'json') return harmlessJson(text);
  return kind === 'xml' ? harmlessXml(text) : harmlessText(text);
}

/** Writes lines for people to standard error. */
export function tell(...lines) {
  process.stderr.write(linesForPeople(lines, hasColours(process.stderr)));
}
