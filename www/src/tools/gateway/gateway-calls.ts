// Calls a gateway, and reads what it answers. How the page reaches one on another origin is in `gateway-bridge.ts`.
import type { AnyEvent } from '../../events/event-model.ts';
import type { Tools } from '../../engine/engine.worker.ts';
import type { Element } from '../../../../wasm/js/names/names.ts';
import { masterDataFor, missingWords, pageIn, type Wanted } from '../../../../wasm/js/names/asked-names.ts';
import { textWithin } from '../../../../wasm/js/client/bounded.ts';
import { linksOf } from '../../../../wasm/js/client/exchange.ts';
import { within } from '../../shared/patience.ts';

type Header = 'content-type' | 'location' | 'link' | 'retry-after';

/** A call of a gateway. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer of a gateway. */
export interface GatewayAnswer {
  readonly failure?: undefined;
  readonly status: number;
  readonly headers: Readonly<Record<Header, string | null>>;
  readonly text: string;
}

export interface Failure {
  readonly failure: string;
}

/** Calls a gateway: its `path` begins with a slash, or is an address that the gateway named. */
export type CallGateway = (
  method: string,
  path: string,
  asked?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
) => Promise<GatewayAnswer>;

/** A capture job as a gateway tells it. */
export interface Job {
  readonly captureID?: string;
  readonly running?: unknown;
  readonly success?: unknown;
  readonly errors?: unknown;
}

/** Why a call was refused. */
export type Reason = 'address' | 'no-answer' | 'refused' | 'other-answer';

/** The timeout of a call, in milliseconds. */
export const PATIENCE = 60_000;
/** The timeout of all calls for names, in milliseconds. Without them, a page is shown all the same. */
const PATIENCE_FOR_NAMES = 15_000;
const HEADERS: readonly Header[] = ['content-type', 'location', 'link', 'retry-after'];
/** The longest answer that is read, in bytes. */
const LONGEST = 64 * 1024 * 1024;

/**
 * The error of a call that was not made, failed or was refused. `errors` are the sentences of the gateway's own list of errors. `reason` is
 * `address`, `no-answer`, `refused` (with the `status` of the answer) or `other-answer`.
 */
export class Refused extends Error {
  readonly reason: Reason;
  readonly status: number | undefined;
  readonly errors: readonly string[];

  constructor(
    message: string,
    { reason = 'address', status, errors = [] }: { readonly reason?: Reason; readonly status?: number; readonly errors?: readonly string[] } = {},
  ) {
    super(message);
    this.reason = reason;
    this.status = status;
    this.errors = errors;
  }
}

/** How deep lists of errors may be in each other. */
const DEEPEST = 8;

