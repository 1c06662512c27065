// @ts-nocheck
// The input of one opened document: what was received, what the engine gets, the same as JSON, and its events.
//
// Why does the page translate with `validate: false`?
// Otherwise one error in XML would leave the page with no events, no hashes and no translation. The page shows the errors
// and everything else.
import { elementsOf, namesOf } from '../js/names/names.ts';
import { attempt } from './attempt.ts';
import { decode, foreignJson, foreignOf, formatOf } from './detect.ts';
import { faultOfLines, problemOfList, shapeOf, wrapped } from './event-list.ts';
import { eventsOf, isObject } from './events.ts';
import * as json from './places-json.ts';

export class DocumentInput {
  #memo = new Map();
  #isText;

  /**
   * The document as received, and `bytes` and `text` as the engine gets it. They differ for a list of events, which gets a document
   * around it, and for a SOAP message, whose document is taken out: a character at `n` of the received text is then at `n + shift` of
   * `text`.
   */
  received;
  bytes;
  text;
  shift = 0;

  /**
   * @param bytes the document as received. `isText`: the bytes were made from text, so they are UTF-8 whatever encoding the XML
   *   declaration names. The last argument has what {@link recognisersFor} loaded
   */
  constructor(engine, bytes, isText, { unwrapped, otherJson } = {}) {
    this.#isText = isText;
    this.engine = engine;
    const { text, isExact } = decode(bytes);
    this.bytes = bytes;
    this.text = text;
    this.received = text;
    this.format = formatOf(text.slice(0, 4096));
    /** The kind of the document if it is not EPCIS, as {@link foreignOf} returns it; else undefined. */
    this.foreign = foreignOf(bytes, text);
    // A SOAP message is opened only as text whose characters are known.
    if (unwrapped !== undefined && this.format === 'xml' && (isExact || isText)) this.#unwrap(unwrapped(text));
    this.shape ??= this.format === 'json' && isExact && this.foreign === undefined ? shapeOf(text) : 'document';
    if (this.shape === 'array' || this.shape === 'lines') this.#wrap();
    if (this.format === 'json' && this.parsed !== undefined) this.foreign ??= foreignJson(this.shape === 'document' ? this.parsed : this.events, otherJson);
  }

  /** Takes the EPCIS document out of a SOAP message. */
  #unwrap(found) {
    if (found === undefined) return;
    this.foreign = found.foreign;
    if (found.text === undefined) return;
    this.shape = 'soap';
    this.#isText = true;
    this.text = found.text;
    this.shift = found.shift;
    this.bytes = new TextEncoder().encode(found.text);
  }

  /** Puts a document around a list of events. Leaves the list alone if it is not JSON. */
  #wrap() {
    const { text, shift } = wrapped(this.text, this.shape) ?? {};
    if (text === undefined) return;
    this.text = text;
    this.shift = shift;
    this.bytes = new TextEncoder().encode(text);
  }

  /** The value made by `make` on the first call with this name. */
  once(name, make) {
    if (!this.#memo.has(name)) this.#memo.set(name, make());
    return this.#memo.get(name);
  }

  /** The syntax tree of the text. `parse` is called once. */
  treeBy(parse) {
    return this.once('tree', () => parse(this.text));
  }

  /** A problem as one of the text that the user wrote, if the engine got another text. */
  ofList(problem) {
    return this.shift === 0 ? problem : problemOfList(problem, { list: this.received, text: this.text, shift: this.shift });
  }

  /** The problem of the first line of NDJSON that is not JSON; undefined for any other document. */
  faultOfList() {
    return this.shape === 'lines' && this.shift === 0 ? faultOfLines(this.text, this.engine.validate) : undefined;
  }

  /** The problem of a document that is not EPCIS. */
  get refusal() {
    const { title = 'This is not EPCIS', kind, advice, isOther, isTable, detail } = this.foreign;
    return {
      type: 'about:blank',
      title,
      detail: detail ?? (isOther ? 'This is a message of the EPCIS interface and holds no events.' : `It is ${kind}. ${advice}`),
      isOther,
      isTable,
      /** Whether it is a message of the EPCIS interface, which is no error anywhere. */
      isMessage: isOther && detail === undefined,
    };
  }

  /** The canonical Digital Link of an identifier; undefined if it has none. */
  canonicalOf = (id) => {
    const known = this.once('canonical', () => new Map());
    let found = known.get(id);
    if (found === undefined && !known.has(id)) known.set(id, (found = this.engine.identifiers.toDigitalLink(id)));
    return found;
  };

  /** The form in which the name of an event is compared. */
  eventName = (eventID) => this.engine.identifiers.eventName(eventID);

  /** The names in the master data of the document. */
  get names() {
    return this.once('names', () => namesOf([elementsOf(this.parsed)], this.canonicalOf));
  }

  /** An XML document as the engine gets it. */
  get xml() {
    return this.#isText ? this.text : this.bytes;
  }

  /** The translation of an XML document: `{value}` or `{problem}`. */
  get translated() {
    return this.once('translated', () => {
      const { value, problem } = attempt(() => this.engine.translate(this.xml, { as: 'text', validate: false }));
      // A valid XML document without anything to translate is a message of the query interface.
      if (problem?.title !== 'Nothing to translate' || !this.verdictOfXml?.valid) return { value, problem: this.ofList(problem) };
      const [, name = ''] = /^`(\w+)`/.exec(problem.detail) ?? [];
      const what =
        { Poll: 'A query request', Subscribe: 'A subscription request' }[name] ??
        (/Exception$/.test(name) ? 'An error message from a server' : 'A message of the query interface');
      return { problem: { type: 'about:blank', title: 'No events', detail: `${what}: it holds no events.`, isOther: true } };
    });
  }

  /** The verdict of the XML schema on XML that cannot be translated; undefined if it is not well-formed either. */
  get verdictOfXml() {
    return this.once('source verdict', () => attempt(() => this.engine.validate(this.xml)).value);
  }

  /** The document as JSON: `{bytes, text}`, for XML of its translation, or `{problem}`. */
  get json() {
    return this.once('json', () => {
      if (this.format !== 'xml') return { bytes: this.bytes, text: this.text };
      const { value, problem } = this.translated;
      return value === undefined ? { problem } : { bytes: new TextEncoder().encode(value.document), text: value.document };
    });
  }

  /** The JSON as parsed; undefined if it cannot be. */
  get parsed() {
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
  get #list() {
    return this.once('events', () => (this.parsed === undefined ? { events: [], pointer: '', isList: false } : eventsOf(this.parsed)));
  }

  get events() {
    return this.#list.events;
  }

  /** The events for engines that refuse other entries of the list: `source`, and the `places` of these events in the list. */
  get askable() {
    return this.once('askable', () => {
      const { events } = this;
      const places = [...events.keys()].filter((index) => isObject(events[index]) && typeof events[index].type === 'string');
      return { places, source: places.length === events.length ? this.json.bytes : places.map((index) => events[index]) };
    });
  }

  /** The syntax nodes of the events in the JSON text, and of their list. */
  get nodes() {
    return this.once('nodes', () => {
      const { text } = this.json;
      const tree = this.format === 'xml' ? json.parseJson(text) : this.treeBy(json.parseJson);
      return json.eventNodes(text, tree, this.#list.pointer, this.#list.isList);
    });
  }

  /** The JSON text of one event; undefined if there is no such event. */
  textOf(index) {
    const node = this.nodes.events[index];
    return node === undefined ? undefined : this.json.text.slice(node.from, node.to);
  }
}
