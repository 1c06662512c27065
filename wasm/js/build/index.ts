// Builders of events, documents and identifiers that are valid by the official schema. In browsers, call `await init()` of `epcis-edge`
// first.
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
} from '../engine/index.ts';

/** The address of the official EPCIS 2.0 context, which every built event and document has. */
export declare const CONTEXT: 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

/** The error of the builders for a value that the official schema does not accept. */
export declare class BuildError extends Error {
  private constructor();
  readonly name: 'BuildError';
  /** The errors of the schema, in document order. */
  readonly errors: readonly SchemaError[];
}

/** An event with its context: it can be validated, hashed and captured alone. */
export type Standalone<Event> = Event & { '@context': Context };

/**
 * The members of an event to build, without `type`. `eventTime` may be a `Date`; `eventTimeZoneOffset` may be absent if `eventTime` is a
 * string, which includes its offset. Members that are `undefined` are left out. The official context is added to `@context`.
 */
export type Fields<Event> = {
  [Member in keyof Event as Member extends 'type' | 'eventTime' | 'eventTimeZoneOffset' ? never : Member]: Event[Member] | undefined;
} & {
  readonly eventTime: string | Date;
  readonly eventTimeZoneOffset?: string | undefined;
};

/**
 * Builds an ObjectEvent.
 *
 * @throws {BuildError} if it is not valid by the official schema. This also holds for the builders below.
 * @throws {TypeError} for a time without a zone, and for a value that JSON cannot express.
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
export declare function objectEvent(fields: Fields<ObjectEvent>): Standalone<ObjectEvent>;
/**
 * Builds an AggregationEvent.
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
export declare function aggregationEvent(fields: Fields<AggregationEvent>): Standalone<AggregationEvent>;
/**
 * Builds a TransactionEvent.
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
export declare function transactionEvent(fields: Fields<TransactionEvent>): Standalone<TransactionEvent>;
/**
 * Builds a TransformationEvent.
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
export declare function transformationEvent(fields: Fields<TransformationEvent>): Standalone<TransformationEvent>;
/**
 * Builds an AssociationEvent.
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
export declare function associationEvent(fields: Fields<AssociationEvent>): Standalone<AssociationEvent>;

/** The events that {@link event} builds, by their `type`. */
export type BuiltEvents = { readonly [Event in EPCISEvent as Event['type']]: Event };

/**
 * Builds an event of the type that its member `type` names.
 *
 * @throws {BuildError} if it is not valid by the official schema.
 * @throws {TypeError} for another type, and as the builders above.
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
export declare function event<Type extends keyof BuiltEvents>(fields: { readonly type: Type } & Fields<BuiltEvents[Type]>): Standalone<BuiltEvents[Type]>;

/**
 * Returns the event with its CBV hash as `eventID`.
 *
 * @throws {TypeError} for an event that already has another `eventID`, and for a value that is not a single event.
 * @throws {EpcisError} as {@link hash}, for example for a prefix that `@context` does not declare.
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
export declare function withHash<Event extends EPCISEvent | ExtendedEvent>(
  event: Event,
  options?: { readonly profile?: Profile | undefined },
): Event & { eventID: EventHash };

/**
 * Builds the event that declares `event` wrong: the same content and `eventID`, with an `errorDeclaration`.
 *
 * @throws {TypeError} for an event without `eventID`.
 * @throws {BuildError} if the result is not valid by the official schema.
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
export declare function declareError<Event extends EPCISEvent | ExtendedEvent>(
  event: Event,
  options?: {
    readonly reason?: ErrorReason | undefined;
    /** The default is the current time. */
    readonly declarationTime?: Date | string | undefined;
    readonly correctiveEventIDs?: readonly string[] | undefined;
  },
): Standalone<Event>;

/** Options of {@link epcisDocument}. */
export interface DocumentOptions {
  /** The context of the document, for its prefixes. Without it, the context that all events share moves to the document. */
  readonly context?: Context | undefined;
  /** The default is the current time. */
  readonly creationDate?: Date | string | undefined;
  readonly id?: string | undefined;
  readonly instanceIdentifier?: string | undefined;
  readonly sender?: string | undefined;
  readonly receiver?: string | undefined;
  /** The master data of the document. */
  readonly vocabularyList?: readonly Vocabulary[] | undefined;
}

/**
 * Builds a document of events. If all events have the same `@context`, it moves to the document; otherwise each keeps its own. The
 * hashes stay the same.
 *
 * @throws {BuildError} if the document is not valid by the official schema.
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
export declare function epcisDocument(events: readonly (EPCISEvent | ExtendedEvent)[], options?: DocumentOptions): EPCISDocument;

/**
 * Computes the check digit of a GS1 key from the digits before it.
 *
 * @example
 * ```js
 * import { checkDigit, withCheckDigit } from 'epcis-edge/build';
 *
 * assert.equal(checkDigit('952114101234'), '5');
 * assert.equal(withCheckDigit('952114101234'), '9521141012345');
 * ```
 */
