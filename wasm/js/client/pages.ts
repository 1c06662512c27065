// Reads answers with events page by page: of a query, and of a feed, which continues.
import type { EPCISEvent, EPCISQueryDocument, ExtendedEvent } from '../engine/index.ts';
import { AnswerError } from './errors.ts';
import { type Answer, type Asking, type Exchange, linksOf, wait as pause, strange } from './exchange.ts';
import type { FeedBatch } from './index.ts';

export type AnyEvent = EPCISEvent | ExtendedEvent;
/** An object of any members. */
export type Plain = Readonly<Record<string, unknown>>;

/** What a document may have, of which nothing is sure. */
interface Unsure {
  readonly type?: unknown;
  readonly epcisBody?: {
    readonly eventList?: unknown;
    readonly queryResults?: { readonly resultsBody?: { readonly eventList?: unknown } | null } | null;
  } | null;
}

/** The list of events of a document; `undefined` if there is none. */
export function listOf(document: unknown): unknown[] | undefined {
  const body = (document as Unsure | null | undefined)?.epcisBody;
  const list = body?.eventList ?? body?.queryResults?.resultsBody?.eventList;
  return Array.isArray(list) ? list : undefined;
}

export const isPlain = (value: unknown): value is Plain => Object.prototype.toString.call(value) === '[object Object]';

/** Whether an answer is a document, even one without events. */
export const isDocument = (value: unknown): value is EPCISQueryDocument => isNamedDocument(value) || listOf(value) !== undefined;

/** Whether a value says that it is a document. */
export const isNamedDocument = (value: unknown): boolean =>
  ['EPCISDocument', 'EPCISQueryDocument'].includes((value as Unsure | null | undefined)?.type as string);

/** An event as a standalone one, with the context of its page added. */
function standing(event: Plain, around: unknown): Plain {
  const own = event['@context'];
  if (own === undefined) return around === undefined ? event : { '@context': around, ...event };
  if (around === undefined || JSON.stringify(own) === JSON.stringify(around)) return event;
  return { ...event, '@context': [around, own].flat().filter((entry, at, all) => typeof entry !== 'string' || all.indexOf(entry) === at) };
}

/** The events of a page, each standalone. @throws {AnswerError} if an entry is not an object */
export function eventsOf(page: EPCISQueryDocument): AnyEvent[] {
  const list = listOf(page) ?? [];
  if (!list.every(isPlain)) throw new AnswerError('not-a-document', 'the server lists something other than events');
  return list.map((event) => standing(event, page['@context']) as unknown as AnyEvent);
}

/** The maximum number of equal pages in a row. A careless server may repeat a page while events arrive, but not many times. */
const MAX_SAME = 10;

/** An answer that is a document. */
interface Page extends Answer {
  readonly body: EPCISQueryDocument;
}

/**
 * The pages from an address on.
 *
 * A server may link in a circle, or for ever. Each address is compared with one kept address: that of the 1st, then the 2nd, 4th, 8th
 * page and so on. That finds any circle with one kept address (Brent's algorithm).
 *
 * @throws {AnswerError} for an answer that is not a document, for links in a circle, and for more pages than `maxPages`
 */
export async function* pagesFrom(http: Exchange, first: URL, { signal, headers, patience }: Omit<Asking, 'body'> = {}): AsyncGenerator<Page, void> {
  let kept = first.href;
  let keptAt = 1;
  let same = 0;
  let before: string | undefined;
  for (let [url, number] = [first, 1]; ; number += 1) {
    const answer = await http.repeated('GET', url, { signal, headers: number === 1 ? headers : undefined, patience });
    const { body } = answer;
    if (!isDocument(body)) throw strange('not-a-document', 'GET', answer, 'an EPCISQueryDocument');
    const list = listOf(body) ?? [];
    const sight = list.length === 0 ? undefined : `${list.length} ${JSON.stringify(list[0])}`;
    same = sight !== undefined && sight === before ? same + 1 : 0;
    before = sight;
    yield { ...answer, body };
    const { next } = linksOf(answer.headers.get('link'));
    if (next === undefined) return;
    const following = http.named(next, url);
    if (following.href === kept || following.href === url.href)
      throw new AnswerError('endless', `the pages of ${first.href} never end: the server links to one that was read, ${following.href}`);
    if (same >= MAX_SAME) throw new AnswerError('endless', `the pages of ${first.href} never end: ${same} in a row begin with the same event`);
    if (number >= http.maxPages) throw new AnswerError('endless', `${first.href} has more than ${http.maxPages} pages: raise the option maxPages to read on`);
    if (number >= keptAt * 2) [kept, keptAt] = [following.href, number];
    url = following;
  }
}

/** The shortest time between two requests without new events, in milliseconds, whatever the server says. */
const SOON = 1000;

const FEED = 'spine-feed-cursor';

/**
 * The recorded events, oldest first, in batches, and then new events as they are recorded. Ends when the signal is
 * aborted.
 *
 * @param from the address of the query, ordered by `recordTime`
 * @param cursor the cursor of an earlier batch; the feed continues after it
 * @param wait how long to wait for new events, in seconds: the server holds the answer back, or else the client waits
 */
export async function* feed(
  http: Exchange,
  from: URL,
  { cursor, signal, wait }: { cursor: string | undefined; signal: AbortSignal | undefined; wait: number },
): AsyncGenerator<FeedBatch, void> {
  const address = () => {
    const url = new URL(from);
    if (cursor !== undefined) url.searchParams.set('feedCursor', cursor);
    return url;
  };
  try {
    for (;;) {
      const begun = Date.now();
      let hasEvents = false;
      let hasWaited = false;
      for await (const { body, headers, url } of pagesFrom(http, address(), { signal, headers: { prefer: `wait=${wait}` }, patience: wait * 1000 })) {
        hasWaited ||= /(^|[\s,;])wait\s*=/i.test(headers.get('preference-applied') ?? '');
        const next = headers.get(FEED);
        if (next === null || next === '')
          throw new AnswerError('no-feed', `GET ${url.href} was answered without Spine-Feed-Cursor: this server has no feed, or hides its headers`);
        const events = eventsOf(body);
        // The same cursor would bring the same events again and again.
        if (events.length > 0 && next === cursor)
          throw new AnswerError('endless', `the feed of ${from.href} does not advance: events came, but the cursor did not change`);
        cursor = next;
        if (events.length === 0) continue;
        hasEvents = true;
        yield { events, cursor };
      }
      // If the server did not wait, the client waits before it asks again.
      const whole = hasWaited ? SOON : wait * 1000;
      if (!hasEvents) await pause(Math.max(0, whole - (Date.now() - begun)), signal);
    }
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error;
  }
}
