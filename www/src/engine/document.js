// One opened document in the engine's thread: computes its answers stage by stage, then answers the page's questions about them.
import { attempt } from '../../../wasm/document/attempt.ts';
import { askedOf } from '../verdict/asked.js';
import { explainHash, findHash, hashedUnder, hashesOf, hashesText, hashPage, preHashOf } from '../hash/document-hashes.js';
import { checksOf, placeOfEvent, placesOf, windowAt } from '../../../wasm/document/document-places.ts';
import { DocumentStory } from './document-story.js';
import { reportText, translationOf, translationText } from '../translate/document-translation.js';
import { verdictText } from '../verdict/document-verdict.js';
import { prettyJson } from '../shared/pretty.js';
import { nameOf } from '../shared/words.js';

export class OpenDocument extends DocumentStory {
  /** @param options those of a {@link DocumentStory}, and `back`: the XML version that JSON is translated to */
  constructor(engine, bytes, { back = '2.0', ...options } = {}) {
    super(engine, bytes, options);
    this.back = back;
  }

  get format() {
    return this.input.format;
  }

  // The stages, beside those of the story.

  /** The hashes of all events. */
  hashes() {
    return hashesOf(this.input, this.verdict().valid);
  }

  /** The translation of the document to the other format, with its fidelity report. */
  translation() {
    return translationOf(this.input, this.back, this.verdict().valid);
  }

  /** The places of errors, notes of the translation and the first `cards` events in the text. `repair` loads the engine that corrects them. */
  places(verdict, translation, cards, repair) {
    return placesOf(this.input, verdict, translation, cards, repair);
  }

  /**
   * The findings of the package's `check`, with their places: those of the usual packs, of the chosen `packs`, and of those that the
   * document is made for, unless they are `unwanted`. `found` has the last. `parameters` has what each pack is told.
   */
  async checks(check, choice) {
    const { packs = [], unwanted = [], parameters = {} } = choice ?? {};
    const { fittingOf, SURE } = await import('../../../wasm/document/check-document.ts');
    const found = fittingOf(
      this.input,
      check,
      SURE.filter((name) => !packs.includes(name) && !unwanted.includes(name)),
    );
    return { ...(await checksOf(this.input, check, [...packs, ...found], parameters)), found, asked: askedOf(choice) };
  }

  /** Those of some packs that are for the document. */
  async fitting(check, packs) {
    const { fittingOf } = await import('../../../wasm/document/check-document.ts');
    return fittingOf(this.input, check, packs);
  }

  /** The findings as an exception report from `sender`: `{value}` or `{problem}`. `report` is the function of the engine of checks. */
  exceptions(report, sender) {
    return attempt(() => report(this.input.json.bytes, sender));
  }

  // The events.

  /** The range `{from, to}` of one event in the text. */
  place(index) {
    return placeOfEvent(this.input, index);
  }

  /** The path of one item in the picture. `follow` is that of the following engine. */
  async path(follow, id) {
    const { pathOf } = await import('../item/document-follow.js');
    return pathOf(this.input, follow, id);
  }

  /** The model of the page of an item: `{model}` or `{problem}`. */
  async item(follow, id) {
    const [{ followIn }, { itemModel }] = await Promise.all([import('../item/document-follow.js'), import('../item/item-model.js')]);
    const { canonicalOf, names } = this.input;
    const { value, problem } = followIn(this.input, follow, id, 'listed');
    return problem === undefined ? { model: itemModel(value, { canonicalOf, names }) } : { problem };
  }

  /** Calls a function of `document-reports.js`. */
  reported(tell, asked) {
    return tell(this.input, asked);
  }

  /** The parsed events, and a function that gives the canonical form of an identifier: for the table. */
  get listed() {
    const { events, canonicalOf } = this.input;
    return { events, canonicalOf };
  }

  /** The rows of the table, made once by `make`. */
  rows(make) {
    return this.input.once('rows', () => make(this.input.events, this.input.canonicalOf, this.input.names.nameOf));
  }

  /** The master data of the document. */
  async masterData() {
    const { masterDataOf } = await import('../master-data/master-data.js');
    return masterDataOf(this.input.parsed, (id) => nameOf(id, this.input.canonicalOf(id)).text);
  }

  // The hashes.

  /** The rows of a page of the table of hashes. */
  hashPage(from) {
    return hashPage(this.input, from);
  }

  /** The pre-hash strings of one event. */
  preHash(index) {
    return preHashOf(this.input, index);
  }

  /** The events that have a hash. */
  find(text) {
    return findHash(this.input, text);
  }

  /** Explains why an eventID in hash form is not the hash of its event. */
  explain(index) {
    return explainHash(this.input, index);
  }

  /** The hashes under a profile, in pieces up to `most` events. */
  hashed(profile, most) {
    return hashedUnder(this.input, profile, most);
  }

  /** Calls `prove` with the exact bytes of the document, which proofs cover: `{value}` or `{problem}`. */
  proved(prove, ...given) {
    return attempt(() => prove(this.input.bytes, ...given));
  }

  // The text.

  /** The part of a large document around an offset. */
  window(at) {
    return windowAt(this.input, at);
  }

  /** A list of events, NDJSON or a single event as a document, indented. */
  async inDocument() {
    const { documentAround } = await import('../../../wasm/document/event-list.ts');
    const { shape } = this.verdict();
    const text = documentAround(this.input.received, shape, new Date().toISOString());
    return text === undefined ? undefined : prettyJson(text);
  }

  /** A table (CSV), for the code that makes events of it: its text, and the conversion of identifiers. */
  get table() {
    return { text: this.input.received, identifiers: this.input.engine.identifiers };
  }

  /** The complete text of a download. */
  download(what) {
    switch (what) {
      case 'verdict':
        return verdictText(this.verdict());
      case 'hashes':
        return hashesText(this.input);
      case 'translation':
        return translationText(this.input, this.back);
      case 'report':
        return reportText(this.input, this.back);
      default:
        throw new TypeError(`no such download: ${what}`);
    }
  }
}
