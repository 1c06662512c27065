// Shows the verdict on a file as a page to print: over the whole window, and alone on paper.
//
// Why is it not a window of its own?
// A page from a `blob:` address has the policy of this page, which forbids the styles in it. Here they are a constructed style sheet.
import { announce, button, h, save } from '../shared/dom.ts';
import { laterStyle } from '../page/later.js';
import { waiting } from '../shared/parts.ts';

/** The name of the saved page, made of that of the document. */
const nameOf = (title) =>
  `verdict-${title
    .replace(/ \(edited\)$/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/\.\w+$/, '')
    .toLowerCase()}.html`;

/** The content of a report in a shadow tree, with its own styles; and its rules for pages, which no shadow tree can have. */
function sheetOf(html) {
  // Without its style element, which the policy would report.
  const [style, css] = /<style>([^<]*)<\/style>/.exec(html);
  const parsed = new DOMParser().parseFromString(html.replace(style, ''), 'text/html');
  const [page = ''] = /@page \{[^}]*\}/.exec(css) ?? [];
  const own = new CSSStyleSheet();
  own.replaceSync(css.replace(page, '').replace(/\bbody(?= \{)/g, '.page'));
  const host = h('div', { class: 'print-sheet' });
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [own];
  // Tables that are wider than the window are scrolled by keyboard, too.
  for (const [at, wide] of parsed.querySelectorAll('.wide').entries()) {
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
export async function printVerdict(engine, file) {
  if (isOpen) return;
  isOpen = true;
  const before = document.activeElement;
  const back = button('left', 'Back', close);
  const tools = h('div', { class: 'print-tools' }, back);
  const view = h('section', { class: 'print-view', 'aria-label': 'Report to print and sign' }, tools, waiting('Making the report'));
  view.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
  // All else of the page is out of reach meanwhile.
  const others = [...document.body.children].filter((one) => one.id !== 'announcer' && !one.inert);
  let paper;

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
  let answer;
  try {
    answer = await engine.tool('verdict', file);
  } catch (error) {
    answer = { problem: { title: 'The report could not be made', detail: error.message } };
  }
  if (!view.isConnected) return;
  view.querySelector('.waiting').remove();
  const { html, problem } = answer;
  if (html === undefined) {
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
