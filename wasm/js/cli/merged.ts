// Makes one document of several, for a question that is about the events of all of them.
//
// Why is the text edited, instead of the parsed values?
// `JSON.parse` shortens long numbers, and the hash of an event depends on all of their digits.
//
// The texts were accepted by the engine before, so they are well-formed.

/** The first place at or after `at` that is no white space. */
function solid(text: string, at: number): number {
  let place = at;
  while (place < text.length && ' \t\r\n'.includes(text.charAt(place))) place += 1;
  return place;
}

/** The end of the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}

/** The characters at which the scan of a value stops. */
const STOPS = /["{}[\]]/g;
const END_OF_WORD = /[,\]} \t\r\n]|$/g;

/** The first place at or after `at` where a pattern matches. */
function next(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? text.length;
}

/** The end of the value that begins at `at`. */
function endOf(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  if (text[at] !== '{' && text[at] !== '[') return next(END_OF_WORD, text, at);
  let depth = 0;
  let place = at;
  do {
    place = next(STOPS, text, place);
    const character = text[place];
    if (character === '"') {
      place = endOfString(text, place);
    } else {
      depth += character === '{' || character === '[' ? 1 : -1;
      place += 1;
    }
  } while (depth > 0);
  return place;
}

/** The elements of an array, as texts. */
function elementsOf(text: string): string[] {
  const elements: string[] = [];
  for (let at = solid(text, 1); text[at] !== ']'; at = solid(text, at)) {
    const end = endOf(text, at);
    elements.push(text.slice(at, end));
    at = solid(text, end);
    if (text[at] === ',') at += 1;
  }
  return elements;
}

/** The members of an object: its names, and their values as texts. Of a repeated name the last value counts. Empty for other values. */
function membersOf(text: string | undefined): Map<string, string> {
  const members = new Map<string, string>();
  if (text?.[0] !== '{') return members;
  for (let at = solid(text, 1); text[at] !== '}'; at = solid(text, at)) {
    const colon = endOfString(text, at);
    const from = solid(text, solid(text, colon) + 1);
    const end = endOf(text, from);
    members.set(JSON.parse(text.slice(at, colon)), text.slice(from, end));
    at = solid(text, end);
    if (text[at] === ',') at += 1;
  }
  return members;
}

/** The entries of a context, as texts. */
const entriesOf = (context: string | undefined): string[] => (context === undefined ? [] : context[0] === '[' ? elementsOf(context) : [context]);

