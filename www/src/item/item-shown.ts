// What the page of an item shows, as the engine's thread sends it.
import type { FollowedEvent, Presence } from '../../../wasm/js/follow/index.ts';
import type { AnyEvent } from '../events/event-model.ts';

/** A thing that has a page of its own. */
export interface ThingRef {
  readonly item: string;
  readonly text: string;
  readonly name: string | undefined;
}

/** A place or a party. */
export interface PlaceRef {
  readonly item?: undefined;
  readonly place: string;
  readonly text: string;
  readonly name: string | undefined;
}

/** A part of a sentence. */
export type Part = string | ThingRef | PlaceRef;
export type RefOf = (id: string) => ThingRef;

/** When something was, in words. */
export interface When {
  readonly date: string;
  readonly clock: string;
}

/** The first entries of a list, and the number of all. */
export interface Cut<Entry> {
  readonly total: number;
  readonly list: readonly Entry[];
}

/** An event as the page opens it: `open` is what the page opens it by. */
export interface Link {
  readonly when?: When | undefined;
  readonly open?: number | undefined;
}

export interface Sentence extends Link {
  readonly words: readonly Part[];
  readonly notes: readonly string[];
  readonly alarms: readonly string[];
}

export interface Content {
  readonly item: ThingRef;
  readonly through: readonly ThingRef[];
  readonly from: Link | undefined;
  readonly to: Link | undefined;
  readonly isObserved: boolean;
  readonly isImplied: boolean;
  readonly isPossible: boolean;
  readonly amount: string | undefined;
}

/** Something that an item was made of, or that was made of it. */
export interface Tied {
  readonly item: ThingRef;
  readonly depth: number;
  readonly from: Link | undefined;
  readonly isPossible: boolean;
}

export interface Fact {
  readonly label: string;
  readonly full: string;
  readonly value: string;
  readonly open?: number;
}

/** Where an item was last. */
export interface Where {
  readonly isLot: boolean;
  readonly place: (PlaceRef & Link) | undefined;
  readonly inside: (ThingRef & Link & { readonly position?: number | undefined }) | undefined;
  readonly disposition: ({ readonly text: string } & Link) | undefined;
  readonly began: Link | undefined;
  readonly ended: Link | undefined;
}

/** What is uncertain, with the event that it is about. */
export interface Doubt extends Link {
  readonly words: readonly Part[];
}

/** What the page of an item shows. */
export interface ItemModel {
  readonly id: string;
  readonly spelling: string;
  readonly kind: string;
  readonly isClass: boolean;
  readonly text: string;
  readonly name: string | undefined;
  readonly split: readonly (readonly [name: string, value: string])[];
  readonly isFound: boolean;
  readonly facts: Cut<Fact>;
  readonly members: Cut<ThingRef>;
  readonly where: Where | undefined;
  readonly life: Cut<Sentence>;
  readonly now: Cut<Content>;
  readonly earlier: Cut<Content>;
  readonly origin: Cut<Tied>;
  readonly products: Cut<Tied>;
  readonly doubts: readonly Doubt[];
}

/** An event of the answer, with what the page says of it. */
export interface Entry extends Omit<FollowedEvent, 'event'> {
  readonly event: AnyEvent;
  readonly position: number;
  readonly open: number;
  readonly when: When;
  /** All things that are present; `presences` has those that the page is about. */
  readonly all: readonly Presence[];
}
