// One document as the language server's thread of judging sees it: its diagnostics, its symbols, and what stands at a place.
// All offsets are those of the editor's text.
import { type PackName, SEVERITIES, type Severity, USUAL_PACKS } from '../js/engine/answers.ts';
import type { Refused } from '../document/attempt.ts';
import { type Check, docsOf, fittingOf, SURE } from '../document/check-document.ts';
import { faultsOfJson, faultsOfXml, repeatedIn } from '../document/document-faults.ts';
import { DocumentInput, type Engine } from '../document/document-input.ts';
import { otherJson } from '../document/other-json.ts';
import { findingsOf, placesOf } from '../document/document-places.ts';
import { eventTitle, isObject } from '../document/events.ts';
import { eventNodes, parseXml } from '../document/places-xml.ts';
import type { Fix as Correction } from '../document/fixes.ts';
import type { Repairing } from '../document/repairs.ts';
import type { Range } from '../document/text-lines.ts';
import { moment, phrase } from '../document/words.ts';
import { type Explained, explainedAt } from './explained.ts';
import type { Settings } from './settings.ts';

/** The most events that are listed as symbols. */
const SYMBOLS = 5000;

/** A diagnostic at a range of the editor's text. */
export interface Diagnosis extends Range {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** What documents the rule. */
  readonly href?: string;
  readonly related?: readonly (Range & { readonly message: string })[];
}

/** A diagnostic; `isProblem`, if it says why the document cannot be judged. */
type Judged = Diagnosis & { readonly isProblem?: boolean };

/** A correction of a diagnostic, by its number. */
export interface Fix extends Omit<Correction, 'error'> {
  readonly diagnostic: number;
}

export interface Diagnosed {
  readonly diagnostics: readonly Diagnosis[];
  readonly fixes: readonly Fix[];
}

/** An event: its step and time. */
export interface EventSymbol extends Range {
  readonly name: string;
  readonly detail: string;
}

/** The functions of `epcis-edge/check` that are needed. */
export interface Checks {
  readonly check: Check;
  readonly repair: Repairing;
}

