// Indents JSON and XML. Every value keeps its spelling.

/** The characters of a translation, or of the source of an event, that are shown; the download has all of it. */
export const SHOWN_TEXT = 60_000;

/** Indents a JSON text by two spaces. Digits, escapes and the order of members stay unchanged. */
export function prettyJson(text: string): string {
  let out = '';
  let depth = 0;
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gy;
  const skip = /\s*/y;
  let before = '';
  for (let at = 0; at < text.length; ) {
    skip.lastIndex = at;
    skip.exec(text);
    at = skip.lastIndex;
    if (at >= text.length) break;
    token.lastIndex = at;
    const match = token.exec(text);
    // The rest of a text that is not JSON, or is cut off here, stays unchanged.
    if (match === null) return out + text.slice(at);
    const [found] = match;
    at = token.lastIndex;
    if (found === '}' || found === ']') {
      depth -= 1;
      out += before === '{' || before === '[' ? found : `\n${'  '.repeat(Math.max(depth, 0))}${found}`;
    } else {
      if (before === '{' || before === '[' || before === ',') out += `\n${'  '.repeat(depth)}`;
      out += found === ':' ? ': ' : found;
      if (found === '{' || found === '[') depth += 1;
    }
    before = found;
  }
  return `${out}\n`;
}

/** Indents an XML text, with each element on its own line. An element that contains text keeps its content unchanged. */
export function prettyXml(text: string): string {
  const token = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(?:"[^"]*"|'[^']*'|[^>"'])+>|[^<]+/g;
  const tokens: readonly string[] = text.match(token) ?? [];
  if (tokens.join('') !== text) return text;
  // The elements with text among their children; these stay on one line.
  const isInline = new Set<number | undefined>();
  const stack: number[] = [];
  tokens.forEach((found, index) => {
    if (found.startsWith('</')) stack.pop();
    else if (found.startsWith('<![CDATA[') || (!found.startsWith('<') && found.trim() !== '')) {
      if (stack.length > 0) isInline.add(stack.at(-1));
    } else if (/^<[^!?]/.test(found) && !found.endsWith('/>')) stack.push(index);
  });
  let out = '';
  let depth = 0;
  let keep: number | undefined;
  const opened: number[] = [];
  tokens.forEach((found, index) => {
    const isClose = found.startsWith('</');
    const isOpen = /^<[^!?/]/.test(found) && !found.endsWith('/>');
    if (isClose) depth -= 1;
    const own = isClose ? opened.pop() : undefined;
    if (keep === undefined) {
      if (found.trim() !== '' || isOpen) {
        const isEmpty = isClose && own === index - 1;
        out += isEmpty || out === '' ? found : `\n${'  '.repeat(Math.max(depth, 0))}${found}`;
      }
    } else out += found;
    if (isOpen) {
      opened.push(index);
      depth += 1;
      if (keep === undefined && isInline.has(index)) keep = index;
    }
    if (own !== undefined && own === keep) keep = undefined;
  });
  return `${out}\n`;
}
