// Finds the ranges of JSON Pointers in a text, with the parser that also highlights it.
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/json';
import type { Range } from './text-lines.ts';

/** Parses a text for {@link placesOf}, {@link nodesOf} and {@link eventNodes}. */
export const parseJson = (text: string): Tree => parser.parse(text);

const SCALARS = new Set(['String', 'Number', 'True', 'False', 'Null']);

/** The value of a node of a string or a member name. */
export const unescaped = (text: string, node: Range): string => {
  const raw = text.slice(node.from, node.to);
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return JSON.parse(raw);
  } catch {
    return raw.slice(1, -1);
  }
};

/** A member of an object. */
export interface Member {
  readonly name: string;
  readonly key: SyntaxNode;
  readonly value: SyntaxNode;
}

/** The members of an object node. If a name is repeated, the last member counts. */
export function* members(text: string, object: SyntaxNode): Generator<Member> {
  for (let node = object.firstChild; node !== null; node = node.nextSibling) {
    if (node.name !== 'Property') continue;
    const key = node.firstChild;
    const value = node.lastChild;
    if (key?.name === 'PropertyName' && value !== null && value.from > key.from) yield { name: unescaped(text, key), key, value };
  }
}

/** The elements of an array node. */
export function* elements(array: SyntaxNode): Generator<SyntaxNode> {
  for (let node = array.firstChild; node !== null; node = node.nextSibling) {
    if (node.name === 'Object' || node.name === 'Array' || SCALARS.has(node.name)) yield node;
  }
}

/** The node of the root value. */
export const rootOf = (tree: Tree): SyntaxNode | null => {
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    if (node.name === 'Object' || node.name === 'Array' || SCALARS.has(node.name)) return node;
  }
  return null;
};

/** A node of a trie of pointers. */
interface Trie {
  readonly next: Map<string, Trie>;
  /** The pointer that ends here, if it is wanted. */
  pointer?: string;
}

function trieOf(pointers: readonly string[]): Trie {
  const root: Trie = { next: new Map() };
  for (const pointer of pointers) {
    let at = root;
    for (const part of pointer === '' ? [] : pointer.slice(1).split('/')) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      let next = at.next.get(name);
      if (next === undefined) at.next.set(name, (next = { next: new Map() }));
      at = next;
    }
    at.pointer = pointer;
  }
  return root;
}

/** A value, and the key of the member that has it. */
export interface FoundNode {
  readonly node: SyntaxNode;
  readonly key: SyntaxNode | undefined;
}

/** The nodes of pointers, by pointer, without the pointers that lead nowhere. */
export function nodesOf(text: string, tree: Tree, pointers: readonly string[]): Map<string, FoundNode> {
  const found = new Map<string, FoundNode>();
  const walk = (node: SyntaxNode, key: SyntaxNode | undefined, trie: Trie): void => {
    if (trie.pointer !== undefined) found.set(trie.pointer, { node, key });
    if (trie.next.size === 0) return;
    if (node.name === 'Object') {
      const last = new Map<Trie, Member>();
      for (const member of members(text, node)) {
        const next = trie.next.get(member.name);
        if (next !== undefined) last.set(next, member);
      }
      for (const [next, { value, key }] of last) walk(value, key, next);
    } else if (node.name === 'Array') {
      let index = 0;
      for (const element of elements(node)) {
        const next = trie.next.get(String(index));
        if (next !== undefined) walk(element, undefined, next);
        index += 1;
      }
    }
  };
  const root = rootOf(tree);
  if (root !== null) walk(root, undefined, trieOf(pointers));
  return found;
}

/** What is said of a place. */
export interface Said {
  readonly path: string;
  readonly keyword?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * The range to underline for each error: the faulty value; for an object or array its key, or its first
 * character if it has no key; for a member that is not allowed, that member's key.
 */
export function placesOf(text: string, tree: Tree, errors: readonly Said[]): (Range | undefined)[] {
  const nodes = nodesOf(
    text,
    tree,
    errors.map(({ path }) => path),
  );
  return errors.map(({ path, keyword, message }) => {
    const found = nodes.get(path);
    if (found === undefined) return undefined;
    const { node, key } = found;
    if (node.name === 'Object' && (keyword === 'propertyNames' || keyword === 'additionalProperties')) {
      const quoted = new Set([...(message ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));
      for (const member of members(text, node)) if (quoted.has(member.name)) return range(member.key);
    }
    if (SCALARS.has(node.name)) return range(node);
    return key === undefined ? { from: node.from, to: node.from + 1 } : range(key);
  });
}

/** A repeated member name, at the repetition. */
export interface RepeatedName extends Range {
  readonly name: string;
  readonly path: string;
}

/** An object or an array that is open: the names of its members, its last step, and whether a name comes next. */
interface Opening {
  readonly names?: Set<string>;
  step: string | number;
  isName: boolean;
}

/** The repeated member names in a text of valid JSON, up to 100. */
export function repeatedNames(text: string): RepeatedName[] {
  const found: RepeatedName[] = [];
  const open: Opening[] = [];
  let own: Opening = { step: 0, isName: false };
  for (let at = 0; at < text.length && found.length < 100; at += 1) {
    switch (text[at]) {
      case '"': {
        const from = at;
        for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
        if (!own.isName) break;
        own.isName = false;
        const name = unescaped(text, { from, to: at + 1 });
        own.step = name;
        if (own.names?.has(name))
          found.push({
            name,
            path: open
              .slice(1)
              .map(({ step }) => `/${step}`)
              .join(''),
            from,
            to: at + 1,
          });
        own.names?.add(name);
        break;
      }
      case '{':
      case '[':
        open.push(own);
        own = text[at] === '{' ? { names: new Set(), step: '', isName: true } : { step: 0, isName: false };
        break;
      case '}':
      case ']':
        own = open.pop() ?? own;
        break;
      case ',':
        if (typeof own.step === 'number') own.step += 1;
        else own.isName = true;
    }
  }
  return found;
}

const range = ({ from, to }: Range): Range => ({ from, to });

/** The nodes of the events, and of their list, if there is one. */
export interface EventNodes {
  readonly list: SyntaxNode | undefined;
  readonly events: readonly SyntaxNode[];
}

export function eventNodes(text: string, tree: Tree, pointer: string, isList: boolean): EventNodes {
  const found = nodesOf(text, tree, [pointer]).get(pointer)?.node;
  if (found === undefined) return { list: undefined, events: [] };
  return isList ? { list: found, events: [...elements(found)] } : { list: undefined, events: [found] };
}
