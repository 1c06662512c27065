// The row of open documents.
import { h, icon, put } from '../shared/dom.ts';

/** Fills `room` with the documents `[{id, title}]`. `shown` is the id of the shown one. */
export function showDocuments(
  room: HTMLElement,
  documents: readonly { readonly id: string; readonly title: string }[],
  shown: string | undefined,
  { choose, close, add }: { choose(id: string): unknown; close(id: string): unknown; add(): unknown },
): void {
  put(
    room,
    h(
      'ul',
      {},
      documents.map(({ id, title }) =>
        h(
          'li',
          { class: id === shown ? 'is-shown' : '' },
          h('button', { type: 'button', class: 'document-name', 'aria-current': id === shown ? 'true' : undefined, title, onclick: () => choose(id) }, title),
          h('button', { type: 'button', class: 'document-close', 'aria-label': `Close ${title}`, onclick: () => close(id) }, icon('cross')),
        ),
      ),
    ),
    h('button', { type: 'button', class: 'button quiet icon-only', 'aria-label': 'New document', title: 'New document', onclick: add }, icon('plus')),
  );
  const own = room.querySelector<HTMLElement>('.is-shown');
  if (own !== null) room.scrollTo({ left: own.offsetLeft - room.clientWidth / 2 + own.offsetWidth / 2 });
}
