// Checks the arguments of callers before anything reaches the engine.
import type { BlobInput } from './index.ts';
import type { Text } from './text.ts';

export const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** A value in words for an error message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: string = value.constructor?.name || tagOf(value);
  return /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`;
}

export function refuse(what: string, value: unknown, expected: string): never {
  throw new TypeError(`${what} is ${shown(value)}, expected ${expected}`);
}

/** Bytes of this or another realm, as a `Uint8Array` over the same memory; `undefined` if the value is not bytes. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
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
export function unfit(value: unknown): string | undefined {
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

export function stringified(value: unknown, what: string, expected: string): string {
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
export interface Rule {
  readonly check: (value: unknown) => boolean;
  readonly expected: string;
  /** Names what is wrong in a value, if that is a part of it. */
  readonly found?: (value: unknown) => string | undefined;
}

/** The rule of a fixed set of words. */
export const word = (...words: readonly unknown[]): Rule => ({
  check: (value) => words.includes(value),
  expected: words.map((one) => `'${one}'`).join(' or '),
});
/** The rule of a choice. */
export const FLAG: Rule = { check: (value) => typeof value === 'boolean', expected: 'true or false' };
/** The rule of one text, or of several. */
export const TEXTS: Rule = {
  check: (value) => typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  expected: 'a string, or an array of strings',
};
/** The rule of the current time. */
export const NOW: Rule = {
  check: (value) => (typeof value === 'number' || tagOf(value) === 'Date') && Number(value) >= 0 && Number.isFinite(Number(value)),
  expected: 'a Date, or milliseconds since 1970',
};

/** The rule of each option of a function. */
export type Rules<Given> = { readonly [Name in keyof Given]-?: Rule };

/** Checks the options of a function. They are its second argument, or the one that `place` names. */
export function optionsOf<Given extends object>(name: string, known: Rules<Given>, options: unknown, place = 'second'): Partial<Given> {
  if (options === undefined) return {};
  const names = Object.keys(known);
  const expected = names.length === 0 ? `nothing: ${name} has no options` : `an object with the options ${names.join(', ')}`;
  if (tagOf(options) !== 'Object' || unfit(options) !== undefined) refuse(`the ${place} argument of ${name}`, options, expected);
  for (const [option, value] of Object.entries(options as object)) {
    const rule = Object.hasOwn(known, option) ? known[option as keyof Given] : undefined;
    if (rule === undefined) throw new TypeError(`${name} has no option ${shown(option)}, expected ${expected}`);
    if (value === undefined || rule.check(value)) continue;
    const found = rule.found?.(value);
    if (found) throw new TypeError(`the option ${option} of ${name} ${found}, expected ${rule.expected}`);
    refuse(`the option ${option} of ${name}`, value, rule.expected);
  }
  return options as Given;
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
