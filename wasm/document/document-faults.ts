// @ts-nocheck
// The faults of a document: what the schemas say of it, or why it cannot be judged.
import { attempt } from './attempt.ts';
import { repeatedNames } from './places-json.ts';

/**
 * The faults of a JSON document: the verdict of the JSON schema, or `{problem}` if it cannot be judged. A problem of a list of events is
 * one of the list that the user wrote.
 */
export function faultsOfJson(input) {
  const { value, problem } = attempt(() => input.engine.validate(input.bytes));
  return problem === undefined ? value : { problem: input.faultOfList() ?? input.ofList(problem) };
}

/**
 * The faults of an XML document: `{source, inSource, inTranslation, refused}`, or `{problem}` if it cannot be judged. `source` is the
 * verdict of the XML schema; `inSource` are its errors, `inTranslation` those of the JSON schema, each with the place in the XML as
 * `source`. `refused` is why it cannot be translated.
 */
export function faultsOfXml(input) {
  const { problem, value } = input.translated;
  const source = value?.sourceVerdict ?? input.verdictOfXml;
  if (source === undefined) return { problem };
  // An element that has an error already gets no second one from its translation.
  const told = new Set(source.errors.map(({ path }) => path));
  return {
    source,
    inSource: source.errors.map(({ message, keyword, ...place }) => ({ message, keyword, source: place })),
    inTranslation: (value?.errors ?? []).filter((error) => !told.has(error.source?.path)),
    refused: problem,
  };
}

/** The repeated member names of JSON objects, which are no errors. */
export const repeatedIn = ({ parsed, text }) =>
  parsed === undefined
    ? []
    : repeatedNames(text).map(({ name, ...place }) => ({
        ...place,
        keyword: 'repeated name',
        message: `\`${name}\` is repeated here: the last one counts, but another reader may take the first`,
      }));
