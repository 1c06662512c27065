// Which documents are open: opened, edited, closed, kept in the browser, and found again by its Back button.
import { announce, button, h } from './dom.js';
import { MOST, Shelf } from './documents.js';
import { showDocuments } from './lists.js';

/** How long nobody types before a document is kept, in milliseconds. */
const QUIET = 200;

/** The path of the page, without a fragment. */
const place = () => location.pathname + location.search;

/**
 * `show(document)` puts a document in sight; `leave(document)` is called before another one comes; `textOf()` gives what the editor
 * holds; `openAddress()` opens what the fragment names; `notice(text, ...tools)` tells something.
 */
export function makeSession({ room, footer, show, leave, textOf, openAddress, notice }) {
  const shelf = new Shelf();
  const opening = shelf.open();
  /** What is kept beside the documents. */
  const others = new Map();
  const documents = [];
  let shown;
  let last = 0;
  let timer;

  const find = (id) => documents.find((one) => one.id === id);
  const titleOf = ({ name, isEdited }) => `${name === '' ? 'Untitled' : name}${isEdited && name !== '' ? ' (edited)' : ''}`;
  const isBlank = ({ text, bytes }) => bytes === undefined && (text ?? '') === '';
  /** Whether nobody has done anything to it that could be lost. */
  const isPristine = (one) => isBlank(one) || (one.example !== undefined && !one.isEdited);
  const order = () => documents.map(({ id }) => id);

  function draw() {
    showDocuments(
      room,
      documents.map((one) => ({ id: one.id, title: titleOf(one) })),
      shown?.id,
      { choose: (id) => choose(find(id)), close, add: () => open({ text: '' }) },
    );
  }

  /** Writes what is not written yet. */
  function flush() {
    clearTimeout(timer);
    timer = undefined;
    if (shown === undefined) return;
    if (shown.bytes === undefined) shown.text = textOf();
    shelf.save(shown);
    shelf.arrange(order(), shown.id);
  }

  const addressOf = ({ example, isEdited, address }) => (example !== undefined && !isEdited ? `#${example}` : (address ?? place()));

  /** Brings a document in sight; with `isNew` the Back button leads to the one before. */
  function choose(one, { isNew = true, isAsked = true } = {}) {
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

  /** Says that there is no room for a document; what is shown stays. */
  function refuse(name) {
    notice(`${name || 'The document'} was not opened: ${MOST} documents are open. Close one first; the answers are still about ${titleOf(shown)}.`);
    if (location.hash !== '') history.replaceState({ document: shown.id }, '', addressOf(shown));
    return false;
  }

  /** Opens a document, unless too many are open; one that nobody has touched gives way to it. Whether it was opened. */
  function open({ text, bytes, isText, name = '', example, address }, { isNew = true } = {}) {
    const twin = documents.find(
      (one) => !one.isEdited && ((example !== undefined && one.example === example) || (address !== undefined && one.address === address)),
    );
    if (twin !== undefined && twin !== shown) {
      choose(twin, { isNew });
      return true;
    }
    if (shown !== undefined && shown.bytes === undefined) shown.text = textOf();
    const isInPlace = shown !== undefined && isPristine(shown);
    if (!isInPlace && documents.length >= MOST) return refuse(name);
    const one = { id: `${Date.now().toString(36)}-${(last += 1)}`, name, text, bytes, isText, example, isEdited: false, address };
    if (isInPlace) {
      shelf.forget(shown.id);
      documents.splice(documents.indexOf(shown), 1, one);
    } else documents.push(one);
    shelf.save(one);
    choose(one, { isNew });
    return true;
  }

  function close(id) {
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
        if (documents.length >= MOST) return refuse(one.name);
        notice();
        documents.splice(Math.min(at, documents.length), 0, one);
        shelf.save(one);
        choose(one);
      }),
    );
  }

  const keepWords = h('span', { class: 'keep-words' });
  const keep = h('input', {
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
      announce(keepWords.textContent);
    },
  });
  function words() {
    keep.checked = shelf.isAble && shelf.isKept;
    keep.disabled = !shelf.isAble;
    keepWords.textContent = !shelf.isAble
      ? 'this browser keeps nothing: a reload loses what is open'
      : shelf.isKept
        ? 'only here, until you close the document or switch this off'
        : 'nothing is kept: a reload loses what is open';
  }
  footer.append(h('label', { for: 'keep' }, keep, h('span', {}, 'Keep in this browser')), keepWords);

  addEventListener('popstate', ({ state }) => {
    const one = find(state?.document);
    if (one !== undefined) choose(one, { isNew: false });
    else openAddress();
  });
  const flushIfDue = () => {
    if (timer === undefined) return;
    flush();
    if (shown?.bytes === undefined) shelf.saveAtOnce(shown);
  };
  addEventListener('pagehide', flushIfDue);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flushIfDue());

  return {
    open,
    close,
    get shown() {
      return shown;
    },
    /** What is in sight, as text or, where it is too large for an editor, as bytes. */
    text: textOf,
    bytes: () => shown?.bytes?.slice(),
    /** The other documents that are open: `[{id, title, bytes}]`. */
    others: () =>
      documents
        .filter((one) => one !== shown)
        .map((one) => ({ id: one.id, title: titleOf(one), bytes: () => one.bytes?.slice() ?? new TextEncoder().encode(one.text) })),
    /** What is in the editor has changed; something else in the place of an example is not that example any more. */
    edited(isWhole) {
      if (shown === undefined) return;
      const isFirst = !shown.isEdited;
      if (isWhole && shown.example !== undefined) {
        shown.name = '';
        shown.example = undefined;
      }
      shown.isEdited = true;
      shown.cleared = undefined;
      if (location.hash !== '') history.replaceState({ document: shown.id }, '', place());
      shown.address = undefined;
      clearTimeout(timer);
      timer = setTimeout(flush, QUIET);
      if (isFirst) draw();
    },
    /** What was in the document before it was cleared; kept until something else is in it. */
    cleared(text) {
      shown.cleared = text;
    },
    /** The link in the address bar holds the document now. */
    linked(address) {
      shown.address = address;
      history.replaceState({ document: shown.id }, '', address);
    },
    /** Keeps what is no document, as long as documents are kept. */
    keep(name, value) {
      others.set(name, value);
      shelf.saveOther(name, value);
    },
    /** What was kept under a name. */
    kept: async (name) => others.get(name) ?? (await opening).others.get(name),
    /** Brings back what was kept; whether there was anything. */
    async restore() {
      const { documents: kept, shown: id } = await opening;
      words();
      documents.push(...kept);
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
