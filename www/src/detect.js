// What a document is, from its first characters or bytes; nobody is asked.

/** `'xml'`, `'json'`, or `'empty'`; what is neither is taken for JSON, whose reader says what is wrong. */
export function formatOf(head) {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (text === '') return 'empty';
  return text.startsWith('<') ? 'xml' : 'json';
}

/** The text of a file, and whether every byte of it was understood: only such a text may stand for the file. */
export function decode(bytes) {
  const [a, b] = bytes;
  const wide =
    (a === 0xff && b === 0xfe) || (a === 0x3c && b === 0) ? 'utf-16le' : (a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c) ? 'utf-16be' : undefined;
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), isExact: false };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isExact: true };
  } catch {
    return { text: new TextDecoder('utf-8').decode(bytes), isExact: false };
  }
}
