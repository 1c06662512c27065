import type {
  EventHash,
  GS1Key,
  PreHashed,
  Problem,
  Profile,
  TranslationError,
  TranslationFacts,
  Verdict,
  Verification,
  XmlTranslation,
  XmlVerdict,
} from './answers.ts';
import type {
  AggregationEvent,
  AssociationEvent,
  EPCISDocument,
  EPCISEvent,
  EPCISQueryDocument,
  EPCISRoot,
  ExtendedEvent,
  ObjectEvent,
  TransactionEvent,
  TransformationEvent,
} from './epcis.ts';

export * from './epcis.ts';
export type {
  EventHash,
  FidelityNote,
  FidelityReport,
  GS1Characters,
  GS1Key,
  Losses,
  Place,
  PreHashed,
  PreHashPiece,
  Problem,
  Profile,
  SchemaError,
  SchemaPin,
  TranslationError,
  Verdict,
  Verification,
  XmlSchemaError,
  XmlSchemaPin,
  XmlTranslation,
  XmlVerdict,
} from './answers.ts';

// Types of the runtime. They merge with its own (`dom`, `@types/node`), if a project has them.
declare global {
  interface ReadableStream<R = any> {}
  interface WritableStream<W = any> {}
  interface URL {}
  interface Request {}
  interface Response {}
  namespace WebAssembly {
    interface Module {}
  }
}

/**
 * An EPCIS document: UTF-8 bytes (the fastest), JSON text, or an object as `JSON.parse` returns it.
 *
 * A value that JSON cannot express is a `TypeError`: a `Blob`, `Response`, `Promise` or `Map`, `NaN`, a cycle.
 */
export type DocumentInput = Uint8Array | ArrayBuffer | string | object;

/**
 * A document in JSON or XML. If it begins with `<`, after a byte order mark and white space, it is read as EPCIS XML 1.0 to 2.0, in the
 * encodings that {@link translate} reads.
 */
export type EitherInput = DocumentInput;

/** The error of the functions for a document that cannot be processed. A wrong argument or option is a `TypeError` instead. */
export declare class EpcisError extends Error {
  private constructor();
  readonly name: 'EpcisError';
  readonly problem: Problem;
  /** What to do about it, if there is such a thing. */
  readonly hint?: string;
}

/**
 * Validates an EPCISDocument, an EPCISQueryDocument or a bare event against the official EPCIS 2.0.1 JSON schema. XML, recognised by its
 * first character, is validated against the official XML schema of its version.
 *
 * For a document that is not valid, the errors are returned, not thrown. `schema` names the schema.
 *
 * @throws {EpcisError} if the document is not JSON: malformed, nested deeper than 128 levels, a number out of range; and if it begins
 * with `<` but is not well-formed XML, or declares a document type.
 * @throws {TypeError} for a value that JSON cannot express, such as `undefined`.
 *
 * @example
 * ```js
 * import { validate } from 'epcis-edge';
 *
 * const { valid, errors } = validate({
 *   '@context': 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
 *   type: 'ObjectEvent',
 *   action: 'OBSERVE',
 *   bizStep: 'shiping',
 *   eventTime: '2026-03-04T11:00:30.000+01:00',
 *   eventTimeZoneOffset: '+01:00',
 *   epcList: ['urn:epc:id:sscc:9521141.1234567890'],
 * });
 * assert.equal(valid, false);
 * assert.equal(errors[0].path, '/bizStep');
 * assert.match(errors[0].message, /did you mean `shipping`/);
 * ```
 */
export declare function validate(document: XmlInput): Verdict | XmlVerdict;
export declare function validate(document: object): Verdict;
export declare function validate(document: DocumentInput): Verdict | XmlVerdict;

/** A JSON-LD context: an address, which is not fetched, an object that declares prefixes, or an array of these. */
export type JsonLdContext = string | object | readonly (string | object)[];

