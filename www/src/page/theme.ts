// The colour theme: light, dark, or that of the system. The choice is remembered if the browser has storage.
import { announce, h, type Icon, icon, put } from '../shared/dom.ts';

type Theme = 'auto' | 'light' | 'dark';
const NEXT: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };
const ICONS: Readonly<Record<Theme, Icon>> = { auto: 'auto', light: 'sun', dark: 'moon' };
const WORDS: Readonly<Record<Theme, string>> = { auto: 'as the system', light: 'light', dark: 'dark' };

const remembered = (): string | null => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
};

/** The button that switches through the three themes. */
export function themeButton(): HTMLButtonElement {
  const before = remembered();
  let theme: Theme = before !== null && Object.hasOwn(NEXT, before) ? (before as Theme) : 'auto';
  const own = h('button', {
    type: 'button',
    class: 'button quiet icon-only',
    onclick: () => {
      theme = NEXT[theme];
      apply();
      announce(`Colours: ${WORDS[theme]}`);
      try {
        localStorage.setItem('theme', theme);
      } catch {
        // No storage: the theme holds only for this visit.
      }
    },
  });
  function apply() {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    put(own, icon(ICONS[theme]));
    own.setAttribute('aria-label', `Colours: ${WORDS[theme]}. Change`);
    own.title = `Colours: ${WORDS[theme]}`;
  }
  apply();
  return own;
}
