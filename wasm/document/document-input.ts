// The input of one opened document: what was received, what the engine gets, the same as JSON, and its events.
//
// Why does the page translate with `validate: false`?
// Otherwise one error in XML would leave the page with no events, no hashes and no translation. The page shows the errors
// and everything else.
import { entryOf } from './words.ts';
import type { Tree } from '@lezer/common';
import type { DocumentApi } from '../js/engine/document-api.ts';
import type { Translation, Verdict, XmlVerdict } from '../js/engine/index.ts';
import { elementsOf, type Names, namesOf } from '../js/names/names.ts';
import { type Attempt, attempt, type Refused } from './attempt.ts';
import { decode, foreignJson, foreignOf, type Format, formatOf, type Recognisers } from './detect.ts';
import { faultOfLines, problemOfList, type Shape, shapeOf, wrapped } from './event-list.ts';
import { type EventList, eventsOf, isObject } from './events.ts';
import type { Foreign, Unwrapped } from './foreign.ts';
import * as json from './places-json.ts';

/** The requests of the query interface, in words. */
const REQUESTS: Readonly<Record<string, string>> = { Poll: 'A query request', Subscribe: 'A subscription request' };

/** The functions of `epcis-edge` that are needed. */
export type Engine = Pick<DocumentApi, 'validate' | 'translate' | 'identifiers'>;

/** A document as JSON, or why there is none. */
export type AsJson =
  | { readonly bytes: Uint8Array; readonly text: string; readonly problem?: undefined }
  | { readonly bytes?: undefined; readonly text?: undefined; readonly problem: Refused };

export class DocumentInput {
  readonly engine: Engine;
  readonly format: Format;
  /** What the document is if it is not EPCIS. */
  foreign: Foreign | undefined;
  readonly shape: Shape;
  readonly #memo = new Map<string, unknown>();
  #isText: boolean;

  /**
   * The document as received, and `bytes` and `text` as the engine gets it. They differ for a list of events, which gets a document
   * around it, and for a SOAP message, whose document is taken out: a character at `n` of the received text is then at `n + shift` of
   * `text`.
   */
  readonly received: string;
  bytes: Uint8Array;
  text: string;
  shift = 0;

  /**
   * @param bytes the document as received. `isText`: the bytes were made from text, so they are UTF-8 whatever encoding the XML
   *   declaration names. The last argument has what {@link recognisersFor} loaded
   */
  constructor(engine: Engine, bytes: Uint8Array, isText: boolean, { unwrapped, otherJson }: Recognisers = {}) {
    this.#isText = isText;
    this.engine = engine;
    const { text, isExact } = decode(bytes);
    this.bytes = bytes;
    this.text = text;
    this.received = text;
    this.format = formatOf(text.slice(0, 4096));
    this.foreign = foreignOf(bytes, text);
    // A SOAP message is opened only as text whose characters are known.
    const isSoap = unwrapped !== undefined && this.format === 'xml' && (isExact || isText) && this.#unwrap(unwrapped(text));
    const shape = this.format === 'json' && isExact && this.foreign === undefined ? shapeOf(text) : 'document';
    this.shape = isSoap ? 'soap' : shape;
    if (this.shape === 'array' || this.shape === 'lines') this.#wrap();
    if (this.format === 'json' && this.parsed !== undefined) this.foreign ??= foreignJson(this.shape === 'document' ? this.parsed : this.events, otherJson);
  }

