// The places of a document in its text: those of errors, findings, notes and events, and the text around a place.
import type { CheckOptions, CheckReport, PackName } from '../js/check/index.ts';
import { isPack } from '../js/check/packs.ts';
import { USUAL_PACKS } from '../js/engine/answers.ts';
import { attempt, calmed, type Refused } from './attempt.ts';
import type { Check, Subject } from './check-document.ts';
import type { Fault } from './document-faults.ts';
import type { DocumentInput } from './document-input.ts';
import type { Fix } from './fixes.ts';
import * as json from './places-json.ts';
import type { Repairing } from './repairs.ts';
import { Lines, type Range, type Spot } from './text-lines.ts';

/** The characters of a large document shown at a time: `lines`, or `line` within one long line, which is slow to lay out. */
const WINDOW = { lines: 16_000, line: 5000 };

/** Loads the suggested corrections when there is an error to correct. If loading fails, there are no suggestions. */
const fixing = () =>
  import('./fixes.ts').catch((): Pick<typeof import('./fixes.ts'), 'jsonFixes' | 'xmlFixes'> => ({ jsonFixes: () => [], xmlFixes: () => [] }));
/** Loads the code that locates findings in XML, with the first XML document. */
const xmlPlaces = () => import('./places-xml.ts');

/** The keywords of XML schema errors that concern an element or attribute itself. All others concern its value. */
const ABOUT_NAMES = /^cvc-(?:complex-type\.(?:2\.[134]|4)|elt\.[12]$|elt\.4\.3|type\.2$|type\.3\.1\.2)/;

/** A range of the text as it is shown, and its line. */
export interface Shown extends Range {
  readonly line: number;
}

/** Functions that turn ranges and locations of the document into ranges of the text as it is shown. */
function shownPlaces({ received, text, shift }: DocumentInput) {
  const lines = new Lines(received);
  // Only the places of a text that differs from the shown one are counted in it.
  const inner = shift === 0 ? lines : new Lines(text);
  return {
    lines,
    // The document around a list of events is not part of the shown text.
    ranged: (range: Range | undefined): Shown | undefined =>
      range === undefined || range.from < shift || range.to - shift > received.length
        ? undefined
        : { from: range.from - shift, to: range.to - shift, line: lines.at(range.from - shift) },
    located: (location: Spot | undefined): Shown | undefined =>
      location === undefined ? undefined : { ...lines.range(location.line, location.column), line: location.line },
    /** The range of a location in the text that the engine got. */
    relocated: ({ line, column }: Partial<Spot> = {}): Shown | undefined => {
      if (line === undefined || column === undefined) return undefined;
      const { line: own, column: at } = lines.placeOf(Math.max(0, inner.offset(line, column) - shift));
      return { ...lines.range(own, at), line: own };
    },
  };
}

/** The findings of `check`, with one range and one subject for each; or why there are none, and where. */
export type Findings =
  | (CheckReport & {
      readonly problem?: undefined;
      readonly places: readonly (Shown | undefined)[];
      /** The ranges of related places. */
      readonly related: readonly (Shown | undefined)[];
      readonly subjects: readonly Subject[];
    })
  | { readonly problem: Refused; readonly places: readonly (Shown | undefined)[] };

