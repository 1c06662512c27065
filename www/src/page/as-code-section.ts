// The section "Do this in code". Its code is loaded when it is first opened.
import { h } from '../shared/dom.ts';
import type { Quietly, State } from './state.ts';

/** The file name of the document in the code shown, such as `document.json` if it has none that fits. */
function fileName(name: string, format: string): string {
  const isXml = format === 'xml';
  return /^\w[\w.-]*\.\w+$/.test(name) && /\.xml$/i.test(name) === isXml ? name : `document.${isXml ? 'xml' : 'json'}`;
}

/** What the code is about. */
export interface Now extends Pick<State, 'tab' | 'format' | 'back' | 'packs' | 'parameters' | 'item'> {
  readonly name: string;
}

/**
 * Adds the section to `room`. Returns the function that draws it. `now()` gives `{tab, format, back, packs, parameters, name, item}` of the
 * shown document, and `quietly` handles the failure of a promise.
 */
export function makeAsCodeSection(room: HTMLElement, { now, quietly }: { now(): Now; readonly quietly: Quietly }): () => void {
  let code: { show(tab: string, asked: Omit<Now, 'tab' | 'name'> & { readonly file: string; readonly base: string }): void } | undefined;
  const section: HTMLElement = h(
    'details',
    {
      class: 'as-code',
      ontoggle: () =>
        quietly(
          import('./as-code.ts').then(({ makeAsCode }) => {
            code ??= makeAsCode(section);
            draw();
          }),
        ),
    },
    h('summary', {}, 'Do this in code'),
  );
  room.append(section);
  function draw() {
    const base = location.protocol.startsWith('http') ? location.origin : 'http://127.0.0.1:8787';
    const { tab, name, ...asked } = now();
    room.hidden = asked.format === 'empty';
    code?.show(tab, { ...asked, base, file: fileName(name, asked.format) });
  }
  return draw;
}
