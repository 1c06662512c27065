// The verdict above every other tab: its sentence, which leads to the panel of the verdict.
import { h, icon, put } from '../shared/dom.ts';
import { MARKS, rich, type Tone } from '../shared/parts.ts';

/** Makes the line. The style hides it while the panel of the verdict is open. */
export const verdictLine = (open: () => unknown): HTMLButtonElement => h('button', { type: 'button', hidden: true, onclick: open });

/** Fills the line; without a tone there is none. */
export function showLine(line: HTMLElement, tone: Tone | undefined, words: string): void {
  line.hidden = tone === undefined;
  if (tone === undefined) return;
  line.className = `verdict-line banner ${tone}`;
  put(line, icon(MARKS[tone]), h('span', {}, rich(words)), icon('jump'));
}
