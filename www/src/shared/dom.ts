// Functions that make elements. A text is always inserted as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

/** What an element may contain. What is absent or false is left out. */
export type Child = Node | string | number | false | null | undefined | readonly Child[];

type Listeners = { readonly [Name in keyof HTMLElementEventMap as `on${Name}`]?: ((event: HTMLElementEventMap[Name]) => unknown) | undefined };
/** The attributes of an element. Those that are absent or false are not set. */
export interface Attributes extends Listeners {
  readonly dataset?: Readonly<Record<string, string | number>> | undefined;
  readonly [name: string]: string | number | boolean | null | undefined | ((event: never) => unknown) | Readonly<Record<string, string | number>>;
}

const isShown = (child: Child): child is Node | string => child !== undefined && child !== null && child !== false;

function fill<Own extends Element>(element: Own, attributes: Attributes | null | undefined, children: readonly Child[]): Own {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'dataset') Object.assign((element as unknown as HTMLElement).dataset, value);
    else if (name === 'value') (element as unknown as HTMLInputElement).value = value as string;
    else element.setAttribute(name, value === true ? '' : (value as string));
  }
  element.append(...((children as readonly unknown[]).flat(Infinity) as Child[]).filter(isShown));
  return element;
}

/** Makes an HTML element: `h('p', {class: 'note'}, 'text', child)`. Attributes `on…` are listeners. */
export const h = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes?: Attributes | null,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => fill(document.createElement(tag), attributes, children);
/** Replaces the children of an element. Children that are false, null or undefined are left out. */
export const put = <Own extends Element>(element: Own, ...children: readonly Child[]): Own => fill((element.replaceChildren(), element), undefined, children);

/** Makes an SVG element. */
export const s = <Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes?: Attributes | null, ...children: readonly Child[]): SVGElementTagNameMap[Tag] =>
  fill(document.createElementNS(SVG, tag), attributes, children);

const PATHS = {
  check: 'M4.5 12.5l5 5 10-11',
  cross: 'M6 6l12 12M18 6L6 18',
  warn: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.3',
  info: 'M12 11v6M12 7.2v.3M3 12a9 9 0 1018 0 9 9 0 10-18 0',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  open: 'M4 19V6h6l2 2.5h8V19z',
  share: 'M8.5 13.5l7 4M15.5 6.5l-7 4M18 8a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM6 14.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM18 21a2.5 2.5 0 100-5 2.5 2.5 0 000 5z',
  indent: 'M4 6h16M10 12h10M10 18h10M4 10v4l3-2z',
  clear: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  jump: 'M5 12h13M13 7l5 5-5 5',
  swap: 'M7 4L3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  full: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5',
  fit: 'M4 8V4h4M20 8V4h-4M4 16v4h4M20 16v4h-4M9 9h6v6H9z',
  wrench: 'M15 4a5 5 0 00-4.500 7L4 17.500 6.500 20l6.500-6.500A5 5 0 0019.500 8L16 11.500 12.500 8z',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 010 10h-3',
  down: 'M6 10l6 6 6-6',
  left: 'M14 6l-6 6 6 6',
  text: 'M5 6h14M5 10h14M5 14h14M5 18h9',
  right: 'M10 6l6 6-6 6',
  sun: 'M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  moon: 'M20 14.5A8.5 8.5 0 119.5 4a7 7 0 0010.500 10.5z',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  auto: 'M4 5h16v11H4zM9 20h6M12 16v4',
};

/** The name of an icon. */
export type Icon = keyof typeof PATHS;

/** A line icon, hidden from screen readers. */
export const icon = (name: Icon): SVGSVGElement =>
  s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' }, s('path', { d: PATHS[name] }));

/** A button with an icon and words. */
export const button = (name: Icon, words: string, onclick?: (event: MouseEvent) => unknown, attributes: Attributes = {}): HTMLButtonElement =>
  h('button', { type: 'button', class: 'button', onclick, ...attributes }, icon(name), h('span', {}, words));

/** A button that copies a text, and shows and announces that it did. */
export function copyButton(text: string | (() => string | Promise<string>), label = 'Copy'): HTMLButtonElement {
  const words = h('span', {}, label);
  const own = h(
    'button',
    {
      type: 'button',
      class: 'button quiet',
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(typeof text === 'function' ? await text() : text);
          words.textContent = 'Copied';
        } catch {
          words.textContent = 'Copy was refused';
        }
        announce(words.textContent, own);
        setTimeout(() => (words.textContent = label), 1600);
      },
    },
    icon('copy'),
    words,
  );
  return own;
}

/** Announces a text to screen readers, in the document or the shadow tree of the element `near`. */
export function announce(text: string, near: Node = document): void {
  const region = (near.getRootNode() as Node & Partial<NonElementParentNode>).getElementById?.('announcer');
  if (!region) return;
  region.textContent = '';
  requestAnimationFrame(() => (region.textContent = text));
}

/** Downloads a text or a blob as a file. */
export function save(name: string, text: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
