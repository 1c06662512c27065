// Keeps the open documents in the storage of this browser, and nowhere else.
import { clear, createStore, del, entries, get, set } from 'idb-keyval';

const SWITCH = 'keep-documents';
/** The localStorage key of the last changed document. A closing page cannot wait for IndexedDB. */
const LAST = 'last-document';
/** The largest document that is kept, in characters or bytes, and the maximum number of open documents. */
export const LARGEST = 20_000_000;
export const MOST = 20;

const local = (action) => {
  try {
    return action(localStorage);
  } catch {
    return null;
  }
};

/**
 * Keeps documents `{id, name, text | bytes, exact, isText, example, isEdited, address, cleared}` and which of them is shown. `exact` are the
 * bytes of the file if the editor writes its text in another way; `cleared` is the text of a document before it was cleared.
 */
export class Shelf {
  #store;
  /** The number of writes that the database has not finished. A page that closes ends them. */
  #pending = 0;
  /** Whether the browser offers storage. */
  isAble = false;
  /** Whether the user wants documents kept; the default is yes. */
  isKept = local((storage) => storage.getItem(SWITCH)) !== 'no';

  /** Opens the storage: `{documents, shown, others}`, with the id of the shown document and a map of the other kept values. */
  async open() {
    try {
      this.#store = createStore('epcis-edge', 'documents');
      this.isAble = true;
      const last = JSON.parse(local((storage) => storage.getItem(LAST)) ?? 'null');
      // Of the kept one only what `saveAtOnce` does not write: what is absent in the last one is gone, such as the text that was cleared.
      if (last !== null) {
        const { exact, isText } = (await get(`document ${last.id}`, this.#store)) ?? {};
        this.save({ exact, isText, ...last });
      }
      const kept = new Map(await entries(this.#store));
      if (!this.isKept) return { documents: [], shown: undefined, others: new Map() };
      // Documents of another tab of the browser come last, so that none is lost if two tabs write.
      const names = new Set([...(kept.get('session')?.order ?? []).map((id) => `document ${id}`), ...kept.keys()]);
      const documents = [...names].filter((name) => name.startsWith('document ') && kept.has(name)).map((name) => kept.get(name));
      const others = [...kept].filter(([name]) => name.startsWith('other ')).map(([name, value]) => [name.slice('other '.length), value]);
      return { documents, shown: kept.get('session')?.shown, others: new Map(others) };
    } catch {
      this.isAble = false;
      return { documents: [], shown: undefined, others: new Map() };
    }
  }

  /** Writes with a function of the library. Storage that fails is not used again. */
  #write(action, ...what) {
    if (!this.isAble || !this.isKept) return;
    this.#pending += 1;
    action(...what, this.#store)
      .catch(() => {
        this.isAble = false;
      })
      .finally(() => {
        this.#pending -= 1;
      });
  }

  /** Whether all that was saved is in the database. */
  get isWritten() {
    return this.#pending === 0;
  }

  /** Saves a document, unless it is too large. */
  save({ id, name, text, bytes, exact, isText, example, isEdited, address, cleared }) {
    // What was saved at once of this document is older, and would replace it.
    const own = JSON.stringify({ id }).slice(0, -1);
    local((storage) => storage.getItem(LAST)?.startsWith(own) && storage.removeItem(LAST));
    const size = text?.length || cleared?.length || bytes?.length || 0;
    if (size > LARGEST) return;
    this.#write(set, `document ${id}`, { id, name, text, bytes, exact, isText, example, isEdited, address, cleared });
  }

  /** Saves a document synchronously when the page closes. If it is too large for that, the database has all but its last changes. */
  saveAtOnce({ id, name, text, example, isEdited, address, cleared }) {
    if (this.isAble && this.isKept) local((storage) => storage.setItem(LAST, JSON.stringify({ id, name, text, example, isEdited, address, cleared })));
  }

  /** Saves the order of the documents and which one is shown. */
  arrange(order, shown) {
    this.#write(set, 'session', { order, shown });
  }

  /** Saves a value that is not a document, under a name. */
  saveOther(name, value) {
    this.#write(set, `other ${name}`, value);
  }

  forget(id) {
    this.#write(del, `document ${id}`);
  }

  /** Switches storage on or off. Switching it off deletes everything kept. */
  switch(is) {
    if (!is) {
      this.#write(clear);
      local((storage) => storage.removeItem(LAST));
    }
    this.isKept = is;
    local((storage) => storage.setItem(SWITCH, is ? 'yes' : 'no'));
  }
}