/** The place that a problem's sentence names: the editor shows it. */
const ITS_PLACE = /, at line \d+ column \d+(?:, in `[^`]*`)?/;

/** Whether a path of XML is that of the document element or of an event. */
const isWide = (path: string): boolean => /^\/[^/]*$/.test(path) || /(?:EventList|[eE]xtension)\[\d+\]\/[^/]+\[\d+\]$/.test(path);
/** Whether a pointer into a translation is that of the document or of an event. */
const isWidePointer = (pointer: string): boolean => pointer === '' || /\/eventList\/\d+$/.test(pointer);
/** What is said of a fault of a value whose own place is not known: `''`, or where the diagnostic stands. */
function insteadOf(pointer: string | undefined, path: string): string {
  if (pointer === undefined || isWidePointer(pointer) || !isWide(path)) return '';
  return /^\/[^/]*$/.test(path) ? ' (somewhere in this document)' : ' (somewhere in this event)';
}

/** Fixes with the numbers of their diagnostics, which are those of the errors. */
const ofDiagnostics = (fixes: readonly Correction[]): Fix[] => fixes.map(({ error, ...fix }) => ({ diagnostic: error, ...fix }));

export class Opened {
  readonly #input: DocumentInput;
  readonly #check: Check;
  readonly #repair: Repairing;
  /** The length of the byte order mark, which is not part of the document. */
  readonly #mark: number;
  readonly #text: string;

  constructor(engine: Engine, { check, repair }: Checks, text: string) {
    this.#check = check;
    this.#repair = repair;
    this.#text = text;
    this.#mark = text.startsWith('\ufeff') ? 1 : 0;
    this.#input = new DocumentInput(engine, new TextEncoder().encode(text.slice(this.#mark)), true, { otherJson });
  }

  async diagnosed({ packs }: Settings): Promise<Diagnosed> {
    const input = this.#input;
    if (input.format === 'empty' || input.foreign !== undefined) return { diagnostics: [], fixes: [] };
    const { faults, fixes } = await this.#faults();
    const isJudged = !faults.some(({ isProblem }) => isProblem);
    const findings = isJudged && !(Array.isArray(packs) && packs.length === 0) ? await this.#findings(packs) : [];
    const edited = ({ edits, ...fix }: Fix): Fix => ({ ...fix, edits: edits.map((edit) => this.#moved(edit)) });
    const all: readonly Judged[] = [...faults, ...findings];
    return { diagnostics: all.map(({ isProblem, ...one }) => one), fixes: fixes.map(edited) };
  }

  #moved<Placed extends Range>(range: Placed): Placed {
    return { ...range, from: range.from + this.#mark, to: range.to + this.#mark };
  }

  /** A diagnostic at a range of the document; without one, on the first line. */
  #at(range: Range | undefined, diagnostic: Omit<Diagnosis, 'from' | 'to'>): Diagnosis {
    if (range !== undefined) return { ...diagnostic, ...this.#moved({ from: range.from, to: range.to }) };
    const end = this.#text.search(/[\r\n]/);
    return { ...diagnostic, from: 0, to: end === -1 ? this.#text.length : end, message: `${diagnostic.message} (its place is not known)` };
  }

  /** What the schemas say, with the fixes. */
  async #faults(): Promise<{ readonly faults: readonly Judged[]; readonly fixes: readonly Fix[] }> {
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
  async #refusal(problem: Refused): Promise<{ readonly faults: readonly Judged[]; readonly fixes: readonly Fix[] }> {
    if (problem.isOther) return { faults: [], fixes: [] };
    const { errors, fixes } = await placesOf(this.#input, { problem, errors: [] }, undefined, 0, this.#repair);
    const message = (problem.detail ?? problem.title).replace(ITS_PLACE, '');
    const fault = { ...this.#at(errors[0], { severity: 'error', code: problem.title, message }), isProblem: true };
    return { faults: [fault], fixes: ofDiagnostics(fixes) };
  }

  /** The packs to run: the asked ones, or the usual ones and those of industries that fit. */
  #packsFor(packs: Settings['packs']): readonly PackName[] {
    return packs === 'auto' ? [...USUAL_PACKS, ...fittingOf(this.#input, this.#check, SURE)] : packs;
  }

  /** The findings of the checks. */
  async #findings(asked: Settings['packs']): Promise<Diagnosis[]> {
    const input = this.#input;
    const found = await findingsOf(input, this.#check, this.#packsFor(asked));
    if (found.problem !== undefined) {
      const { problem, places } = found;
      if (problem.isOther) return [];
      const message = `not checked: ${(problem.detail ?? problem.title).replace(ITS_PLACE, '')}`;
      return [this.#at(places[0], { severity: 'error', code: problem.title, message })];
    }
    const { places, related, findings, counts, notApplicable = [] } = found;
    const listed = findings.map(({ rule, severity, message, pointer, path, related: other }, at) => {
      const place = related[at];
      return this.#at(places[at], {
        severity,
        code: rule,
        href: docsOf(rule),
        message: `${message}${insteadOf(pointer, path)}`,
        related: other === undefined || place === undefined ? [] : [{ ...this.#moved(place), message: other.path }],
      });
    });
    const first = (code: string, message: string): Diagnosis => ({ from: 0, to: 0, severity: 'hint', code, message });
    const rest = SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0) - findings.length;
    return [
      ...notApplicable.map(({ pack, message }) => first(pack, `not checked by the pack ${pack}: ${message}`)),
      ...listed,
      ...(rest > 0 ? [first('more', `and ${rest} more findings, counted but not listed`)] : []),
    ];
  }

  /** What is at an offset. */
  explained(offset: number): Explained | undefined {
    const input = this.#input;
    const shift = input.shift - this.#mark;
    const found = input.format === 'empty' || input.foreign !== undefined ? undefined : explainedAt(input, offset + shift);
    return found && { ...found, from: found.from - shift, to: found.to - shift };
  }

  /** The first events. */
  symbols(): EventSymbol[] {
    const input = this.#input;
    if (input.format === 'empty' || input.foreign !== undefined || input.parsed === undefined) return [];
    const nodes = input.format === 'xml' ? eventNodes(input.text, input.treeBy(parseXml)) : input.nodes.events;
    const shift = input.shift - this.#mark;
    return nodes.slice(0, Math.min(SYMBOLS, input.events.length)).map(({ from, to }, at) => {
      const event = input.events[at];
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
