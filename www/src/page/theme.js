// The colour theme: light, dark, or that of the system. The choice is remembered if the browser has storage.
import { announce, h, icon, put } from '../shared/dom.ts';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' };
const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' };
const WORDS = { auto: 'as the system', light: 'light', dark: 'dark' };

const remembered = () => {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
};

/** The button that switches through the three themes. */
export function themeButton() {
  let theme = remembered() in NEXT ? remembered() : 'auto';
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
