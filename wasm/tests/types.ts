// Compiles only if the declarations say what a user relies on.
import { type EpcisError, type Problem, type SchemaError, type Verdict, hash, identifiers, init, preHash, toXml, translate, translateStream, validate, validateStream, verify } from 'epcis-edge';

const verdict: Verdict = validate(new Uint8Array());
const fromText: boolean = validate('{}').valid;
const errors: readonly SchemaError[] = validate({}).errors;
const version: '2.0.1' = verdict.schema.version;
const describe = (error: EpcisError): Problem['status'] => error.problem.status;
// @ts-expect-error a number is no document
validate(7);
// @ts-expect-error answers are read-only
verdict.valid = true;
const uri: `ni:///sha-256;${string}` = hash('[]', { profile: 'REF2025' })[0]!;
const text: string = preHash('[]')[0]!.preHash;
const profiles: readonly ('CBV2.0' | 'CBV2.1' | 'REF2025')[] = verify('[]')[0]!.profiles;
// @ts-expect-error there is no such profile
hash('[]', { profile: 'CBV1.2' });
const loaded: Promise<void> = init(new URL('https://example.com/x.wasm'));
const json: string = translate('<a/>', { as: 'text' }).document;
const object: Record<string, unknown> = translate(new Uint8Array()).document;
const xml: string = toXml({}, { version: '1.2' }).document;
const link: string | undefined = identifiers.toDigitalLink('urn:epc:id:sscc:4012345.0000000333');
const lines: ReadableStream<Uint8Array> = new Blob([]).stream().pipeThrough(translateStream());
const objects = translateStream({ as: 'object' });
const metered: Promise<number> = objects.report.then(({ meteredEvents }) => meteredEvents);
const events: ReadableStream<Record<string, unknown>> = objects.readable;
const verdicts: ReadableStream<Verdict> = new Blob([]).stream().pipeThrough(validateStream());
// @ts-expect-error there is no such form
translateStream({ as: 'csv' });
export { events, lines, metered, verdicts };
export { describe, errors, fromText, json, link, loaded, object, profiles, text, uri, version, xml };
