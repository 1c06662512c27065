// The translation of a document to the other format, with its fidelity report.
import { attempt } from '../../../wasm/document/attempt.ts';
import { prettyJson, prettyXml, SHOWN_TEXT } from '../shared/pretty.js';

/** The maximum number of notes of a fidelity report sent to the page. */
const NOTES = 1000;

/** The translation of JSON to an XML version, if {@link translationOf} has made it. */
const xmlOf = (input, version) => input.once(`back ${version}`, () => ({})).value;

/** The translation to JSON, or to an XML version. */
export function translationOf(input, version, isValid) {
  if (input.foreign !== undefined) return { direction: 'to-json', problem: input.refusal };
  if (input.format === 'xml') {
    const { value, problem } = input.translated;
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
  const { value, problem } = input.once(`back ${version}`, () => attempt(() => input.engine.toXml(input.bytes, { version })));
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

function reportOf(isClean, lossy, { noteList, summary }) {
  const lost = new Set(lossy);
  const noted = new Set(noteList.map(({ path }) => path));
  const notes = noteList.map((note) => ({ ...note, isLoss: lost.has(note.path) }));
  for (const path of lossy) if (!noted.has(path)) notes.push({ path, code: 'lossy', text: 'does not come back unchanged', isLoss: true });
  return { isClean, losses: lossy.length, summary, notes: notes.slice(0, NOTES), total: notes.length };
}

function shown(text, pretty) {
  const head = text.length > SHOWN_TEXT ? text.slice(0, SHOWN_TEXT) : text;
  return { output: pretty(head), size: text.length, isCut: text.length > SHOWN_TEXT };
}

/** The text of the download of the translation. */
export const translationText = (input, version) =>
  input.format === 'xml' ? prettyJson(input.translated.value?.document ?? '') : (xmlOf(input, version)?.document ?? '');

/** The text of the download of the fidelity report. */
export const reportText = (input, version) =>
  JSON.stringify(input.format === 'xml' ? input.translated.value?.fidelityReport : xmlOf(input, version)?.report, null, 2);
