// Tabs as the ARIA Authoring Practices describe them: arrow keys move, and only the chosen tab is in the tab order.
import { h } from '../shared/dom.ts';
import { makeMore } from './more-menu.js';

/**
 * Fills `list` with tabs `[{id, title}]`. `panelOf(id)` is the panel of a tab; `onChoose(id)` is called when a tab is chosen. Only the
 * first `few` tabs and the chosen one are shown, the others behind a button.
 * Returns `{choose, hide, badge}`.
 */
export function makeTabs(list, tabs, { panelOf, onChoose, prefix = 'tab', few = tabs.length }) {
  const buttons = new Map(
    tabs.map(({ id, title }, at) => {
      const badge = h('span', { class: 'badge', hidden: true });
      const button = h(
        'button',
        {
          type: 'button',
          role: 'tab',
          class: at < few ? undefined : 'is-more',
          id: `${prefix}-${id}`,
          'aria-selected': 'false',
          tabindex: '-1',
          'aria-controls': panelOf(id).id,
          onclick: () => choose(id, true),
        },
        h('span', {}, title),
        badge,
      );
      panelOf(id).setAttribute('role', 'tabpanel');
      panelOf(id).setAttribute('aria-labelledby', `${prefix}-${id}`);
      list.append(button);
      return [id, { button, badge }];
    }),
  );
  const hidden = new Set();
  let chosen;
  const more = few < tabs.length ? makeMore(list.parentElement, 'More answers') : undefined;
  if (more !== undefined) list.after(more.button);
  /** What the badges of the tabs behind the button warn of: `[title, tone]`. */
  const warnings = new Map();
  const warn = () => more?.warn([...warnings].filter(([id]) => id !== chosen && !hidden.has(id)).map(([, warning]) => warning));

  function choose(id, isByPerson = false) {
    if (!buttons.has(id)) return;
    chosen = id;
    for (const [name, { button }] of buttons) {
      button.setAttribute('aria-selected', String(name === id));
      button.tabIndex = name === id ? 0 : -1;
      panelOf(name).hidden = name !== id;
    }
    // Scroll only the list of tabs, not the page.
    const { button } = buttons.get(id);
    list.scrollTo({ left: button.offsetLeft - list.clientWidth / 2 + button.offsetWidth / 2 });
    more?.close();
    warn();
    onChoose(id, isByPerson);
  }

  list.addEventListener('keydown', (event) => {
    const order = tabs.map(({ id }) => id).filter((id) => !hidden.has(id));
    const at = order.indexOf(chosen);
    const next = { ArrowRight: (at + 1) % order.length, ArrowLeft: (at - 1 + order.length) % order.length, Home: 0, End: order.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(order[next], true);
    buttons.get(order[next]).button.focus();
  });

  return {
    choose,
    /** Hides a tab or shows it again. If the hidden tab is the chosen one, the first tab is chosen instead. */
    hide(id, is) {
      if (hidden.has(id) === is) return;
      if (is) hidden.add(id);
      else hidden.delete(id);
      buttons.get(id).button.hidden = is;
      if (is && chosen === id) choose(tabs[0].id);
    },
    /** Sets the badge beside a title. `tone` is its colour, `spoken` its text for screen readers. */
    badge(id, text, tone = '', spoken = text) {
      const { badge } = buttons.get(id);
      badge.hidden = text === '';
      badge.className = `badge ${tone}`;
      const at = tabs.findIndex((tab) => tab.id === id);
      if (at >= few && text !== '' && (tone === 'bad' || tone === 'warn')) warnings.set(id, { title: tabs[at].title, tone });
      else warnings.delete(id);
      warn();
      badge.replaceChildren(h('span', { 'aria-hidden': 'true' }, text), h('span', { class: 'unseen' }, ` ${spoken}`));
    },
  };
}
