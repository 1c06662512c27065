// Keeps the open documents in the storage of this browser, and nowhere else.

const DATABASE = 'epcis-edge';
const STORE = 'documents';
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

/** The result of an IndexedDB request, as a promise. */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('blocked'));
  });

/**
 * Keeps documents `{id, name, text | bytes, isText, example, isEdited, address, cleared}` and which of them is shown. `cleared` is the
 * text of a document before it was cleared.
 */
export class Shelf {
  #database;
  /** Whether the browser offers storage. */
  isAble = false;
  /** Whether the user wants documents kept; the default is yes. */
  isKept = local((storage) => storage.getItem(SWITCH)) !== 'no';

  /** Opens the storage: `{documents, shown, others}`, with the id of the shown document and a map of the other kept values. */
  async open() {
    try {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
      this.#database = await done(opening);
      this.isAble = true;
      if (!this.isKept) return { documents: [], shown: undefined, others: new Map() };
      const last = JSON.parse(local((storage) => storage.getItem(LAST)) ?? 'null');
      local((storage) => storage.removeItem(LAST));
      if (last !== null) this.save(last);
      const store = this.#store('readonly');
      const [session, keys, values] = await Promise.all([done(store.get('session')), done(store.getAllKeys()), done(store.getAll())]);
      const kept = new Map(keys.map((key, at) => [key, values[at]]));
      // Documents of another tab of the browser come last, so that none is lost if two tabs write.
      const names = new Set([...(session?.order ?? []).map((id) => `document ${id}`), ...kept.keys()]);
      const documents = [...names].filter((name) => name.startsWith('document ') && kept.has(name)).map((name) => kept.get(name));
      const others = [...kept].filter(([name]) => name.startsWith('other ')).map(([name, value]) => [name.slice('other '.length), value]);
      return { documents, shown: session?.shown, others: new Map(others) };
    } catch {
      this.isAble = false;
      return { documents: [], shown: undefined, others: new Map() };
    }
  }

  #store(mode) {
    return this.#database.transaction(STORE, mode).objectStore(STORE);
  }

  #write(action) {
    if (!this.isAble || !this.isKept) return;
    try {
      action(this.#store('readwrite'));
    } catch {
      this.isAble = false;
    }
  }

  /** Saves a document, unless it is too large. */
  save({ id, name, text, bytes, isText, example, isEdited, address, cleared }) {
    const size = text?.length || cleared?.length || bytes?.length || 0;
    if (size > LARGEST) return;
    this.#write((store) => store.put({ id, name, text, bytes, isText, example, isEdited, address, cleared }, `document ${id}`));
  }

  /** Saves a document synchronously when the page closes. If it is too large for that, the database has all but its last changes. */
  saveAtOnce({ id, name, text, example, isEdited, address, cleared }) {
    if (this.isAble && this.isKept) local((storage) => storage.setItem(LAST, JSON.stringify({ id, name, text, example, isEdited, address, cleared })));
  }

  /** Saves the order of the documents and which one is shown. */
  arrange(order, shown) {
    this.#write((store) => store.put({ order, shown }, 'session'));
  }

  /** Saves a value that is not a document, under a name. */
  saveOther(name, value) {
    this.#write((store) => store.put(value, `other ${name}`));
  }

  forget(id) {
    this.#write((store) => store.delete(`document ${id}`));
  }

  /** Switches storage on or off. Switching it off deletes everything kept. */
  switch(is) {
    if (!is) {
      this.#write((store) => store.clear());
      local((storage) => storage.removeItem(LAST));
    }
    this.isKept = is;
    local((storage) => storage.setItem(SWITCH, is ? 'yes' : 'no'));
  }
}
