// Disclosures: choose fields of a logged event and save them with their proof, or verify the disclosure of someone else.
import type { DisclosableField, DisclosureStep, DisclosureVerdict, ProofStep, ProofVerdict } from '../../../wasm/js/proof/index.ts';
import type { Page } from '../page/page.ts';
import { announce, button, h, icon, put, save } from '../shared/dom.ts';
import { banner, rich } from '../shared/parts.ts';
import { count } from '../shared/words.ts';

/** A step of verifying a proof or a disclosure. */
type Step = ProofStep | DisclosureStep;

/** A disclosure with the name of its file. */
interface Given {
  readonly bytes: Uint8Array;
  readonly name: string;
}

/** The titles of the steps of verifying a proof or a disclosure. */
const STEPS: Readonly<Record<Step['step'], string>> = {
  proof: 'The proof is readable',
  event: 'The proof is about this event',
  disclosure: 'The disclosure is readable',
  fields: 'The fields belong to the event',
  leaf: 'The entry matches the event',
  log: 'The log has signed the head',
  witnesses: 'Witnesses have seen the head',
  inclusion: 'The entry is in the signed log',
};

/** The steps of a verification as a list. If no witness has cosigned, and none is required, that step gets no tick. */
export const stepList = ({ steps, cosignatures }: Pick<ProofVerdict | DisclosureVerdict, 'steps' | 'cosignatures'>): HTMLElement =>
  h(
    'ol',
    { class: 'proof-steps' },
    steps.map(({ step, holds, detail }) => {
      const isUnseen = step === 'witnesses' && holds && cosignatures.length === 0;
      return h(
        'li',
        { class: isUnseen ? 'calm' : holds ? 'good' : 'bad', dataset: { step } },
        icon(isUnseen ? 'info' : holds ? 'check' : 'cross'),
        h(
          'div',
          {},
          h('b', {}, isUnseen ? 'No witness has dated it' : STEPS[step]),
          !isUnseen && h('span', { class: 'unseen' }, holds ? ': holds' : ': does not hold'),
          h('p', {}, detail),
        ),
      );
    }),
  );

/** The first step that does not hold, in words. */
export function failedStep(steps: readonly Step[]): string {
  const failed = steps.find(({ holds }) => !holds);
  return `This step failed: ${failed === undefined ? 'an unknown one' : STEPS[failed.step].toLowerCase()}.`;
}

/** The longest value that is shown in full, in characters, and the maximum number of fields shown. */
const SHOWN = { value: 300, fields: 500 };
const cut = (value: string) => (value.length > SHOWN.value ? `${value.slice(0, SHOWN.value)}…` : value);

export interface Part {
  readonly element: HTMLElement;
  show(disclosure: Given): Promise<void>;
  judge(proved: string, trusted: string): Promise<void>;
}

