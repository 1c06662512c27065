// Finds CBV words in their longer spellings.

/**
 * The bare word of a value, such as `shipping`, if the list has it; otherwise `undefined`.
 *
 * @param lists the meanings of the words, by list
 * @param prefixes the beginnings of the longer spellings, by list
 */
export function wordIn(lists, prefixes, list, value) {
  if (!Object.hasOwn(lists, list)) throw new TypeError(`there is no list ${String(list)}, expected ${Object.keys(lists).join(', ')}`);
  if (typeof value !== 'string') throw new TypeError('the value is not a string');
  const prefix = prefixes[list].find((start) => value.startsWith(start)) ?? '';
  const word = value.slice(prefix.length);
  return Object.hasOwn(lists[list], word) ? word : undefined;
}
