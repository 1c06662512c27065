// Maps whose values are made when they are first needed.

/** The value of a key, which is made if there is none. */
export function ensured<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
