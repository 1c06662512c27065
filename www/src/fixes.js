// What an error suggests, as changes of the text: one correction each, and those of one kind together.
import { BizStep, BizTransactionType, Disposition, ErrorReason, SourceDestType } from 'epcis-edge/cbv';
import { members, nodesOf } from './places-json.js';

const LISTS = [BizStep, Disposition, BizTransactionType, SourceDestType, ErrorReason];
/** Words that look like one of the CBV and mean something else. */
const OTHERS = new Set('shopping parking stacking sticking dispersing dispersed leading landing backing'.split(' '));

/** A word without what people get wrong first: case, separators, letters that are doubled. */
const plain = (word) => word.toLowerCase().replace(/[-_ ]/g, '').replace(/(.)\1/g, '$1');
const stemOf = (word) => plain(word).replace(/(?:ing|ed|e|s)$/, '');

/** Whether one slip makes one word of another: a letter too many, too few or wrong, or two that have changed places. */
function isSlip(a, b) {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from += 1;
  const [x, y] = [a.slice(from), b.slice(from)];
  return x.slice(1) === y.slice(1) || x.slice(1) === y || x === y.slice(1) || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
}

const isNear = (from, to) => {
  const [a, b] = [plain(from), plain(to)];
  return a === b || stemOf(from) === stemOf(to) || (a.length > 4 && b.length > 4 && isSlip(a, b));
};

/**
 * Whether a word is another one misspelt: so near that nothing else is as near, and no word of its own. What is less than that is
 * said, and nobody is offered to change it.
 */
export function isSure(from, to) {
  const others = LISTS.filter((list) => Object.hasOwn(list, to)).flatMap((list) => Object.keys(list));
  const isSame = plain(from) === plain(to);
  return isNear(from, to) && !OTHERS.has(from.toLowerCase()) && (isSame || !others.some((other) => other !== to && isNear(from, other)));
}

/**
 * The suggestion in a sentence of the engine: `{from, to, isSure}`, what was found and what was meant; `isName` when a member is meant;
 * undefined where nothing is suggested. A test holds these sentences against the engine.
 */
export function suggestionOf({ keyword, message }) {
  if (keyword === 'propertyNames' || keyword === 'additionalProperties') {
    const found = [...message.matchAll(/`([^`]+)` \(did you mean `([^`]+)`\?\)/g)].map(([, from, to]) => ({ from, to }));
    return found.length === 0 ? undefined : { isName: true, names: found };
  }
  const [, from] = /found `([^`]+)`/.exec(message) ?? [];
  const [, to] = /did you mean `([^`]+)`/.exec(message) ?? [];
  // Another spelling of the same word.
  const [, bare] = /JSON writes the bare word `([^`]+)`/.exec(message) ?? [];
  const meant = to ?? bare;
  return from === undefined || meant === undefined || from === meant ? undefined : { from, to: meant, isSure: to === undefined || isSure(from, to) };
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
        if (member === undefined || taken.has(to) || !isSure(from, to)) continue;
        fixes.push({ error: index, from, to, kind: `name ${from} ${to}`, edits: [{ from: member.key.from, to: member.key.to, insert: JSON.stringify(to) }] });
      }
    } else if (node.name === 'String' && suggestion.isSure)
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
    if (suggestion === undefined || suggestion.isName || !suggestion.isSure || place === undefined) return;
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
