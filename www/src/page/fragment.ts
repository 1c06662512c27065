// The fragment of the address: what document it names, and what item: `#orchard-to-shop&item=…`, `#1.…&item=…`, `#item=…`.

/** The parts of a fragment without `#`: `{document, item}`; `item` is undefined if it names none. */
export function partsOf(fragment: string): { readonly document: string; readonly item: string | undefined } {
  const [, document, encoded] = /^(?:(.*?)&)?item=(.+)$/.exec(fragment) ?? [undefined, fragment];
  if (encoded === undefined) return { document: fragment, item: undefined };
  try {
    return { document: document ?? '', item: decodeURIComponent(encoded) };
  } catch {
    return { document: document ?? '', item: undefined };
  }
}

/** An address with an item added to its fragment. */
export const withItem = (address: string, item: string | undefined): string =>
  item === undefined ? address : `${address}${address.includes('#') ? '&' : '#'}item=${encodeURIComponent(item)}`;
