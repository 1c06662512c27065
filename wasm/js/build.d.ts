// Builders: what they give, the official schema accepts. In browsers `await init()` of `epcis-edge` comes first.
import type {
  AggregationEvent,
  AssociationEvent,
  Context,
  EPCISDocument,
  EPCISEvent,
  ErrorReason,
  EventHash,
  ExtendedEvent,
  ObjectEvent,
  Profile,
  SchemaError,
  TransactionEvent,
  TransformationEvent,
  Vocabulary,
} from './index.js';

/** The address of the official context of EPCIS 2.0, which every built event and document has. */
export const CONTEXT: 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

/** What the builders throw where the official schema does not accept what they were given. */
export class BuildError extends Error {
  private constructor();
  readonly name: 'BuildError';
  /** What it does not accept, in document order. */
  readonly errors: readonly SchemaError[];
}

/** An event with its context: it can be judged, hashed and captured alone. */
export type Standalone<Event> = Event & { '@context': Context };

/**
 * What an event is built from: its members but for `type`. `eventTime` may be a `Date`; `eventTimeZoneOffset` may be absent where
 * `eventTime` is a string, which names its zone. Members that are `undefined` are left out. The official context is added to `@context`.
 */
export type Fields<Event> = {
  [Member in keyof Event as Member extends 'type' | 'eventTime' | 'eventTimeZoneOffset' ? never : Member]: Event[Member] | undefined;
} & {
  readonly eventTime: string | Date;
  readonly eventTimeZoneOffset?: string | undefined;
};

/**
 * An ObjectEvent.
 *
 * @throws {BuildError} for what the official schema does not accept; so with the builders that follow.
 * @throws {TypeError} for a time without a zone, and for what JSON cannot say.
 *
 * @example
 * ```js
 * import { validate } from 'epcis-edge';
 * import { BuildError, gln, gtin, objectEvent } from 'epcis-edge/build';
 *
 * const event = objectEvent({
 *   eventTime: '2026-03-04T11:00:30.000+01:00',
 *   action: 'OBSERVE',
 *   bizStep: 'shipping',
 *   epcList: [gtin('09521141012345', { serial: 'A1' })],
 *   readPoint: { id: gln('9521141000007') },
 * });
 * assert.equal(event.eventTimeZoneOffset, '+01:00');
 * assert.ok(validate(event).valid);
 * assert.throws(() => objectEvent({ ...event, bizStep: 'shiping' }), BuildError);
 * ```
 */
export function objectEvent(fields: Fields<ObjectEvent>): Standalone<ObjectEvent>;
/**
 * An AggregationEvent.
 *
 * @example
 * ```js
 * import { aggregationEvent, gtin, sscc } from 'epcis-edge/build';
 *
 * const event = aggregationEvent({
 *   eventTime: new Date('2026-03-04T10:00:30Z'),
 *   eventTimeZoneOffset: '+01:00',
 *   action: 'ADD',
 *   bizStep: 'packing',
 *   parentID: sscc('195211412345678900'),
 *   childEPCs: [gtin('09521141012345', { serial: 'A1' })],
 * });
 * assert.equal(event.parentID, 'https://id.gs1.org/00/195211412345678900');
 * ```
 */
export function aggregationEvent(fields: Fields<AggregationEvent>): Standalone<AggregationEvent>;
/**
 * A TransactionEvent.
 *
 * @example
 * ```js
 * import { gtin, transactionEvent } from 'epcis-edge/build';
 *
 * const event = transactionEvent({
 *   eventTime: '2026-03-04T11:00:30Z',
 *   action: 'ADD',
 *   bizTransactionList: [{ type: 'po', bizTransaction: 'https://example.com/orders/4711' }],
 *   epcList: [gtin('09521141012345', { serial: 'A1' })],
 * });
 * assert.equal(event.type, 'TransactionEvent');
 * ```
 */
export function transactionEvent(fields: Fields<TransactionEvent>): Standalone<TransactionEvent>;
/**
 * A TransformationEvent.
 *
 * @example
 * ```js
 * import { gtin, transformationEvent } from 'epcis-edge/build';
 *
 * const event = transformationEvent({
 *   eventTime: '2026-03-04T11:00:30Z',
 *   bizStep: 'creating_class_instance',
 *   inputQuantityList: [{ epcClass: gtin('09521141012345', { lot: 'L1' }), quantity: 20, uom: 'KGM' }],
 *   outputQuantityList: [{ epcClass: gtin('09521141012352', { lot: 'L2' }), quantity: 400 }],
 * });
 * assert.equal(event.outputQuantityList[0].epcClass, 'https://id.gs1.org/01/09521141012352/10/L2');
 * ```
 */
export function transformationEvent(fields: Fields<TransformationEvent>): Standalone<TransformationEvent>;
/**
 * An AssociationEvent.
 *
 * @example
 * ```js
 * import { associationEvent, giai, grai } from 'epcis-edge/build';
 *
 * const event = associationEvent({
 *   eventTime: '2026-03-04T11:00:30Z',
 *   action: 'ADD',
 *   parentID: grai('9521141123454', { serial: '987' }),
 *   childEPCs: [giai('9521141SENSOR1')],
 * });
 * assert.equal(event.parentID, 'https://id.gs1.org/8003/09521141123454987');
 * ```
 */
