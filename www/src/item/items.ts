// The item that has a page of its own: how it is opened, and its place in the address.
import { partsOf, withItem } from '../page/fragment.ts';
import type { Attributes } from '../shared/dom.ts';

export interface Items {
  open(id: string, how?: { readonly isNew?: boolean }): void;
  close(): void;
  linkOf(id: string): Attributes;
  chosen(before: string, isByPerson: boolean): void;
  follow(): void;
}

interface Around {
  readonly state: { tab: string; item: string | undefined };
  readonly session: { readonly address: string; readonly shown: { readonly id: string } | undefined };
  tabs(): { choose(id: string, isByPerson?: boolean): void; hide(id: string, is: boolean): void };
  stale(): void;
  leaveTool(): void;
}

/**
 * Makes `{open, close, linkOf, chosen, follow}`. `tabs()` gives the tabs; `stale()` marks the panel of the item as outdated; `leaveTool()`
 * shows the document instead of a tool.
 */
export function makeItems({ state, session, tabs, stale, leaveTool }: Around): Items {
  const addressOf = () => {
    const address = withItem(session.address, state.tab === 'item' ? state.item : undefined);
    return address.startsWith('#') ? location.pathname + location.search + address : address;
  };

  function open(id: string, { isNew = true } = {}): void {
    if (state.item !== id) stale();
    state.item = id;
    leaveTool();
    tabs().hide('item', false);
    tabs().choose('item', isNew);
    document.getElementById('answers')?.scrollTo?.({ top: 0 });
  }

  return {
    open,
    /** Forgets the item, since another document is shown. */
    close() {
      if (state.item === undefined) return;
      state.item = undefined;
      if (state.tab === 'item') tabs().choose('events');
      tabs().hide('item', true);
    },
    /** The attributes of a link that opens an item. */
    linkOf: (id) => ({
      href: withItem(session.address, id),
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(id);
      },
    }),
    /** Called when a tab was chosen: the address names the item as long as its tab is shown. */
    chosen(before, isByPerson) {
      if (!isByPerson || (before !== 'item' && state.tab !== 'item')) return;
      const address = addressOf();
      if (address !== location.pathname + location.search + location.hash) history.pushState({ document: session.shown?.id }, '', address);
    },
    /** Follows the address after Back or Forward. */
    follow() {
      const { item } = partsOf(location.hash.slice(1));
      if (item !== undefined) open(item, { isNew: false });
      else if (state.tab === 'item') tabs().choose('events');
    },
  };
}
