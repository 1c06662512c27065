// The verdict on a document in words, and what an error says. The panel of the verdict and the web component show them.
import type { Problem } from '../engine/answers.ts';
import { type Child, h } from '../shared/dom.ts';
import { rich, type Tone, trail } from '../shared/parts.ts';
import { capital, count } from '../shared/words.ts';

import type { VerdictAnswer, VerdictError } from './document-verdict.ts';

export const found = (number: number): string => (number >= 1000 ? 'more than 1,000 errors' : count(number, 'error'));

/** The names of the schemas of a verdict: `{json, xml}`. */
export const schemasOf = ({ schema, source }: VerdictAnswer): { readonly json: string; readonly xml: string | undefined } => ({
  json: `EPCIS ${schema?.version} JSON schema`,
  xml: source === undefined ? undefined : `EPCIS ${source.version} XML schema`,
});

/** The banner of a verdict on a document that could be read: `[tone, title, detail]`. */
export function verdictWords(verdict: VerdictAnswer): [tone: Tone, title: string, detail: string] {
  const { errors, valid, repeated = [], format, inSource = 0, refused } = verdict;
  const { json, xml } = schemasOf(verdict);
  if (format !== 'xml') {
    if (!valid) return ['bad', 'Not valid', capital(`${found(errors.length)} by the official ${json}`)];
    const meets = `Meets the official ${json}`;
    return repeated.length > 0 ? ['warn', 'Valid, with repeated names', meets] : ['good', 'Valid', meets];
  }
  const inTranslation = errors.length - inSource;
  if (!valid) {
    const reasons = [
      inSource > 0 && `${found(inSource)} by the ${xml}`,
      inTranslation > 0 && `${found(inTranslation)} by the ${json}`,
      refused && !refused.isOther && 'it cannot be translated',
    ];
    return ['bad', 'Not valid', capital(reasons.filter(Boolean).join('; '))];
  }
  const version = verdict.sourceVersion ?? verdict.source?.version;
  const detail = refused
    ? `Meets the official ${xml}. ${refused.detail}`
    : `EPCIS XML ${version}: meets the official ${xml}, and its translation meets the ${json}`;
  return ['good', 'Valid', detail];
}

/** What an error says: its message, and its place. `line` is an element for its line. */
export const errorContent = (error: Partial<VerdictError> & Pick<Problem, 'detail'>, line?: Child): Child[] => [
  h('span', { class: 'error-message' }, rich(error.message ?? error.detail ?? '')),
  h(
    'span',
    { class: 'error-place' },
    trail(error.source?.path ?? error.path ?? ''),
    line,
    error.follows && h('span', {}, 'follows from the errors above'),
    h('span', { class: 'error-keyword' }, error.keyword),
  ),
];
