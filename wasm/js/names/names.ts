// @ts-nocheck
// Names and attributes of places, parties and things, from master data. The playground uses this file, too.

/** The attributes that are names, by the last part of their URI, the best first. */
const NAMES = [
  'name',
  'descriptionShort',
  'regulatedProductName',
  'functionalName',
  'tradeItemDescription',
  'productName',
  'organizationName',
  'labelDescription',
  'vesselName',
];
/** The longest name that is shown, in characters. */
const LONGEST = 80;

const isText = (value) => typeof value === 'string';
const listOf = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);

/** The last part of a URI: `name` for `urn:epcglobal:cbv:mda#name`. */
export const lastPart = (uri) =>
  isText(uri)
    ? (uri
        .split(/[#/:]/)
        .filter((part) => part !== '')
        .at(-1) ?? '')
    : '';

/** The canonical identifier of the class of a serial or a lot, which master data may describe instead. */
export const classOf = (id) => /^https:\/\/id\.gs1\.org\/(?:01|8003|8010)\/[^/]+(?=\/)/.exec(id)?.[0];

/** The vocabularies of a document: in its header, or in the body of a master data document or a query result. */
export const vocabulariesOf = (document) => [
  ...listOf(document?.epcisHeader?.epcisMasterData?.vocabularyList),
  ...listOf(document?.epcisBody?.vocabularyList),
  ...listOf(document?.epcisBody?.queryResults?.resultsBody?.vocabularyList),
];

/** The vocabulary elements of a document. */
export const elementsOf = (document) => vocabulariesOf(document).flatMap((list) => listOf(list?.vocabularyElementList));

/** A value as a name, on one line. */
function nameFrom(value) {
  const words = value.trim().replace(/\s+/g, ' ');
  // Count characters, so that none is cut in two.
  const characters = Array.from(words.slice(0, 2 * LONGEST + 2));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : words;
}

/** The best name among attributes; undefined if none is a name. */
function nameAmong(attributes) {
  const found = new Map();
  for (const one of attributes) {
    const name = lastPart(one?.id);
    if (!found.has(name)) found.set(name, one?.attribute);
  }
  const best = NAMES.map((name) => found.get(name)).find((value) => isText(value) && value.trim() !== '');
  return best && nameFrom(best);
}

/**
 * The names in sources of master data: `{nameOf, attributesOf}` of an identifier in any spelling. Each source is a list of elements
 * `{id, attributes: [{id, attribute}]}`. The first source that names an identifier counts. A serial or a lot without a name of its own
 * has that of its class; one that no source describes has the attributes of its class, too.
 *
 * @param canonicalOf gives the canonical form of an identifier, if it has one
 * @param wanted the canonical identifiers that are looked up, as a set; all, if absent
 */
export function namesOf(sources, canonicalOf, wanted) {
  const known = new Map();
  for (const elements of sources) {
    const described = new Map();
    for (const element of elements) {
      if (!isText(element?.id)) continue;
      const id = canonicalOf(element.id) ?? element.id;
      if (wanted?.has(id) === false) continue;
      if (!described.has(id)) described.set(id, []);
      for (const attribute of listOf(element.attributes)) described.get(id).push(attribute);
    }
    for (const [id, attributes] of described) {
      const name = nameAmong(attributes);
      const before = known.get(id);
      if (before === undefined) known.set(id, { name, attributes });
      else before.name ??= name;
    }
  }
  /** A member of the description of an identifier, or else of its class. */
  const lookUp = (spelling, member) => {
    if (known.size === 0 || !isText(spelling)) return undefined;
    const id = canonicalOf(spelling) ?? spelling;
    return known.get(id)?.[member] ?? known.get(classOf(id))?.[member];
  };
  return {
    attributesOf: (id) => lookUp(id, 'attributes') ?? [],
    /** The name of an identifier; undefined if there is none. */
    nameOf: (id) => lookUp(id, 'name'),
  };
}
