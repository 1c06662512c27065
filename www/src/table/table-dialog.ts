// The dialog that makes events of a table: one names the columns, and the rows are opened as a document. Loaded with the first table.
import type { Page } from '../page/page.ts';
import { button, type Child, h, put } from '../shared/dom.ts';
import { rich } from '../shared/parts.ts';
import { count } from '../shared/words.ts';

import type { Columns } from './table-events.ts';

const ROLES: readonly { readonly role: keyof Columns; readonly label: string; readonly about: string; readonly isNeeded?: boolean }[] = [
  { role: 'what', label: 'What', about: 'the item: a URI, an element string, a GTIN or an SSCC', isNeeded: true },
  { role: 'when', label: 'When', about: 'date and time', isNeeded: true },
  { role: 'where', label: 'Where', about: 'the place: a GLN or a URI' },
  { role: 'step', label: 'Step', about: 'a business step, such as shipping' },
  { role: 'quantity', label: 'Quantity', about: 'of a product or a lot' },
  { role: 'uom', label: 'Unit', about: 'of the quantity, such as KGM' },
];

/** The offset of this computer from UTC, such as `+01:00`. */
function ownZone() {
  const minutes = -new Date().getTimezoneOffset();
  const two = (number: number) => String(Math.floor(Math.abs(number))).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** Opens the dialog for the shown table. `ask` asks the engine's thread, `openText` opens the document, `name` is that of the table. */
export async function openTable({ ask, openText, name }: Pick<Page, 'ask' | 'openText'> & { readonly name: string }): Promise<void> {
  const found = await ask('columns');
  const dialog = h('dialog', { class: 'table-dialog', 'aria-labelledby': 'table-dialog-title' });
  const title = h('h2', { id: 'table-dialog-title', class: 'tool-title' }, 'Make events of a table');
  const close = button('cross', 'Cancel', () => dialog.close(), { class: 'button quiet' });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  if (found.problem !== undefined) {
    put(dialog, title, h('p', { class: 'remark bad', role: 'alert' }, rich(found.problem)), h('div', { class: 'form-row' }, close));
    dialog.showModal();
    return;
  }
  const { columns, guesses } = found;
  const choices = new Map(
    ROLES.map(
      ({ role }) =>
        [
          role,
          h(
            'select',
            { class: 'select', id: `table-${role}` },
            h('option', { value: '' }, 'none'),
            columns.map(({ name: own, sample }, at) =>
              h('option', { value: String(at), selected: guesses[role] === at }, `${own}${sample.length > 0 ? `: ${sample[0]}` : ''}`),
            ),
          ),
        ] as const,
    ),
  );
  const zone = h('input', { class: 'field', id: 'table-zone', value: ownZone(), maxlength: '6', spellcheck: 'false', autocomplete: 'off' });
  const action = h(
    'select',
    { class: 'select', id: 'table-action' },
    [
      ['OBSERVE', 'seen (OBSERVE)'],
      ['ADD', 'created (ADD)'],
      ['DELETE', 'ended (DELETE)'],
    ].map(([value, words]) => h('option', { value }, words)),
  );
  const answer = h('div', { class: 'table-answer', role: 'status' });
  const field = (id: string, label: string, about: string, control: Child) =>
    h('div', { class: 'form-field' }, h('label', { for: id }, h('b', {}, label), ` ${about}`), control);
  /** Asks for the events, and opens them; where rows are left out, only when that is confirmed. */
  async function make(isConfirmed: boolean): Promise<void> {
    const missing = ROLES.find(({ role, isNeeded }) => isNeeded && choices.get(role)?.value === '');
    if (missing !== undefined) {
      put(answer, h('p', { class: 'remark bad' }, `Name the column that tells ${missing.label.toLowerCase()}.`));
      choices.get(missing.role)?.focus();
      return;
    }
    const chosen = Object.fromEntries([...choices].filter(([, { value }]) => value !== '').map(([role, { value }]) => [role, Number(value)]));
    const made = await ask('tableEvents', { ...chosen, zone: zone.value.trim(), action: action.value });
    if (made.problem !== undefined) {
      put(answer, h('p', { class: 'remark bad' }, rich(made.problem)));
      return;
    }
    if ((made.left > 0 || made.notes.length > 0) && !isConfirmed) {
      put(
        answer,
        made.left > 0 && h('p', { class: 'remark bad' }, `${count(made.left, 'row')} cannot be read:`),
        h(
          'ul',
          { class: 'build-errors' },
          [...made.problems, ...made.notes].map((words) => h('li', {}, rich(words))),
          made.left > made.problems.length && h('li', {}, `and ${(made.left - made.problems.length).toLocaleString('en')} more`),
        ),
        made.made > 0 &&
          button('right', `Open ${count(made.made, 'event')}${made.left > 0 ? ` without ${made.left === 1 ? 'it' : 'them'}` : ''}`, () => make(true)),
      );
      return;
    }
    if (made.made === 0) return;
    dialog.close();
    openText(made.text, { name: `${name.replace(/\.\w+$/, '') || 'table'}.json` });
  }
  put(
    dialog,
    title,
    h('p', { class: 'tool-about' }, 'Each row becomes an event. Say which column tells what; the events are then validated.'),
    h(
      'div',
      { class: 'form' },
      ROLES.map(({ role, label, about }) => field(`table-${role}`, label, about, choices.get(role))),
      h(
        'div',
        { class: 'form-pair' },
        field('table-zone', 'Time zone', 'of times without one', zone),
        field('table-action', 'Action', 'what became of the items', action),
      ),
    ),
    answer,
    h(
      'div',
      { class: 'form-row' },
      button('right', 'Make events', () => make(false), { class: 'button main' }),
      close,
    ),
  );
  dialog.showModal();
  choices.get('what')?.focus();
}
