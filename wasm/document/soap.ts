// @ts-nocheck
// Takes an EPCIS document out of a SOAP message.

/** How far into a message its Body may begin, in characters. */
const HEAD = 100_000;
const SOAP = new Set(['http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope']);
const DOCUMENTS = new Set(['EPCISDocument', 'EPCISQueryDocument', 'EPCISMasterDataDocument']);
/** The schema version that a namespace of the query interface belongs to. */
const QUERIES = { 'urn:epcglobal:epcis-query:xsd:1': '1.2', 'urn:epcglobal:epcis-query:xsd:2': '2.0' };
const MARKUP = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([^\s/<>!?"'=]+)([^<>]*)>/g;
const DECLARATION = /\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const local = (name) => name.slice(name.indexOf(':') + 1);
const prefixOf = (name) => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '');

/**
 * The EPCIS document in a SOAP message, as `{text, shift}`: a character at `n` of the message is at `n + shift` of `text`, behind the name
 * of the document element. Declarations of namespaces around the document are copied into it, and query results without a document get
 * one. `{foreign}` if the message holds none, with what it is; undefined if the text is no SOAP message.
 */
export function unwrapped(message) {
  const head = message.slice(0, HEAD);
  const found = startOf(head);
  if (found === undefined) return undefined;
  if (/<!DOCTYPE/i.test(head.slice(0, found.from)))
    return other('A SOAP message with a DOCTYPE', 'SOAP forbids a DOCTYPE, so it is not opened. Remove it, or open what is inside of the Body.');
  const { payload, namespaces } = found;
  if (payload === undefined) return other('A SOAP message', 'No element was found in its Body: it holds no EPCIS document.');
  const name = local(payload.name);
  const namespace = namespaces.get(prefixOf(payload.name));
  const isResults = name === 'QueryResults' && Object.hasOwn(QUERIES, namespace);
  if (name === 'Fault') return other('A SOAP fault', 'A server answered with an error. It holds no events.');
  if (!isResults && !DOCUMENTS.has(name)) return other('A SOAP message', `Its Body has \`${name.slice(0, 60)}\`: it holds no events.`);
  const own = new Set([...payload.attributes.matchAll(DECLARATION)].map(([, prefix = '']) => prefix));
  const inherited = [...namespaces]
    .filter(([prefix]) => !own.has(prefix))
    .map(([prefix, uri]) => `xmlns${prefix === '' ? '' : `:${prefix}`}="${uri.replaceAll('"', '&quot;')}"`);
  const [before, after] = isResults
    ? [
        `<q:EPCISQueryDocument xmlns:q="${namespace}" schemaVersion="${QUERIES[namespace]}" creationDate="2026-01-01T00:00:00Z"><EPCISBody>`,
        '</EPCISBody></q:EPCISQueryDocument>',
      ]
    : ['', ''];
  const start = `${before}<${[payload.name, ...inherited].join(' ')} `;
  const close = message.lastIndexOf(`</${payload.name}`);
  const end = close < payload.from ? message.length : message.indexOf('>', close) + 1 || message.length;
  return { text: start + message.slice(payload.at, end) + after, shift: start.length - payload.at };
}

const other = (title, detail) => ({ foreign: { title, detail, isOther: true } });

/** Where the envelope begins, the namespaces in its Body, and the first element there; undefined if there is no envelope. */
function startOf(head) {
  const namespaces = new Map();
  let from;
  let depth = 0;
  let isInBody = false;
  for (const { 0: all, 1: slash, 2: name, 3: attributes, index } of head.matchAll(MARKUP)) {
    if (name === undefined) continue;
    if (slash === '/') {
      depth -= 1;
      if (isInBody) return { from, namespaces };
      continue;
    }
    if (depth < 2)
      for (const [, prefix = '', double, single] of isInBody || (depth === 1 && local(name) !== 'Body') ? [] : attributes.matchAll(DECLARATION))
        namespaces.set(prefix, double ?? single);
    const isSoap = SOAP.has(namespaces.get(prefixOf(name)));
    if (depth === 0) {
      if (local(name) !== 'Envelope' || !isSoap) return undefined;
      from = index;
    } else if (isInBody) {
      const known = new Map(namespaces);
      for (const [, prefix = '', double, single] of attributes.matchAll(DECLARATION)) known.set(prefix, double ?? single);
      return { from, namespaces: known, payload: { name, attributes, from: index, at: index + 1 + name.length } };
    } else if (depth === 1 && local(name) === 'Body' && isSoap) isInBody = true;
    if (!all.endsWith('/>')) depth += 1;
    else if (isInBody) return { from, namespaces };
  }
  return from === undefined ? undefined : { from, namespaces };
}
