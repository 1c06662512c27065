// The Reports tool: tables for authorities and partners about the open document, shown and saved as files.
import type { ReportName } from '../../../../wasm/js/report/index.ts';
import type { Problem } from '../../engine/answers.ts';
import type { Around, Tool } from '../../page/modes.ts';
import type { Parts } from '../../page/state.ts';
import { announce, button, type Child, h, type Icon, icon, put, save } from '../../shared/dom.ts';
import { banner, rich, waiting } from '../../shared/parts.ts';
import { makeTabs } from '../../page/tabs.ts';
import { moreColumns } from '../../table/wide-table.ts';
import { count } from '../../shared/words.ts';

import type { AskedReport, FileKind, ItemsTold, PreviewTold } from './document-reports.ts';

/** A report that can be made. */
interface ReportKind {
  readonly id: ReportName;
  readonly title: string;
  readonly for?: string;
  readonly about: string;
  readonly heading: string;
  readonly items?: string;
  readonly isOne?: boolean;
  readonly example: { readonly name: string; readonly words: string };
  readonly item?: string;
}

/** A file of a report. */
interface FileOf {
  readonly kind: FileKind;
  readonly icon: Icon;
  readonly words: string;
  readonly hint: string;
  readonly type: string;
}

type Sheet = PreviewTold['sheets'][number];

/** The pause in typing after which a report about the typed items is made, in milliseconds. */
const QUIET = 300;
/** The length from which a text of a table is cut, if it has no blanks, or wrapped. */
const LONG = 32;
/** The number of items of a document up to which their list is open. */
const FEW = 12;

const LETTUCE = { name: 'fsma204-lettuce', words: 'a lot of lettuce, from the field to the shop' };
/** The reports. `items` is what a report is about that needs items; `item` is the one of its example. */
const REPORTS: readonly [ReportKind, ...ReportKind[]] = [
  {
    id: 'fsma204',
    title: 'FSMA 204',
    for: 'US food',
    about: 'The sortable spreadsheet that the FDA may ask for: the key data elements of each critical tracking event, by traceability lot code.',
    heading: 'Sortable spreadsheet for FSMA 204',
    example: LETTUCE,
  },
  {
    id: 'dscsa',
    title: 'DSCSA',
    for: 'US medicines',
    about: 'Transaction information and transaction statement (TI and TS), for each product of a shipment.',
    heading: 'Transaction information and statement',
    example: { name: 'dscsa-shipment', words: 'a shipment of medicines' },
  },
  {
    id: 'recall',
    title: 'Recall',
    about: 'Who received the affected lots, serials or pallets, and which of them are unaccounted for.',
    heading: 'Recall list',
    items: 'Affected lots, serials or pallets',
    example: LETTUCE,
    item: 'https://id.gs1.org/01/09521141300015/10/F7-0310',
  },
  {
    id: 'passport',
    title: 'Product passport',
    about: 'The life of one product or lot: where it comes from, what it was made of, and where it went.',
    heading: 'Product passport',
    items: 'Product or lot',
    isOne: true,
    example: { name: 'gdst-catch', words: 'a catch of tuna' },
    item: 'urn:epc:class:lgtin:9521141.034567.YF-0301',
  },
  {
    id: 'received',
    title: 'Shipped and received',
    about: 'What was shipped and not received, received and not shipped, and where amounts differ. Put the events of both sides into one document.',
    heading: 'What was shipped, and what was received',
    example: LETTUCE,
  },
];

/** What to type if the engine refuses the items of a report that is about one, or about some. */
const WANTED = {
  one: 'Type that of one product with its serial or lot, or of one pallet. A product code alone stands for many products.',
  some: 'Type one a line, at most 100: lots, serials, pallets, or a product code for all of its lots.',
};

