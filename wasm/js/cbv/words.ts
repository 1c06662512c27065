// Finds CBV words in their longer spellings.

/**
 * The bare word of a value, such as `shipping`, if the list has it.
 *
 * @param lists the meanings of the words, by list
 * @param prefixes the beginnings of the longer spellings, by list
 */
export function wordIn<List extends string>(
  lists: Readonly<Record<List, object>>,
  prefixes: Readonly<Record<List, readonly string[]>>,
  list: List,
  value: string,
): string | undefined {
  if (!Object.hasOwn(lists, list)) throw new TypeError(`there is no list ${String(list)}, expected ${Object.keys(lists).join(', ')}`);
  if (typeof value !== 'string') throw new TypeError('the value is not a string');
  const prefix = prefixes[list].find((start) => value.startsWith(start)) ?? '';
  const word = value.slice(prefix.length);
  return Object.hasOwn(lists[list], word) ? word : undefined;
}
