// The identifiers of business transactions: a number that somebody types becomes the URI that the CBV has for it.
//
// CBV 2.0, 8.5.2: a party that has a GLN names its transactions `urn:epcglobal:cbv:bt:GLN:number`. The GLN is that of the party that issued
// the number, so that the same number of two companies is not the same order.

import { type Draft, type Ids, rowsIn, textIn } from './build-further.ts';

/** Who issues a kind of transaction: the one who gets the goods, or the one who sends them. All others: the one who reports. */
const ISSUERS: Readonly<Record<string, 'destination' | 'source'>> = { po: 'destination', recadv: 'destination', desadv: 'source', inv: 'source', bol: 'source', poc: 'source' };
/** The steps of the one who gets the goods, and of the one who sends them. Their own place is that side. */
const SIDES = {
  destination: new Set(['receiving', 'accepting', 'arriving', 'unloading', 'stocking']),
  source: new Set(['shipping', 'departing', 'consigning', 'loading', 'staging_outbound', 'picking', 'packing']),
};
/** The types of sources and destinations, those of a party before a mere place. */
const PARTIES = ['owning_party', 'possessing_party', 'location'];

/** Whether a typed text is a URI already. `PO:4711` is none: numbers have colons, too. */
const isUri = (text: string) => /^(?:urn|did|tag|ni):|^[a-z][a-z\d+.-]*:\/\//i.test(text);

/** A number as the last part of such a URN: signs that a URN cannot have are written as `%20`. */
const escaped = (number: string) =>
  number.replace(/[^A-Za-z\d()+,\-.:=@;$_!*']/gu, (sign) => (/[\ud800-\udfff]/u.test(sign) ? '%EF%BF%BD' : encodeURIComponent(sign)));

/** The first GLN among the typed identifiers of a list of `[type, identifier]`, a party before a place. */
function glnIn(list: readonly (readonly string[])[], glnOf: Ids['glnOf']): string | undefined {
  const ordered = PARTIES.flatMap((type) => list.filter(([own]) => own === type));
  for (const [, id = ''] of ordered) {
    const gln = glnOf(id);
    if (gln !== undefined) return gln;
  }
  return undefined;
}

/** The GLN in the event of the party that issued a transaction: `{gln, whose}`; `{}` if the event does not tell. */
function issuerIn(type: string, draft: Draft, glnOf: Ids['glnOf']): { readonly gln?: string; readonly whose?: string } {
  const side = ISSUERS[type];
  const party = side && glnIn(rowsIn(draft, `${side}List`), glnOf);
  if (party !== undefined) return { gln: party, whose: `the ${side}` };
  if (side !== undefined && !SIDES[side].has(textIn(draft, 'bizStep'))) return {};
  for (const [name, whose] of [
    ['bizLocation', 'the business location'],
    ['readPoint', 'the read point'],
  ] as const) {
    const gln = glnOf(textIn(draft, name).trim());
    if (gln !== undefined) return { gln, whose };
  }
  return {};
}

/**
 * The URI of a row `[type, typed, issuer]` of a draft: `{uri}`; with `words` if it was made of a number, or with a `fault` if that needs
 * another GLN. `ids` has `spell` and `glnOf`, for identifiers as typed.
 */
export function transactionOf(
  [type = '', typed = '', issuer = '']: readonly string[],
  draft: Draft,
  { spell, glnOf }: Ids,
): { readonly uri: string; readonly words?: string | undefined; readonly fault?: string } {
  if (typed === '' || isUri(typed)) return { uri: typed };
  if (typed.startsWith('(')) {
    const uri = spell(typed);
    return { uri, words: uri === typed ? undefined : `becomes ${uri}` };
  }
  const own = issuer === '' ? issuerIn(type, draft, glnOf) : { gln: glnOf(issuer), whose: 'this row' };
  if (own.gln === undefined)
    return {
      uri: typed,
      fault:
        issuer === ''
          ? `the number \`${typed}\` needs the GLN of the party that issued it`
          : `\`${issuer}\` is no GLN, expected 13 digits with a right check digit, such as \`9521141000014\``,
    };
  const uri = `urn:epcglobal:cbv:bt:${own.gln}:${escaped(typed)}`;
  return { uri, words: `becomes ${uri}, with the GLN of ${own.whose}` };
}
