// What `follow` and `report` have in common: the question in their options, and the documents that it is about.
import type { FollowRequest } from '../follow/index.ts';
import type { Options } from './command.ts';
import { EXIT, each, type Label, type Work } from './each.ts';
import { ENDINGS, Usage } from './files.ts';
import { translate } from '../engine/node.ts';
import { isXml, oneOf, reportLosses } from './tools.ts';

/** The options that are words, and those that are numbers. */
const DIRECTIONS = ['back', 'forth', 'both'] as const;
const CONTENTS = ['listed', 'followed', 'none'] as const;
const NUMBERS = { depth: 64, 'max-events': 10_000 } as const;
const TIES = ['packing', 'transformation', 'association'] as const;
type Tie = (typeof TIES)[number];
const isTie = (tie: string): tie is Tie => (TIES as readonly string[]).includes(tie);

/** The question of some options. Without `items` it is about all events. */
export interface Question extends Omit<FollowRequest, 'items'> {
  readonly items: readonly string[] | undefined;
}

/** The question of the options. A member without an option is `undefined`. @throws {Usage} */
export function questionOf(options: Options): Question {
  const { item: items, from, to, kin, through } = options;
  if (kin && options.direction !== undefined && options.direction !== 'both') throw new Usage('--kin and --direction exclude each other: --kin goes both ways');
  const direction = oneOf('direction', options.direction, DIRECTIONS);
  const contents = oneOf('contents', options.contents, CONTENTS);
  for (const option of ['depth', 'max-events'] as const) {
    const most = NUMBERS[option];
    const given = options[option];
    if (given !== undefined && !(/^\d{1,6}$/.test(given) && Number(given) >= 1 && Number(given) <= most))
      throw new Usage(`--${option} is ${given}, expected a whole number from 1 to ${most}`);
  }
  const ties = through?.split(',').map((tie) => tie.trim());
  for (const tie of ties ?? []) if (!isTie(tie)) throw new Usage(`there is no tie "${tie}", expected ${TIES.join(', ')}`);
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return {
    items,
    direction,
    from,
    to,
    depth: numberOf(options.depth),
    maxEvents: numberOf(options['max-events']),
    kin,
    through: ties?.filter(isTie),
    contents,
  };
}

/** A document as text or bytes: XML as its translation. */
export type Document = string | Uint8Array;

/** A document that was read. */
export interface Read {
  readonly label: Label;
  readonly document: Document;
}

/**
 * Reads the documents of files. `code` is the exit code of those that could not be read.
 *
 * @param tried throws for a document that cannot be asked about
 * @param refused is told of it
 */
export async function documentsIn(
  files: readonly string[],
  options: Options,
  { tried, refused }: { tried(document: Document): void; refused?: Work<never>['refused'] },
): Promise<{ readonly documents: readonly Read[]; readonly code: number }> {
  const documents: Read[] = [];
  const code = await each(files, options, {
    endings: ENDINGS.both,
    hint: 'NDJSON, one document per line, may be longer',
    whole(bytes) {
      const read = isXml(bytes) ? translate(bytes, { as: 'text', validate: false }) : { document: bytes, fidelityReport: undefined };
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
export const textOf = (document: Document): string => (typeof document === 'string' ? document : decoder.decode(document));
