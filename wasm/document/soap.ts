// Takes an EPCIS document out of a SOAP message.
import type { Unwrapped } from './foreign.ts';

/** How far into a message its Body may begin, in characters. */
const HEAD = 100_000;
const SOAP = new Set(['http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope']);
const DOCUMENTS = new Set(['EPCISDocument', 'EPCISQueryDocument', 'EPCISMasterDataDocument']);
/** The schema version that a namespace of the query interface belongs to. */
const QUERIES: Readonly<Record<string, string>> = { 'urn:epcglobal:epcis-query:xsd:1': '1.2', 'urn:epcglobal:epcis-query:xsd:2': '2.0' };
const MARKUP = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([^\s/<>!?"'=]+)([^<>]*)>/g;
const DECLARATION = /\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);
const prefixOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '');

/**
 * Takes the EPCIS document out of a SOAP message. Declarations of namespaces around the document are copied into it, and query results
 * without a document get one. Undefined if the text is no SOAP message.
 */
export function unwrapped(message: string): Unwrapped | undefined {
  const head = message.slice(0, HEAD);
  const found = startOf(head);
  if (found === undefined) return undefined;
  if (/<!DOCTYPE/i.test(head.slice(0, found.from)))
    return other('A SOAP message with a DOCTYPE', 'SOAP forbids a DOCTYPE, so it is not opened. Remove it, or open what is inside of the Body.');
  const { payload, namespaces } = found;
  if (payload === undefined) return other('A SOAP message', 'No element was found in its Body: it holds no EPCIS document.');
  const name = local(payload.name);
  const namespace = namespaces.get(prefixOf(payload.name));
  const version = namespace !== undefined && Object.hasOwn(QUERIES, namespace) ? QUERIES[namespace] : undefined;
  const isResults = name === 'QueryResults' && version !== undefined;
  if (name === 'Fault') return other('A SOAP fault', 'A server answered with an error. It holds no events.');
  if (!isResults && !DOCUMENTS.has(name)) return other('A SOAP message', `Its Body has \`${name.slice(0, 60)}\`: it holds no events.`);
  const own = new Set([...payload.attributes.matchAll(DECLARATION)].map(([, prefix = '']) => prefix));
  const inherited = [...namespaces]
    .filter(([prefix]) => !own.has(prefix))
    .map(([prefix, uri]) => `xmlns${prefix === '' ? '' : `:${prefix}`}="${uri.replaceAll('"', '&quot;')}"`);
  const [before, after] = isResults
    ? [
        `<q:EPCISQueryDocument xmlns:q="${namespace}" schemaVersion="${version}" creationDate="2026-01-01T00:00:00Z"><EPCISBody>`,
        '</EPCISBody></q:EPCISQueryDocument>',
      ]
    : ['', ''];
  const start = `${before}<${[payload.name, ...inherited].join(' ')} `;
  const close = message.lastIndexOf(`</${payload.name}`);
  const end = close < payload.from ? message.length : message.indexOf('>', close) + 1 || message.length;
  return { text: start + message.slice(payload.at, end) + after, shift: start.length - payload.at };
}

const other = (title: string, detail: string): Unwrapped => ({ foreign: { title, detail, isOther: true } });

/** Where a message begins. */
interface Start {
  /** The place of the envelope. */
  readonly from: number;
  /** The namespaces in its Body, by prefix. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** The first element there. */
  readonly payload?: { readonly name: string; readonly attributes: string; readonly from: number; readonly at: number };
}

/** The namespaces that attributes declare, by prefix. */
function* declaredIn(attributes: string): Generator<readonly [prefix: string, namespace: string]> {
  for (const [, prefix = '', double, single] of attributes.matchAll(DECLARATION)) yield [prefix, double ?? single ?? ''];
}

/** Undefined if there is no envelope. */
function startOf(head: string): Start | undefined {
  const namespaces = new Map<string, string>();
  let from: number | undefined;
  let depth = 0;
  let isInBody = false;
  for (const { 0: all, 1: slash, 2: name, 3: attributes = '', index } of head.matchAll(MARKUP)) {
    if (name === undefined) continue;
    if (slash === '/') {
      depth -= 1;
      if (isInBody && from !== undefined) return { from, namespaces };
      continue;
    }
    if (depth === 0 || (depth === 1 && !isInBody && local(name) === 'Body'))
      for (const [prefix, namespace] of declaredIn(attributes)) namespaces.set(prefix, namespace);
    const isSoap = SOAP.has(namespaces.get(prefixOf(name)) ?? '');
    if (depth === 0) {
      if (local(name) !== 'Envelope' || !isSoap) return undefined;
      from = index;
    } else if (isInBody && from !== undefined) {
      const known = new Map([...namespaces, ...declaredIn(attributes)]);
      return { from, namespaces: known, payload: { name, attributes, from: index, at: index + 1 + name.length } };
    } else if (depth === 1 && local(name) === 'Body' && isSoap) isInBody = true;
    if (!all.endsWith('/>')) depth += 1;
    else if (isInBody && from !== undefined) return { from, namespaces };
  }
  return from === undefined ? undefined : { from, namespaces };
}
