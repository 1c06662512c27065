// Checks the arguments of callers before anything reaches the engine.
import type { CheckOptions, ExceptionOptions, PackName, RepairOptions } from '../check/index.ts';
import type { FollowRequest } from '../follow/index.ts';
import type { ReportName, ReportRequest } from '../report/index.ts';
import { PACKS, PROFILES, REPORTS } from './answers.ts';
import type { BlobInput, HashOptions, PrefixOptions, PreHashOptions, TranslateOptions, TranslateStreamOptions } from './index.ts';
import type { Text } from './text.ts';

export { PACKS, REPORTS };

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** A value in words for an error message. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: string = value.constructor?.name || tagOf(value);
  return /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`;
}

function refuse(what: string, value: unknown, expected: string): never {
  throw new TypeError(`${what} is ${shown(value)}, expected ${expected}`);
}

/** Bytes of this or another realm, as a `Uint8Array` over the same memory; `undefined` if the value is not bytes. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (value instanceof Uint8Array) return value as Uint8Array<ArrayBuffer>;
  if (typeof value !== 'object' || value === null) return undefined;
  const tag = tagOf(value);
  if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') return new Uint8Array(value as ArrayBuffer);
  if (tag === 'Uint8Array' && ArrayBuffer.isView(value)) return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  return undefined;
}

const DOCUMENT = 'a document as Uint8Array, ArrayBuffer, string, or object as JSON.parse makes it';
const READ_FIRST: Readonly<Record<string, string>> = {
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
function unfit(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return undefined;
  const tag = tagOf(value);
  const { then, pipe } = value as { then?: unknown; pipe?: unknown };
  const isStrange = tag !== 'Object' || typeof then === 'function' || typeof pipe === 'function' || Symbol.asyncIterator in value;
  return isStrange ? (READ_FIRST[tag] ?? (typeof then === 'function' ? READ_FIRST.Promise : undefined) ?? '') : undefined;
}

/**
 * Refuses values that `JSON.stringify` would silently change, anywhere in an object. It was stringified before, so it has no cycle.
 */
function checkInside(holder: object, where: string): void {
  for (const key of Object.keys(holder)) {
    const value: unknown = (holder as Record<string, unknown>)[key];
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse(`${where}/${key}`, value, 'a number that JSON can represent');
    } else if (typeof value === 'object' && value !== null && !isWritten(value)) {
      if (unfit(value) !== undefined && !isWrapped(value)) refuse(`${where}/${key}`, value, 'a value that JSON can represent');
      checkInside(value, `${where}/${key}`);
    }
  }
}

/** Whether a value is a wrapper such as `new String('x')`, which JSON writes as its primitive value. */
const isWrapped = (value: unknown): boolean => ['String', 'Number', 'Boolean'].includes(tagOf(value));

/** Whether a value says itself how JSON writes it. */
const isWritten = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === 'function';

function stringified(value: unknown, what: string, expected: string): string {
  const hint = unfit(value);
  if (hint !== undefined) refuse(what, value, hint === '' ? expected : `${expected}: ${hint} first`);
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) refuse(what, value, expected);
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(what, value, 'a number that JSON can represent');
  if (typeof value === 'object' && value !== null && !isWritten(value)) checkInside(value, '');
  return text;
}

/** Checks a JSON document. */
export function jsonDocument(document: unknown): Uint8Array<ArrayBuffer> | Text {
  return bytesOf(document) ?? { text: typeof document === 'string' ? document : stringified(document, 'the document', DOCUMENT), isXml: false };
}

/** Checks a document in JSON or, if it begins with `<`, in XML. */
export function eitherDocument(document: unknown): Uint8Array<ArrayBuffer> | Text {
  return typeof document === 'string' && /^\ufeff?[ \t\r\n]*</.test(document) ? xmlDocument(document) : jsonDocument(document);
}

/** Checks an XML document. */
export function xmlDocument(xml: unknown): Uint8Array<ArrayBuffer> | Text {
  if (typeof xml === 'string') return { text: xml, isXml: true };
  return bytesOf(xml) ?? refuse('the document', xml, 'XML as Uint8Array, ArrayBuffer or string');
}

/** Checks a Blob, which can be read twice. */
export function blobOf(document: unknown): BlobInput {
  return ['Blob', 'File'].includes(tagOf(document))
    ? (document as BlobInput)
    : refuse('the document', document, 'a Blob, which is read twice: a File, `await openAsBlob(path)` in Node, or `new Blob([text])`');
}

/** Checks a text, or a chunk of a stream. */
export function chunkOf(chunk: unknown, what = 'the chunk'): Uint8Array<ArrayBuffer> | string {
  return typeof chunk === 'string' ? chunk : (bytesOf(chunk) ?? refuse(what, chunk, 'Uint8Array, ArrayBuffer or string'));
}

/** What an option may be. */
interface Rule {
  readonly check: (value: unknown) => boolean;
  readonly expected: string;
  /** Names what is wrong in a value, if that is a part of it. */
  readonly found?: (value: unknown) => string | undefined;
}

/** The rule of a fixed set of words. */
const word = (...words: readonly unknown[]): Rule => ({
  check: (value) => words.includes(value),
  expected: words.map((one) => `'${one}'`).join(' or '),
});
const isContextEntry = (entry: unknown): boolean => typeof entry === 'string' || (tagOf(entry) === 'Object' && unfit(entry) === undefined);
const CONTEXT: Rule = {
  check: (value) => isContextEntry(value) || (Array.isArray(value) && value.every(isContextEntry)),
  expected: 'a JSON-LD context: a string, an object, or an array of these',
};

const FLAG: Rule = { check: (value) => typeof value === 'boolean', expected: 'true or false' };
const HASHED = { context: CONTEXT, undeclared: word('refuse', 'keep') };

const NOW: Rule = {
  check: (value) => (typeof value === 'number' || tagOf(value) === 'Date') && Number(value) >= 0 && Number.isFinite(Number(value)),
  expected: 'a Date, or milliseconds since 1970',
};

/** Whether a name is that of a pack. */
export const isPack = (name: unknown): name is PackName => (PACKS as readonly unknown[]).includes(name);

const TEXTS: Rule = {
  check: (value) => typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  expected: 'a string, or an array of strings',
};
const MOMENT: Rule = {
  check: (value) => typeof value === 'string' || (tagOf(value) === 'Date' && !Number.isNaN(Number(value))),
  expected: 'a Date or an RFC 3339 string',
};
const COUNT: Rule = { check: Number.isSafeInteger, expected: 'a whole number' };

const FOLLOWED = {
  items: TEXTS,
  direction: word('back', 'forth', 'both'),
  from: MOMENT,
  to: MOMENT,
  depth: COUNT,
  maxEvents: COUNT,
  kin: FLAG,
  through: TEXTS,
  contents: word('listed', 'followed', 'none'),
};
const HASHES = { profile: word(...PROFILES), ...HASHED };

/** The options of each function. */
interface Options {
  validate: object;
  follow: Partial<FollowRequest>;
  followEach: Partial<FollowRequest>;
  report: ReportRequest;
  check: CheckOptions;
  exceptionReport: ExceptionOptions;
  repair: RepairOptions;
  hash: HashOptions;
  preHash: PreHashOptions;
  verify: PrefixOptions;
  translate: TranslateOptions;
  toXml: { readonly version?: '2.0' | '1.2' | undefined };
  validateStream: object;
  translateStream: TranslateStreamOptions;
  toXmlStream: { readonly version?: '2.0' | '1.2' | undefined };
  verifyProof: { readonly now?: Date | number };
  verifyDisclosure: { readonly now?: Date | number };
  verifyProofs: { readonly now?: Date | number };
}

const OPTIONS: { readonly [Name in keyof Options]: Readonly<Record<string, Rule>> } = {
  validate: {},
  follow: FOLLOWED,
  followEach: FOLLOWED,
  report: FOLLOWED,
  check: {
    packs: {
      check: (value) => Array.isArray(value) && value.length > 0 && value.every(isPack),
      expected: `an array of names of packs: ${PACKS.join(', ')}`,
      // The error names the faulty entry, not the array.
      found: (value) => (Array.isArray(value) ? (value.length === 0 ? 'is empty' : `has ${shown(value.find((name) => !isPack(name)))}`) : undefined),
    },
    pack: { check: (value) => typeof value === 'string' || bytesOf(value) !== undefined || tagOf(value) === 'Object', expected: 'a pack as JSON or object' },
    parameters: {
      check: (value) => tagOf(value) === 'Object' && unfit(value) === undefined && Object.values(value as object).every(TEXTS.check),
      expected: 'an object with a string, or an array of strings, for the name of each parameter',
    },
    now: NOW,
  },
  exceptionReport: { now: NOW },
  repair: { zone: word('from-offset') },
  hash: HASHES,
  preHash: { ...HASHES, pieces: FLAG },
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

/** Checks that the second argument of a function is an iterable, of requests. */
export function requestsOf<Request>(name: string, requests: Iterable<Request>): Iterable<Request> {
  if (typeof requests === 'string' || typeof requests?.[Symbol.iterator] !== 'function')
    refuse(`the second argument of ${name}`, requests, 'an iterable of requests');
  return requests;
}

/** Checks the options of a function. They are its second argument, or the one that `place` names. */
export function optionsOf<Name extends keyof Options>(name: Name, options: unknown, place = 'second'): Options[Name] {
  if (options === undefined) return {};
  const known = OPTIONS[name];
  const names = Object.keys(known);
  const expected = names.length === 0 ? `nothing: ${name} has no options` : `an object with the options ${names.join(', ')}`;
  if (tagOf(options) !== 'Object' || unfit(options) !== undefined) refuse(`the ${place} argument of ${name}`, options, expected);
  for (const [option, value] of Object.entries(options as object)) {
    const rule = Object.hasOwn(known, option) ? known[option] : undefined;
    if (rule === undefined) throw new TypeError(`${name} has no option ${shown(option)}, expected ${expected}`);
    if (value === undefined || rule.check(value)) continue;
    const found = rule.found?.(value);
    if (found) throw new TypeError(`the option ${option} of ${name} ${found}, expected ${rule.expected}`);
    refuse(`the option ${option} of ${name}`, value, rule.expected);
  }
  return options as Options[Name];
}

/** Whether a name is that of a report. */
export const isReport = (name: unknown): name is ReportName => (REPORTS as readonly unknown[]).includes(name);

/** Checks the name of a report. */
export const reportName = (name: unknown): ReportName => (isReport(name) ? name : refuse('the name of the report', name, word(...REPORTS).expected));

const REPORT = 'a report as the function `report` returns it';

/** A report as JSON text. The engine checks its members. */
export function reportText(report: unknown): string {
  if (tagOf(report) !== 'Object' || !Array.isArray((report as { sheets?: unknown }).sheets)) {
    const hint = unfit(report) ?? '';
    refuse('the report', report, hint === '' ? REPORT : `${REPORT}: ${hint} first`);
  }
  return stringified(report, 'the report', REPORT);
}

const SENDER = ['email', 'phone', 'gln', 'poNumber'];

/** The sender of an exception report as JSON text. The engine checks what its members say. */
export function senderText(sender: unknown): string {
  const expected = `an object with the members ${SENDER.join(', ')}, of which only email is needed`;
  if (tagOf(sender) !== 'Object' || unfit(sender) !== undefined) refuse('the sender', sender, expected);
  const members = sender as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) if (!SENDER.includes(name)) throw new TypeError(`the sender has the member ${shown(name)}, expected ${expected}`);
  for (const name of SENDER) if (name === 'email' || members[name] !== undefined) text(`the member ${name} of the sender`, members[name]);
  return JSON.stringify(sender);
}

/** The option `context` as JSON text. */
export const contextText = (context: unknown): string | undefined =>
  context === undefined ? undefined : stringified(context, 'the option context', CONTEXT.expected);

/** The option `parameters` as JSON text. The engine checks the names. */
export const parametersText = (parameters: object | undefined): string | undefined => (parameters === undefined ? undefined : JSON.stringify(parameters));

/** The option `pack` as JSON text. */
export function packText(pack: unknown): string | undefined {
  if (pack === undefined || typeof pack === 'string') return pack;
  const bytes = bytesOf(pack);
  return bytes ? new TextDecoder().decode(bytes) : stringified(pack, 'the option pack', 'a pack as JSON or object');
}

/** Checks the source of the engine: bytes, a compiled module, an address, a Request or a Response. */
export function engineSource(source: unknown): string | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WebAssembly.Module | URL | Request | Response {
  const isKnown =
    typeof source === 'string' ||
    ArrayBuffer.isView(source) ||
    ['ArrayBuffer', 'SharedArrayBuffer', 'WebAssembly.Module', 'URL', 'Request', 'Response'].includes(tagOf(source));
  return isKnown ? (source as URL) : refuse('the source of init', source, 'bytes, a WebAssembly.Module, a URL, a Request, a Response or an address as string');
}

/** Checks a text, such as an identifier. */
export function text(what: string, value: unknown): string {
  return typeof value === 'string' ? value : refuse(what, value, 'a string');
}

/** Checks the length of a company prefix roughly: the engine knows the valid lengths. */
export function prefixLength(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 100
    ? value
    : refuse('companyPrefixLength', value, 'a whole number from 6 to 12');
}

/** The exact bytes of an event: of a `Uint8Array`, an `ArrayBuffer`, or of a string as UTF-8. */
export const eventBytes = (value: unknown): Uint8Array => bytesOrText('the event', value);

/** The exact bytes of a value: of a `Uint8Array`, an `ArrayBuffer`, or of a string as UTF-8. */
export function bytesOrText(what: string, value: unknown): Uint8Array {
  const bytes = bytesOf(value);
  if (bytes !== undefined) return bytes;
  if (typeof value !== 'string') refuse(what, value, 'its exact text as the gateway sent it: Uint8Array, ArrayBuffer or string');
  return new TextEncoder().encode(value);
}

/** Checks a list of texts. */
export function texts(what: string, value: unknown): string[] {
  return Array.isArray(value) ? value.map((one) => text(`an entry of ${what}`, one)) : refuse(what, value, 'a list of strings');
}
