// The order of errors: causes before their consequences.

/** An error of a schema, as far as its order depends on it. */
export interface Ordered {
  readonly keyword: string;
  readonly path?: string;
  readonly message?: string;
}

/** Drops the other errors of a value of the wrong type, such as missing members of a text. */
export function fitting<One extends Ordered>(errors: readonly One[]): One[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ path }) => path));
  return errors.filter(({ keyword, path }) => keyword === 'type' || !mistyped.has(path));
}

/**
 * Sorts the errors of each event: first the errors of a value or a name, then their consequences for the event, which get
 * `follows: true`. Errors of different events keep their order.
 */
export function causesFirst<One extends Ordered>(errors: readonly One[]): (One & { readonly follows?: boolean })[] {
  const paths = errors.map(({ path = '' }) => path);
  const sorted = [...paths].sort();
  /** Whether another error has a path below this one: found by binary search in the sorted paths. */
  const hasInner = (path: string) => {
    let [low, high] = [0, sorted.length];
    const start = `${path}/`;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? '') < start) low = middle + 1;
      else high = middle;
    }
    return sorted[low]?.startsWith(start) ?? false;
  };
  const eventOf = (path: string) => /^(?:.*\/eventList\/\d+|)/.exec(path)?.[0] ?? '';
  const marked = errors.map((error) => ({
    error,
    event: eventOf(error.path ?? ''),
    // A consequence: an event that matches no variant because of an error inside it, or lacks a field because its name is misspelt.
    follows:
      (error.keyword === 'anyOf' && hasInner(error.path ?? '')) ||
      (error.keyword === 'required' &&
        /did you mean/.test(error.message ?? '') &&
        errors.some((other) => other.path === error.path && other.keyword === 'propertyNames')),
  }));
  const out: (One & { readonly follows?: boolean })[] = [];
  for (let at = 0; at < marked.length; ) {
    let end = at;
    while (end < marked.length && marked[end]?.event === marked[at]?.event) end += 1;
    const group = marked.slice(at, end);
    for (const { error, follows } of [...group.filter((one) => !one.follows), ...group.filter((one) => one.follows)])
      out.push(follows ? { ...error, follows } : error);
    at = end;
  }
  return out;
}
