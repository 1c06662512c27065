// The custom element `epcis-events`: what it is asked for is in its attributes and properties, what it shows in its shadow tree.
/* global COMPONENT_STYLE */
import { announce, h, put } from '../shared/dom.ts';
import { direct, gatewayAt, itemAt, Refused } from '../tools/gateway/gateway-calls.js';
import { askedOf, itemIn } from './attributes.js';
import { fetchedDocument, givenDocument } from './document-source.js';
import { Unshown } from './problems.js';
import { engineFor } from './threads.js';
import { backButton, eventsView, itemView, messageView, problemView, spokenDocument, verdictView, waitingView } from './view.js';

const PROPERTIES = ['src', 'gateway', 'item', 'theme', 'document', 'token'];
/** How many items the button Back remembers. */
const TRAIL = 50;
/** Whether a key fits into a header. */
const isKey = (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);

/** A style sheet of all elements. It is constructed, since policies forbid style elements. */
function sheetOf(css) {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}
let sheet;
const style = () => (sheet ??= sheetOf(COMPONENT_STYLE));
let extraSheet;

/** In Node, where pages are rendered before they are sent, there are no elements: the module can be imported, and defines nothing. */
const Base = globalThis.HTMLElement ?? class {};

export class EpcisEvents extends Base {
  #document;
  /** `{token, origin}`: the key, and the origin of the gateway that it was first used with. */
  #key = {};
  #frame;
  #content;
  /** What is being shown: `{abort, engine, isCurrent, back}`. Undefined if nothing is, or not any more. */
  #load;
  #isScheduled = false;
  #changes;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style()];
    this.#content = h('div', { class: 'content' });
    this.#frame = h(
      'div',
      { class: 'frame', part: 'frame', lang: 'en', dir: 'ltr' },
      this.#content,
      h('div', { id: 'announcer', class: 'unseen', role: 'status', 'aria-live': 'polite' }),
    );
    root.append(this.#frame);
    // The list of attributes is open: an unknown one is told, so each change is observed.
    this.#changes = new MutationObserver(() => this.#schedule());
    // A property that was set before the element was defined hides the accessor.
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }

  connectedCallback() {
    this.#changes.observe(this, { attributes: true });
    if (this.#load === undefined) this.#schedule();
  }

  disconnectedCallback() {
    // An element that is moved is connected again at once, and goes on.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#changes.disconnect();
      this.#stop();
      put(this.#content);
    });
  }

  get src() {
    return this.getAttribute('src');
  }
  set src(value) {
    this.#reflect('src', value);
  }
  get gateway() {
    return this.getAttribute('gateway');
  }
  set gateway(value) {
    this.#reflect('gateway', value);
  }
  get item() {
    return this.getAttribute('item');
  }
  set item(value) {
    this.#reflect('item', value);
  }
  get theme() {
    return this.getAttribute('theme') ?? 'auto';
  }
  set theme(value) {
    this.#reflect('theme', value);
  }
  #reflect(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  get document() {
    return this.#document;
  }
  set document(value) {
    this.#document = value ?? undefined;
    this.#schedule();
  }

  /** Whether a key is set. The key itself cannot be read. */
  get hasToken() {
    return this.#key.token !== undefined;
  }
  set token(value) {
    if (value !== null && value !== undefined && !isKey(value)) throw new TypeError('the token is not a text of printable ASCII without spaces');
    this.#key = { token: value ?? undefined };
    if (this.hasAttribute('gateway')) this.#schedule();
  }

  /** Shows everything anew: fetches or asks again. */
  reload() {
    this.#schedule();
  }

  /** Loads once for all changes that a script makes at once. */
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.#begin();
    });
  }

  #stop() {
    this.#load?.abort.abort();
    this.#load?.engine?.end();
    this.#load = undefined;
  }

  /** Shows what is asked for now. Whatever is under way ends. */
  #begin() {
    this.#run(async (load) => {
      this.#frame.dataset.theme = 'auto';
      const asked = askedOf(this, this.#document !== undefined);
      this.#frame.dataset.theme = asked.theme;
      if (asked.kind === 'nothing') put(this.#content);
      else if (asked.kind === 'item') await this.#showItem(load, asked);
      else {
        put(this.#content, waitingView('Loading the document'));
        const source = asked.kind === 'src' ? { bytes: await fetchedDocument(asked.url, load.abort.signal), isText: false } : givenDocument(this.#document);
        if (load.isCurrent()) await this.#showDocument(load, source);
      }
    });
  }

  /** Runs a load, instead of the one before. Whatever it throws is shown, and told by an event. */
  async #run(work) {
    this.#stop();
    const load = { abort: new AbortController(), engine: undefined, isCurrent: () => this.#load === load };
    this.#load = load;
    this.#content.setAttribute('aria-busy', 'true');
    try {
      await work(load);
      if (load.isCurrent()) this.#content.removeAttribute('aria-busy');
    } catch (error) {
      if (load.isCurrent()) this.#fail(load, error);
    }
  }

  /** Ends a load, shows why, and tells it by an event. */
  #fail(load, error) {
    const { problem } = error instanceof Unshown ? error : new Unshown('engine-failed', `${error?.message ?? error}`);
    load.engine?.end();
    this.#load = undefined;
    this.#content.removeAttribute('aria-busy');
    put(this.#content, problemView(problem), load.back && backButton(load.back));
    this.dispatchEvent(new CustomEvent('error', { detail: problem }));
  }

  #tell(detail) {
    this.dispatchEvent(new CustomEvent('epcis-load', { detail, bubbles: true, composed: true }));
  }

  /** The engine of a load. A load has one, which ends with it. */
  async #engineOf(load, size, listeners) {
    const engine = await engineFor(size, listeners);
    if (!load.isCurrent()) engine.end();
    load.engine = engine;
    return engine;
  }

  async #showDocument(load, { bytes, isText }) {
    const parts = await new Promise((resolve, reject) => {
      const parts = {};
      const listeners = {
        part: ({ part, value }) => (parts[part] = value),
        done: () => resolve(parts),
        failed: (message) => reject(new Unshown('engine-failed', message)),
      };
      // Reading also fails after the document is shown, when it is asked for more.
      this.#engineOf(load, bytes.length, listeners)
        .then((engine) => engine.open(bytes, { isText, width: this.#content.clientWidth || undefined }))
        .catch(reject);
    });
    if (!load.isCurrent()) return;
    const { verdict, events } = parts;
    const problem = verdict.problem ?? (verdict.format === 'empty' ? { title: 'Empty', detail: 'The document is empty.' } : undefined);
    const isForeign = verdict.format === 'foreign';
    if (problem !== undefined && !(isForeign ? problem.isMessage : problem.isOther)) {
      const { type, location, isTable, isOther } = problem;
      const words = isTable ? 'It holds no events: make events of it first.' : (problem.detail ?? problem.title);
      const detail = isForeign && isOther ? `${problem.title}. ${words}` : words;
      throw new Unshown(isForeign ? 'not-epcis' : 'unreadable', detail, { ...(type?.startsWith('epcis') && { type }), ...(location && { location }) });
    }
    const ask = (about, argument) => this.#asking(load, load.engine.ask(about, argument));
    put(
      this.#content,
      problem === undefined ? [verdictView(verdict), eventsView(events, ask, (room, open) => this.#drawExtras(load, room, open))] : messageView(problem),
    );
    const real = events.total - events.others;
    if (problem === undefined) announce(spokenDocument(verdict, events), this.#content);
    this.#tell({
      kind: 'document',
      format: verdict.format === 'foreign' ? 'json' : verdict.format,
      valid: verdict.valid === true,
      errors: verdict.errors.length,
      events: real,
      withdrawn: events.withdrawn ?? 0,
    });
  }

  /** Draws the map and the charts, by the file beside this script. Without it, the room says so. */
  async #drawExtras(load, room, open) {
    const url = new URL('component-extras.js', import.meta.url).href;
    try {
      const { sectionsOf, STYLE } = await import(url);
      const extras = await load.engine.ask('extras', url);
      extraSheet ??= sheetOf(STYLE);
      this.shadowRoot.adoptedStyleSheets = [style(), extraSheet];
      put(room, sectionsOf(extras, open));
    } catch {
      if (load.isCurrent()) put(room, h('p', { class: 'fine' }, 'The map and the charts need `component-extras.js` beside the script of this element.'));
    }
  }

  /** An answer to a question of the view. If the load is over, it never comes; if the engine fails, that is shown. */
  #asking(load, answer) {
    return answer.catch((error) => {
      if (load.isCurrent()) this.#fail(load, error);
      return new Promise(() => undefined);
    });
  }

  /** The key for a gateway. One that was used with another origin is forgotten: a script that changes the attribute must not get it. */
  #keyFor(gateway) {
    const { origin } = new URL(gateway);
    if (this.#key.token !== undefined) this.#key.origin ??= origin;
    if (this.#key.origin !== undefined && this.#key.origin !== origin) this.#key = {};
    return this.#key.token ?? '';
  }

  /** `trail` are the items before this one, by the links of their pages. */
  async #showItem(load, { gateway, item, trail = [] }) {
    const go = (to, before) =>
      this.#run(async (next) => {
        await this.#showItem(next, { gateway, item: itemIn(to), trail: before });
        // The link that was followed is gone.
        this.#content.querySelector('h2')?.focus({ preventScroll: true });
      });
    load.back = trail.length === 0 ? undefined : () => go(trail.at(-1), trail.slice(0, -1));
    put(this.#content, waitingView('Asking the gateway'));
    const { signal } = load.abort;
    const call = gatewayAt(gateway, this.#keyFor(gateway), (one) => direct({ ...one, signal }));
    let ask;
    let answer;
    try {
      answer = await itemAt(call, item, async (text) => {
        const engine = await this.#engineOf(load, text.length, { failed: (message) => this.#fail(load, new Unshown('engine-failed', message)) });
        ask = (about, argument) => this.#asking(load, engine.tool(about, argument));
        return ask;
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { reason, status } = error;
      const code = { refused: 'refused', 'other-answer': 'unexpected-answer' }[reason] ?? 'not-fetched';
      throw new Unshown(code, error.message, { place: 'gateway', ...(status && { status }) });
    }
    if (!load.isCurrent()) return;
    const { model, problem } = answer;
    if (problem !== undefined)
      throw new Unshown('unexpected-answer', problem.detail, {
        place: 'gateway',
        expected: 'an answer of `POST /follow`, as a gateway of epcis-edge gives it',
      });
    put(
      this.#content,
      itemView(answer, {
        gateway,
        ask,
        follow: (to) => {
          const event = new CustomEvent('epcis-item', { detail: { item: to }, bubbles: true, composed: true, cancelable: true });
          if (this.dispatchEvent(event)) go(to, [...trail, item].slice(-TRAIL));
        },
        back: load.back,
      }),
    );
    announce(`About ${model.name ?? model.text}`, this.#content);
    this.#tell({ kind: 'item', item, found: model.isFound, events: model.life.total });
  }
}
