// The documents that are open, and how they are kept: in the storage of this browser, and nowhere else.

const DATABASE = 'epcis-edge';
const STORE = 'documents';
const SWITCH = 'keep-documents';
/** Where a document is put when the page goes away, which does not wait for a database. */
const LAST = 'last-document';
/** The most that is kept of one document, in characters or bytes, and the most documents. */
export const LARGEST = 20_000_000;
export const MOST = 20;

const local = (action) => {
  try {
    return action(localStorage);
  } catch {
    return null;
  }
};

/** A promise of what a request of IndexedDB gives. */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('blocked'));
  });

/** Keeps documents `{id, name, text | bytes, isText, example, isEdited, cleared}`, `cleared` what was in one that was cleared, and which of them is shown. */
export class Shelf {
  #database;
  /** Whether the browser lets anything be kept. */
  isAble = false;
  /** Whether documents are kept, as the person wishes; they are at first. */
  isKept = local((storage) => storage.getItem(SWITCH)) !== 'no';

  /** Opens the storage: the documents that were kept, the one that was shown, and what else was kept, by its name. */
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
      // Those that another tab of the browser has open come behind: none is lost where two write.
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

  /** Keeps one document as it is now, unless it is too large. */
  save({ id, name, text, bytes, isText, example, isEdited, address, cleared }) {
    const size = text?.length || cleared?.length || bytes?.length || 0;
    if (size > LARGEST) return;
    this.#write((store) => store.put({ id, name, text, bytes, isText, example, isEdited, address, cleared }, `document ${id}`));
  }

  /** Keeps a document at once, because the page goes away: what is too large for that is in the database but for its last changes. */
  saveAtOnce({ id, name, text, example, isEdited, address, cleared }) {
    if (this.isAble && this.isKept) local((storage) => storage.setItem(LAST, JSON.stringify({ id, name, text, example, isEdited, address, cleared })));
  }

  /** Keeps which documents there are, in which order, and which one is shown. */
  arrange(order, shown) {
    this.#write((store) => store.put({ order, shown }, 'session'));
  }

  /** Keeps what is no document, under a name of its own. */
  saveOther(name, value) {
    this.#write((store) => store.put(value, `other ${name}`));
  }

  forget(id) {
    this.#write((store) => store.delete(`document ${id}`));
  }

  /** Switches the keeping on or off; off, everything that was kept is deleted. */
  switch(is) {
    if (!is) {
      this.#write((store) => store.clear());
      local((storage) => storage.removeItem(LAST));
    }
    this.isKept = is;
    local((storage) => storage.setItem(SWITCH, is ? 'yes' : 'no'));
  }
}