export async function findingsOf(input: DocumentInput, check: Check, packs: readonly PackName[], parameters?: CheckOptions['parameters']): Promise<Findings> {
  if (input.foreign !== undefined) return { problem: input.refusal, places: [] };
  const { ranged, located, relocated } = shownPlaces(input);
  const { value: report, problem: refused } = attempt(() => check(input.format === 'xml' ? input.xml : input.bytes, { packs, parameters }));
  if (refused !== undefined) {
    const problem = input.ofList(refused);
    return { problem: input.faultOfList() ?? calmed(problem), places: [located(problem.location)] };
  }
  const { findings } = report;
  if (findings.length === 0) return { ...report, places: [], related: [], subjects: [] };
  const { subjectsOf } = await import('./check-document.ts');
  const subjects = subjectsOf(input.parsed, findings);
  const others = findings.map(({ related }) => related);
  if (input.format === 'xml') {
    const xml = await xmlPlaces();
    const paths = [...findings, ...others].flatMap((place) => place?.path ?? []);
    const found = xml.placesOf(input.text, input.treeBy(xml.parseXml), paths, new Set(paths));
    const placed = (place: (Spot & { readonly path: string }) | undefined) => place && (ranged(found.get(place.path)) ?? relocated(place));
    return { ...report, places: findings.map(placed), related: others.map(placed), subjects };
  }
  const tree = input.treeBy(json.parseJson);
  const placed = (places: readonly json.Said[]) => json.placesOf(input.text, tree, places).map(ranged);
  return { ...report, places: placed(findings), related: placed(others.map((place) => place ?? NOWHERE)), subjects };
}

/** A path that leads nowhere. */
const NOWHERE = { path: '/' };

/**
 * The findings of the usual packs and of `packs`, each told its `parameters`. Packs that this version does not have, such as those of a
 * link, are left out.
 */
export function checksOf(
  input: DocumentInput,
  check: Check,
  packs: readonly string[] = [],
  parameters: Readonly<Record<string, CheckOptions['parameters']>> = {},
): Promise<Findings> {
  const asked = known([...USUAL_PACKS, ...packs]);
  return findingsOf(input, check, asked, Object.assign({}, ...asked.map((pack) => parameters[pack])));
}

/** Those packs that this version has. */
const known = (packs: readonly string[]): PackName[] => packs.filter(isPack);

/** The ranges of errors, of notes of the translation and of events, and the suggested corrections. An unknown range is undefined. */
export interface Places {
  readonly errors: readonly (Shown | undefined)[];
  readonly notes: readonly (Shown | undefined)[];
  readonly events: readonly (Shown | undefined)[];
  readonly fixes: readonly Fix[];
}

/** What is known of a document: its errors and the repeated names in it, or why it cannot be judged. */
export interface KnownFaults {
  readonly problem?: Refused | undefined;
  readonly errors: readonly Fault[];
  readonly repeated?: readonly Range[];
}

/** The translation of a document, as far as its notes are asked for. */
interface WithNotes {
  readonly report?: { readonly notes?: readonly { readonly path: string }[] };
}

/** The places of a document. `cards` is the number of events that are asked for. */
export async function placesOf(
  input: DocumentInput,
  verdict: KnownFaults,
  translation: WithNotes | undefined,
  cards: number,
  repair: Repairing,
): Promise<Places> {
  const places = await placesAndFixes(input, verdict, translation, cards);
  const looksRight = LOOKS_RIGHT.test(verdict.problem?.detail ?? '');
  const zoneless = verdict.errors.flatMap(({ message }, error) => (NO_ZONE.test(message) && places.errors[error] !== undefined ? [error] : []));
  if (!looksRight && zoneless.length === 0) return places;
  const { charactersOf, zonesOf } = await import('./repairs.ts').catch(
    (): Pick<typeof import('./repairs.ts'), 'charactersOf' | 'zonesOf'> => ({
      charactersOf: async () => [],
      zonesOf: async () => [],
    }),
  );
  const fixes = looksRight ? await charactersOf(input.received, repair) : await zonesOf(input.received, repair, zoneless, places.errors);
  return { ...places, fixes: [...places.fixes, ...fixes] };
}

/** What the engine says of a text that only looks like JSON or XML, and of a time without a zone. */
const LOOKS_RIGHT = /U\+[0-9A-F]{4,5},? (?:which )?(?:looks like|cannot be seen)/;
const NO_ZONE = /; the time zone is missing$/;

