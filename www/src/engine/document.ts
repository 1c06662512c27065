// One opened document in the engine's thread: computes its answers stage by stage, then answers the page's questions about them.
import type { check, exceptionReport, ExceptionReport, ExceptionSender, PackName, repair } from '../../../wasm/js/check/index.ts';
import type { Profile } from '../../../wasm/js/engine/index.ts';
import { attempt } from '../../../wasm/document/attempt.ts';
import type { AnyEvent } from '../events/event-model.ts';
import type { StoryInput } from '../flow/history.ts';
import type { Follow, Path } from '../item/document-follow.ts';
import type { ItemModel } from '../item/item-shown.ts';
import type { VocabularyModel } from '../master-data/master-data.ts';
import type { CanonicalOf, Names } from '../../../wasm/js/names/names.ts';
import type { Attempt, ChecksAnswer, Places, Problem, Window } from './answers.ts';
import type { PageEngine } from './page-engine.ts';
import { askedOf, type Choice } from '../verdict/asked.ts';
import { explainHash, findHash, type Hashed, hashedUnder, type HashesAnswer, hashesOf, hashesText, hashPage, preHashOf } from '../hash/document-hashes.ts';
import { checksOf, placeOfEvent, placesOf, windowAt } from '../../../wasm/document/document-places.ts';
import { DocumentStory, type Opening } from './document-story.ts';
import { reportText, type TranslationAnswer, translationOf, translationText, type XmlVersion } from '../translate/document-translation.ts';
import { type VerdictAnswer, verdictText } from '../verdict/document-verdict.ts';
import { prettyJson } from '../shared/pretty.ts';
import { nameOf } from '../shared/words.ts';

/** What can be downloaded, beside the table. */
export type Download = 'verdict' | 'hashes' | 'translation' | 'report';
/** Repairs a text; it loads its engine first, so there may be no answer. */
export type Repair = (...asked: Parameters<typeof repair>) => Promise<ReturnType<typeof repair> | undefined>;

export class OpenDocument extends DocumentStory {
  /** The XML version that JSON is translated to. */
  back: XmlVersion;

  constructor(engine: PageEngine, bytes: Uint8Array, { back = '2.0', ...options }: Opening & { readonly back?: XmlVersion | undefined } = {}) {
    super(engine, bytes, options);
    this.back = back;
  }

  get format(): StoryInput['format'] {
    return this.input.format;
  }

  // The stages, beside those of the story.

  /** The hashes of all events. */
  hashes(): HashesAnswer {
    return hashesOf(this.input, this.verdict().valid);
  }

  /** The translation of the document to the other format, with its fidelity report. */
  translation(): TranslationAnswer {
    return translationOf(this.input, this.back, this.verdict().valid);
  }

  /** The places of errors, notes of the translation and the first `cards` events in the text. `repair` loads the engine that corrects them. */
  places(verdict: VerdictAnswer, translation: TranslationAnswer | undefined, cards: number, repair: Repair): Promise<Places> {
    return placesOf(this.input, verdict, translation?.problem === undefined ? translation : undefined, cards, repair);
  }

  /**
   * The findings of the package's `check`, with their places: those of the usual packs, of the chosen `packs`, and of those that the
   * document is made for, unless they are `unwanted`. `found` has the last. `parameters` has what each pack is told.
   */
  async checks(ask: typeof check, choice?: Choice): Promise<ChecksAnswer> {
    const { packs = [], unwanted = [], parameters = {} } = choice ?? {};
    const { fittingOf, SURE } = await import('../../../wasm/document/check-document.ts');
    const found: readonly PackName[] = fittingOf(
      this.input,
      ask,
      SURE.filter((name: string) => !packs.includes(name) && !unwanted.includes(name)),
    );
    return { ...(await checksOf(this.input, ask, [...packs, ...found] as never[], parameters)), found, asked: askedOf(choice) };
  }

  /** Those of some packs that are for the document. */
  async fitting(ask: typeof check, packs: readonly PackName[]): Promise<PackName[]> {
    const { fittingOf } = await import('../../../wasm/document/check-document.ts');
    return fittingOf(this.input, ask, packs);
  }

