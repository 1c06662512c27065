// Elements that several panels share.
import { cutText } from './bounds.ts';
import type { Problem } from '../engine/answers.ts';
import { type Attributes, type Child, copyButton, h, type Icon, icon } from './dom.ts';
import { capital } from './words.ts';

/** A message of the engine as content: with a capital first letter, and text in backticks as code. */
export function rich(text: string): Child[] {
  return capital(text)
    .split('`')
    .map((part: string, index: number) => (index % 2 === 1 ? h('code', {}, part) : part));
}

/** A JSON Pointer or XML path as a short trail of its last steps. */
export function trail(path: string): HTMLElement {
  if (path === '' || path === '/') return h('span', { class: 'trail' }, 'the document');
  const event = /^\/epcisBody(?:\/queryResults\/resultsBody)?\/eventList\/(\d+)(.*)$/.exec(path);
  const [, index, rest = path] = event ?? [];
  const steps = rest.split('/').filter((step) => step !== '');
  const shown = steps.length > 4 ? ['…', ...steps.slice(-3)] : steps;
  return h(
    'span',
    { class: 'trail', title: cutText(path) },
    event !== null && h('b', {}, `event ${Number(index) + 1}`),
    shown.map((step, at) => [(at > 0 || event !== null) && h('i', {}, '›'), h('span', {}, cutText(step.replaceAll('~1', '/').replaceAll('~0', '~'), 100))]),
  );
}

export type Tone = 'good' | 'bad' | 'warn' | 'calm';
/** The icon of each tone. */
export const MARKS: Readonly<Record<Tone, Icon>> = { good: 'check', bad: 'cross', warn: 'warn', calm: 'info' };

/** The banner at the top of a panel. `tone` is good, bad, warn or calm. */
export function banner(tone: Tone, title: string, detail?: Child, ...tools: readonly Child[]): HTMLElement {
  return h(
    'div',
    { class: `banner ${tone}` },
    h('span', { class: 'banner-mark' }, icon(MARKS[tone])),
    h('div', { class: 'banner-words' }, h('h2', {}, title), detail !== undefined && h('p', {}, detail)),
    tools.length > 0 && h('div', { class: 'banner-tools' }, tools),
  );
}

/** The text of a panel that has no answer yet. */
export const waiting = (words: string): HTMLElement => h('p', { class: 'waiting' }, words);

/** A refusal of the engine, with a button that goes to its place. */
export function refusal(problem: Problem, onJump?: () => unknown): HTMLElement {
  return h(
    'div',
    { class: 'refusal' },
    banner(problem.isOther ? 'calm' : 'bad', problem.title, undefined),
    h('p', { class: 'refusal-detail' }, rich(problem.detail ?? '')),
    problem.location !== undefined &&
      h(
        'p',
        {},
        h(
          'button',
          { type: 'button', class: 'button', onclick: onJump },
          icon('jump'),
          h('span', {}, `Line ${problem.location.line}, column ${problem.location.column}`),
        ),
      ),
    problem.type !== 'about:blank' && h('p', { class: 'fine' }, h('code', {}, problem.type)),
  );
}

/** A link to the page of an item. `attributes` have its address, or only listeners: then it is a button. */
export const itemLink = (text: string, title: string | undefined, attributes: Attributes): HTMLElement =>
  attributes.href === undefined
    ? h('button', { type: 'button', class: 'item-link', title, ...attributes }, text)
    : h('a', { class: 'item-link', title, ...attributes }, text);

/** A block of code with its copy button. */
export const codeBlock = (text: string, label: string): HTMLElement =>
  h('div', { class: 'code-block' }, h('pre', { tabindex: '0', role: 'group', 'aria-label': label }, h('code', {}, text)), copyButton(text));

/** A button that loads more. It is removed when `load` resolves to true, which means there is no more. */
export function more(words: string, load: () => boolean | Promise<boolean>): HTMLButtonElement {
  const own = h(
    'button',
    {
      type: 'button',
      class: 'button wide',
      onclick: async () => {
        own.disabled = true;
        const isLast = await load();
        if (isLast) own.remove();
        else own.disabled = false;
      },
    },
    words,
  );
  return own;
}