/** Options of {@link verify}. */
export interface PrefixOptions {
  /** The context around a JSON document: for an event taken out of a document, that document's `@context`. Not allowed with XML. */
  readonly context?: JsonLdContext | undefined;
  /**
   * How to treat a member such as `ex:lot` if nothing declares `ex`. `refuse`, the default, throws: the hash would differ from that in the
   * document that declares `ex`. `keep` hashes the name as written.
   */
  readonly undeclared?: 'refuse' | 'keep' | undefined;
}

/** Options of {@link hash} and {@link preHash}. */
export interface HashOptions extends PrefixOptions {
  /** The hash profile; the default is `CBV2.0`. */
  readonly profile?: Profile | undefined;
}

/** Options of {@link preHash}. */
export interface PreHashOptions extends HashOptions {
  /** Whether the result has `pieces`. */
  readonly pieces?: boolean | undefined;
}

/**
 * Computes the CBV event hashes of all events of a document, in document order.
 *
 * The document is an EPCISDocument, an EPCISQueryDocument, a bare event or an array of events, as JSON; or EPCIS XML. It is not validated.
 *
 * @throws {EpcisError} if the document is neither JSON nor EPCIS XML, has no events, or has a member with an undeclared prefix.
 *
 * @example
 * ```js
 * import { hash } from 'epcis-edge';
 *
 * const json = '{"type": "ObjectEvent", "action": "ADD", "epcList": ["urn:epc:id:sscc:4012345.0000000333"]}';
 * const xml = '<ObjectEvent><epcList><epc>urn:epc:id:sscc:4012345.0000000333</epc></epcList><action>ADD</action></ObjectEvent>';
 * const [uri] = hash(json);
 * assert.match(uri, /^ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/);
 * assert.deepEqual(hash(xml), [uri]); // the same event, however it is written
 * assert.match(hash(json, { profile: 'CBV2.1' })[0], /ver=CBV2\.1$/);
 *
 * // An event that is taken out of its document takes the context along.
 * const document = { '@context': { ex: 'https://ex.example/' }, epcisBody: { eventList: [{ type: 'ObjectEvent', 'ex:lot': 'A' }] } };
 * const [event] = document.epcisBody.eventList;
 * assert.deepEqual(hash(event, { context: document['@context'] }), hash(document));
 * assert.throws(() => hash(event), /the prefix `ex` of `ex:lot` is not declared/);
 * ```
 */
export declare function hash(document: EitherInput, options?: HashOptions): EventHash[];

/**
 * Computes the event hashes with their pre-hash strings. Compare these if two tools disagree.
 *
 * @throws {EpcisError} as {@link hash}.
 *
 * @example
 * ```js
 * import { preHash } from 'epcis-edge';
 *
 * const [event] = preHash({ type: 'ObjectEvent', action: 'ADD', epcList: ['urn:epc:id:sscc:4012345.0000000333'] });
 * assert.equal(event.preHash, 'eventType=ObjectEventepcListepc=https://id.gs1.org/00/040123450000003338action=ADD');
 *
 * const [{ pieces }] = preHash({ type: 'ObjectEvent', action: 'ADD' }, { pieces: true });
 * assert.deepEqual(pieces, [{ field: 'eventType', text: 'eventType=ObjectEvent' }, { field: 'action', text: 'action=ADD' }]);
 * ```
 */
export declare function preHash(document: EitherInput, options?: PreHashOptions): PreHashed[];

/**
 * Recomputes every `eventID` that is in hash form, under every profile. Returns one entry per event, in document order.
 *
 * @throws {EpcisError} as {@link hash}.
 *
 * @example
 * ```js
 * import { hash, verify } from 'epcis-edge';
 *
 * const event = { type: 'ObjectEvent', action: 'ADD' };
 * const [eventID] = hash(event);
 * assert.deepEqual(verify({ ...event, eventID }), [{ result: 'matches', profiles: ['CBV2.0', 'REF2025'] }]);
 * assert.equal(verify({ ...event, eventID, action: 'DELETE' })[0].result, 'matches-none');
 * assert.equal(verify(event)[0].result, 'not-hash-form');
 * ```
 */
