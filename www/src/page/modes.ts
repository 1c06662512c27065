// Switches between the document and the tools of the page. The code of a tool is loaded when it is first opened.
import type { Examples } from '../editor/example-list.ts';
import type { ProofPanel } from '../proof/panel-proof.ts';
import { h, put } from '../shared/dom.ts';
import { laterStyle } from './later.ts';
import { makeMore } from './more-menu.ts';
import { waiting } from '../shared/parts.ts';

import type { Page } from './page.ts';

/** What a tool gets of the page. */
export interface Around extends Pick<Page, 'engine' | 'session' | 'openText' | 'tabs' | 'state' | 'ask'> {
  makeOf(id: 'proof'): Promise<ProofPanel>;
  readonly examples: Examples;
  /** The open document as JSON text. */
  document(): Promise<string>;
  /** Returns to the document. */
  leave(): unknown;
}

/** An opened tool: what it does when it is shown, and when the engine has answered about another document. */
export interface Tool {
  open?(): unknown;
  refresh?(): unknown;
}

type Make = (room: HTMLElement, around: Around) => Tool | Promise<Tool>;

export interface Modes {
  open(fragment: string, isByPerson: boolean): boolean;
  leave(): unknown;
  refresh(): unknown;
}

/** The number of tools that are always shown. */
const FEW = 4;
const MODES: readonly { readonly id: string; readonly title: string; readonly load?: () => Promise<Make> }[] = [
  { id: 'answers', title: 'Document' },
  { id: 'reports', title: 'Reports', load: () => import('../tools/reports/tool-reports.ts').then(({ makeReports }) => makeReports) },
  { id: 'build', title: 'Build', load: () => import('../tools/build/tool-build.ts').then(({ makeBuild }) => makeBuild) },
  { id: 'convert', title: 'Convert', load: () => import('../tools/convert/tool-convert.ts').then(({ makeConvert }) => makeConvert) },
  { id: 'compare', title: 'Compare', load: () => import('../tools/compare/tool-compare.ts').then(({ makeCompare }) => makeCompare) },
  { id: 'gateway', title: 'Gateway', load: () => import('../tools/gateway/tool-gateway.ts').then(({ makeGateway }) => makeGateway) },
];

/** Builds the switch. Returns `{open, leave, refresh}`: `open` opens the tool that a fragment names, and returns whether it names one. */
export function makeModes({ room, tool }: { readonly room: HTMLElement; readonly tool: HTMLElement }, context: Omit<Around, 'leave'>): Modes {
  const answers = document.getElementById('document-answers')!;
  const rooms = new Map<string, { readonly own: HTMLElement; opened?: Tool }>();
  const buttons = MODES.map(({ id, title }, at) =>
    h('button', { type: 'button', class: `mode ${at < FEW ? '' : 'is-more'}`, id: `mode-${id}`, onclick: () => choose(id, true) }, title),
  );
  const more = makeMore(room, 'More tools');
  room.append(...buttons, more.button);
  let chosen = 'answers';

  async function choose(id: string, isByPerson: boolean): Promise<void> {
    chosen = id;
    more.close();
    for (const [at, own] of buttons.entries()) {
      if (MODES[at]?.id === id) own.setAttribute('aria-current', 'page');
      else own.removeAttribute('aria-current');
    }
    answers.hidden = id !== 'answers';
    tool.hidden = id === 'answers';
    document.body.dataset.mode = id;
    if (isByPerson) history.pushState({ ...history.state }, '', id === 'answers' ? location.pathname + location.search : `#${id}`);
    if (id === 'answers') return;
    for (const [name, one] of rooms) one.own.hidden = name !== id;
    if (!rooms.has(id)) {
      const own = h('div', { id: `tool-${id}`, class: 'panel', 'aria-busy': 'true' }, waiting('Loading'));
      const made: { readonly own: HTMLElement; opened?: Tool } = { own };
      rooms.set(id, made);
      tool.append(own);
      try {
        const [make] = await Promise.all([MODES.find((mode) => mode.id === id)?.load?.(), laterStyle()]);
        put(own);
        const opened = await make?.(own, { ...context, leave: () => choose('answers', true) });
        if (opened !== undefined) made.opened = opened;
      } catch (error) {
        put(own, waiting('This part of the page could not be loaded. Are you offline? Then open it again later.'));
        rooms.delete(id);
        setTimeout(() => chosen !== id && own.remove());
        console.warn(error);
      }
      own.removeAttribute('aria-busy');
    }
    rooms.get(id)?.opened?.open?.();
  }
  choose('answers', false);

  return {
    open(fragment, isByPerson) {
      const isTool = MODES.some(({ id }) => id === fragment && id !== 'answers');
      if (isTool || chosen !== 'answers') choose(isTool ? fragment : 'answers', isByPerson);
      return isTool;
    },
    /** Returns to the document. */
    leave: () => chosen !== 'answers' && choose('answers', true),
    /** Tells the shown tool that the engine has answered about another document. */
    refresh: () => rooms.get(chosen)?.opened?.refresh?.(),
  };
}
