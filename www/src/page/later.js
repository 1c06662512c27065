// The style sheet of the parts of the page that are not shown at first.
/* global LATER_STYLE */
import { h } from '../shared/dom.ts';

let styled;
/** Loads the style sheet, once. */
export const laterStyle = () =>
  (styled ??= new Promise((resolve) => {
    const link = h('link', { rel: 'stylesheet', href: new URL(LATER_STYLE, import.meta.url).href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  }));
