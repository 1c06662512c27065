// @ts-nocheck
// `epcis-edge/build`: builds events and documents that the official schema accepts, or throws an error that says what is wrong.
import { hash, validate } from '#entry';
import { gathered, withOfficial } from './assemble.ts';

export { CONTEXT } from './assemble.ts';
export { checkDigit, cpi, gdti, giai, gid, ginc, gln, grai, gsin, gsrn, gsrnp, gtin, itip, partyGln, sgcn, sscc, withCheckDigit } from './keys.ts';

/** The error of a value that the official schema does not accept. */
export class BuildError extends Error {
  constructor(type, errors) {
    const [{ path, message }] = errors;
    super(`the ${type} is not valid: ${path === '' ? '' : `${path}: `}${message}${errors.length > 1 ? `, and ${errors.length - 1} more` : ''}`);
    this.name = 'BuildError';
    this.errors = errors;
  }
}

const isPlain = (value) => Object.prototype.toString.call(value) === '[object Object]';

function plain(what, value) {
  if (!isPlain(value)) throw new TypeError(`${what} is ${Array.isArray(value) ? 'an array' : String(value)}, expected an object`);
  return value;
}

/** Returns the options, and throws for an unknown one. */
function optionsOf(name, options = {}, known) {
  const strange = Object.keys(plain(`the options of ${name}`, options)).find((option) => !known.includes(option));
  if (strange !== undefined) throw new TypeError(`${name} has no option "${strange}", expected ${known.join(', ')}`);
  return options;
}

/** Returns a JSON copy of a valid value, without undefined members. @throws {BuildError} if it is not valid */
function accepted(value) {
  const { valid, errors } = validate(value);
  if (!valid) throw new BuildError(value.type, errors);
  return JSON.parse(JSON.stringify(value));
}

/** The time zone offset in an `eventTime`. A `Date` has none. */
function offsetOf(eventTime) {
  const [, offset] = (typeof eventTime === 'string' && /(Z|[+-]\d\d:\d\d)$/i.exec(eventTime)) || [];
  if (offset === undefined) throw new TypeError('eventTimeZoneOffset is missing, and eventTime has no time zone: give the zone of the place where it happened');
  return /z/i.test(offset) ? '+00:00' : offset;
}

function eventOf(type, fields) {
  const { '@context': context, type: named = type, eventTime, eventTimeZoneOffset, ...rest } = plain(`what the ${type} has`, fields);
  if (named !== type) throw new TypeError(`the type is ${String(named)}, expected ${type}`);
  if (eventTime === undefined) throw new TypeError('eventTime is missing');
  return accepted({
    '@context': withOfficial(context),
    type,
    eventTime: eventTime instanceof Date ? eventTime.toISOString() : eventTime,
    eventTimeZoneOffset: eventTimeZoneOffset ?? offsetOf(eventTime),
    ...rest,
  });
}

export const objectEvent = (fields) => eventOf('ObjectEvent', fields);
export const aggregationEvent = (fields) => eventOf('AggregationEvent', fields);
export const transactionEvent = (fields) => eventOf('TransactionEvent', fields);
export const transformationEvent = (fields) => eventOf('TransformationEvent', fields);
export const associationEvent = (fields) => eventOf('AssociationEvent', fields);

const TYPES = ['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent'];

export function event(fields) {
  const { type } = plain('what the event has', fields);
  if (!TYPES.includes(type)) {
    const found = Array.isArray(type) ? 'an array' : typeof type === 'string' ? `"${type.slice(0, 40)}"` : String(type);
    throw new TypeError(`the type is ${found}, expected ${TYPES.join(', ').replace(/, (\w+)$/, ' or $1')}`);
  }
  return eventOf(type, fields);
}

export function withHash(given, options) {
  const { profile } = optionsOf('withHash', options, ['profile']);
  const { eventID: named, ...rest } = plain('the event', given);
  const hashes = hash(rest, { profile });
  if (hashes.length !== 1 || rest.epcisBody !== undefined) throw new TypeError('expected one event: hash the events of a document one by one');
  const [eventID] = hashes;
  if (named !== undefined && named !== eventID) throw new TypeError(`the event has an eventID already: "${named}"`);
  return { ...given, eventID };
}

export function declareError(given, options) {
  const { reason, declarationTime = new Date(), correctiveEventIDs } = optionsOf('declareError', options, ['reason', 'declarationTime', 'correctiveEventIDs']);
  const { recordTime, ...rest } = plain('the event', given);
  if (rest.eventID === undefined) throw new TypeError('the event has no eventID, so it cannot be declared wrong');
  return accepted({
    ...rest,
    '@context': withOfficial(rest['@context']),
    errorDeclaration: { declarationTime, reason, correctiveEventIDs },
  });
}

const DOCUMENT_OPTIONS = ['context', 'creationDate', 'id', 'instanceIdentifier', 'sender', 'receiver', 'vocabularyList'];

export function epcisDocument(events, options) {
  const { context, creationDate = new Date(), vocabularyList, ...header } = optionsOf('epcisDocument', options, DOCUMENT_OPTIONS);
  if (!Array.isArray(events)) throw new TypeError('the events are not an array');
  for (const one of events) plain('an event', one);
  const { '@context': around, events: inside } = gathered(events, context);
  return accepted({
    '@context': around,
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate,
    ...header,
    ...(vocabularyList === undefined ? {} : { epcisHeader: { epcisMasterData: { vocabularyList } } }),
    epcisBody: { eventList: inside },
  });
}
