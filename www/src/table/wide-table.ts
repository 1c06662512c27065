// Tells that a table has more columns than fit, and how many are hidden at its right. Loaded with the first table.
import { h } from '../shared/dom.ts';
import { count } from '../shared/words.ts';

/** The line above the scrolled room of a table. It is empty while all columns are visible. */
export function moreColumns(room: HTMLElement): HTMLElement {
  const told = h('p', { class: 'more-columns', hidden: true });
  const look = () => {
    const { right } = room.getBoundingClientRect();
    const hidden = [...room.querySelectorAll('thead th')].filter((head) => head.getBoundingClientRect().right > right + 2).length;
    told.hidden = hidden === 0;
    told.textContent = hidden === 0 ? '' : `${count(hidden, 'more column')} to the right: scroll sideways →`;
    room.classList.toggle('has-more', hidden > 0);
  };
  room.addEventListener('scroll', look, { passive: true });
  new ResizeObserver(look).observe(room);
  const table = room.querySelector('table');
  if (table !== null) new ResizeObserver(look).observe(table);
  return told;
}
