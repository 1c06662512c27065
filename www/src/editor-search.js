// Looking for words in the editor.
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { keymap } from '@codemirror/view';

export const parts = [highlightSelectionMatches(), search({ top: true }), keymap.of(searchKeymap)];
/** Opens the panel to look for words. */
export const open = (view) => openSearchPanel(view);
