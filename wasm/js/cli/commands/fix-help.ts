// What the command `fix` says of itself. Its code is loaded when it runs.
import type { Help } from '../command.ts';

export const FIX: Help = {
  does: 'repair characters that only look right, such as U+2010 for - and U+00A0 for a blank, into a file beside it; nothing else',
  usage: 'epcis-edge fix [FILE…] [--zone from-offset] [--json] [--quiet] [-o FILE]',
  examples: [
    'epcis-edge fix document.xml',
    'epcis-edge fix --zone from-offset document.json -o repaired.json',
    'epcis-edge fix < document.json > repaired.json',
  ],
  options: { zone: { type: 'string' } },
  explains: [
    ['', 'document.json becomes document.fixed.json, which must not be there yet; standard input goes to standard output'],
    ['--zone from-offset', 'a guess: a time without a zone gets the eventTimeZoneOffset of its event'],
    ['--json', 'one JSON line per file: file, written (the new file), count, changes; without -o'],
    ['--quiet', 'do not list the changes'],
  ],
};
