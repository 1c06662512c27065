// What stands at a place of a document, in words: a field, a CBV word, an identifier.
import { meanings, wordOf } from 'epcis-edge/cbv';
import type { DocumentInput } from '../document/document-input.ts';
import { LISTS_OF, MEMBERS, TYPES } from '../document/members.ts';
import { parseJson, unescaped } from '../document/places-json.ts';
import { localName, parseXml } from '../document/places-xml.ts';
import type { Range } from '../document/text-lines.ts';
import { entryOf, nameOf } from '../document/words.ts';
import type { Line } from './written.ts';

/** The longest value that is explained, in characters. */
const LONGEST = 500;

/** An explanation of what is in a range. */
export interface Explained extends Range {
  readonly lines: readonly Line[];
}

/** A name, or the value that it has. */
interface Found extends Range {
  readonly name: string;
  readonly value?: string;
}

/** What is at an offset of the own text of a document; undefined if there is nothing to say. */
export function explainedAt(input: DocumentInput, offset: number): Explained | undefined {
  const found = input.format === 'xml' ? inXml(input, offset) : inJson(input, offset);
  if (found === undefined) return undefined;
  const { from, to, name, value } = found;
  const lines = value === undefined ? aboutName(name) : aboutValue(name, value, input);
  return lines === undefined ? undefined : { from, to, lines };
}

/** The name or value at an offset of JSON. */
function inJson(input: DocumentInput, offset: number): Found | undefined {
  const tree = input.treeBy(parseJson);
  const node = ([1, -1] as const).map((side) => tree.resolveInner(offset, side)).find(({ name }) => name === 'PropertyName' || name === 'String');
  if (node === undefined) return undefined;
  const { from, to } = node;
  const text = unescaped(input.text, node);
  if (node.name === 'PropertyName') return { from, to, name: text };
  let holder = node.parent;
  if (holder?.name === 'Array') holder = holder.parent;
  const key = holder?.name === 'Property' ? holder.firstChild : null;
  return { from, to, name: key === null ? '' : unescaped(input.text, key), value: text };
}

const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const dereferenced = (text: string): string => text.replace(/&(amp|lt|gt|quot|apos);/g, (reference, name: string) => REFERENCES[name] ?? reference);

/** The name or value at an offset of XML. A name has no prefix. */
function inXml(input: DocumentInput, offset: number): Found | undefined {
  const { text } = input;
  const tree = input.treeBy(parseXml);
  for (const side of [1, -1] as const) {
    const { name: kind, from, to, parent } = tree.resolveInner(offset, side);
    const own = text.slice(from, to);
    if (kind === 'TagName' || kind === 'AttributeName') return { from, to, name: localName(own) };
    if (kind === 'AttributeValue') {
      const name = parent?.getChild('AttributeName');
      return { from: from + 1, to: to - 1, name: !name ? '' : localName(text.slice(name.from, name.to)), value: dereferenced(own.slice(1, -1)) };
    }
    if (kind === 'Text' || kind === 'EntityReference') {
      const [opened, closed] = [parent?.getChild('OpenTag'), parent?.getChild('CloseTag')];
      const name = opened?.getChild('TagName');
      if (!opened || !name || !closed || parent?.getChild('Element')) return undefined;
      const value = text.slice(opened.to, closed.from);
      const start = opened.to + value.length - value.trimStart().length;
      const trimmed = value.trim();
      return trimmed === ''
        ? undefined
        : { from: start, to: start + trimmed.length, name: localName(text.slice(name.from, name.to)), value: dereferenced(trimmed) };
    }
  }
  return undefined;
}

function aboutName(name: string): Line[] | undefined {
  const text = entryOf(MEMBERS, name) ?? entryOf(TYPES, name);
  return text === undefined ? undefined : [{ strong: name }, text];
}

function aboutValue(name: string, value: string, input: DocumentInput): Line[] | undefined {
  if (value.length > LONGEST) return undefined;
  const type = name === 'type' ? entryOf(TYPES, value) : undefined;
  if (type !== undefined) return [{ strong: value }, type];
  for (const list of entryOf(LISTS_OF, name) ?? []) {
    const word = wordOf(list, value);
    if (word !== undefined) return [{ strong: word }, entryOf<string>(meanings[list], word) ?? ''];
  }
  const canonical = input.canonicalOf(value);
  if (canonical === undefined) return undefined;
  const { text, kind } = nameOf(value, canonical);
  const title = input.names.nameOf(value);
  return [
    { code: kind === '' ? canonical : text },
    ...(title === undefined ? [] : [[{ code: title }, ', by the master data of this document']]),
    ...(canonical === value || kind === '' ? [] : [['as a Digital Link: ', { code: canonical }]]),
  ];
}
