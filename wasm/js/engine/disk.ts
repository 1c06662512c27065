// Loads an engine in Node: reads its WebAssembly file from disk at the first call, and does nothing at import time.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Finding } from './load.ts';

/** Reads files, which `fetch` cannot do. A string without a scheme is a path. */
const opened: NonNullable<Finding['opened']> = (source) => {
  if (typeof source === 'string' && !/^[a-z][a-z0-9+.-]+:/i.test(source)) return readFile(source);
  const address = typeof source === 'string' ? new URL(source) : source;
  return address instanceof URL && address.protocol === 'file:' ? readFile(address) : address;
};

/** How `makeEntry` finds the file at the address `find()`. If it is missing, the error gives `advice`. */
export function onDisk(find: () => URL, advice: string): Finding {
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
