// `epcis-edge/client`: captures to and queries any EPCIS 2.0 server.
//
// Why do `epcis-edge/build` and `epcis-edge/client` import `#entry`?
// They need the engine as the runtime loads it. The package's `imports` map `#entry` under the same conditions as its
// `exports`.
// All entry points share one engine, whichever of them loaded it.
//
// Why does the client look for events before it captures again?
// A request without an answer may have arrived, and EPCIS 2.0 has no key by which a server could recognise a repetition.
// But the client can query whether events with an `eventID` are stored. So it gives each event without one its hash as
// `eventID` before it sends it.
// Our own gateway stores an event only once: the option `storesOnce` says so.
import { hash } from '#entry';
import { CONTEXT, gathered } from '../build/assemble.ts';
import type { EPCISDocument, EPCISQueryDocument } from '../engine/index.ts';
import { AnswerError, CaptureError, ClientError, ConnectionError, OutcomeUnknownError, RequestError } from './errors.ts';
import { type Answer, Exchange, isPassing, refusalOf, retryAfterOf, strange, wait } from './exchange.ts';
import type * as Surface from './index.ts';
import { type AnyEvent, eventsOf, feed, isDocument as isAnswer, isNamedDocument, isPlain, listOf, type Plain, pagesFrom } from './pages.ts';

export { AnswerError, CaptureError, ClientError, ConnectionError, OutcomeUnknownError, RequestError } from './errors.ts';

const isPositive = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value > 0;
const isSignal = (value: unknown): boolean => {
  const { addEventListener, aborted } = (value ?? {}) as Partial<AbortSignal>;
  return typeof addEventListener === 'function' && typeof aborted === 'boolean';
};
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Whether a value is what an option must be, and what is expected. */
type Rule = readonly [check: (value: unknown) => boolean, expected: string];
type Rules<Options> = { readonly [Name in keyof Required<Options>]: Rule };

const COUNT: Rule = [(value) => value === 0 || isPositive(value), 'a whole number'];
const POSITIVE: Rule = [isPositive, 'a whole number above 0'];
const SIGNAL: Rule = [isSignal, 'an AbortSignal'];
const FLAG: Rule = [(value) => typeof value === 'boolean', 'true or false'];

/** Whether a key fits into a header. Otherwise the error of `fetch` would show the key. */
const isKey = (value: unknown): boolean => isText(value) && /^[\x20-\x7e]+$/.test(value);

const OF_SERVER: Rules<Surface.ConnectOptions> = {
  token: [isKey, 'a string of printable ASCII'],
  basic: [(value) => isPlain(value) && isText(value.user) && typeof value.password === 'string', 'an object {user, password}'],
  headers: [isPlain, 'an object of headers'],
  fetch: [(value) => typeof value === 'function', 'a function like fetch'],
  retries: COUNT,
  firstWait: POSITIVE,
  maxWait: POSITIVE,
  timeout: POSITIVE,
  jobTimeout: POSITIVE,
  maxAnswer: POSITIVE,
  maxPages: POSITIVE,
  storesOnce: FLAG,
};
const OF_CAPTURE: Rules<Surface.CaptureOptions> = {
  signal: SIGNAL,
  errorBehaviour: [(value) => value === 'rollback' || value === 'proceed', "'rollback' or 'proceed'"],
  name: FLAG,
};
const OF_STREAM: Rules<Surface.CaptureStreamOptions> = { ...OF_CAPTURE, batchEvents: POSITIVE, batchBytes: POSITIVE };
const OF_QUERY: Rules<Surface.QueryOptions> = { signal: SIGNAL, perPage: POSITIVE };
const OF_FEED: Rules<Surface.FollowOptions> = {
  ...OF_QUERY,
  cursor: [isText, 'the cursor of a batch'],
  wait: [(value) => isPositive(value) && Number(value) <= 600, 'a whole number of seconds from 1 to 600'],
};
const OF_CALL: Rules<Surface.CallOptions> = { signal: SIGNAL };

