// The Compare tool: compares two documents event by event, and their pre-hash strings piece by piece.
import { PROFILES } from '../../../../wasm/js/engine/answers.ts';
import type { Profile } from '../../../../wasm/js/engine/index.ts';
import type { Around, Tool } from '../../page/modes.ts';
import { button, type Child, h, icon, put } from '../../shared/dom.ts';
import { banner, refusal } from '../../shared/parts.ts';
import { tokens } from '../../hash/pre-hash.ts';
import { count } from '../../shared/words.ts';

import type { Comparison, Pair } from './compare.ts';

/** Builds the tool. It compares the shown document with another open one or with a pasted text. */
export function makeCompare(room: HTMLElement, { engine, session }: Around): Tool {
  const answer = h('div', { class: 'compare-answer', 'aria-live': 'polite' });
  const pasted = h('textarea', {
    class: 'field proof-text',
    id: 'compare-text',
    rows: '6',
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: 'Paste the other document or event here, JSON or XML',
    oninput: () => {
      other.value = '';
    },
  });
  const other = h('select', { class: 'select', id: 'compare-other' });
  const profile = h(
    'select',
    { class: 'select', id: 'compare-profile', onchange: () => answer.childElementCount > 0 && compare() },
    PROFILES.map((name) => h('option', { value: name }, name)),
  );
  const picker: HTMLInputElement = h('input', {
    type: 'file',
    hidden: true,
    onchange: async () => {
      const file = picker.files?.[0];
      picker.value = '';
      if (file === undefined) return;
      other.value = '';
      pasted.value = file.size > 5_000_000 ? '' : await file.text();
      pasted.dispatchEvent(new Event('input'));
      compare();
    },
  });

  function drawChoice() {
    const before = other.value;
    put(
      other,
      h('option', { value: '' }, 'the text below'),
      session.others().map(({ id, title }) => h('option', { value: id }, title)),
    );
    other.value = before;
    if (other.selectedIndex < 0) other.value = '';
    if (before === '' && pasted.value === '' && other.options.length > 1) other.selectedIndex = 1;
  }

  let turn = 0;
  async function compare(): Promise<void> {
    const own = (turn += 1);
    const left = new TextEncoder().encode(session.text());
    const right =
      session
        .others()
        .find(({ id }) => id === other.value)
        ?.bytes() ?? new TextEncoder().encode(pasted.value);
    const found = await engine.tool('compare', { left: session.bytes() ?? left, right, profile: profile.value as Profile });
    if (own === turn) draw(found);
  }

  function draw(found: Comparison): void {
    if (found.problem !== undefined) {
      put(
        answer,
        h('p', { class: 'remark' }, icon('info'), found.side === 'left' ? 'The document that is open:' : 'The other document:'),
        refusal(found.problem),
      );
      return;
    }
    const { same, different, onlyLeft, onlyRight, pairs, isLarge, omitted } = found;
    const isEqual = different + onlyLeft + onlyRight === 0;
    put(
      answer,
      banner(
        isEqual ? 'good' : 'warn',
        isEqual ? 'The same events' : 'The documents differ',
        [
          `${count(same, 'event')} with the same hash`,
          different > 0 && `${different.toLocaleString('en')} with a different hash`,
          onlyLeft > 0 && `${onlyLeft.toLocaleString('en')} only in the open document`,
          onlyRight > 0 && `${onlyRight.toLocaleString('en')} only in the other one`,
        ]
          .filter((words) => words !== false)
          .join('; '),
      ),
      isLarge && h('p', { class: 'remark' }, icon('info'), 'With so many events only the hashes are compared.'),
      pairs.map(pairOf),
      omitted > 0 && h('p', { class: 'fine' }, `${omitted.toLocaleString('en')} more are not listed.`),
    );
  }

  const words = (piece: string | undefined): Child =>
    piece === undefined ? h('span', { class: 'fine' }, 'missing') : tokens(piece).map(({ kind, text }) => (kind === 'name' ? h('b', {}, text) : text));

  function pairOf({ left, right, by, isSame, differences = [], unhashed = [] }: Pair): HTMLElement {
    const title =
      right === undefined
        ? `Event ${(left ?? 0) + 1}: only in the open document`
        : left === undefined
          ? `Event ${right + 1} of the other document: missing in the open one`
          : `Event ${left + 1}${left === right ? '' : ` and event ${right + 1} of the other document`}: ${isSame ? 'same hash' : 'different hash'}`;
    const outside = unhashed.length > 0 && `${isSame ? 'Differs' : 'Also differs'}, but is not hashed: ${unhashed.join(', ')}.`;
    return h(
      'section',
      { class: `pair ${isSame ? 'is-same' : 'is-different'}` },
      h('h3', {}, icon(isSame ? 'check' : 'warn'), title),
      isSame === false && h('p', { class: 'fine' }, `Matched by ${by}. ${outside || ''}`),
      isSame && outside && h('p', { class: 'fine' }, outside),
      isSame === false &&
        (differences.length === 0
          ? h('p', { class: 'fine' }, 'Their pieces are not compared.')
          : h(
              'div',
              { class: 'table-room', tabindex: '0', role: 'region', 'aria-label': 'What differs' },
              h(
                'table',
                { class: 'differences' },
                h(
                  'thead',
                  {},
                  h(
                    'tr',
                    {},
                    ['Field', 'Open document', 'Other document'].map((name) => h('th', { scope: 'col' }, name)),
                  ),
                ),
                h(
                  'tbody',
                  {},
                  differences
                    .slice(0, 60)
                    .map(({ field, left: a, right: b }) => h('tr', {}, h('th', { scope: 'row' }, field), h('td', {}, words(a)), h('td', {}, words(b)))),
                ),
              ),
            )),
    );
  }

  put(
    room,
    h('h2', { class: 'tool-title' }, 'Compare two documents'),
    h(
      'p',
      { class: 'tool-about' },
      'Which events are the same, and why do their hashes differ? Compare the open document with another one, event by event and field by field.',
    ),
    h(
      'div',
      { class: 'form-row' },
      h('label', { for: 'compare-other' }, 'Compare with '),
      other,
      h('label', { for: 'compare-profile' }, 'under '),
      profile,
      picker,
      button('open', 'Open', () => picker.click(), { class: 'button quiet' }),
      button('swap', 'Compare', () => compare(), { class: 'button main' }),
    ),
    h('label', { class: 'unseen', for: 'compare-text' }, 'The other document'),
    pasted,
    answer,
  );
  return { open: drawChoice };
}
