// @ts-nocheck
// The functions about whole documents and identifiers: all that the playground and the web component have of the package.
import { contextText, eitherDocument, jsonDocument, optionsOf, prefixLength, text, xmlDocument } from './arguments.ts';
import { refusing } from './error.ts';
import { handed } from './text.ts';

/** Returns a function that makes a verdict of the errors from the engine that `load` returns. */
export function makeVerdicts(load) {
  let schema;
  return (errors) => {
    // For XML the engine returns a complete verdict, since the schema depends on the document.
    if (errors?.schema) return errors;
    schema ??= load().schemaPin();
    return { valid: errors === undefined, schema: { ...schema }, errors: errors ?? [] };
  };
}

/**
 * @param load returns the engine, and loads it first if necessary; throws if the engine needs `init`
 * @param verdictOf makes a verdict of the errors from the engine
 */
export function makeDocumentApi(load, verdictOf = makeVerdicts(load)) {
  /** Calls the engine with a checked document. */
  const asked = (document, call) => {
    const engine = load();
    return refusing(() => call(engine, handed(engine, document)));
  };
  const hashing = (name) => (document, options) => {
    const { profile, context, undeclared, pieces } = optionsOf(name, options);
    const [source, around] = [eitherDocument(document), contextText(context)];
    return asked(source, (engine, given) => engine[name](given, profile, around, undeclared, pieces));
  };
  return {
    validate(document, options) {
      optionsOf('validate', options);
      const source = eitherDocument(document);
      // Bytes have a call of their own, which is faster: it needs no type checks.
      const verdict = asked(source, (engine, given) => verdictOf(given === undefined ? engine.validate(given) : engine.validateBytes(given)));
      // An object has no lines: drop those of the JSON text that was made from it.
      const isText = typeof document === 'string' || source instanceof Uint8Array;
      return isText || verdict.valid ? verdict : { ...verdict, errors: verdict.errors.map(({ line, column, ...error }) => error) };
    },
    hash: hashing('hash'),
    preHash: hashing('preHash'),
    verify(document, options) {
      const { context, undeclared } = optionsOf('verify', options);
      const [source, around] = [eitherDocument(document), contextText(context)];
      return asked(source, (engine, given) => engine.verify(given, around, undeclared));
    },
    translate(xml, options) {
      const { as = 'object', validate = true } = optionsOf('translate', options);
      try {
        return asked(xmlDocument(xml), (engine, given) => engine.translate(given, as === 'text', !validate));
      } catch (error) {
        // Only a translation that is not valid has errors.
        throw error.problem?.errors === undefined
          ? error
          : Object.assign(error, { hint: 'translate(xml, { validate: false }) returns the document with its errors' });
      }
    },
    toXml(document, options) {
      const { version } = optionsOf('toXml', options);
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
