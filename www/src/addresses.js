// The fragment of the address: a tool, an example, or a whole document as a link.
import { announce } from './dom.js';
import { setNotice } from './notice.js';
import { TABS } from './panels.js';

/** Loads the module that makes and reads links. If that fails, shows a notice and gives undefined. */
const sharing = () => import('./share.js').catch(() => setNotice('Links could not be loaded. Are you offline? Then try again later.'));

/**
 * Makes `{openAddress, shareLink}`. `openMode(fragment)` opens the tool that a fragment names, and returns whether it names one;
 * `waitingForIt` is called before a link is unpacked.
 */
export function makeAddresses({ state, editor, session, tabs, examples, openText, openMode, waitingForIt }) {
  return {
    /** Opens what the fragment of the address names: a tool, an example or a shared document. */
    async openAddress() {
      const fragment = location.hash.slice(1);
      if (openMode(fragment)) return;
      if (!fragment.startsWith('1.')) {
        if (examples.has(fragment)) await examples.open(fragment, false);
        return;
      }
      const isStillWanted = waitingForIt();
      const { unpack } = (await sharing()) ?? {};
      if (unpack === undefined) return;
      try {
        const shared = await unpack(fragment);
        if (!isStillWanted()) return;
        if (['2.0', '1.2'].includes(shared.back)) state.back = shared.back;
        tabs.choose(TABS.some(({ id }) => id === shared.tab) ? shared.tab : 'validate');
        openText(shared.text, { name: typeof shared.name === 'string' ? shared.name : '', address: location.hash }, { isNew: false });
      } catch {
        session.open({ text: '' }, { isNew: false });
        setNotice('The link is damaged: perhaps part of it was cut off on the way.');
      }
    },

    /** Copies a link that holds the shown document. */
    async shareLink() {
      if (state.large !== undefined || editor.length() === 0) {
        setNotice(state.large === undefined ? 'There is nothing to share yet.' : 'This document is too large for a link; send the file instead.');
        return;
      }
      const { share } = (await sharing()) ?? {};
      if (share === undefined) return;
      const { notice, done } = await share({ text: editor.text(), tab: state.tab, back: state.back, name: session.shown.name }, session.linked);
      setNotice(notice);
      if (done !== undefined) announce(done);
    },
  };
}
