// The anchors of headings, as GitHub makes them: for the pages of the site and the test of links.

/** A function that gives the anchor of each heading of a page, in their order; the second of one text is numbered. */
export function anchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}
