// Texts that repeat a unit until a length is reached.

/** Makes a text of about a length in bytes. */
export type Body = (length: number) => string;
/** Texts by their names. */
export type Bodies = Readonly<Record<string, Body>>;
/** Makes the text of one unit. */
export type Unit = (index: number) => string;

/** `head`, then units from `unit(index)` with separators between them, then `tail`: about `length` bytes. */
export function filled(length: number, head: string, unit: Unit, tail: string, separator = ',') {
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

/** The body of a name. */
export function bodyOf(bodies: Bodies, name: string): Body {
  const body = bodies[name];
  if (body === undefined) throw new Error(`there is no shape '${name}'`);
  return body;
}

export const repeated = (length: number, head: string, text: string, tail: string) => filled(length, head, () => text, tail, '');
export const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
