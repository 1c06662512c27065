// Texts that repeat a unit until a length is reached.

/** `head`, units from `unit(index)` with a separator between, `tail`: about `length` bytes. */
export function filled(length, head, unit, tail, separator = ',') {
  const parts = [];
  let size = head.length + tail.length;
  for (let index = 0; size < length; index += 1) {
    const text = unit(index);
    size += text.length + separator.length;
    parts.push(text);
  }
  // Within the limit: the last one may have been too much.
  if (size > length && parts.length > 1) parts.pop();
  return head + parts.join(separator) + tail;
}

export const repeated = (length, head, text, tail) => filled(length, head, () => text, tail, '');
export const nested = (open, close, depth) => open.repeat(depth) + close.repeat(depth);
