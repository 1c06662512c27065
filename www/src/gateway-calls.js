// Calls to a gateway: to the page's own origin directly, to another one through a frame whose policy allows that origin alone.
//
// How does the playground ask a gateway elsewhere?
// Headers of static files cannot name an origin that somebody types, and `connect-src https:` for the page would take
// away what the policy is for.
// So the page keeps `connect-src 'self'`; once a person has named an address and presses a button, a frame of the
// page's own origin, `bridge.html`, is opened for it.
// Its policy allows `https:` and loopback, and its script narrows it to the named origin before it asks anything. The
// gateway that serves the page is asked without a frame.
// Keys are in the memory of the page alone. A gateway elsewhere has to allow pages of other origins (CORS); this Worker
// does so for none.
import { h } from './dom.js';

/** How long an answer is waited for, in milliseconds. */
const PATIENCE = 60_000;
const HEADERS = ['content-type', 'location', 'link', 'retry-after'];

/** What could not be asked, or was refused: `message` says why, `errors` are what the gateway lists. */
export class Refused extends Error {
  constructor(message, errors = []) {
    super(message);
    this.errors = errors;
  }
}

/** A list of errors as sentences, with those inside of each. */
export function sentencesOf(errors) {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error) => {
    const { title, detail, message, path, errors: inner } = error ?? {};
    const words = message ?? ([title, detail].filter(Boolean).join(': ') || (typeof error === 'string' ? error : JSON.stringify(error)));
    return [`${words}${path ? `, in \`${path}\`` : ''}`, ...sentencesOf(inner)];
  });
}

/** The frames that were opened, one an origin. */
const bridges = new Map();
function bridgeTo(origin) {
  if (!bridges.has(origin)) {
    const frame = h('iframe', {
      title: `Bridge to ${origin}`,
      hidden: true,
      src: `${new URL('../bridge.html', import.meta.url).href}#${encodeURIComponent(origin)}`,
    });
    const waiting = new Map();
    let last = 0;
    const ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Refused('the bridge to the gateway could not be loaded')), PATIENCE);
      addEventListener('message', ({ source, origin: from, data }) => {
        if (source !== frame.contentWindow || from !== location.origin) return;
        if (data?.kind === 'bridge') {
          clearTimeout(timer);
          resolve();
        } else if (data?.kind === 'called') {
          waiting.get(data.id)?.(data);
          waiting.delete(data.id);
        }
      });
    });
    document.body.append(frame);
    bridges.set(origin, async (call) => {
      await ready;
      const id = (last += 1);
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve({ failure: 'no answer came in time' }), PATIENCE);
        waiting.set(id, (answer) => (clearTimeout(timer), resolve(answer)));
        frame.contentWindow.postMessage({ kind: 'call', id, ...call }, location.origin);
      });
    });
  }
  return bridges.get(origin);
}

async function direct({ method, url, headers, body }) {
  try {
    const response = await fetch(url, { method, headers, body, credentials: 'omit', referrerPolicy: 'no-referrer', signal: AbortSignal.timeout(PATIENCE) });
    return { status: response.status, headers: Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)])), text: await response.text() };
  } catch (error) {
    return { failure: String(error?.message ?? error) };
  }
}

/** The address of a gateway as a base for paths; throws {@link Refused} for what is none. */
export function addressOf(text) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    throw new Refused('The address is no URL, such as https://epcis.example.com');
  }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLocal || url.origin === location.origin)))
    throw new Refused('The address must begin with https://, or be on this computer: a key is not sent in the clear');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** A gateway at an address, asked with a key: `call(method, path, {headers, body})` gives `{status, headers, text}`. */
export function gatewayAt(address, key) {
  const base = addressOf(address);
  const { origin } = new URL(base);
  return async function call(method, path, { headers = {}, body } = {}) {
    const url = new URL(
      path.startsWith('/') ? `${path.startsWith(new URL(base).pathname) && new URL(base).pathname !== '/' ? origin : base}${path}` : path,
      base,
    ).href;
    if (new URL(url).origin !== origin) throw new Refused('The gateway names another host, which is not asked.');
    const all = { accept: 'application/json', ...headers, ...(key === '' ? {} : { authorization: `Bearer ${key}` }) };
    const answer = await (origin === location.origin ? direct : bridgeTo(origin))({ method, url, headers: all, body });
    if (answer.failure !== undefined)
      throw new Refused(
        `The gateway did not answer: ${answer.failure}.${origin === location.origin ? '' : ' Is the address right, and does the gateway allow pages of other origins (CORS)?'}`,
      );
    if (answer.status >= 400) {
      let problem = {};
      try {
        problem = JSON.parse(answer.text) ?? {};
      } catch {
        // Then the status has to do.
      }
      throw new Refused([`${answer.status}`, problem.title, problem.detail].filter((part) => part !== undefined).join(': '), sentencesOf(problem.errors));
    }
    return answer;
  };
}

const listOf = (answer) => {
  const { epcisBody } = JSON.parse(answer.text);
  return epcisBody?.queryResults?.resultsBody?.eventList ?? epcisBody?.eventList ?? [];
};

/** The events of a query, page by page, up to `most`. */
export async function eventsOf(call, parameters, most = 1000) {
  const events = [];
  let path = `/events?${new URLSearchParams({ ...parameters, perPage: '100' })}`;
  for (let page = 0; page < 50 && path !== undefined && events.length < most; page += 1) {
    const answer = await call('GET', path);
    events.push(...listOf(answer));
    path = /<([^>]+)>\s*;\s*rel="?next"?/.exec(answer.headers.link ?? '')?.[1];
  }
  return events;
}

/** What an event says of one item: what it was made from, what became of it, and what it was packed into. */
function kinOf(event) {
  const ids = (...lists) => lists.flat().filter((id) => typeof id === 'string');
  if (event.type === 'TransformationEvent') return ids(event.inputEPCList ?? [], event.outputEPCList ?? []);
  if (event.type === 'AggregationEvent' || event.type === 'AssociationEvent') return ids(event.parentID ?? []);
  return [];
}

/** The events of an item, of what it was made from, of what was made of it, and of what it travelled in. */
export async function traceOf(call, item) {
  const [asked, events] = [new Set(), new Map()];
  let next = [item];
  for (let round = 0; round < 5 && next.length > 0 && asked.size < 200; round += 1) {
    for (const id of next) asked.add(id);
    const found = [];
    for (let at = 0; at < next.length; at += 10) found.push(...(await eventsOf(call, { MATCH_anyEPC: next.slice(at, at + 10).join('|') }, 500)));
    for (const event of found) events.set(event.eventID ?? JSON.stringify(event), event);
    next = [...new Set(found.flatMap(kinOf))].filter((id) => !asked.has(id)).slice(0, 50);
  }
  return [...events.values()];
}

/** Captures a document and waits for its job: `{events, job}`. */
export async function capture(call, text, wait = 800) {
  const { headers } = await call('POST', '/capture', { headers: { 'content-type': 'application/json' }, body: text });
  if (headers.location === null) return { job: undefined };
  let job;
  for (let round = 0; round < 60; round += 1) {
    job = JSON.parse((await call('GET', headers.location)).text);
    if (job.running !== true) break;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return { job };
}
