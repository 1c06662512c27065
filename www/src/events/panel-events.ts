// The panel of events: what `event-view.ts` shows, with the ways to the table and to the editor.
import type { EventsAnswer } from '../engine/document-story.ts';
import type { Page } from '../page/page.ts';
import { button, h, put } from '../shared/dom.ts';
import { eventView } from './event-view.ts';
import { banner, refusal } from '../shared/parts.ts';

/** For each panel, the function that opens the card of an event. */
const openers = new WeakMap<HTMLElement, (index: number) => Promise<void>>();

/** Scrolls to the card of an event in a drawn panel. */
export const openCard = (panel: HTMLElement, index: number): Promise<void> | undefined => openers.get(panel)?.(index);

export function showEvents(
  panel: HTMLElement,
  events: EventsAnswer,
  { tabs, ask, items, jumpTo, jumpToProblem, quietly }: Pick<Page, 'tabs' | 'ask' | 'items' | 'jumpTo' | 'jumpToProblem' | 'quietly'>,
): void {
  if (events.problem !== undefined) {
    put(panel, refusal(events.problem, jumpToProblem));
    return;
  }
  if (events.total === 0) {
    put(panel, banner('calm', 'No events', 'Open an EPCISDocument, an EPCISQueryDocument, an array of events, or a single event.'));
    return;
  }
  const jumpToEvent = (index: number) => quietly(ask('place', index).then(jumpTo));
  const { content, open } = eventView(events, {
    ask,
    following: { ask, items },
    files: () => import('../flow/picture-file.ts'),
    cardTools: (index) => button('jump', 'Show in editor', () => jumpToEvent(index), { class: 'button quiet' }),
    listTools: (real) => real > 1 && button('indent', 'Search and sort in a table', () => tabs.choose('table', true), { class: 'button quiet' }),
  });
  openers.set(panel, open);
  const extras = h('div', { class: 'extras' });
  put(panel, content.slice(0, -1), extras, content.at(-1));
  if (events.hasExtras) quietly(import('./event-extras.ts').then(({ showExtras }) => showExtras(extras, { ask, open })));
}
