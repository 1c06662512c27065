// The buttons above the editor.
import { button } from '../shared/dom.ts';

/** Adds the buttons to `room`. Returns `{showText}`. `picker` is the input of files; `page` has the state of the page and its actions. */
export function showSourceTools(room, picker, { state, editor, session, examples, openFiles, quietly, shareLink, changeText, offerCleared }) {
  picker.addEventListener('change', () => {
    quietly(openFiles([...picker.files]));
    picker.value = '';
  });
  const toggle = button('text', 'Show the text', () => showText(!document.body.classList.contains('shows-text')), {
    class: 'button text-toggle',
    'aria-expanded': 'false',
    'aria-controls': 'editor',
  });
  /** Shows or hides the text of the document, on a small screen; on others it is always there. */
  function showText(is) {
    document.body.classList.toggle('shows-text', is);
    toggle.setAttribute('aria-expanded', String(is));
    toggle.querySelector('span').textContent = is ? 'Hide the text' : 'Show the text';
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
          session.close(session.shown.id);
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