export declare function verify(document: EitherInput, options?: PrefixOptions): Verification[];

/** A JSON-LD document or event, as `JSON.parse` returns it. Its members depend on the source. */
export type JsonLd = { [member: string]: any };

/** The result of {@link translate}. */
export interface Translation<Document = EPCISRoot> extends TranslationFacts {
  /** The EPCIS 2.0 JSON-LD document, or the event if the XML is a bare event. It is valid, unless `validate` is false. */
  readonly document: Document;
  /** With `validate: false`: the errors of the official JSON schema in `document`, each with its place in the source. */
  readonly errors?: readonly TranslationError[];
}

/** An XML document: bytes in a supported encoding, or text. */
export type XmlInput = Uint8Array | ArrayBuffer | string;

/** Options of {@link translate}. */
export interface TranslateOptions {
  /** The form of the result's document; the default is `object`. */
  readonly as?: 'object' | 'text' | undefined;
  /**
   * Whether a translation that is not valid by the official schema is thrown. The default is `true`. With `false` it is returned with its
   * `errors`.
   */
  readonly validate?: boolean | undefined;
}

/**
 * Translates EPCIS 1.0, 1.1, 1.2 or 2.0 XML to EPCIS 2.0 JSON-LD, and validates the result against the official schema.
 *
 * `as: 'text'` returns the document as JSON text, in which numbers have the digits of the source. In an object they are what `JSON.parse`
 * makes of them.
 *
 * @throws {EpcisError} if the document cannot be translated, with the place. If the translation is not valid, the problem also has
 *   `fidelityReport` and `errors`, each with its JSON Pointer and its place in the source.
 *
 * @example
 * ```js
 * import { isEPCISDocument, translate } from 'epcis-edge';
 *
 * const { document, fidelityReport, sourceSchemaVersion } = translate(`
 *   <epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2" creationDate="2026-11-20T08:00:00Z">
 *     <EPCISBody><EventList><ObjectEvent>
 *       <eventTime>2026-11-20T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
 *       <epcList><epc>urn:epc:id:sgtin:9521141.012345.1</epc></epcList><action>OBSERVE</action>
 *       <bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep>
 *     </ObjectEvent></EventList></EPCISBody>
 *   </epcis:EPCISDocument>`.trim());
 * assert.ok(isEPCISDocument(document));
 * assert.equal(document.epcisBody.eventList[0].bizStep, 'shipping');
 * assert.equal(sourceSchemaVersion, '1.2');
 * assert.ok(fidelityReport.roundTripClean); // otherwise fidelityReport.lossyPaths names what is lost
 * ```
 */
export declare function translate(xml: XmlInput, options?: { readonly as?: 'object' | undefined; readonly validate?: true | undefined }): Translation;
export declare function translate(xml: XmlInput, options: { readonly as: 'text'; readonly validate?: boolean | undefined }): Translation<string>;
export declare function translate(xml: XmlInput, options: { readonly as?: 'object' | undefined; readonly validate: boolean }): Translation<JsonLd>;
export declare function translate(xml: XmlInput, options?: TranslateOptions & { readonly validate?: true | undefined }): Translation<EPCISRoot | string>;
export declare function translate(xml: XmlInput, options?: TranslateOptions): Translation<JsonLd | string>;

