// The editor of the document, which also shows a read-only part of a document too large to edit.
//
// Why is the editor in a shadow tree?
// There CodeMirror uses constructed style sheets, so that the Content-Security-Policy needs no `unsafe-inline`.
//
// Why is a large document read-only?
// Above a million characters, or with a line over 200,000, an editor would block the page.
// The engine has all the bytes; the page shows one part at a time.
// Bytes that are not UTF-8 are read-only too: a text repaired for display must not be validated in their place.
import { defaultKeymap, history, historyKeymap, isolateHistory, undo } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Edit } from '../engine/answers.ts';
import type * as Marks from './editor-marks.ts';
import type { Mark } from './marks.ts';

/** The longest text and the longest line that can be edited, in characters. */
export const EDITABLE = 1_000_000;
const LONGEST_LINE = 200_000;
/** The longest line that is not wrapped, in characters. */
const WRAPPED_LINE = 1500;

/** Whether a text is small enough to be edited. */
export const isEditable = (text: string): boolean => text.length <= EDITABLE && !hasLineOver(text, LONGEST_LINE);

function hasLineOver(text: string, limit: number): boolean {
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
    if (at - start > limit) return true;
    start = at + 1;
  }
  return text.length - start > limit;
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.tagName], color: 'var(--code-name)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.attributeName, color: 'var(--code-attribute)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.angleBracket, tags.definitionOperator], color: 'var(--code-mark)' },
  { tag: [tags.comment, tags.processingInstruction, tags.documentMeta], color: 'var(--muted)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '12.75px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontVariantLigatures: 'none', lineHeight: '1.62', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 16px 0 6px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none', paddingLeft: '2px' },
  '.cm-activeLine': { backgroundColor: 'var(--line-tint)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'var(--selection)' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer', color: 'var(--faint)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--chip)', border: 'none', color: 'var(--muted)', padding: '0 6px' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    maxWidth: 'min(440px, 90vw)',
  },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--ink)', borderColor: 'var(--edge)' },
  '.cm-textfield': { backgroundColor: 'var(--ground)', border: '1px solid var(--edge)', borderRadius: '6px', padding: '3px 6px' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--chip)', border: '1px solid var(--edge)', borderRadius: '6px', color: 'var(--ink)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-tint)', outline: '1px solid var(--warn)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--selection) !important' },
  '.cm-jumped': { backgroundColor: 'var(--selection)' },
});

const languages: Record<string, Extension> = { json: json() };
/** Loads the XML syntax colours, with the first XML document. */
let xmlLoading: Promise<unknown> | undefined;
const loadXml = () => (xmlLoading ??= import('./editor-xml.ts').then(({ xml }) => (languages.xml = xml)));
/** The marks of findings, undefined until they are loaded. */
let marked: typeof Marks | undefined;
let marksLoading: Promise<unknown> | undefined;
const loadMarks = () => (marksLoading ??= import('./editor-marks.ts').then((loaded) => (marked = loaded)));
/** Loads the search, on its first use. */
const loadSearch = () => import('./editor-search.ts');

/** What an editor is made for. */
interface EditorOptions {
  readonly label: string;
  readonly isReadOnly?: boolean;
  readonly onChange?: (change: { readonly isWhole: boolean }) => void;
  readonly onLargePaste?: (text: string) => void;
}

/** How a text is shown. */
interface Showing {
  readonly format: string;
  readonly isLocked?: boolean;
  readonly base?: number;
  readonly line?: number;
  readonly keepMarks?: boolean;
  readonly isChange?: boolean;
}

/** The text of an editor with its history. */
export interface KeptText {
  readonly state: EditorState;
  readonly top: number;
  readonly format: string | undefined;
}

export interface Editor {
  readonly view: EditorView;
  text(): string;
  length(): number;
  set(text: string, showing: Showing): void;
  keep(): KeptText;
  restore(kept: KeptText): void;
  apply(edits: readonly Edit[]): void;
  undo(): boolean;
  setFormat(format: string): void;
  mark(list: readonly Mark[]): void;
  has(from: number): boolean;
  show(range: { readonly from: number; readonly to: number }, how?: { readonly isFocused?: boolean }): void;
}

/**
 * Makes an editor in a shadow tree of `host`. `onChange({isWhole})` is called when the user changes the text, `onLargePaste(text)` for a
 * paste that is too large to be edited. `isWhole`: the whole text was replaced.
 */
