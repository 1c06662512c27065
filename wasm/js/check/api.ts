// The functions of `epcis-edge/check`: the checks beyond any schema. Their engine is a wasm file of its own.
import type { ChecksEngine } from '../engine/engines.ts';
import { PACKS } from '../engine/answers.ts';
import {
  bytesOf,
  chunkOf,
  eitherDocument,
  NOW,
  optionsOf,
  type Rules,
  refuse,
  shown,
  stringified,
  TEXTS,
  tagOf,
  text,
  unfit,
  word,
} from '../engine/arguments.ts';
import { refusing } from '../engine/error.ts';
import { encoded, handed } from '../engine/text.ts';
import type * as Surface from './index.ts';
import { isPack } from './packs.ts';

const CHECK: Rules<Surface.CheckOptions> = {
  packs: {
    check: (value) => Array.isArray(value) && value.length > 0 && value.every(isPack),
    expected: `an array of names of packs: ${PACKS.join(', ')}`,
    // The error names the faulty entry, not the array.
    found: (value) => (Array.isArray(value) ? (value.length === 0 ? 'is empty' : `has ${shown(value.find((name) => !isPack(name)))}`) : undefined),
  },
  pack: { check: (value) => typeof value === 'string' || bytesOf(value) !== undefined || tagOf(value) === 'Object', expected: 'a pack as JSON or object' },
  parameters: {
    check: (value) => tagOf(value) === 'Object' && unfit(value) === undefined && Object.values(value as object).every(TEXTS.check),
    expected: 'an object with a string, or an array of strings, for the name of each parameter',
  },
  now: NOW,
};

const SENDER = ['email', 'phone', 'gln', 'poNumber'];

/** The sender of an exception report as JSON text. The engine checks what its members say. */
function senderText(sender: unknown): string {
  const expected = `an object with the members ${SENDER.join(', ')}, of which only email is needed`;
  if (tagOf(sender) !== 'Object' || unfit(sender) !== undefined) refuse('the sender', sender, expected);
  const members = sender as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) if (!SENDER.includes(name)) throw new TypeError(`the sender has the member ${shown(name)}, expected ${expected}`);
  for (const name of SENDER) if (name === 'email' || members[name] !== undefined) text(`the member ${name} of the sender`, members[name]);
  return JSON.stringify(sender);
}

/** The option `parameters` as JSON text. The engine checks the names. */
const parametersText = (parameters: object | undefined): string | undefined => (parameters === undefined ? undefined : JSON.stringify(parameters));

/** The option `pack` as JSON text. */
function packText(pack: unknown): string | undefined {
  if (pack === undefined || typeof pack === 'string') return pack;
  const bytes = bytesOf(pack);
  return bytes ? new TextDecoder().decode(bytes) : stringified(pack, 'the option pack', 'a pack as JSON or object');
}

/** @param load returns the engine, and loads it first if necessary */
export function makeChecksApi(load: () => ChecksEngine): Pick<typeof Surface, 'check' | 'repair' | 'exceptionReport'> {
  return {
    check(document, options) {
      const { packs, pack, parameters, now = Date.now() } = optionsOf('check', CHECK, options);
      const [source, own, given] = [eitherDocument(document), packText(pack), parametersText(parameters)];
      const engine = load();
      return refusing(() => engine.check(handed(engine, source), packs?.join(','), own, given, Number(now)));
    },
    repair(damaged, options) {
      const { zone } = optionsOf<Surface.RepairOptions>('repair', { zone: word('from-offset') }, options);
      const given = chunkOf(damaged, 'the text');
      const source = typeof given === 'string' ? encoded(given) : given;
      return refusing(() => load().repair(source, zone === 'from-offset'));
    },
    exceptionReport(document, sender, options) {
      const { now = Date.now() } = optionsOf<Surface.ExceptionOptions>('exceptionReport', { now: NOW }, options, 'third');
      const [source, from] = [eitherDocument(document), senderText(sender)];
      const engine = load();
      return JSON.parse(refusing(() => engine.exceptions(handed(engine, source), from, Number(now))));
    },
  };
}
