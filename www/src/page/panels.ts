// The tabs of answers and their panels. The code of a panel is loaded when its tab is first chosen; a panel is drawn only while its tab
// is chosen.
import type { EventsAnswer } from '../engine/document-story.ts';
import type { HashesAnswer } from '../hash/document-hashes.ts';
import type { ProofPanel } from '../proof/panel-proof.ts';
import type { TranslationAnswer } from '../translate/document-translation.ts';
import { h, put } from '../shared/dom.ts';
import { laterStyle } from './later.ts';
import { waiting } from '../shared/parts.ts';
import type { Page } from './page.ts';
import type { Parts } from './state.ts';
import { makeTabs, type Tabs } from './tabs.ts';

/** The number of tabs that are always shown. */
const FEW = 4;
/** The tabs, in order. */
export const TABS = [
  { id: 'validate', title: 'Validate' },
  { id: 'checks', title: 'Checks' },
  { id: 'events', title: 'Events' },
  { id: 'table', title: 'Table' },
  { id: 'item', title: 'Item' },
  { id: 'hash', title: 'Hash' },
  { id: 'translate', title: 'Translate' },
  { id: 'proof', title: 'Proof' },
  { id: 'master', title: 'Master data' },
];
/** The stage that a tab needs first. */
export const STAGE_OF: Readonly<Record<string, string>> = {
  validate: 'verdict',
  events: 'events',
  item: 'events',
  table: 'events',
  hash: 'hashes',
  translate: 'translation',
};
/** The answer that a panel draws. */
export const PART_OF: Readonly<Record<string, keyof Parts>> = {
  checks: 'verdict',
  events: 'events',
  item: 'events',
  table: 'events',
  hash: 'hashes',
  translate: 'translation',
  master: 'verdict',
};
/** The panels that are loaded when they are opened: all but Validate. */
const LAZY = TABS.slice(1).map(({ id }) => id);
/** The text of a panel while the document is empty. */
export const NOTHING = 'Paste a document, drop a file, or choose an example.';

/** Draws an answer. */
type Draw = (value: never) => unknown;

export interface Panels {
  readonly tabs: Tabs;
  panelOf(id: string): HTMLElement;
  draw(id: string): Promise<void>;
  makeOf(id: 'proof'): Promise<ProofPanel>;
  loadedOf(id: 'proof'): Promise<ProofPanel> | undefined;
  outdate(): void;
}

/**
 * Makes the tabs in `list`, and the panels in `room`. `page` has the state of the page and its actions; the code of a panel gets it with
 * some more. Returns `{tabs, panelOf, makeOf, loadedOf, draw, outdate}`.
 */
