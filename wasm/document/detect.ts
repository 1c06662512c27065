// Detects the format of a document from its first characters or bytes.

import type { Entry, Foreign, OtherJson, Unwrapped } from './foreign.ts';

export type Format = 'xml' | 'json' | 'empty';

/** The format of a text. Anything else counts as JSON, whose parser then reports the error. */
export function formatOf(head: string): Format {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (text === '') return 'empty';
  return text.startsWith('<') ? 'xml' : 'json';
}

/** Decodes a file. Only if `isExact`, which needs valid UTF-8, may the text replace the bytes. */
export function decode(bytes: Uint8Array): { readonly text: string; readonly isExact: boolean } {
  const [a, b] = bytes;
  const wide =
    (a === 0xff && b === 0xfe) || (a === 0x3c && b === 0) ? 'utf-16le' : (a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c) ? 'utf-16be' : undefined;
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), isExact: false };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isExact: true };
  } catch {
    return { text: new TextDecoder('utf-8').decode(bytes), isExact: false };
  }
}

const MAGIC: readonly (readonly [magic: string, kind: string, advice: string])[] = [
  ['PK\u0003\u0004', 'a ZIP archive', 'It could not be opened here: unpack it, and open a file from inside.'],
  ['\u001f\u008b', 'a gzip file', 'Decompress it and open the file inside.'],
  ['%PDF-', 'a PDF file', 'Open the JSON or XML that it was made from.'],
  ['\u0089PNG', 'an image', 'Open a JSON or XML file.'],
  ['\u00ff\u00d8\u00ff', 'an image', 'Open a JSON or XML file.'],
];
/** The root members of an EPCIS document, query document or event, with common misspellings of `type`. */
const MEMBERS = ['type', 'isA', '@context', '@type', 'schemaVersion', 'epcisBody', 'epcisHeader', 'eventList', 'eventType', 'eventTime', 'eventID', 'bizStep'];

/**
 * Recognises a file that is not EPCIS at all, such as a PDF; undefined for anything else. The page shows this instead of the errors of
 * every stage.
 */
