// The view of a document that is too large to edit, or not text: a part of it, read-only.
import { decode, formatOf } from '../../../wasm/document/detect.ts';
import { LARGEST as KEPT } from '../page/documents.ts';
import type { Window } from '../engine/answers.ts';
import { EDITABLE, type Editor } from './editor.ts';
import { setNotice } from '../page/notice.ts';
import { sizeText } from '../shared/words.ts';

/** How many bytes of a large document are shown at first: `lines`, or `line` if its start has no line break. */
const HEAD = { lines: 16_000, line: 5000 };

/** Shows the start of a document. Returns its format. */
export function showStart(editor: Editor, bytes: Uint8Array): 'empty' | 'json' | 'xml' {
  const head = decode(bytes.subarray(0, bytes.subarray(0, HEAD.line).includes(10) ? HEAD.lines : HEAD.line));
  const text = head.text.replace(/\uFFFD$/, '');
  const format = formatOf(text);
  editor.set(text, { format, isLocked: true });
  setNotice(
    bytes.length > EDITABLE
      ? `${sizeText(bytes.length)}: the answers cover the whole document; only its beginning is shown, read-only.${bytes.length > KEPT ? ' It is too large to be kept in this browser.' : ''}`
      : 'The text below is decoded from the bytes of the file and read-only; the answers are about the bytes.',
  );
  return format;
}

/** Shows a part of a document of `size` bytes, as the engine gives it. */
export function showPart(
  editor: Editor,
  { text, base, line, isWholeLine }: Window,
  { format, size }: { readonly format: string; readonly size: number },
): void {
  // A part that begins inside a line may begin inside a string; it is not coloured, since the colours could be wrong.
  editor.set(text, { format: isWholeLine ? format : 'plain', isLocked: true, base, line, keepMarks: true });
  setNotice(
    `${sizeText(size)}: the answers cover the whole document; the part below is read-only and begins at ${line > 1 ? `line ${line.toLocaleString('en')}` : `character ${base.toLocaleString('en')}`}.`,
  );
}
