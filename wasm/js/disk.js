// How an engine is found in Node: its WebAssembly file is read from disk at the first call, nothing happens at import time.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Files are read here, which `fetch` does not do; whatever has no scheme is a path. */
function opened(source) {
  if (typeof source === 'string') {
    if (!/^[a-z][a-z0-9+.-]+:/i.test(source)) return readFile(source);
    source = new URL(source);
  }
  return source instanceof URL && source.protocol === 'file:' ? readFile(source) : source;
}

/** For `makeEntry`: the file at the address that `find` gives, or the advice that is given where it is not. */
export function onDisk(find, advice) {
  const atOnce = () => {
    try {
      return readFileSync(find());
    } catch (error) {
      // A bundler has moved this script and not the file.
      throw new Error(`epcis-edge finds no WebAssembly file beside its script: ${advice}, or \`await init(source)\` first`, { cause: error });
    }
  };
  return { atOnce, opened };
}
