// @ts-nocheck
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
import { AnswerError, CaptureError, ClientError, ConnectionError, OutcomeUnknownError, RequestError } from './errors.ts';
import { Exchange, isPassing, refusalOf, retryAfterOf, strange, wait } from './exchange.ts';
import { eventsOf, feed, isDocument as isAnswer, listOf, pagesFrom } from './pages.ts';

export { AnswerError, CaptureError, ClientError, ConnectionError, OutcomeUnknownError, RequestError } from './errors.ts';

const isPlain = (value) => Object.prototype.toString.call(value) === '[object Object]';
const isCount = (value) => Number.isInteger(value) && value >= 0;
const isPositive = (value) => Number.isInteger(value) && value > 0;
const isSignal = (value) => typeof value?.addEventListener === 'function' && typeof value.aborted === 'boolean';
const isText = (value) => typeof value === 'string' && value !== '';

const COUNT = [isCount, 'a whole number'];
const POSITIVE = [isPositive, 'a whole number above 0'];
const SIGNAL = [isSignal, 'an AbortSignal'];
const FLAG = [(value) => typeof value === 'boolean', 'true or false'];

/** Whether a key fits into a header. Otherwise the error of `fetch` would show the key. */
const isKey = (value) => isText(value) && /^[\x20-\x7e]+$/.test(value);

const OF_SERVER = {
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
const OF_CAPTURE = {
  signal: SIGNAL,
  errorBehaviour: [(value) => ['rollback', 'proceed'].includes(value), "'rollback' or 'proceed'"],
  name: FLAG,
};
const OF_STREAM = { ...OF_CAPTURE, batchEvents: POSITIVE, batchBytes: POSITIVE };
const OF_QUERY = { signal: SIGNAL, perPage: POSITIVE };
const OF_FEED = {
  ...OF_QUERY,
  cursor: [isText, 'the cursor of a batch'],
  wait: [(value) => isPositive(value) && value <= 600, 'a whole number of seconds from 1 to 600'],
};
const OF_CALL = { signal: SIGNAL };

/** Checks the options of a call. */
function optionsOf(name, options = {}, known) {
  if (!isPlain(options)) throw new TypeError(`the options of ${name} are not an object`);
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, option)) throw new TypeError(`${name} has no option "${option}", expected ${Object.keys(known).join(', ')}`);
    const [check, expected] = known[option];
    if (value !== undefined && !check(value)) throw new TypeError(`the option ${option} of ${name} is not ${expected}`);
  }
  return options;
}

/** The query parameters for the order of a feed. */
const IN_ORDER = { orderBy: 'recordTime', orderDirection: 'ASC' };

const isSuccess = ({ status }) => status >= 200 && status < 300;

