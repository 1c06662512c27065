// `epcis-edge/follow`: what happened to items, what they were made of, and what was made of them.
import type { DocumentInput, EngineSource } from '../engine/index.ts';

export { EpcisError } from '../engine/index.ts';

/** What to follow, and how far. */
export interface FollowRequest {
  /** 1 to 100 identifiers in any spelling: instances, lots, classes (a GTIN is each lot and serial of it), URIs of your own. */
  readonly items: string | readonly string[];
  /** `back`: what it came from. `forth`: where it went and what was made of it. The default is both. */
  readonly direction?: 'back' | 'forth' | 'both' | undefined;
  /** Only events at or after this time. */
  readonly from?: Date | string | undefined;
  /** Only events before this time. */
  readonly to?: Date | string | undefined;
  /** The most packings and transformations between an item and an event, 1 to 64. The default is 32. */
  readonly depth?: number | undefined;
  /** The most events of the answer, 1 to 10,000. The default is 1,000. */
  readonly maxEvents?: number | undefined;
  /** Follows everything that is found both ways, as a recall needs it. Excludes `direction`. */
  readonly kin?: boolean | undefined;
  /** The ties that count. The default is packing and transformation. */
  readonly through?: readonly ('packing' | 'transformation' | 'association')[] | undefined;
  /** What happens with the contents of an item that was a container. The default is to list them. */
  readonly contents?: 'listed' | 'followed' | 'none' | undefined;
}

/** How a thing is present in an event. */
export interface Presence {
  /** The thing, as canonical GS1 Digital Link where it has one. */
  readonly item: string;
  readonly how: 'named' | 'inside' | 'input' | 'output';
  /** The field that names it, or names the container that it is inside of. */
  readonly role: string;
  /** The containers, from the one that is named to the innermost. */
  readonly through?: readonly string[];
  /** `false` where the way to it leads through a lot that was divided. */
  readonly certain: boolean;
  /** Set if the thing was used up or deleted before. */
  readonly afterEnd?: true;
}

/** What an error declaration says. */
export interface FollowedDeclaration {
  readonly at?: string;
  readonly reason?: string;
  readonly correctiveEventIDs: readonly string[];
}

/** An event of the answer. */
export interface FollowedEvent {
  /** Its place in the document, from 0. */
  readonly index: number;
  readonly eventID?: string;
  readonly eventTime?: string;
  /** The event itself. */
  readonly event: any;
  /** Whether it counts for nothing: an error declaration withdraws it. */
  readonly withdrawn: boolean;
  readonly declaration?: FollowedDeclaration;
  /** A declaration by an account that has no such event. The event counts. */
  readonly disputed?: FollowedDeclaration;
  readonly presences: readonly Presence[];
}

/** An event by name and time. */
export interface EventName {
  readonly eventID?: string;
  readonly at?: string;
}

/** A quantity. */
export interface FollowedQuantity {
  readonly quantity: number;
  readonly uom?: string;
}

/** What was inside of an item. */
export interface Content {
  readonly container: string;
  readonly item: string;
  /** The containers between, from the outermost to the innermost. */
  readonly through: readonly string[];
  readonly from: EventName & { readonly observed?: true };
  /** Absent if it is still inside. */
  readonly to?: EventName & { readonly implied?: true };
  readonly quantity?: FollowedQuantity;
  readonly certain: boolean;
}

/** A tie between two things. */
export interface Tie extends EventName {
  readonly from: string;
  readonly to: string;
  readonly kind: 'packed' | 'unpacked' | 'made' | 'associated';
  readonly quantity?: FollowedQuantity;
}

/** A thing, and what is known of it. */
export interface Thing {
  readonly id: string;
  /** As it was first written. */
  readonly spelling: string;
  /** `sgtin`, `lgtin`, `gtin`, `sscc` and so on; `class` or `uri` for any other identifier. */
  readonly kind: string;
  readonly began?: EventName;
  readonly ended?: EventName;
  /** Where it was last; if not `certain`, it is a divided lot, of which other parts may be elsewhere. */
  readonly at?: { readonly place?: string; readonly inside?: string; readonly disposition?: string; readonly since?: string; readonly certain: boolean };
}

/** What is missing from an answer. */
export interface Gap {
  readonly reason: 'maxEvents' | 'depth' | 'time' | 'size';
  /** The things that were not followed to the end: the first 100. */
  readonly at: readonly string[];
  /** Their number. */
  readonly total: number;
}

/** The result of {@link follow}. */
export interface Followed {
  /** `EMPTY` if nothing names the items. */
  readonly type: 'OK' | 'EMPTY';
  readonly items: readonly string[];
  readonly direction: 'back' | 'forth' | 'both';
  /** In the order of time, each once. */
  readonly events: readonly FollowedEvent[];
  readonly contents: readonly Content[];
  readonly ties: readonly Tie[];
  readonly things: readonly Thing[];
  readonly incomplete: readonly Gap[];
  /** The places of the events that do not count, because the document has the same event before them: the same `eventID` and content. Absent if there are none. */
  readonly repeated?: readonly number[];
}

/**
 * Follows items through the events of a document, or an array of events: containers, transformations, error declarations.
 *
 * The document need not be valid. XML is translated first.
 *
 * @throws {EpcisError} if the document is not JSON or has no events, or if the request is not accepted.
 *
 * @example
 * ```js
 * import { follow } from 'epcis-edge/follow';
 *
 * const events = [
 *   { type: 'AggregationEvent', eventTime: '2026-03-04T10:00:00Z', action: 'ADD', parentID: 'urn:x:pallet', childEPCs: ['urn:x:item'] },
 *   { type: 'ObjectEvent', eventTime: '2026-03-04T11:00:00Z', action: 'OBSERVE', bizStep: 'shipping', epcList: ['urn:x:pallet'] },
 * ];
 * const { events: found } = follow(events, { items: 'urn:x:item' });
 * assert.equal(found.length, 2);
 * assert.deepEqual(found[1].presences, [
 *   { item: 'urn:x:item', how: 'inside', role: 'epcList', through: ['urn:x:pallet'], certain: true },
 * ]);
 * ```
 */
export declare function follow(document: DocumentInput, request: FollowRequest): Followed;

/**
 * Answers several requests over one document. Its events are read once, when the first answer is taken.
 *
 * @throws {EpcisError} as {@link follow}, when an answer is taken.
 *
 * @example
 * ```js
 * import { followEach } from 'epcis-edge/follow';
 *
 * const events = [{ type: 'ObjectEvent', action: 'OBSERVE', eventTime: '2026-03-04T11:00:00Z', epcList: ['urn:x:1', 'urn:x:2'] }];
 * for (const { type, things } of followEach(events, [{ items: 'urn:x:1' }, { items: 'urn:x:2' }])) {
 *   assert.equal(type, 'OK');
 *   assert.equal(things.length, 1);
 * }
 * ```
 */
export declare function followEach(document: DocumentInput, requests: Iterable<FollowRequest>): Generator<Followed, void, undefined>;

/** Loads the engine of this entry point, like `init` of `epcis-edge`. In browsers, call it before the first question. */
export declare function init(source?: EngineSource | Promise<EngineSource>): Promise<void>;
