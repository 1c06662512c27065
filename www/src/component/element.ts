// The custom element `epcis-events`: what it is asked for is in its attributes and properties, what it shows in its shadow tree.
import type { EitherInput } from '../../../wasm/js/engine/index.ts';
import type { EpcisProblem, ShownDocument, ShownItem } from '../../../wasm/js/component/index.ts';
import type { Extras } from '../events/document-extras.ts';
import type { Problem } from '../engine/answers.ts';
import type { EventsAnswer } from '../engine/document-story.ts';
import type { Ask, Listeners } from '../engine/engine.ts';
import type { VerdictAnswer } from '../verdict/document-verdict.ts';
import { announce, type Child, h, put } from '../shared/dom.ts';
import { direct, gatewayAt, type ItemAnswer, itemAt, Refused, type Tool } from '../tools/gateway/gateway-calls.ts';
import { askedOf, itemIn } from './attributes.ts';
import { fetchedDocument, givenDocument, type Source } from './document-source.ts';
import { Unshown } from './problems.ts';
import type { Questions } from './serve.ts';
import { type ElementEngine, engineFor } from './threads.ts';
import { backButton, eventsView, itemView, messageView, problemView, spokenDocument, verdictView, waitingView } from './view.ts';

declare const COMPONENT_STYLE: string;

/** What is being shown. */
interface Load {
  readonly abort: AbortController;
  engine: ElementEngine | undefined;
  isCurrent(): boolean;
  back?: (() => void) | undefined;
}

/** The file of the map and the charts. */
interface ExtrasFile {
  readonly STYLE: string;
  sectionsOf(extras: Extras, open: (index: number) => unknown): Child[];
}

const PROPERTIES = ['src', 'gateway', 'item', 'theme', 'document', 'token'];
/** How many items the button Back remembers. */
const TRAIL = 50;
/** Whether a key fits into a header. */
const isKey = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);

/** A style sheet of all elements. It is constructed, since policies forbid style elements. */
function sheetOf(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}
let sheet: CSSStyleSheet | undefined;
const style = () => (sheet ??= sheetOf(COMPONENT_STYLE));
let extraSheet: CSSStyleSheet | undefined;