  /** Takes the EPCIS document out of a SOAP message, if it has one. */
  #unwrap(found: Unwrapped | undefined): boolean {
    if (found === undefined) return false;
    this.foreign = found.foreign;
    if (found.text === undefined) return false;
    this.#isText = true;
    this.text = found.text;
    this.shift = found.shift;
    this.bytes = new TextEncoder().encode(found.text);
    return true;
  }

  /** Puts a document around a list of events. Leaves the list alone if it is not JSON. */
  #wrap(): void {
    const found = wrapped(this.text, this.shape);
    if (found === undefined) return;
    this.text = found.text;
    this.shift = found.shift;
    this.bytes = new TextEncoder().encode(found.text);
  }

  /** The value made by `make` on the first call with this name. */
  once<Value>(name: string, make: () => Value): Value {
    if (!this.#memo.has(name)) this.#memo.set(name, make());
    return this.#memo.get(name) as Value;
  }

  /** The syntax tree of the text. `parse` is called once. */
  treeBy(parse: (text: string) => Tree): Tree {
    return this.once('tree', () => parse(this.text));
  }

  /** A problem as one of the text that the user wrote, if the engine got another text. */
  ofList<Problem extends Refused | undefined>(problem: Problem): Problem | Refused {
    return this.shift === 0 || problem === undefined ? problem : problemOfList(problem, { list: this.received, text: this.text, shift: this.shift });
  }

  /** The problem of the first line of NDJSON that is not JSON; undefined for any other document. */
  faultOfList(): Refused | undefined {
    return this.shape === 'lines' && this.shift === 0 ? faultOfLines(this.text, this.engine.validate) : undefined;
  }

  /** The problem of a document that is not EPCIS. */
  get refusal(): Refused {
    const { title = 'This is not EPCIS', kind, advice, isOther, isTable, detail } = this.foreign ?? {};
    return {
      type: 'about:blank',
      title,
      detail: detail ?? (isOther ? 'This is a message of the EPCIS interface and holds no events.' : `It is ${kind}. ${advice}`),
      isOther,
      isTable,
      isMessage: isOther && detail === undefined,
    };
  }

  /** The canonical Digital Link of an identifier; undefined if it has none. */
  readonly canonicalOf = (id: string): string | undefined => {
    const known = this.once('canonical', () => new Map<string, string | undefined>());
    let found = known.get(id);
    if (found === undefined && !known.has(id)) known.set(id, (found = this.engine.identifiers.toDigitalLink(id)));
    return found;
  };

  /** The form in which the name of an event is compared. */
  readonly eventName = (eventID: string): string => this.engine.identifiers.eventName(eventID);

  /** The names in the master data of the document. */
  get names(): Names {
    return this.once('names', () => namesOf([elementsOf(this.parsed)], this.canonicalOf));
  }

  /** An XML document as the engine gets it. */
  get xml(): string | Uint8Array {
    return this.#isText ? this.text : this.bytes;
  }

  /** The translation of an XML document, or why there is none. */
  get translated(): Attempt<Translation<string>> {
    return this.once('translated', () => {
      const { value, problem } = attempt(() => this.engine.translate(this.xml, { as: 'text', validate: false }));
      if (problem === undefined) return { value };
      // A valid XML document without anything to translate is a message of the query interface.
      if (problem.title !== 'Nothing to translate' || !this.verdictOfXml?.valid) return { problem: this.ofList(problem) };
      const [, name = ''] = /^`(\w+)`/.exec(problem.detail ?? '') ?? [];
      const what = entryOf(REQUESTS, name) ?? (/Exception$/.test(name) ? 'An error message from a server' : 'A message of the query interface');
      return { problem: { type: 'about:blank', title: 'No events', detail: `${what}: it holds no events.`, isOther: true } };
    });
  }

  /** The verdict of the XML schema on XML that cannot be translated; undefined if it is not well-formed either. */
  get verdictOfXml(): Verdict | XmlVerdict | undefined {
    return this.once('source verdict', () => attempt(() => this.engine.validate(this.xml)).value);
  }

  /** The document as JSON, for XML its translation. */
  get json(): AsJson {
    return this.once('json', (): AsJson => {
      if (this.format !== 'xml') return { bytes: this.bytes, text: this.text };
      const { value, problem } = this.translated;
      return problem !== undefined ? { problem } : { bytes: new TextEncoder().encode(value.document), text: value.document };
    });
  }

  /** The JSON as parsed; undefined if it cannot be. */
  get parsed(): unknown {
    return this.once('parsed', () => {
      if (this.json.text === undefined) return undefined;
      try {
        return JSON.parse(this.json.text);
      } catch {
        return undefined;
      }
    });
  }

  /** The list of events in the JSON, with its pointer. */
  get #list(): EventList {
    return this.once('events', () => (this.parsed === undefined ? { events: [], pointer: '', isList: false } : eventsOf(this.parsed)));
  }

  get events(): readonly unknown[] {
    return this.#list.events;
  }

  /** The events for engines that refuse other entries of the list: `source`, and the `places` of these events in the list. */
  get askable(): { readonly places: readonly number[]; readonly source: Uint8Array | readonly unknown[] | undefined } {
    return this.once('askable', () => {
      const { events } = this;
      const places = [...events.entries()].filter(([, event]) => isObject(event) && typeof event.type === 'string').map(([index]) => index);
      return { places, source: places.length === events.length ? this.json.bytes : places.map((index) => events[index]) };
    });
  }

  /** The syntax nodes of the events in the JSON text, and of their list. */
  get nodes(): json.EventNodes {
    return this.once('nodes', () => {
      const { text = '' } = this.json;
      const tree = this.format === 'xml' ? json.parseJson(text) : this.treeBy(json.parseJson);
      return json.eventNodes(text, tree, this.#list.pointer, this.#list.isList);
    });
  }

  /** The JSON text of one event; undefined if there is no such event. */
  textOf(index: number): string | undefined {
    const node = this.nodes.events[index];
    return node === undefined ? undefined : this.json.text?.slice(node.from, node.to);
  }
}
