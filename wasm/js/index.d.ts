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
} from './epcis.js';

export * from './epcis.js';

// What the runtime has: these merge with its own types where a project has them (`dom`, `@types/node`), and need none.
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
 * An EPCIS document: UTF-8 bytes (the fast way), JSON text, or an object as `JSON.parse` makes it.
 *
 * What JSON cannot say is a `TypeError`: a `Blob`, `Response`, `Promise` or `Map`, `NaN`, a cycle.
 */
export type DocumentInput = Uint8Array | ArrayBuffer | string | object;

/**
 * A document that may be XML too: whatever begins with `<`, behind a byte order mark and white space, is read as EPCIS XML 1.0 to 2.0,
 * in the encodings that {@link translate} reads.
 */
export type EitherInput = DocumentInput;

/** Which official schema a verdict is against. */
export interface SchemaPin {
  readonly artefact: 'epcis-json-schema.json';
  readonly version: '2.0.1';
  /** SHA-256 of the schema, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Which engine judged: `compiled`, or `jsonschema` where a second opinion was asked for. */
  readonly engine: string;
}

/** One thing that the schema does not accept. */
export interface SchemaError {
  /** JSON Pointer (RFC 6901) of the value at fault; empty for the root. */
  readonly path: string;
  /** The schema keyword that failed there. */
  readonly keyword: string;
  /** What was found and what was expected. */
  readonly message: string;
  /** The line where the value begins, or the name that must not be there, counted from 1; absent where the document was an object. */
  readonly line?: number;
  /** Its column in bytes of UTF-8, counted from 1. */
  readonly column?: number;
}

/** The answer of {@link validate}. */
export interface Verdict {
  readonly valid: boolean;
  readonly schema: SchemaPin;
  /** In document order, at most 1,000; empty when valid. */
  readonly errors: readonly SchemaError[];
}

/** Which official XML schema an {@link XmlVerdict} is against; that of 1.2 judges 1.0 and 1.1, too. */
export interface XmlSchemaPin {
  /** Its file, such as `EPCglobal-epcis-1_2.xsd`. */
  readonly artefact: string;
  readonly version: '1.2' | '2.0';
  /** The namespace that it is for. */
  readonly namespace: string;
}

/** One thing that the XML schema does not accept. */
export interface XmlSchemaError extends Place {
  /** The rule of XML Schema that it breaks, such as `cvc-complex-type.2.4`. */
  readonly keyword: string;
  /** What was found and what was expected. */
  readonly message: string;
}

/** The verdict of the official XML schema on an XML document. */
export interface XmlVerdict {
  readonly valid: boolean;
  readonly schema: XmlSchemaPin;
  /** In the order in which a reader finds them, at most 1,000; empty when valid. */
  readonly errors: readonly XmlSchemaError[];
}

/** A place in a document. */
export interface Place {
  /** Of JSON the JSON Pointer, of XML the path of the element; empty for the root. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** In bytes of UTF-8, counted from 1. */
  readonly column: number;
}

/** One thing that the schema does not accept in a translation, with its place in the XML. */
export interface TranslationError extends SchemaError {
  readonly source: Place;
}

/** An RFC 7807 problem document; match on `type`, never on prose. */
export interface Problem {
  readonly type: `epcisException:${string}`;
  readonly title: string;
  /** The HTTP status that the gateway answers with. */
  readonly status: number;
  readonly detail?: string;
  /** Where in the document, when there is a place. */
  readonly location?: Place;
  /** When the official schema does not accept what XML was translated to: what it does not accept. */
  readonly errors?: readonly TranslationError[];
  /** With `errors`: what became of the XML. */
  readonly fidelityReport?: FidelityReport;
  /** With `errors`: what the XML schema says of the XML. */
  readonly sourceVerdict?: XmlVerdict;
}

/** What the functions throw when a document cannot be judged at all. What is no document, or no option, is a `TypeError`. */
export class EpcisError extends Error {
  private constructor();
  readonly name: 'EpcisError';
  readonly problem: Problem;
}

