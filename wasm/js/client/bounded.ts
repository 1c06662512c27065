// @ts-nocheck
// Reads the body of a response up to a limit. The playground and the web component use this file, too.

/** The chunks of a body. After `limit` bytes it stops reading, and throws what `tooLong` makes. */
async function* chunksWithin(response, limit, tooLong) {
  const reader = response.body.getReader();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    length += value.length;
    if (length > limit) {
      // The result of cancelling does not matter.
      reader.cancel().catch(() => {});
      throw tooLong();
    }
    yield value;
  }
}

/** The text of a response. */
export async function textWithin(response, limit, tooLong) {
  if (response.body?.getReader === undefined) {
    const text = await response.text();
    if (text.length > limit) throw tooLong();
    return text;
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksWithin(response, limit, tooLong)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** The bytes of a response. */
export async function bytesWithin(response, limit, tooLong) {
  const chunks = [];
  let length = 0;
  if (response.body !== null)
    for await (const chunk of chunksWithin(response, limit, tooLong)) {
      chunks.push(chunk);
      length += chunk.length;
    }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
