// A client for any server of EPCIS 2.0, over its REST binding; it needs `fetch`, and runs where the package does.
import type { EPCISDocument, EPCISEvent, EPCISQueryDocument, ExtendedEvent, Problem } from './index.js';

// These merge with the types of the runtime where a project has them, and need none.
declare global {
  interface AbortSignal {}
  interface TransformStream<I = any, O = any> {}
}

/** How a server is reached, and how patient the client is. Times are in milliseconds. */
export interface ConnectOptions {
  /** A key, sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** A user with a password, sent as `Authorization: Basic`. */
  readonly basic?: { readonly user: string; readonly password: string } | undefined;
  /** Headers of every request, such as `API-KEY`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What takes the place of the runtime's `fetch`. */
  readonly fetch?: ((address: string, request: any) => Promise<any>) | undefined;
  /** How often a request is repeated at most; 4 is the default. */
  readonly retries?: number | undefined;
  /** The wait before the first repetition, doubled each time; 500 is the default. `Retry-After` goes before it. */
  readonly firstWait?: number | undefined;
  /** The longest wait; 60,000 is the default. An answer whose `Retry-After` asks for more is not waited for. */
  readonly maxWait?: number | undefined;
  /** How long one answer may take; 60,000 is the default. */
  readonly timeout?: number | undefined;
  /** How long a capture job may take; 300,000 is the default. */
  readonly jobTimeout?: number | undefined;
  /** How long one answer may be, in bytes; 67,108,864 is the default. A longer one is an {@link AnswerError}. */
  readonly maxAnswer?: number | undefined;
  /** How many pages of one query are read; 100,000 is the default. Where more come, it is an {@link AnswerError}. */
  readonly maxPages?: number | undefined;
  /**
   * Whether the server takes an event that it has for the same one, as epcis-edge does: then a capture is simply sent again when
   * no answer came. The default is `false`: the client first looks whether the events are there.
   */
  readonly storesOnce?: boolean | undefined;
}

/** What ends a call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What a capture may be told. */
export interface CaptureOptions extends CallOptions {
  /** What becomes of the valid events where others are not: nothing (`rollback`, the standard's default), or they are stored. */
  readonly errorBehaviour?: 'rollback' | 'proceed' | undefined;
  /** Whether events without `eventID` are given their hash, so that they can be looked for; the default. Text and bytes are sent as they are. */
  readonly name?: boolean | undefined;
}

/** How events are put together to captures; the first limit that is reached counts. */
export interface CaptureStreamOptions extends CaptureOptions {
  /** 500 is the default. */
  readonly batchEvents?: number | undefined;
  /** In UTF-16 units of JSON; 4 MiB is the default. */
  readonly batchBytes?: number | undefined;
}

/** A capture job, with whatever else its server says of it. */
export interface CaptureJob {
  readonly captureID: string | undefined;
  readonly running: boolean;
  readonly success: boolean;
  readonly errors: readonly Partial<Problem>[];
  readonly [member: string]: unknown;
}

/** A capture whose events are stored. */
export interface Captured extends CaptureJob {
  readonly running: false;
  readonly success: true;
  /** Whether no answer came and all events were found stored; then there is no `captureID`. */
  readonly wasFound: boolean;
}

/** A value of a query parameter; an array is a list of which one must fit, or as the parameter says. */
export type QueryValue = string | number | boolean | Date | readonly (string | number | boolean | Date)[];

/** Parameters of the EPCIS query language, such as `EQ_bizStep`, `GE_eventTime`, `MATCH_anyEPC`. */
export type QueryParameters = Readonly<Record<string, QueryValue | undefined>>;

/** What a query may be told. */
export interface QueryOptions extends CallOptions {
  /** How many events a page has at most; the server's own default where it is absent. */
  readonly perPage?: number | undefined;
}

/** What following may be told. */
export interface FollowOptions extends QueryOptions {
  /** The cursor of the last batch that was dealt with; without it the feed begins with the first event that matches. */
  readonly cursor?: string | undefined;
  /** How many seconds an answer without news is held back, by the server where it can, otherwise by the client; 20 is the default. */
  readonly wait?: number | undefined;
}

/** Some of the events of a feed, oldest first. */
export interface FeedBatch {
  /** At least one. */
  readonly events: readonly (EPCISEvent | ExtendedEvent)[];
  /** Where the feed goes on behind these events: to be stored when they are dealt with. */
  readonly cursor: string;
}

/** What a query finds. Nothing is asked before it is read; each reading asks anew. Pages are asked for one at a time. */
export interface Results extends AsyncIterable<EPCISEvent | ExtendedEvent> {
  /** The pages as the server sent them. */
  pages(): AsyncIterableIterator<EPCISQueryDocument>;
  /** The events as a stream; whoever cancels it asks for no more pages. */
  stream(): ReadableStream<EPCISEvent | ExtendedEvent>;
}

