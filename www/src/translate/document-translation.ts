// The translation of a document to the other format, with its fidelity report.
import { attempt } from '../../../wasm/document/attempt.ts';
import type { FidelityNote, Translation, TranslationError, XmlTranslation } from '../../../wasm/js/engine/index.ts';
import type { Attempt, Problem } from '../engine/answers.ts';
import type { StoryInput } from '../flow/history.ts';
import { prettyJson, prettyXml, SHOWN_TEXT } from '../shared/pretty.ts';

/** The maximum number of notes of a fidelity report sent to the page. */
const NOTES = 1000;

export type XmlVersion = '2.0' | '1.2';

/** A note of a fidelity report. */
export interface Note extends FidelityNote {
  readonly isLoss: boolean;
}

/** What a translation loses, with the first notes. */
export interface Fidelity {
  readonly isClean: boolean;
  readonly losses: number;
  readonly summary: string;
  readonly notes: readonly Note[];
  readonly total: number;
}

interface Refused {
  readonly direction: 'to-json' | 'to-xml';
  readonly version?: string;
  readonly problem: Problem;
}

/** A translation, with the beginning of its text. */
export interface Translated {
  readonly direction: 'to-json' | 'to-xml';
  readonly problem?: undefined;
  readonly isValid: boolean | undefined;
  readonly version: string;
  readonly events: number;
  readonly report: Fidelity;
  /** What the JSON schema says of a translation to JSON. */
  readonly errors?: readonly TranslationError[] | undefined;
  readonly output: string;
  readonly size: number;
  readonly isCut: boolean;
}

export type TranslationAnswer = Translated | Refused;

/** The translation of JSON to an XML version, made once. */
const xmlOf = (input: StoryInput, version: XmlVersion): Attempt<XmlTranslation> =>
  input.once(`back ${version}`, () => attempt(() => input.engine.toXml(input.bytes, { version })));

/** The translation to JSON, or to an XML version. */
export function translationOf(input: StoryInput, version: XmlVersion, isValid: boolean | undefined): TranslationAnswer {
  if (input.foreign !== undefined) return { direction: 'to-json', problem: input.refusal };
  if (input.format === 'xml') {
    const { value, problem }: Attempt<Translation<string>> = input.translated;
    if (problem !== undefined)
      return {
        direction: 'to-json',
        problem,
      };
    const { fidelityReport: report } = value;
    return {
      direction: 'to-json',
      isValid,
      version: value.sourceSchemaVersion,
      events: value.meteredEvents,
      report: reportOf(report.roundTripClean, report.lossyPaths, report),
      /** What the JSON schema says of the translation. */
      errors: value.errors,
      ...shown(value.document, prettyJson),
    };
  }
  const { value, problem }: Attempt<XmlTranslation> = xmlOf(input, version);
  if (problem !== undefined) return { direction: 'to-xml', version, problem: input.faultOfList() ?? input.ofList(problem) };
  return {
    direction: 'to-xml',
    isValid,
    version,
    events: value.meteredEvents,
    report: reportOf(value.report.clean, value.report.lossyPointers, value.report),
    ...shown(value.document, prettyXml),
  };
}

function reportOf(isClean: boolean, lossy: readonly string[], { noteList, summary }: Pick<XmlTranslation['report'], 'noteList' | 'summary'>): Fidelity {
  const lost = new Set(lossy);
  const noted = new Set(noteList.map(({ path }) => path));
  const notes: Note[] = noteList.map((note) => ({ ...note, isLoss: lost.has(note.path) }));
  for (const path of lossy) if (!noted.has(path)) notes.push({ path, code: 'lossy', text: 'does not come back unchanged', isLoss: true });
  return { isClean, losses: lossy.length, summary, notes: notes.slice(0, NOTES), total: notes.length };
}

function shown(text: string, pretty: (text: string) => string) {
  const head = text.length > SHOWN_TEXT ? text.slice(0, SHOWN_TEXT) : text;
  return { output: pretty(head), size: text.length, isCut: text.length > SHOWN_TEXT };
}

/** The text of the download of the translation. */
export const translationText = (input: StoryInput, version: XmlVersion): string =>
  input.format === 'xml' ? prettyJson(input.translated.value?.document ?? '') : (xmlOf(input, version).value?.document ?? '');

/** The text of the download of the fidelity report. */
export const reportText = (input: StoryInput, version: XmlVersion): string =>
  JSON.stringify(input.format === 'xml' ? input.translated.value?.fidelityReport : xmlOf(input, version).value?.report, null, 2);
