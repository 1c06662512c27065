// One opened document in the engine's thread: computes its answers stage by stage, then answers the page's questions about them.
import { attempt } from '../../wasm/document/attempt.js';
import { explainHash, findHash, hashedUnder, hashesOf, hashesText, hashPage, preHashOf } from './document-hashes.js';
import { DocumentInput } from '../../wasm/document/document-input.js';
import { checksOf, placeOfEvent, placesOf, windowAt } from '../../wasm/document/document-places.js';
import { reportText, SHOWN_OUTPUT, translationOf, translationText } from './document-translation.js';
import { verdictOf, verdictText } from './document-verdict.js';
import { isObject, modelOf } from './event-model.js';
import { flowOf, timelineOf } from './flow.js';
import { layout } from './layout.js';
import { prettyJson } from './pretty.js';
import { nameOf } from './words.js';

/** The number of events in a page of cards. */
const PAGE = 25;

export class OpenDocument {
  #engine;
  #input;

  /**
   * @param bytes the document as received. `back`: the XML version that JSON is translated to. `isText`: the bytes were made from
   *   text, so they are UTF-8 whatever encoding the XML declaration names
   */
  constructor(engine, bytes, { back = '2.0', isText = false } = {}) {
    this.#engine = engine;
    this.#input = new DocumentInput(engine, bytes, isText);
    this.back = back;
  }

  get format() {
    return this.#input.format;
  }

  // The stages.

  /** Whether the document is valid, and its errors. */
  verdict() {
    return this.#input.once('verdict', () => verdictOf(this.#input));
  }