/** The sentences of a list of errors, including nested errors. */
export function sentencesOf(errors: unknown, depth = 1): string[] {
  if (!Array.isArray(errors) || depth > DEEPEST) return [];
  return errors.flatMap((error: Readonly<Record<string, unknown>> | null) => {
    const { title, detail, message, path, errors: inner } = error ?? {};
    const words = message ?? ([title, detail].filter(Boolean).join(': ') || (typeof error === 'string' ? error : JSON.stringify(error)));
    return [`${words}${path ? `, in \`${path}\`` : ''}`, ...sentencesOf(inner, depth + 1)];
  });
}

/** Sends a call from the page itself: `{status, headers, text}` or `{failure}`. It follows no redirection. `signal` ends it. */
export async function direct({ method, url, headers, body, signal }: Call): Promise<GatewayAnswer | Failure> {
  const tooLong = () => new Error(`its answer is longer than ${LONGEST.toLocaleString('en')} bytes`);
  try {
    return await within(PATIENCE, signal, async (ending) => {
      const response = await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        redirect: 'error',
        signal: ending,
      });
      return {
        status: response.status,
        headers: Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)])) as GatewayAnswer['headers'],
        text: await textWithin(response, LONGEST, tooLong),
      };
    });
  } catch (error) {
    return { failure: String((error as Partial<Error> | null)?.message ?? error) };
  }
}

/** The address of a gateway as a base for paths. Throws {@link Refused} if the address cannot be used. */
export function addressOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw new Refused('This is not an address, expected one such as https://epcis.example.com');
  }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLocal || url.origin === location.origin)))
    throw new Refused('The address must begin with https://, or be on this computer: otherwise the key would be sent unencrypted');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Returns a function that calls a gateway with a key: `call(method, path, {headers, body})` gives `{status, headers, text}`. `send` sends
 * the calls, as {@link direct} does.
 */
export function gatewayAt(address: string, key: string, send: (call: Call) => Promise<GatewayAnswer | Failure> = direct): CallGateway {
  const base = addressOf(address);
  const { origin } = new URL(base);
  return async function call(method, path, { headers = {}, body } = {}) {
    const url = new URL(
      path.startsWith('/') ? `${path.startsWith(new URL(base).pathname) && new URL(base).pathname !== '/' ? origin : base}${path}` : path,
      base,
    ).href;
    if (new URL(url).origin !== origin) throw new Refused('The gateway links to another host. The page does not follow this link.', { reason: 'other-answer' });
    const all = { accept: 'application/json', ...headers, ...(key === '' ? {} : { authorization: `Bearer ${key}` }) };
    const answer = await send({ method, url, headers: all, body });
    if (answer.failure !== undefined)
      throw new Refused(
        `The gateway did not answer: ${answer.failure}.${origin === location.origin ? '' : ' Is the address right, and does the gateway allow pages of other origins (CORS)?'}`,
        { reason: 'no-answer' },
      );
    if (answer.status >= 400) {
      let problem: { readonly title?: unknown; readonly detail?: unknown; readonly errors?: unknown } = {};
      try {
        problem = JSON.parse(answer.text) ?? {};
      } catch {
        // The body is not JSON: the status is all there is.
      }
      throw new Refused([`${answer.status}`, problem.title, problem.detail].filter((part) => part !== undefined).join(': '), {
        reason: 'refused',
        status: answer.status,
        errors: sentencesOf(problem.errors),
      });
    }
    return answer;
  };
}

const listOf = (answer: GatewayAnswer): readonly AnyEvent[] => {
  type Body = { readonly eventList?: readonly AnyEvent[] };
  const { epcisBody }: { readonly epcisBody?: Body & { readonly queryResults?: { readonly resultsBody?: Body } } } = JSON.parse(answer.text);
  return epcisBody?.queryResults?.resultsBody?.eventList ?? epcisBody?.eventList ?? [];
};

/** The events of a query, page by page, up to `most`. */
export async function eventsOf(call: CallGateway, parameters: Readonly<Record<string, string>>, most = 1000): Promise<AnyEvent[]> {
  const events: AnyEvent[] = [];
  let path: string | undefined = `/events?${new URLSearchParams({ ...parameters, perPage: '100' })}`;
  for (let page = 0; page < 50 && path !== undefined && events.length < most; page += 1) {
    const answer: GatewayAnswer = await call('GET', path);
    events.push(...listOf(answer));
    path = linksOf(answer.headers.link).next;
  }
  return events;
}

/** The items related to those of an event: inputs and outputs of a transformation, the parent of an aggregation or association. */
function kinOf(event: AnyEvent): string[] {
  const ids = (...lists: readonly unknown[]) => lists.flat().filter((id) => typeof id === 'string');
  if (event.type === 'TransformationEvent') return ids(event.inputEPCList ?? [], event.outputEPCList ?? []);
  if (event.type === 'AggregationEvent' || event.type === 'AssociationEvent') return ids(event.parentID ?? []);
  return [];
}

/** The events of an item, of its sources and products, and of its containers. */
export async function traceOf(call: CallGateway, item: string): Promise<AnyEvent[]> {
  const [asked, events] = [new Set<string>(), new Map<unknown, AnyEvent>()];
  let next = [item];
  for (let round = 0; round < 5 && next.length > 0 && asked.size < 200; round += 1) {
    for (const id of next) asked.add(id);
    const found: AnyEvent[] = [];
    for (let at = 0; at < next.length; at += 10) found.push(...(await eventsOf(call, { MATCH_anyEPC: next.slice(at, at + 10).join('|') }, 500)));
    for (const event of found) events.set(event.eventID ?? JSON.stringify(event), event);
    next = [...new Set(found.flatMap(kinOf))].filter((id) => !asked.has(id)).slice(0, 50);
  }
  return [...events.values()];
}

/**
 * The master data of the identifiers that a page wants: `{elements, missing}`. `missing` are words about names that the gateway was not
 * asked for or did not give.
 */
export async function elementsFor(call: CallGateway, wanted: Wanted): Promise<{ readonly elements: readonly Element[]; readonly missing: string | undefined }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refused(`no answer within ${PATIENCE_FOR_NAMES / 1000} seconds`, { reason: 'no-answer' })), PATIENCE_FOR_NAMES);
  });
  const found = await masterDataFor(wanted, async (query) => {
    const { text } = await Promise.race([call('GET', `/masterdata?${query}`), late]);
    const page = pageIn(text);
    if (page === undefined) throw new Refused('the gateway answered with something else than master data', { reason: 'other-answer' });
    return page;
  });
  clearTimeout(timer);
  if (found.error !== undefined && !(found.error instanceof Refused)) throw found.error;
  return { elements: found.elements, missing: missingWords(found) };
}

/** Asks the engine about an answer. */
export type Tool = <Name extends 'itemWants' | 'itemOf' | 'itemSource'>(
  about: Name,
  ...given: Parameters<Tools[Name]>
) => Promise<Awaited<ReturnType<Tools[Name]>>>;

/** What a gateway answers about an item: the model of its page, or why there is none. */
export type ItemAnswer = Awaited<ReturnType<Tools['itemOf']>> & {
  readonly text: string;
  readonly elements: readonly Element[];
  /** Words about names that are missing. */
  readonly missing: string | undefined;
};

/**
 * Asks what happened to an item: `{text, elements, missing}` with `{model}` of its page, or `{problem}` if the answer is none. `toolFor`
 * gives the function that asks the engine about an answer.
 */
export async function itemAt(call: CallGateway, id: string, toolFor: (text: string) => Tool | Promise<Tool>): Promise<ItemAnswer> {
  const { text } = await call('POST', '/follow', { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ items: [id] }) });
  const tool = await toolFor(text);
  const nameless = await tool('itemWants', text);
  const { elements, missing } = nameless === undefined ? { elements: [], missing: undefined } : await elementsFor(call, nameless);
  return { text, elements, missing, ...(await tool('itemOf', { text, elements })) };
}

/** Captures a document and waits for its capture job: `{job}`, undefined if the gateway names none. */
export async function capture(call: CallGateway, text: string, wait = 800): Promise<{ readonly job: Job | undefined }> {
  const { headers } = await call('POST', '/capture', { headers: { 'content-type': 'application/json' }, body: text });
  if (headers.location === null) return { job: undefined };
  let job: Job | undefined;
  for (let round = 0; round < 60; round += 1) {
    job = JSON.parse((await call('GET', headers.location)).text);
    if (job?.running !== true) break;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return { job };
}