export declare function checkDigit(digits: string): string;
/** Returns the digits with their check digit appended. */
export declare function withCheckDigit(digits: string): string;

/** Options of the identifier builders. */
export interface KeyOptions {
  /** The number of digits of the company prefix, 6 to 12. With it the result is an EPC URN, otherwise a GS1 Digital Link URI. */
  readonly companyPrefixLength?: number | undefined;
}

/**
 * The identifier of a trade item by its GTIN of 8, 12, 13 or 14 digits: of the class, of one instance with a `serial`, or of a lot with a
 * `lot`.
 *
 * @throws {TypeError} for a key of another length or with a wrong check digit, and for characters that a serial or lot must not have.
 *   This also holds for the keys below.
 * @throws {EpcisError} if the identifier has no EPC URN.
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
export declare function gtin(
  key: string,
  options?: KeyOptions &
    ({ readonly serial?: string | undefined; readonly lot?: undefined } | { readonly lot?: string | undefined; readonly serial?: undefined }),
): string;
/** The identifier of a logistic unit by its SSCC of 18 digits. */
export declare function sscc(key: string, options?: KeyOptions): string;
/** The identifier of a place by its GLN of 13 digits; with an `extension`, of a place within it. */
export declare function gln(key: string, options?: KeyOptions & { readonly extension?: string | undefined }): string;
/** The identifier of a party, such as an owner or a receiver, by its GLN of 13 digits. */
export declare function partyGln(key: string, options?: KeyOptions): string;
/** The identifier of a type of returnable asset by its GRAI of 13 digits; with a `serial`, of one asset. */
export declare function grai(key: string, options?: KeyOptions & { readonly serial?: string | undefined }): string;
/** The identifier of an individual asset by its GIAI, 1 to 30 characters that begin with the company prefix. */
export declare function giai(key: string, options?: KeyOptions): string;
/** The identifier of a type of document by its GDTI of 13 digits; with a `serial`, of one document. */
export declare function gdti(key: string, options?: KeyOptions & { readonly serial?: string | undefined }): string;
/**
 * The identifier of a type of component or part by its CPI, 1 to 30 digits, capital letters, `#`, `-` and `/` that begin with the company
 * prefix; with a `serial` of up to 12 digits, of one component or part.
 */
export declare function cpi(key: string, options?: KeyOptions & { readonly serial?: string | undefined }): string;
/** The identifier of a recipient of a service by its GSRN of 18 digits. */
export declare function gsrn(key: string, options?: KeyOptions): string;
/** The identifier of a provider of a service by its GSRN of 18 digits. */
export declare function gsrnp(key: string, options?: KeyOptions): string;
/** The identifier of a consignment by its GINC, 1 to 30 characters that begin with the company prefix. */
export declare function ginc(key: string, options?: KeyOptions): string;
/** The identifier of a shipment by its GSIN of 17 digits. */
export declare function gsin(key: string, options?: KeyOptions): string;
/**
 * The identifier of a piece of a trade item, by the GTIN of the whole item, 8, 12, 13 or 14 digits; with a `serial`, of one instance.
 *
 * @example
 * ```js
 * import { itip } from 'epcis-edge/build';
 *
 * assert.equal(itip('9521141012345', { piece: 1, total: 2, serial: '7' }), 'https://id.gs1.org/8006/095211410123450102/21/7');
 * ```
 */
export declare function itip(
  key: string,
  options: KeyOptions & {
    /** The number of the piece, 1 to 99. */
    readonly piece: number;
    /** The total number of pieces, 1 to 99. */
    readonly total: number;
    readonly serial?: string | undefined;
  },
): string;
/** The identifier of a type of coupon by its GCN of 13 digits; with a `serial` of up to 12 digits, of one coupon (SGCN). */
export declare function sgcn(key: string, options?: KeyOptions & { readonly serial?: string | undefined }): string;
/**
 * The EPC URN of a General Identifier (GID), which has no Digital Link: of the class, or with a `serial` of one instance. Each part is a
 * number as a string.
 *
 * @throws {TypeError} for a manager number over 28 bits, a class over 24 bits, a serial over 36 bits, and for leading zeros.
 *
 * @example
 * ```js
 * import { gid } from 'epcis-edge/build';
 *
 * assert.equal(gid('95100000', '12345', { serial: '400' }), 'urn:epc:id:gid:95100000.12345.400');
 * assert.equal(gid('95100000', '12345'), 'urn:epc:idpat:gid:95100000.12345.*');
 * ```
 */
export declare function gid(manager: string, objectClass: string, options?: { readonly serial?: string | undefined }): string;
