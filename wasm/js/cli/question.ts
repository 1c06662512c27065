// @ts-nocheck
// What `follow` and `report` have in common: the question in their options, and the documents that it is about.
import { EXIT, each } from './each.ts';
import { ENDINGS, Usage } from './files.ts';
import { translate } from '../engine/node.ts';

/** The options that are words, and those that are numbers. */
const WORDS = { direction: ['back', 'forth', 'both'], contents: ['listed', 'followed', 'none'] };
const NUMBERS = { depth: 64, 'max-events': 10_000 };
const TIES = ['packing', 'transformation', 'association'];

/** The question of the options. A member without an option is `undefined`. @throws {Usage} */
export function questionOf(options, oneOf) {
  const { item: items, from, to, kin, through } = options;
  if (kin && options.direction !== undefined && options.direction !== 'both') throw new Usage('--kin and --direction exclude each other: --kin goes both ways');
  for (const [option, words] of Object.entries(WORDS)) oneOf(option, options[option], words);
  for (const [option, most] of Object.entries(NUMBERS)) {
    const given = options[option];
    if (given !== undefined && !(/^\d{1,6}$/.test(given) && Number(given) >= 1 && Number(given) <= most))
      throw new Usage(`--${option} is ${given}, expected a whole number from 1 to ${most}`);
  }
  const ties = through?.split(',').map((tie) => tie.trim());
  for (const tie of ties ?? []) if (!TIES.includes(tie)) throw new Usage(`there is no tie "${tie}", expected ${TIES.join(', ')}`);
  const numberOf = (text) => (text === undefined ? undefined : Number(text));
  return {
    items,
    direction: options.direction,
    from,
    to,
    depth: numberOf(options.depth),
    maxEvents: numberOf(options['max-events']),
    kin,
    through: ties,
    contents: options.contents,
  };
}

/**
 * Reads the documents of files, XML as its translation: `{documents, code}`. Each document is `{label, document}`, and `code` is the exit
 * code of those that could not be read.
 *
 * @param tools functions of the commands: `isXml` recognises XML, `reportLosses` reports the losses of a translation
 * @param work `tried(document)` throws for a document that cannot be asked about, `refused(label, refusal)` is told of it
 */
export async function documentsIn(files, options, { isXml, reportLosses }, { tried, refused }) {
  const documents = [];
  const code = await each(files, options, {
    endings: ENDINGS.both,
    hint: 'NDJSON, one document per line, may be longer',
    whole(bytes) {
      const read = isXml(bytes) ? translate(bytes, { as: 'text', validate: false }) : { document: bytes };
      tried(read.document);
      return read;
    },
    print(label, { document, fidelityReport }) {
      if (fidelityReport) reportLosses(label, options, fidelityReport);
      documents.push({ label, document });
      return EXIT.ok;
    },
    refused,
  });
  return { documents, code };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A document as text. */
export const textOf = (document) => (typeof document === 'string' ? document : decoder.decode(document));
