// The open documents: opens, edits and closes them, keeps them in the browser, and follows the Back button.
import { announce, button, type Child, h } from '../shared/dom.ts';
import type { JudgedFile } from '../verdict/verdict-file.ts';
import { MOST, type Opened, type OpenHow, type OpenOne, Shelf } from './documents.ts';
import type { KeptText } from '../editor/editor.ts';
import { partsOf, withItem } from './fragment.ts';
import { showDocuments } from './lists.ts';

/** The pause in typing after which a document is saved, in milliseconds. */
const QUIET = 200;

/** The path of the page, without a fragment. */
const place = () => location.pathname + location.search;

/** A document that is open, with what the editor keeps of it. */
export type Document = OpenOne<KeptText>;

/** The open documents. */
export interface Session {
  open(document: Opened, how?: OpenHow): boolean;
  close(id: string): void;
  readonly shown: Document | undefined;
  text(): string;
  /** The bytes of the shown document if it is not edited as text. */
  bytes(): Uint8Array<ArrayBuffer> | undefined;
  file(): JudgedFile;
  others(): readonly { readonly id: string; readonly title: string; bytes(): Uint8Array<ArrayBuffer> }[];
  edited(isWhole: boolean): void;
  cleared(text: string): void;
  linked(address: string, item: string | undefined): void;
  readonly address: string;
  keep(name: string, value: unknown): void;
  kept(name: string): Promise<unknown>;
  restore(): Promise<false | (() => void)>;
}

interface Around {
  readonly room: HTMLElement;
  readonly footer: HTMLElement;
  show(document: Document): void;
  leave(document: Document): void;
  textOf(): string;
  openAddress(): unknown;
  notice(text?: string, ...tools: readonly Child[]): void;
}

/**
 * Makes the session. `show(document)` shows a document; `leave(document)` is called before another one is shown; `textOf()` gives the
 * text of the editor; `openAddress()` opens what the fragment of the address names; `notice(text, ...tools)` shows a notice.
 */