async function placesAndFixes(input: DocumentInput, verdict: KnownFaults, translation: WithNotes | undefined, cards: number): Promise<Places> {
  const none: Places = { errors: [], notes: [], events: [], fixes: [] };
  if (input.format === 'empty' || input.foreign !== undefined) return none;
  const { lines, ranged, located, relocated } = shownPlaces(input);
  const { text, shift } = input;
  const notes = translation?.report?.notes ?? [];
  const faults: readonly (Partial<Fault> & Pick<Refused, 'location'>)[] = verdict.problem === undefined ? verdict.errors : [verdict.problem];
  if (input.format === 'xml') {
    const xml = await xmlPlaces();
    const tree = input.treeBy(xml.parseXml);
    const valued = new Set(faults.filter(({ keyword = 'cvc-type' }) => !ABOUT_NAMES.test(keyword)).map(({ source }) => source?.path));
    const found = xml.placesOf(text, tree, [...notes.map(({ path }) => path), ...verdict.errors.map(({ source }) => source?.path ?? '')], valued);
    const nodes = cards > 0 ? xml.eventNodes(text, tree) : [];
    const places = faults.map((fault) => ranged(found.get(fault.source?.path)) ?? relocated(fault.source) ?? located(fault.location));
    return {
      errors: places,
      notes: notes.map(({ path }) => ranged(found.get(path))),
      events: nodes.slice(0, cards).map((node) => ranged({ from: node.from, to: node.to })),
      fixes: verdict.errors.length > 0 ? (await fixing()).xmlFixes(text, places, verdict.errors) : [],
    };
  }
  if (verdict.problem !== undefined) {
    const at = located(verdict.problem.location);
    return { ...none, errors: [at && { ...at, line: lines.at(at.from) }] };
  }
  const tree = input.treeBy(json.parseJson);
  const fixes = verdict.errors.length > 0 ? (await fixing()).jsonFixes(text, tree, verdict.errors) : [];
  return {
    errors: [
      ...json.placesOf(
        text,
        tree,
        verdict.errors.map(({ path = '/', ...rest }) => ({ path, ...rest })),
      ),
      ...(verdict.repeated ?? []),
    ].map(ranged),
    notes: json.placesOf(text, tree, notes).map(ranged),
    events: input.parsed === undefined ? [] : input.nodes.events.slice(0, cards).map(({ from, to }) => ranged({ from, to })),
    fixes: fixes.map((fix) => ({
      ...fix,
      edits: fix.edits.map(({ from, to, insert }) => ({ from: from - shift, to: to - shift, insert })),
    })),
  };
}

/** The range of one event in the text. */
export async function placeOfEvent(input: DocumentInput, index: number): Promise<Range | undefined> {
  const { text, shift } = input;
  const xml = input.format === 'xml' ? await xmlPlaces() : undefined;
  const nodes = xml === undefined ? input.nodes.events : xml.eventNodes(text, input.treeBy(xml.parseXml));
  const node = nodes[index];
  return node === undefined ? undefined : { from: node.from - shift, to: node.to - shift };
}

/** A part of a large document, which begins at the offset `base`, in the line `line`. */
export interface Window {
  readonly text: string;
  readonly base: number;
  readonly line: number;
  readonly isWholeLine: boolean;
}

/** The part of a large document around an offset. */
export function windowAt({ received: text }: Pick<DocumentInput, 'received'>, at: number): Window {
  const reach = text.slice(Math.max(0, at - WINDOW.line), at + WINDOW.line).includes('\n') ? WINDOW.lines : WINDOW.line;
  let from = Math.max(0, Math.min(at - reach / 2, text.length - reach));
  // Begin at the start of a line if one is near.
  const start = text.lastIndexOf('\n', from) + 1;
  if (from - start < 2000) from = start;
  const to = Math.min(text.length, from + reach);
  return { text: text.slice(from, to), base: from, line: new Lines(text).at(from), isWholeLine: from === 0 || text[from - 1] === '\n' };
}
