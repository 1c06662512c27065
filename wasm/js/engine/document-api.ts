// The functions about whole documents and identifiers: all that the playground and the web component have of the package.
import type { DocumentEngine, Handed, Judged } from './engines.ts';
import { PROFILES } from './answers.ts';
import {
  eitherDocument,
  FLAG,
  jsonDocument,
  optionsOf,
  prefixLength,
  type Rule,
  type Rules,
  stringified,
  tagOf,
  text,
  unfit,
  word,
  xmlDocument,
} from './arguments.ts';
import { EpcisError, refusing } from './error.ts';
import type * as Surface from './index.ts';
import { handed, type Text } from './text.ts';

export type DocumentApi = Pick<typeof Surface, 'validate' | 'hash' | 'preHash' | 'verify' | 'translate' | 'toXml' | 'identifiers'>;
/** Makes a verdict of the errors from an engine. */
export type VerdictOf = (errors: Judged) => Surface.Verdict | Surface.XmlVerdict;

const isContextEntry = (entry: unknown): boolean => typeof entry === 'string' || (tagOf(entry) === 'Object' && unfit(entry) === undefined);
const CONTEXT: Rule = {
  check: (value) => isContextEntry(value) || (Array.isArray(value) && value.every(isContextEntry)),
  expected: 'a JSON-LD context: a string, an object, or an array of these',
};

const HASHED: Rules<Surface.PrefixOptions> = { context: CONTEXT, undeclared: word('refuse', 'keep') };
const HASH: Rules<Surface.HashOptions> = { profile: word(...PROFILES), ...HASHED };
const OPTIONS = { hash: HASH, preHash: { ...HASH, pieces: FLAG } };
/** The rules of the options of `toXml`. */
export const TO_XML: Rules<{ readonly version?: '2.0' | '1.2' | undefined }> = { version: word('2.0', '1.2') };

/** The option `context` as JSON text. */
const contextText = (context: unknown): string | undefined =>
  context === undefined ? undefined : stringified(context, 'the option context', CONTEXT.expected);

export function makeVerdicts(load: () => DocumentEngine): VerdictOf {
  let schema: Surface.SchemaPin | undefined;
  return (errors) => {
    if (errors !== undefined && 'schema' in errors) return errors;
    schema ??= load().schemaPin();
    return { valid: errors === undefined, schema: { ...schema }, errors: errors ?? [] };
  };
}

/**
 * @param load returns the engine, and loads it first if necessary; throws if the engine needs `init`
 * @param verdictOf makes a verdict of the errors from the engine
 */
export function makeDocumentApi(load: () => DocumentEngine, verdictOf: VerdictOf = makeVerdicts(load)): DocumentApi {
  /** Calls the engine with a checked document. */
  const asked = <Answer>(document: Uint8Array | Text, call: (engine: DocumentEngine, given: Handed) => Answer): Answer => {
    const engine = load();
    return refusing(() => call(engine, handed(engine, document)));
  };
  const hashing = <Name extends 'hash' | 'preHash'>(name: Name) =>
    ((document: unknown, options?: unknown) => {
      const { profile, context, undeclared, pieces }: Surface.PreHashOptions = optionsOf(name, OPTIONS[name], options);
      const [source, around] = [eitherDocument(document), contextText(context)];
      return asked(source, (engine, given) => engine[name](given, profile, around, undeclared, pieces));
    }) as DocumentApi[Name];
  return {
    validate: ((document: unknown, options?: unknown) => {
      optionsOf('validate', {}, options);
      const source = eitherDocument(document);
      // Bytes have a call of their own, which is faster: it needs no type checks.
      const verdict = asked(source, (engine, given) => verdictOf(given === undefined ? engine.validate(given) : engine.validateBytes(given)));
      // An object has no lines: drop those of the JSON text that was made from it.
      const isText = typeof document === 'string' || source instanceof Uint8Array;
      return isText || verdict.valid ? verdict : { ...verdict, errors: verdict.errors.map(({ line, column, ...error }) => error) };
    }) as DocumentApi['validate'],
    hash: hashing('hash'),
    preHash: hashing('preHash'),
    verify(document, options) {
      const { context, undeclared } = optionsOf('verify', HASHED, options);
      const [source, around] = [eitherDocument(document), contextText(context)];
      return asked(source, (engine, given) => engine.verify(given, around, undeclared));
    },
    translate: ((xml: unknown, options?: unknown) => {
      const { as = 'object', validate = true } = optionsOf<Surface.TranslateOptions>('translate', { as: word('object', 'text'), validate: FLAG }, options);
      try {
        return asked(xmlDocument(xml), (engine, given) => engine.translate(given, as === 'text', !validate));
      } catch (error) {
        // Only a translation that is not valid has errors.
        if (error instanceof EpcisError && error.problem.errors !== undefined)
          error.hint = 'translate(xml, { validate: false }) returns the document with its errors';
        throw error;
      }
    }) as DocumentApi['translate'],
    toXml(document, options) {
      const { version } = optionsOf('toXml', TO_XML, options);
      return asked(jsonDocument(document), (engine, given) => engine.toXml(given, version));
    },
    identifiers: {
      toDigitalLink(identifier) {
        return load().toDigitalLink(text('the identifier', identifier));
      },
      toEpcUrn(digitalLink, companyPrefixLength) {
        const [link, length] = [text('the Digital Link', digitalLink), prefixLength(companyPrefixLength)];
        return refusing(() => load().toEpcUrn(link, length));
      },
      checkDigit(digits) {
        if (!/^\d{1,30}$/.test(text('the digits', digits))) throw new TypeError(`the digits are "${digits.slice(0, 40)}", expected a string of 1 to 30 digits`);
        return load().checkDigit(digits);
      },
      eventName(eventID) {
        return load().eventName(text('the eventID', eventID));
      },
      keys: () => load().keys(),
    },
  };
}
