// @ts-nocheck
// Makes the document that a report is about: the events of all files, with names and addresses in its header.
//
// Why are only those elements of --master-data taken that the events name?
// A table of all products of a company may have a million rows, and the engine takes as many elements as a capture may have.
import { eventsIn, headerOf, headerWith, merged, partsOf } from './merged.ts';
import { lastPart } from '../names/names.ts';
import { identifiers } from '../engine/node.ts';
import { textOf } from './question.ts';

const canonicalOf = (id) => identifiers.toDigitalLink(id) ?? id;

/** The key in a GS1 Digital Link. A party and a place have the same GLN, and a lot has the GTIN of its product. */
const KEY = /^https:\/\/id\.gs1\.org\/\d+\/([^/]+)/;

function keyOf(id) {
  const canonical = canonicalOf(id);
  return KEY.exec(canonical)?.[1] ?? canonical;
}

const isUri = (text) => /^[a-z][a-z0-9+.-]*:/i.test(text);

/** Makes a function that says whether events name an identifier, in any spelling. */
function namedBy(events) {
  const texts = new Set();
  const look = (value) => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  for (const event of events) look(JSON.parse(event));
  const keys = new Set([...texts].filter(isUri).map(keyOf));
  return (id) => typeof id === 'string' && keys.has(keyOf(id));
}

/** The members that are equal in all headers, as texts. A statement of one file, such as a transaction statement, does not hold for all. */
const agreed = ([first, ...rest]) => [...first].filter(([name, value]) => rest.every((others) => others.get(name) === value));

/**
 * The vocabularies of several sources as one list. Of what two sources say of an attribute, the first counts: the engine merges all
 * descriptions of a thing.
 */
function together(sources) {
  const stated = new Map();
  const all = [];
  for (const source of sources) {
    const here = [];
    const fresh = (element) => {
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
      if (!stated.has(id)) stated.set(id, new Set());
      for (const attribute of attributes) stated.get(id).add(lastPart(attribute.id));
    }
  }
  return all.filter(({ elements }) => elements.length > 0);
}

/**
 * One document of several.
 *
 * @param documents bytes or texts that the engine has accepted
 * @param given functions that return vocabularies, as those of `vocabulariesInFile`; they count before those of headers
 */
export function oneDocument(documents, given) {
  if (documents.length === 1 && given.length === 0) return documents[0];
  const texts = documents.map(textOf);
  const lists = texts.map(eventsIn);
  const shared = new Map();
  const headers = texts.map((text) => headerOf(text, shared));
  const isNamed = given.length === 0 ? undefined : namedBy(lists.flat());
  const vocabularies = together([...given.map((vocabularies) => vocabularies(isNamed)), ...headers.map((header) => header.vocabularies)]);
  return merged(lists, headerWith(agreed(headers.map(({ others }) => others)), shared, vocabularies));
}
