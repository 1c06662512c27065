// File name patterns as in shells: * ? [a-z] {a,b} {1..9} and **. Depending on its version, Node has none or warns about them.

/** The maximum number of alternatives in a pattern. More are a mistake. */
const MANY = 10_000;

/** All alternatives of a pattern with braces: `a{b,c{d,e}}` gives `ab`, `acd` and `ace`. */
function alternatives(pattern: string): string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern];
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < pattern.length; at += 1) {
    if (pattern[at] === '{') depth += 1;
    else if (pattern[at] === '}') depth -= 1;
    if (depth > 1 || (depth === 1 && pattern[at] !== ',')) continue;
    parts.push(pattern.slice(from, at));
    from = at + 1;
    if (depth > 0) continue;
    const [before, behind] = [pattern.slice(0, open), alternatives(pattern.slice(from))];
    const inside = parts.length > 1 ? parts.flatMap(alternatives) : parts.flatMap((one) => numbers(one) ?? alternatives(one).map((part) => `{${part}}`));
    if (inside.length * behind.length > MANY) throw new SyntaxError(`the pattern ${pattern} has more than ${MANY} alternatives`);
    return inside.flatMap((part) => behind.map((rest) => `${before}${part}${rest}`));
  }
  // An unclosed brace is an ordinary character.
  return alternatives(pattern.slice(open + 1)).map((rest) => `${pattern.slice(0, open + 1)}${rest}`);
}

/** The numbers of a range such as `1..9` or `9..1`; `undefined` if it is none. */
function numbers(part: string): string[] | undefined {
  const [, first, last] = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(part)?.map(Number) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const step = first < last ? 1 : -1;
  const length = Math.abs(last - first) + 1;
  return length > MANY ? undefined : Array.from({ length }, (_, at) => String(first + at * step));
}

/** The expression for a name that is not hidden. */
const NAME = '(?!\\.)[^/]+';
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The regular expression of a part between slashes. */
function partOf(part: string): string {
  const written = part.replace(/\[([!^]?)(\]?[^\]]*)\]|\*+|\?|[^[*?]+|\[/g, (piece: string, not: string, members: string | undefined) => {
    if (piece[0] === '*') return '[^/]*';
    if (piece === '?') return '[^/]';
    if (members) return `[${not === '' ? '' : '^/'}${members.replace(/[\\[\]^]/g, '\\$&')}]`;
    return literal(piece);
  });
  // A wildcard does not match a leading dot.
  return /^[*?[]/.test(part) ? `(?!\\.)(?=[^/])${written}` : written;
}

function expressionOf(pattern: string): string {
  const parts = pattern.split('/');
  const written = parts.map((part, at) => {
    const isLast = at === parts.length - 1;
    if (part === '**') return isLast ? `${NAME}(?:/${NAME})*` : `(?:${NAME}/)*`;
    return `${partOf(part)}${isLast ? '' : '/'}`;
  });
  return written.join('');
}

/** Whether a name has a wildcard or a brace. */
export const isPattern = (name: string): boolean => /[*?[{]/.test(name);

/** Makes a function that says whether a path, with slashes, matches a pattern. @throws {SyntaxError} for an invalid pattern */
export function matcherOf(pattern: string, platform: string = process.platform): (path: string) => boolean {
  const written = alternatives(pattern).map(expressionOf).join('|');
  try {
    const expression = new RegExp(`^(?:${written})$`, ['win32', 'darwin'].includes(platform) ? 'iu' : 'u');
    return (path) => expression.test(path);
  } catch {
    throw new SyntaxError(`the pattern ${pattern} has an invalid range, expected one such as [a-z]`);
  }
}
