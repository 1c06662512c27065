// The display of a pre-hash string: the facet of each field, and the names and values in a piece.
import { CONTAINERS, VALUES } from '../shared/fields.ts';

/** The facet of each field: what, when, where, why or how. */
export const FACETS: Readonly<Record<string, 'what' | 'when' | 'where' | 'why' | 'how'>> = {
  eventType: 'what',
  epcList: 'what',
  parentID: 'what',
  childEPCs: 'what',
  quantityList: 'what',
  childQuantityList: 'what',
  inputEPCList: 'what',
  inputQuantityList: 'what',
  outputEPCList: 'what',
  outputQuantityList: 'what',
  transformationID: 'what',
  ilmd: 'what',
  eventTime: 'when',
  eventTimeZoneOffset: 'when',
  readPoint: 'where',
  bizLocation: 'where',
  sourceList: 'where',
  destinationList: 'where',
  action: 'why',
  bizStep: 'why',
  disposition: 'why',
  persistentDisposition: 'why',
  bizTransactionList: 'why',
  certificationInfo: 'why',
  sensorElementList: 'how',
};

/** Matches the name at the end of a text: an extension, `{https://ns.example/}lot=`, or names of the standard, `quantityListquantityElementepcClass=`. */
const KNOWN_TAIL = new RegExp(`(?:\\{[^{}]*\\}[\\w.-]+|(?:${CONTAINERS.join('|')})*(?:${VALUES.join('|')}))=$`);

export interface Token {
  readonly kind: 'name' | 'value';
  readonly text: string;
}

/** Splits a piece into names and values, `{kind: 'name' | 'value', text}`, for its colours only. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  const pattern = /(?:\{[^{}]*\}[^={}]*|[A-Za-z]+)=/g;
  const names = /^(?:.*?)((?:\{[^{}]*\})?[A-Za-z][\w.-]*=)$/s;
  let at = 0;
  const push = (kind: Token['kind'], part: string) => part !== '' && found.push({ kind, text: part });
  for (const match of text.matchAll(pattern)) {
    // A name before `=` directly follows the previous value, without a separator. So the known names of the algorithm are tried first.
    const [all] = match;
    const name = KNOWN_TAIL.exec(all)?.[0] ?? names.exec(all)?.[1] ?? all;
    const start = match.index + all.length - name.length;
    push('value', text.slice(at, start));
    push('name', name);
    at = start + name.length;
  }
  push('value', text.slice(at));
  return found;
}