const JSON_TYPE = 'application/json';
const decoded = (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** The headers of every request, with the credentials. */
function credentials({ token, basic, headers = {} }) {
  if (token !== undefined && basic !== undefined) throw new TypeError('token and basic are both given, expected one of them');
  if (token !== undefined) return { ...headers, authorization: `Bearer ${token}` };
  if (basic === undefined) return headers;
  const bytes = new TextEncoder().encode(`${basic.user}:${basic.password}`);
  return { ...headers, authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** The key of an event: its eventID and, for an error declaration, its declaration time. */
const keyOf = ({ eventID, errorDeclaration }) => `${eventID} ${errorDeclaration === undefined ? '' : Date.parse(errorDeclaration.declarationTime)}`;

const isDocument = (value) => ['EPCISDocument', 'EPCISQueryDocument'].includes(value?.type);

/** The document, with the hash of each event without an eventID as its eventID. */
function namedIn(document) {
  const list = listOf(document) ?? [];
  if (!list.every(isPlain) || list.every(({ eventID }) => eventID !== undefined)) return document;
  const names = hash(document);
  const named = list.map((event, at) => (event.eventID === undefined ? { ...event, eventID: names[at] } : event));
  const { epcisBody } = document;
  if (epcisBody.eventList) return { ...document, epcisBody: { ...epcisBody, eventList: named } };
  const { queryResults } = epcisBody;
  return { ...document, epcisBody: { ...epcisBody, queryResults: { ...queryResults, resultsBody: { ...queryResults.resultsBody, eventList: named } } } };
}

const documentOf = (context, list) =>
  `{"@context":${JSON.stringify(context)},"type":"EPCISDocument","schemaVersion":"2.0","creationDate":${JSON.stringify(new Date().toISOString())},"epcisBody":{"eventList":[${list.join(',')}]}}`;

/** The request of a capture: `{body, type, events}`. `events()` returns its events, or `undefined` if one has no eventID to look for. */
function prepared(what, isNaming) {
  if (typeof what === 'string' || what instanceof Uint8Array || what instanceof ArrayBuffer) {
    const text = typeof what === 'string' ? what : undefined;
    const head = text ?? new TextDecoder().decode(new Uint8Array(what).subarray(0, 64));
    if (/^\ufeff?\s*</.test(head)) return { body: what, type: 'application/xml', events: () => undefined };
    const events = () => {
      const value = JSON.parse(text ?? decoded(what));
      return lookable(listOf(value) ?? [value].flat());
    };
    return { body: what, type: JSON_TYPE, events };
  }
  if (!Array.isArray(what) && !isPlain(what))
    throw new TypeError('the captured value is not a document, expected an object, an array of events, text or bytes');
  let document = what;
  if (!isDocument(what)) {
    const { '@context': context, events } = gathered([what].flat());
    document = { '@context': context, type: 'EPCISDocument', schemaVersion: '2.0', creationDate: new Date().toISOString(), epcisBody: { eventList: events } };
  }
  if (isNaming) document = namedIn(document);
  return { body: JSON.stringify(document), type: JSON_TYPE, events: () => lookable(listOf(document) ?? []) };
}

const lookable = (events) => (events.length > 0 && events.every((event) => typeof event?.eventID === 'string') ? events : undefined);

/** Parses the text of an event; `undefined` if it is incomplete. */
function eventIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The query string of a query's parameters. The values of a list are separated by `|`. */
function queryString(parameters, more) {
  if (!isPlain(parameters)) throw new TypeError('the query is not an object of parameters');
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, ...(more.perPage === undefined ? {} : more) })) {
    if (value === undefined) continue;
    const values = [value].flat().map((one) => (one instanceof Date ? one.toISOString() : one));
    if (values.length === 0 || !values.every((one) => ['string', 'number', 'boolean'].includes(typeof one)))
      throw new TypeError(`the parameter ${name} is not a string, number, boolean, Date or array of these`);
    if (values.some((one) => String(one).includes('|')))
      throw new TypeError(`a value of ${name} contains |, which separates values: use createQuery and namedQuery instead`);
    search.append(name, values.join('|'));
  }
  return search.toString();
}

/** The results of a query: events one by one, or page by page. */
class Results {
  #pages;

  constructor(pages) {
    this.#pages = pages;
  }

  pages() {
    return this.#pages();
  }

