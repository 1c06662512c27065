// Compiles only if the declarations say what a user relies on; without the types of a browser or of Node.
import {
  type BizStep,
  type BlobInput,
  type EPCISDocument,
  type EPCISRoot,
  EpcisError,
  type EventHash,
  type HashOptions,
  type ObjectEvent,
  type Problem,
  type SchemaError,
  type Verdict,
  type XmlVerdict,
  hash,
  identifiers,
  init,
  isEPCISDocument,
  isObjectEvent,
  preHash,
  toXml,
  toXmlStream,
  translate,
  translateStream,
  validate,
  validateStream,
  verify,
} from 'epcis-edge';
import { epcisDocument, event as eventBy, gid, gtin, itip, objectEvent, withHash } from 'epcis-edge/build';
import * as cbv from 'epcis-edge/cbv';
import { check, exceptionReport } from 'epcis-edge/check';
import { type Captured, type Client, connect } from 'epcis-edge/client';
import { type Presence, follow, followEach } from 'epcis-edge/follow';
import * as inline from 'epcis-edge/inline';
import { type Report, report, toCsv, toHtml } from 'epcis-edge/report';
import { toXlsx } from 'epcis-edge/xlsx';

const verdict: Verdict | XmlVerdict = validate(new Uint8Array());
const ofObject: Verdict = validate({});
const fromText: boolean = validate('{}').valid;
const errors: readonly SchemaError[] = validate({}).errors;
const version: '2.0.1' = ofObject.schema.version;
const describe = (error: EpcisError): Problem['status'] => error.problem.status;
const severities: readonly ('error' | 'warning' | 'hint')[] = check('[]', { packs: ['cbv'], now: new Date() }).findings.map(({ severity }) => severity);
// @ts-expect-error there is no such pack
check('[]', { packs: ['gs1'] });
const hows: readonly Presence['how'][] = follow([], { items: ['urn:x:1'], to: new Date(), through: ['packing'] }).events.flatMap(({ presences }) =>
  presences.map(({ how }) => how),
);
// @ts-expect-error there is no such direction
follow('[]', { items: 'urn:x:1', direction: 'up' });
// @ts-expect-error it must be told what to follow
follow('[]', {});
const answers: readonly ('OK' | 'EMPTY')[] = [...followEach([], new Set([{ items: 'urn:x:1' }]))].map(({ type }) => type);
// @ts-expect-error one request is not a list of them
followEach('[]', { items: 'urn:x:1' });
const spreadsheet: Report = report('[]', 'fsma204', { from: new Date(), to: undefined });
const lots: readonly string[] = spreadsheet.sheets.flatMap(({ columns, rows }) => rows.map((row) => row[columns.findIndex(({ id }) => id === 'lot')]!));
report([], 'recall', { items: ['urn:x:1'], kin: true });
// @ts-expect-error there is no such report
report('[]', 'fsma');
// @ts-expect-error it must be told what to recall
report('[]', 'recall');
// @ts-expect-error it must be told whose life
report('[]', 'passport', { from: new Date() });
const table: string = toCsv(spreadsheet, 'Shipping') + toHtml(spreadsheet);
const workbook: Uint8Array = toXlsx(spreadsheet);
// @ts-expect-error a report is an object
toCsv('{}');
exceptionReport('<a/>', { email: 'a@b.example', poNumber: '1' }, { now: 0 });
// @ts-expect-error nobody could be asked
exceptionReport('<a/>', { phone: '1' });
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
const object: EPCISRoot = translate(new Uint8Array()).document;
const steps = (value: unknown): (BizStep | undefined)[] =>
  isEPCISDocument(value) ? value.epcisBody.eventList.filter(isObjectEvent).map(({ bizStep }) => bizStep) : [];
const told = (root: EPCISRoot): string | undefined => {
  switch (root.type) {
    case 'EPCISDocument':
      return root.epcisBody.eventList[0]?.eventID;
    case 'EPCISQueryDocument':
      return root.epcisBody.queryResults.resultsBody.eventList[0]?.eventID;
    case 'TransformationEvent':
      return root.outputEPCList?.[0];
    case 'ObjectEvent':
      // @ts-expect-error an ObjectEvent has no output
      return root.outputEPCList?.[0];
    default:
      return root.eventTime;
  }
};
const written: ObjectEvent = {
  type: 'ObjectEvent',
  eventTime: '2026-03-04T11:00:30Z',
  eventTimeZoneOffset: '+00:00',
  action: 'ADD',
  bizStep: 'https://example.com/steps/washing',
  'ex:lot': { any: 'thing' },
};
// @ts-expect-error a word of your own is a URI
written.bizStep = 'washing';
// @ts-expect-error no member has this name
const strange: ObjectEvent = { ...written, bizLoc: { id: 'urn:x:1' } };
const word: BizStep = cbv.BizStep.shipping;
const meaning: string = cbv.meanings.Disposition.in_transit;
const known: cbv.Disposition | undefined = cbv.wordOf('Disposition', 'urn:epcglobal:cbv:disp:active');
const built = withHash(
  objectEvent({ eventTime: new Date(), eventTimeZoneOffset: '+01:00', action: 'ADD', epcList: [gtin('09521141012345')], bizStep: undefined }),
);
const name: EventHash = built.eventID;
// @ts-expect-error an ObjectEvent has an action
objectEvent({ eventTime: '2026-03-04T11:00:30Z' });
// @ts-expect-error a serial or a lot
gtin('09521141012345', { serial: '1', lot: '2' });
const anEvent: ObjectEvent = eventBy({ type: 'ObjectEvent', eventTime: new Date(), eventTimeZoneOffset: '+01:00', action: 'ADD', epcList: [gid('1', '2')] });
// @ts-expect-error there is no builder of this type
eventBy({ type: 'QuantityEvent', eventTime: new Date() });
// @ts-expect-error an AggregationEvent has an action
eventBy({ type: 'AggregationEvent', eventTime: new Date() });
// @ts-expect-error which piece is not said
itip('09521141012345', { total: 2 });
const document: EPCISDocument = epcisDocument([built], { creationDate: new Date() });
const client: Client = connect('https://epcis.example.com', { token: 'x', storesOnce: true });
const captured: Promise<Captured> = client.capture(document);
const ids = async (): Promise<(string | undefined)[]> => {
  const names: (string | undefined)[] = [];
  for await (const event of client.query({ EQ_bizStep: [word], GE_eventTime: new Date() })) names.push(event.eventID);
  for await (const { events, cursor } of client.follow({ EQ_bizStep: [word] }, { cursor: 'c', wait: 5 })) names.push(cursor, events[0]?.eventID);
  return names;
};
const captures = translateStream({ as: 'object' }).readable;
declare const as: 'object' | 'text';
const either: EPCISRoot | string = translate('<a/>', { as }).document;
const kept: string | undefined = translate('<a/>', { validate: false }).errors?.[0]?.source.path;
const xml: string = toXml({}, { version: '1.2' }).document;
const inParts = (blob: BlobInput): ReadableStream<Uint8Array> => toXmlStream(blob, { version: '1.2' }).readable;
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
  anEvent,
  describe,
  either,
  kept,
  errors,
  fromText,
  hows,
  answers,
  json,
  link,
  loaded,
  metered,
  object,
  profiles,
  promised,
  same,
  severities,
  steps,
  strange,
  told,
  written,
  meaning,
  known,
  name,
  captured,
  ids,
  captures,
  text,
  uri,
  verdicts,
  version,
  xml,
  inParts,
  lots,
  table,
  workbook,
};
