// Reads the body of a response up to a limit. The playground and the web component use this file, too.

/** The chunks of a body. After `limit` bytes it stops reading, and throws what `tooLong` makes. */
async function* chunksWithin(body: ReadableStream<Uint8Array>, limit: number, tooLong: () => Error): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
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
export async function textWithin(response: Pick<Response, 'body' | 'text'>, limit: number, tooLong: () => Error): Promise<string> {
  const { body } = response;
  // A function given in place of `fetch` may answer with a body that is no stream.
  if (typeof body?.getReader !== 'function') {
    const text = await response.text();
    if (text.length > limit) throw tooLong();
    return text;
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksWithin(body, limit, tooLong)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** The bytes of a response. */
export async function bytesWithin(response: Pick<Response, 'body'>, limit: number, tooLong: () => Error): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (response.body !== null)
    for await (const chunk of chunksWithin(response.body, limit, tooLong)) {
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