/** The files of a report: their endings, what their buttons say, and their media types. */
const FILES: readonly FileOf[] = [
  {
    kind: 'xlsx',
    icon: 'download',
    words: 'Spreadsheet',
    hint: 'All tables as one workbook (XLSX)',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  { kind: 'csv', icon: 'download', words: 'CSV', hint: 'All tables as one', type: 'text/csv' },
  { kind: 'html', icon: 'print', words: 'Page to print', hint: 'A file to open and print, on A4 or Letter', type: 'text/html' },
  { kind: 'json', icon: 'download', words: 'JSON', hint: 'For programs', type: 'application/json' },
];

/** Builds the tool. `refresh` is called when the engine has answered about another document. */
export function makeReports(room: HTMLElement, { state, ask, examples, tabs, leave }: Around): Tool {
  let chosen = REPORTS[0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  /** The name of the table that was looked at last. */
  let looked: string | undefined;
  const answer = h('div', { class: 'report-answer' });

  // The choice of a report.
  const choice = h(
    'fieldset',
    { class: 'report-choice' },
    h('legend', { class: 'unseen' }, 'Report'),
    REPORTS.map((report) =>
      h(
        'label',
        { class: 'report' },
        h('input', {
          type: 'radio',
          name: 'report',
          value: report.id,
          checked: report === chosen,
          'aria-labelledby': `report-${report.id}-title`,
          'aria-describedby': `report-${report.id}-about`,
          onchange: () => choose(report),
        }),
        h(
          'span',
          {},
          h('b', { id: `report-${report.id}-title` }, report.title, report.for !== undefined && h('span', { class: 'report-for' }, ` (${report.for})`)),
          h('span', { class: 'report-about', id: `report-${report.id}-about` }, report.about),
        ),
      ),
    ),
  );
  function choose(report: ReportKind): void {
    chosen = report;
    make(true);
  }

  // The items.
  const typed = h('textarea', {
    class: 'field report-items',
    id: 'report-items',
    rows: '2',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': 'report-items-help',
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => make(true), QUIET);
    },
  });
  const label = h('label', { for: 'report-items' });
  const help = h('p', { class: 'fine', id: 'report-items-help' });
  const offered = h('div', {});
  const question = h('div', { class: 'form-field report-question', hidden: true }, label, typed, help, offered);
  const lines = () =>
    typed.value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');

  /** Lists the items of the document as buttons that put them into the field, and take them out. */
  function offer({ list = [], total = 0 }: Partial<ItemsTold>): void {
    const toggle = ({ id, text }: ItemsTold['list'][number]) =>
      h(
        'button',
        {
          type: 'button',
          class: 'report-item',
          title: id,
          onclick: () => {
            const before = lines();
            const others = chosen.isOne ? [] : before.filter((line) => line !== id);
            typed.value = [...others, ...(before.includes(id) ? [] : [id])].join('\n');
            make(true);
          },
        },
        text,
      );
    put(
      offered,
      list.length > 0 &&
        h(
          'details',
          { class: 'plain', open: list.length <= FEW },
          h('summary', {}, `Items of the document (${total.toLocaleString('en')})`),
          h('div', { class: 'report-items-list' }, list.map(toggle)),
          total > list.length && h('p', { class: 'fine' }, `The first ${list.length.toLocaleString('en')} are listed. Any other can be typed.`),
        ),
    );
  }
  /** Shows which of the listed items are in the field. The buttons stay, so that none loses the focus. */
  function press() {
    const now = lines();
    for (const one of offered.querySelectorAll<HTMLElement>('.report-item')) one.setAttribute('aria-pressed', String(now.includes(one.title)));
  }

  /** What the engine told of the items of a document, and the answers about that document. */
  let listed: { readonly parts: Parts; readonly items: Awaited<ReturnType<typeof askItems>> } | undefined;
  const askItems = () => ask('reportItems');
  /** What the drawn report was asked for, and the answers about its document. */
  let drawn: { readonly key: string; readonly parts: Parts } | undefined;
  /** Makes the report and draws it. `isByPerson`: it was asked for, so it is announced. */
  async function make(isByPerson = false): Promise<void> {
    clearTimeout(timer);
    const own = (turn += 1);
    const report = chosen;
    const { parts } = state;
    question.hidden = report.items === undefined;
    const asked = { name: report.id, items: report.items === undefined ? [] : lines() };
    const key = JSON.stringify(asked);
    // The button of the report that was just used keeps the focus.
    if (drawn?.key === key && drawn.parts === parts) {
      answer.removeAttribute('aria-busy');
      return;
    }
    drawn = undefined;
    if (answer.childElementCount === 0) put(answer, waiting('Loading the reports'));
    answer.setAttribute('aria-busy', 'true');
    let told: Awaited<ReturnType<typeof ask<'reportItems'>>> | Awaited<ReturnType<typeof ask<'reportPreview'>>> | undefined;
    if (report.items !== undefined) {
      label.textContent = report.isOne ? report.items : `${report.items}, one a line`;
      help.textContent = 'As EPC URN, GS1 Digital Link, element string or plain key.';
      if (listed?.parts !== parts) {
        const items = await askItems();
        if (own !== turn) return;
        listed = { parts, items };
        offer('list' in items ? items : {});
      }
      press();
      const { events } = listed.items;
      if (events === undefined || events === 0) told = listed.items;
      // An engine that could not be loaded is asked again.
      if (events === undefined) listed = undefined;
    }
    const isUnclear = report.items !== undefined && (asked.items.length === 0 || (report.isOne && asked.items.length > 1));
    if (told === undefined && !isUnclear) told = await ask('reportPreview', asked);
    if (own !== turn) return;
    answer.removeAttribute('aria-busy');
    if (told === undefined) unclear(report);
    else if (told.events === 0) noEvents(report, told.problem);
    else if (told.problem !== undefined) {
      // The engine's sentence is about the request, which is not shown here.
      const isOfItems = /^the argument `items`/.test(told.problem.detail ?? '');
      if (isOfItems) put(answer, banner('bad', 'This is no identifier for this report', WANTED[report.isOne ? 'one' : 'some']));
      else put(answer, banner('bad', told.problem.title, undefined), h('p', { class: 'refusal-detail' }, rich(told.problem.detail ?? '')));
    } else if ('sheets' in told) {
      draw(report, asked, told);
      // Drawn before the verdict, it may have to say later that the document is not valid.
      if (parts.verdict !== undefined) drawn = { key, parts };
    }
    if (isByPerson) announce(answer.querySelector('.report-summary, .banner h2, .waiting')?.textContent ?? '');
  }

  /** Says which items are needed. */
  const unclear = ({ isOne }: ReportKind) =>
    put(
      answer,
      waiting(
        isOne
          ? 'Which product or lot? A passport is about one. Type its identifier, or choose it from the document.'
          : 'What is affected? Type identifiers, or choose items of the document.',
      ),
    );

  /** Says why there are no events, and offers an example. */
  function noEvents({ example, item }: ReportKind, problem: Problem | undefined): void {
    put(
      answer,
      problem !== undefined
        ? [
            banner(problem.isOther ? 'calm' : 'bad', problem.title, undefined),
            h('p', { class: 'refusal-detail' }, rich(problem.detail ?? '')),
            h(
              'p',
              { class: 'form-row' },
              button('left', 'Back to the document', () => {
                tabs.choose('validate');
                leave();
              }),
            ),
          ]
        : state.parts.verdict?.format === 'empty'
          ? waiting('Paste a document or drop a file: its report is made here.')
          : banner('calm', 'No events', 'There is nothing to report.'),
      h(
        'p',
        { class: 'pack-suggestion' },
        button('right', `Open an example: ${example.words}`, () => {
          if (item !== undefined) typed.value = item;
          choice.querySelector<HTMLElement>(':checked')?.focus();
          examples.open(example.name, true);
        }),
      ),
    );
  }

  /** Draws a report with its tables and the buttons of its files. */
  function draw(report: ReportKind, asked: AskedReport, { type, gaps, about, sheets, events }: PreviewTold): void {
    const full = sheets.filter(({ total }) => total > 0);
    const bare = sheets.filter(({ total }) => total === 0);
    const rows = full.reduce((sum, { total }) => sum + total, 0);
    const lacking = full.reduce((sum, sheet) => sum + sheet.lacking, 0);
    const summary = [
      `${count(rows, 'row')} in ${count(full.length, 'table')}`,
      lacking > 0 ? `${lacking.toLocaleString('en')} ${lacking === 1 ? 'lacks' : 'lack'} something, named in the last column` : undefined,
    ];
    const invalid = state.parts.verdict?.valid === false;
    put(
      answer,
      gaps.length > 0 &&
        banner(
          'warn',
          'The report is not complete',
          gaps.map((gap) => h('span', { class: 'report-gap' }, rich(gap))),
        ),
      invalid &&
        h('p', { class: 'remark' }, icon('warn'), h('span', {}, 'The document is not valid, so the report may be wrong. Validate says what to correct.')),
      type === 'EMPTY'
        ? banner(
            'calm',
            'Nothing for this report',
            `${count(events, 'event')} read${asked.items.length > 0 ? '; none has these items' : '; none has anything for it'}.`,
          )
        : [
            h('h3', { class: 'report-title' }, report.heading),
            h('p', { class: 'report-summary' }, `${summary.filter(Boolean).join('; ')}.`),
            h(
              'div',
              { class: 'report-files', role: 'group', 'aria-label': 'Save the report' },
              FILES.map((file) => saveButton(file, asked)),
            ),
            tables(full),
          ],
      type !== 'EMPTY' && bare.length > 0 && h('p', { class: 'fine' }, `No rows: ${bare.map(({ name }) => name).join(', ')}.`),
      about.length > 0 && aboutOf(about),
    );
  }

  /** A button that saves a file of the report. */
  function saveButton({ kind, icon: name, words, hint, type }: FileOf, asked: AskedReport): HTMLElement {
    const own: HTMLButtonElement = button(
      name,
      words,
      async () => {
        own.disabled = true;
        const made = await ask('reportFile', { kind, ...asked });
        const { problem } = made;
        own.disabled = false;
        own.focus();
        if (problem !== undefined) {
          answer.querySelector('.report-refused')?.remove();
          own.parentElement?.after(h('p', { class: 'remark bad report-refused', role: 'alert' }, icon('warn'), `${problem.title}: ${problem.detail}`));
          return;
        }
        if (!('content' in made) || made.content === undefined) return;
        const file = `${asked.name}-report.${kind}`;
        save(file, made.content, type);
        announce(`${file} is saved`);
      },
      { title: hint },
    );
    return own;
  }

  /** The tables, one at a time, chosen by tabs. A table is drawn when its tab is chosen for the first time. */
  function tables(sheets: readonly Sheet[]): Child {
    const list = h('div', { class: 'tabs report-tabs', role: 'tablist', 'aria-label': 'Tables' });
    const panels = sheets.map((_, at) => h('div', { id: `report-sheet-${at}`, class: 'report-sheet', hidden: true }));
    const switches = makeTabs(
      list,
      sheets.map(({ name }, at) => ({ id: String(at), title: name })),
      {
        prefix: 'report-tab',
        panelOf: (id) => panels[Number(id)]!,
        onChoose(id, isByPerson) {
          const [panel, sheet] = [panels[Number(id)], sheets[Number(id)]];
          if (panel === undefined || sheet === undefined) return;
          if (isByPerson) looked = sheet.name;
          if (panel.childElementCount === 0) put(panel, tableOf(sheet));
        },
      },
    );
    for (const [at, { total }] of sheets.entries()) switches.badge(String(at), total.toLocaleString('en'), '', count(total, 'row'));
    const before = sheets.findIndex(({ name }) => name === looked);
    switches.choose(String(Math.max(before, 0)));
    return [list, panels];
  }

  put(
    room,
    h('h2', { class: 'tool-title' }, 'Make a report'),
    h(
      'p',
      { class: 'tool-about' },
      'Tables for an authority or a partner, made of the events and the master data of the open document. Each row names its event and the hash of that event. Nothing leaves this page.',
    ),
    choice,
    question,
    answer,
  );
  return { open: () => make(), refresh: () => make() };
}