/**
 * Judges an EPCISDocument, an EPCISQueryDocument or a bare event against the official EPCIS 2.0.1 JSON schema; XML, told by its
 * first character, against the official XML schema of its version.
 *
 * A document that is not valid is an answer, not an exception. `schema` says which schema judged.
 *
 * @throws {EpcisError} for what is no JSON document: malformed, nested deeper than 128 levels, a number out of range; and for
 * what begins with `<` and is no well-formed XML, or declares a document type.
 * @throws {TypeError} for what JSON cannot say, such as `undefined`.
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
export function validate(document: XmlInput): Verdict | XmlVerdict;
export function validate(document: object): Verdict;
export function validate(document: DocumentInput): Verdict | XmlVerdict;

/**
 * Which reading of the event hash algorithm is used; published tools disagree.
 *
 * `CBV2.0` is the ratified text, the default; `CBV2.1` the draft of its successor; `REF2025` the reference implementation as it
 * was in 2025, and the tools built to it.
 */
export type Profile = 'CBV2.0' | 'CBV2.1' | 'REF2025';

/** A URI of the form `ni:///sha-256;<64 hexadecimal digits>?ver=CBV2.0`. */
export type EventHash = `ni:///sha-256;${string}?ver=CBV2.${0 | 1}`;

/** A JSON-LD context: an address, which is not fetched, an object that binds prefixes, or an array of these. */
export type JsonLdContext = string | object | readonly (string | object)[];

/** What {@link verify} may be told. */
export interface PrefixOptions {
  /** What binds prefixes around a JSON document: for an event that was cut out of one, the `@context` that stood there. Refused beside XML. */
  readonly context?: JsonLdContext | undefined;
  /**
   * What becomes of a member such as `ex:lot` when nothing declares `ex`: a refusal (the default), for the hash would be another
   * than in the document where it is declared; or `keep`, which hashes the name as it is written.
   */
  readonly undeclared?: 'refuse' | 'keep' | undefined;
}

/** What {@link hash} and {@link preHash} may be told. */
export interface HashOptions extends PrefixOptions {
  /** The default is `CBV2.0`. */
  readonly profile?: Profile | undefined;
}

/** What {@link preHash} may be told besides. */
export interface PreHashOptions extends HashOptions {
  /** Whether the answer has `pieces`. */
  readonly pieces?: boolean | undefined;
}

/** A part of a pre-hash string. */
export interface PreHashPiece {
  /** The field that it is of: the standard's name, `{namespace}local` for an extension. A field may have several parts. */
  readonly field: string;
  readonly text: string;
}

/** An event hash with the string that it is the digest of. */
export interface PreHashed {
  readonly hash: EventHash;
  readonly preHash: string;
  /** The string in parts, by field; put together they are the string. There if they were asked for. */
  readonly pieces?: readonly PreHashPiece[];
}

/** What became of recomputing one `eventID`. */
export interface Verification {
  /** `not-hash-form`: the event has no `eventID`, or one that is no event hash. */
  readonly result: 'matches' | 'matches-none' | 'not-hash-form';
  /** The profiles under which the `eventID` is the hash of its event; empty unless `result` is `matches`. */
  readonly profiles: readonly Profile[];
  /**
   * Where the `eventID` is the hash of the event without the members in a namespace that ends in `/ns/spine/`: the name was made
   * before a gateway said who captured the event.
   */
  readonly reading?: 'without the stamps of a gateway';
}

/**
 * The CBV event hashes of all events of a document, in its order.
 *
 * Takes an EPCISDocument, an EPCISQueryDocument, a bare event or an array of events, as JSON; or EPCIS XML. Nothing is validated here.
 *
 * @throws {EpcisError} for what is neither JSON nor EPCIS XML, has no events, or has a member whose prefix nobody declares.
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
 * assert.throws(() => hash(event), /nobody declares the prefix `ex`/);
 * ```
 */
export function hash(document: EitherInput, options?: HashOptions): EventHash[];

