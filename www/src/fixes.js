// What an error suggests, as changes of the text: one correction each, and those of one kind together.
import { members, nodesOf } from './places-json.js';

/**
 * The suggestion in a sentence of the engine: `{from, to}`, what was found and what was meant; `isName` when a member is meant;
 * undefined where nothing is suggested. A test holds these sentences against the engine.
 */
export function suggestionOf({ keyword, message }) {
  if (keyword === 'propertyNames' || keyword === 'additionalProperties') {
    const found = [...message.matchAll(/`([^`]+)` \(did you mean `([^`]+)`\?\)/g)].map(([, from, to]) => ({ from, to }));
    return found.length === 0 ? undefined : { isName: true, names: found };
  }
  const [, from] = /found `([^`]+)`/.exec(message) ?? [];
  const [, to] = /did you mean `([^`]+)`/.exec(message) ?? /JSON writes the bare word `([^`]+)`/.exec(message) ?? [];
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

/** `[{error, label, kind, edits: [{from, to, insert}]}]` for the errors of JSON that suggest something. */
export function jsonFixes(text, tree, errors) {
  const nodes = nodesOf(
    text,
    tree,
    errors.map(({ path }) => path),
  );
  const fixes = [];
  errors.forEach((error, index) => {
    const suggestion = suggestionOf(error);
    const node = nodes.get(error.path)?.node;
    if (suggestion === undefined || node === undefined) return;
    if (suggestion.isName) {
      const taken = new Set([...members(text, node)].map(({ name }) => name));
      for (const { from, to } of suggestion.names) {
        const member = [...members(text, node)].find(({ name }) => name === from);
        if (member === undefined || taken.has(to)) continue;
        fixes.push({ error: index, from, to, kind: `name ${from} ${to}`, edits: [{ from: member.key.from, to: member.key.to, insert: JSON.stringify(to) }] });
      }
    } else if (node.name === 'String')
      fixes.push({
        error: index,
        from: suggestion.from,
        to: suggestion.to,
        kind: `value ${suggestion.from} ${suggestion.to}`,
        edits: [{ from: node.from, to: node.to, insert: JSON.stringify(suggestion.to) }],
      });
  });
  return fixes;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The same for XML: `places` are what is underlined for each error, which is replaced if it is what was found. */
export function xmlFixes(text, places, errors) {
  const fixes = [];
  errors.forEach((error, index) => {
    const suggestion = suggestionOf(error);
    const place = places[index];
    if (suggestion === undefined || suggestion.isName || place === undefined) return;
    const { from } = suggestion;
    // In XML a word of the CBV stands as a URN: its last part alone is replaced.
    const [urn = ''] = /^urn:epcglobal:cbv:[a-z]+:/.exec(from) ?? [];
    const to = urn + suggestion.to;
    if (to === from) return;
    const own = text.slice(place.from, place.to);
    const at = own.indexOf(from);
    if (at === -1) return;
    fixes.push({
      error: index,
      from,
      to,
      kind: `value ${from} ${to}`,
      edits: [{ from: place.from + at, to: place.from + at + from.length, insert: escaped(to) }],
    });
  });
  return fixes;
}
