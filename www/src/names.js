// Names and attributes of places, parties and things, from the master data of a document.
import { listOf, textOf, vocabulariesOf } from './event-model.js';

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

/** The last part of a URI: `name` for `urn:epcglobal:cbv:mda#name`. */
export const lastPart = (uri) =>
  textOf(uri)
    .split(/[#/:]/)
    .filter((part) => part !== '')
    .at(-1) ?? '';

/** The canonical identifier of the class of a serial or a lot, which master data may describe instead. */
const classOf = (id) => /^https:\/\/id\.gs1\.org\/(?:01|8003|8010)\/[^/]+(?=\/)/.exec(id)?.[0];

/**
 * The names of a document: `{nameOf, attributesOf}` of an identifier in any spelling. A serial or a lot without master data of its own
 * has that of its class.
 */
export function namesOf(document, canonicalOf) {
  const elements = new Map();
  for (const list of vocabulariesOf(document))
    for (const element of listOf(list?.vocabularyElementList)) {
      if (typeof element?.id !== 'string') continue;
      const id = canonicalOf(element.id) ?? element.id;
      if (!elements.has(id)) elements.set(id, []);
      for (const attribute of listOf(element.attributes)) elements.get(id).push(attribute);
    }
  const attributesOf = (spelling) => {
    const id = canonicalOf(spelling) ?? spelling;
    return elements.get(id) ?? elements.get(classOf(id)) ?? [];
  };
  return {
    attributesOf,
    /** The name of an identifier; undefined if the document has none. */
    nameOf(id) {
      if (elements.size === 0 || typeof id !== 'string') return undefined;
      const attributes = attributesOf(id);
      for (const name of NAMES) {
        const value = attributes.find((one) => lastPart(one?.id) === name)?.attribute;
        if (typeof value === 'string' && value.trim() !== '') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value.trim();
      }
      return undefined;
    },
  };
}
