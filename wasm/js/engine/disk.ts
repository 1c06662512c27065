// @ts-nocheck
// Loads an engine in Node: reads its WebAssembly file from disk at the first call, and does nothing at import time.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Reads files, which `fetch` cannot do. A string without a scheme is a path. */
function opened(source) {
  if (typeof source === 'string') {
    if (!/^[a-z][a-z0-9+.-]+:/i.test(source)) return readFile(source);
    source = new URL(source);
  }
  return source instanceof URL && source.protocol === 'file:' ? readFile(source) : source;
}

/** The options of `makeEntry` for a file at the address `find()`. If it is missing, the error gives `advice`. */
export function onDisk(find, advice) {
  const atOnce = () => {
    try {
      return readFileSync(find());
    } catch (error) {
      // A bundler has moved this script but not the file.
      throw new Error(`epcis-edge finds no WebAssembly file beside its script: ${advice}, or \`await init(source)\` first`, { cause: error });
    }
  };
  return { atOnce, opened };
}
