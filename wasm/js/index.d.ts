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