/**
 * The event hashes with their pre-hash strings: compare these when two tools disagree.
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
export function preHash(document: EitherInput, options?: PreHashOptions): PreHashed[];

/**
 * Recomputes every `eventID` that is in hash form, under every profile: one entry an event, in document order.
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
export function verify(document: EitherInput, options?: PrefixOptions): Verification[];

/** One thing that became of the source. */
export interface FidelityNote {
  /** Path into the source: an XML path, or from {@link toXml} a JSON Pointer. */
  readonly path: string;
  readonly code: string;
  /** The source text, where the output does not have it. */
  readonly value?: string;
  readonly text: string;
  /**
   * Where this is a loss: the whole value is in the output in another form (`kept`), it said only how a value is typed (`annotation`), or
   * it is not there (`lost`).
   */
  readonly became?: 'kept' | 'annotation' | 'lost';
}

/** How many lossy paths there are, by what became of them. */
export interface Losses {
  readonly kept: number;
  readonly annotation: number;
  readonly lost: number;
}

/** What became of an XML source, verified by a round trip. */
export interface FidelityReport {
  /**
   * Whether translating back gives the source again. Where the document is an object, a number with more digits than JavaScript holds
   * is a loss (`number-beyond-float`); `as: 'text'` keeps them.
   */
  readonly roundTripClean: boolean;
  /** Paths into the source XML, in document order; empty when clean. Where a long report is cut, the last entry is `and N more`. */
  readonly lossyPaths: readonly string[];
  /** One line a note: `code path: text`. */
  readonly notes: string;
  readonly noteList: readonly FidelityNote[];
  readonly losses: Losses;
  /** The losses in a sentence. */
  readonly summary: string;
}

/** A JSON-LD document or event, as `JSON.parse` makes it: what is in it depends on the source. */
export type JsonLd = { [member: string]: any };

/** The answer of {@link translate}. */
export interface Translation<Document = EPCISRoot> {
  /** The EPCIS 2.0 JSON-LD document, or the event where the XML is a bare one; it is valid, unless `validate` is false. */
  readonly document: Document;
  readonly fidelityReport: FidelityReport;
  /** How many events were translated. */
  readonly meteredEvents: number;
  readonly sourceSchemaVersion: '1.0' | '1.1' | '1.2' | '2.0';
  /** What the official XML schema says of the source; it decides nothing here. */
  readonly sourceVerdict: XmlVerdict;
  /** With `validate: false`: what the official JSON schema does not accept of `document`, each with its place in the source. */
  readonly errors?: readonly TranslationError[];
}

/** An XML document: bytes in an encoding that is read, or text. */
export type XmlInput = Uint8Array | ArrayBuffer | string;

/** What {@link translate} may be told. */
export interface TranslateOptions {
  /** How the document is given; `object` is the default. */
  readonly as?: 'object' | 'text' | undefined;
  /**
   * `false` gives a document that the official schema does not accept as well, with its `errors`, instead of throwing; `true` is the
   * default.
   */
  readonly validate?: boolean | undefined;
}

/** The answer of {@link toXml}. */
export interface XmlTranslation {
  /** The XML document. */
  readonly document: string;
  readonly report: {
    /**
     * Whether the XML has every value, gives the same event hashes under every profile, and is valid by the XML schema where the
     * source is valid by the JSON schema: measured, not assumed.
     */
    readonly clean: boolean;
    /** JSON Pointers to what is lost in a round trip. */
    readonly lossyPointers: readonly string[];
    readonly noteList: readonly FidelityNote[];
    readonly losses: Losses;
    /** The losses in a sentence. */
    readonly summary: string;
  };
  readonly meteredEvents: number;
}

