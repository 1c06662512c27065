// A client for the REST binding of any EPCIS 2.0 server. It needs `fetch`, and runs wherever the package does.
import type { EPCISDocument, EPCISEvent, EPCISQueryDocument, ExtendedEvent, Problem } from '../engine/index.ts';

// These merge with the types of the runtime, if a project has them.
declare global {
  interface AbortSignal {}
  interface TransformStream<I = any, O = any> {}
}

/** Options of {@link connect}: credentials, retries and limits. Times are in milliseconds. */
export interface ConnectOptions {
  /** A key, sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** A user with a password, sent as `Authorization: Basic`. */
  readonly basic?: { readonly user: string; readonly password: string } | undefined;
  /** Additional headers of every request, such as `API-KEY`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A function used instead of the runtime's `fetch`. */
  readonly fetch?: ((address: string, request: any) => Promise<any>) | undefined;
  /** The maximum number of repetitions of a request; the default is 4. */
  readonly retries?: number | undefined;
  /** The wait before the first repetition, doubled each time; the default is 500. `Retry-After` takes precedence. */
  readonly firstWait?: number | undefined;
  /** The longest wait; the default is 60,000. If `Retry-After` asks for more, the request is not repeated. */
  readonly maxWait?: number | undefined;
  /** The timeout of one answer; the default is 60,000. */
  readonly timeout?: number | undefined;
  /** The timeout of a capture job; the default is 300,000. */
  readonly jobTimeout?: number | undefined;
  /** The longest answer that is read, in bytes; the default is 67,108,864. A longer one is an {@link AnswerError}. */
  readonly maxAnswer?: number | undefined;
  /** The maximum number of pages read for one query; the default is 100,000. More are an {@link AnswerError}. */
  readonly maxPages?: number | undefined;
  /**
   * Whether the server stores a repeated event only once, as epcis-edge does. Then a capture without an answer is simply sent again. The
   * default is `false`: the client first queries whether the events are stored.
   */
  readonly storesOnce?: boolean | undefined;
}

/** Options of every call. The signal ends the call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of a capture. */
export interface CaptureOptions extends CallOptions {
  /** What the server does with the valid events if others are not valid: `rollback` (the standard's default) or `proceed` to store them. */
  readonly errorBehaviour?: 'rollback' | 'proceed' | undefined;
  /**
   * Whether events without an `eventID` get their hash as one, so that they can be looked for. The default is `true`. Text and bytes are
   * sent unchanged.
   */
  readonly name?: boolean | undefined;
}

/** Options of a capture stream: the size of its captures. The limit reached first counts. */
export interface CaptureStreamOptions extends CaptureOptions {
  /** The maximum number of events per capture; the default is 500. */
  readonly batchEvents?: number | undefined;
  /** The maximum size of a capture, in UTF-16 units of its JSON; the default is 4 MiB. */
  readonly batchBytes?: number | undefined;
}

/** A capture job, with all other members that the server adds. */
export interface CaptureJob {
  readonly captureID: string | undefined;
  readonly running: boolean;
  readonly success: boolean;
  readonly errors: readonly Partial<Problem>[];
  readonly [member: string]: unknown;
}

/** The result of a capture whose events are all stored. */
export interface Captured extends CaptureJob {
  readonly running: false;
  readonly success: true;
  /** Whether the outcome was found by a query, since no answer came. Then there is no `captureID`. */
  readonly wasFound: boolean;
}

/** A value of a query parameter. For an array one of its values must match, unless the parameter says otherwise. */
export type QueryValue = string | number | boolean | Date | readonly (string | number | boolean | Date)[];

/** Parameters of the EPCIS query language, such as `EQ_bizStep`, `GE_eventTime`, `MATCH_anyEPC`. */
export type QueryParameters = Readonly<Record<string, QueryValue | undefined>>;

/** Options of a query. */
export interface QueryOptions extends CallOptions {
  /** The maximum number of events per page. The default is that of the server. */
  readonly perPage?: number | undefined;
}

/** Options of {@link Client.follow}. */
export interface FollowOptions extends QueryOptions {
  /** The cursor of the last processed batch. Without it the feed begins with the first matching event. */
  readonly cursor?: string | undefined;
  /** How long to wait for new events, in seconds; the default is 20. The server holds its answer back if it can, else the client waits. */
  readonly wait?: number | undefined;
}

/** A batch of events of a feed, oldest first. */
export interface FeedBatch {
  /** The events, at least one. */
  readonly events: readonly (EPCISEvent | ExtendedEvent)[];
  /** The position of the feed after these events. Store it when they are processed. */
  readonly cursor: string;
}

/** The results of a query. Nothing is requested before they are read. Each iteration queries again, one page at a time. */
export interface Results extends AsyncIterable<EPCISEvent | ExtendedEvent> {
  /** The pages as the server sent them. */
  pages(): AsyncIterableIterator<EPCISQueryDocument>;
  /** The events as a stream. Cancelling it stops the requests for pages. */
  stream(): ReadableStream<EPCISEvent | ExtendedEvent>;
}

