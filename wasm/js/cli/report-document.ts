// Makes the document that a report is about: the events of all files, with names and addresses in its header.
//
// Why are only those elements of --master-data taken that the events name?
// A table of all products of a company may have a million rows, and the engine takes as many elements as a capture may have.
import { type AttributeText, eventsIn, headerOf, headerWith, merged, partsOf, type VocabularyTexts } from './merged.ts';
import { lastPart } from '../names/names.ts';
import { identifiers } from '../engine/node.ts';
import { type Document, textOf } from './question.ts';

const canonicalOf = (id: string): string => identifiers.toDigitalLink(id) ?? id;

/** The key in a GS1 Digital Link. A party and a place have the same GLN, and a lot has the GTIN of its product. */
const KEY = /^https:\/\/id\.gs1\.org\/\d+\/([^/]+)/;

function keyOf(id: string): string {
  const canonical = canonicalOf(id);
  return KEY.exec(canonical)?.[1] ?? canonical;
}

const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(text);

/** Makes a function that says whether events name an identifier, in any spelling. */
function namedBy(events: readonly string[]): IsWanted {
  const texts = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  for (const event of events) look(JSON.parse(event));
  const keys = new Set([...texts].filter(isUri).map(keyOf));
  return (id) => typeof id === 'string' && keys.has(keyOf(id));
}

/** The members that are equal in all headers, as texts. A statement of one file, such as a transaction statement, does not hold for all. */
const agreed = ([first = new Map(), ...rest]: readonly ReadonlyMap<string, string>[]) =>
  [...first].filter(([name, value]) => rest.every((others) => others.get(name) === value));

/**
 * The vocabularies of several sources as one list. Of what two sources say of an attribute, the first counts: the engine merges all
 * descriptions of a thing.
 */
function together(sources: readonly (readonly VocabularyTexts[])[]): VocabularyTexts[] {
  const stated = new Map<string, Set<string>>();
  const all: VocabularyTexts[] = [];
  for (const source of sources) {
    const here: [id: string, attributes: readonly AttributeText[]][] = [];
    const fresh = (element: string): string[] => {
      const { id, attributes, having } = partsOf(element);
      if (id === undefined) return [];
      const canonical = canonicalOf(id);
      const known = stated.get(canonical);
      const news = attributes.filter((attribute) => !known?.has(lastPart(attribute.id)));
      here.push([canonical, news]);
      if (news.length === attributes.length) return [element];
      return news.length === 0 ? [] : [having(news)];
    };
    for (const { front, elements } of source) all.push({ front, elements: elements.flatMap(fresh) });
    for (const [id, attributes] of here) {
      const names = stated.get(id) ?? new Set();
      stated.set(id, names);
      for (const attribute of attributes) names.add(lastPart(attribute.id));
    }
  }
  return all.filter(({ elements }) => elements.length > 0);
}

/** Whether an identifier is named. */
export type IsWanted = (id: string | undefined) => boolean;

/**
 * One document of several.
 *
 * @param documents those that the engine has accepted
 * @param given functions that return vocabularies; they count before those of headers
 */
export function oneDocument(documents: readonly Document[], given: readonly ((isWanted: IsWanted) => readonly VocabularyTexts[])[]): Document {
  const [only, ...others] = documents;
  if (only !== undefined && others.length === 0 && given.length === 0) return only;
  const texts = documents.map(textOf);
  const lists = texts.map(eventsIn);
  const shared = new Map<string, string>();
  const headers = texts.map((text) => headerOf(text, shared));
  const isNamed = given.length === 0 ? () => false : namedBy(lists.flat());
  const vocabularies = together([...given.map((vocabularies) => vocabularies(isNamed)), ...headers.map((header) => header.vocabularies)]);
  return merged(lists, headerWith(agreed(headers.map(({ others }) => others)), shared, vocabularies));
}