  /** The first page of events, the timeline, and the picture of the flows. */
  events() {
    if (this.#input.foreign !== undefined || this.#input.parsed === undefined) return { total: 0, others: 0, problem: this.#reason() };
    const { events, canonicalOf, names } = this.#input;
    const flow = flowOf(events, canonicalOf, names.nameOf);
    return {
      total: events.length,
      /** The number of entries that are not objects, such as a number or a list. */
      others: events.filter((event) => !isObject(event)).length,
      page: this.eventPage(0),
      timeline: timelineOf(events),
      flow: { ...flow, layout: layout(flow.boxes, flow.edges) },
    };
  }

  /** The reason why there are no events. */
  #reason() {
    const input = this.#input;
    if (input.foreign !== undefined) return input.refusal;
    return input.faultOfList() ?? (input.format === 'xml' ? input.translated.problem : attempt(() => this.#engine.hash(input.bytes)).problem);
  }

  /** The hashes of all events. */
  hashes() {
    return hashesOf(this.#input, this.verdict().valid);
  }

  /** The translation of the document to the other format, with its fidelity report. */
  translation() {
    return translationOf(this.#input, this.back, this.verdict().valid);
  }

  /** The places of errors, notes of the translation and the first `cards` events in the text. */
  places(verdict, translation, cards) {
    return placesOf(this.#input, verdict, translation, cards);
  }

  /** The findings of the package's `check`, with their places: those of the usual packs, and of `packs`. */
  checks(check, packs) {
    return checksOf(this.#input, check, packs);
  }

  /** Those of some packs that are for the document. */
  async fitting(check, packs) {
    const { fittingOf } = await import('../../wasm/document/check-document.js');
    return fittingOf(this.#input, check, packs);
  }

  /** The findings as an exception report from `sender`: `{value}` or `{problem}`. `report` is the function of the engine of checks. */
  exceptions(report, sender) {
    return attempt(() => report(this.#input.json.bytes, sender));
  }

  // The events.

  /** A page of events in readable form. */
  eventPage(from) {
    const { events, canonicalOf, names } = this.#input;
    return events.slice(from, from + PAGE).map((event, at) => modelOf(this.#faithful(event, from + at), from + at, canonicalOf, names.nameOf));
  }

  /**
   * The event with every number as `{digits}`, its digits as written: JSON.parse would turn `1.50` into `1.5`. An event without digits in
   * its quantities and sensor data, or of a document over 2 million characters, is returned as it is.
   */
  #faithful(event, index) {
    if (
      !/\d/.test(
        JSON.stringify(event?.sensorElementList ?? '') +
          JSON.stringify(event?.quantityList ?? event?.childQuantityList ?? event?.inputQuantityList ?? event?.outputQuantityList ?? ''),
      )
    )
      return event;
    const text = this.#input.json.text.length <= 2_000_000 ? this.#input.textOf(index) : undefined;
    if (text === undefined) return event;
    // Older browsers do not pass the source of a number to the reviver: the number stays as parsed.
    return JSON.parse(text, (_, value, context) => (typeof value === 'number' && typeof context?.source === 'string' ? { digits: context.source } : value));
  }

  /** The JSON text of one event, indented. */
  source(index) {
    const text = this.#input.textOf(index);
    return text === undefined ? '' : prettyJson(text).slice(0, SHOWN_OUTPUT);
  }

  /** The range `{from, to}` of one event in the text. */
  place(index) {
    return placeOfEvent(this.#input, index);
  }

  /** The path of one item in the picture. `follow` is that of the following engine. */
  async path(follow, id) {
    const { pathOf } = await import('./document-follow.js');
    return pathOf(this.#input, follow, id);
  }

  /** The model of the page of an item: `{model}` or `{problem}`. */
  async item(follow, id) {
    const [{ followIn }, { itemModel }] = await Promise.all([import('./document-follow.js'), import('./item-model.js')]);
    const { canonicalOf, names } = this.#input;
    const { value, problem } = followIn(this.#input, follow, id, 'listed');
    return problem === undefined ? { model: itemModel(value, { canonicalOf, names }) } : { problem };
  }

  /** Calls a function of `document-reports.js`. */
  reported(tell, asked) {
    return tell(this.#input, asked);
  }

  /** The parsed events, and a function that gives the canonical form of an identifier: for the table. */
  get listed() {
    const { events, canonicalOf } = this.#input;
    return { events, canonicalOf };
  }

  /** The rows of the table, made once by `make`. */
  rows(make) {
    return this.#input.once('rows', () => make(this.#input.events, this.#input.canonicalOf, this.#input.names.nameOf));
  }

  /** The master data of the document. */
  async masterData() {
    const { masterDataOf } = await import('./master-data.js');
    return masterDataOf(this.#input.parsed, (id) => nameOf(id, this.#input.canonicalOf(id)).text);
  }

  // The hashes.

  /** The rows of a page of the table of hashes. */
  hashPage(from) {
    return hashPage(this.#input, from);
  }

  /** The pre-hash strings of one event. */
  preHash(index) {
    return preHashOf(this.#input, index);
  }

  /** The events that have a hash. */
  find(text) {
    return findHash(this.#input, text);
  }

  /** Explains why an eventID in hash form is not the hash of its event. */
  explain(index) {
    return explainHash(this.#input, index);
  }

  /** The hashes under a profile, in pieces up to `most` events. */
  hashed(profile, most) {
    return hashedUnder(this.#input, profile, most);
  }

  /** Calls `prove` with the exact bytes of the document, which proofs cover: `{value}` or `{problem}`. */
  proved(prove, ...given) {
    return attempt(() => prove(this.#input.bytes, ...given));
  }

  // The text.

  /** The part of a large document around an offset. */
  window(at) {
    return windowAt(this.#input, at);
  }

  /** The complete text of a download. */
  download(what) {
    switch (what) {
      case 'verdict':
        return verdictText(this.verdict());
      case 'hashes':
        return hashesText(this.#input);
      case 'translation':
        return translationText(this.#input, this.back);
      case 'report':
        return reportText(this.#input, this.back);
      default:
        throw new TypeError(`no such download: ${what}`);
    }
  }
}
