// What a document is, from its first characters or bytes; nobody is asked.

/** `'xml'`, `'json'`, or `'empty'`; what is neither is taken for JSON, whose reader says what is wrong. */
export function formatOf(head) {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (text === '') return 'empty';
  return text.startsWith('<') ? 'xml' : 'json';
}

/** The text of a file, and whether every byte of it was understood: only such a text may stand for the file. */
export function decode(bytes) {
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

const MAGIC = [
  ['PK\u0003\u0004', 'a ZIP archive', 'Unpack it and open a file from inside.'],
  ['\u001f\u008b', 'a gzip file', 'Decompress it and open the file inside.'],
  ['%PDF-', 'a PDF file', 'Open the JSON or XML that it was made from.'],
  ['\u0089PNG', 'an image', 'Open a JSON or XML file.'],
  ['\u00ff\u00d8\u00ff', 'an image', 'Open a JSON or XML file.'],
];
/** Members that a document, a query document or an event of EPCIS has at its root, misspelt types included. */
const MEMBERS = ['type', 'isA', '@context', '@type', 'schemaVersion', 'epcisBody', 'epcisHeader', 'eventList', 'eventType', 'eventTime', 'eventID', 'bizStep'];

/**
 * What bytes are that no reader of EPCIS needs to look at: `{kind, advice}`; undefined for all else. Said once, in place of the errors
 * that each reader would find in them.
 */
export function foreignOf(bytes, text) {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  for (const [magic, kind, advice] of MAGIC) if (start.startsWith(magic)) return { kind, advice };
  const head = text
    .slice(0, 4096)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html)[\s>]/i.test(head))
    return { kind: 'an HTML page', advice: 'Download the file itself, not the page around it.' };
  if (/^[[{<"\d-]/.test(head) || head === '') return undefined;
  const [first = '', second = ''] = head.split(/\r?\n/);
  for (const mark of [',', ';', '\t']) {
    const columns = first.split(mark).length;
    if (columns > 2 && second.split(mark).length === columns)
      return { kind: 'a table (CSV)', advice: 'EPCIS events are JSON or XML; a table has to be turned into events first.' };
  }
  // A word or two that somebody types is the start of something: the reader names the place.
  return undefined;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const hasMember = (value) => isObject(value) && MEMBERS.some((name) => Object.hasOwn(value, name));

const QUERY = /^(?:eventType|perPage|orderBy|orderDirection|eventCountLimit|maxEventCount|(?:EQ|NE|GT|GE|LT|LE|MATCH|EXISTS|HASATTR|EQATTR|WD)_.*)$/;
/** What JSON of the interface of EPCIS is called, one and several, and how it is known. */
const INTERFACE = [
  ['A capture job', 'Capture jobs', ({ captureID }) => captureID],
  ['A subscription', 'Subscriptions', ({ dest, subscriptionID, schedule, stream }) => (dest ?? subscriptionID) && (schedule ?? stream ?? subscriptionID)],
  ['A query', 'Queries', (value) => isObject(value.query) || (Object.keys(value).length > 0 && Object.keys(value).every((name) => QUERY.test(name)))],
  ['A list of resources', 'Lists of resources', ({ type, member }) => type === 'Collection' && Array.isArray(member)],
  ['An error that a server answered', 'Errors that a server answered', ({ type, title }) => typeof type === 'string' && typeof title === 'string'],
];
/** Whether an object alone may be an event, misspelt ones included. */
export const isLikeEvent = ({ type, eventTime, eventTimeZoneOffset }) => /Event$/.test(type) || (eventTime ?? eventTimeZoneOffset) !== undefined;

/** What JSON is that is no document and no event; undefined for all else. What `isOther` belongs to EPCIS all the same. */
export function foreignJson(value) {
  const entries = Array.isArray(value) ? value.slice(0, 100) : [value];
  const all = (fits) => entries.length > 0 && entries.every((entry) => isObject(entry) && entry.epcisBody === undefined && fits(entry));
  if (all(({ type }) => /^Verifiable(?:Credential|Presentation)$/m.test([type].flat().join('\n'))))
    return { kind: 'a verifiable credential', advice: 'Its fields are not those of EPCIS; open the EPCIS document that it is about.' };
  if (all((entry) => !isLikeEvent(entry))) {
    if (all(({ $schema, type, properties }) => typeof $schema === 'string' || (type === 'object' && isObject(properties))))
      return { kind: 'a JSON schema', advice: 'Open a document that it describes.' };
    const [one, several] = INTERFACE.find(([, , fits]) => all(fits)) ?? [];
    if (one !== undefined) return { title: entries.length > 1 ? several : one, isOther: true };
  }
  if (entries.length === 0 || entries.some(hasMember) || (isObject(value) && Object.keys(value).length === 0)) return undefined;
  return {
    kind: 'JSON, but not EPCIS',
    advice: 'An EPCIS document has type and epcisBody, an event has type and eventTime; nothing here has any of these.',
  };
}

/**
 * How events stand in a JSON text: `'document'`, `'array'` for a list of events, `'lines'` for NDJSON, an event a line.
 */
export function shapeOf(text) {
  const head = text.replace(/^\uFEFF/, '').trimStart();
  if (head.startsWith('[')) return 'array';
  const end = head.indexOf('\n');
  if (!head.startsWith('{') || end === -1) return 'document';
  const first = head.slice(0, end).trim();
  if (!first.endsWith('}') || head.slice(end).trimStart()[0] !== '{') return 'document';
  try {
    JSON.parse(first);
    return 'lines';
  } catch {
    return 'document';
  }
}

const BEFORE =
  '{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":';

/** A list of events, or lines of them, as the list of a document: `{text, shift}`, each character of the source `shift` further on. */
export function wrapped(text, shape) {
  if (shape === 'array') return { text: `${BEFORE}${text.replace(/^\uFEFF/, ' ')}}}`, shift: BEFORE.length };
  // A line's end that another event follows becomes a comma, so that every place stays where it is.
  const joined = text.replace(/^\uFEFF/, ' ').replace(/\r?\n(?=[^\S\n]*\S)/g, (end) => `${end.slice(0, -1)},`);
  return { text: `${BEFORE}[${joined}]}}`, shift: BEFORE.length + 1 };
}