/** Checks the options of a call. */
function optionsOf<Options>(name: string, options: Options | undefined, known: Rules<Options>): Partial<Options> {
  if (options === undefined) return {};
  if (!isPlain(options)) throw new TypeError(`the options of ${name} are not an object`);
  for (const [option, value] of Object.entries(options)) {
    const rule = Object.hasOwn(known, option) ? known[option as keyof Options] : undefined;
    if (rule === undefined) throw new TypeError(`${name} has no option "${option}", expected ${Object.keys(known).join(', ')}`);
    const [check, expected] = rule;
    if (value !== undefined && !check(value)) throw new TypeError(`the option ${option} of ${name} is not ${expected}`);
  }
  return options;
}

/** The query parameters for the order of a feed. */
const IN_ORDER: Readonly<Record<string, string>> = { orderBy: 'recordTime', orderDirection: 'ASC' };

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

const JSON_TYPE = 'application/json';
const decoded = (bytes: Uint8Array | ArrayBuffer): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** The headers of every request, with the credentials. */
function credentials({ token, basic, headers = {} }: Surface.ConnectOptions): Readonly<Record<string, string>> {
  if (token !== undefined && basic !== undefined) throw new TypeError('token and basic are both given, expected one of them');
  if (token !== undefined) return { ...headers, authorization: `Bearer ${token}` };
  if (basic === undefined) return headers;
  const bytes = new TextEncoder().encode(`${basic.user}:${basic.password}`);
  return { ...headers, authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** The key of an event: its eventID and, for an error declaration, its declaration time. */
const keyOf = ({ eventID, errorDeclaration }: Named): string =>
  `${eventID} ${errorDeclaration === undefined ? '' : Date.parse(String(errorDeclaration?.declarationTime))}`;

/** An event that has a name. */
interface Named {
  readonly eventID?: unknown;
  readonly errorDeclaration?: { readonly declarationTime?: unknown } | null;
}

type Document = EPCISDocument | EPCISQueryDocument;

/** The document, with the hash of each event without an eventID as its eventID. */
function namedIn(document: Document): Document {
  const list = listOf(document) ?? [];
  if (!list.every(isPlain) || list.every(({ eventID }) => eventID !== undefined)) return document;
  const names = hash(document);
  const eventList = list.map((event, at) => (event.eventID === undefined ? { ...event, eventID: names[at] } : event)) as unknown as AnyEvent[];
  if (isQueryDocument(document)) {
    const { epcisBody } = document;
    const { queryResults } = epcisBody;
    return { ...document, epcisBody: { ...epcisBody, queryResults: { ...queryResults, resultsBody: { ...queryResults.resultsBody, eventList } } } };
  }
  return { ...document, epcisBody: { ...document.epcisBody, eventList } };
}

/** Whether the events of a document are in query results. */
const isQueryDocument = (document: Document): document is EPCISQueryDocument =>
  !(document as { readonly epcisBody: { readonly eventList?: unknown } }).epcisBody.eventList;

const documentOf = (context: string, list: readonly string[]): string =>
  `{"@context":${JSON.stringify(context)},"type":"EPCISDocument","schemaVersion":"2.0","creationDate":${JSON.stringify(new Date().toISOString())},"epcisBody":{"eventList":[${list.join(',')}]}}`;

/** What is captured. */
type What = Parameters<Surface.Client['capture']>[0];

/** The request of a capture. */
interface Capture {
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly type: string;
  /** Its events; `undefined` if one has no eventID to look for. */
  events(): readonly Named[] | undefined;
}

function prepared(what: What, isNaming: boolean): Capture {
  if (typeof what === 'string' || what instanceof Uint8Array || what instanceof ArrayBuffer) {
    const text = typeof what === 'string' ? what : undefined;
    const head = text ?? new TextDecoder().decode(new Uint8Array(what as ArrayBuffer).subarray(0, 64));
    if (/^\ufeff?\s*</.test(head)) return { body: what, type: 'application/xml', events: () => undefined };
    const events = () => {
      const value = JSON.parse(text ?? decoded(what as Uint8Array | ArrayBuffer));
      return lookable(listOf(value) ?? [value].flat());
    };
    return { body: what, type: JSON_TYPE, events };
  }
  if (!Array.isArray(what) && !isPlain(what))
    throw new TypeError('the captured value is not a document, expected an object, an array of events, text or bytes');
  const sent = isNamedDocument(what) ? (what as Document) : documentAround([what as AnyEvent | AnyEvent[]].flat());
  const document = isNaming ? namedIn(sent) : sent;
  return { body: JSON.stringify(document), type: JSON_TYPE, events: () => lookable(listOf(document) ?? []) };
}

/** A document of events. */
function documentAround(list: readonly AnyEvent[]): EPCISDocument {
  const { '@context': context, events } = gathered(list);
  const eventList = events as AnyEvent[];
  return { '@context': context, type: 'EPCISDocument', schemaVersion: '2.0', creationDate: new Date().toISOString(), epcisBody: { eventList } };
}

const lookable = (events: readonly unknown[]): readonly Named[] | undefined => {
  const isLookable = events.length > 0 && events.every((event) => typeof (event as Named | null)?.eventID === 'string');
  return isLookable ? (events as readonly Named[]) : undefined;
};

/** Parses the text of an event; `undefined` if it is incomplete. */
function eventIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The query string of a query's parameters. The values of a list are separated by `|`. */
function queryString(parameters: Surface.QueryParameters, more: { readonly perPage: number | undefined }): string {
  if (!isPlain(parameters)) throw new TypeError('the query is not an object of parameters');
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, ...(more.perPage === undefined ? {} : more) })) {
    if (value === undefined) continue;
    const values = [value].flat().map((one: unknown) => (one instanceof Date ? one.toISOString() : one));
    if (values.length === 0 || !values.every((one) => ['string', 'number', 'boolean'].includes(typeof one)))
      throw new TypeError(`the parameter ${name} is not a string, number, boolean, Date or array of these`);
    if (values.some((one) => String(one).includes('|')))
      throw new TypeError(`a value of ${name} contains |, which separates values: use createQuery and namedQuery instead`);
    search.append(name, values.join('|'));
  }
  return search.toString();
}

