// The verdict on a document: whether it is valid, and its errors.
import { vocabulariesOf } from '../../wasm/js/names.js';
import { attempt } from '../../wasm/document/attempt.js';
import { overview } from './event-model.js';
import { causesFirst, fitting } from './order.js';
import { repeatedNames } from '../../wasm/document/places-json.js';

/** The verdict on a document, with what the Validate tab says of it. */
export function verdictOf(input) {
  const { engine, format } = input;
  if (format === 'empty') return { format, errors: [] };
  if (input.foreign !== undefined) return { format: 'foreign', problem: input.refusal, errors: [], valid: false };
  if (format === 'json') {
    const { value, problem } = attempt(() => engine.validate(input.bytes));
    if (problem !== undefined) return { problem: input.faultOfList() ?? input.ofList(problem), errors: [], valid: false, format };
    return { ...value, errors: causesFirst(fitting(value.errors)), repeated: repeatedIn(input), ...aboutOf(input) };
  }
  const { problem, value } = input.translated;
  const source = value?.sourceVerdict ?? input.verdictOfXml;
  if (problem !== undefined && source === undefined) return { problem, errors: [], valid: false, format };
  // Causes first: errors of the XML schema in the document, then errors of the JSON schema in its translation.
  const inSource = source.errors.map(({ message, keyword, ...place }) => ({ message, keyword, source: place }));
  // An element that has an error already gets no second one from its translation.
  const told = new Set(source.errors.map(({ path }) => path));
  const inTranslation = (value?.errors ?? []).filter((error) => !told.has(error.source?.path));
  return {
    valid: (problem === undefined || problem.isOther === true) && inSource.length + inTranslation.length === 0,
    errors: [...inSource, ...causesFirst(inTranslation)],
    inSource: inSource.length,
    isSourceValid: source.valid,
    isTranslationValid: value === undefined ? undefined : value.errors.length === 0,
    refused: problem,
    source: source.schema,
    sourceVersion: value?.sourceSchemaVersion,
    // The pinned JSON schema, which every verdict names.
    schema: attempt(() => engine.validate('{}')).value?.schema,
    ...aboutOf(input, value?.sourceSchemaVersion),
  };
}

/** The kind of the document, with an overview of its events. `version` is that of XML. */
function aboutOf({ format, shape, parsed, events }, version) {
  if (parsed === undefined) return { format };
  const seen = overview(parsed, events);
  return {
    format,
    shape,
    hasMasterData: vocabulariesOf(parsed).length > 0,
    overview:
      version === undefined
        ? shape === 'document'
          ? seen
          : { ...seen, type: shape === 'array' ? 'Array of events' : 'NDJSON, one event per line', schemaVersion: '', contexts: [] }
        : { ...seen, schemaVersion: version },
  };
}

/** The repeated member names of JSON objects, as warnings. */
const repeatedIn = ({ parsed, text }) =>
  parsed === undefined
    ? []
    : repeatedNames(text).map(({ name, ...place }) => ({
        ...place,
        keyword: 'repeated name',
        message: `\`${name}\` is repeated here: the last one counts on this page, another reader may take the first`,
      }));

/** The text of the download of a verdict. */
export function verdictText({ overview: _, format: __, shape: ___, hasMasterData: ____, repeated: _____, ...verdict }) {
  return JSON.stringify(verdict, null, 2);
}
