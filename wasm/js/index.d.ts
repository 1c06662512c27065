/** An EPCIS document: UTF-8 bytes (the fast way), JSON text, or an object as `JSON.parse` makes it. */
export type DocumentInput = Uint8Array | ArrayBuffer | string | object;

/** Which official schema a verdict is against. */
export interface SchemaPin {
  readonly artefact: 'epcis-json-schema.json';
  readonly version: '2.0.1';
  /** SHA-256 of the schema, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** One thing that the schema does not accept. */
export interface SchemaError {
  /** JSON Pointer (RFC 6901) of the value at fault; empty for the root. */
  readonly path: string;
  /** The schema keyword that failed there. */
  readonly keyword: string;
  /** What was found and what was expected. */
  readonly message: string;
}

/** The answer of {@link validate}. */
export interface Verdict {
  readonly valid: boolean;
  readonly schema: SchemaPin;
  /** In document order, at most 1,000; empty when valid. */
  readonly errors: readonly SchemaError[];
}

/** An RFC 7807 problem document; match on `type`, never on prose. */
export interface Problem {
  readonly type: `epcisException:${string}`;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  /** Where in the document, when there is a place. */
  readonly location?: { readonly path: string; readonly line: number; readonly column: number };
}

/** What the functions throw when a document cannot be judged at all. */
export interface EpcisError extends Error {
  readonly name: 'EpcisError';
  readonly problem: Problem;
}

/**
 * Judges an EPCISDocument, an EPCISQueryDocument or a bare event against the official EPCIS 2.0.1 JSON schema.
 *
 * A document that is not valid is an answer, not an exception.
 *
 * @throws {EpcisError} for what is no JSON document: malformed, nested deeper than 128 levels, a number out of range.
 * @throws {TypeError} for what JSON cannot say, such as `undefined`.
 */
export function validate(document: DocumentInput): Verdict;

/**
 * Which reading of the event hash algorithm is used; published tools disagree.
 *
 * `CBV2.0` is the ratified text, the default; `CBV2.1` the draft of its successor; `REF2025` the reference implementation as it
 * was in 2025, and the tools built to it.
 */
export type Profile = 'CBV2.0' | 'CBV2.1' | 'REF2025';

/** A URI of the form `ni:///sha-256;<64 hexadecimal digits>?ver=CBV2.0`. */
export type EventHash = `ni:///sha-256;${string}?ver=CBV2.${0 | 1}`;

/** What {@link hash} and {@link preHash} may be told. */
export interface HashOptions {
  /** The default is `CBV2.0`. */
  readonly profile?: Profile;
}

/** An event hash with the string that it is the digest of. */
export interface PreHashed {
  readonly hash: EventHash;
  readonly preHash: string;
}

/** What became of recomputing one `eventID`. */
export interface Verification {
  /** `not-hash-form`: the event has no `eventID`, or one that is no event hash. */
  readonly result: 'matches' | 'matches-none' | 'not-hash-form';
  /** The profiles under which the `eventID` is the hash of its event; empty unless `result` is `matches`. */
  readonly profiles: readonly Profile[];
}

/**
 * The CBV event hashes of all events of a document, in its order.
 *
 * Takes an EPCISDocument, an EPCISQueryDocument, a bare event or an array of events. Nothing is validated here.
 *
 * @throws {EpcisError} for what is no JSON document, or has no events.
 */
export function hash(document: DocumentInput, options?: HashOptions): EventHash[];

/**
 * The event hashes with their pre-hash strings: compare these when two tools disagree.
 *
 * @throws {EpcisError} as {@link hash}.
 */
export function preHash(document: DocumentInput, options?: HashOptions): PreHashed[];

/**
 * Recomputes every `eventID` that is in hash form, under every profile: one entry an event, in document order.
 *
 * @throws {EpcisError} as {@link hash}.
 */
export function verify(document: DocumentInput): Verification[];