/** The results of a query: events one by one, or page by page. */
class Results implements Surface.Results {
  readonly #pages: () => AsyncGenerator<EPCISQueryDocument, void>;

  constructor(pages: () => AsyncGenerator<EPCISQueryDocument, void>) {
    this.#pages = pages;
  }

  pages(): AsyncGenerator<EPCISQueryDocument, void> {
    return this.#pages();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AnyEvent, void> {
    for await (const document of this.#pages()) yield* eventsOf(document);
  }

  stream(): ReadableStream<AnyEvent> {
    const events = this[Symbol.asyncIterator]();
    return new ReadableStream(
      {
        async pull(controller) {
          const { done, value } = await events.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await events.return()),
      },
      { highWaterMark: 0 },
    );
  }
}

/** A client of one EPCIS 2.0 server. */
class Client implements Surface.Client {
  readonly #http: Exchange;
  readonly #storesOnce: boolean;
  readonly #jobTimeout: number;

  constructor(url: string | URL, options: Surface.ConnectOptions) {
    const base = new URL(url);
    if (!['http:', 'https:'].includes(base.protocol)) throw new TypeError(`the address of a server begins with http: or https:, not ${base.protocol}`);
    if (base.username || base.password) throw new TypeError('the address contains a password: use the option basic');
    base.search = '';
    base.hash = '';
    if (!base.pathname.endsWith('/')) base.pathname += '/';
    const {
      fetch = (address: string, request: RequestInit) => globalThis.fetch(address, request),
      retries = 4,
      firstWait = 500,
      maxWait = 60_000,
      timeout = 60_000,
    } = options;
    const { maxAnswer = 64 * 1024 * 1024, maxPages = 100_000 } = options;
    const headers = { accept: JSON_TYPE, ...credentials(options) };
    this.#http = new Exchange({ base, headers, fetch, retries, firstWait, maxWait, timeout, maxAnswer, maxPages });
    this.#storesOnce = options.storesOnce ?? false;
    this.#jobTimeout = options.jobTimeout ?? 300_000;
  }

