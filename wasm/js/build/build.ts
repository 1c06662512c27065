// `epcis-edge/build`: builds events and documents that the official schema accepts, or throws an error that says what is wrong.
import { hash, validate } from '#entry';
import { EVENT_TYPES } from '../engine/fields.ts';
import type { Context, HashOptions, SchemaError } from '../engine/index.ts';
import { gathered, withOfficial } from './assemble.ts';
import type * as Surface from './index.ts';

export { CONTEXT } from './assemble.ts';
export { checkDigit, cpi, gdti, giai, gid, ginc, gln, grai, gsin, gsrn, gsrnp, gtin, itip, partyGln, sgcn, sscc, withCheckDigit } from './keys.ts';

/** The error of a value that the official schema does not accept. */
export class BuildError extends Error implements Surface.BuildError {
  override readonly name: 'BuildError';
  readonly errors: readonly SchemaError[];

  constructor(type: unknown, errors: readonly SchemaError[]) {
    const { path = '', message = '' } = errors[0] ?? {};
    super(`the ${String(type)} is not valid: ${path === '' ? '' : `${path}: `}${message}${errors.length > 1 ? `, and ${errors.length - 1} more` : ''}`);
    this.name = 'BuildError';
    this.errors = errors;
  }
}

/** An object of any members, as callers of JavaScript may give. */
type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain => Object.prototype.toString.call(value) === '[object Object]';

function plain(what: string, value: unknown): Plain {
  if (!isPlain(value)) throw new TypeError(`${what} is ${Array.isArray(value) ? 'an array' : String(value)}, expected an object`);
  return value;
}

/** Returns the options, and throws for an unknown one. */
function optionsOf<Options>(name: string, options: Options | undefined, known: readonly string[]): Partial<Options> {
  if (options === undefined) return {};
  const strange = Object.keys(plain(`the options of ${name}`, options)).find((option) => !known.includes(option));
  if (strange !== undefined) throw new TypeError(`${name} has no option "${strange}", expected ${known.join(', ')}`);
  return options;
}

/** Returns a JSON copy of a valid value, without undefined members. @throws {BuildError} if it is not valid */
function accepted<Value>(value: Plain): Value {
  const { valid, errors } = validate(value);
  if (!valid) throw new BuildError(value.type, errors);
  return JSON.parse(JSON.stringify(value));
}

/** The time zone offset in an `eventTime`. A `Date` has none. */
function offsetOf(eventTime: unknown): string {
  const [, offset] = (typeof eventTime === 'string' && /(Z|[+-]\d\d:\d\d)$/i.exec(eventTime)) || [];
  if (offset === undefined) throw new TypeError('eventTimeZoneOffset is missing, and eventTime has no time zone: give the zone of the place where it happened');
  return /z/i.test(offset) ? '+00:00' : offset;
}

function eventOf<Event>(type: string, fields: unknown): Event {
  const { '@context': context, type: named = type, eventTime, eventTimeZoneOffset, ...rest } = plain(`what the ${type} has`, fields);
  if (named !== type) throw new TypeError(`the type is ${String(named)}, expected ${type}`);
  if (eventTime === undefined) throw new TypeError('eventTime is missing');
  return accepted({
    '@context': withOfficial(context as Context | undefined),
    type,
    eventTime: eventTime instanceof Date ? eventTime.toISOString() : eventTime,
    eventTimeZoneOffset: eventTimeZoneOffset ?? offsetOf(eventTime),
    ...rest,
  });
}

export const objectEvent: typeof Surface.objectEvent = (fields) => eventOf('ObjectEvent', fields);
export const aggregationEvent: typeof Surface.aggregationEvent = (fields) => eventOf('AggregationEvent', fields);
export const transactionEvent: typeof Surface.transactionEvent = (fields) => eventOf('TransactionEvent', fields);
export const transformationEvent: typeof Surface.transformationEvent = (fields) => eventOf('TransformationEvent', fields);
export const associationEvent: typeof Surface.associationEvent = (fields) => eventOf('AssociationEvent', fields);

export const event: typeof Surface.event = (fields) => {
  const { type } = plain('what the event has', fields);
  if (typeof type !== 'string' || !EVENT_TYPES.includes(type)) {
    const found = Array.isArray(type) ? 'an array' : typeof type === 'string' ? `"${type.slice(0, 40)}"` : String(type);
    throw new TypeError(`the type is ${found}, expected ${EVENT_TYPES.join(', ').replace(/, (\w+)$/, ' or $1')}`);
  }
  return eventOf(type, fields);
};

export const withHash: typeof Surface.withHash = (given, options) => {
  const { profile } = optionsOf<HashOptions>('withHash', options, ['profile']);
  const { eventID: named, ...rest } = plain('the event', given);
  const hashes = hash(rest, { profile });
  const [eventID] = hashes;
  if (eventID === undefined || hashes.length !== 1 || rest.epcisBody !== undefined) throw new TypeError('expected one event: hash the events of a document one by one');
  if (named !== undefined && named !== eventID) throw new TypeError(`the event has an eventID already: "${named}"`);
  return { ...given, eventID };
};

export const declareError: typeof Surface.declareError = (given, options) => {
  const { reason, declarationTime = new Date(), correctiveEventIDs } = optionsOf('declareError', options, ['reason', 'declarationTime', 'correctiveEventIDs']);
  const { recordTime, ...rest } = plain('the event', given);
  if (rest.eventID === undefined) throw new TypeError('the event has no eventID, so it cannot be declared wrong');
  return accepted({
    ...rest,
    '@context': withOfficial(rest['@context'] as Context | undefined),
    errorDeclaration: { declarationTime, reason, correctiveEventIDs },
  });
};

const DOCUMENT_OPTIONS = ['context', 'creationDate', 'id', 'instanceIdentifier', 'sender', 'receiver', 'vocabularyList'];

export const epcisDocument: typeof Surface.epcisDocument = (events, options) => {
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
};