/** In Node, where pages are rendered before they are sent, there are no elements: the module can be imported, and defines nothing. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

export class EpcisEvents extends Base {
  #document: EitherInput | undefined;
  /** `{token, origin}`: the key, and the origin of the gateway that it was first used with. */
  #key: { readonly token?: string | undefined; origin?: string } = {};
  readonly #frame: HTMLElement;
  readonly #content: HTMLElement;
  /** What is being shown: `{abort, engine, isCurrent, back}`. Undefined if nothing is, or not any more. */
  #load: Load | undefined;
  #isScheduled = false;
  readonly #changes: MutationObserver;

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
    const own = this as unknown as Record<string, unknown>;
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(own, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  connectedCallback(): void {
    this.#changes.observe(this, { attributes: true });
    if (this.#load === undefined) this.#schedule();
  }

  disconnectedCallback(): void {
    // An element that is moved is connected again at once, and goes on.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#changes.disconnect();
      this.#stop();
      put(this.#content);
    });
  }

  get src(): string | null {
    return this.getAttribute('src');
  }
  set src(value: string | null | undefined) {
    this.#reflect('src', value);
  }
  get gateway(): string | null {
    return this.getAttribute('gateway');
  }
  set gateway(value: string | null | undefined) {
    this.#reflect('gateway', value);
  }
  get item(): string | null {
    return this.getAttribute('item');
  }
  set item(value: string | null | undefined) {
    this.#reflect('item', value);
  }
  get theme(): string {
    return this.getAttribute('theme') ?? 'auto';
  }
  set theme(value: string | null | undefined) {
    this.#reflect('theme', value);
  }
  #reflect(name: string, value: string | null | undefined): void {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  get document(): EitherInput | undefined {
    return this.#document;
  }
  set document(value: EitherInput | null | undefined) {
    this.#document = value ?? undefined;
    this.#schedule();
  }

  /** Whether a key is set. The key itself cannot be read. */
  get hasToken(): boolean {
    return this.#key.token !== undefined;
  }
  set token(value: string | null | undefined) {
    if (value !== null && value !== undefined && !isKey(value)) throw new TypeError('the token is not a text of printable ASCII without spaces');
    this.#key = { token: value ?? undefined };
    if (this.hasAttribute('gateway')) this.#schedule();
  }

  /** Shows everything anew: fetches or asks again. */
  reload(): void {
    this.#schedule();
  }

  /** Loads once for all changes that a script makes at once. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.#begin();
    });
  }

  #stop(): void {
    this.#load?.abort.abort();
    this.#load?.engine?.end();
    this.#load = undefined;
  }

  /** Shows what is asked for now. Whatever is under way ends. */
  #begin(): void {
    this.#run(async (load) => {
      this.#frame.dataset.theme = 'auto';
      const asked = askedOf(this, this.#document !== undefined);
      this.#frame.dataset.theme = asked.theme;
      if (asked.kind === 'nothing') put(this.#content);
      else if (asked.kind === 'item') await this.#showItem(load, asked);
      else {
        put(this.#content, waitingView('Loading the document'));
        const source: Source =
          asked.kind === 'src' ? { bytes: await fetchedDocument(asked.url, load.abort.signal), isText: false } : givenDocument(this.#document);
        if (load.isCurrent()) await this.#showDocument(load, source);
      }
    });
  }

  /** Runs a load, instead of the one before. Whatever it throws is shown, and told by an event. */
  async #run(work: (load: Load) => Promise<void>): Promise<void> {
    this.#stop();
    const load: Load = { abort: new AbortController(), engine: undefined, isCurrent: () => this.#load === load };
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
  #fail(load: Load, error: unknown): void {
    const { problem } = error instanceof Unshown ? error : new Unshown('engine-failed', `${(error as Partial<Error> | null)?.message ?? error}`);
    load.engine?.end();
    this.#load = undefined;
    this.#content.removeAttribute('aria-busy');
    put(this.#content, problemView(problem), load.back && backButton(load.back));
    this.dispatchEvent(new CustomEvent<EpcisProblem>('error', { detail: problem }));
  }

  #tell(detail: ShownDocument | ShownItem): void {
    this.dispatchEvent(new CustomEvent('epcis-load', { detail, bubbles: true, composed: true }));
  }

  /** The engine of a load. A load has one, which ends with it. */
  async #engineOf(load: Load, size: number, listeners: Listeners): Promise<ElementEngine> {
    const engine = await engineFor(size, listeners);
    if (!load.isCurrent()) engine.end();
    load.engine = engine;
    return engine;
  }

  async #showDocument(load: Load, { bytes, isText }: Source): Promise<void> {
    const { verdict, events } = await new Promise<{ readonly verdict: VerdictAnswer; readonly events: EventsAnswer }>((resolve, reject) => {
      const parts: Record<string, unknown> = {};
      const listeners: Listeners = {
        part: ({ part, value }) => (parts[part] = value),
        done: () => resolve(parts as { verdict: VerdictAnswer; events: EventsAnswer }),
        failed: (message) => reject(new Unshown('engine-failed', message)),
      };
      // Reading also fails after the document is shown, when it is asked for more.
      this.#engineOf(load, bytes.length, listeners)
        .then((engine) => engine.open(bytes, { isText, width: this.#content.clientWidth || undefined }))
        .catch(reject);
    });
    if (!load.isCurrent()) return;
    const problem: Problem | undefined =
      verdict.problem ?? (verdict.format === 'empty' ? { type: 'about:blank', title: 'Empty', detail: 'The document is empty.' } : undefined);
    const isForeign = verdict.format === 'foreign';
    if (problem !== undefined && !(isForeign ? problem.isMessage : problem.isOther)) {
      const { type, location, isTable, isOther } = problem;
      const words = isTable ? 'It holds no events: make events of it first.' : (problem.detail ?? problem.title);
      const detail = isForeign && isOther ? `${problem.title}. ${words}` : words;
      throw new Unshown(isForeign ? 'not-epcis' : 'unreadable', detail, { ...(type?.startsWith('epcis') && { type }), ...(location && { location }) });
    }
    const { engine } = load;
    if (engine === undefined) return;
    const ask: Ask<Questions> = (about, ...argument) => this.#asking(load, engine.ask(about, ...argument));
    put(
      this.#content,
      problem === undefined ? [verdictView(verdict), eventsView(events, ask, (room, open) => this.#drawExtras(load, room, open))] : messageView(problem),
    );
    const real = events.total - events.others;
    if (problem === undefined) announce(spokenDocument(verdict, events), this.#content);
    this.#tell({
      kind: 'document',
      format: verdict.format === 'xml' ? 'xml' : 'json',
      valid: verdict.valid === true,
      errors: verdict.errors.length,
      events: real,
      withdrawn: events.problem === undefined ? events.withdrawn : 0,
    });
  }

  /** Draws the map and the charts, by the file beside this script. Without it, the room says so. */
  async #drawExtras(load: Load, room: HTMLElement, open: (index: number) => unknown): Promise<void> {
    const url = new URL('component-extras.js', import.meta.url).href;
    try {
      const { sectionsOf, STYLE }: ExtrasFile = await import(url);
      const extras = await load.engine?.ask('extras', url);
      if (extras === undefined) return;
      extraSheet ??= sheetOf(STYLE);
      this.shadowRoot!.adoptedStyleSheets = [style(), extraSheet];
      put(room, sectionsOf(extras, open));
    } catch {
      if (load.isCurrent()) put(room, h('p', { class: 'fine' }, 'The map and the charts need `component-extras.js` beside the script of this element.'));
    }
  }

  /** An answer to a question of the view. If the load is over, it never comes; if the engine fails, that is shown. */
  #asking<Answer>(load: Load, answer: Promise<Answer>): Promise<Answer> {
    return answer.catch((error: unknown) => {
      if (load.isCurrent()) this.#fail(load, error);
      return new Promise<never>(() => undefined);
    });
  }

  /** The key for a gateway. One that was used with another origin is forgotten: a script that changes the attribute must not get it. */
  #keyFor(gateway: string): string {
    const { origin } = new URL(gateway);
    if (this.#key.token !== undefined) this.#key.origin ??= origin;
    if (this.#key.origin !== undefined && this.#key.origin !== origin) this.#key = {};
    return this.#key.token ?? '';
  }

  /** `trail` are the items before this one, by the links of their pages. */
  async #showItem(
    load: Load,
    { gateway, item, trail = [] }: { readonly gateway: string; readonly item: string; readonly trail?: readonly string[] },
  ): Promise<void> {
    const go = (to: string, before: readonly string[]) =>
      this.#run(async (next) => {
        await this.#showItem(next, { gateway, item: itemIn(to), trail: before });
        // The link that was followed is gone.
        this.#content.querySelector('h2')?.focus({ preventScroll: true });
      });
    const last = trail.at(-1);
    load.back = last === undefined ? undefined : () => go(last, trail.slice(0, -1));
    put(this.#content, waitingView('Asking the gateway'));
    const { signal } = load.abort;
    const call = gatewayAt(gateway, this.#keyFor(gateway), (one) => direct({ ...one, signal }));
    let ask: Tool | undefined;
    let answer: ItemAnswer;
    try {
      answer = await itemAt(call, item, async (text) => {
        const engine = await this.#engineOf(load, text.length, { failed: (message) => this.#fail(load, new Unshown('engine-failed', message)) });
        const own: Tool = (about, ...given) => this.#asking(load, engine.tool(about, ...given));
        ask = own;
        return own;
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { reason, status } = error;
      const code = reason === 'refused' ? reason : reason === 'other-answer' ? 'unexpected-answer' : 'not-fetched';
      throw new Unshown(code, error.message, { place: 'gateway', ...(status && { status }) });
    }
    if (!load.isCurrent() || ask === undefined) return;
    if (answer.problem !== undefined)
      throw new Unshown('unexpected-answer', answer.problem.detail ?? answer.problem.title, {
        place: 'gateway',
        expected: 'an answer of `POST /follow`, as a gateway of epcis-edge gives it',
      });
    const { model } = answer;
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
