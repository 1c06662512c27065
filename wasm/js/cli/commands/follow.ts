// The command `follow`: follows items through the events of files, or of a gateway.
import {
  canonicalIn,
  identifiersIn,
  LONGEST_PAGE,
  masterDataFor,
  missingWords,
  pageIn,
  type UnsureAnswer,
  type Wanted,
  wantedFor,
} from '../../names/asked-names.ts';
import type { Options, Run } from '../command.ts';
import { EXIT, type Label, membersOf, nameOf, told } from '../each.ts';
import { EpcisError } from '../../engine/error.ts';
import { NotFound, Usage } from '../files.ts';
import type { Followed } from '../../follow/index.ts';
import type { FollowedList } from '../../follow/lists.ts';
import { follow as followed } from '../../follow/node.ts';
import { harmlessJson, paint, tell } from '../harmless.ts';
import { type FileOf, linesOf } from '../life.ts';
import { fetched, gatewayOf, queryKey, unexpected } from './log.ts';
import { elementsInFile } from '../master-data.ts';
import { eventsIn, headerIn, merged } from '../merged.ts';
import { type Element, elementsOf, type Names, namesOf } from '../../names/names.ts';
import type { Output } from '../output.ts';
import { identifiers } from '../../engine/node.ts';
import { type Document, documentsIn, type Question, questionOf, type Read, textOf } from '../question.ts';

/** A question about items. */
type Asked = Question & { readonly items: readonly string[] };

/** The question of the options. It is tried on one event before a file is read. @throws {Usage} */
function askedIn(options: Options): Asked {
  const { items, ...rest } = questionOf(options);
  if (items === undefined) throw new Usage('name an item: --item, followed by an identifier');
  const question = { items, ...rest };
  try {
    followed({ type: 'ObjectEvent' }, question);
  } catch (error) {
    if (error instanceof EpcisError) throw new Usage(error.message);
    throw error;
  }
  return question;
}

export const follow: Run = async (files, options, output) => {
  const question = askedIn(options);
  if (options.gateway !== undefined && files.length > 0) throw new Usage('--gateway and files exclude each other');
  // Each source of names is a list of elements. The first that names an identifier counts.
  const given = (options['master-data'] ?? []).map(elementsInFile);
  if (options.gateway !== undefined) return ofGateway(options.gateway, question, given, options, output);
  const { documents, code } = await documentsIn(files, options, {
    // Only to find the errors of this document, and their places.
    tried: (document) => followed(document, { items: question.items, depth: 1, maxEvents: 1, contents: 'none' }),
  });
  const [first, ...others] = documents;
  if (first === undefined) return code;
  let found: Followed;
  const sources: Source[] = [];
  try {
    found = followed(together(documents, sources), question);
  } catch (error) {
    // Hashes are compared only if an error declaration has no eventID: a prefix may turn out to be undeclared then.
    if (!(error instanceof EpcisError && others.length === 0)) throw error;
    return Math.max(code, await told(error, first.label, options));
  }
  const names = namesFor(found, [...given, ...sources.map(({ elements }) => elements)]);
  if (options.json) {
    const list = sources.map(({ label, events }) => ({ ...membersOf(label), events }));
    await output.json({ files: list, names: namesIn(found, names), ...found });
  } else {
    const fileOf = sources.length > 1 ? fileIn(sources) : undefined;
    await output.say(...linesOf(found, { nameOf: names.nameOf, fileOf, isCut: code !== EXIT.ok }));
  }
  return Math.max(code, codeOf(found));
};

/** A document of several: the number of its events, and its master data. */
interface Source {
  readonly label: Label;
  readonly events: number;
  readonly elements: readonly (Element | null)[];
}

/** One document with all events. `sources` gets an entry for each document. */
function together(documents: readonly Read[], sources: Source[]): Document {
  const lists = documents.map(({ label, document }) => {
    const text = textOf(document);
    const events = eventsIn(text);
    sources.push({ label, events: events.length, elements: elementsOf({ epcisHeader: JSON.parse(headerIn(text) ?? '{}') }) });
    return events;
  });
  const [only, ...others] = documents;
  return only !== undefined && others.length === 0 ? only.document : merged(lists);
}