  async capture(what: What, options?: Surface.CaptureOptions): Promise<Surface.Captured> {
    const { signal, errorBehaviour, name = true } = optionsOf('capture', options, OF_CAPTURE);
    return this.#send(prepared(what, name), { signal, errorBehaviour });
  }

  captureStream(options?: Surface.CaptureStreamOptions): TransformStream<AnyEvent | string | Uint8Array, Surface.Captured> {
    const { batchEvents = 500, batchBytes = 4 * 1024 * 1024, name = true, ...rest } = optionsOf('captureStream', options, OF_STREAM);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let line = '';
    let batch: { readonly text: string; readonly event: Plain }[] = [];
    let size = 0;
    type Controller = TransformStreamDefaultController<Surface.Captured>;
    const flush = async (controller: Controller) => {
      if (batch.length === 0) return;
      const [texts, events] = [batch.map(({ text }) => text), batch.map(({ event }) => event)];
      [batch, size] = [[], 0];
      controller.enqueue(await this.#send({ body: documentOf(CONTEXT, texts), type: JSON_TYPE, events: () => lookable(events) }, rest));
    };
    const add = async (event: unknown, text: string, controller: Controller) => {
      if (!isPlain(event)) throw new TypeError('the captured value is not an event');
      let written = text;
      let named: Plain = event;
      if (name && event.eventID === undefined) {
        const [eventID] = hash(text);
        // Edit the text, so that numbers keep their digits.
        written = text.replace('{', `{"eventID":${JSON.stringify(eventID)},`);
        named = { ...event, eventID };
      }
      if (size + written.length > batchBytes) await flush(controller);
      batch.push({ text: written, event: named });
      size += written.length;
      if (batch.length >= batchEvents) await flush(controller);
    };
    const lines = async (text: string, controller: Controller, isEnd: boolean) => {
      const all = (line + text).split('\n');
      line = isEnd ? '' : (all.pop() ?? '');
      for (const one of all) if (one.trim() !== '') await add(JSON.parse(one), one.trim(), controller);
    };
    return new TransformStream({
      async transform(chunk, controller) {
        if (typeof chunk === 'string') {
          const whole = line === '' && !chunk.includes('\n') ? eventIn(chunk) : undefined;
          await (whole === undefined ? lines(chunk, controller, false) : add(whole, chunk, controller));
        } else if (chunk instanceof Uint8Array) await lines(decoder.decode(chunk, { stream: true }), controller, false);
        else await add(chunk, JSON.stringify(chunk), controller);
      },
      async flush(controller) {
        await lines(decoder.decode(), controller, true);
        await flush(controller);
      },
    });
  }

  async job(captureID: string, options?: Surface.CallOptions): Promise<Surface.CaptureJob> {
    const { signal } = optionsOf('job', options, OF_CALL);
    return jobOf(await this.#http.repeated('GET', this.#http.at(`capture/${encodeURIComponent(captureID)}`), { signal }), captureID);
  }

  query(parameters: Surface.QueryParameters = {}, options?: Surface.QueryOptions): Surface.Results {
    const { signal, perPage } = optionsOf('query', options, OF_QUERY);
    return this.#results(this.#http.at('events', queryString(parameters, { perPage })), signal);
  }

  namedQuery(name: string, options?: Surface.QueryOptions): Surface.Results {
    const { signal, perPage } = optionsOf('namedQuery', options, OF_QUERY);
    return this.#results(this.#http.at(`queries/${encodeURIComponent(name)}/events`, queryString({}, { perPage })), signal);
  }

  follow(parameters: Surface.QueryParameters = {}, options?: Surface.FollowOptions): AsyncGenerator<Surface.FeedBatch, void> {
    const { signal, perPage, cursor, wait: seconds = 20 } = optionsOf('follow', options, OF_FEED);
    if (!isPlain(parameters)) throw new TypeError('the query is not an object of parameters');
    const other = Object.entries(IN_ORDER).find(([name, value]) => parameters[name] !== undefined && parameters[name] !== value);
    if (other) throw new TypeError(`a feed always has ${other.join('=')}, and no other order`);
    const query = queryString({ ...parameters, ...IN_ORDER }, { perPage });
    return feed(this.#http, this.#http.at('events', query), { cursor, signal, wait: seconds });
  }

  followNamed(name: string, options?: Surface.FollowOptions): AsyncGenerator<Surface.FeedBatch, void> {
    const { signal, perPage, cursor, wait: seconds = 20 } = optionsOf('followNamed', options, OF_FEED);
    const address = this.#http.at(`queries/${encodeURIComponent(name)}/events`, queryString({}, { perPage }));
    return feed(this.#http, address, { cursor, signal, wait: seconds });
  }

  async createQuery(name: string, query: Readonly<Record<string, unknown>>, options?: Surface.CallOptions): Promise<void> {
    const { signal } = optionsOf('createQuery', options, OF_CALL);
    if (!isText(name)) throw new TypeError('the name of the query is not a text');
    if (!isPlain(query)) throw new TypeError('the query is not an object of parameters');
    const answer = await this.#http.once('POST', this.#http.at('queries'), {
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify({ name, query }),
      signal,
    });
    if (!isSuccess(answer)) throw refusalOf('POST', answer);
    if (answer.status !== 201 && !answer.headers.has('location')) throw strange('unexpected', 'POST', answer, '201 and a Location');
  }

  async deleteQuery(name: string, options?: Surface.CallOptions): Promise<void> {
    const { signal } = optionsOf('deleteQuery', options, OF_CALL);
    const answer = await this.#http.once('DELETE', this.#http.at(`queries/${encodeURIComponent(name)}`), { signal });
    if (!isSuccess(answer)) throw refusalOf('DELETE', answer);
    if (answer.status !== 204 && answer.words !== '') throw strange('unexpected', 'DELETE', answer, '204 without a body');
  }

  async event(eventID: string, options?: Surface.CallOptions): Promise<AnyEvent[]> {
    const { signal } = optionsOf('event', options, OF_CALL);
    const answer = await this.#http.repeated('GET', this.#http.at(`events/${encodeURIComponent(eventID)}`), { signal });
    const { body } = answer;
    if (isAnswer(body)) return eventsOf(body);
    if (!isText((body as { readonly type?: unknown } | null | undefined)?.type)) throw strange('not-a-document', 'GET', answer, 'an event or a document');
    return [body as AnyEvent];
  }

  #results(first: URL, signal: AbortSignal | undefined): Results {
    const http = this.#http;
    return new Results(async function* pages() {
      for await (const { body } of pagesFrom(http, first, { signal })) yield body;
    });
  }

  /** Sends a capture, again if necessary, until its outcome is known. */
  async #send(
    { body, type, events }: Capture,
    { signal, errorBehaviour }: Pick<Surface.CaptureOptions, 'signal' | 'errorBehaviour'>,
  ): Promise<Surface.Captured> {
    const http = this.#http;
    const url = http.at('capture');
    const headers = { 'content-type': type, ...(errorBehaviour === undefined ? {} : { 'GS1-Capture-Error-Behaviour': errorBehaviour }) };
    for (let tries = 0; ; tries += 1) {
      let trouble: ClientError;
      let isUnknown: boolean;
      let retryAfter: number | undefined;
      const answer = await http.once('POST', url, { headers, body, signal }).catch((error: unknown) => {
        // Neither error says whether the capture was stored.
        if (error instanceof ConnectionError || error instanceof AnswerError) return error;
        throw error;
      });
      if (answer instanceof ClientError) {
        trouble = answer;
        isUnknown = !(answer instanceof ConnectionError && answer.isUnsent);
      } else {
        if (isSuccess(answer)) return this.#outcome(answer, signal);
        trouble = refusalOf('POST', answer);
        if (!isPassing(answer.status) && answer.status !== 500) throw trouble;
        // With these statuses the server accepted nothing.
        isUnknown = ![408, 425, 429].includes(answer.status);
        retryAfter = retryAfterOf(answer.headers);
      }
      const pause = http.pause(tries, retryAfter);
      const isOver = tries >= http.retries || pause === undefined || (trouble instanceof RequestError && trouble.status === 500);
      if (!isOver) await wait(pause, signal);
      if (isUnknown && !this.#storesOnce) {
        const stored = await this.#lookFor(events(), trouble, signal);
        if (stored) return { captureID: undefined, running: false, success: true, errors: [], wasFound: true };
      }
      if (isOver) throw trouble;
    }
  }