/** A client of one EPCIS 2.0 server. */
export interface Client {
  /**
   * Captures a document, an event, or an array of events, and waits for the capture job.
   *
   * A request without an answer, or with status 500, 502, 503 or 504, may have arrived. Then the client waits until no job is running, and
   * queries the events by their `eventID`. If all are stored, the capture has succeeded. If none is stored, it is sent again, but not after
   * status 500. Otherwise, or if the events cannot be queried, the client throws an {@link OutcomeUnknownError}. After status 408, 425 or
   * 429 the capture was not accepted, and is sent again. If a server stores a capture only after it has answered `GET /events`, events
   * could still be stored twice: see `storesOnce`.
   *
   * @throws {RequestError} if the server refuses, {CaptureError} if the job failed, {ConnectionError} if the server was never reached,
   *   {OutcomeUnknownError} as described, {AnswerError} for a success without `Location`, such as the page of a proxy.
   */
  capture(
    document: EPCISDocument | EPCISQueryDocument | EPCISEvent | ExtendedEvent | readonly (EPCISEvent | ExtendedEvent)[] | string | Uint8Array | ArrayBuffer,
    options?: CaptureOptions,
  ): Promise<Captured>;
  /**
   * A stream that takes events and returns captures. Each event is standalone, as an object or a line of NDJSON, as
   * {@link translateStream} outputs them. One capture runs at a time; its result comes out when its events are stored. The first failing
   * capture errors the stream.
   */
  captureStream(options?: CaptureStreamOptions): TransformStream<EPCISEvent | ExtendedEvent | string | Uint8Array, Captured>;
  /** The current state of a capture job. */
  job(captureID: string, options?: CallOptions): Promise<CaptureJob>;
  /**
   * Queries the matching events. The values of a list are sent with `|` between them.
   *
   * @throws {TypeError} for a value with `|` in it: that needs a named query.
   */
  query(parameters?: QueryParameters, options?: QueryOptions): Results;
  /** Queries the events of a named query. */
  namedQuery(name: string, options?: QueryOptions): Results;
  /**
   * Follows the matching events in the order in which they were recorded, and then new ones as they are recorded. The server must send
   * `Spine-Feed-Cursor`, as epcis-edge does.
   *
   * To miss no event, store the cursor of a batch when its events are processed, and begin with it the next time. The iteration ends
   * without an error when the signal is aborted. Temporary errors are retried as for any request. Other errors are thrown; the feed can
   * then be continued from the last cursor.
   *
   * @throws {TypeError} for a query in another order. The iteration throws {RequestError}, {ConnectionError} or {AnswerError}.
   */
  follow(parameters?: QueryParameters, options?: FollowOptions): AsyncIterableIterator<FeedBatch>;
  /** Follows a named query like {@link Client.follow}. It must have `orderBy` `recordTime` and `orderDirection` `ASC`. */
  followNamed(name: string, options?: FollowOptions): AsyncIterableIterator<FeedBatch>;
  /** Creates a named query. Its parameters are as in JSON, with lists as arrays. */
  createQuery(name: string, query: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<void>;
  /** Deletes a named query. */
  deleteQuery(name: string, options?: CallOptions): Promise<void>;
  /** The event with an `eventID`, and its error declarations. @throws {RequestError} with status 404 if there is none. */
  event(eventID: string, options?: CallOptions): Promise<(EPCISEvent | ExtendedEvent)[]>;
}

/**
 * Makes a client for the server at an address. Nothing is sent yet.
 *
 * @throws {TypeError} for an invalid address or option.
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
export declare function connect(url: string | URL, options?: ConnectOptions): Client;

/** The base class of the client's errors. `name` is the name of the class. */
export declare class ClientError extends Error {
  protected constructor();
}
/** The error of a request without an answer. */
export declare class ConnectionError extends ClientError {
  private constructor();
  /** Whether the server cannot have received the request, since there was no connection. */
  readonly isUnsent: boolean;
}
/** The error of an answer that cannot be used. */
export declare class AnswerError extends ClientError {
  private constructor();
  /**
   * Why the answer cannot be used. `too-long`: it is longer than `maxAnswer`; `endless`: its pages never end; `another-place`: it links to
   * another origin; `not-a-document`: it is not a document, event or capture job; `unexpected`: a success that no EPCIS 2.0 server gives;
   * `no-feed`: the server has no feed. For a wrong kind of answer, the message has its status, media type and first words.
   */
  readonly reason: 'too-long' | 'endless' | 'another-place' | 'not-a-document' | 'unexpected' | 'no-feed';
}
/** The error of a refusal by the server. */
export declare class RequestError extends ClientError {
  private constructor();
  readonly status: number;
  /** The problem document, if the server sent one. */
  readonly problem: Partial<Problem> | undefined;
  /** The wait that the answer asks for, in milliseconds. */
  readonly retryAfter: number | undefined;
}
/** The error of a capture job that has ended without storing all events. */
export declare class CaptureError extends ClientError {
  private constructor();
  readonly job: CaptureJob;
  readonly errors: readonly Partial<Problem>[];
}
/** The error of a capture that may or may not have arrived. Sending it again might store events twice. `cause` is the original error. */
export declare class OutcomeUnknownError extends ClientError {
  private constructor();
  /** The eventIDs of its events that are stored, if known. */
  readonly stored: readonly string[];
  readonly missing: readonly string[];
}