/** Builds the block. `ask` asks the engine about the shown document, whose name is `baseName()`. Returns `{element, judge, show}`. */
export function makePart({ ask, engine, baseName }: Pick<Page, 'ask' | 'engine' | 'baseName'>): Part {
  const choice = h('div', { class: 'part-choice' });
  const answer = h('div', { class: 'part-answer' });
  const picker: HTMLInputElement = h('input', {
    type: 'file',
    id: 'disclosure-file',
    hidden: true,
    onchange: async () => {
      const file = picker.files?.[0];
      picker.value = '';
      if (file !== undefined) show({ bytes: new Uint8Array(await file.arrayBuffer()), name: file.name });
    },
  });
  const element = h(
    'section',
    { class: 'proof-part' },
    h('h3', {}, 'Show only part of it'),
    choice,
    h(
      'div',
      { class: 'proof-head' },
      h('span', { class: 'caption' }, 'A disclosure from someone else'),
      picker,
      button('open', 'Open', () => picker.click(), { class: 'button quiet', title: 'Open a disclosure, or drop it anywhere' }),
    ),
    answer,
  );
  let proof = '';
  let policy = '';
  let given: Given | undefined;
  let turn = 0;
  let chosen = new Set<string>();

  async function choose() {
    const own = (turn += 1);
    if (proof.trim() === '') {
      put(choice, h('p', { class: 'part-words' }, 'Add the proof of the event, then choose which of its fields others may see.'));
      return;
    }
    // This fails while a document is being opened; the panel asks again when it is open.
    const { value: fields, problem } = await ask('disclosable', proof).catch(() => ({
      value: undefined,
      problem: { title: 'The fields could not be read. Open the event, or reload the page.', detail: undefined },
    }));
    if (own !== turn) return;
    if (problem !== undefined) {
      put(choice, h('p', { class: 'part-words' }, rich(problem.detail ?? problem.title)));
      return;
    }
    chosen = new Set([...chosen].filter((pointer) => fields.some((field) => field.pointer === pointer && field.canBeShown)));
    const saver = button('download', 'Save the disclosure', () => keep(), { disabled: chosen.size === 0, id: 'save-disclosure' });
    const box = ({ name, pointer, count: entries, canBeShown }: DisclosableField, index: number) =>
      h(
        'label',
        { title: canBeShown ? undefined : 'This is a hash: anyone could use it to test guesses about the other fields' },
        h('input', {
          type: 'checkbox',
          name: 'shown',
          id: `shown-${index}`,
          checked: chosen.has(pointer),
          disabled: !canBeShown,
          dataset: { pointer },
          onchange: ({ target }) => {
            chosen[(target as HTMLInputElement).checked ? 'add' : 'delete'](pointer);
            saver.disabled = chosen.size === 0;
          },
        }),
        ` ${name === '' ? '""' : name}`,
        entries > 1 && h('span', { class: 'part-count' }, ` (${entries.toLocaleString('en')})`),
      );
    put(
      choice,
      h(
        'p',
        { class: 'part-words' },
        'Choose the fields that others may see. They can verify that these are part of the logged event. Of the other fields they learn only the number.',
      ),
      h('fieldset', { class: 'part-fields' }, h('legend', { class: 'unseen' }, 'Fields to show'), fields.slice(0, SHOWN.fields).map(box)),
      saver,
    );
  }

  async function keep() {
    const { value: text, problem } = await ask('disclose', { proof, show: [...chosen] });
    if (problem !== undefined) {
      put(answer, banner('bad', problem.title, problem.detail));
      return;
    }
    save(`${baseName() || 'event'}.disclosure.json`, text, 'application/json');
    announce('The disclosure is saved');
  }

  let verified = 0;
  async function judge(): Promise<void> {
    const own = (verified += 1);
    if (given === undefined) {
      put(answer);
      return;
    }
    const close = button(
      'clear',
      'Close',
      () => {
        given = undefined;
        judge();
      },
      { class: 'button quiet' },
    );
    if (policy.trim() === '') {
      put(answer, banner('calm', given.name, 'Add the public key of the log under “Trusted keys” to verify it.', close));
      return;
    }
    const { value: verdict, problem } = await engine.tool('verifyDisclosure', { disclosure: given.bytes, policy }).catch(() => ({
      value: undefined,
      problem: { title: 'Not verified', detail: 'This part of the page could not be loaded. Are you offline?' },
    }));
    if (own !== verified) return;
    if (problem !== undefined) {
      put(answer, banner('bad', problem.title, problem.detail, close));
      return;
    }
    const { valid, steps, fields: shown, withheld, recordTime, who, capturedBy, origin, loggedBefore } = verdict;
    announce(valid ? 'The fields are part of a logged event' : 'Not proved');
    if (!valid) {
      put(answer, banner('bad', 'Not proved', `${failedStep(steps)} Do not believe the fields that it shows.`, close), stepList(verdict));
      return;
    }
    put(
      answer,
      banner(
        'good',
        `Part of an event logged ${loggedBefore === null ? `in ${origin}` : `before ${loggedBefore}`}`,
        `${count(shown.length, 'field')} shown, ${withheld?.toLocaleString('en')} withheld. Recorded ${recordTime} by ${capturedBy}, observed by ${who}.`,
        close,
      ),
      h(
        'dl',
        { class: 'part-shown' },
        shown.slice(0, SHOWN.fields).map(({ pointer, value }) => [h('dt', {}, pointer), h('dd', {}, cut(value))]),
      ),
      shown.length > SHOWN.fields && h('p', { class: 'part-words' }, `These are the first ${SHOWN.fields}; the file has all.`),
      stepList(verdict),
    );
  }

  /** Shows a disclosure `{bytes, name}`, with the name of its file. */
  function show(disclosure: Given): Promise<void> {
    given = disclosure;
    return judge();
  }

  return {
    element,
    show,
    /** Verifies again with the proof and the policy of the panel. */
    async judge(proved, trusted) {
      proof = proved;
      policy = trusted;
      await Promise.all([choose(), judge()]);
    },
  };
}
