// The marks of findings in the editor, loaded with the first of them.
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorView, keymap } from '@codemirror/view';
import type { Mark } from './marks.ts';

const look = EditorView.theme({
  '.cm-lintRange': {
    backgroundImage: 'none !important',
    paddingBottom: '0 !important',
    textDecorationLine: 'underline',
    textDecorationStyle: 'wavy',
    textDecorationThickness: '1.5px',
    textUnderlineOffset: '3px',
    borderRadius: '2px',
  },
  // The active mark is a second range inside the first one: do not underline twice.
  '.cm-lintRange-active': { textDecorationLine: 'none', backgroundColor: 'transparent' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)', backgroundColor: 'var(--bad-tint)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)', backgroundColor: 'var(--warn-tint)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--info)' },
  '.cm-lint-marker': { content: '""', width: '8px', height: '8px', borderRadius: '50%', margin: '6px 3px' },
  '.cm-lint-marker-error': { content: '"" !important', backgroundColor: 'var(--bad)' },
  '.cm-lint-marker-warning': { content: '"" !important', backgroundColor: 'var(--warn)' },
  '.cm-lint-marker-info': { content: '"" !important', backgroundColor: 'var(--info)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-diagnostic': { padding: '8px 12px', fontFamily: 'var(--sans)', fontSize: '13px', lineHeight: '1.45', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
  '.cm-diagnostic-info': { borderLeft: '3px solid var(--info)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--line-tint)' },
});

export const parts = [lintGutter(), keymap.of(lintKeymap), look];

/** Underlines ranges `[{from, to, severity, message}]` of the shown text, in the order of `from`, in place of those before. */
export const underline = (view: EditorView, marks: readonly Mark[]): void => view.dispatch(setDiagnostics(view.state, marks));
