// What is inside of what while events are read in their order, by the rules of docs/follow.md. A test compares it with the engine.

const NONE = new Set();
const NOTHING = new Map();

/** Two amounts `{quantity, uom}` together; undefined if that is unknown. `sign` is -1 to subtract. */
function together(one, other, sign = 1) {
  if (one === undefined || other === undefined || one.uom !== other.uom) return undefined;
  // Decimals such as 0.1 are not exact: 0.3 - 0.1 - 0.2 must be nothing.
  return { quantity: Math.round((one.quantity + sign * other.quantity) * 1e9) / 1e9, uom: one.uom };
}

export class Containment {
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

  #put(thing, parent, amount) {
    if (!this.#parents.has(thing)) this.#parents.set(thing, new Set());
    this.#parents.get(thing).add(parent);
    if (!this.#contents.has(parent)) this.#contents.set(parent, new Map());
    this.#contents.get(parent).set(thing, amount);
  }

  #takeOut(thing, parent) {
    this.#parents.get(thing)?.delete(parent);
    this.#contents.get(parent)?.delete(thing);
    if (this.#parents.get(thing)?.size === 0) this.#parents.delete(thing);
    if (this.#contents.get(parent)?.size === 0) this.#contents.delete(parent);
  }

  /** Takes a thing out of all its containers. */
  leave(thing) {
    for (const parent of [...this.parentsOf(thing)]) this.#takeOut(thing, parent);
  }

  /**
   * Reads an event: `action` and `parent`, and its children `[{id, isLot, amount}]`. Returns the things that are taken out of the parent.
   */
  read(action, parent, children) {
    const taken = [];
    for (const { id, isLot, amount } of children) {
      if (id === parent) continue;
      const isInside = this.contentsOf(parent).has(id);
      const rest = this.contentsOf(parent).get(id);
      if (action === 'DELETE' && isInside) {
        const left = amount === undefined ? undefined : together(rest, amount, -1);
        if (isLot && amount !== undefined && (left === undefined || left.quantity > 0)) this.#put(id, parent, left);
        else this.#takeOut(id, parent), taken.push(id);
      } else if (action === 'ADD' && isInside) this.#put(id, parent, together(rest, amount));
      else if ((action === 'ADD' || action === 'OBSERVE') && !isInside) {
        if (!isLot) this.leave(id);
        this.#put(id, parent, amount);
      }
    }
    if (action === 'DELETE' && children.length === 0) for (const id of [...this.contentsOf(parent).keys()]) this.#takeOut(id, parent), taken.push(id);
    return taken;
  }
}
