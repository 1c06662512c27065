// Names and attributes of places, parties and things, from master data. The playground uses this file, too.

/** An attribute of master data, as any document may have it. */
export interface Attribute {
  readonly id?: unknown;
  readonly attribute?: unknown;
}

/** An element of master data, as any document may have it. */
export interface Element {
  readonly id?: unknown;
  readonly attributes?: Attribute | null | readonly (Attribute | null)[];
}

/** Gives the canonical form of an identifier, if it has one. */
export type CanonicalOf = (id: string) => string | undefined;

/** The names and attributes of identifiers in any spelling. */
export interface Names {
  attributesOf(id: string): readonly (Attribute | null)[];
  nameOf(id: string): string | undefined;
}

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

const isText = (value: unknown): value is string => typeof value === 'string';
function listOf<Value>(value: Value | readonly Value[] | null | undefined): readonly Value[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value as Value];
}

/** The last part of a URI: `name` for `urn:epcglobal:cbv:mda#name`. */
export const lastPart = (uri: unknown): string =>
  isText(uri)
    ? (uri
        .split(/[#/:]/)
        .filter((part) => part !== '')
        .at(-1) ?? '')
    : '';

/** The canonical identifier of the class of a serial or a lot, which master data may describe instead. */
export const classOf = (id: string): string | undefined => /^https:\/\/id\.gs1\.org\/(?:01|8003|8010)\/[^/]+(?=\/)/.exec(id)?.[0];

/** A vocabulary, as any document may have it. */
interface VocabularyList {
  readonly type?: unknown;
  readonly vocabularyElementList?: Element | null | readonly (Element | null)[];
}

type Vocabularies = VocabularyList | null | readonly (VocabularyList | null)[];

/** The members of a document that may hold master data. */
interface MasterDataDocument {
  readonly epcisHeader?: { readonly epcisMasterData?: { readonly vocabularyList?: Vocabularies } | null } | null;
  readonly epcisBody?: {
    readonly vocabularyList?: Vocabularies;
    readonly queryResults?: { readonly resultsBody?: { readonly vocabularyList?: Vocabularies } | null } | null;
  } | null;
}

/** The vocabularies of a document: in its header, or in the body of a master data document or a query result. */
export function vocabulariesOf(given: unknown): (VocabularyList | null)[] {
  const document = given as MasterDataDocument | null | undefined;
  return [
    ...listOf(document?.epcisHeader?.epcisMasterData?.vocabularyList),
    ...listOf(document?.epcisBody?.vocabularyList),
    ...listOf(document?.epcisBody?.queryResults?.resultsBody?.vocabularyList),
  ];
}

/** The vocabulary elements of a document. */
export const elementsOf = (document: unknown): (Element | null)[] => vocabulariesOf(document).flatMap((list) => listOf(list?.vocabularyElementList));

/** A value as a name, on one line. */
function nameFrom(value: string): string {
  const words = value.trim().replace(/\s+/g, ' ');
  // Count characters, so that none is cut in two.
  const characters = Array.from(words.slice(0, 2 * LONGEST + 2));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : words;
}

/** The best name among attributes; undefined if none is a name. */
function nameAmong(attributes: readonly (Attribute | null)[]): string | undefined {
  const found = new Map<string, unknown>();
  for (const one of attributes) {
    const name = lastPart(one?.id);
    if (!found.has(name)) found.set(name, one?.attribute);
  }
  const best = NAMES.map((name) => found.get(name)).find((value): value is string => isText(value) && value.trim() !== '');
  return best && nameFrom(best);
}

/**
 * The names in sources of master data. The first source that names an identifier counts. A serial or a lot without a name of its own
 * has that of its class; one that no source describes has the attributes of its class, too.
 *
 * @param wanted the canonical identifiers that are looked up; all, if absent
 */
export function namesOf(sources: readonly Iterable<Element | null>[], canonicalOf: CanonicalOf, wanted?: ReadonlySet<string>): Names {
  const known = new Map<string, { name: string | undefined; readonly attributes: readonly (Attribute | null)[] }>();
  for (const elements of sources) {
    const described = new Map<string, (Attribute | null)[]>();
    for (const element of elements) {
      if (!isText(element?.id)) continue;
      const id = canonicalOf(element.id) ?? element.id;
      if (wanted?.has(id) === false) continue;
      const attributes = described.get(id) ?? [];
      described.set(id, attributes);
      for (const attribute of listOf(element.attributes)) attributes.push(attribute);
    }
    for (const [id, attributes] of described) {
      const name = nameAmong(attributes);
      const before = known.get(id);
      if (before === undefined) known.set(id, { name, attributes });
      else before.name ??= name;
    }
  }
  /** A member of the description of an identifier, or else of its class. */
  function lookUp<Member extends 'name' | 'attributes'>(spelling: unknown, member: Member) {
    if (known.size === 0 || !isText(spelling)) return undefined;
    const id = canonicalOf(spelling) ?? spelling;
    return known.get(id)?.[member] ?? known.get(classOf(id) ?? '')?.[member];
  }
  return {
    attributesOf: (id) => lookUp(id, 'attributes') ?? [],
    /** The name of an identifier; undefined if there is none. */
    nameOf: (id) => lookUp(id, 'name'),
  };
}