export function associationEvent(fields: Fields<AssociationEvent>): Standalone<AssociationEvent>;

/** The events that are built, by their type. */
export interface BuiltEvents {
  readonly ObjectEvent: ObjectEvent;
  readonly AggregationEvent: AggregationEvent;
  readonly TransactionEvent: TransactionEvent;
  readonly TransformationEvent: TransformationEvent;
  readonly AssociationEvent: AssociationEvent;
}

/**
 * An event of the type that it says.
 *
 * @throws {BuildError} for what the official schema does not accept.
 * @throws {TypeError} for another type, and as the builders before.
 *
 * @example
 * ```js
 * import { event } from 'epcis-edge/build';
 *
 * const read = JSON.parse('{"type": "ObjectEvent", "eventTime": "2026-03-04T11:00:30Z", "action": "ADD", "epcList": ["https://example.com/1"]}');
 * assert.equal(event(read).eventTimeZoneOffset, '+00:00');
 * assert.throws(() => event({ ...read, type: 'QuantityEvent' }), /the type is "QuantityEvent", expected ObjectEvent/);
 * ```
 */
export function event<Type extends keyof BuiltEvents>(fields: { readonly type: Type } & Fields<BuiltEvents[Type]>): Standalone<BuiltEvents[Type]>;

/**
 * The event with its CBV hash as `eventID`.
 *
 * @throws {TypeError} for an event that has another `eventID` already, and for what is no single event.
 * @throws {EpcisError} as {@link hash}: for a prefix that `@context` does not bind, say.
 *
 * @example
 * ```js
 * import { verify } from 'epcis-edge';
 * import { objectEvent, withHash } from 'epcis-edge/build';
 *
 * const event = withHash(objectEvent({ eventTime: '2026-03-04T11:00:30Z', action: 'ADD', epcList: ['https://example.com/1'] }));
 * assert.match(event.eventID, /^ni:\/\/\/sha-256;/);
 * assert.equal(verify(event)[0].result, 'matches');
 * ```
 */
export function withHash<Event extends EPCISEvent | ExtendedEvent>(
  event: Event,
  options?: { readonly profile?: Profile | undefined },
): Event & { eventID: EventHash };

/**
 * The event as it declares itself wrong: the same content and `eventID`, with an `errorDeclaration`.
 *
 * @throws {TypeError} for an event without `eventID`.
 * @throws {BuildError} for what the official schema does not accept.
 *
 * @example
 * ```js
 * import { declareError, objectEvent, withHash } from 'epcis-edge/build';
 *
 * const event = withHash(objectEvent({ eventTime: '2026-03-04T11:00:30Z', action: 'ADD', epcList: ['https://example.com/1'] }));
 * const wrong = declareError(event, { reason: 'did_not_occur' });
 * assert.equal(wrong.eventID, event.eventID);
 * assert.equal(wrong.errorDeclaration.reason, 'did_not_occur');
 * ```
 */
export function declareError<Event extends EPCISEvent | ExtendedEvent>(
  event: Event,
  options?: {
    readonly reason?: ErrorReason | undefined;
    /** The default is the clock. */
    readonly declarationTime?: Date | string | undefined;
    readonly correctiveEventIDs?: readonly string[] | undefined;
  },
): Standalone<Event>;

/** What {@link epcisDocument} may be told. */
export interface DocumentOptions {
  /** What the document binds; without it, the context that all events share moves to the document. */
  readonly context?: Context | undefined;
  /** The default is the clock. */
  readonly creationDate?: Date | string | undefined;
  readonly id?: string | undefined;
  readonly instanceIdentifier?: string | undefined;
  readonly sender?: string | undefined;
  readonly receiver?: string | undefined;
  /** Master data. */
  readonly vocabularyList?: readonly Vocabulary[] | undefined;
}

/**
 * A document of events. What the events share as `@context` moves to the document, where they differ each keeps its own; no hash
 * changes by that.
 *
 * @throws {BuildError} for what the official schema does not accept.
 *
 * @example
 * ```js
 * import { hash, validate } from 'epcis-edge';
 * import { epcisDocument, objectEvent, withHash } from 'epcis-edge/build';
 *
 * const event = withHash(objectEvent({
 *   '@context': { ex: 'https://ex.example/' },
 *   eventTime: '2026-03-04T11:00:30Z',
 *   action: 'ADD',
 *   epcList: ['https://example.com/1'],
 *   'ex:lot': 'A',
 * }));
 * const document = epcisDocument([event], { sender: 'https://example.com/me' });
 * assert.ok(validate(document).valid);
 * assert.deepEqual(hash(document), [event.eventID]);
 * ```
 */
export function epcisDocument(events: readonly (EPCISEvent | ExtendedEvent)[], options?: DocumentOptions): EPCISDocument;