/** Makes a function that says in which document the event with an index is. */
function fileIn(sources: readonly Source[]): FileOf {
  const names = sources.flatMap(({ label, events }) => Array<string>(events).fill(nameOf(label)));
  return ({ index }) => names[index];
}

const canonicalOf = (id: string): string | undefined => identifiers.toDigitalLink(id);

/** The names that sources of master data have for an answer. */
const namesFor = (answer: Followed, sources: readonly Iterable<Element | null>[]): Names => namesOf(sources, canonicalOf, canonicalIn(answer, canonicalOf));

/** The names of the identifiers in an answer, each in the spellings that it has there. */
function namesIn(answer: UnsureAnswer, { nameOf }: Names): Readonly<Record<string, string | undefined>> {
  const { places, things } = identifiersIn(answer);
  const names = [...places, ...things].map((id) => [id, nameOf(id)] as const);
  return Object.fromEntries(names.filter(([, name]) => name !== undefined));
}

/** The exit code of an answer: `notFound` if no event names an item. */
const codeOf = ({ type }: Followed): number => (type === 'EMPTY' ? EXIT.notFound : EXIT.ok);

async function ofGateway(address: string, question: Asked, given: readonly Iterable<Element | null>[], options: Options, output: Output): Promise<number> {
  const gateway = gatewayOf(address);
  const headers = { authorization: `Bearer ${queryKey()}`, 'content-type': 'application/json' };
  const text = (await fetched(`${gateway}/follow`, headers, undefined, JSON.stringify(question))).toString('utf8');
  const found = answerIn(text);
  if (found === undefined) throw unexpected(`${gateway}/follow did not answer what happened to an item`);
  const { elements, missing } = await elementsAt(`${gateway}/masterdata`, headers, wantedFor(found, canonicalOf));
  if (missing !== undefined && !options.quiet) tell([paint('bold', 'epcis-edge'), ': ', paint('yellow', missing)]);
  const names = namesFor(found, [...given, elements]);
  if (options.json) {
    // The answer as text, so that its numbers keep their digits.
    const front = JSON.stringify({ gateway, names: namesIn(found, names) });
    await output.print(harmlessJson(`${front.slice(0, -1)},${text.trim().slice(1)}`));
  } else await output.say(...linesOf(found, { nameOf: names.nameOf }));
  return codeOf(found);
}

/** The master data that a gateway has of what an answer names, and words about names that are missing. */
async function elementsAt(
  address: string,
  headers: Readonly<Record<string, string>>,
  wanted: Wanted,
): Promise<{ readonly elements: readonly Element[]; readonly missing: string | undefined }> {
  const found = await masterDataFor(wanted, async (query) => {
    const asked = `${address}?${query}`;
    try {
      const page = pageIn((await fetched(asked, headers, LONGEST_PAGE)).toString('utf8'));
      if (page === undefined) throw unexpected(`${asked} answered something else than master data`);
      return page;
    } catch (error) {
      // The query may have a hundred identifiers.
      if (error instanceof Error) error.message = error.message.replace(asked, () => address);
      throw error;
    }
  });
  const { elements, error } = found;
  if (error !== undefined && !(error instanceof EpcisError || error instanceof NotFound)) throw error;
  return { elements, missing: missingWords(found) };
}

/** The lists of an answer. */
const LISTS: Readonly<Record<FollowedList, true>> = { items: true, events: true, contents: true, ties: true, things: true, incomplete: true };

/** The answer in a text; `undefined` if it is none. */
function answerIn(text: string): Followed | undefined {
  try {
    const found = JSON.parse(text);
    if (!['OK', 'EMPTY'].includes(found.type) || !Object.keys(LISTS).every((name) => Array.isArray(found[name]))) return undefined;
    linesOf(found, {});
    return found;
  } catch {
    // Not JSON, or an answer with members of other types.
  }
  return undefined;
}