/** A server of EPCIS 2.0. */
export interface Client {
  /**
   * Captures a document, an event, or an array of events, and waits for the job.
   *
   * A request without an answer, or one that was answered with 500, 502, 503 or 504, may have arrived. Then the client waits for running
   * jobs, and looks for the events by their `eventID`: where all are stored, that is the answer; where none is, it sends again; in any
   * other case, and where it cannot look, it throws an {@link OutcomeUnknownError}. What was answered with 408, 425 or 429 was not taken
   * and is sent again. A server that stores a capture later than it answers `GET /events` could still store twice: see `storesOnce`.
   *
   * @throws {RequestError} where the server refuses, {CaptureError} where the job failed, {ConnectionError} where it was never reached,
   *   {OutcomeUnknownError} as said, {AnswerError} for a success without `Location`: the page of a proxy, say.
   */
  capture(
    document: EPCISDocument | EPCISQueryDocument | EPCISEvent | ExtendedEvent | readonly (EPCISEvent | ExtendedEvent)[] | string | Uint8Array | ArrayBuffer,
    options?: CaptureOptions,
  ): Promise<Captured>;
  /**
   * Events in, captures out: each event stands alone, as an object or a line of NDJSON, as {@link translateStream} gives them.
   * One capture runs at a time, and its answer comes out when its events are stored; the first that fails errors the stream.
   */
  captureStream(options?: CaptureStreamOptions): TransformStream<EPCISEvent | ExtendedEvent | string | Uint8Array, Captured>;
  /** A capture job, as it is now. */
  job(captureID: string, options?: CallOptions): Promise<CaptureJob>;
  /**
   * The events that match. A list is sent with `|` between its values.
   *
   * @throws {TypeError} for a value with `|` in it, which takes a named query.
   */
  query(parameters?: QueryParameters, options?: QueryOptions): Results;
  /** The events that a named query finds. */
  namedQuery(name: string, options?: QueryOptions): Results;
  /**
   * The events that match, in the order in which they were recorded, and then those that are recorded from now on; for servers
   * that send `Spine-Feed-Cursor`, as epcis-edge does.
   *
   * Whoever stores the cursor of a batch when its events are dealt with, and begins with it the next time, misses none. It ends, without
   * an error, when the signal does. What passes is tried again as for any request; what stays is thrown, and the feed goes on from
   * the last cursor when it is asked for again.
   *
   * @throws {TypeError} for a query in another order; the iteration {RequestError}, {ConnectionError}, {AnswerError} as said.
   */
  follow(parameters?: QueryParameters, options?: FollowOptions): AsyncIterableIterator<FeedBatch>;
  /** The same for a named query, which must have `orderBy` `recordTime` and `orderDirection` `ASC`. */
  followNamed(name: string, options?: FollowOptions): AsyncIterableIterator<FeedBatch>;
  /** Makes a named query: parameters as JSON has them, lists as arrays. */
  createQuery(name: string, query: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<void>;
  /** Deletes a named query. */
  deleteQuery(name: string, options?: CallOptions): Promise<void>;
  /** The events of a name: the event, and its error declarations. @throws {RequestError} with status 404 where there is none. */
  event(eventID: string, options?: CallOptions): Promise<(EPCISEvent | ExtendedEvent)[]>;
}

/**
 * A client for the server at an address; nothing is sent yet.
 *
 * @throws {TypeError} for an address or option that does not serve.
 *
 * @example
 * ```js
 * import { connect } from 'epcis-edge/client';
 *
 * const answer = { type: 'EPCISQueryDocument', epcisBody: { queryResults: { resultsBody: { eventList: [{ type: 'ObjectEvent' }] } } } };
 * const client = connect('https://epcis.example.com/epcis', { token: 'a key', fetch: async () => new Response(JSON.stringify(answer)) });
 * for await (const event of client.query({ EQ_bizStep: ['shipping', 'receiving'] })) assert.equal(event.type, 'ObjectEvent');
 * ```
 */
export function connect(url: string | URL, options?: ConnectOptions): Client;

/** What the client throws; `name` is that of the class. */
export class ClientError extends Error {
  protected constructor();
}
/** No answer came. */
export class ConnectionError extends ClientError {
  private constructor();
  /** Whether the server cannot have seen the request, for there was no connection. */
  readonly isUnsent: boolean;
}
/** An answer that cannot be used. */
export class AnswerError extends ClientError {
  private constructor();
  /**
   * It is longer than `maxAnswer`; its pages never end; it leads to another origin; it is no document, event or job; it says success
   * as no server of EPCIS 2.0 does; it is of no feed. The message has its status, media type and first words where it is a wrong one.
   */
  readonly reason: 'too-long' | 'endless' | 'another-place' | 'not-a-document' | 'unexpected' | 'no-feed';
}
/** The server has refused. */
export class RequestError extends ClientError {
  private constructor();
  readonly status: number;
  /** Its problem document, where it sent one. */
  readonly problem: Partial<Problem> | undefined;
  /** In milliseconds, where the answer said so. */
  readonly retryAfter: number | undefined;
}
/** The capture job is over, and not all events were stored. */
export class CaptureError extends ClientError {
  private constructor();
  readonly job: CaptureJob;
  readonly errors: readonly Partial<Problem>[];
}
/** Whether a capture arrived is not known; sending it again might store events twice. `cause` is what happened. */
export class OutcomeUnknownError extends ClientError {
  private constructor();
  /** Names of its events that are stored, as far as that is known. */
  readonly stored: readonly string[];
  readonly missing: readonly string[];
}
