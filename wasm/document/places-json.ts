// @ts-nocheck
// Finds the ranges of JSON Pointers in a text, with the parser that also highlights it.
import { parser } from '@lezer/json';

/** Parses a text for {@link placesOf}, {@link nodesOf} and {@link eventNodes}. */
export const parseJson = (text) => parser.parse(text);

const SCALARS = new Set(['String', 'Number', 'True', 'False', 'Null']);

/** The value of a node of a string or a member name. */
export const unescaped = (text, node) => {
  const raw = text.slice(node.from, node.to);
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return JSON.parse(raw);
  } catch {
    return raw.slice(1, -1);
  }
};

/** The members of an object node: `{name, key, value}`. If a name is repeated, the last member counts. */
export function* members(text, object) {
  for (let node = object.firstChild; node !== null; node = node.nextSibling) {
    if (node.name !== 'Property') continue;
    const key = node.firstChild;
    const value = node.lastChild;
    if (key?.name === 'PropertyName' && value !== null && value.from > key.from) yield { name: unescaped(text, key), key, value };
  }
}

/** The elements of an array node. */
export function* elements(array) {
  for (let node = array.firstChild; node !== null; node = node.nextSibling) {
    if (node.name === 'Object' || node.name === 'Array' || SCALARS.has(node.name)) yield node;
  }
}

/** The node of the root value. */
export const rootOf = (tree) => {
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    if (node.name === 'Object' || node.name === 'Array' || SCALARS.has(node.name)) return node;
  }
  return null;
};

/** A trie of pointers. Each node is `{next: Map, isWanted: boolean, pointer}`. */
function trieOf(pointers) {
  const root = { next: new Map(), isWanted: false };
  for (const pointer of pointers) {
    let at = root;
    for (const part of pointer === '' ? [] : pointer.slice(1).split('/')) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      let next = at.next.get(name);
      if (next === undefined) at.next.set(name, (next = { next: new Map(), isWanted: false }));
      at = next;
    }
    at.isWanted = true;
    at.pointer = pointer;
  }
  return root;
}

/** The nodes of pointers: a `Map` from pointer to `{node, key}`, without the pointers that lead nowhere. */
export function nodesOf(text, tree, pointers) {
  const found = new Map();
  const walk = (node, key, trie) => {
    if (trie.isWanted) found.set(trie.pointer, { node, key });
    if (trie.next.size === 0) return;
    if (node.name === 'Object') {
      const last = new Map();
      for (const member of members(text, node)) if (trie.next.has(member.name)) last.set(member.name, member);
      for (const [name, member] of last) walk(member.value, member.key, trie.next.get(name));
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

/**
 * The range to underline for each error `{path, keyword, message}`: the faulty value; for an object or array its key, or its first
 * character if it has no key; for a member that is not allowed, that member's key.
 */
export function placesOf(text, tree, errors) {
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

/** The repeated member names in a text of valid JSON, up to 100: `[{name, path, from, to}]`, at the repetition. */
export function repeatedNames(text) {
  const found = [];
  const open = [];
  let own = {};
  for (let at = 0; at < text.length && found.length < 100; at += 1) {
    switch (text[at]) {
      case '"': {
        const from = at;
        for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
        if (!own.isName) break;
        own.isName = false;
        const name = unescaped(text, { from, to: at + 1 });
        own.step = name;
        if (own.names.has(name))
          found.push({
            name,
            path: open
              .slice(1)
              .map(({ step }) => `/${step}`)
              .join(''),
            from,
            to: at + 1,
          });
        own.names.add(name);
        break;
      }
      case '{':
      case '[':
        open.push(own);
        own = text[at] === '{' ? { names: new Set(), isName: true } : { step: 0 };
        break;
      case '}':
      case ']':
        own = open.pop();
        break;
      case ',':
        if (own.names === undefined) own.step += 1;
        else own.isName = true;
    }
  }
  return found;
}

const range = ({ from, to }) => ({ from, to });

/** The nodes of the events: `{list, events}`. `list` is undefined for a single event. */
export function eventNodes(text, tree, pointer, isList) {
  const found = nodesOf(text, tree, [pointer]).get(pointer)?.node;
  if (found === undefined) return { list: undefined, events: [] };
  return isList ? { list: found, events: [...elements(found)] } : { list: undefined, events: [found] };
}