  /** The findings as an exception report from `sender`: `{value}` or `{problem}`. `report` is the function of the engine of checks. */
  exceptions(report: typeof exceptionReport, sender: ExceptionSender): Attempt<ExceptionReport> {
    const { bytes, problem } = this.input.json;
    return problem === undefined ? attempt(() => report(bytes, sender)) : { problem };
  }

  // The events.

  /** The range `{from, to}` of one event in the text. */
  place(index: number): Promise<{ readonly from: number; readonly to: number } | undefined> {
    return placeOfEvent(this.input, index);
  }

  /** The path of one item in the picture. `follow` is that of the following engine. */
  async path(follow: Follow, id: string): Promise<Path | { readonly problem: Problem }> {
    const { pathOf } = await import('../item/document-follow.ts');
    return pathOf(this.input, follow, id);
  }

  /** The model of the page of an item: `{model}` or `{problem}`. */
  async item(
    follow: Follow,
    id: string,
  ): Promise<{ readonly model: ItemModel; readonly problem?: undefined } | { readonly model?: undefined; readonly problem: Problem }> {
    const [{ followIn }, { itemModel }] = await Promise.all([import('../item/document-follow.ts'), import('../item/item-model.ts')]);
    const { canonicalOf, names } = this.input;
    const { value, problem } = followIn(this.input, follow, id, 'listed');
    return problem === undefined ? { model: itemModel(value, { canonicalOf, names }) } : { problem };
  }

  /** The parsed events, and a function that gives the canonical form of an identifier: for the table. */
  get listed(): { readonly events: readonly AnyEvent[]; readonly canonicalOf: CanonicalOf } {
    const { events, canonicalOf } = this.input;
    return { events, canonicalOf };
  }

  /** The rows of the table, made once by `make`. */
  rows<Made>(make: (events: readonly AnyEvent[], canonicalOf: CanonicalOf, nameOf: Names['nameOf']) => Made): Made {
    return this.input.once('rows', () => make(this.input.events, this.input.canonicalOf, this.input.names.nameOf));
  }

  /** The master data of the document. */
  async masterData(): Promise<VocabularyModel[]> {
    const { masterDataOf } = await import('../master-data/master-data.ts');
    return masterDataOf(this.input.parsed, (id) => nameOf(id, this.input.canonicalOf(id)).text);
  }

  // The hashes.

  /** The rows of a page of the table of hashes. */
  hashPage(from: number): ReturnType<typeof hashPage> {
    return hashPage(this.input, from);
  }

  /** The pre-hash strings of one event. */
  preHash(index: number): ReturnType<typeof preHashOf> {
    return preHashOf(this.input, index);
  }

  /** The events that have a hash. */
  find(text: string): ReturnType<typeof findHash> {
    return findHash(this.input, text);
  }

  /** Explains why an eventID in hash form is not the hash of its event. */
  explain(index: number): ReturnType<typeof explainHash> {
    return explainHash(this.input, index);
  }

  /** The hashes under a profile, in pieces up to `most` events. */
  hashed(profile: Profile, most: number): Attempt<Hashed[]> {
    return hashedUnder(this.input, profile, most);
  }

  /** Calls `prove` with the exact bytes of the document, which proofs cover: `{value}` or `{problem}`. */
  proved<Given extends readonly unknown[], Proof>(prove: (document: Uint8Array, ...given: Given) => Proof, ...given: Given): Attempt<Proof> {
    return attempt(() => prove(this.input.bytes, ...given));
  }

  // The text.

  /** The part of a large document around an offset. */
  window(at: number): Window {
    return windowAt(this.input, at);
  }

  /** A list of events, NDJSON or a single event as a document, indented. */
  async inDocument(): Promise<string | undefined> {
    const { documentAround } = await import('../../../wasm/document/event-list.ts');
    const { shape } = this.verdict();
    const text = documentAround(this.input.received, shape ?? 'document', new Date().toISOString());
    return text === undefined ? undefined : prettyJson(text);
  }

  /** A table (CSV), for the code that makes events of it: its text, and the conversion of identifiers. */
  get table(): { readonly text: string; readonly identifiers: PageEngine['identifiers'] } {
    return { text: this.input.received, identifiers: this.input.engine.identifiers };
  }

  /** The complete text of a download. */
  download(what: Download): string {
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