/**
 * The check digit of a GS1 key, of the digits that stand before it.
 *
 * @example
 * ```js
 * import { checkDigit, withCheckDigit } from 'epcis-edge/build';
 *
 * assert.equal(checkDigit('952114101234'), '5');
 * assert.equal(withCheckDigit('952114101234'), '9521141012345');
 * ```
 */
export function checkDigit(digits: string): string;
/** The digits with their check digit behind them. */
export function withCheckDigit(digits: string): string;

/** How an identifier is written. */
export interface KeyOptions {
  /** How many digits the company prefix has, 6 to 12: then it is an EPC URN, otherwise a GS1 Digital Link URI. */
  readonly companyPrefixLength?: number | undefined;
}

/**
 * A GTIN of 8, 12, 13 or 14 digits: the class; with a `serial` one instance of it, with a `lot` a lot.
 *
 * @throws {TypeError} for a key of another length or with another check digit, and for what may not be in a serial or lot; so with the
 *   keys that follow.
 * @throws {EpcisError} for what has no EPC URN.
 *
 * @example
 * ```js
 * import { gtin } from 'epcis-edge/build';
 *
 * assert.equal(gtin('9521141012345', { serial: 'A/1' }), 'https://id.gs1.org/01/09521141012345/21/A%2F1');
 * assert.equal(gtin('9521141012345', { serial: '7', companyPrefixLength: 7 }), 'urn:epc:id:sgtin:9521141.001234.7');
 * assert.throws(() => gtin('9521141012341'), /has the check digit 1, expected 5/);
 * ```
 */
export function gtin(
  key: string,
  options?: KeyOptions &
    ({ readonly serial?: string | undefined; readonly lot?: undefined } | { readonly lot?: string | undefined; readonly serial?: undefined }),
): string;
/** An SSCC of 18 digits: a logistic unit. */
export function sscc(key: string, options?: KeyOptions): string;
/** A GLN of 13 digits as a place, with an `extension` a place within it. */
export function gln(key: string, options?: KeyOptions & { readonly extension?: string | undefined }): string;
/** A GLN of 13 digits as a party: who owns, possesses, sends or receives. */
export function partyGln(key: string, options?: KeyOptions): string;
/** A GRAI of 13 digits: a returnable asset; with a `serial` one of them. */
export function grai(key: string, options?: KeyOptions & { readonly serial?: string | undefined }): string;
/** A GIAI, 1 to 30 characters that begin with the company prefix: an individual asset. */
export function giai(key: string, options?: KeyOptions): string;
/** A GDTI of 13 digits: a type of document; with a `serial` one document. */
export function gdti(key: string, options?: KeyOptions & { readonly serial?: string | undefined }): string;
/** A CPI, 1 to 30 digits, capital letters, `#`, `-` and `/` that begin with the company prefix: a kind of component or part; with a `serial` of up to 12 digits one of them. */
export function cpi(key: string, options?: KeyOptions & { readonly serial?: string | undefined }): string;
/** A GSRN of 18 digits: who receives a service. */
export function gsrn(key: string, options?: KeyOptions): string;
/** A GSRN of 18 digits: who provides a service. */
export function gsrnp(key: string, options?: KeyOptions): string;
/** A GINC, 1 to 30 characters that begin with the company prefix: a consignment. */
export function ginc(key: string, options?: KeyOptions): string;
/** A GSIN of 17 digits: a shipment. */
export function gsin(key: string, options?: KeyOptions): string;
/**
 * A piece of a trade item, by the GTIN of 8, 12, 13 or 14 digits of the whole; with a `serial` that of one instance.
 *
 * @example
 * ```js
 * import { itip } from 'epcis-edge/build';
 *
 * assert.equal(itip('9521141012345', { piece: 1, total: 2, serial: '7' }), 'https://id.gs1.org/8006/095211410123450102/21/7');
 * ```
 */
export function itip(
  key: string,
  options: KeyOptions & {
    /** Which piece, 1 to 99. */
    readonly piece: number;
    /** Of how many, 1 to 99. */
    readonly total: number;
    readonly serial?: string | undefined;
  },
): string;
/** A GCN of 13 digits: a kind of coupon; with a `serial` of up to 12 digits one coupon, an SGCN. */
export function sgcn(key: string, options?: KeyOptions & { readonly serial?: string | undefined }): string;
/**
 * A General Identifier, which has an EPC URN alone: the class; with a `serial` one instance. Each part is a number as a string.
 *
 * @throws {TypeError} for a manager number of more than 28 bits, a class of more than 24, a serial of more than 36, and zeros before them.
 *
 * @example
 * ```js
 * import { gid } from 'epcis-edge/build';
 *
 * assert.equal(gid('95100000', '12345', { serial: '400' }), 'urn:epc:id:gid:95100000.12345.400');
 * assert.equal(gid('95100000', '12345'), 'urn:epc:idpat:gid:95100000.12345.*');
 * ```
 */
export function gid(manager: string, objectClass: string, options?: { readonly serial?: string | undefined }): string;
