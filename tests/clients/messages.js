// The vectors of JSON-RPC messages, and how an answer is compared with one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { assertMatches, bytesOf } from '../../worker/tests/vectors.js';

export const messages = JSON.parse(readFileSync(new URL('../vectors/mcp/messages.json', import.meta.url), 'utf8'));

/** The bytes of a message. A process reads them as one line. */
export function bytes({ message, send }) {
  return message === undefined ? bytesOf(send) : Buffer.from(JSON.stringify(message));
}

/** Compares the text that came back, or `undefined`, with a vector. */
export function check({ note }, { reply, text }, found) {
  if (text !== undefined) assert.equal(found, text, note);
  else if (reply === null) assert.equal(found, undefined, note);
  else {
    const value = JSON.parse(found);
    assertMatches(value, reply, note);
    const { content, structuredContent } = value.result ?? {};
    if (structuredContent) assert.deepEqual(JSON.parse(content[0].text), structuredContent, note);
  }
}
