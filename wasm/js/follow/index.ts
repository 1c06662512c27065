// `epcis-edge/follow`: what happened to items, what they were made of, and what was made of them.
import type { Followed } from '../engine/answers.ts';
import type { DocumentInput, EngineSource } from '../engine/index.ts';

export type { Content, EventName, Followed, FollowedDeclaration, FollowedEvent, FollowedQuantity, Gap, Presence, Thing, Tie } from '../engine/answers.ts';
export { EpcisError } from '../engine/index.ts';

/** What to follow, and how far. */
export interface FollowRequest {
  /** 1 to 100 identifiers in any spelling: instances, lots, classes (a GTIN stands for each lot and serial of it), URIs of your own. */
  readonly items: string | readonly string[];
  /** `back`: what it came from. `forth`: where it went and what was made of it. The default is both. */
  readonly direction?: 'back' | 'forth' | 'both' | undefined;
  /** Only events with an `eventTime` at or after this time. */
  readonly from?: Date | string | undefined;
  /** Only events before this time. */
  readonly to?: Date | string | undefined;
  /** The most packings and transformations between an item and an event, 1 to 64. The default is 32. */
  readonly depth?: number | undefined;
  /** The most events of the answer, 1 to 10,000. The default is 1,000. */
  readonly maxEvents?: number | undefined;
  /** Follows everything that is found both ways, through all time, as a recall needs it. Excludes `direction`. */
  readonly kin?: boolean | undefined;
  /** The ties that count: `packing`, `transformation`, `association`. The default is the first two. */
  readonly through?: readonly ('packing' | 'transformation' | 'association')[] | undefined;
  /** Of an item that was a container: `listed` (the default), `followed` or `none`. */
  readonly contents?: 'listed' | 'followed' | 'none' | undefined;
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
