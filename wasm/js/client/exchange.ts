// HTTP exchanges of the client, and when a request may be repeated.
import { textWithin } from './bounded.ts';
import { AnswerError, ConnectionError, RequestError } from './errors.ts';

/** Whether a status, of the server or of a proxy, means that trying again may help. */
export const isPassing = (status: number): boolean => [408, 425, 429, 502, 503, 504].includes(status);

/** The wait that `Retry-After` requests, in milliseconds; `undefined` without that header. */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const LINK = /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)/g;
const PARAMETER = /;\s*([^\s=;"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+)))?/g;

/** The addresses in a `Link` header, by relation (RFC 8288). Malformed links are skipped, in a time proportional to their length. */
export function linksOf(header: string | null | undefined): Partial<Record<string, string>> {
  const links: Partial<Record<string, string>> = {};
  for (const [, address = '', parameters = ''] of (header ?? '').matchAll(LINK)) {
    const [, , quoted, bare] = [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === 'rel') ?? [];
    for (const relation of (quoted ?? bare ?? '').toLowerCase().split(/\s+/)) if (relation !== '') links[relation] ??= address;
  }
  return links;
}

/** Waits. Rejects with the signal's reason if it is aborted. */
export const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** Reads the text of an answer. @throws {AnswerError} after `limit` bytes, and stops reading */
const textOf = (response: Response, limit: number, what: string): Promise<string> =>
  textWithin(response, limit, () => new AnswerError('too-long', `the answer to ${what} is longer than ${limit} bytes: raise the option maxAnswer to read it`));

/** Parses a text as JSON; `undefined` if it is empty or not JSON. */
function jsonOf(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The number of characters of an answer that an error shows. */
const SHOWN = 60;

/** The first words of an answer, for an error message. It is a copy, so that the answer itself is not kept in memory. */
function wordsOf(text: string): string {
  const words = Array.from(
    text
      .slice(0, 4 * SHOWN)
      .trim()
      .replace(/\s+/g, ' '),
  );
  return words.length > SHOWN ? `${words.slice(0, SHOWN).join('')}…` : words.join('');
}

/** An answer of a server. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly url: URL;
  /** The value of the JSON in it; `undefined` if it is empty or not JSON. */
  readonly body: unknown;
  /** Its first words. */
  readonly words: string;
}

/** How a request is made. */
export interface Asking {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | ArrayBuffer | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Additional milliseconds that the answer may take. */
  readonly patience?: number | undefined;
}

/** What a client was told about its server. Times are in milliseconds. */
interface Settings extends Required<{ -readonly [Name in 'retries' | 'firstWait' | 'maxWait' | 'timeout' | 'maxAnswer' | 'maxPages']: number }> {
  readonly base: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (address: string, request: RequestInit) => Promise<Response>;
}

/** The error of an answer that no EPCIS 2.0 server gives, such as the page of a proxy or of a wrong address. */
export function strange(reason: AnswerError['reason'], method: string, { url, status, headers, words }: Answer, expected: string): AnswerError {
  const [type = ''] = (headers.get('content-type') ?? 'without a media type').split(';');
  const said = words === '' ? 'with an empty body' : `\`${words}\``;
  return new AnswerError(reason, `${method} ${url.href} was answered with ${status} ${type.trim()} ${said}, expected ${expected}`);
}

/** The HTTP exchanges with one server. */
export class Exchange {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The maximum number of pages read for one query. */
  get maxPages(): number {
    return this.#settings.maxPages;
  }

  get retries(): number {
    return this.#settings.retries;
  }

  /** An address below that of the server, such as `events`. */
  at(path: string, query?: string): URL {
    const url = new URL(path, this.#settings.base);
    if (query !== undefined) url.search = query;
    return url;
  }

  /** An address that the server names, relative to `from`. @throws {AnswerError} for another origin, which must not get the key */
  named(address: string, from: URL): URL {
    const { base } = this.#settings;
    let url: URL;
    try {
      url = new URL(address, from);
    } catch {
      throw new AnswerError('another-place', `the server links to ${String(address).slice(0, 200)}, which is not an address`);
    }
    if (url.origin !== base.origin)
      throw new AnswerError('another-place', `the server links to ${url.origin} instead of ${base.origin}: the key is not sent there`);
    return url;
  }

  /**
   * The wait before the next try, in milliseconds, after `tries` earlier repetitions: `retryAfter` if the answer has it, otherwise a
   * random time that doubles with each try. `undefined` if the answer asks for more than `maxWait`.
   */
  pause(tries: number, retryAfter?: number): number | undefined {
    const { firstWait, maxWait } = this.#settings;
    const own = Math.min(firstWait * 2 ** tries, maxWait);
    if (retryAfter !== undefined) return retryAfter > maxWait ? undefined : Math.max(retryAfter, firstWait);
    return own / 2 + (Math.random() * own) / 2;
  }

  /**
   * One exchange.
   *
   * @throws {ConnectionError} if no answer came, {AnswerError} if it is too long, and the signal's reason if it was aborted
   */
  async once(method: string, url: URL, { headers, body, signal, patience = 0 }: Asking = {}): Promise<Answer> {
    const settings = this.#settings;
    const timeout = settings.timeout + patience;
    const limit = AbortSignal.timeout(timeout);
    const both = new AbortController();
    const end = (from: AbortSignal | undefined) => () => both.abort(from?.reason);
    const [ofCaller, ofLimit] = [end(signal), end(limit)];
    signal?.addEventListener('abort', ofCaller, { once: true });
    limit.addEventListener('abort', ofLimit, { once: true });
    try {
      signal?.throwIfAborted();
      const request: RequestInit = { method, headers: { ...settings.headers, ...headers }, signal: both.signal, redirect: 'manual' };
      if (body !== undefined) request.body = body as Exclude<typeof body, Uint8Array> | Uint8Array<ArrayBuffer>;
      const response = await settings.fetch(url.href, request);
      const text = await textOf(response, settings.maxAnswer, `${method} ${url.href}`);
      return { status: response.status, headers: response.headers, url, body: jsonOf(text), words: wordsOf(text) };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof AnswerError) throw error;
      const why = limit.aborted ? `no answer within ${timeout} ms` : whyOf(error);
      throw new ConnectionError(`${method} ${url.href} failed: ${why}`, { cause: error });
    } finally {
      signal?.removeEventListener('abort', ofCaller);
      limit.removeEventListener('abort', ofLimit);
    }
  }

  /** An idempotent exchange, repeated while that may help. @throws {RequestError} for a refusal */
  async repeated(method: string, url: URL, options: Asking = {}): Promise<Answer> {
    for (let tries = 0; ; tries += 1) {
      let refusal: RequestError | ConnectionError;
      let pause: number | undefined;
      try {
        const answer = await this.once(method, url, options);
        if (answer.status >= 200 && answer.status < 300) return answer;
        const refused = refusalOf(method, answer);
        if (!isPassing(answer.status)) throw refused;
        refusal = refused;
        pause = this.pause(tries, refused.retryAfter);
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        refusal = error;
        pause = this.pause(tries);
      }
      if (tries >= this.retries || pause === undefined) throw refusal;
      await wait(pause, options.signal);
    }
  }
}

/** Why a request failed, as the runtime says it: its own error is about `fetch` alone. */
function whyOf(error: unknown): string {
  const { cause, message } = (error ?? {}) as { readonly cause?: { readonly message?: string } | null; readonly message?: string };
  return cause?.message ?? message ?? String(error);
}

export const refusalOf = (method: string, { url, status, body, headers }: Answer): RequestError =>
  new RequestError(method, url.href, status, body, retryAfterOf(headers));
