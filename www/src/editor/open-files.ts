// Opening of texts and files: chosen, dropped or pasted.
import type { Opened, OpenHow } from '../page/documents.ts';
import type { OpenText } from '../page/state.ts';
import type { Unzipped } from './unzip.ts';
import { announce } from '../shared/dom.ts';
import { decode, foreignOf } from '../../../wasm/document/detect.ts';
import { EDITABLE, isEditable } from './editor.ts';
import { LARGEST } from '../shared/limits.ts';
import { setNotice } from '../page/notice.ts';
import { isDisclosure, isPolicy, isProof } from '../proof/proof-kind.ts';
import { sizeText } from '../shared/words.ts';

/**
 * Whether a file that decodes as UTF-8 can be edited as text. It cannot if it has non-ASCII characters and its XML declaration names
 * another encoding: then the engine must get the bytes.
 */
const isUtf8 = (text: string, bytes: Uint8Array) => {
  const [, encoding = 'utf-8'] = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(text) ?? [];
  return /^utf-?8$/i.test(encoding) || bytes.length === text.length;
};

const isZip = ([p, k, three, four]: Uint8Array) => p === 0x50 && k === 0x4b && three === 3 && four === 4;

/** The panel of proofs, as far as files go to it. */
export interface ProofRoom {
  show(disclosure: { readonly bytes: Uint8Array; readonly name: string }): unknown;
  take(text: string): unknown;
}

interface Around {
  open(document: Opened, how?: OpenHow): boolean;
  unzip(bytes: ArrayBuffer): Promise<Unzipped>;
  waitingForIt(): () => boolean;
  openProof(): Promise<ProofRoom>;
}

/**
 * Makes `{openText, openFiles}`. `open` opens a document of the session; `waitingForIt` is called before a file is read; `openProof`
 * chooses the Proof tab and returns its panel. `unzip(bytes)` opens a ZIP archive in the engine's thread.
 */
export function makeOpening({ open, unzip, waitingForIt, openProof }: Around): {
  readonly openText: OpenText;
  openFiles(files: readonly File[]): Promise<void>;
} {
  /** Opens a text as a new document, read-only if it is too large to edit. Returns false if too many documents are open. */
  function openText(text: string, about: Opened = {}, how?: OpenHow): boolean {
    if (isEditable(text)) return open({ text, ...about }, how);
    return open({ bytes: new TextEncoder().encode(text), isText: true, ...about }, how);
  }

  /** Opens the bytes of a file: in the editor if they are UTF-8 text of a suitable size, otherwise read-only. */
  function openBytes(bytes: Uint8Array<ArrayBuffer>, name: string): void {
    if (bytes.length <= 4 * EDITABLE) {
      const { text, isExact } = decode(bytes);
      if (isExact && isEditable(text) && isUtf8(text, bytes) && foreignOf(bytes, text) === undefined) {
        // The editor has no byte order mark, and one kind of line ends.
        openText(text, { name, exact: text.includes('\r') || bytes[0] === 0xef ? bytes : undefined });
        return;
      }
    }
    open({ bytes, isText: false, name });
  }

  async function openFile(given: File): Promise<void> {
    if (given.size > LARGEST) {
      setNotice(
        `${given.name} is ${sizeText(given.size)}; the playground takes up to ${sizeText(LARGEST)}. The command line takes more: npx epcis-edge validate ${given.name}`,
      );
      return;
    }
    announce(`Opening ${given.name}`);
    const isStillWanted = waitingForIt();
    const bytes = await given.arrayBuffer();
    if (!isStillWanted()) return;
    // A proof or a trust policy goes to the Proof tab of the shown document; it is not a document of its own.
    const text = bytes.byteLength < 300_000 ? decode(new Uint8Array(bytes)).text : '';
    const isShown = isDisclosure(decode(new Uint8Array(bytes, 0, Math.min(200, bytes.byteLength))).text);
    if (isShown || isProof(text) || isPolicy(text)) {
      const panel = await openProof();
      if (isShown) panel.show({ bytes: new Uint8Array(bytes), name: given.name });
      else panel.take(text);
    } else if (isZip(new Uint8Array(bytes))) await openZip(bytes, given.name, isStillWanted);
    else openBytes(new Uint8Array(bytes), given.name);
  }

  /** Opens the documents in a ZIP archive. One that cannot be opened is shown as what it is. */
  async function openZip(bytes: ArrayBuffer, name: string, isStillWanted: () => boolean): Promise<void> {
    const { openArchive } = await import('./archive.ts');
    const { files, words } = await openArchive(unzip, bytes, name);
    if (!isStillWanted()) return;
    if (files.length === 0) openBytes(new Uint8Array(bytes), name);
    for (const file of files) openBytes(file.bytes, file.name);
    setNotice(words);
  }

  return {
    openText,
    /** Opens files, one after the other. */
    async openFiles(files) {
      for (const one of files) await openFile(one);
    },
  };
}
