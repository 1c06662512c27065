// @ts-nocheck
// HTTP exchanges of the client, and when a request may be repeated.
import { textWithin } from './bounded.ts';
import { AnswerError, ConnectionError, RequestError } from './errors.ts';

/** Whether a status, of the server or of a proxy, means that trying again may help. */
export const isPassing = (status) => [408, 425, 429, 502, 503, 504].includes(status);

/** The wait that `Retry-After` requests, in milliseconds; `undefined` without that header. */
export function retryAfterOf(headers, now = Date.now()) {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const LINK = /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)/g;
const PARAMETER = /;\s*([^\s=;"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+)))?/g;

/** The addresses in a `Link` header, by relation (RFC 8288). Malformed links are skipped, in a time proportional to their length. */
export function linksOf(header) {
  const links = {};
  for (const [, address, parameters] of (header ?? '').matchAll(LINK)) {
    const [, , quoted, bare] = [...parameters.matchAll(PARAMETER)].find(([, name]) => name.toLowerCase() === 'rel') ?? [];
    for (const relation of (quoted ?? bare ?? '').toLowerCase().split(/\s+/)) if (relation !== '') links[relation] ??= address;
  }
  return links;
}

/** Waits. Rejects with the signal's reason if it is aborted. */
export const wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** Reads the text of an answer. @throws {AnswerError} after `limit` bytes, and stops reading */
const textOf = (response, limit, what) =>
  textWithin(response, limit, () => new AnswerError('too-long', `the answer to ${what} is longer than ${limit} bytes: raise the option maxAnswer to read it`));

/** Parses a text as JSON; `undefined` if it is empty or not JSON. */
function jsonOf(text) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The number of characters of an answer that an error shows. */
const SHOWN = 60;

/** The first words of an answer, for an error message. It is a copy, so that the answer itself is not kept in memory. */
function wordsOf(text) {
  const words = Array.from(
    text
      .slice(0, 4 * SHOWN)
      .trim()
      .replace(/\s+/g, ' '),
  );
  return words.length > SHOWN ? `${words.slice(0, SHOWN).join('')}…` : words.join('');
}

/** The error of an answer that no EPCIS 2.0 server gives, such as the page of a proxy or of a wrong address. */
export function strange(reason, method, { url, status, headers, words }, expected) {
  const [type] = (headers.get('content-type') ?? 'without a media type').split(';');
  const said = words === '' ? 'with an empty body' : `\`${words}\``;
  return new AnswerError(reason, `${method} ${url.href} was answered with ${status} ${type.trim()} ${said}, expected ${expected}`);
}

/** The HTTP exchanges with one server. */
export class Exchange {
  #base;
  #headers;
  #fetch;
  #retries;
  #firstWait;
  #maxWait;
  #timeout;
  #maxAnswer;
  #maxPages;

  constructor({ base, headers, fetch, retries, firstWait, maxWait, timeout, maxAnswer, maxPages }) {
    this.#base = base;
    this.#headers = headers;
    this.#fetch = fetch;
    this.#retries = retries;
    this.#firstWait = firstWait;
    this.#maxWait = maxWait;
    this.#timeout = timeout;
    this.#maxAnswer = maxAnswer;
    this.#maxPages = maxPages;
  }

  /** The maximum number of pages read for one query. */
  get maxPages() {
    return this.#maxPages;
  }

  get retries() {
    return this.#retries;
  }

  /** An address below that of the server, such as `events`. */
  at(path, query) {
    const url = new URL(path, this.#base);
    if (query !== undefined) url.search = query;
    return url;
  }

  /** An address that the server names, relative to `from`. @throws {AnswerError} for another origin, which must not get the key */
  named(address, from) {
    let url;
    try {
      url = new URL(address, from);
    } catch {
      throw new AnswerError('another-place', `the server links to ${String(address).slice(0, 200)}, which is not an address`);
    }
    if (url.origin !== this.#base.origin)
      throw new AnswerError('another-place', `the server links to ${url.origin} instead of ${this.#base.origin}: the key is not sent there`);
    return url;
  }

  /**
   * The wait before the next try, in milliseconds, after `tries` earlier repetitions: `retryAfter` if the answer has it, otherwise a
   * random time that doubles with each try. `undefined` if the answer asks for more than `maxWait`.
   */
  pause(tries, retryAfter) {
    const own = Math.min(this.#firstWait * 2 ** tries, this.#maxWait);
    if (retryAfter !== undefined) return retryAfter > this.#maxWait ? undefined : Math.max(retryAfter, this.#firstWait);
    return own / 2 + (Math.random() * own) / 2;
  }

  /**
   * One exchange: `{status, headers, url, body, words}`. `body` is parsed JSON, `words` are its first words.
   *
   * @param patience additional milliseconds that this answer may take
   * @throws {ConnectionError} if no answer came, {AnswerError} if it is too long, and the signal's reason if it was aborted
   */
  async once(method, url, { headers, body, signal, patience = 0 } = {}) {
    const timeout = this.#timeout + patience;
    const limit = AbortSignal.timeout(timeout);
    const both = new AbortController();
    const end = (from) => () => both.abort(from.reason);
    const [ofCaller, ofLimit] = [signal && end(signal), end(limit)];
    signal?.addEventListener('abort', ofCaller, { once: true });
    limit.addEventListener('abort', ofLimit, { once: true });
    try {
      signal?.throwIfAborted();
      const response = await this.#fetch(url.href, { method, headers: { ...this.#headers, ...headers }, body, signal: both.signal, redirect: 'manual' });
      const text = await textOf(response, this.#maxAnswer, `${method} ${url.href}`);
      return { status: response.status, headers: response.headers, url, body: jsonOf(text), words: wordsOf(text) };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof AnswerError) throw error;
      const why = limit.aborted ? `no answer within ${timeout} ms` : (error?.cause?.message ?? error?.message ?? String(error));
      throw new ConnectionError(`${method} ${url.href} failed: ${why}`, { cause: error });
    } finally {
      signal?.removeEventListener('abort', ofCaller);
      limit.removeEventListener('abort', ofLimit);
    }
  }

  /** An idempotent exchange, repeated while that may help. @throws {RequestError} for a refusal */
  async repeated(method, url, options = {}) {
    for (let tries = 0; ; tries += 1) {
      let refusal;
      let pause;
      try {
        const answer = await this.once(method, url, options);
        if (answer.status >= 200 && answer.status < 300) return answer;
        refusal = refusalOf(method, answer);
        if (!isPassing(answer.status)) throw refusal;
        pause = this.pause(tries, refusal.retryAfter);
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        refusal = error;
        pause = this.pause(tries);
      }
      if (tries >= this.#retries || pause === undefined) throw refusal;
      await wait(pause, options.signal);
    }
  }
}

export const refusalOf = (method, { url, status, body, headers }) => new RequestError(method, url.href, status, body, retryAfterOf(headers));