  /** Whether all events of a capture are stored (true) or none (false). @throws {OutcomeUnknownError} otherwise */
  async #lookFor(events: readonly Named[] | undefined, cause: unknown, signal: AbortSignal | undefined): Promise<boolean> {
    if (events === undefined) throw new OutcomeUnknownError('some of its events have no eventID to look for', { cause });
    let found: ReadonlySet<string>;
    try {
      await this.#untilNoneRuns(signal);
      found = await this.#storedOf(events, signal);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      throw new OutcomeUnknownError(`looking for its events failed: ${error.message}`, { cause });
    }
    const [stored, missing] = [events.filter((event) => found.has(keyOf(event))), events.filter((event) => !found.has(keyOf(event)))];
    if (missing.length === 0) return true;
    if (stored.length === 0) return false;
    const names = (list: readonly Named[]) => list.map(({ eventID }) => String(eventID));
    throw new OutcomeUnknownError(`${stored.length} of its ${events.length} events are stored`, { cause, stored: names(stored), missing: names(missing) });
  }

  /** Waits until no capture job is running, if the server lists them. */
  async #untilNoneRuns(signal: AbortSignal | undefined): Promise<void> {
    const end = Date.now() + this.#jobTimeout;
    for (let tries = 0; ; tries += 1) {
      const jobs = await this.#http.repeated('GET', this.#http.at('capture'), { signal }).then(
        ({ body }) => body,
        (error: unknown) => {
          if (!(error instanceof RequestError)) throw error;
        },
      );
      if (!Array.isArray(jobs) || !jobs.some((job) => job?.running === true)) return;
      if (Date.now() > end) throw new ClientError(`a capture job still runs after ${this.#jobTimeout} ms`);
      await wait(this.#http.pause(tries) ?? 1000, signal);
    }
  }

  async #storedOf(events: readonly Named[], signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const names = [...new Set(events.map(({ eventID }) => String(eventID)))];
    // Twenty event hashes make an address of two kilobytes.
    for (let at = 0; at < names.length; at += 20)
      for await (const event of this.query({ EQ_eventID: names.slice(at, at + 20) }, { signal })) found.add(keyOf(event));
    return found;
  }

  /** The outcome of an accepted capture, after its job has ended. */
  async #outcome(answer: Answer, signal: AbortSignal | undefined): Promise<Surface.Captured> {
    const location = answer.headers.get('location');
    if (location === null) throw strange('unexpected', 'POST', answer, '202 and the Location of the capture job');
    const url = this.#http.named(location, answer.url);
    const end = Date.now() + this.#jobTimeout;
    for (let tries = 0; ; tries += 1) {
      const answered = await this.#http.repeated('GET', url, { signal });
      const job = jobOf(answered, url.pathname.split('/').at(-1));
      if (!job.running) {
        if (!job.success) throw new CaptureError(job);
        return { ...job, running: false, success: true, wasFound: false };
      }
      if (Date.now() > end) throw new OutcomeUnknownError(`the job ${job.captureID} still runs after ${this.#jobTimeout} ms`);
      await wait(Math.min(this.#http.pause(tries, retryAfterOf(answered.headers)) ?? 10_000, 10_000), signal);
    }
  }
}

/** A capture job, with missing members filled in. @throws {AnswerError} if it has neither `running` nor `success` */
function jobOf(answer: Answer, captureID: string | undefined): Surface.CaptureJob {
  const body = (answer.body ?? {}) as Plain;
  if (typeof body.running !== 'boolean' && typeof body.success !== 'boolean') throw strange('not-a-document', 'GET', answer, 'a capture job');
  const errors = Array.isArray(body.errors) ? body.errors.filter(isPlain) : [];
  return { ...body, captureID: isText(body.captureID) ? body.captureID : captureID, running: body.running === true, success: body.success === true, errors };
}

export const connect: typeof Surface.connect = (url, options) => new Client(url, optionsOf('connect', options, OF_SERVER));
