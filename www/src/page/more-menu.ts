// The button "More" of a row of words: it shows the words that are not there at first.
import { h, icon, put } from '../shared/dom.ts';

/** Something behind the button that needs attention. */
export interface Warning {
  readonly title: string;
  readonly tone: string;
}

export interface More {
  readonly button: HTMLButtonElement;
  close(): void;
  warn(warnings: readonly Warning[]): void;
}

/**
 * Makes the button for the words in `room` that have the class `is-more`. `label` says what there is more of. Returns
 * `{button, close, warn}`.
 */
export function makeMore(room: HTMLElement, label: string): More {
  const badge = h('span', { class: 'badge', hidden: true });
  const button = h(
    'button',
    { type: 'button', class: 'more-button', 'aria-expanded': 'false', title: label, onclick: () => show(!room.classList.contains('is-open')) },
    h('span', {}, 'More'),
    badge,
    icon('down'),
  );
  function show(is: boolean) {
    room.classList.toggle('is-open', is);
    button.setAttribute('aria-expanded', String(is));
  }
  room.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !room.classList.contains('is-open')) return;
    show(false);
    button.focus();
  });
  return {
    button,
    close: () => show(false),
    /** Marks the button if something behind it needs attention: `warnings` are `[{title, tone}]`. */
    warn(warnings) {
      badge.hidden = warnings.length === 0;
      badge.className = `badge ${warnings.some(({ tone }) => tone === 'bad') ? 'bad' : 'warn'}`;
      put(badge, h('span', { 'aria-hidden': 'true' }, '!'), h('span', { class: 'unseen' }, ` look at ${warnings.map(({ title }) => title).join(', ')}`));
    },
  };
}
