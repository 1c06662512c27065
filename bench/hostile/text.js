// Texts that repeat a unit until a length is reached.

/** `head`, then units from `unit(index)` with separators between them, then `tail`: about `length` bytes. */
export function filled(length, head, unit, tail, separator = ',') {
  const parts = [];
  let size = head.length + tail.length;
  for (let index = 0; size < length; index += 1) {
    const text = unit(index);
    size += text.length + separator.length;
    parts.push(text);
  }
  // The last unit may exceed the limit.
  if (size > length && parts.length > 1) parts.pop();
  return head + parts.join(separator) + tail;
}

export const repeated = (length, head, text, tail) => filled(length, head, () => text, tail, '');
export const nested = (open, close, depth) => open.repeat(depth) + close.repeat(depth);
