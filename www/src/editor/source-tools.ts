// The buttons above the editor.
import type { Quietly, State } from '../page/state.ts';
import { button } from '../shared/dom.ts';
import type { Editor } from './editor.ts';
import type { Examples } from './example-list.ts';

interface Around {
  readonly state: Pick<State, 'large' | 'format'>;
  readonly editor: Editor;
  readonly session: { readonly shown: { readonly id: string } | undefined; close(id: string): void; cleared(text: string): void };
  readonly examples: Examples;
  readonly quietly: Quietly;
  openFiles(files: readonly File[]): Promise<void>;
  shareLink(): unknown;
  changeText(text: string): void;
  offerCleared(text: string): void;
}

/** Adds the buttons to `room`. Returns `{showText}`. `picker` is the input of files; `page` has the state of the page and its actions. */
export function showSourceTools(
  room: HTMLElement,
  picker: HTMLInputElement,
  { state, editor, session, examples, openFiles, quietly, shareLink, changeText, offerCleared }: Around,
): { showText(is: boolean): void } {
  picker.addEventListener('change', () => {
    quietly(openFiles([...(picker.files ?? [])]));
    picker.value = '';
  });
  const toggle = button('text', 'Show the text', () => showText(!document.body.classList.contains('shows-text')), {
    class: 'button text-toggle',
    'aria-expanded': 'false',
    'aria-controls': 'editor',
  });
  /** Shows or hides the text of the document, on a small screen; on others it is always there. */
  function showText(is: boolean): void {
    document.body.classList.toggle('shows-text', is);
    toggle.setAttribute('aria-expanded', String(is));
    toggle.querySelector('span')!.textContent = is ? 'Hide the text' : 'Show the text';
  }
  room.append(
    examples.choice,
    button('open', 'Open', () => picker.click(), { class: 'button quiet', title: 'Open files, or drop them anywhere' }),
    button(
      'indent',
      'Format',
      async () => {
        const { prettyJson, prettyXml } = await import('../shared/pretty.ts');
        if (state.large !== undefined || editor.length() === 0) return;
        changeText((state.format === 'xml' ? prettyXml : prettyJson)(editor.text()));
      },
      { class: 'button quiet with-text', title: 'Indent; every value keeps its spelling' },
    ),
    button('share', 'Share', shareLink, { class: 'button quiet', title: 'Copy a link that holds the document; it is never sent' }),
    button(
      'clear',
      'Clear',
      () => {
        if (state.large !== undefined) {
          if (session.shown !== undefined) session.close(session.shown.id);
          return;
        }
        if (editor.length() > 0) {
          const text = editor.text();
          changeText('');
          session.cleared(text);
          offerCleared(text);
        }
        editor.view.focus();
      },
      { class: 'button quiet icon-narrow with-text' },
    ),
    toggle,
  );
  return { showText };
}
