// Explanations as text, in Markdown or plain.

/** A part of a line: words, a text of the document, or words that matter. */
export type Part = string | { readonly code: string; readonly strong?: undefined } | { readonly code?: undefined; readonly strong: string };

/** A line of an explanation. */
export type Line = Part | readonly Part[];

/** A text of the document as code in Markdown, so that no character of it is markup. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const fence = '`'.repeat(1 + Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)));
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

const MARKDOWN = { code, strong: (text: string) => `**${text}**` };
const PLAIN = { code: (text: string) => text, strong: (text: string) => text };

/** Lines as one text: in Markdown or plain. */
export function written(lines: readonly Line[], isMarkdown: boolean): string {
  const form = isMarkdown ? MARKDOWN : PLAIN;
  const partOf = (part: Part) => (typeof part === 'string' ? part : part.code === undefined ? form.strong(part.strong) : form.code(part.code));
  return lines.map((parts) => [parts].flat().map(partOf).join('')).join('\n\n');
}
