// Keeps the open documents in the storage of this browser, and nowhere else.
import { clear, createStore, del, entries, get, set, type UseStore } from 'idb-keyval';

const SWITCH = 'keep-documents';
/** The localStorage key of the last changed document. A closing page cannot wait for IndexedDB. */
const LAST = 'last-document';
/** The largest document that is kept, in characters or bytes, and the maximum number of open documents. */
export const LARGEST = 20_000_000;
export const MOST = 20;

/** A document as it is opened: its text, or its bytes if it is not edited as text. */
export interface Opened {
  readonly name?: string;
  readonly text?: string | undefined;
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  /** The bytes of the file, if the editor writes its text in another way. */
  readonly exact?: Uint8Array<ArrayBuffer> | undefined;
  /** Whether the bytes were made from text. */
  readonly isText?: boolean | undefined;
  /** The name of an example. */
  readonly example?: string | undefined;
  /** The fragment that holds it. */
  readonly address?: string | undefined;
}

/** How a document is opened. With `isNew`, Back returns to the one before. */
export interface OpenHow {
  readonly isNew?: boolean;
}

/** A document that is open. */
export interface OpenOne<Kept = unknown> {
  readonly id: string;
  name: string;
  text: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly exact: Uint8Array<ArrayBuffer> | undefined;
  readonly isText: boolean | undefined;
  example: string | undefined;
  isEdited: boolean;
  address: string | undefined;
  /** Its text before it was cleared. */
  cleared?: string | undefined;
  /** What the editor keeps of it. */
  kept?: Kept | undefined;
}

const local = <Value>(action: (storage: Storage) => Value): Value | null => {
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
  #store: UseStore | undefined;
  /** The number of writes that the database has not finished. A page that closes ends them. */
  #pending = 0;
  /** Whether the browser offers storage. */
  isAble = false;
  /** Whether the user wants documents kept; the default is yes. */
  isKept = local((storage) => storage.getItem(SWITCH)) !== 'no';

  /** Opens the storage: `{documents, shown, others}`, with the id of the shown document and a map of the other kept values. */
  async open(): Promise<{ readonly documents: OpenOne[]; readonly shown: string | undefined; readonly others: Map<string, unknown> }> {
    try {
      this.#store = createStore('epcis-edge', 'documents');
      this.isAble = true;
      const last = JSON.parse(local((storage) => storage.getItem(LAST)) ?? 'null');
      // Of the kept one only what `saveAtOnce` does not write: what is absent in the last one is gone, such as the text that was cleared.
      if (last !== null) {
        const { exact, isText }: Partial<OpenOne> = (await get<OpenOne>(`document ${last.id}`, this.#store)) ?? {};
        this.save({ exact, isText, ...last });
      }
      const kept = new Map<string, unknown>(await entries<string, unknown>(this.#store));
      const session = kept.get('session') as { readonly order?: readonly string[]; readonly shown?: string } | undefined;
      if (!this.isKept) return { documents: [], shown: undefined, others: new Map() };
      // Documents of another tab of the browser come last, so that none is lost if two tabs write.
      const names = new Set([...(session?.order ?? []).map((id) => `document ${id}`), ...kept.keys()]);
      const documents = [...names].filter((name) => name.startsWith('document ') && kept.has(name)).map((name) => kept.get(name) as OpenOne);
      const others = [...kept].filter(([name]) => name.startsWith('other ')).map(([name, value]) => [name.slice('other '.length), value] as const);
      return { documents, shown: session?.shown, others: new Map(others) };
    } catch {
      this.isAble = false;
      return { documents: [], shown: undefined, others: new Map() };
    }
  }

  /** Writes with a function of the library. Storage that fails is not used again. */
  #write<What extends readonly unknown[]>(action: (...given: [...What, UseStore | undefined]) => Promise<void>, ...what: What): void {
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
  get isWritten(): boolean {
    return this.#pending === 0;
  }

  /** Saves a document, unless it is too large. */
  save({ id, name, text, bytes, exact, isText, example, isEdited, address, cleared }: OpenOne): void {
    // What was saved at once of this document is older, and would replace it.
    const own = JSON.stringify({ id }).slice(0, -1);
    local((storage) => storage.getItem(LAST)?.startsWith(own) && storage.removeItem(LAST));
    const size = text?.length || cleared?.length || bytes?.length || 0;
    if (size > LARGEST) return;
    this.#write(set, `document ${id}`, { id, name, text, bytes, exact, isText, example, isEdited, address, cleared });
  }

  /** Saves a document synchronously when the page closes. If it is too large for that, the database has all but its last changes. */
  saveAtOnce({ id, name, text, example, isEdited, address, cleared }: OpenOne): void {
    if (this.isAble && this.isKept) local((storage) => storage.setItem(LAST, JSON.stringify({ id, name, text, example, isEdited, address, cleared })));
  }

  /** Saves the order of the documents and which one is shown. */
  arrange(order: readonly string[], shown: string | undefined): void {
    this.#write(set, 'session', { order, shown });
  }

  /** Saves a value that is not a document, under a name. */
  saveOther(name: string, value: unknown): void {
    this.#write(set, `other ${name}`, value);
  }

  forget(id: string): void {
    this.#write(del, `document ${id}`);
  }

  /** Switches storage on or off. Switching it off deletes everything kept. */
  switch(is: boolean): void {
    if (!is) {
      this.#write(clear);
      local((storage) => storage.removeItem(LAST));
    }
    this.isKept = is;
    local((storage) => storage.setItem(SWITCH, is ? 'yes' : 'no'));
  }
}