/**
 * Translates EPCIS 1.0, 1.1, 1.2 or 2.0 XML to EPCIS 2.0 JSON-LD, and asks the official schema.
 *
 * `as: 'text'` gives the document as JSON text, whose numbers have the digits of the source; as an object they are what
 * `JSON.parse` makes of them.
 *
 * @throws {EpcisError} for what cannot be translated, with the place; when the official schema does not accept the translation,
 *   the problem also has `fidelityReport` and `errors`, each with its JSON pointer and its place in the source.
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
export function translate(xml: XmlInput, options?: { readonly as?: 'object' | undefined; readonly validate?: true | undefined }): Translation;
export function translate(xml: XmlInput, options: { readonly as: 'text'; readonly validate?: boolean | undefined }): Translation<string>;
export function translate(xml: XmlInput, options: { readonly as?: 'object' | undefined; readonly validate: boolean }): Translation<JsonLd>;
export function translate(xml: XmlInput, options?: TranslateOptions & { readonly validate?: true | undefined }): Translation<EPCISRoot | string>;
export function translate(xml: XmlInput, options?: TranslateOptions): Translation<JsonLd | string>;

/**
 * Translates EPCIS 2.0 JSON-LD to XML of version 2.0 (the default) or 1.2.
 *
 * @throws {EpcisError} for what is no JSON document or has nothing to translate.
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
export function toXml(document: DocumentInput, options?: { readonly version?: '2.0' | '1.2' | undefined }): XmlTranslation;

/** What {@link translateStream} may be told. */
export interface TranslateStreamOptions {
  /**
   * What comes out. `ndjson`, the default: `Uint8Array`s of whole lines, one event a line. `text`: a string an event. `object`: an
   * object an event, as `JSON.parse` makes it.
   */
  readonly as?: 'ndjson' | 'text' | 'object' | undefined;
}

/** What a {@link TranslateStream} knows at its end. */
export interface StreamReport {
  /** The document that the events stood in, its list of events empty; `undefined` where an event stood alone. */
  readonly document: EPCISDocument | EPCISQueryDocument | undefined;
  readonly fidelityReport: FidelityReport;
  /** How many events were translated. */
  readonly meteredEvents: number;
  readonly sourceSchemaVersion: '1.0' | '1.1' | '1.2' | '2.0';
  /** What the official XML schema says of the source; it decides nothing here. */
  readonly sourceVerdict: XmlVerdict;
}

/** A pair of streams for `pipeThrough`. */
export interface Piped<In, Out> {
  readonly readable: ReadableStream<Out>;
  readonly writable: WritableStream<In>;
}

/** XML in, events out. */
export interface TranslateStream<Out> extends Piped<XmlInput, Out> {
  /** What became of the whole document; rejected with what errors the stream. */
  readonly report: Promise<StreamReport>;
}

