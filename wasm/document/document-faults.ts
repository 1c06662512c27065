// The faults of a document: what the schemas say of it, or why it cannot be judged.
import type { SchemaError, Verdict, XmlSchemaError, XmlVerdict } from '../js/engine/index.ts';
import { attempt, type Refused } from './attempt.ts';
import type { DocumentInput } from './document-input.ts';
import { repeatedNames } from './places-json.ts';
import type { Range } from './text-lines.ts';

/** A place of a fault in XML. */
type InSource = Omit<XmlSchemaError, 'keyword' | 'message'>;

/** A fault, whose path is absent if only its place in the XML is known. */
export interface Fault extends Partial<SchemaError> {
  readonly keyword: string;
  readonly message: string;
  readonly source?: InSource;
}

/** The faults of a document. */
export interface Faults extends Partial<Omit<Verdict, 'errors' | 'schema'>> {
  readonly schema?: Verdict['schema'] | XmlVerdict['schema'];
  readonly errors?: readonly Fault[];
  /** Why it cannot be judged. A problem of a list of events is one of the list that the user wrote. */
  readonly problem?: Refused | undefined;
  /** The verdict of the XML schema. */
  readonly source?: Verdict | XmlVerdict;
  /** The errors of the XML schema. */
  readonly inSource?: readonly Fault[];
  /** The errors of the JSON schema in the translation. */
  readonly inTranslation?: readonly Fault[];
  /** Why it cannot be translated. */
  readonly refused?: Refused | undefined;
}

/** The faults of a JSON document: the verdict of the JSON schema, or why it cannot be judged. */
export function faultsOfJson(input: DocumentInput): Faults {
  const { value, problem } = attempt(() => input.engine.validate(input.bytes));
  return problem === undefined ? value : { problem: input.faultOfList() ?? input.ofList(problem) };
}

/** The faults of an XML document, or why it cannot be judged. */
export function faultsOfXml(input: DocumentInput): Faults {
  const { problem, value } = input.translated;
  const source = value?.sourceVerdict ?? input.verdictOfXml;
  if (source === undefined) return { problem };
  // An element that has an error already gets no second one from its translation.
  const told = new Set<string | undefined>(source.errors.map(({ path }) => path));
  return {
    source,
    inSource: source.errors.map(({ message, keyword, ...place }) => ({ message, keyword, source: place as InSource })),
    inTranslation: (value?.errors ?? []).filter((error) => !told.has(error.source?.path)),
    refused: problem,
  };
}

/** The repeated member names of JSON objects, which are no errors. */
export const repeatedIn = ({ parsed, text }: { readonly parsed: unknown; readonly text: string }): (Range & Fault & { readonly path: string })[] =>
  parsed === undefined
    ? []
    : repeatedNames(text).map(({ name, ...place }) => ({
        ...place,
        keyword: 'repeated name',
        message: `\`${name}\` is repeated here: the last one counts, but another reader may take the first`,
      }));
