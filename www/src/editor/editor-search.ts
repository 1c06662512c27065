// The search of the editor, loaded on first use.
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { type EditorView, keymap } from '@codemirror/view';

export const parts = [highlightSelectionMatches(), search({ top: true }), keymap.of(searchKeymap)];
/** Opens the search panel. */
export const open = (view: EditorView): boolean => openSearchPanel(view);
