// The style sheet of the parts of the page that are not shown at first.
import { h } from '../shared/dom.ts';

declare const LATER_STYLE: string;

let styled: Promise<unknown> | undefined;
/** Loads the style sheet, once. */
export const laterStyle = (): Promise<unknown> =>
  (styled ??= new Promise((resolve) => {
    const link = h('link', { rel: 'stylesheet', href: new URL(LATER_STYLE, import.meta.url).href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  }));
