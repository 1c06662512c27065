// The introduction of the page, shown until the user closes it.
import { h, icon, put } from '../shared/dom.ts';

const READ = 'introduction-read';
const REPOSITORY = 'https://github.com/epcis-edge/epcis-edge';

/** Shows the introduction in `room`, unless it was closed before. */
export function showIntroduction(room: HTMLElement): void {
  let isRead = false;
  try {
    isRead = localStorage.getItem(READ) === 'yes';
  } catch {
    // No storage: it is shown on each visit.
  }
  if (isRead) return;
  const link = (href: string, words: string) => h('a', { href, rel: 'noopener', target: '_blank' }, words);
  put(
    room,
    h(
      'p',
      {},
      'EPCIS is the GS1 standard for recording what happened to products, as events that companies share. ',
      h('span', { class: 'introduction-more' }, 'Drop a file: this page says what happened, whether the file is right, and who must mend what is wrong. '),
      link(REPOSITORY, 'Source'),
      ' · ',
      link(`${REPOSITORY}#readme`, 'Documentation'),
      ' · ',
      link('https://www.gs1.org/standards/epcis', 'The standard'),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'button quiet icon-only',
        'aria-label': 'Close the introduction',
        onclick: () => {
          room.hidden = true;
          try {
            localStorage.setItem(READ, 'yes');
          } catch {
            // No storage: it is closed only for this visit.
          }
        },
      },
      icon('cross'),
    ),
  );
  room.hidden = false;
}
