// The panel of proofs: verifies that the event was logged, by its proof and a trust policy, and shows each step with its result.
import type { ProofVerdict } from '../../../wasm/js/proof/index.ts';
import type { Page } from '../page/page.ts';
import { announce, button, h, icon, put } from '../shared/dom.ts';
import { failedStep, makePart, type Part, stepList } from './panel-proof-part.ts';
import { banner } from '../shared/parts.ts';
import { isPolicy, isProof } from './proof-kind.ts';

/** The longest proof or policy that is read, in bytes; none is so long. */
const LONGEST = 300_000;

export interface ProofPanel {
  judge(): Promise<void>;
  show: Part['show'];
  take(text: string): boolean;
}

/** Builds the panel. `page` has the state of the page and its actions. Returns `{judge, take, show}`. */
export function makeProof(panel: HTMLElement, page: Page): ProofPanel {
  const { tabs, ask } = page;
  const onVerdict = (holds?: boolean) =>
    tabs.badge('proof', holds === undefined ? '' : holds ? '✓' : '✗', holds ? 'good' : 'bad', holds ? 'logged' : 'not proved');
  const part = makePart(page);
  const answer = h('div', { class: 'proof-answer' });
  const room = (id: string, label: string, hint: string) => {
    const text = h('textarea', {
      id,
      class: 'field proof-text',
      rows: '6',
      spellcheck: 'false',
      autocomplete: 'off',
      placeholder: hint,
      oninput: () => judge(),
    });
    const picker: HTMLInputElement = h('input', {
      type: 'file',
      hidden: true,
      onchange: async () => {
        const file = picker.files?.[0];
        picker.value = '';
        if (file === undefined) return;
        text.value = file.size > LONGEST ? '' : await file.text();
        judge();
      },
    });
    return {
      text,
      row: h(
        'div',
        { class: 'proof-room' },
        h(
          'div',
          { class: 'proof-head' },
          h('label', { class: 'caption', for: id }, label),
          picker,
          button('open', 'Open', () => picker.click(), { class: 'button quiet' }),
        ),
        text,
      ),
    };
  };
  const proof = room('proof-text', 'Proof', 'c2sp.org/tlog-proof@v1 …');
  const policy = room('policy-text', 'Trusted keys', 'log <key>\nwitness <name> <key>\nquorum <name>');
  put(
    panel,
    h(
      'p',
      { class: 'remark' },
      icon('info'),
      'Open the event exactly as the gateway sent it, add its proof file and the public keys that you trust. Verified on this page, offline.',
    ),
    answer,
    proof.row,
    policy.row,
    part.element,
  );

  let turn = 0;
  async function judge(): Promise<void> {
    const own = (turn += 1);
    const [proved, trusted] = [proof.text.value, policy.text.value];
    await Promise.all([judgeWhole(own, proved, trusted), part.judge(proved, trusted)]);
  }

  async function judgeWhole(own: number, proved: string, trusted: string): Promise<void> {
    if (proved.trim() === '' || trusted.trim() === '') {
      put(answer, banner('calm', 'Nothing to verify yet', proved.trim() === '' ? 'Add the proof of the event.' : 'Add the public key of the log.'));
      onVerdict();
      return;
    }
    const { value: verdict, problem } = await ask('proof', { proof: proved, policy: trusted });
    if (own !== turn) return;
    if (problem !== undefined) {
      put(answer, banner('bad', problem.title, problem.detail));
      onVerdict(false);
      return;
    }
    draw(verdict);
    onVerdict(verdict.valid);
    announce(verdict.valid ? 'The event was logged' : 'Not proved');
  }

  function draw(verdict: ProofVerdict): void {
    const { valid, steps, event, loggedBefore, loggedBeforeBy, index, size, origin } = verdict;
    const declared = event?.errorDeclaration;
    const of = declared ? `The error declaration (${declared.reason ?? 'no reason given'}) of ` : '';
    const what = event ? `${of}${event.type} ${event.epc ?? event.eventID}. ` : '';
    const where = `${what}At index ${index?.toLocaleString('en')} of ${size?.toLocaleString('en')} leaves in ${origin}`;
    put(
      answer,
      valid
        ? banner(
            'good',
            loggedBefore === null ? 'Logged' : `Logged before ${loggedBefore}`,
            loggedBefore === null ? `${where}. No witness has dated it.` : `${where}, seen by ${loggedBeforeBy.join(', ')}.`,
          )
        : banner('bad', 'Not proved', failedStep(steps)),
      stepList(verdict),
    );
  }
  judge();

  return {
    judge,
    /** Shows a disclosure `{bytes, name}`, with the name of its file. */
    show: part.show,
    /** Puts a proof or a policy into its field. Returns false if the text is neither. */
    take(text) {
      const into = isProof(text) ? proof : isPolicy(text) ? policy : undefined;
      if (into === undefined) return false;
      into.text.value = text;
      judge();
      return true;
    },
  };
}
