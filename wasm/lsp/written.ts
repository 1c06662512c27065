// @ts-nocheck
// Explanations as text, in Markdown or plain.

/** A text of the document as code in Markdown, so that no character of it is markup. */
function code(text) {
  const line = text.replace(/\s+/g, ' ');
  const fence = '`'.repeat(1 + Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)));
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

const MARKDOWN = { code, strong: (text) => `**${text}**` };
const PLAIN = { code: (text) => text, strong: (text) => text };

/** Lines of parts, each a text, `{code}` or `{strong}`, as one text: in Markdown or plain. */
export function written(lines, isMarkdown) {
  const form = isMarkdown ? MARKDOWN : PLAIN;
  const partOf = (part) => (typeof part === 'string' ? part : part.code === undefined ? form.strong(part.strong) : form.code(part.code));
  return lines.map((parts) => [parts].flat().map(partOf).join('')).join('\n\n');
}
