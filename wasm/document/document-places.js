// The places of a document in its text: those of errors, findings, notes and events, and the text around a place.
import { PACKS } from '../js/check.js';
import { attempt, calmed } from './attempt.js';
import * as json from './places-json.js';
import { Lines } from './text-lines.js';

/** The characters of a large document shown at a time: `lines`, or `line` within one long line, which is slow to lay out. */
const WINDOW = { lines: 16_000, line: 5000 };

/** Loads the suggested corrections when there is an error to correct. If loading fails, there are no suggestions. */
const fixing = () => import('./fixes.js').catch(() => ({ jsonFixes: () => [], xmlFixes: () => [] }));
/** Loads the code that locates findings in XML, with the first XML document. */
const xmlPlaces = () => import('./places-xml.js');

/** The keywords of XML schema errors that concern an element or attribute itself. All others concern its value. */
const ABOUT_NAMES = /^cvc-(?:complex-type\.(?:2\.[134]|4)|elt\.[12]$|elt\.4\.3|type\.2$|type\.3\.1\.2)/;

/** Functions that turn ranges and locations of the document into ranges of the text as it is shown. */
function shownPlaces({ received, shift }) {
  const lines = new Lines(received);
  return {
    lines,
    // The document around a list of events is not part of the shown text.
    ranged: (range) =>
      range === undefined || range.from < shift || range.to - shift > received.length
        ? undefined
        : { from: range.from - shift, to: range.to - shift, line: lines.at(range.from - shift) },
    located: (location) => (location === undefined ? undefined : lines.range(location.line, location.column)),
  };
}

/**
 * The findings of the package's `check`, with one range and one subject for each: `{…report, places, subjects, asked}`, or
 * `{problem, places, asked}`. The usual packs are always asked; `asked` are the names of the others, as they were chosen.
 */
export async function checksOf(input, check, packs = []) {
  const asked = packs.join();
  if (input.foreign !== undefined) return { problem: input.refusal, places: [], asked };
  const { ranged, located } = shownPlaces(input);
  const { value: report, problem: refused } = attempt(() => check(input.format === 'xml' ? input.xml : input.bytes, { packs: known([...USUAL, ...packs]) }));
  const problem = input.ofList(refused);
  if (problem !== undefined) return { problem: input.faultOfList() ?? calmed(problem), places: [located(problem.location)], asked };
  const { findings } = report;
  if (findings.length === 0) return { ...report, places: [], subjects: [], asked };
  const { text } = input;
  const { subjectsOf } = await import('./check-document.js');
  const subjects = subjectsOf(input.parsed, findings);
  if (input.format === 'xml') {
    const xml = await xmlPlaces();
    const paths = findings.map(({ path }) => path);
    const found = xml.placesOf(text, xml.parseXml(text), paths, new Set(paths));
    return { ...report, places: findings.map((finding) => ranged(found.get(finding.path) ?? located(finding))), subjects, asked };
  }
  return { ...report, places: json.placesOf(text, json.parseJson(text), findings).map(ranged), subjects, asked };
}

/** The packs of `check` that are asked of every document. */
const USUAL = ['identifiers', 'consistency', 'cbv'];
/** Those packs that this version has; a link may name others. */
const known = (packs) => packs.filter((pack) => PACKS.includes(pack));

/**
 * The ranges in the text of errors, notes of the translation and the first `cards` events: `{errors, notes, events, fixes}`, each range
 * `{from, to, line}` or undefined if unknown. `fixes` are the suggested corrections.
 */
export async function placesOf(input, verdict, translation, cards) {
  const none = { errors: [], notes: [], events: [], fixes: [] };
  if (input.format === 'empty' || input.foreign !== undefined) return none;
  const { lines, ranged, located } = shownPlaces(input);
  const { text, shift } = input;
  const notes = translation?.report?.notes ?? [];
  const faults = verdict.problem === undefined ? verdict.errors : [verdict.problem];
  if (input.format === 'xml') {
    const xml = await xmlPlaces();
    const tree = xml.parseXml(text);
    const valued = new Set(faults.filter(({ keyword = 'cvc-type' }) => !ABOUT_NAMES.test(keyword)).map(({ source }) => source?.path));
    const found = xml.placesOf(text, tree, [...notes.map(({ path }) => path), ...verdict.errors.map(({ source }) => source?.path ?? '')], valued);
    const nodes = xml.eventNodes(text, tree);
    const places = faults.map((fault) => ranged(found.get(fault.source?.path) ?? located(fault.source ?? fault.location)));
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
  const tree = json.parseJson(text);
  const fixes = verdict.errors.length > 0 ? (await fixing()).jsonFixes(text, tree, verdict.errors) : [];
  return {
    errors: [...json.placesOf(text, tree, faults), ...verdict.repeated].map(ranged),
    notes: json.placesOf(text, tree, notes).map(ranged),
    events: input.parsed === undefined ? [] : input.nodes.events.slice(0, cards).map(({ from, to }) => ranged({ from, to })),
    fixes: fixes.map((fix) => ({
      ...fix,
      edits: fix.edits.map(({ from, to, insert }) => ({ from: from - shift, to: to - shift, insert })),
    })),
  };
}

/** The range `{from, to}` of one event in the text. */
export async function placeOfEvent(input, index) {
  const { text, shift } = input;
  const xml = input.format === 'xml' ? await xmlPlaces() : undefined;
  const nodes =
    xml === undefined
      ? input.nodes.events
      : xml.eventNodes(
          text,
          input.once('xml', () => xml.parseXml(text)),
        );
  const node = nodes[index];
  return node === undefined ? undefined : { from: node.from - shift, to: node.to - shift };
}

/** The part of a large document around an offset: `{text, base, line, isWholeLine}`; it begins at offset `base`, in line `line`. */
export function windowAt({ received: text }, at) {
  const reach = text.slice(Math.max(0, at - WINDOW.line), at + WINDOW.line).includes('\n') ? WINDOW.lines : WINDOW.line;
  let from = Math.max(0, Math.min(at - reach / 2, text.length - reach));
  // Begin at the start of a line if one is near.
  const start = text.lastIndexOf('\n', from) + 1;
  if (from - start < 2000) from = start;
  const to = Math.min(text.length, from + reach);
  return { text: text.slice(from, to), base: from, line: new Lines(text).at(from), isWholeLine: from === 0 || text[from - 1] === '\n' };
}
