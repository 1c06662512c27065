// The verdict on a document: whether it is valid, and its errors.
import { vocabulariesOf } from '../../../wasm/js/names/names.ts';
import { attempt } from '../../../wasm/document/attempt.ts';
import { isLikeEvent } from '../../../wasm/document/detect.ts';
import { faultsOfJson, faultsOfXml, repeatedIn } from '../../../wasm/document/document-faults.ts';
import { isObject, overview } from '../events/event-model.js';
import { causesFirst, fitting } from './order.js';

/** The verdict on a document, with what the Validate tab says of it. */
export function verdictOf(input) {
  const { engine, format } = input;
  if (format === 'empty') return { format, errors: [] };
  if (input.foreign !== undefined) return { format: 'foreign', problem: input.refusal, errors: [], valid: false };
  if (format === 'json') {
    const { problem, ...verdict } = faultsOfJson(input);
    if (problem !== undefined) return { problem, errors: [], valid: false, format };
    return { ...verdict, errors: causesFirst(fitting(verdict.errors)), repeated: repeatedIn(input), ...aboutOf(input) };
  }
  const { problem, source, inSource, inTranslation, refused } = faultsOfXml(input);
  if (problem !== undefined) return { problem, errors: [], valid: false, format };
  const { value } = input.translated;
  return {
    valid: (refused === undefined || refused.isOther === true) && inSource.length + inTranslation.length === 0,
    // Causes first: errors of the XML schema in the document, then errors of the JSON schema in its translation.
    errors: [...inSource, ...causesFirst(inTranslation)],
    inSource: inSource.length,
    isSourceValid: source.valid,
    isTranslationValid: value === undefined ? undefined : value.errors.length === 0,
    refused,
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
    shape: shape === 'document' && isObject(parsed) && parsed.epcisBody === undefined && isLikeEvent(parsed) ? 'event' : shape,
    hasMasterData: vocabulariesOf(parsed).length > 0,
    overview:
      version === undefined
        ? shape === 'document'
          ? seen
          : { ...seen, type: shape === 'array' ? 'Array of events' : 'NDJSON, one event per line', schemaVersion: '', contexts: [] }
        : { ...seen, schemaVersion: version },
  };
}

/** The text of the download of a verdict. */
export function verdictText({ overview: _, format: __, shape: ___, hasMasterData: ____, repeated: _____, ...verdict }) {
  return JSON.stringify(verdict, null, 2);
}