  async *[Symbol.asyncIterator]() {
    for await (const document of this.#pages()) yield* eventsOf(document);
  }

  stream() {
    const events = this[Symbol.asyncIterator]();
    return new ReadableStream(
      {
        async pull(controller) {
          const { done, value } = await events.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => events.return(),
      },
      { highWaterMark: 0 },
    );
  }
}

/** A client of one EPCIS 2.0 server. */
class Client {
  #http;
  #storesOnce;
  #jobTimeout;

  constructor(url, options) {
    const base = new URL(url);
    if (!['http:', 'https:'].includes(base.protocol)) throw new TypeError(`the address of a server begins with http: or https:, not ${base.protocol}`);
    if (base.username || base.password) throw new TypeError('the address contains a password: use the option basic');
    base.search = '';
    base.hash = '';
    if (!base.pathname.endsWith('/')) base.pathname += '/';
    const { fetch = (...args) => globalThis.fetch(...args), retries = 4, firstWait = 500, maxWait = 60_000, timeout = 60_000 } = options;
    const { maxAnswer = 64 * 1024 * 1024, maxPages = 100_000 } = options;
    const headers = { accept: JSON_TYPE, ...credentials(options) };
    this.#http = new Exchange({ base, headers, fetch, retries, firstWait, maxWait, timeout, maxAnswer, maxPages });
    this.#storesOnce = options.storesOnce ?? false;
    this.#jobTimeout = options.jobTimeout ?? 300_000;
  }

  async capture(what, options) {
    const { signal, errorBehaviour, name = true } = optionsOf('capture', options, OF_CAPTURE);
    return this.#send(prepared(what, name), { signal, errorBehaviour });
  }

  captureStream(options) {
    const { batchEvents = 500, batchBytes = 4 * 1024 * 1024, name = true, ...rest } = optionsOf('captureStream', options, OF_STREAM);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let line = '';
    let batch = [];
    let size = 0;
    const flush = async (controller) => {
      if (batch.length === 0) return;
      const [texts, events] = [batch.map(({ text }) => text), batch.map(({ event }) => event)];
      [batch, size] = [[], 0];
      controller.enqueue(await this.#send({ body: documentOf(CONTEXT, texts), type: JSON_TYPE, events: () => lookable(events) }, rest));
    };
    const add = async (event, text, controller) => {
      if (!isPlain(event)) throw new TypeError('the captured value is not an event');
      let written = text;
      let named = event;
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
    const lines = async (text, controller, isEnd) => {
      const all = (line + text).split('\n');
      line = isEnd ? '' : all.pop();
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

  async job(captureID, options) {
    const { signal } = optionsOf('job', options, OF_CALL);
    return jobOf(await this.#http.repeated('GET', this.#http.at(`capture/${encodeURIComponent(captureID)}`), { signal }), captureID);
  }

  query(parameters = {}, options) {
    const { signal, perPage } = optionsOf('query', options, OF_QUERY);
    return this.#results(this.#http.at('events', queryString(parameters, { perPage })), signal);
  }

  namedQuery(name, options) {
    const { signal, perPage } = optionsOf('namedQuery', options, OF_QUERY);
    return this.#results(this.#http.at(`queries/${encodeURIComponent(name)}/events`, queryString({}, { perPage })), signal);
  }

  follow(parameters = {}, options) {
    const { signal, perPage, cursor, wait: seconds = 20 } = optionsOf('follow', options, OF_FEED);
    if (!isPlain(parameters)) throw new TypeError('the query is not an object of parameters');
    const other = Object.entries(IN_ORDER).find(([name, value]) => parameters[name] !== undefined && parameters[name] !== value);
    if (other) throw new TypeError(`a feed always has ${other.join('=')}, and no other order`);
    const query = queryString({ ...parameters, ...IN_ORDER }, { perPage });
    return feed(this.#http, this.#http.at('events', query), { cursor, signal, wait: seconds });
  }

  followNamed(name, options) {
    const { signal, perPage, cursor, wait: seconds = 20 } = optionsOf('followNamed', options, OF_FEED);
    const address = this.#http.at(`queries/${encodeURIComponent(name)}/events`, queryString({}, { perPage }));
    return feed(this.#http, address, { cursor, signal, wait: seconds });
  }

  async createQuery(name, query, options) {
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

  async deleteQuery(name, options) {
    const { signal } = optionsOf('deleteQuery', options, OF_CALL);
    const answer = await this.#http.once('DELETE', this.#http.at(`queries/${encodeURIComponent(name)}`), { signal });
    if (!isSuccess(answer)) throw refusalOf('DELETE', answer);
    if (answer.status !== 204 && answer.words !== '') throw strange('unexpected', 'DELETE', answer, '204 without a body');
  }

  async event(eventID, options) {
    const { signal } = optionsOf('event', options, OF_CALL);
    const answer = await this.#http.repeated('GET', this.#http.at(`events/${encodeURIComponent(eventID)}`), { signal });
    const { body } = answer;
    if (isAnswer(body)) return eventsOf(body);
    if (!isText(body?.type)) throw strange('not-a-document', 'GET', answer, 'an event or a document');
    return [body];
  }

  #results(first, signal) {
    const http = this.#http;
    return new Results(async function* pages() {
      for await (const { body } of pagesFrom(http, first, { signal })) yield body;
    });
  }

  /** Sends a capture, again if necessary, until its outcome is known. */
  async #send({ body, type, events }, { signal, errorBehaviour }) {
    const http = this.#http;
    const url = http.at('capture');
    const headers = { 'content-type': type, ...(errorBehaviour === undefined ? {} : { 'GS1-Capture-Error-Behaviour': errorBehaviour }) };
    for (let tries = 0; ; tries += 1) {
      let trouble;
      let isUnknown;
      const answer = await http.once('POST', url, { headers, body, signal }).catch((error) => {
        // Neither error says whether the capture was stored.
        if (!(error instanceof ConnectionError || error instanceof AnswerError)) throw error;
        trouble = error;
        isUnknown = !error.isUnsent;
      });
      const retryAfter = answer && retryAfterOf(answer.headers);
      if (answer) {
        if (isSuccess(answer)) return this.#outcome(answer, signal);
        trouble = refusalOf('POST', answer);
        if (!isPassing(answer.status) && answer.status !== 500) throw trouble;
        // With these statuses the server accepted nothing.
        isUnknown = ![408, 425, 429].includes(answer.status);
      }
      const pause = http.pause(tries, retryAfter);
      const isOver = tries >= http.retries || pause === undefined || trouble.status === 500;
      if (!isOver) await wait(pause, signal);
      if (isUnknown && !this.#storesOnce) {
        const stored = await this.#lookFor(events(), trouble, signal);
        if (stored) return { captureID: undefined, running: false, success: true, errors: [], wasFound: true };
      }
      if (isOver) throw trouble;
    }
  }

  /** Whether all events of a capture are stored (true) or none (false). @throws {OutcomeUnknownError} otherwise */
  async #lookFor(events, cause, signal) {
    if (events === undefined) throw new OutcomeUnknownError('some of its events have no eventID to look for', { cause });
    let found;
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
    const names = (list) => list.map(({ eventID }) => eventID);
    throw new OutcomeUnknownError(`${stored.length} of its ${events.length} events are stored`, { cause, stored: names(stored), missing: names(missing) });
  }

  /** Waits until no capture job is running, if the server lists them. */
  async #untilNoneRuns(signal) {
    const end = Date.now() + this.#jobTimeout;
    for (let tries = 0; ; tries += 1) {
      const jobs = await this.#http.repeated('GET', this.#http.at('capture'), { signal }).then(
        ({ body }) => body,
        (error) => {
          if (!(error instanceof RequestError)) throw error;
        },
      );
      if (!Array.isArray(jobs) || !jobs.some((job) => job?.running === true)) return;
      if (Date.now() > end) throw new ClientError(`a capture job still runs after ${this.#jobTimeout} ms`);
      await wait(this.#http.pause(tries) ?? 1000, signal);
    }
  }

  async #storedOf(events, signal) {
    const found = new Set();
    const names = [...new Set(events.map(({ eventID }) => eventID))];
    // Twenty event hashes make an address of two kilobytes.
    for (let at = 0; at < names.length; at += 20)
      for await (const event of this.query({ EQ_eventID: names.slice(at, at + 20) }, { signal })) found.add(keyOf(event));
    return found;
  }

  /** The outcome of an accepted capture, after its job has ended. */
  async #outcome(answer, signal) {
    const location = answer.headers.get('location');
    if (location === null) throw strange('unexpected', 'POST', answer, '202 and the Location of the capture job');
    const url = this.#http.named(location, answer.url);
    const end = Date.now() + this.#jobTimeout;
    for (let tries = 0; ; tries += 1) {
      const answered = await this.#http.repeated('GET', url, { signal });
      const job = jobOf(answered, url.pathname.split('/').at(-1));
      if (!job.running) {
        if (!job.success) throw new CaptureError(job);
        return { ...job, wasFound: false };
      }
      if (Date.now() > end) throw new OutcomeUnknownError(`the job ${job.captureID} still runs after ${this.#jobTimeout} ms`);
      await wait(Math.min(this.#http.pause(tries, retryAfterOf(answered.headers)) ?? 10_000, 10_000), signal);
    }
  }
}

/** A capture job, with missing members filled in. @throws {AnswerError} if it has neither `running` nor `success` */
function jobOf(answer, captureID) {
  const { body } = answer;
  if (typeof body?.running !== 'boolean' && typeof body?.success !== 'boolean') throw strange('not-a-document', 'GET', answer, 'a capture job');
  const errors = Array.isArray(body.errors) ? body.errors.filter(isPlain) : [];
  return { ...body, captureID: isText(body.captureID) ? body.captureID : captureID, running: body.running === true, success: body.success === true, errors };
}

export const connect = (url, options) => new Client(url, optionsOf('connect', options, OF_SERVER));