export function createEditor(host: HTMLElement, { label, isReadOnly = false, onChange, onLargePaste }: EditorOptions): Editor {
  const root = host.attachShadow({ mode: 'open' });
  const base = new CSSStyleSheet();
  base.replaceSync(':host { display: block; min-height: 0 } .cm-editor { height: 100% }');
  root.adoptedStyleSheets = [base];
  const language = new Compartment();
  const editable = new Compartment();
  const numbers = new Compartment();
  const wrapping = new Compartment();
  const searching = new Compartment();
  const marking = new Compartment();
  let searchParts: Extension = [];
  let shown: string | undefined;
  let isOurs = false;
  let offset = 0;
  let marks: readonly Mark[] = [];

  const wrapped = (text: string): Extension => (hasLineOver(text, WRAPPED_LINE) ? EditorView.lineWrapping : []);
  const locked = (is: boolean): Extension => (is ? [EditorState.readOnly.of(true)] : []);
  const numbered = (first: number) => lineNumbers(first === 1 ? {} : { formatNumber: (number) => String(number + first - 1) });
  const extensions = ({ format = 'plain', isLocked = isReadOnly, line = 1, text = '' } = {}): Extension[] => [
    numbers.of(numbered(line)),
    foldGutter({ openText: '▾', closedText: '▸' }),
    codeFolding(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    searching.of(searchParts),
    marking.of((!isReadOnly && marked?.parts) || []),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    language.of(languages[format] ?? []),
    editable.of(locked(isLocked)),
    wrapping.of(wrapped(text)),
    syntaxHighlighting(colours),
    look,
    keymap.of([
      ...defaultKeymap,
      ...historyKeymap,
      ...foldKeymap,
      {
        key: 'Mod-f',
        run: (target) => {
          loadSearch().then(
            ({ parts, open }) => {
              if (searchParts !== parts) view.dispatch({ effects: searching.reconfigure((searchParts = parts)) });
              open(target);
            },
            () => undefined,
          );
          return true;
        },
      },
    ]),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged || isOurs) return;
      let isWhole = false;
      update.changes.iterChanges((from, to) => (isWhole ||= from === 0 && to > 0 && to === update.startState.doc.length));
      onChange?.({ isWhole });
    }),
    EditorView.domEventHandlers({
      paste(event) {
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (onLargePaste === undefined || isEditable(text)) return false;
        event.preventDefault();
        onLargePaste(text);
        return true;
      },
      // The page handles dropped files, not the editor.
      drop: (event) => event.dataTransfer?.types.includes('Files') ?? false,
    }),
  ];
  const view = new EditorView({ parent: root, root, state: EditorState.create({ extensions: extensions() }) });

  /** Sets the format for the colours; those of XML follow as soon as they are loaded. */
  const colour = (format: string | undefined) => {
    shown = format;
    if (format === 'xml' && languages.xml === undefined)
      loadXml().then(
        () => shown === 'xml' && view.dispatch({ effects: language.reconfigure(languages.xml ?? []) }),
        () => undefined,
      );
  };
  const draw = (): void => {
    const isMarked = marked !== undefined && marking.get(view.state) === marked.parts;
    if (!isMarked && marks.length === 0) return;
    if (marked === undefined) {
      loadMarks().then(draw, () => undefined);
      return;
    }
    if (!isMarked) view.dispatch({ effects: marking.reconfigure(marked.parts) });
    const length = view.state.doc.length;
    const visible = marks
      .map((mark) => ({ ...mark, from: mark.from - offset, to: mark.to - offset }))
      .filter(({ from, to }) => from >= 0 && to <= length && from <= to)
      .sort((a, b) => a.from - b.from);
    marked.underline(view, visible);
  };

  return {
    view,
    text: () => view.state.doc.toString(),
    length: () => view.state.doc.length,

    /**
     * Shows a text. `format` sets its colours; `base` and `line` say where it starts if it is a part of a larger text. With `isChange`
     * the text replaces the shown one as a step to undo; otherwise it is a new document.
     */
    set(text, { format, isLocked = isReadOnly, base: start = 0, line = 1, keepMarks = false, isChange = false }) {
      isOurs = true;
      offset = start;
      if (!keepMarks) marks = [];
      if (isChange)
        view.dispatch({
          changes: { from: 0, to: view.state.doc.length, insert: text },
          selection: { anchor: 0 },
          annotations: isolateHistory.of('full'),
          effects: [language.reconfigure(languages[format] ?? []), wrapping.reconfigure(wrapped(text))],
        });
      else view.setState(EditorState.create({ doc: text, extensions: extensions({ format, isLocked, line, text }) }));
      isOurs = false;
      colour(format);
      view.scrollDOM.scrollTo(0, 0);
      draw();
    },

    /** The editor's text with its history, for {@link restore}. */
    keep: () => ({ state: view.state, top: view.scrollDOM.scrollTop, format: shown }),

    /** Restores what {@link keep} returned. */
    restore({ state, top, format }) {
      offset = 0;
      marks = [];
      view.setState(state);
      view.dispatch({ effects: [language.reconfigure(languages[format ?? ''] ?? []), searching.reconfigure(searchParts)] });
      colour(format);
      draw();
      view.scrollDOM.scrollTo(0, top);
    },

    /** Applies edits `[{from, to, insert}]`, as one step to undo. */
    apply(edits) {
      view.dispatch({ changes: edits, userEvent: 'input.fix', annotations: isolateHistory.of('full') });
    },

    /** Undoes the last change. */
    undo: () => undo(view),

    /** Changes the colours to those of another format. */
    setFormat(format) {
      colour(format);
      view.dispatch({ effects: language.reconfigure(languages[format] ?? []) });
    },

    /** Underlines ranges `[{from, to, severity, message}]`, with offsets in the whole text. */
    mark(list) {
      marks = list;
      draw();
    },

    /** Whether the shown part includes an offset of the whole text. */
    has: (from) => from >= offset && from <= offset + view.state.doc.length,

    /** Selects a range of the whole text and scrolls it to the middle. */
    show({ from, to }, { isFocused = true } = {}) {
      const length = view.state.doc.length;
      const [start, end] = [Math.min(from - offset, length), Math.min(to - offset, length)];
      view.dispatch({ selection: { anchor: start, head: end }, effects: EditorView.scrollIntoView(start, { y: 'center', x: 'nearest', xMargin: 40 }) });
      if (isFocused) view.focus();
    },
  };
}
