// Compiles only if the declarations say what a user relies on; without the types of a browser or of Node.
import {
  EpcisError,
  type HashOptions,
  type JsonLd,
  type Problem,
  type SchemaError,
  type Verdict,
  type XmlVerdict,
  hash,
  identifiers,
  init,
  preHash,
  toXml,
  translate,
  translateStream,
  validate,
  validateStream,
  verify,
} from 'epcis-edge';
import { check } from 'epcis-edge/check';
import * as inline from 'epcis-edge/inline';

const verdict: Verdict | XmlVerdict = validate(new Uint8Array());
const ofObject: Verdict = validate({});
const fromText: boolean = validate('{}').valid;
const errors: readonly SchemaError[] = validate({}).errors;
const version: '2.0.1' = ofObject.schema.version;
const describe = (error: EpcisError): Problem['status'] => error.problem.status;
const severities: readonly ('error' | 'warning' | 'hint')[] = check('[]', { packs: ['cbv'], now: new Date() }).findings.map(({ severity }) => severity);
// @ts-expect-error there is no such pack
check('[]', { packs: ['gs1'] });
// @ts-expect-error a number is no document
validate(7);
// @ts-expect-error answers are read-only
verdict.valid = true;
const uri: `ni:///sha-256;${string}` = hash('[]', { profile: 'REF2025' })[0]!;
const text: string = preHash('[]')[0]!.preHash;
const profiles: readonly ('CBV2.0' | 'CBV2.1' | 'REF2025')[] = verify('[]')[0]!.profiles;
// @ts-expect-error there is no such profile
hash('[]', { profile: 'CBV1.2' });
const options: HashOptions = { context: ['https://example.com/', { ex: 'https://ex.example/' }], undeclared: 'keep', profile: undefined };
hash({}, options);
verify({}, { context: { ex: 'https://ex.example/' } });
// @ts-expect-error a profile is nothing that verify could be told
verify({}, { profile: 'CBV2.0' });
// @ts-expect-error no document can be a context
hash({}, { context: 5 });
const loaded: Promise<void> = init(new Uint8Array());
const promised: Promise<void> = init(Promise.resolve(new ArrayBuffer(8)));
const json: string = translate('<a/>', { as: 'text' }).document;
const object: JsonLd = translate(new Uint8Array()).document;
const step: string = translate('<a/>').document.epcisBody.eventList[0].bizStep;
declare const as: 'object' | 'text';
const either: JsonLd | string = translate('<a/>', { as }).document;
const xml: string = toXml({}, { version: '1.2' }).document;
const link: string | undefined = identifiers.toDigitalLink('urn:epc:id:sscc:4012345.0000000333');
const objects = translateStream({ as: 'object' });
const metered: Promise<number> = objects.report.then(({ meteredEvents }) => meteredEvents);
const verdicts = validateStream().readable;
// @ts-expect-error there is no such form
translateStream({ as: 'csv' });
const caught = (error: unknown): string => {
  if (!(error instanceof EpcisError)) return '';
  const { type, title, status, detail = '', location, errors = [], fidelityReport } = error.problem;
  const lines = errors.map(({ path, keyword, message, source }) => `${path} ${keyword} ${message} ${source.path} ${source.line}`);
  return [error.name, type, title, status, detail, location?.path, location?.line, location?.column, fidelityReport?.lossyPaths.length, ...lines].join();
};
// @ts-expect-error the package alone makes them
new EpcisError('x', {});
const same: typeof hash = inline.hash;
export {
  caught,
  describe,
  either,
  errors,
  fromText,
  json,
  link,
  loaded,
  metered,
  object,
  profiles,
  promised,
  same,
  severities,
  step,
  text,
  uri,
  verdicts,
  version,
  xml,
};
