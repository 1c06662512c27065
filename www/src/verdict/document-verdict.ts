// The verdict on a document: whether it is valid, and its errors.
import type { Place, SchemaPin, Verdict, XmlSchemaPin } from '../../../wasm/js/engine/index.ts';
import { vocabulariesOf } from '../../../wasm/js/names/names.ts';
import { attempt } from '../../../wasm/document/attempt.ts';
import { isLikeEvent } from '../../../wasm/document/detect.ts';
import { faultsOfJson, faultsOfXml, repeatedIn } from '../../../wasm/document/document-faults.ts';
import type { Problem } from '../engine/answers.ts';
import type { Shape } from '../../../wasm/document/event-list.ts';
import type { StoryInput } from '../flow/history.ts';
import { isObject, type Overview, overview } from '../events/event-model.ts';
import { causesFirst, fitting } from './order.ts';

/** An error of a schema: in JSON with its `path`, in XML with its `source`, in a translation with both. */
export interface VerdictError {
  readonly path?: string;
  readonly keyword: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly source?: Place;
  /** Whether it follows from another error. */
  readonly follows?: boolean;
}

/** A member name that is repeated. */
export interface Repeated {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

export interface VerdictAnswer {
  readonly format: 'xml' | 'json' | 'empty' | 'foreign';
  /** Absent of an empty document. */
  readonly valid?: boolean;
  readonly errors: readonly VerdictError[];
  readonly problem?: Problem | undefined;
  /** The pinned JSON schema. */
  readonly schema?: SchemaPin | undefined;
  readonly repeated?: readonly Repeated[];
  /** Of XML: the number of errors of the XML schema, which come first. */
  readonly inSource?: number;
  readonly isSourceValid?: boolean;
  readonly isTranslationValid?: boolean | undefined;
  /** Why XML cannot be translated. */
  readonly refused?: Problem | undefined;
  /** The XML schema. */
  readonly source?: XmlSchemaPin;
  readonly sourceVersion?: string | undefined;
  readonly shape?: Shape | 'event';
  readonly hasMasterData?: boolean;
  readonly overview?: Overview;
}

/** The verdict on a document, with what the Validate tab says of it. */
export function verdictOf(input: StoryInput): VerdictAnswer {
  const { engine, format } = input;
  if (format === 'empty') return { format, errors: [] };
  if (input.foreign !== undefined) return { format: 'foreign', problem: input.refusal, errors: [], valid: false };
  if (format === 'json') {
    const { problem, ...verdict } = faultsOfJson(input);
    if (problem !== undefined) return { problem, errors: [], valid: false, format };
    return { ...(verdict as Verdict), errors: causesFirst(fitting(verdict.errors ?? [])), repeated: repeatedIn(input), ...aboutOf(input) };
  }
  const { problem, source, inSource = [], inTranslation = [], refused } = faultsOfXml(input);
  if (problem !== undefined || source === undefined) return { problem, errors: [], valid: false, format };
  const { value } = input.translated;
  return {
    valid: (refused === undefined || refused.isOther === true) && inSource.length + inTranslation.length === 0,
    // Causes first: errors of the XML schema in the document, then errors of the JSON schema in its translation.
    errors: [...inSource, ...causesFirst(inTranslation)],
    inSource: inSource.length,
    isSourceValid: source.valid,
    isTranslationValid: value === undefined ? undefined : value.errors?.length === 0,
    refused,
    source: source.schema as XmlSchemaPin,
    sourceVersion: value?.sourceSchemaVersion,
    // The pinned JSON schema, which every verdict names.
    schema: attempt(() => engine.validate('{}')).value?.schema as SchemaPin | undefined,
    ...aboutOf(input, value?.sourceSchemaVersion),
  };
}

/** The kind of the document, with an overview of its events. `version` is that of XML. */
function aboutOf({ format, shape, parsed, events }: StoryInput, version?: string): Pick<VerdictAnswer, 'format' | 'shape' | 'hasMasterData' | 'overview'> {
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
export function verdictText({ overview: _, format: __, shape: ___, hasMasterData: ____, repeated: _____, ...verdict }: VerdictAnswer): string {
  return JSON.stringify(verdict, null, 2);
}
