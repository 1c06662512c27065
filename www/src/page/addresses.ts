// The fragment of the address: a tool, an example, or a whole document as a link.
import type { Editor } from '../editor/editor.ts';
import type { Examples } from '../editor/example-list.ts';
import { announce } from '../shared/dom.ts';
import { partsOf } from './fragment.ts';
import { setNotice } from './notice.ts';
import { TABS } from './panels.ts';

import type { Session } from './session.ts';
import type { OpenText, State } from './state.ts';
import type { Tabs } from './tabs.ts';

interface Around {
  readonly state: State;
  readonly editor: Editor;
  readonly session: Session;
  readonly tabs: Tabs;
  readonly examples: Examples;
  readonly openText: OpenText;
  openMode(fragment: string): boolean;
  openItem(id: string, how: { readonly isNew: boolean }): void;
  waitingForIt(): () => boolean;
}

/** Loads the module that makes and reads links. If that fails, shows a notice and gives undefined. */
const sharing = () =>
  import('./share.ts').catch(() => {
    setNotice('Links could not be loaded. Are you offline? Then try again later.');
    return undefined;
  });

/**
 * Makes `{openAddress, shareLink, shareItem}`. `openMode(fragment)` opens the tool that a fragment names, and returns whether it names one;
 * `openItem` opens the page of an item; `waitingForIt` is called before a link is unpacked.
 */
export function makeAddresses({ state, editor, session, tabs, examples, openText, openMode, openItem, waitingForIt }: Around): {
  openAddress(): Promise<void>;
  shareLink(): Promise<void>;
  shareItem(): Promise<void>;
} {
  /** Copies a link that holds the shown document, and names an item if one is given. */
  async function shareLink(item?: string): Promise<void> {
    if (state.large !== undefined || editor.length() === 0) {
      setNotice(state.large === undefined ? 'There is nothing to share yet.' : 'This document is too large for a link; send the file instead.');
      return;
    }
    const { share } = (await sharing()) ?? {};
    if (share === undefined) return;
    const tab = state.tab === 'item' ? 'events' : state.tab;
    const { notice, done } = await share({ text: editor.text(), tab, back: state.back, packs: state.packs, name: session.shown?.name }, (address) =>
      session.linked(address, item),
    );
    setNotice(notice);
    if (done !== undefined) announce(done);
  }

  return {
    /** Opens what the fragment of the address names: a tool, an example or a shared document. */
    async openAddress() {
      const { document: fragment, item } = partsOf(location.hash.slice(1));
      if (openMode(fragment)) return;
      if (!fragment.startsWith('1.')) {
        if (examples.has(fragment)) await examples.open(fragment, false);
        if (item !== undefined && (fragment === '' || session.shown?.example === fragment)) openItem(item, { isNew: false });
        return;
      }
      const isStillWanted = waitingForIt();
      const { unpack } = (await sharing()) ?? {};
      if (unpack === undefined) return;
      try {
        const shared = await unpack(fragment);
        if (!isStillWanted()) return;
        if (shared === undefined) throw new Error('the link holds no document');
        if (shared.back === '2.0' || shared.back === '1.2') state.back = shared.back;
        if (shared.packs.length > 0) state.packs = shared.packs;
        tabs.choose(TABS.find(({ id }) => id === shared.tab && id !== 'item')?.id ?? 'validate');
        openText(shared.text, { name: typeof shared.name === 'string' ? shared.name : '', address: `#${fragment}` }, { isNew: false });
        // Who made the link chose its tab.
        state.isOpening = false;
        if (item !== undefined && session.shown?.address === `#${fragment}`) openItem(item, { isNew: false });
      } catch {
        session.open({ text: '' }, { isNew: false });
        setNotice('The link is damaged: perhaps part of it was cut off on the way.');
      }
    },

    shareLink: () => shareLink(),

    /** Copies a link to the shown item. It holds the document, unless an address names that, or it is too large. */
    async shareItem() {
      if (!session.address.startsWith('#') && state.large === undefined) return shareLink(state.item);
      const isNamed = session.address.startsWith('#');
      const isCopied = await navigator.clipboard.writeText(location.href).then(
        () => true,
        () => false,
      );
      const done = isCopied ? 'The link is copied' : 'The link is in the address bar';
      setNotice(isNamed ? `${done}.` : `${done}. It names only the item: this document is too large for a link, so send the file, too.`);
      announce(done);
    },
  };
}
