// The panel of the table of events. The engine's thread searches, filters and sorts; only the rows near the visible part are drawn.
import type { EventsAnswer } from '../engine/document-story.ts';
import type { Page } from '../page/page.ts';
import { announce, type Attributes, button, h, put } from '../shared/dom.ts';
import { banner, refusal } from '../shared/parts.ts';
import { moreColumns } from './wide-table.ts';
import { count } from '../shared/words.ts';

import type { Choices, TablePage } from './table.ts';

/** The height of a row, in pixels, and the number of rows requested at a time. */
const ROW = 36;
const WINDOW = 80;
const COLUMNS: readonly (readonly [id: string, title: string])[] = [
  ['index', '#'],
  ['when', 'Event time'],
  ['type', 'Type'],
  ['action', 'Action'],
  ['step', 'Business step'],
  ['disposition', 'Disposition'],
  ['place', 'Place'],
  ['item', 'First item'],
  ['items', 'Items'],
];
const FILTERS = [
  ['type', 'Type'],
  ['step', 'Step'],
  ['disposition', 'Disposition'],
  ['place', 'Place'],
] as const;

/** Fills the panel. The promise resolves when the first rows are drawn. */
export async function showTable(panel: HTMLElement, events: EventsAnswer, { ask, download, openEvent, jumpToProblem }: Page): Promise<void> {
  if (events.problem !== undefined) {
    put(panel, refusal(events.problem, jumpToProblem));
    return;
  }
  if (events.total === events.others) {
    put(panel, banner('calm', 'No events', 'Open an EPCISDocument, an EPCISQueryDocument, an array of events, or a single event.'));
    return;
  }
  const wanted = { search: '', type: '', step: '', disposition: '', place: '', sort: 'index', isDown: false };
  const told = h('p', { class: 'table-count', role: 'status' });
  const body = h('tbody', {});
  const heads = new Map<string, HTMLElement>();
  const table = h(
    'table',
    { class: 'events-table', 'aria-label': 'Events' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        COLUMNS.map(([id, title]) => {
          const head = h('th', { scope: 'col' }, h('button', { type: 'button', class: 'sort', onclick: () => sort(id) }, title));
          heads.set(id, head);
          return head;
        }),
      ),
    ),
    body,
  );
  const room = h('div', { class: 'table-room events-room', tabindex: '0', role: 'region', 'aria-label': 'Table of events', onscroll: () => look() }, table);

  let turn = 0;
  let drawn = { from: -1, total: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function load(from: number): Promise<TablePage | undefined> {
    const own = (turn += 1);
    const answer = await ask('table', { ...wanted, from, count: WINDOW });
    if (own !== turn) return undefined;
    drawn = { from, total: answer.total };
    const blank = (height: number) => height > 0 && h('tr', { class: 'blank', 'aria-hidden': 'true' }, spacer(height));
    put(body, blank(from * ROW), answer.rows.map(rowOf), blank((answer.total - from - answer.rows.length) * ROW));
    table.setAttribute('aria-rowcount', String(answer.total + 1));
    told.textContent = answer.total === answer.all ? count(answer.all, 'event') : `${answer.total.toLocaleString('en')} of ${count(answer.all, 'event')}`;
    return answer;
  }
  const spacer = (height: number) => {
    const cell = h('td', { colspan: String(COLUMNS.length) });
    cell.style.height = `${height}px`;
    return cell;
  };
  /** Requests the visible rows if they are not drawn. */
  function look() {
    const first = Math.floor(room.scrollTop / ROW);
    const last = first + Math.ceil(room.clientHeight / ROW);
    const isThere = first >= drawn.from && (last <= drawn.from + WINDOW || drawn.from + WINDOW >= drawn.total);
    if (!isThere) load(Math.max(0, first - Math.floor(WINDOW / 3)));
  }
  const again = () => {
    room.scrollTop = 0;
    return load(0);
  };
  function sort(id: string) {
    wanted.isDown = wanted.sort === id && !wanted.isDown;
    wanted.sort = id;
    drawHeads();
    again();
    announce(`Sorted by ${COLUMNS.find(([name]) => name === id)?.[1]}, ${wanted.isDown ? 'descending' : 'ascending'}`);
  }
  function drawHeads() {
    for (const [id, head] of heads) {
      if (id === wanted.sort) head.setAttribute('aria-sort', wanted.isDown ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
  }
  function rowOf(row: TablePage['rows'][number]) {
    const cell = (words: string, attributes?: Attributes) => h('td', { title: words, ...attributes }, words);
    return h(
      'tr',
      { dataset: { row: row.index }, 'aria-rowindex': String(row.index + 2) },
      h(
        'td',
        {},
        h('button', { type: 'button', class: 'link', 'aria-label': `Show event ${row.index + 1}`, onclick: () => openEvent(row.index) }, String(row.index + 1)),
      ),
      cell(row.when),
      h('td', {}, h('span', { class: `dot tone-${row.tone}` }), row.type, row.isWrong && h('em', {}, ' declared in error')),
      cell(row.action),
      cell(row.step),
      cell(row.disposition),
      cell(row.place),
      cell(row.item),
      cell(String(row.items), { class: 'number-cell' }),
    );
  }

  const search = h('input', {
    type: 'search',
    class: 'field',
    id: 'table-search',
    placeholder: 'GTIN, SSCC, URN, Digital Link, a word…',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        wanted.search = search.value;
        again();
      }, 80);
    },
  });
  const filters = h('div', { class: 'table-filters' });
  put(
    panel,
    h('div', { class: 'table-tools' }, h('label', { for: 'table-search', class: 'unseen' }, 'Search events'), search, filters),
    h(
      'div',
      { class: 'sheet-head' },
      told,
      button('download', 'CSV', () => download('csv'), { class: 'button quiet', title: 'The events of the table, in its order' }),
    ),
    moreColumns(room),
    room,
    h(
      'p',
      { class: 'fine' },
      'Identifiers are found in any spelling: as EPC URN, GS1 Digital Link, element string or plain digits; a GTIN finds all its serials and lots.',
    ),
  );
  drawHeads();
  const { choices }: { readonly choices: Partial<Choices> } = (await load(0)) ?? { choices: {} };
  put(
    filters,
    FILTERS.filter(([id]) => (choices[id]?.length ?? 0) > 1).map(([id, title]) => {
      const choice: HTMLSelectElement = h(
        'select',
        {
          class: 'select',
          'aria-label': `Filter by ${title.toLowerCase()}`,
          onchange: () => {
            wanted[id] = choice.value;
            again();
          },
        },
        h('option', { value: '' }, `${title}: all`),
        choices[id]?.map(([value, number]) => h('option', { value }, `${value} (${number.toLocaleString('en')})`)),
      );
      return choice;
    }),
  );
}