export function foreignOf(bytes: Uint8Array, text: string): Foreign | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  for (const [magic, kind, advice] of MAGIC) if (start.startsWith(magic)) return { kind, advice };
  const head = text
    .slice(0, 4096)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^eyJ[\w-]{8,}\.[\w-]+\.[\w-]/.test(head))
    return { title: 'A signed token (JWT)', detail: 'Its content is encoded: decode it, and open what is inside.', isOther: true };
  if (/^(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html)[\s>]/i.test(head))
    return { kind: 'an HTML page', advice: 'Download the file itself, not the page around it.' };
  if (/^[[{<]/.test(head) || head === '') return undefined;
  // The head of a table may be long. What is in quotes is one cell.
  const [first = '', second = ''] = text
    .slice(0, 1_000_000)
    .trimStart()
    .split(/\r?\n/, 2)
    .map((line) => line.replace(/"[^"]*"/g, '""'));
  for (const mark of [',', ';', '\t']) {
    const columns = first.split(mark).length;
    if (columns > 2 && second.split(mark).length === columns)
      return {
        title: 'A table (CSV)',
        detail: 'Its rows are no events yet. Say which columns tell what, when, where and which step.',
        isOther: true,
        isTable: true,
      };
  }
  // Any other text may be the beginning of a document that is being typed: the parser reports where it is wrong.
  return undefined;
}

/** What recognises SOAP messages and JSON that is not EPCIS. */
export interface Recognisers {
  readonly unwrapped?: ((message: string) => Unwrapped | undefined) | undefined;
  readonly otherJson?: OtherJson | undefined;
}

/** Loads what recognises a document that begins so. */
export async function recognisersFor(bytes: Uint8Array): Promise<Recognisers> {
  const head = new TextDecoder().decode(bytes.subarray(0, 16_384));
  const [soap, other] = await Promise.all([
    /^\s*</.test(head.replace(/^\uFEFF/, '')) && head.includes('Envelope') ? import('./soap.ts') : undefined,
    /Verifiable|"(?:linkset|openapi|swagger)"|"Feature/.test(head) ? import('./other-json.ts') : undefined,
  ]);
  return { unwrapped: soap?.unwrapped, otherJson: other?.otherJson };
}

const isObject = (value: unknown): value is Entry => value !== null && typeof value === 'object' && !Array.isArray(value);
const hasMember = (value: unknown): boolean => isObject(value) && MEMBERS.some((name) => Object.hasOwn(value, name));

const QUERY = /^(?:eventType|perPage|orderBy|orderDirection|eventCountLimit|maxEventCount|(?:EQ|NE|GT|GE|LT|LE|MATCH|EXISTS|HASATTR|EQATTR|WD)_.*)$/;
/** The JSON messages of the EPCIS REST interface: the name of one, the name of several, and a test. */
const INTERFACE: readonly (readonly [one: string, several: string, fits: (value: Entry) => unknown])[] = [
  ['A capture job', 'Capture jobs', ({ captureID }) => captureID],
  ['A subscription', 'Subscriptions', ({ dest, subscriptionID, schedule, stream }) => (dest ?? subscriptionID) && (schedule ?? stream ?? subscriptionID)],
  ['A query', 'Queries', (value) => isObject(value.query) || (Object.keys(value).length > 0 && Object.keys(value).every((name) => QUERY.test(name)))],
  ['A list of resources', 'Lists of resources', ({ type, member }) => type === 'Collection' && Array.isArray(member)],
  ['An error message from a server', 'Error messages from a server', ({ type, title }) => typeof type === 'string' && typeof title === 'string'],
];
/** Whether a single object may be an event, even a misspelt one. */
export const isLikeEvent = ({ type, eventTime, eventTimeZoneOffset }: Entry): boolean =>
  /Event$/.test(String(type)) || (eventTime ?? eventTimeZoneOffset) !== undefined;

/**
 * Recognises JSON that is neither a document nor an event. Undefined for anything else. `otherJson` recognises more, see
 * {@link recognisersFor}.
 */
export function foreignJson(value: unknown, otherJson?: OtherJson): Foreign | undefined {
  const entries: readonly unknown[] = Array.isArray(value) ? value.slice(0, 100) : [value];
  const all = (fits: (entry: Entry) => unknown): boolean =>
    entries.length > 0 && entries.every((entry) => isObject(entry) && entry.epcisBody === undefined && fits(entry));
  const other = otherJson?.(entries, all);
  if (other !== undefined) return other;
  if (all((entry) => !isLikeEvent(entry))) {
    if (all(({ $schema, type, properties }) => typeof $schema === 'string' || (type === 'object' && isObject(properties))))
      return { kind: 'a JSON schema', advice: 'Open a document that it describes.' };
    const known = INTERFACE.find(([, , fits]) => all(fits));
    if (known !== undefined) return { title: entries.length > 1 ? known[1] : known[0], isOther: true };
  }
  if (entries.length === 0 || entries.some(hasMember) || (isObject(value) && Object.keys(value).length === 0)) return undefined;
  return {
    kind: 'JSON, but not EPCIS',
    advice: 'An EPCIS document has type and epcisBody, an event has type and eventTime; this file has none of these.',
  };
}

/** Names that only EPCIS documents have, in JSON and XML. */
const OF_JSON =
  /"(?:epcisBody|EPCIS(?:Query|MasterData)?Document|(?:Object|Aggregation|Transaction|Transformation|Association)Event|eventTimeZoneOffset)"|epcis-context\.jsonld/;
const OF_XML = /<(?:[\w.-]+:)?(?:EPCIS\w*Document|(?:Object|Aggregation|Transaction|Transformation|Association)Event)[\s/>]|urn:epcglobal:epcis/;

/** Whether a text is probably EPCIS, broken or not: an editor also opens JSON and XML of other kinds. */
export const isLikeEpcis = (text: string): boolean => (formatOf(text.slice(0, 4096)) === 'xml' ? OF_XML : OF_JSON).test(text);
