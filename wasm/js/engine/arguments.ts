// @ts-nocheck
// Checks the arguments of callers before anything reaches the engine.

const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** A value in words for an error message. */
function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name = value.constructor?.name || tagOf(value);
  return /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`;
}

function refuse(what, value, expected) {
  throw new TypeError(`${what} is ${shown(value)}, expected ${expected}`);
}

/** Bytes of this or another realm, as a `Uint8Array` over the same memory; `undefined` if the value is not bytes. */
function bytesOf(value) {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const tag = tagOf(value);
  if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') return new Uint8Array(value);
  if (tag === 'Uint8Array' && ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return undefined;
}

const DOCUMENT = 'a document as Uint8Array, ArrayBuffer, string, or object as JSON.parse makes it';
const READ_FIRST = {
  Blob: 'await its bytes()',
  File: 'await its bytes()',
  Response: 'await its bytes()',
  Request: 'await its bytes()',
  Promise: 'await it',
  ReadableStream: 'use validateStream or translateStream',
};

/**
 * Whether JSON.stringify would misread a value, such as a Map as `{}`: returns advice for the caller (empty if there is none), or
 * `undefined` for a plain object, an array or a simple value.
 */
function unfit(value) {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return undefined;
  const tag = tagOf(value);
  const isStrange = tag !== 'Object' || typeof value.then === 'function' || typeof value.pipe === 'function' || Symbol.asyncIterator in value;
  return isStrange ? (READ_FIRST[tag] ?? (typeof value.then === 'function' ? READ_FIRST.Promise : undefined) ?? '') : undefined;
}

/**
 * Refuses values that `JSON.stringify` would silently change, anywhere in an object. It was stringified before, so it has no cycle.
 */
function checkInside(holder, where) {
  for (const key of Object.keys(holder)) {
    const value = holder[key];
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse(`${where}/${key}`, value, 'a number that JSON can represent');
    } else if (typeof value === 'object' && value !== null && typeof value.toJSON !== 'function') {
      if (unfit(value) !== undefined && !isWrapped(value)) refuse(`${where}/${key}`, value, 'a value that JSON can represent');
      checkInside(value, `${where}/${key}`);
    }
  }
}

/** Whether a value is a wrapper such as `new String('x')`, which JSON writes as its primitive value. */
const isWrapped = (value) => ['String', 'Number', 'Boolean'].includes(tagOf(value));

function stringified(value, what, expected) {
  const hint = unfit(value);
  if (hint !== undefined) refuse(what, value, hint === '' ? expected : `${expected}: ${hint} first`);
  const text = JSON.stringify(value);
  if (text === undefined) refuse(what, value, expected);
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(what, value, 'a number that JSON can represent');
  if (typeof value === 'object' && value !== null && typeof value.toJSON !== 'function') checkInside(value, '');
  return text;
}

/** Checks a JSON document: returns its bytes, or `{text, isXml}` if it is not encoded yet. */
export function jsonDocument(document) {
  return bytesOf(document) ?? { text: typeof document === 'string' ? document : stringified(document, 'the document', DOCUMENT), isXml: false };
}

/** Checks a document in JSON or, if it begins with `<`, in XML. */
export function eitherDocument(document) {
  return typeof document === 'string' && /^\ufeff?[ \t\r\n]*</.test(document) ? xmlDocument(document) : jsonDocument(document);
}

/** Checks an XML document: returns its bytes, or `{text, isXml}`. */
export function xmlDocument(xml) {
  if (typeof xml === 'string') return { text: xml, isXml: true };
  return bytesOf(xml) ?? refuse('the document', xml, 'XML as Uint8Array, ArrayBuffer or string');
}

/** Checks a Blob, which can be read twice. */
export function blobOf(document) {
  return ['Blob', 'File'].includes(tagOf(document))
    ? document
    : refuse('the document', document, 'a Blob, which is read twice: a File, `await openAsBlob(path)` in Node, or `new Blob([text])`');
}

/** Checks a text, or a chunk of a stream: returns its bytes or its text. */
export function chunkOf(chunk, what = 'the chunk') {
  return typeof chunk === 'string' ? chunk : (bytesOf(chunk) ?? refuse(what, chunk, 'Uint8Array, ArrayBuffer or string'));
}

/** The option type of a fixed set of words. */
const word = (...words) => ({
  check: (value) => words.includes(value),
  expected: words.map((one) => `'${one}'`).join(' or '),
});
const isContextEntry = (entry) => typeof entry === 'string' || (tagOf(entry) === 'Object' && unfit(entry) === undefined);
const CONTEXT = {
  check: (value) => isContextEntry(value) || (Array.isArray(value) && value.every(isContextEntry)),
  expected: 'a JSON-LD context: a string, an object, or an array of these',
};

const FLAG = { check: (value) => typeof value === 'boolean', expected: 'true or false' };
const HASHED = { context: CONTEXT, undeclared: word('refuse', 'keep') };

const NOW = {
  check: (value) => (typeof value === 'number' || tagOf(value) === 'Date') && Number(value) >= 0 && Number.isFinite(Number(value)),
  expected: 'a Date, or milliseconds since 1970',
};

/** The names of the packs of `check`: first those that run by default, then those of industries. */
export const PACKS = ['identifiers', 'consistency', 'cbv', 'fsma204', 'walmart', 'serialised-medicine', 'dscsa', 'gdst'];
const strangePack = (value) => (Array.isArray(value) ? value.find((name) => !PACKS.includes(name)) : undefined);

const TEXTS = {
  check: (value) => typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  expected: 'a string, or an array of strings',
};
const MOMENT = {
  check: (value) => typeof value === 'string' || (tagOf(value) === 'Date' && !Number.isNaN(Number(value))),
  expected: 'a Date or an RFC 3339 string',
};
const COUNT = { check: Number.isSafeInteger, expected: 'a whole number' };

/** The options of each function. */
const OPTIONS = {
  validate: {},
  follow: {
    items: TEXTS,
    direction: word('back', 'forth', 'both'),
    from: MOMENT,
    to: MOMENT,
    depth: COUNT,
    maxEvents: COUNT,
    kin: FLAG,
    through: TEXTS,
    contents: word('listed', 'followed', 'none'),
  },
  check: {
    packs: {
      check: (value) => Array.isArray(value) && value.length > 0 && value.every((name) => PACKS.includes(name)),
      expected: `an array of names of packs: ${PACKS.join(', ')}`,
      // The error names the faulty entry, not the array.
      found: (value) => (Array.isArray(value) ? (value.length === 0 ? 'is empty' : `has ${shown(strangePack(value))}`) : undefined),
    },
    pack: { check: (value) => typeof value === 'string' || bytesOf(value) !== undefined || tagOf(value) === 'Object', expected: 'a pack as JSON or object' },
    parameters: {
      check: (value) => tagOf(value) === 'Object' && unfit(value) === undefined && Object.values(value).every(TEXTS.check),
      expected: 'an object with a string, or an array of strings, for the name of each parameter',
    },
    now: NOW,
  },
  hash: { profile: word('CBV2.0', 'CBV2.1', 'REF2025'), ...HASHED },
  verify: HASHED,
  translate: { as: word('object', 'text'), validate: FLAG },
  toXml: { version: word('2.0', '1.2') },
  validateStream: {},
  translateStream: { as: word('ndjson', 'text', 'object') },
  toXmlStream: { version: word('2.0', '1.2') },
  verifyProof: { now: NOW },
  verifyDisclosure: { now: NOW },
  verifyProofs: { now: NOW },
};
OPTIONS.preHash = { ...OPTIONS.hash, pieces: FLAG };
OPTIONS.followEach = OPTIONS.follow;
OPTIONS.report = OPTIONS.follow;
OPTIONS.exceptionReport = { now: NOW };
OPTIONS.repair = { zone: word('from-offset') };

/** Checks that the second argument of a function is an iterable, of requests. */
export function requestsOf(name, requests) {
  if (typeof requests === 'string' || typeof requests?.[Symbol.iterator] !== 'function')
    refuse(`the second argument of ${name}`, requests, 'an iterable of requests');
  return requests;
}

/** Checks the options of a function. They are its second argument, or the one that `place` names. */
export function optionsOf(name, options, place = 'second') {
  if (options === undefined) return {};
  const known = OPTIONS[name];
  const names = Object.keys(known);
  const expected = names.length === 0 ? `nothing: ${name} has no options` : `an object with the options ${names.join(', ')}`;
  if (tagOf(options) !== 'Object' || unfit(options) !== undefined) refuse(`the ${place} argument of ${name}`, options, expected);
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, option)) throw new TypeError(`${name} has no option ${shown(option)}, expected ${expected}`);
    if (value === undefined || known[option].check(value)) continue;
    const found = known[option].found?.(value);
    if (found) throw new TypeError(`the option ${option} of ${name} ${found}, expected ${known[option].expected}`);
    refuse(`the option ${option} of ${name}`, value, known[option].expected);
  }
  return options;
}

/** The names of the reports. */
export const REPORTS = ['fsma204', 'dscsa', 'recall', 'passport', 'received'];

/** Checks the name of a report. */
export const reportName = (name) => (REPORTS.includes(name) ? name : refuse('the name of the report', name, word(...REPORTS).expected));

const REPORT = 'a report as the function `report` returns it';

/** A report as JSON text. The engine checks its members. */
export function reportText(report) {
  if (tagOf(report) !== 'Object' || !Array.isArray(report.sheets)) {
    const hint = unfit(report) ?? '';
    refuse('the report', report, hint === '' ? REPORT : `${REPORT}: ${hint} first`);
  }
  return stringified(report, 'the report', REPORT);
}

const SENDER = ['email', 'phone', 'gln', 'poNumber'];

/** The sender of an exception report as JSON text. The engine checks what its members say. */
export function senderText(sender) {
  const expected = `an object with the members ${SENDER.join(', ')}, of which only email is needed`;
  if (tagOf(sender) !== 'Object' || unfit(sender) !== undefined) refuse('the sender', sender, expected);
  for (const name of Object.keys(sender)) if (!SENDER.includes(name)) throw new TypeError(`the sender has the member ${shown(name)}, expected ${expected}`);
  for (const name of SENDER) if (name === 'email' || sender[name] !== undefined) text(`the member ${name} of the sender`, sender[name]);
  return JSON.stringify(sender);
}

/** The option `context` as JSON text. */
export const contextText = (context) => (context === undefined ? undefined : stringified(context, 'the option context', CONTEXT.expected));

/** The option `parameters` as JSON text. The engine checks the names. */
export const parametersText = (parameters) => (parameters === undefined ? undefined : JSON.stringify(parameters));

/** The option `pack` as JSON text. */
export function packText(pack) {
  if (pack === undefined || typeof pack === 'string') return pack;
  const bytes = bytesOf(pack);
  return bytes ? new TextDecoder().decode(bytes) : stringified(pack, 'the option pack', 'a pack as JSON or object');
}

/** Checks the source of the engine: bytes, a compiled module, an address, a Request or a Response. */
export function engineSource(source) {
  const isKnown =
    typeof source === 'string' ||
    ArrayBuffer.isView(source) ||
    ['ArrayBuffer', 'SharedArrayBuffer', 'WebAssembly.Module', 'URL', 'Request', 'Response'].includes(tagOf(source));
  return isKnown ? source : refuse('the source of init', source, 'bytes, a WebAssembly.Module, a URL, a Request, a Response or an address as string');
}

/** Checks a text, such as an identifier. */
export function text(what, value) {
  return typeof value === 'string' ? value : refuse(what, value, 'a string');
}

/** Checks the length of a company prefix roughly: the engine knows the valid lengths. */
export function prefixLength(value) {
  return Number.isInteger(value) && value >= 0 && value < 100 ? value : refuse('companyPrefixLength', value, 'a whole number from 6 to 12');
}

/** The exact bytes of an event: of a `Uint8Array`, an `ArrayBuffer`, or of a string as UTF-8. */
export const eventBytes = (value) => bytesOrText('the event', value);

/** The exact bytes of a value: of a `Uint8Array`, an `ArrayBuffer`, or of a string as UTF-8. */
export function bytesOrText(what, value) {
  const bytes = bytesOf(value);
  if (bytes !== undefined) return bytes;
  if (typeof value !== 'string') refuse(what, value, 'its exact text as the gateway sent it: Uint8Array, ArrayBuffer or string');
  return new TextEncoder().encode(value);
}

/** Checks a list of texts. */
export function texts(what, value) {
  return Array.isArray(value) ? value.map((one) => text(`an entry of ${what}`, one)) : refuse(what, value, 'a list of strings');
}