export function makePanels(list: HTMLElement, room: HTMLElement, page: Omit<Page, 'tabs' | 'draw' | 'openEvent' | 'jumpToProblem' | 'baseName'>): Panels {
  const { state, session, quietly } = page;
  const panels = new Map(TABS.map(({ id }) => [id, h('div', { id: `panel-${id}`, class: 'panel', tabindex: '0', hidden: true })]));
  room.append(...panels.values());
  const panelOf = (id: string) => panels.get(id)!;

  /** Loads the code of each panel. Each gives a function that draws an answer, except `proof`, which gives its panel object. */
  const makers: Readonly<Record<string, () => Promise<Draw | ProofPanel>>> = {
    checks: () => import('../verdict/panel-checks.ts').then(({ makeChecks }) => makeChecks(panelOf('checks'), context).show),
    events: () =>
      import('../events/panel-events.ts').then(
        ({ showEvents }) =>
          (value: EventsAnswer) =>
            showEvents(panelOf('events'), value, context),
      ),
    item: () =>
      import('../item/panel-item.ts').then(
        ({ showItem }) =>
          (value: EventsAnswer) =>
            showItem(panelOf('item'), value, context),
      ),
    table: () =>
      import('../table/panel-table.ts').then(
        ({ showTable }) =>
          (value: EventsAnswer) =>
            showTable(panelOf('table'), value, context),
      ),
    hash: () =>
      import('../hash/panel-hash.ts').then(
        ({ showHashes }) =>
          (value: HashesAnswer) =>
            showHashes(panelOf('hash'), value, context),
      ),
    master: () =>
      import('../master-data/panel-master.ts').then(
        ({ showMasterData }) =>
          () =>
            showMasterData(panelOf('master'), context),
      ),
    translate: () =>
      import('../translate/panel-translate.ts').then(
        ({ makeTranslate }) => makeTranslate(panelOf('translate'), context).show as (value: TranslationAnswer) => void,
      ),
    proof: () => import('../proof/panel-proof.ts').then(({ makeProof }) => makeProof(panelOf('proof'), context)),
  };
  const made = new Map<string, Promise<Draw | ProofPanel>>();
  /** What the last drawing of a panel waits for. */
  const shown = new Map<string, unknown>();
  function makeOf(id: string): Promise<Draw | ProofPanel> {
    if (!made.has(id)) made.set(id, makers[id]!());
    return made.get(id)!;
  }

  /** Draws a panel. Until its answer arrives the panel is marked as busy. */
  async function draw(id: string): Promise<void> {
    if (!LAZY.includes(id)) return;
    const panel = panelOf(id);
    panel.setAttribute('aria-busy', 'true');
    let isThere = true;
    try {
      const [show] = await Promise.all([makeOf(id), id === 'events' ? undefined : laterStyle()]);
      const { parts } = state;
      const part = parts[PART_OF[id] ?? 'fitting'];
      if (id === 'proof') delete panel.dataset.stale;
      else if (parts.verdict?.format === 'empty') put(panel, waiting(NOTHING));
      else if (part === undefined) isThere = false;
      else {
        if (panel.dataset.stale !== undefined || id === 'translate') {
          delete panel.dataset.stale;
          shown.set(id, (show as Draw)(part as never));
        }
        // A panel that asks further questions is drawn when these are answered.
        await shown.get(id);
      }
    } catch (error) {
      put(panel, h('p', { class: 'waiting' }, 'This part of the page could not be loaded. Are you offline? Then choose its tab again later.'));
      made.delete(id);
      panel.dataset.stale = '';
      console.warn(error);
    }
    if (isThere) panel.removeAttribute('aria-busy');
  }

  async function openEvent(index: number): Promise<void> {
    tabs.choose('events', true);
    const { openCard } = await import('../events/panel-events.ts');
    await draw('events');
    await openCard(panelOf('events'), index);
  }

  const tabs = makeTabs(list, TABS, {
    panelOf,
    few: FEW,
    onChoose(id, isByPerson) {
      const before = state.tab;
      state.tab = id;
      if (isByPerson) state.isOpening = false;
      document.body.dataset.tab = id;
      page.items.chosen(before, isByPerson);
      quietly(id === 'validate' ? page.summarise() : draw(id));
      page.mark();
      page.drawCode();
    },
  });
  for (const id of ['item', 'master']) tabs.hide(id, true);

  /** What the code of a panel gets. */
  const context: Page = {
    ...page,
    tabs,
    draw,
    openEvent,
    jumpToProblem: () => page.jumpTo(state.parts.places?.errors[0]),
    /** The name of the shown document, without its ending. */
    baseName: () => session.shown?.name.replace(/\.\w+$/, '') ?? '',
  };

  return {
    tabs,
    panelOf,
    draw,
    /** Loads a panel, once. Gives what its row of `makers` gives. */
    makeOf: (id) => makeOf(id) as Promise<ProofPanel>,
    /** The promise of {@link makeOf} if the panel is loaded or being loaded. */
    loadedOf: (id) => made.get(id) as Promise<ProofPanel> | undefined,
    /** Marks the answers in all panels as those of an older document. */
    outdate() {
      for (const id of LAZY) panelOf(id).dataset.stale = '';
    },
  };
}