export function makeSession({ room, footer, show, leave, textOf, openAddress, notice }: Around): Session {
  const shelf = new Shelf();
  const opening = shelf.open();
  /** The kept values that are not documents, by name. */
  const others = new Map<string, unknown>();
  const documents: Document[] = [];
  let shown: Document | undefined;
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const find = (id: unknown) => documents.find((one) => one.id === id);
  const titleOf = ({ name, isEdited }: Document) => `${name === '' ? 'Untitled' : name}${isEdited && name !== '' ? ' (edited)' : ''}`;
  const isBlank = ({ text, bytes }: Document) => bytes === undefined && (text ?? '') === '';
  /** Whether a document holds no work of the user that could be lost. */
  const isPristine = (one: Document) => isBlank(one) || (one.example !== undefined && !one.isEdited);
  const order = () => documents.map(({ id }) => id);

  function draw() {
    showDocuments(
      room,
      documents.map((one) => ({ id: one.id, title: titleOf(one) })),
      shown?.id,
      { choose: (id) => choose(find(id)), close, add: () => open({ text: '' }) },
    );
  }

  /** Saves the shown document now. */
  function flush() {
    clearTimeout(timer);
    timer = undefined;
    if (shown === undefined) return;
    if (shown.bytes === undefined) shown.text = textOf();
    shelf.save(shown);
    shelf.arrange(order(), shown.id);
  }

  const addressOf = ({ example, isEdited, address }: Document) => (example !== undefined && !isEdited ? `#${example}` : (address ?? place()));

  /** Shows a document. With `isNew`, the Back button returns to the previous one. */
  function choose(one: Document | undefined, { isNew = true, isAsked = true } = {}): void {
    if (one === undefined || (one === shown && isAsked)) return;
    if (shown !== undefined && documents.includes(shown)) {
      flush();
      leave(shown);
    }
    shown = one;
    if (isNew) history.pushState({ document: one.id }, '', addressOf(one));
    draw();
    show(one);
    shelf.arrange(order(), one.id);
  }

  /** Says that too many documents are open. The shown document stays. */
  function refuse(name: string): false {
    if (shown === undefined) return false;
    notice(`${name || 'The document'} was not opened: ${MOST} documents are open. Close one first; the answers are still about ${titleOf(shown)}.`);
    if (location.hash !== '') history.replaceState({ document: shown.id }, '', addressOf(shown));
    return false;
  }

  /** Opens a document in place of the shown one if that is pristine. Returns false if too many documents are open. */
  function open({ text, bytes, exact, isText, name = '', example, address }: Opened, { isNew = true }: OpenHow = {}): boolean {
    const twin = documents.find(
      (one) => !one.isEdited && ((example !== undefined && one.example === example) || (address !== undefined && one.address === address)),
    );
    if (twin !== undefined && twin !== shown) {
      choose(twin, { isNew });
      return true;
    }
    if (shown !== undefined && shown.bytes === undefined) shown.text = textOf();
    const replaced = shown !== undefined && isPristine(shown) ? shown : undefined;
    if (replaced === undefined && documents.length >= MOST) return refuse(name);
    const one: Document = { id: `${Date.now().toString(36)}-${(last += 1)}`, name, text, bytes, exact, isText, example, isEdited: false, address };
    if (replaced !== undefined) {
      shelf.forget(replaced.id);
      documents.splice(documents.indexOf(replaced), 1, one);
    } else documents.push(one);
    shelf.save(one);
    choose(one, { isNew });
    return true;
  }

  function close(id: string): void {
    const one = find(id);
    if (one === undefined) return;
    if (one === shown) flush();
    const at = documents.indexOf(one);
    documents.splice(at, 1);
    shelf.forget(id);
    if (one === shown) {
      leave(one);
      shown = undefined;
      if (documents.length === 0) open({ text: '' });
      else choose(documents[Math.min(at, documents.length - 1)]);
    } else draw();
    shelf.arrange(order(), shown?.id);
    announce(`${titleOf(one)} is closed`);
    if (isBlank(one)) return;
    notice(
      `${titleOf(one)} is closed.`,
      button('undo', 'Reopen', () => {
        if (documents.length >= MOST) {
          refuse(one.name);
          return;
        }
        notice();
        documents.splice(Math.min(at, documents.length), 0, one);
        shelf.save(one);
        choose(one);
      }),
    );
  }

  const keepWords = h('span', { class: 'keep-words' });
  const keep: HTMLInputElement = h('input', {
    type: 'checkbox',
    role: 'switch',
    id: 'keep',
    onchange: () => {
      shelf.switch(keep.checked);
      if (keep.checked) {
        for (const one of documents) shelf.save(one);
        for (const [name, value] of others) shelf.saveOther(name, value);
        flush();
      }
      words();
      announce(keepWords.textContent ?? '');
    },
  });
  function words() {
    keep.checked = shelf.isAble && shelf.isKept;
    keep.disabled = !shelf.isAble;
    keepWords.textContent = !shelf.isAble
      ? 'this browser cannot store documents: a reload loses them'
      : shelf.isKept
        ? 'stored only in this browser, until you close the document or switch this off'
        : 'documents are not stored: a reload loses them';
  }
  footer.append(h('label', { for: 'keep' }, keep, h('span', {}, 'Keep in this browser')), keepWords);

  addEventListener('popstate', ({ state }) => {
    const one = find(state?.document);
    if (one !== undefined) choose(one, { isNew: false });
    else openAddress();
  });
  const flushIfDue = () => {
    if (timer === undefined && shelf.isWritten) return;
    flush();
    if (shown !== undefined && shown.bytes === undefined) shelf.saveAtOnce(shown);
  };
  addEventListener('pagehide', flushIfDue);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flushIfDue());

  return {
    open,
    close,
    get shown() {
      return shown;
    },
    /** The shown document: its text, or its bytes if it cannot be edited. */
    text: textOf,
    bytes: () => shown?.bytes?.slice(),
    /** The shown document as a file: its title, and the bytes as they were opened unless it was edited. */
    file: () => ({
      title: shown === undefined ? '' : titleOf(shown),
      bytes: (shown?.bytes ?? (shown?.isEdited ? undefined : shown?.exact))?.slice() ?? new TextEncoder().encode(textOf()),
    }),
    /** The other open documents: `[{id, title, bytes}]`. */
    others: () =>
      documents
        .filter((one) => one !== shown)
        .map((one) => ({ id: one.id, title: titleOf(one), bytes: () => one.bytes?.slice() ?? new TextEncoder().encode(one.text) })),
    /** Called when the text has changed. `isWhole`: all of it was replaced, so it is no longer the example it was. */
    edited(isWhole) {
      if (shown === undefined) return;
      const isFirst = !shown.isEdited;
      if (isWhole && shown.example !== undefined) {
        shown.name = '';
        shown.example = undefined;
      }
      shown.isEdited = true;
      shown.cleared = undefined;
      if (location.hash !== '') history.replaceState({ document: shown.id }, '', withItem(place(), partsOf(location.hash.slice(1)).item));
      shown.address = undefined;
      clearTimeout(timer);
      timer = setTimeout(flush, QUIET);
      if (isFirst) draw();
    },
    /** Keeps the text of a cleared document until the document is edited. */
    cleared(text) {
      if (shown !== undefined) shown.cleared = text;
    },
    /** Puts a link that holds the document, and names an item, into the address bar. */
    linked(address, item) {
      if (shown === undefined) return;
      shown.address = address;
      history.replaceState({ document: shown.id }, '', withItem(address, item));
    },
    /** The address of the shown document: a fragment if one names it, else the path of the page. */
    get address() {
      return shown === undefined ? place() : addressOf(shown);
    },
    /** Keeps a value that is not a document, in the storage only if documents are kept. */
    keep(name, value) {
      others.set(name, value);
      shelf.saveOther(name, value);
    },
    /** The value kept under a name. */
    kept: async (name) => others.get(name) ?? (await opening).others.get(name),
    /** Restores the kept documents. Returns false if there are none, else a function that shows the last one shown. */
    async restore() {
      const { documents: kept, shown: id } = await opening;
      words();
      documents.push(...(kept as Document[]));
      const one = find(id) ?? documents[0];
      if (one === undefined) return false;
      draw();
      return () => {
        history.replaceState({ document: one.id }, '', place());
        choose(one, { isNew: false });
      };
    },
  };
}
