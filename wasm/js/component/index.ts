// `epcis-edge/component`: the element `epcis-events`, which shows an EPCIS document, or an item from a gateway, in any page. Importing it
// defines the element. In Node it can be imported, and defines nothing. Its types need those
// of a browser (`dom`).
import type { EitherInput } from '../engine/index.ts';

declare global {
  interface HTMLElementTagNameMap {
    'epcis-events': EpcisEvents;
  }
}

/** What kind of problem it is. */
export type EpcisProblemCode =
  /** An attribute that the element does not have. `token` and `document` are properties. */
  | 'unknown-attribute'
  /** `gateway` without `item`, or the reverse. */
  | 'missing-attribute'
  /** More than one of: `src`, `gateway` with `item`, the property `document`. */
  | 'contradictory-attributes'
  /** A value that is not allowed: `place` names the attribute or property. */
  | 'wrong-value'
  /** No answer, none in time, or one that the page may not read. */
  | 'not-fetched'
  /** The answer was a redirection, which is not followed. */
  | 'redirected'
  /** The answer was an error: `status`. */
  | 'refused'
  /** A document over 100 MB. */
  | 'too-large'
  /** Neither JSON nor XML that can be read: `location` has the place, `type` the exception of EPCIS. */
  | 'unreadable'
  /** JSON, XML or a file without EPCIS. */
  | 'not-epcis'
  /** The gateway answered something else than what happened to an item. */
  | 'unexpected-answer'
  /** Something over 500 kB, in a page that allows no thread (`worker-src blob:`). */
  | 'no-thread'
  /** The engine could not be started, for example because the page forbids WebAssembly, or stopped. */
  | 'engine-failed';

/** Why nothing is shown: the `detail` of the event `error`. */
export interface EpcisProblem {
  readonly code: EpcisProblemCode;
  readonly title: string;
  /** A sentence for people. */
  readonly detail: string;
  /** The attribute or property that is to blame. */
  readonly place?: string;
  readonly found?: string;
  readonly expected?: string;
  /** The HTTP status of an answer. */
  readonly status?: number;
  /** The place in the document. */
  readonly location?: { readonly line: number; readonly column: number; readonly path?: string };
  /** The exception of EPCIS, such as `epcisException:ValidationException`. */
  readonly type?: string;
}

/** What is shown of a document. */
export interface ShownDocument {
  readonly kind: 'document';
  readonly format: 'json' | 'xml';
  /** Whether it meets the official schemas. */
  readonly valid: boolean;
  /** The number of errors of the schemas, up to 1,000. */
  readonly errors: number;
  readonly events: number;
  /** The number of events that were declared in error, and of their declarations. */
  readonly withdrawn: number;
}

/** What is shown of an item at a gateway. */
export interface ShownItem {
  readonly kind: 'item';
  readonly item: string;
  /** Whether an event names it. */
  readonly found: boolean;
  /** The number of sentences about its life. */
  readonly events: number;
}

/** The events of the element, beside those of every element. */
export interface EpcisEventsEventMap extends Omit<HTMLElementEventMap, 'error'> {
  /**
   * Nothing can be shown; it does not bubble. Its `detail` is `{code, title, detail}`, and if they are known `place`, `found`, `expected`,
   * `status`, `location`, `type`.
   */
  error: CustomEvent<EpcisProblem>;
  /** The document or item is shown: `{kind: 'document', format, valid, errors, events, withdrawn}`, or `{kind: 'item', item, found, events}`. */
  'epcis-load': CustomEvent<ShownDocument | ShownItem>;
  /** The reader chose another item: `{item}`. The element then shows that, unless `preventDefault()` is called. */
  'epcis-item': CustomEvent<{ readonly item: string }>;
}

/**
 * The element `epcis-events`.
 *
 * @example
 * ```html
 * <script type="module" src="component.js"></script>
 * <epcis-events src="document.json"></epcis-events>
 * ```
 */
export declare class EpcisEvents extends HTMLElement {
  /** The attribute `src`: the address of a document, JSON or XML. */
  get src(): string | null;
  set src(value: string | null | undefined);
  /** The attribute `gateway`: the address of a gateway of epcis-edge, `https:` unless it is local or the page's own. */
  get gateway(): string | null;
  set gateway(value: string | null | undefined);
  /** The attribute `item`: the identifier that the gateway is asked about, in any spelling. */
  get item(): string | null;
  set item(value: string | null | undefined);
  /** The attribute `theme`: `light`, `dark`, or `auto`, the default, as the system. */
  get theme(): string;
  set theme(value: 'auto' | 'light' | 'dark' | null | undefined);
  /**
   * Only a property: a document to show, as text, bytes, or an object, also an array of events or NDJSON. It is read once: set it again
   * after a change.
   */
  get document(): EitherInput | undefined;
  set document(value: EitherInput | null | undefined);
  /** Only a property: the key for the gateway. It cannot be read, and is forgotten when `gateway` names another origin than that it was used with. */
  get token(): undefined;
  set token(value: string | null | undefined);
  /** Whether a key is set. */
  get hasToken(): boolean;
  /** A function that fetches or asks again. */
  reload(): void;
  addEventListener<K extends keyof EpcisEventsEventMap>(type: K, listener: (this: EpcisEvents, event: EpcisEventsEventMap[K]) => any, options?: any): void;
  removeEventListener<K extends keyof EpcisEventsEventMap>(type: K, listener: (this: EpcisEvents, event: EpcisEventsEventMap[K]) => any, options?: any): void;
}
