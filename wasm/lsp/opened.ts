// @ts-nocheck
// One document as the language server's thread of judging sees it: its diagnostics, its symbols, and what stands at a place.
// All offsets are those of the editor's text.
import { docsOf, fittingOf } from '../document/check-document.ts';
import { faultsOfJson, faultsOfXml, repeatedIn } from '../document/document-faults.ts';
import { DocumentInput } from '../document/document-input.ts';
import { otherJson } from '../document/other-json.ts';
import { findingsOf, placesOf, USUAL } from '../document/document-places.ts';
import { eventTitle, isObject } from '../document/events.ts';
import { eventNodes, parseXml } from '../document/places-xml.ts';
import { moment, phrase } from '../document/words.ts';
import { explainedAt } from './explained.ts';

/** The packs of industries that run without being asked for, if they fit: their documents have words that no others have. */
const SURE = ['dscsa', 'gdst'];
/** The most events that are listed as symbols. */
const SYMBOLS = 5000;
const SEVERITIES = ['error', 'warning', 'hint'];

/** The place that a problem's sentence names: the editor shows it. */
const ITS_PLACE = /, at line \d+ column \d+(?:, in `[^`]*`)?/;

/** Whether a path of XML is that of the document element or of an event. */
const isWide = (path) => /^\/[^/]*$/.test(path) || /(?:EventList|[eE]xtension)\[\d+\]\/[^/]+\[\d+\]$/.test(path);
/** Whether a pointer into a translation is that of the document or of an event. */
const isWidePointer = (pointer) => pointer === '' || /\/eventList\/\d+$/.test(pointer);
/** What is said of a fault of a value whose own place is not known: `''`, or where the diagnostic stands. */
function insteadOf(pointer, path) {
  if (pointer === undefined || isWidePointer(pointer) || !isWide(path)) return '';
  return /^\/[^/]*$/.test(path) ? ' (somewhere in this document)' : ' (somewhere in this event)';
}

/** Fixes with the numbers of their diagnostics, which are those of the errors. */
const ofDiagnostics = (fixes) => fixes.map(({ error, ...fix }) => ({ diagnostic: error, ...fix }));

export class Opened {
  #input;
  #check;
  #repair;
  /** The length of the byte order mark, which is not part of the document. */
  #mark;
  #text;

  /**
   * @param engine the functions of `epcis-edge`
   * @param checks the functions of `epcis-edge/check`
   */
  constructor(engine, { check, repair }, text) {
    this.#check = check;
    this.#repair = repair;
    this.#text = text;
    this.#mark = text.startsWith('\ufeff') ? 1 : 0;
    this.#input = new DocumentInput(engine, new TextEncoder().encode(text.slice(this.#mark)), true, { otherJson });
  }

  /**
   * The diagnostics `[{from, to, severity, code, message, href, related: [{from, to, message}]}]` and the fixes
   * `[{diagnostic, from, to, kind, edits: [{from, to, insert}]}]`, where `diagnostic` is the number of the diagnostic.
   */
  async diagnosed({ packs }) {
    const input = this.#input;
    if (input.format === 'empty' || input.foreign !== undefined) return { diagnostics: [], fixes: [] };
    const { faults, fixes } = await this.#faults();
    const isJudged = !faults.some(({ isProblem }) => isProblem);
    const findings = isJudged && !(Array.isArray(packs) && packs.length === 0) ? await this.#findings(packs) : [];
    const edited = ({ edits, ...fix }) => ({ ...fix, edits: edits.map((edit) => this.#moved(edit)) });
    return { diagnostics: [...faults, ...findings].map(({ isProblem, ...one }) => one), fixes: fixes.map(edited) };
  }

  #moved = ({ from, to, ...rest }) => ({ ...rest, from: from + this.#mark, to: to + this.#mark });

  /** A diagnostic at a range of the document; without one, on the first line. */
  #at(range, diagnostic) {
    if (range !== undefined) return { ...diagnostic, ...this.#moved({ from: range.from, to: range.to }) };
    const end = this.#text.search(/[\r\n]/);
    return { ...diagnostic, from: 0, to: end === -1 ? this.#text.length : end, message: `${diagnostic.message} (its place is not known)` };
  }

  /** What the schemas say, with the fixes. */
  async #faults() {
    const input = this.#input;
    const isXml = input.format === 'xml';
    const { problem, refused, errors: own, inSource = [], inTranslation = [] } = isXml ? faultsOfXml(input) : faultsOfJson(input);
    if (problem !== undefined) return this.#refusal(problem);
    const errors = own ?? [...inSource, ...inTranslation];
    const repeated = isXml ? [] : repeatedIn(input);
    const places = await placesOf(input, { errors, repeated }, undefined, 0, this.#repair);
    const faults = [...errors, ...repeated].map(({ keyword, message, path, source }, at) =>
      this.#at(places.errors[at], {
        severity: at < errors.length ? 'error' : 'warning',
        code: keyword,
        message: `${message}${insteadOf(path, source?.path ?? '//')}`,
      }),
    );
    const isRefused = refused !== undefined && !refused.isOther;
    return isRefused && errors.length === 0 ? this.#refusal(refused) : { faults, fixes: ofDiagnostics(places.fixes) };
  }

  /** Why a document cannot be judged, as a diagnostic, with the fixes. */
  async #refusal(problem) {
    if (problem.isOther) return { faults: [], fixes: [] };
    const { errors, fixes } = await placesOf(this.#input, { problem, errors: [] }, undefined, 0, this.#repair);
    const message = (problem.detail ?? problem.title).replace(ITS_PLACE, '');
    const fault = { ...this.#at(errors[0], { severity: 'error', code: problem.title, message }), isProblem: true };
    return { faults: [fault], fixes: ofDiagnostics(fixes) };
  }

  /** The packs to run: the asked ones, or the usual ones and those of industries that fit. */
  #packsFor(packs) {
    return packs === 'auto' ? [...USUAL, ...fittingOf(this.#input, this.#check, SURE)] : packs;
  }

  /** The findings of the checks. */
  async #findings(asked) {
    const input = this.#input;
    const { problem, places, related, findings, counts, notApplicable = [] } = await findingsOf(input, this.#check, this.#packsFor(asked));
    if (problem !== undefined) {
      if (problem.isOther) return [];
      const message = `not checked: ${(problem.detail ?? problem.title).replace(ITS_PLACE, '')}`;
      return [this.#at(places[0], { severity: 'error', code: problem.title, message })];
    }
    const listed = findings.map(({ rule, severity, message, pointer, path, related: other }, at) =>
      this.#at(places[at], {
        severity,
        code: rule,
        href: docsOf(rule),
        message: `${message}${insteadOf(pointer, path)}`,
        related: other === undefined || related[at] === undefined ? [] : [{ ...this.#moved(related[at]), message: other.path }],
      }),
    );
    const first = (code, message) => ({ from: 0, to: 0, severity: 'hint', code, message });
    const rest = SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0) - findings.length;
    return [
      ...notApplicable.map(({ pack, message }) => first(pack, `not checked by the pack ${pack}: ${message}`)),
      ...listed,
      ...(rest > 0 ? [first('more', `and ${rest} more findings, counted but not listed`)] : []),
    ];
  }

  /** What is at an offset: `{from, to, lines}`, as `explainedAt` gives it. */
  explained(offset) {
    const input = this.#input;
    const shift = input.shift - this.#mark;
    const found = input.format === 'empty' || input.foreign !== undefined ? undefined : explainedAt(input, offset + shift);
    return found && { ...found, from: found.from - shift, to: found.to - shift };
  }

  /** The first events, each with its step and time: `[{name, detail, from, to}]`. */
  symbols() {
    const input = this.#input;
    if (input.format === 'empty' || input.foreign !== undefined || input.parsed === undefined) return [];
    const nodes = input.format === 'xml' ? eventNodes(input.text, input.treeBy(parseXml)) : input.nodes.events;
    const shift = input.shift - this.#mark;
    return input.events.slice(0, Math.min(SYMBOLS, nodes.length)).map((event, at) => {
      const { from, to } = nodes[at];
      const own = isObject(event) ? event : {};
      const step = typeof own.bizStep === 'string' ? phrase(own.bizStep) : '';
      return {
        name: step || eventTitle(own),
        detail: own.eventTime === undefined ? '' : moment(own.eventTime, own.eventTimeZoneOffset),
        from: from - shift,
        to: to - shift,
      };
    });
  }
}
