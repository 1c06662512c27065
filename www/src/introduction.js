// What this is, in two sentences, until somebody has read it.
import { h, icon, put } from './dom.js';

const READ = 'introduction-read';
const REPOSITORY = 'https://github.com/epcis-edge/epcis-edge';

/** Fills the room, unless it was closed before. */
export function showIntroduction(room) {
  let isRead = false;
  try {
    isRead = localStorage.getItem(READ) === 'yes';
  } catch {
    // Then it is shown again.
  }
  if (isRead) return;
  const link = (href, words) => h('a', { href, rel: 'noopener', target: '_blank' }, words);
  put(
    room,
    h(
      'p',
      {},
      'EPCIS is the GS1 standard for recording what happened to products: what, when, where, why and how, as events that companies share. ',
      'Here you can validate, read, hash, translate, compare and build EPCIS documents, without installing anything. ',
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
            // It is closed for this visit.
          }
        },
      },
      icon('cross'),
    ),
  );
  room.hidden = false;
}