/**
 * Translates EPCIS 2.0 JSON-LD to XML of version 2.0 (the default) or 1.2.
 *
 * @throws {EpcisError} if the document is not JSON or has nothing to translate.
 *
 * @example
 * ```js
 * import { toXml } from 'epcis-edge';
 *
 * const { document, report } = toXml(
 *   {
 *     '@context': 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
 *     type: 'ObjectEvent',
 *     action: 'ADD',
 *     bizStep: 'shipping',
 *     eventTime: '2026-11-20T07:00:00Z',
 *     eventTimeZoneOffset: '+00:00',
 *     epcList: ['urn:epc:id:sgtin:9521141.012345.1'],
 *   },
 *   { version: '1.2' },
 * );
 * assert.match(document, /<bizStep>urn:epcglobal:cbv:bizstep:shipping<\/bizStep>/);
 * assert.ok(report.clean);
 * ```
 */
export declare function toXml(document: DocumentInput, options?: { readonly version?: '2.0' | '1.2' | undefined }): XmlTranslation;

/** Options of {@link translateStream}. */
export interface TranslateStreamOptions {
  /**
   * The form of the output. `ndjson`, the default: `Uint8Array`s of whole lines, one event per line. `text`: one string per event.
   * `object`: one object per event, as `JSON.parse` returns it.
   */
  readonly as?: 'ndjson' | 'text' | 'object' | undefined;
}

/** The report of a {@link TranslateStream}, available at its end. */
export interface StreamReport extends TranslationFacts {
  /** The document that contained the events, with an empty list of events; `undefined` for a bare event. */
  readonly document: EPCISDocument | EPCISQueryDocument | undefined;
}

/** A pair of streams for `pipeThrough`. */
export interface Piped<In, Out> {
  readonly readable: ReadableStream<Out>;
  readonly writable: WritableStream<In>;
}

/** The streams of {@link translateStream}: XML in, events out. */
export interface TranslateStream<Out> extends Piped<XmlInput, Out> {
  /** The report on the whole document. Rejected with the error of the stream. */
  readonly report: Promise<StreamReport>;
}

/**
 * Translates XML that may be larger than memory. Its events come out one by one, each standalone, with its own `@context`.
 *
 * Events, report, verdict on the source and errors are those of {@link translate} for the whole document. An event that is not valid is
 * held back, and the stream is errored at its end with all errors and their places.
 * Memory holds one event (at most 16 MiB), everything outside the events, such as master data (at most 32 MiB), and about 16 MiB of
 * notes.
 *
 * The stream is errored with an {@link EpcisError} if the document cannot be translated or exceeds these limits.
 *
 * @example
 * ```js
 * import { translateStream } from 'epcis-edge';
 *
 * // In Node: Readable.toWeb(createReadStream('large.xml')); in browsers and workers: response.body or file.stream().
 * const xml = new Blob([
 *   '<EPCISDocument schemaVersion="1.2" creationDate="2026-11-20T08:00:00Z"><EPCISBody><EventList>',
 *   '<ObjectEvent><eventTime>2026-11-20T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>',
 *   '<epcList><epc>urn:epc:id:sgtin:9521141.012345.1</epc></epcList><action>ADD</action></ObjectEvent>',
 *   '</EventList></EPCISBody></EPCISDocument>',
 * ]).stream();
 * const events = translateStream({ as: 'object' });
 * for await (const event of xml.pipeThrough(events)) assert.equal(event.action, 'ADD');
 * const { fidelityReport, meteredEvents } = await events.report;
 * assert.equal(meteredEvents, 1);
 * assert.ok(fidelityReport.roundTripClean);
 * ```
 */
export declare function translateStream(options?: { readonly as?: 'ndjson' }): TranslateStream<Uint8Array>;
export declare function translateStream(options: { readonly as: 'text' }): TranslateStream<string>;
export declare function translateStream(options: { readonly as: 'object' }): TranslateStream<EPCISEvent | ExtendedEvent>;
export declare function translateStream(options?: TranslateStreamOptions): TranslateStream<unknown>;

