// What the playground and the web component open at most.

/** The largest document, in bytes: a larger one would exhaust the memory of a page. */
export const LARGEST = 100_000_000;
