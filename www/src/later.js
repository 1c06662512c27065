// The styles of what is not there at first.
/* global LATER_STYLE */
import { h } from './dom.js';

let styled;
/** Loads them, once. */
export const laterStyle = () =>
  (styled ??= new Promise((resolve) => {
    const link = h('link', { rel: 'stylesheet', href: new URL(LATER_STYLE, import.meta.url).href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  }));