/** What a report says about itself, as a list. Rows about the same thing stand together. */
function aboutOf(rows: PreviewTold['about']): HTMLElement {
  const facts: { readonly what: string; readonly says: string[] }[] = [];
  for (const [what = '', says = ''] of rows) {
    const last = facts.at(-1);
    if (last?.what === what) last.says.push(says);
    else facts.push({ what, says: [says] });
  }
  const coded = (text: string) => text.split('`').map((part, at) => (at % 2 === 1 ? h('code', {}, part) : part));
  return h(
    'section',
    { class: 'item-section' },
    h('h3', {}, 'About this report'),
    h(
      'dl',
      { class: 'item-facts report-facts' },
      facts.map(({ what, says }) =>
        h(
          'div',
          {},
          h('dt', {}, what),
          h(
            'dd',
            {},
            says.map((text) => h('p', {}, coded(text))),
          ),
        ),
      ),
    ),
  );
}

/** The first rows of a table. */
function tableOf({ name, columns, rows, total }: Sheet): Child {
  const room = h(
    'div',
    { class: 'table-room report-room', tabindex: '0', role: 'region', 'aria-label': name },
    h(
      'table',
      { class: 'report-table' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map(({ title, source }) =>
            h('th', { scope: 'col' }, h('span', {}, title), source !== undefined && h('span', { class: 'report-source' }, source)),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((row) => h('tr', {}, row.map(cellOf))),
      ),
    ),
  );
  return [
    moreColumns(room),
    room,
    total > rows.length &&
      h('p', { class: 'fine' }, `The first ${rows.length.toLocaleString('en')} of ${count(total, 'row')} are shown. The files have all of them.`),
  ];
}

/** A cell. A long identifier or hash is cut, and has its whole text as its title; a long sentence is wrapped. */
function cellOf(text: string): HTMLElement {
  if (text.length < LONG && !text.includes('\n')) return h('td', {}, text);
  return h('td', {}, /\s/.test(text) ? h('div', { class: 'report-long' }, text) : h('div', { class: 'report-cut', title: text }, text));
}
