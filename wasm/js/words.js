// Words of the CBV in their longer spellings.

/**
 * The word of a list that a value is; `undefined` for what is none of its words.
 *
 * @param lists what each word means, by list
 * @param prefixes what precedes a word in its longer spellings, by list
 */
export function wordIn(lists, prefixes, list, value) {
  if (!Object.hasOwn(lists, list)) throw new TypeError(`there is no list ${String(list)}, expected ${Object.keys(lists).join(', ')}`);
  if (typeof value !== 'string') throw new TypeError('the value is no string');
  const prefix = prefixes[list].find((start) => value.startsWith(start)) ?? '';
  const word = value.slice(prefix.length);
  return Object.hasOwn(lists[list], word) ? word : undefined;
}
