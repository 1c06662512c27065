// The form of the exception report in the panel Checks: the findings about medicines, for the supplier who sent the document.
import type { ExceptionSender } from '../../../wasm/js/check/index.ts';
import type { PageAsk } from '../page/state.ts';
import { button, h, icon, put, save } from '../shared/dom.ts';
import { count } from '../shared/words.ts';

const FILE = 'exception-report.json';

/** The fields of the sender. */
interface Field {
  readonly id: keyof ExceptionSender;
  readonly words: string;
  readonly type: string;
  readonly isNeeded?: boolean;
  readonly pattern?: string;
  readonly hint?: string;
}

const FIELDS: readonly Field[] = [
  { id: 'email', words: 'Your e-mail', type: 'email', isNeeded: true },
  { id: 'phone', words: 'Telephone', type: 'tel' },
  { id: 'gln', words: 'Your GLN', type: 'text', pattern: '[0-9]{13}', hint: '13 digits' },
  { id: 'poNumber', words: 'Order number', type: 'text' },
];

/** What to do if the engine refuses a field. */
const ADVICE: Readonly<Record<string, string>> = {
  email: 'The e-mail address is not one that can be answered.',
  phone: 'The telephone number cannot be written into the report.',
  gln: 'The GLN is not one.',
  poNumber: 'The shipments name no order, so the report needs the order number.',
};

/** The number of exceptions in a report: those of every list in it. */
function exceptionsIn(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return value !== null && typeof value === 'object' ? Object.values(value).reduce<number>((sum, member) => sum + exceptionsIn(member), 0) : 0;
}

/** Fills `room` with the form. `ask` asks the engine about the shown document. What is typed stays in the fields, and nowhere else. */
export function showExceptions(room: HTMLElement, ask: PageAsk): void {
  const answer = h('div', { role: 'status' });
  const inputs = FIELDS.map(({ id, type, pattern, hint, isNeeded }) =>
    h('input', {
      class: 'field',
      id: `exceptions-${id}`,
      type,
      pattern,
      title: hint,
      required: isNeeded,
      inputmode: pattern === undefined ? undefined : 'numeric',
      autocomplete: 'off',
      spellcheck: 'false',
    }),
  );

  async function make() {
    const entries = FIELDS.map(({ id }, at) => [id, inputs[at]?.value.trim() ?? ''] as const);
    const found = await ask('exceptions', Object.fromEntries(entries.filter(([, text]) => text !== '')) as unknown as ExceptionSender);
    const { value, problem = { title: 'Not loaded', detail: 'The engine of the checks could not be loaded. Are you offline? Then try again later.' } } =
      found ?? {};
    if (value === undefined) {
      const [, refused] = /^the argument `(\w+)`/.exec(problem.detail ?? '') ?? [];
      put(answer, h('p', { class: 'remark bad' }, icon('warn'), ADVICE[refused ?? ''] ?? `${problem.title}: ${problem.detail}`));
      inputs[FIELDS.findIndex(({ id }) => id === refused)]?.focus();
      return;
    }
    const number = exceptionsIn(value.exceptions);
    const others = exceptionsIn(value.other_errors);
    save(FILE, `${JSON.stringify(value, null, 2)}\n`, 'application/json');
    put(
      answer,
      h(
        'p',
        { class: 'remark' },
        icon('check'),
        `${FILE} is saved, with ${count(number, 'exception')}${others > 0 ? ` and ${count(others, 'other error')}` : ''}.`,
      ),
    );
  }

  put(
    room,
    h(
      'p',
      { class: 'fine' },
      'Tells the supplier what is wrong, in the JSON format of the Partnership for DSCSA Governance (PDG). It is saved as a file for you to send; this page sends nothing, and forgets these fields when it is closed. GLN and order number are those of the document if you leave them empty.',
    ),
    h(
      'form',
      {
        class: 'form',
        onsubmit: (event) => {
          event.preventDefault();
          make();
        },
      },
      h(
        'div',
        { class: 'form-pair' },
        FIELDS.map(({ id, words, isNeeded }, at) =>
          h(
            'div',
            { class: 'form-field' },
            h('label', { for: `exceptions-${id}` }, words, !isNeeded && h('span', { class: 'pack-about' }, ' (optional)')),
            inputs[at],
          ),
        ),
      ),
      h('div', {}, button('download', 'Save the report', undefined, { type: 'submit', class: 'button main' })),
    ),
    answer,
  );
}
