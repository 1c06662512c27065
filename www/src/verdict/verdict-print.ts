// Shows the verdict on a file as a page to print: over the whole window, and alone on paper.
//
// Why is it not a window of its own?
// A page from a `blob:` address has the policy of this page, which forbids the styles in it. Here they are a constructed style sheet.
import type { EngineOfPage } from '../page/state.ts';
import { announce, button, h, save } from '../shared/dom.ts';
import { laterStyle } from '../page/later.ts';
import { waiting } from '../shared/parts.ts';

import type { JudgedFile } from './verdict-file.ts';

/** The name of the saved page, made of that of the document. */
const nameOf = (title: string) =>
  `verdict-${title
    .replace(/ \(edited\)$/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/\.\w+$/, '')
    .toLowerCase()}.html`;

/** The content of a report in a shadow tree, with its own styles; and its rules for pages, which no shadow tree can have. */
function sheetOf(html: string): { readonly host: HTMLElement; readonly paper: CSSStyleSheet } {
  // Without its style element, which the policy would report.
  const [style = '', css = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
  const parsed = new DOMParser().parseFromString(html.replace(style, ''), 'text/html');
  const [page = ''] = /@page \{[^}]*\}/.exec(css) ?? [];
  const own = new CSSStyleSheet();
  own.replaceSync(css.replace(page, '').replace(/\bbody(?= \{)/g, '.page'));
  const host = h('div', { class: 'print-sheet' });
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [own];
  // Tables that are wider than the window are scrolled by keyboard, too.
  for (const [at, wide] of parsed.querySelectorAll<HTMLElement>('.wide').entries()) {
    wide.tabIndex = 0;
    wide.setAttribute('role', 'region');
    wide.setAttribute('aria-label', `Table ${at + 1}: ${wide.closest('section')?.querySelector('h2')?.textContent ?? ''}`);
  }
  shadow.append(h('div', { class: 'page' }, ...parsed.body.children));
  const paper = new CSSStyleSheet();
  paper.replaceSync(page);
  return { host, paper };
}

let isOpen = false;

/** Makes the report about a file `{title, bytes}` in the engine's thread, and shows it until it is closed. */
export async function printVerdict(engine: EngineOfPage, file: JudgedFile): Promise<void> {
  if (isOpen) return;
  isOpen = true;
  const before = document.activeElement as HTMLElement | null;
  const back = button('left', 'Back', close);
  const tools = h('div', { class: 'print-tools' }, back);
  const view = h('section', { class: 'print-view', 'aria-label': 'Report to print and sign' }, tools, waiting('Making the report'));
  view.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
  // All else of the page is out of reach meanwhile.
  const others = ([...document.body.children] as HTMLElement[]).filter((one) => one.id !== 'announcer' && !one.inert);
  let paper: CSSStyleSheet | undefined;

  function close() {
    isOpen = false;
    view.remove();
    for (const one of others) one.inert = false;
    document.body.classList.remove('is-printing');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== paper);
    (before?.isConnected ? before : document.getElementById('verdict-print'))?.focus();
  }

  await laterStyle();
  for (const one of others) one.inert = true;
  document.body.classList.add('is-printing');
  document.body.append(view);
  back.focus();
  let answer: Awaited<ReturnType<typeof engine.tool<'verdict'>>>;
  try {
    answer = await engine.tool('verdict', file);
  } catch (error) {
    answer = { problem: { type: 'about:blank', title: 'The report could not be made', detail: (error as Error).message } };
  }
  if (!view.isConnected) return;
  view.querySelector('.waiting')?.remove();
  const { html, problem } = answer;
  if (problem !== undefined) {
    view.append(h('p', { class: 'refusal-detail', role: 'alert' }, `${problem.title}${problem.detail === undefined ? '' : `: ${problem.detail}`}`));
    return;
  }
  const { host, paper: rules } = sheetOf(html);
  paper = rules;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, paper];
  const name = nameOf(file.title);
  tools.append(
    button('print', 'Print or save as PDF', () => print(), { class: 'button main' }),
    button('download', 'Save as a page', () => {
      save(name, html, 'text/html');
      announce(`${name} is saved`);
    }),
    h('span', { class: 'fine' }, 'Nothing leaves this page.'),
  );
  view.append(host);
  announce('The report is made');
}
