// The notice above the document.
import { type Child, h, icon, put } from '../shared/dom.ts';

/** Shows a notice, with buttons after its text. Without a text the notice is hidden. */
export function setNotice(text = '', ...tools: readonly Child[]): void {
  const room = document.getElementById('notice')!;
  room.hidden = text === '';
  put(room, ...(text === '' ? [] : [icon('info'), h('span', {}, text), ...tools]));
}
