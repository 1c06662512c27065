// What the engine tells of the events of a document: their order, which of them are withdrawn, and what each puts into containers.
import { DocumentInput } from '../../../wasm/document/document-input.ts';
import { attempt } from '../../../wasm/document/attempt.ts';

const NONE = new Set();
const NOTHING = new Map();

/** The answer of `course` of the engine about events at some `places` of a list; of an event that it is not about, nothing is known. */
export class History {
  #events = new Map();

  constructor({ things = [], events = [] } = {}, places = []) {
    const change = ([child, parent, isAssociation, state, quantity, uom]) => ({
      child: things[child],
      parent: things[parent],
      isAssociation: isAssociation === 1,
      isInside: state === 1,
      isTaken: state === 0,
      amount: quantity === undefined ? undefined : { quantity, uom: uom === '' ? undefined : uom },
    });
    for (const { index, by, changes = [] } of events)
      this.#events.set(places[index], { isWithdrawn: by !== undefined, declaration: places[by], changes: changes.map(change) });
  }

  /** The indices of the events in order. */
  get order() {
    return [...this.#events.keys()];
  }

  has = (index) => this.#events.has(index);

  /** Whether an event counts for nothing: it was declared in error, or it is the declaration. */
  isWithdrawn = (index) => this.#events.get(index)?.isWithdrawn ?? false;

  /** The index of the event that declares an event wrong; undefined if none does. */
  declarationOf = (index) => this.#events.get(index)?.declaration;

  /** What an event puts into containers and takes out: `[{child, parent, isAssociation, isInside, isTaken, amount}]`. */
  changesOf = (index) => this.#events.get(index)?.changes ?? [];
}

/** The history of the events that an engine accepts: `source`, and their `places` in the list. */
export const historyOf = (engine, { source, places }) => new History(attempt(() => engine.course(source)).value, places);

/** A document with its history. */
export class StoryInput extends DocumentInput {
  get history() {
    return this.once('history', () => historyOf(this.engine, this.askable));
  }
}

/** What is directly inside of what, while changes are applied in their order. */
export class Contents {
  #parents = new Map();
  #contents = new Map();

  /** The set of the containers that a thing is directly inside of. */
  parentsOf = (thing) => this.#parents.get(thing) ?? NONE;

  /** What is directly inside of a container, as a map to the amounts of lots. */
  contentsOf = (parent) => this.#contents.get(parent) ?? NOTHING;

  /** Whether a thing is directly inside of one of some containers. */
  isInsideAny(thing, containers) {
    const parents = this.parentsOf(thing);
    if (parents.size <= containers.size) {
      for (const parent of parents) if (containers.has(parent)) return true;
    } else for (const container of containers) if (parents.has(container)) return true;
    return false;
  }

  apply({ child, parent, isInside, amount }) {
    if (!isInside) {
      this.#parents.get(child)?.delete(parent);
      this.#contents.get(parent)?.delete(child);
      return;
    }
    if (!this.#parents.has(child)) this.#parents.set(child, new Set());
    this.#parents.get(child).add(parent);
    if (!this.#contents.has(parent)) this.#contents.set(parent, new Map());
    this.#contents.get(parent).set(child, amount);
  }
}
