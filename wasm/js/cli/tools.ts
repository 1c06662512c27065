// What several commands need: the words of an option, the kind of a document, the losses of a translation.
import type { FidelityNote, Losses } from '../engine/index.ts';
import type { Options } from './command.ts';
import { nameOf, type Place } from './each.ts';
import { Usage } from './files.ts';
import { paint, tell } from './harmless.ts';

/** Checks that an option is one of some words. @throws {Usage} otherwise, listing them */
export function oneOf<Word extends string>(option: string, word: string | undefined, words: readonly Word[]): Word | undefined {
  const known = words.find((one) => one === word);
  if (word !== undefined && known === undefined) throw new Usage(`--${option} is ${word}, expected ${words.join(' or ')}`);
  return known;
}

/** The first character of a document that is no white space. */
export function firstOf(bytes: Uint8Array): string {
  for (const byte of bytes.subarray(0, 1_000)) if (byte > 32 && byte < 0x80) return String.fromCharCode(byte);
  return '';
}
export const isXml = (bytes: Uint8Array): boolean => firstOf(bytes) === '<';
export const LINES_HINT = 'NDJSON, one document per line, may be of any length';

/** Tells what a translation lost. */
export function reportLosses(
  label: Place,
  { quiet }: Options,
  { losses, summary, noteList }: { readonly losses: Losses; readonly summary: string; readonly noteList: readonly FidelityNote[] },
): void {
  if (quiet) return;
  const { kept, annotation, lost } = losses;
  tell([paint('bold', nameOf(label)), ': ', paint(kept + annotation + lost === 0 ? 'green' : 'yellow', summary)]);
  for (const { path, code, text } of noteList) tell(`  ${code} ${path || '(the document)'}: ${text}`);
}
