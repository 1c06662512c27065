// What the attributes and properties of the element ask for.
import { cutText } from '../shared/bounds.ts';
import { addressOf, Refused } from '../tools/gateway/gateway-calls.ts';
import { Unshown } from './problems.ts';

const OWN = ['src', 'gateway', 'item', 'theme'];
const THEMES = ['auto', 'light', 'dark'];
/** The longest identifier that is asked for, in characters. */
const LONGEST_ITEM = 2000;
/** Attributes of every element that are not properties of the same name. */
const OTHERS = ['class', 'is', 'exportparts', 'itemid', 'itemprop', 'itemref', 'itemscope', 'itemtype', 'xmlns', 'nonce', 'popover', 'inert'];

let global: Set<string> | undefined;
/** Whether an attribute is one of every element, or of a framework, whose names have other characters than letters (`data-id`, `@click`). */
function isOfOthers(name: string): boolean {
  if (/[^a-z]/.test(name)) return true;
  if (global === undefined) {
    global = new Set(OTHERS);
    for (const property in HTMLElement.prototype) global.add(property.toLowerCase());
  }
  return global.has(name);
}

/** An address in an attribute, relative to that of the page. @throws {Unshown} */
function urlIn(place: string, value: string, protocols: readonly string[]): URL {
  const expected = `an address that begins with ${protocols.join(' or ')}, or one relative to the page`;
  const wrong = (why: string) =>
    new Unshown('wrong-value', `${place} is \`${cutText(value, 100)}\`${why}, expected ${expected}`, { place, found: value, expected });
  let url: URL;
  try {
    url = new URL(value, document.baseURI);
  } catch {
    throw wrong('');
  }
  if (value.trim() === '' || !protocols.includes(url.protocol)) throw wrong('');
  if (url.username !== '' || url.password !== '') throw wrong(', which has a user name or a password');
  return url;
}

/** The base address of a gateway in its attribute. @throws {Unshown} */
function gatewayIn(value: string): string {
  const url = urlIn('gateway', value, ['https:', 'http:']);
  if (url.search !== '' || url.hash !== '')
    throw new Unshown('wrong-value', `gateway is \`${cutText(value, 100)}\`, expected an address without a query and a fragment`, {
      place: 'gateway',
      found: value,
      expected: 'an address without a query and a fragment',
    });
  try {
    return addressOf(url.href);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Unshown('wrong-value', `gateway is \`${cutText(value, 100)}\`. ${error.message}`, { place: 'gateway', found: value, expected: 'https://' });
  }
}

function themeIn(element: HTMLElement): string {
  const theme = element.getAttribute('theme') ?? 'auto';
  if (THEMES.includes(theme)) return theme;
  const expected = THEMES.join(', ').replace(/, (\w+)$/, ' or $1');
  throw new Unshown('wrong-value', `theme is \`${cutText(theme, 100)}\`, expected ${expected}`, { place: 'theme', found: theme, expected });
}

/** What an element asks for. */
export type Asked = { readonly theme: string } & (
  | { readonly kind: 'nothing' | 'document' }
  | { readonly kind: 'src'; readonly url: URL }
  | { readonly kind: 'item'; readonly gateway: string; readonly item: string }
);

/**
 * What an element asks for: `{theme, kind}` with `kind` `'nothing'`, `'document'`, `'src'` (and `url`), or `'item'` (and `gateway` and
 * `item`). `hasDocument`: its property `document` is set.
 *
 * @throws {Unshown}
 */
export function askedOf(element: HTMLElement, hasDocument: boolean): Asked {
  for (const name of element.getAttributeNames()) {
    if (OWN.includes(name) || isOfOthers(name)) continue;
    const expected = OWN.join(', ').replace(/, (\w+)$/, ' or $1');
    const hint = ['token', 'document'].includes(name) ? `: ${name} is a property, which a script sets` : '';
    throw new Unshown('unknown-attribute', `\`${cutText(name, 100)}\` is not an attribute of ${element.localName}, expected ${expected}${hint}`, {
      place: name,
      found: name,
      expected,
    });
  }
  const theme = themeIn(element);
  const [src, gateway, item] = [element.getAttribute('src'), element.getAttribute('gateway'), element.getAttribute('item')];
  const given = [hasDocument && 'the property document', src !== null && 'src', (gateway ?? item) !== null && 'gateway and item'].filter(Boolean);
  if (given.length > 1)
    throw new Unshown('contradictory-attributes', `${given.join(', ')} are given, expected one of them`, {
      place: given.join(', '),
      found: given.join(', '),
      expected: 'one of them',
    });
  if (hasDocument) return { theme, kind: 'document' };
  if (src !== null) return { theme, kind: 'src', url: urlIn('src', src, ['https:', 'http:', 'blob:', 'data:']) };
  if (gateway === null && item === null) return { theme, kind: 'nothing' };
  if (gateway === null || item === null) {
    const missing = gateway === null ? 'gateway' : 'item';
    throw new Unshown('missing-attribute', `${missing} is missing, expected gateway and item together`, { place: missing, expected: 'gateway and item' });
  }
  return { theme, kind: 'item', gateway: gatewayIn(gateway), item: itemIn(item) };
}

/** An identifier to ask a gateway for. @throws {Unshown} */
export function itemIn(value: string): string {
  const item = value.trim();
  if (item !== '' && item.length <= LONGEST_ITEM) return item;
  const expected = `an identifier of 1 to ${LONGEST_ITEM.toLocaleString('en')} characters`;
  const found = item === '' ? 'empty' : `${item.length.toLocaleString('en')} characters long`;
  throw new Unshown('wrong-value', `item is ${found}, expected ${expected}`, { place: 'item', found, expected });
}
