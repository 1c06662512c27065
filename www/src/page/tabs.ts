// Tabs as the ARIA Authoring Practices describe them: arrow keys move, and only the chosen tab is in the tab order.
import { h } from '../shared/dom.ts';
import { makeMore, type Warning } from './more-menu.ts';

export interface Tabs {
  choose(id: string, isByPerson?: boolean): void;
  hide(id: string, is: boolean): void;
  badge(id: string, text: string, tone?: string, spoken?: string): void;
}

interface Tab {
  readonly id: string;
  readonly title: string;
}

interface TabsOf {
  panelOf(id: string): HTMLElement;
  onChoose(id: string, isByPerson: boolean): void;
  readonly prefix?: string;
  readonly few?: number;
}

/**
 * Fills `list` with tabs `[{id, title}]`. `panelOf(id)` is the panel of a tab; `onChoose(id)` is called when a tab is chosen. Only the
 * first `few` tabs and the chosen one are shown, the others behind a button.
 * Returns `{choose, hide, badge}`.
 */
export function makeTabs(list: HTMLElement, tabs: readonly Tab[], { panelOf, onChoose, prefix = 'tab', few = tabs.length }: TabsOf): Tabs {
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
      return [id, { button, badge }] as const;
    }),
  );
  const hidden = new Set<string>();
  let chosen: string | undefined;
  const more = few < tabs.length ? makeMore(list.parentElement!, 'More answers') : undefined;
  if (more !== undefined) list.after(more.button);
  /** What the badges of the tabs behind the button warn of: `[title, tone]`. */
  const warnings = new Map<string, Warning>();
  const warn = () => more?.warn([...warnings].filter(([id]) => id !== chosen && !hidden.has(id)).map(([, warning]) => warning));

  function choose(id: string, isByPerson = false) {
    const own = buttons.get(id);
    if (own === undefined) return;
    chosen = id;
    for (const [name, { button }] of buttons) {
      button.setAttribute('aria-selected', String(name === id));
      button.tabIndex = name === id ? 0 : -1;
      panelOf(name).hidden = name !== id;
    }
    // Scroll only the list of tabs, not the page.
    const { button } = own;
    list.scrollTo({ left: button.offsetLeft - list.clientWidth / 2 + button.offsetWidth / 2 });
    more?.close();
    warn();
    onChoose(id, isByPerson);
  }

  list.addEventListener('keydown', (event) => {
    const order = tabs.map(({ id }) => id).filter((id) => !hidden.has(id));
    const at = order.indexOf(chosen ?? '');
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % order.length,
      ArrowLeft: (at - 1 + order.length) % order.length,
      Home: 0,
      End: order.length - 1,
    };
    const next = order[steps[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    choose(next, true);
    buttons.get(next)?.button.focus();
  });

  return {
    choose,
    /** Hides a tab or shows it again. If the hidden tab is the chosen one, the first tab is chosen instead. */
    hide(id, is) {
      if (hidden.has(id) === is) return;
      if (is) hidden.add(id);
      else hidden.delete(id);
      buttons.get(id)!.button.hidden = is;
      if (is && chosen === id) choose(tabs[0]!.id);
    },
    /** Sets the badge beside a title. `tone` is its colour, `spoken` its text for screen readers. */
    badge(id, text, tone = '', spoken = text) {
      const { badge } = buttons.get(id)!;
      badge.hidden = text === '';
      badge.className = `badge ${tone}`;
      const at = tabs.findIndex((tab) => tab.id === id);
      if (at >= few && text !== '' && (tone === 'bad' || tone === 'warn')) warnings.set(id, { title: tabs[at]!.title, tone });
      else warnings.delete(id);
      warn();
      badge.replaceChildren(h('span', { 'aria-hidden': 'true' }, text), h('span', { class: 'unseen' }, ` ${spoken}`));
    },
  };
}
