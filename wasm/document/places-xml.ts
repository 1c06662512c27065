// Finds the ranges of element and attribute paths in an XML text.
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/xml';
import type { Range } from './text-lines.ts';

export const parseXml = (text: string): Tree => parser.parse(text);

/** The open tag of an element, the node of its name, and the name. */
interface Open {
  readonly tag: SyntaxNode;
  readonly name: SyntaxNode;
  readonly label: string;
}

function open(text: string, element: SyntaxNode): Open | undefined {
  const tag = element.firstChild;
  if (tag === null) return undefined;
  const name = tag.getChild('TagName');
  return name === null ? undefined : { tag, name, label: text.slice(name.from, name.to) };
}

function* childElements(element: SyntaxNode): Generator<SyntaxNode> {
  for (let node = element.firstChild; node !== null; node = node.nextSibling) if (node.name === 'Element') yield node;
}

/** A range without the white space around its text; undefined if there is no other text. */
function trimmed(text: string, from: number, to: number): Range | undefined {
  const own = text.slice(from, to);
  const start = own.length - own.trimStart().length;
  return own.trim() === '' ? undefined : { from: from + start, to: from + start + own.trim().length };
}

/** The range of the text of an element; undefined if it has child elements. */
function valueIn(text: string, element: SyntaxNode, { tag }: Open): Range | undefined {
  const close = element.getChild('CloseTag');
  return close === null || childElements(element).next().done === false ? undefined : trimmed(text, tag.to, close.from);
}

/**
 * The ranges of the paths in `wanted`, such as `/a/b[2]/@c` or `/a/b[1]/text()`, as a `Map` without the paths that lead nowhere. For a
 * path in `valued`, the range is that of the value: the text of an element, or the attribute value without its quotes.
 */
export function placesOf(
  text: string,
  tree: Tree,
  wanted: readonly string[],
  valued: ReadonlySet<string | undefined> = new Set(),
): Map<string | undefined, Range> {
  const found = new Map<string | undefined, Range>();
  const prefixes = new Set<string>();
  for (const path of wanted) {
    for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1)) prefixes.add(path.slice(0, at));
    prefixes.add(path);
  }
  const asked = new Set(wanted);
  const walk = (element: SyntaxNode, path: string, opened: Open): void => {
    if (asked.has(path)) found.set(path, (valued.has(path) && valueIn(text, element, opened)) || { from: opened.name.from, to: opened.name.to });
    for (let node = opened.tag.firstChild; node !== null; node = node.nextSibling) {
      if (node.name !== 'Attribute') continue;
      const name = node.getChild('AttributeName');
      const attribute = `${path}/@${name === null ? '' : text.slice(name.from, name.to)}`;
      const value = valued.has(attribute) ? node.getChild('AttributeValue') : null;
      if (asked.has(attribute)) found.set(attribute, value === null ? { from: node.from, to: node.to } : { from: value.from + 1, to: value.to - 1 });
    }
    if (asked.has(`${path}/text()`)) {
      const words = element.getChild('Text');
      found.set(`${path}/text()`, words === null ? { from: opened.name.from, to: opened.name.to } : { from: words.from, to: words.to });
    }
    const counts = new Map<string, number>();
    for (const child of childElements(element)) {
      const inner = open(text, child);
      if (inner === undefined) continue;
      const count = (counts.get(inner.label) ?? 0) + 1;
      counts.set(inner.label, count);
      const next = `${path}/${inner.label}[${count}]`;
      if (prefixes.has(next)) walk(child, next, inner);
    }
  };
  for (const root of childElements(tree.topNode)) {
    const opened = open(text, root);
    if (opened !== undefined) walk(root, `/${opened.label}`, opened);
  }
  return found;
}

const WRAPPERS = new Set(['extension', 'baseExtension']);
/** A name without its prefix. */
export const localName = (label: string): string => label.slice(label.indexOf(':') + 1);

/** The elements of the events, in document order: the children of every EventList, without the EPCIS 1.x wrappers. */
export function eventNodes(text: string, tree: Tree): SyntaxNode[] {
  const events: SyntaxNode[] = [];
  const unwrap = (list: SyntaxNode): void => {
    for (const child of childElements(list)) {
      const opened = open(text, child);
      if (opened === undefined) continue;
      if (WRAPPERS.has(localName(opened.label))) unwrap(child);
      else events.push(child);
    }
  };
  const walk = (element: SyntaxNode): void => {
    for (const child of childElements(element)) {
      const opened = open(text, child);
      if (opened === undefined) continue;
      if (localName(opened.label) === 'EventList') unwrap(child);
      else walk(child);
    }
  };
  walk(tree.topNode);
  if (events.length === 0) for (const child of childElements(tree.topNode)) events.push(child);
  return events;
}
