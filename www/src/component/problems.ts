// The problems of the web component: each has a code, a title and a sentence.

import type { EpcisProblem, EpcisProblemCode } from '../../../wasm/js/component/index.ts';

const TITLES: Readonly<Record<EpcisProblemCode, string>> = {
  'unknown-attribute': 'Unknown attribute',
  'missing-attribute': 'Missing attribute',
  'contradictory-attributes': 'Contradictory attributes',
  'wrong-value': 'Wrong value',
  'not-fetched': 'Not fetched',
  refused: 'Refused',
  redirected: 'Redirected',
  'too-large': 'Too large',
  unreadable: 'Not readable',
  'not-epcis': 'This is not EPCIS',
  'unexpected-answer': 'Unexpected answer',
  'no-thread': 'No thread',
  'engine-failed': 'The engine failed',
};

/**
 * The error of something that cannot be shown. `problem` is `{code, title, detail}`, and if they are known `place`, `found`, `expected`,
 * `status`, `location` and the `type` of the engine's problem.
 */
export class Unshown extends Error {
  readonly problem: EpcisProblem;

  constructor(code: EpcisProblemCode, detail: string, more: Omit<EpcisProblem, 'code' | 'title' | 'detail'> = {}) {
    super(detail);
    this.name = 'Unshown';
    this.problem = { code, title: TITLES[code], detail, ...more };
  }
}