/**
 * Translates XML that is longer than memory: its events come out one by one, each with its own `@context`, so that it stands alone.
 *
 * Events, report, verdict on the source and errors are those of {@link translate} on the whole document. An event that the official
 * schema does not accept is held back, and the stream is errored at its end with all errors and their places.
 * What is held is one event and what stands outside of the events (master data, say), 16 MiB and 32 MiB at most; of the notes about
 * 16 MiB are kept.
 *
 * The stream is errored with an {@link EpcisError} for what cannot be translated, and for what is longer than these limits.
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
export function translateStream(options?: { readonly as?: 'ndjson' }): TranslateStream<Uint8Array>;
export function translateStream(options: { readonly as: 'text' }): TranslateStream<string>;
export function translateStream(options: { readonly as: 'object' }): TranslateStream<EPCISEvent | ExtendedEvent>;
export function translateStream(options?: TranslateStreamOptions): TranslateStream<unknown>;

/** A Blob, as far as it is read: as often as it is asked. */
export interface BlobInput {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** XML as it is written. */
export interface XmlStream {
  /** The XML, UTF-8. Errored with an {@link EpcisError}. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What became of the whole document; rejected with what errors the stream. */
  readonly report: Promise<{ readonly report: XmlTranslation['report']; readonly meteredEvents: number }>;
}

/**
 * Translates JSON that is longer than memory to XML: the document is read twice, since what XML has at its start, such as the context,
 * may stand at the end of JSON. So it is a Blob: a File, or `await openAsBlob(path)` in Node.
 *
 * XML and report are those of {@link toXml} on the whole document; what is said of the envelope stands first in the report. What is
 * held is an event and what stands outside of the events, 16 MiB and 32 MiB at most.
 *
 * The stream is errored with an {@link EpcisError} for what cannot be translated, before anything is given out, for what is longer than
 * these limits, and for a document that changes between its two readings.
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
export function toXmlStream(document: BlobInput, options?: { readonly version?: '2.0' | '1.2' | undefined }): XmlStream;

/**
 * Judges JSON that is longer than memory: one {@link Verdict} comes out at the end, that of {@link validate} on the whole document.
 *
 * The stream is errored with an {@link EpcisError} for what is no JSON document, for an event longer than 16 MiB, and for more than
 * 32 MiB outside of the events.
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
export function validateStream(): Piped<Uint8Array | ArrayBuffer | string, Verdict>;

/** EPC URN to GS1 Digital Link and back. */
export const identifiers: {
  /**
   * The canonical Digital Link URI of an EPC URN, class, pattern or any other Digital Link; `undefined` for what is none.
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
   * The EPC URN of a Digital Link URI, given how many digits its company prefix has (6 to 12).
   *
   * @throws {EpcisError} for what cannot be converted.
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
   * The check digit of GS1 that belongs behind these digits.
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
   * The keys of GS1: what each is made of, and what may stand behind it. What is first is what an element string with several keys is about.
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

/** A key of GS1, as {@link identifiers.keys} gives it. */
export interface GS1Key {
  /** Its application identifier, such as `01`. */
  ai: string;
  /** What GS1 calls it, such as `GTIN`. */
  name: string;
  /** What sets it apart from another key of that name, such as `of a party`. */
  whose?: string;
  /** With how many digits it is written, the check digit among them; empty for a key of free text. */
  digits: number[];
  /** A zero before these digits in a Digital Link and an element string. */
  filler?: string;
  /** Whether the number of a piece and their total follow, two digits each. */
  hasPieces?: boolean;
  /** What a key of free text is written with, company prefix and reference together. */
  text?: GS1Characters;
  /** The serial right behind it. */
  serial?: GS1Characters;
  /** What may follow it in a Digital Link. */
  qualifiers?: Array<{ ai: string; name: string } & GS1Characters>;
}

/** What a text is written with, and how many characters it has at most. */
export interface GS1Characters {
  longest: number;
  /** `any`: the 82 characters of application identifiers; `part`: the 39 of component parts; `number`: digits without a zero before them. */
  characters: 'any' | 'part' | 'digits' | 'number';
}

/**
 * Whether a value is an EPCISDocument, by its `type`; whether it is a valid one, {@link validate} says. So with the guards that follow.
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
export function isEPCISDocument(value: unknown): value is EPCISDocument;
/** Whether a value is an EPCISQueryDocument, by its `type`. */
export function isEPCISQueryDocument(value: unknown): value is EPCISQueryDocument;
/** Whether a value is an event of one of the five types of the standard, by its `type`. */
export function isEPCISEvent(value: unknown): value is EPCISEvent;
/** Whether a value is an ObjectEvent, by its `type`. */
export function isObjectEvent(value: unknown): value is ObjectEvent;
/** Whether a value is an AggregationEvent, by its `type`. */
export function isAggregationEvent(value: unknown): value is AggregationEvent;
/** Whether a value is a TransactionEvent, by its `type`. */
export function isTransactionEvent(value: unknown): value is TransactionEvent;
/** Whether a value is a TransformationEvent, by its `type`. */
export function isTransformationEvent(value: unknown): value is TransformationEvent;
/** Whether a value is an AssociationEvent, by its `type`. */
export function isAssociationEvent(value: unknown): value is AssociationEvent;

/** What {@link init} loads the engine from. */
export type EngineSource = string | ((URL | Request | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module) & object);

/**
 * Loads the WebAssembly file: needed once in browsers and bundlers, harmless elsewhere. Once it is loaded, a further call changes
 * nothing.
 *
 * `epcis-edge/inline` is the same package with the file inside: it needs no `init`, and no file beside a bundle.
 *
 * @param source where the file is, its bytes, the compiled module or what fetches it, or a promise of these; a string is an address,
 *   and in Node without a scheme the path of a file. Without a source the file is looked for beside the package's own script.
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
export function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
