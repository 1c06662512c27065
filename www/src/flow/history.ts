// What the engine tells of the events of a document: their order, which of them are withdrawn, and what each puts into containers.
import { DocumentInput } from '../../../wasm/document/document-input.ts';
import { attempt } from '../../../wasm/document/attempt.ts';
import type { Course, PageEngine } from '../engine/page-engine.ts';
import type { AnyEvent } from '../events/event-model.ts';
import { ensured } from '../shared/ensured.ts';

const NONE: ReadonlySet<string> = new Set();
const NOTHING: ReadonlyMap<string, Amount | undefined> = new Map();

/** An amount of a lot or class. */
export interface Amount {
  readonly quantity: number;
  readonly uom: string | undefined;
}

/** What an event does with a child and its container. */
export interface Change {
  readonly child: string;
  readonly parent: string;
  readonly isAssociation: boolean;
  readonly isInside: boolean;
  readonly isTaken: boolean;
  readonly amount: Amount | undefined;
}

/** What is known of an event. */
interface Known {
  readonly isWithdrawn: boolean;
  readonly declaration: number | undefined;
  readonly changes: readonly Change[];
}

/** The answer of `course` of the engine about events at some `places` of a list; of an event that it is not about, nothing is known. */
export class History {
  readonly #events = new Map<number, Known>();

  constructor({ things = [], events = [] }: Partial<Course> = {}, places: readonly number[] = []) {
    const change = ([child, parent, isAssociation, state, quantity, uom]: NonNullable<Course['events'][number]['changes']>[number]): Change => ({
      child: things[child]!,
      parent: things[parent]!,
      isAssociation: isAssociation === 1,
      isInside: state === 1,
      isTaken: state === 0,
      amount: quantity === undefined ? undefined : { quantity, uom: uom === '' ? undefined : uom },
    });
    for (const { index, by, changes = [] } of events)
      this.#events.set(places[index]!, { isWithdrawn: by !== undefined, declaration: by === undefined ? undefined : places[by], changes: changes.map(change) });
  }

  /** The indices of the events in order. */
  get order(): number[] {
    return [...this.#events.keys()];
  }

  readonly has = (index: number): boolean => this.#events.has(index);

  /** Whether an event counts for nothing: it was declared in error, or it is the declaration. */
  readonly isWithdrawn = (index: number): boolean => this.#events.get(index)?.isWithdrawn ?? false;

  /** The index of the event that declares an event wrong; undefined if none does. */
  readonly declarationOf = (index: number): number | undefined => this.#events.get(index)?.declaration;

  /** What an event puts into containers and takes out: `[{child, parent, isAssociation, isInside, isTaken, amount}]`. */
  readonly changesOf = (index: number): readonly Change[] => this.#events.get(index)?.changes ?? [];
}

/** The history of the events that an engine accepts: `source`, and their `places` in the list. */
export const historyOf = (engine: Pick<PageEngine, 'course'>, { source, places }: Askable): History =>
  new History(attempt(() => engine.course(source ?? [])).value, places);

/** The events for engines that refuse other entries of the list, and the places of these events in the list. */
export interface Askable {
  readonly source: Uint8Array | readonly unknown[] | undefined;
  readonly places: readonly number[];
}

/** A document with its history. */
export class StoryInput extends DocumentInput {
  declare readonly engine: PageEngine;

  override get events(): readonly AnyEvent[] {
    return super.events as readonly AnyEvent[];
  }

  get history(): History {
    return this.once('history', () => historyOf(this.engine, this.askable));
  }
}

/** What is directly inside of what, while changes are applied in their order. */
export class Contents {
  readonly #parents = new Map<string, Set<string>>();
  readonly #contents = new Map<string, Map<string, Amount | undefined>>();

  /** The set of the containers that a thing is directly inside of. */
  readonly parentsOf = (thing: string): ReadonlySet<string> => this.#parents.get(thing) ?? NONE;

  /** What is directly inside of a container, as a map to the amounts of lots. */
  readonly contentsOf = (parent: string): ReadonlyMap<string, Amount | undefined> => this.#contents.get(parent) ?? NOTHING;

  /** Whether a thing is directly inside of one of some containers. */
  isInsideAny(thing: string, containers: ReadonlySet<string>): boolean {
    const parents = this.parentsOf(thing);
    if (parents.size <= containers.size) {
      for (const parent of parents) if (containers.has(parent)) return true;
    } else for (const container of containers) if (parents.has(container)) return true;
    return false;
  }

  apply({ child, parent, isInside, amount }: Change): void {
    if (!isInside) {
      this.#parents.get(child)?.delete(parent);
      this.#contents.get(parent)?.delete(child);
      return;
    }
    ensured(this.#parents, child, () => new Set()).add(parent);
    ensured(this.#contents, parent, () => new Map()).set(child, amount);
  }
}