const objectOf = (members: Iterable<readonly [name: string, value: string]>): string =>
  `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

/** Declarations of prefixes: the entries of contexts, and the form of early drafts, `@xmlns:prefix`. */
interface Declared {
  readonly entries: readonly string[];
  readonly prefixes: readonly (readonly [name: string, value: string])[];
}

/** The declarations of prefixes on objects. */
const declaredBy = (objects: readonly ReadonlyMap<string, string>[]): Declared => ({
  entries: objects.flatMap((members) => entriesOf(members.get('@context'))),
  prefixes: objects.flatMap((members) => [...members].filter(([name]) => name.startsWith('@xmlns:'))),
});

/** The declarations of an object as members, those of its document before its own. The object loses its own. */
function declarations({ entries, prefixes }: Declared, own: Map<string, string> | undefined): (readonly [name: string, value: string])[] {
  const all = [...entries, ...entriesOf(own?.get('@context'))];
  own?.delete('@context');
  const context = all.length === 1 ? all.join() : `[${all.join(',')}]`;
  return [...(all.length === 0 ? [] : [['@context', context] as const]), ...prefixes];
}

/** An event with the declarations of its document before its own, so that its names mean the same outside of the document. */
function standing(event: string, outer: Declared): string {
  // Most events have no context of their own, under no spelling of its name.
  const own = event.includes('@context') || event.includes('\\u') ? membersOf(event) : undefined;
  const front = declarations(outer, own);
  return front.length === 0 ? event : `${objectOf(front).slice(0, -1)},${(own ? objectOf(own) : event).slice(1)}`;
}

/** A document from its first bracket on. */
const begun = (document: string): string => document.slice(solid(document, document.charCodeAt(0) === 0xfeff ? 1 : 0));

/** The header of a document, as text; `undefined` if it has none. */
export const headerIn = (document: string): string | undefined => membersOf(begun(document)).get('epcisHeader');

/** The events of a document, an array of events or one event, as texts, each with the declarations of its document. */
export function eventsIn(document: string): string[] {
  const text = begun(document);
  if (text[0] === '[') return elementsOf(text);
  const root = membersOf(text);
  if (!root.has('epcisBody')) {
    // These members belong to the document that a single event is, and a hash leaves them out there.
    const isAlone = [root.delete('schemaVersion'), root.delete('creationDate')].includes(true);
    return [isAlone ? objectOf(root) : text.trimEnd()];
  }
  const body = membersOf(root.get('epcisBody'));
  const results = membersOf(body.get('queryResults'));
  const page = membersOf(results.get('resultsBody'));
  const list = body.get('eventList') ?? page.get('eventList') ?? body.get('event');
  if (list === undefined) throw new TypeError('the document has no list of events');
  const outer = declaredBy([root, body, results, page]);
  return (list[0] === '[' ? elementsOf(list) : [list]).map((event) => standing(event, outer));
}

const textIn = (value: string | undefined): string | undefined => (value?.[0] === '"' ? JSON.parse(value) : undefined);

/** A value that is a list, or one entry of it. */
const listed = (text: string | undefined): string[] => (text?.[0] === '[' ? elementsOf(text) : text?.[0] === '{' ? [text] : []);

/** A vocabulary, as texts. */
export interface VocabularyTexts {
  /** The object without its elements. */
  readonly front: string;
  readonly elements: readonly string[];
}

/** The vocabularies in lists. */
const vocabulariesOf = (lists: readonly (string | undefined)[], outer: Declared): VocabularyTexts[] =>
  lists.flatMap(listed).map((text) => {
    const own = membersOf(text);
    const elements = listed(own.get('vocabularyElementList'));
    own.delete('vocabularyElementList');
    const front = declarations(outer, own);
    return { front: objectOf([...front, ...own]), elements };
  });

/** The namespaces of prefixes. */
function namespacesOf({ entries, prefixes }: Declared): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>(prefixes.map(([name, value]) => [name.slice('@xmlns:'.length), textIn(value)]));
  for (const entry of entries) {
    for (const [prefix, meaning] of membersOf(entry)) found.set(prefix, textIn(meaning) ?? textIn(membersOf(meaning).get('@id')));
  }
  return found;
}

/**
 * A value whose names have one prefix for each namespace, whatever its document declares, so that those of several documents can be
 * compared. `shared` has the prefixes by namespace, and gets new ones.
 */
function renamed(text: string, declared: ReadonlyMap<string, string | undefined>, shared: Map<string, string>): string {
  if (text[0] === '[')
    return `[${elementsOf(text)
      .map((one) => renamed(one, declared, shared))
      .join(',')}]`;
  if (text[0] !== '{') return text;
  const members = membersOf(text);
  const all = new Map([...declared, ...namespacesOf(declaredBy([members]))]);
  const nameOf = (name: string) => {
    const [prefix, local] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)];
    const namespace = name.includes(':') && !local.startsWith('//') ? all.get(prefix) : undefined;
    if (namespace === undefined) return name;
    if (!shared.has(namespace)) shared.set(namespace, `x${shared.size}`);
    return `${shared.get(namespace)}:${local}`;
  };
  const rest = [...members].filter(([name]) => name !== '@context' && !name.startsWith('@xmlns:'));
  return objectOf(rest.map(([name, value]) => [nameOf(name), renamed(value, all, shared)] as const));
}

/** What the header of a document says. */
export interface HeaderTexts {
  /** Those of its master data, each with the declarations of the document. */
  readonly vocabularies: readonly VocabularyTexts[];
  /** Its other members. */
  readonly others: ReadonlyMap<string, string>;
}

/** @param shared the prefixes of the other members, by namespace; it gets new ones */
export function headerOf(document: string, shared = new Map<string, string>()): HeaderTexts {
  const root = membersOf(begun(document));
  const others = membersOf(root.get('epcisHeader'));
  const masterData = membersOf(others.get('epcisMasterData'));
  const outer = declaredBy([root, others, masterData]);
  others.delete('epcisMasterData');
  const declared = namespacesOf(declaredBy([root]));
  return { vocabularies: vocabulariesOf([masterData.get('vocabularyList')], outer), others: membersOf(renamed(objectOf(others), declared, shared)) };
}

/** The vocabularies of a document: in its header, and in the body of a master data document or a query result. */
export function vocabulariesIn(document: string): VocabularyTexts[] {
  const root = membersOf(begun(document));
  const body = membersOf(root.get('epcisBody'));
  const results = membersOf(body.get('queryResults'));
  const page = membersOf(results.get('resultsBody'));
  const outer = declaredBy([root, body, results, page]);
  return [...headerOf(document).vocabularies, ...vocabulariesOf([body.get('vocabularyList'), page.get('vocabularyList')], outer)];
}

/** An attribute of a vocabulary element. An id that is no text is `undefined`. */
export interface AttributeText {
  readonly id: string | undefined;
  readonly text: string;
}

/** A vocabulary element in parts. */
export interface ElementParts {
  readonly id: string | undefined;
  readonly attributes: readonly AttributeText[];
  /** The element with these attributes alone. */
  having(some: readonly AttributeText[]): string;
}

export function partsOf(element: string): ElementParts {
  const members = membersOf(element);
  const attributes = listed(members.get('attributes')).map((text) => ({ id: textIn(membersOf(text).get('id')), text }));
  const having = (some: readonly AttributeText[]) => objectOf(new Map([...members, ['attributes', `[${some.map(({ text }) => text).join(',')}]`]]));
  return { id: textIn(members.get('id')), attributes, having };
}

/** A header with members, as texts, whose prefixes are in `shared`, by namespace, and vocabularies. */
export function headerWith(
  others: Iterable<readonly [name: string, value: string]>,
  shared: ReadonlyMap<string, string>,
  vocabularies: readonly VocabularyTexts[],
): string {
  const list = vocabularies.map(({ front, elements }) => `${front.slice(0, -1)}${front === '{}' ? '' : ','}"vocabularyElementList":[${elements.join(',')}]}`);
  const context = objectOf([...shared].map(([namespace, prefix]) => [prefix, JSON.stringify(namespace)] as const));
  return objectOf([...(shared.size === 0 ? [] : [['@context', context] as const]), ...others, ['epcisMasterData', `{"vocabularyList":[${list.join(',')}]}`]]);
}

/** A document with the events of several, in their order, and a header, if it is given. */
export const merged = (lists: readonly (readonly string[])[], header?: string): string =>
  `{${header === undefined ? '' : `"epcisHeader":${header},`}"epcisBody":{"eventList":[${lists.flat().join(',')}]}}`;