/** The members of a Blob that are used. `stream` can be called repeatedly. */
export interface BlobInput {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** The result of {@link toXmlStream}. */
export interface XmlStream {
  /** The XML as UTF-8. Errored with an {@link EpcisError}. */
  readonly readable: ReadableStream<Uint8Array>;
  /** The report on the whole document. Rejected with the error of the stream. */
  readonly report: Promise<{ readonly report: XmlTranslation['report']; readonly meteredEvents: number }>;
}

/**
 * Translates JSON that may be larger than memory to XML. The document is read twice, since parts that XML has at its start, such as the
 * context, may be at the end of the JSON. So it is a Blob: a File, or `await openAsBlob(path)` in Node.
 *
 * XML and report are those of {@link toXml} for the whole document; the notes on the envelope come first in the report. Memory holds one
 * event (at most 16 MiB) and everything outside the events (at most 32 MiB).
 *
 * The stream is errored with an {@link EpcisError} if the document cannot be translated, before any output, if it exceeds these limits,
 * and if it changes between its two readings.
 *
 * @example
 * ```js
 * import { toXmlStream } from 'epcis-edge';
 *
 * const json = new Blob([
 *   '{"type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-11-20T08:00:00Z", "epcisBody": {"eventList": [',
 *   '{"type": "ObjectEvent", "action": "ADD", "epcList": ["urn:epc:id:sgtin:9521141.012345.1"]}',
 *   ']}, "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"}',
 * ]);
 * const { readable, report } = toXmlStream(json);
 * assert.match(await new Response(readable).text(), /<epc>urn:epc:id:sgtin:9521141.012345.1<\/epc>/);
 * assert.equal((await report).meteredEvents, 1);
 * ```
 */
export declare function toXmlStream(document: BlobInput, options?: { readonly version?: '2.0' | '1.2' | undefined }): XmlStream;

/**
 * Validates JSON that may be larger than memory. One {@link Verdict} comes out at the end, that of {@link validate} for the whole
 * document.
 *
 * The stream is errored with an {@link EpcisError} if the document is not JSON, has an event longer than 16 MiB, or more than 32 MiB
 * outside the events.
 *
 * @example
 * ```js
 * import { validateStream } from 'epcis-edge';
 *
 * const json = new Blob(['{"type": "EPCISDocument", "epcisBody": {"eventList": [', '{"type": "ObjectEvent"}', ']}}']).stream();
 * for await (const { valid, errors } of json.pipeThrough(validateStream())) {
 *   assert.equal(valid, false);
 *   assert.ok(errors.some(({ path }) => path === '/epcisBody/eventList/0'));
 * }
 * ```
 */
export declare function validateStream(): Piped<Uint8Array | ArrayBuffer | string, Verdict>;

/** Functions that convert GS1 identifiers between EPC URN and GS1 Digital Link. */
export declare const identifiers: {
  /**
   * Returns the canonical Digital Link URI of an EPC URN, of a class or pattern URN, or of another Digital Link; `undefined` if the
   * identifier is none of these.
   *
   * @example
   * ```js
   * import { identifiers } from 'epcis-edge';
   *
   * assert.equal(identifiers.toDigitalLink('urn:epc:id:sscc:4012345.0000000333'), 'https://id.gs1.org/00/040123450000003338');
   * assert.equal(identifiers.toDigitalLink('urn:uuid:1'), undefined);
   * ```
   */
  toDigitalLink(identifier: string): string | undefined;
  /**
   * Returns the EPC URN of a Digital Link URI, given the number of digits of its company prefix (6 to 12).
   *
   * @throws {EpcisError} if it cannot be converted.
   *
   * @example
   * ```js
   * import { identifiers } from 'epcis-edge';
   *
   * assert.equal(identifiers.toEpcUrn('https://id.gs1.org/00/040123450000003338', 7), 'urn:epc:id:sscc:4012345.0000000333');
   * ```
   */
  toEpcUrn(digitalLink: string, companyPrefixLength: number): string;
  /**
   * Computes the GS1 check digit that follows these digits.
   *
   * @throws {TypeError} for anything but a string of digits.
   *
   * @example
   * ```js
   * import { identifiers } from 'epcis-edge';
   *
   * assert.equal(identifiers.checkDigit('952114100001'), '4');
   * ```
   */
  checkDigit(digits: string): string;
  /**
   * Returns the form in which `eventID`s are compared: an event hash with its digits in lower case (CBV 2.0, 8.9), any other URI as it is.
   * Two events have the same name if these forms are equal.
   *
   * @throws {TypeError} for anything but a string.
   *
   * @example
   * ```js
   * import { identifiers } from 'epcis-edge';
   *
   * const digits = '0123456789abcdef'.repeat(4);
   * assert.equal(identifiers.eventName(`ni:///sha-256;${digits.toUpperCase()}?ver=CBV2.0`), `ni:///sha-256;${digits}?ver=CBV2.0`);
   * ```
   */
  eventName(eventID: string): string;
  /**
   * Returns the GS1 keys, with the structure and the qualifiers of each. An element string with several keys identifies the one that
   * comes first in this list.
   *
   * @example
   * ```js
   * import { identifiers } from 'epcis-edge';
   *
   * const gtin = identifiers.keys().find(({ ai }) => ai === '01');
   * assert.deepEqual(gtin.digits, [8, 12, 13, 14]);
   * assert.equal(gtin.qualifiers.find(({ ai }) => ai === '21').longest, 20);
   * ```
   */
  keys(): GS1Key[];
};

/**
 * Whether a value is an EPCISDocument, by its `type` only. {@link validate} says whether it is valid. This also holds for the guards below.
 *
 * @example
 * ```js
 * import { isEPCISDocument, isObjectEvent, validate } from 'epcis-edge';
 *
 * const value = JSON.parse('{"type": "EPCISDocument", "epcisBody": {"eventList": [{"type": "ObjectEvent"}]}}');
 * assert.ok(isEPCISDocument(value) && value.epcisBody.eventList.every(isObjectEvent));
 * assert.equal(validate(value).valid, false);
 * ```
 */
export declare function isEPCISDocument(value: unknown): value is EPCISDocument;
/** Whether a value is an EPCISQueryDocument, by its `type`. */
export declare function isEPCISQueryDocument(value: unknown): value is EPCISQueryDocument;
/** Whether a value is an event of one of the five types of the standard, by its `type`. */
export declare function isEPCISEvent(value: unknown): value is EPCISEvent;
/** Whether a value is an ObjectEvent, by its `type`. */
export declare function isObjectEvent(value: unknown): value is ObjectEvent;
/** Whether a value is an AggregationEvent, by its `type`. */
export declare function isAggregationEvent(value: unknown): value is AggregationEvent;
/** Whether a value is a TransactionEvent, by its `type`. */
export declare function isTransactionEvent(value: unknown): value is TransactionEvent;
/** Whether a value is a TransformationEvent, by its `type`. */
export declare function isTransformationEvent(value: unknown): value is TransformationEvent;
/** Whether a value is an AssociationEvent, by its `type`. */
export declare function isAssociationEvent(value: unknown): value is AssociationEvent;

/** A source from which {@link init} can load the engine. */
export type EngineSource = string | ((URL | Request | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module) & object);

/**
 * Loads the WebAssembly file. This is needed once in browsers and bundlers, and harmless elsewhere. Further calls do nothing.
 *
 * `epcis-edge/inline` is the same package with the file inside: it needs no `init`, and no file beside a bundle.
 *
 * @param source the address of the file, its bytes, the compiled module, a request or response for it, or a promise of these. A string is
 *   an address, or in Node, without a scheme, the path of a file. Without a source, the file beside the package's own script is loaded.
 * @throws {TypeError} for anything else.
 *
 * @example
 * ```js
 * import { init, validate } from 'epcis-edge';
 *
 * await init();
 * assert.equal(validate('{}').valid, false);
 * ```
 */
export declare function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
